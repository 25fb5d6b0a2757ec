/** The counter over Cap'n Web, as in its documentation. Its methods check no arguments. */
import { newWorkersRpcResponse, RpcTarget } from 'capnweb';
import { StoredCounter } from './stored-counter.ts';

class Target extends RpcTarget {
  readonly #counter: StoredCounter;

  constructor(counter: StoredCounter) {
    super();
    this.#counter = counter;
  }

  increment(by?: number): number {
    return this.#counter.increment(by);
  }

  getValue(): number {
    return this.#counter.getValue();
  }

  reset(): void {
    this.#counter.reset();
  }
}

export class Counter extends StoredCounter {
  override fetch(request: Request): Promise<Response> {
    return newWorkersRpcResponse(request, new Target(this));
  }
}

export { default } from './stored-counter.ts';
