/**
 * What stands for a contract with a mistake while the Worker is being developed: a class that could
 * not be defined would end `wrangler dev`. Imports contract.
 */
import { type CompiledContract, compileContract, type ContractOptions } from './contract.ts';
import type { CompiledMethod } from './contract-entry.ts';

/**
 * @param problem - what was thrown when the class was defined
 * @param options - those of the class
 * @returns a contract by which every call, of any method, is answered with the problem
 */
export function refusingContract(problem: unknown, options?: ContractOptions): CompiledContract {
  return { ...compileContract({}, options), methods: new RefusingMethods(problem) };
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
    // `readonly`, since what does not run is not journaled.
    return {
      name,
      readonly: true,
      live: false,
      check,
      cursor: undefined,
      parameters: 0,
      callbacks: undefined,
      items: undefined,
    };
  }
}
