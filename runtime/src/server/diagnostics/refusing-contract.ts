/**
 * Replaces a contract that has a mistake, during development. If its class could not be defined, `wrangler dev` would end.
 */
import { isDevelopment } from '../base/development.ts';

/**
 * @param problem - the error that was thrown when the class was defined
 * @param compile - compiles the contract without methods
 * @param options - the options of the class
 * @returns a contract that rejects every call, of any method, with the problem; `undefined` where the Worker does not
 *   run in development
 */
export function refusingContract<Contract extends object, Options extends object>(
  problem: unknown,
  compile: (options: Options | undefined) => Contract,
  options: Options | undefined,
): Contract | undefined {
  if (!isDevelopment()) return undefined;
  console.error(problem);
  const methods = new RefusingMethods(problem);
  try {
    return { ...compile(options), methods };
  } catch {
    // The mistake is in the limits, or in the list of features.
    return { ...compile(options && { ...options, limits: {}, use: [] }), methods };
  }
}

/** A map that has a method of any name. Each method rejects every call. */
class RefusingMethods extends Map<string, object> {
  readonly #problem: unknown;

  constructor(problem: unknown) {
    super();
    this.#problem = problem;
  }

  override get(name: string): object {
    const validate = (): never => {
      throw this.#problem;
    };
    // The method is `readonly`, because a call that does not run is not journaled.
    return { name, kind: 'call', readonly: true, validate, plain: false, feedback: {}, input: [] };
  }
}
