/** Values on their way that a method needs: the method runs again when they have arrived. */
import { RpcError } from '../../wire/errors.ts';

export type Run = (...args: unknown[]) => unknown;

/** Thrown where a method reads a value that has not arrived. */
export class PendingError extends RpcError {
  readonly #value: PendingValue;

  constructor(value: PendingValue) {
    super('DISCONNECTED', 'There is no value yet: try again');
    this.#value = value;
  }

  get value(): PendingValue {
    return this.#value;
  }
}

export interface PendingValue {
  /** @returns what resolves when the value can be read, and rejects if it cannot. It is there until `release`. */
  hold(): Promise<unknown>;
  release(): void;
}

/** Returns a function that returns the error instead, which is nobody's mistake. */
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
