/**
 * The measured object over Cap'n Web, with capnweb-validate. When this file is bundled, a transform writes checks of the
 * arguments from their types. Types have no ranges and no lengths, so these checks accept more than the contract.
 */
import { newWorkersRpcResponse, type RpcStub, RpcTarget } from 'capnweb';
import { validateRpc } from 'capnweb-validate';
import { measuredClass } from '../../runtime/src/perf/contenders/measured-class.ts';
import { CounterImpl } from '../../template/src/counter.ts';

type Listener = (event: unknown) => void;

class Measured extends measuredClass(CounterImpl) {
  readonly counter = this as unknown as CounterImpl;
}

@validateRpc()
class Target extends RpcTarget {
  readonly #object: Measured;
  readonly #listeners: Set<RpcStub<Listener>>;

  constructor(object: Measured, listeners: Set<RpcStub<Listener>>) {
    super();
    this.#object = object;
    this.#listeners = listeners;
  }

  increment(by?: number): number {
    return this.#object.counter.increment(by);
  }

  getValue(): number {
    return this.#object.counter.getValue();
  }

  perfEcho(value: unknown): unknown {
    return this.#object.perfEcho(value);
  }

  perfBook(): string {
    return this.#object.perfBook();
  }

  /** Cap'n Web disposes of a stub in the arguments when the call ends, so this keeps a duplicate. */
  perfListen(listener: RpcStub<Listener>): void {
    this.#listeners.add(listener.dup());
  }

  perfAnnounce(event: unknown): void {
    for (const listener of this.#listeners) {
      listener(event).catch(() => this.#listeners.delete(listener));
    }
  }
}

export class ValidatedCounter extends Measured {
  readonly #listeners = new Set<RpcStub<Listener>>();

  override fetch(request: Request): Promise<Response> {
    return newWorkersRpcResponse(request, new Target(this, this.#listeners));
  }
}
