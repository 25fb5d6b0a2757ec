/** The template's counter without its contract, and the route to it, which the Workers of the other contenders share. */
import { DurableObject } from 'cloudflare:workers';

export class StoredCounter extends DurableObject {
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

interface ColdEnv {
  COUNTER: DurableObjectNamespace<StoredCounter>;
}

export default {
  fetch(request, env) {
    return env.COUNTER.getByName(new URL(request.url).pathname).fetch(request);
  },
} satisfies ExportedHandler<ColdEnv>;
