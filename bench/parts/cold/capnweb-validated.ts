/** The counter over Cap'n Web with capnweb-validate, which writes checks of the arguments when this file is bundled. */
import { newWorkersRpcResponse, RpcTarget } from 'capnweb';
import { validateRpc } from 'capnweb-validate';
import { StoredCounter } from './stored-counter.ts';

@validateRpc()
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
