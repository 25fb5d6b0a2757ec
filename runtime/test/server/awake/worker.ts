/**
 * An object that starts actions which may keep it awake, and tells whether it was evicted since.
 */
/* oxlint-disable durable-object/no-timer -- the test is of timers */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { bindingTransport, createRpcClient, subscribe } from '../../../src/client.ts';
import {
  live,
  lumenizeRpcDO,
  read,
  type RpcObject,
  routeDORequest,
  stream,
} from '../../../src/server.ts';

interface AwakeEnv {
  AWAKE: DurableObjectNamespace;
}

class AwakeImpl extends DurableObject<AwakeEnv> {
  readonly #life: number;

  constructor(ctx: DurableObjectState, env: AwakeEnv) {
    super(ctx, env);
    this.#life = (ctx.storage.kv.get<number>('lives') ?? 0) + 1;
    ctx.storage.kv.put('lives', this.#life);
  }

  life(): number {
    return this.#life;
  }

  async *endless(): AsyncGenerator<number> {
    yield 1;
    await new Promise(() => {});
  }

  begin(what: 'nothing' | 'timer' | 'interval' | 'waitUntil' | 'call' | 'socket'): void {
    const other = this.env.AWAKE.getByName(`other of ${what}`);
    const transport = bindingTransport(() => other as never, { socket: true });
    if (what === 'timer') setTimeout(() => {}, 600_000);
    if (what === 'interval') setInterval(() => {}, 1_000);
    if (what === 'waitUntil') this.ctx.waitUntil(scheduler.wait(600_000));
    if (what === 'call') void (other as unknown as { endlessly(): Promise<void> }).endlessly();
    if (what === 'socket') {
      const client = createRpcClient<Awake>('AWAKE', 'other', { transport });
      void subscribe(client).life()[Symbol.asyncIterator]().next();
    }
  }

  async endlessly(): Promise<void> {
    await scheduler.wait(600_000);
  }
}

export const Awake = lumenizeRpcDO(AwakeImpl, {
  life: live(),
  begin: [
    Type.Union([
      Type.Literal('nothing'),
      Type.Literal('timer'),
      Type.Literal('interval'),
      Type.Literal('waitUntil'),
      Type.Literal('call'),
      Type.Literal('socket'),
    ]),
  ],
  endless: stream(),
  endlessly: read(),
});
export type Awake = RpcObject<typeof Awake>;

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('no such object', { status: 404 });
  },
};
