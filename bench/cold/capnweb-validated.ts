/** The same with capnweb-validate: a transform writes checks of the arguments from their types when this is bundled. */
import { DurableObject } from 'cloudflare:workers';
import { newWorkersRpcResponse, RpcTarget } from 'capnweb';
import { validateRpc } from 'capnweb-validate';

interface ColdEnv {
  COUNTER: DurableObjectNamespace<CapnwebCounter>;
}

export class CapnwebCounter extends DurableObject<ColdEnv> {
  override fetch(request: Request): Promise<Response> {
    return newWorkersRpcResponse(request, new Target(this));
  }

  increment(by = 1): number {
    const value = this.getValue() + by;
    this.ctx.storage.kv.put('value', value);
    return value;
  }

  getValue(): number {
    return this.ctx.storage.kv.get<number>('value') ?? 0;
  }

  reset(): void {
    this.ctx.storage.kv.delete('value');
  }
}

@validateRpc()
class Target extends RpcTarget {
  readonly #counter: CapnwebCounter;

  constructor(counter: CapnwebCounter) {
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

export default {
  fetch(request, env) {
    return env.COUNTER.getByName(new URL(request.url).pathname).fetch(request);
  },
} satisfies ExportedHandler<ColdEnv>;
