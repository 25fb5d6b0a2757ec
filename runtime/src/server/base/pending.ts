/** Values that a method needs and that have not arrived yet. The method runs again when they have arrived. */
import { RpcError } from '../../wire/errors.ts';

export type Run = (...args: unknown[]) => unknown;

/** Thrown where a method reads a value that has not arrived. */
export class PendingError extends RpcError {
  readonly #value: PendingValue;

  constructor(value: PendingValue) {
    super('DISCONNECTED', 'The relay has no value of its origin yet: try again');
    this.#value = value;
  }

  get value(): PendingValue {
    return this.#value;
  }
}

export interface PendingValue {
  /** @returns a promise that resolves when the value can be read, and rejects if it cannot. It stays until `release`. */
  hold(): Promise<unknown>;
  release(): void;
}

/** Returns a function that returns a `PendingError` instead of throwing it, because it is no failure of the method. */
export function pendingAsResult(run: Run): Run {
  return function (this: object, ...args: unknown[]): unknown {
    try {
      return Reflect.apply(run, this, args);
    } catch (thrown) {
      if (thrown instanceof PendingError) return thrown;
      throw thrown;
    }
  };
}
