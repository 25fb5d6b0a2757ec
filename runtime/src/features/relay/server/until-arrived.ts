/** Waits for the values of a relay that a method reads. */
import { PendingError, runAsCaller, type Run } from '../../../server/feature.ts';

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
