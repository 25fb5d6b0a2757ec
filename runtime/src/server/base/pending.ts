/** Values on their way that a method needs: the method runs again when they have arrived. */
import { RpcError } from '../../wire/errors.ts';
import { runAsCaller } from './caller.ts';

type Run = (...args: unknown[]) => unknown;

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

/** Returns a function that runs a `readonly` method again, as the caller, until all values have arrived. */
export function untilArrived(run: Run, caller: unknown): Run {
  return function (this: object, ...args: unknown[]): unknown {
    const wait = (thrown: unknown): Promise<unknown> => {
      if (!(thrown instanceof PendingError)) throw thrown;
      const { value } = thrown;
      const result = value.hold().then(() => runAsCaller(caller, attempt));
      // The method may read the value until it has ended.
      const release = (): void => value.release();
      void result.then(release, release);
      return result;
    };
    const attempt = (): unknown => {
      try {
        const result: unknown = Reflect.apply(run, this, args);
        return result instanceof Promise ? result.catch(wait) : result;
      } catch (thrown) {
        return wait(thrown);
      }
    };
    return attempt();
  };
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
