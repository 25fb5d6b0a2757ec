/** The Worker under test: an object with a low limit of memory for its clients. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { lumenizeRpcDO, read, routeDORequest } from '../../../src/server.ts';

class StoreImpl extends DurableObject<Env> {
  readonly #gate = Promise.withResolvers<void>();

  one(): number {
    return 1;
  }

  add(): number {
    const sum = (this.ctx.storage.kv.get<number>('sum') ?? 0) + 1;
    this.ctx.storage.kv.put('sum', sum);
    return sum;
  }

  /** Keeps its argument until the gate opens. */
  async hold(text: string): Promise<number> {
    await this.#gate.promise;
    return text.length;
  }

  open(): void {
    this.#gate.resolve();
  }

  text(length: number): string {
    return 'x'.repeat(length);
  }
}

export const Store = lumenizeRpcDO(
  StoreImpl,
  {
    one: read(),
    add: [],
    hold: [Type.String()],
    open: [],
    text: read([Type.Integer()]),
  },
  { limits: { memoryPerClient: 600_000, memoryPerObject: 1_000_000 } },
);
export type Store = InstanceType<typeof Store>;

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
