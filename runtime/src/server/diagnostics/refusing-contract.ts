/**
 * Replaces a contract with a mistake during development. If its class could not be defined, `wrangler dev` would end.
 */
import type { ContractOptions } from '../contract/options.ts';
import type { CompiledContract, CompiledMethod } from '../contract/compiled.ts';
import { isDevelopment } from '../base/development.ts';

/**
 * @param problem - the error that was thrown when the class was defined
 * @param compile - compiles the contract without methods
 * @param options - the options of the class
 * @returns a contract that rejects every call, of any method, with the problem; `undefined` where the Worker does not
 *   run in development
 */
export function refusingContract(
  problem: unknown,
  compile: (options: ContractOptions) => CompiledContract,
  options: ContractOptions = {},
): CompiledContract | undefined {
  if (!isDevelopment()) return undefined;
  console.error(problem);
  const methods = new RefusingMethods(problem);
  try {
    return { ...compile(options), methods };
  } catch {
    // The mistake is in the limits.
    return { ...compile({ ...options, limits: {} }), methods };
  }
}

class RefusingMethods extends Map<string, CompiledMethod> {
  readonly #problem: unknown;

  constructor(problem: unknown) {
    super();
    this.#problem = problem;
  }

  override get(name: string): CompiledMethod {
    const check = (): never => {
      throw this.#problem;
    };
    // `readonly`, because a call that does not run is not journaled.
    return {
      name,
      kind: 'call',
      readonly: true,
      check,
      key: undefined,
      plain: false,
      feedback: {},
      parameters: 0,
      parts: undefined,
      readsLater: false,
      returned: undefined,
      bind: undefined,
    };
  }
}
