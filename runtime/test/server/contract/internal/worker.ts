/**
 * A meter to which shards report. It has a method only for other objects, and methods for clients.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../../src/typebox.ts';
import { openApi, routeHttpRequest } from '../../../../src/http.ts';
import { mcp } from '../../../../src/mcp.ts';
import {
  bindingTransport,
  createRpcClient,
  type RpcClient,
  subscribe,
} from '../../../../src/client.ts';
import {
  capability,
  internal,
  live,
  lumenizeRpcDO,
  routeDORequest,
} from '../../../../src/server.ts';

class DialImpl {
  readonly #meter: MeterImpl;

  constructor(meter: object) {
    this.#meter = meter as MeterImpl;
  }

  read(): number {
    return this.#meter.total();
  }
}

const Dial = capability(DialImpl, [], { read: [] });

class MeterImpl extends DurableObject<Env> {
  total(): number {
    return this.ctx.storage.kv.get<number>('total') ?? 0;
  }

  add(by: number): number {
    const total = this.total() + by;
    this.ctx.storage.kv.put('total', total);
    return total;
  }

  report(shard: string, total: number): string {
    return `${shard} ${this.add(total)}`;
  }

  dial(): InstanceType<typeof Dial> {
    return new Dial(this);
  }
}

export const Meter = lumenizeRpcDO(MeterImpl, {
  total: live(),
  add: [Type.Integer()],
  report: internal([Type.String({ maxLength: 10 }), Type.Integer({ minimum: 1 })]),
  dial: { input: [], returns: Dial },
});
export type Meter = InstanceType<typeof Meter>;

/** Calls a meter natively, as an object. */
export class Shard extends DurableObject<{ METER: DurableObjectNamespace<Meter> }> {
  async report(instance: string, args: [string, number]): Promise<string> {
    return this.env.METER.getByName(instance).report(...args);
  }
}

interface Bindings {
  METER: DurableObjectNamespace<Meter>;
  SHARD: DurableObjectNamespace<Shard>;
}

/** Calls `report` natively: from this Worker, from an object, or as a client by the binding. */
async function answer(
  way: string,
  env: Bindings,
  instance: string,
  args: [string, number],
): Promise<unknown> {
  const meter = env.METER.getByName(instance);
  if (way === 'worker') return meter.report(...args);
  if (way === 'object') return env.SHARD.getByName('one').report(instance, args);
  using client = createRpcClient<Meter>('METER', instance, {
    transport: bindingTransport(() => meter, { socket: way !== 'post' }),
  });
  const untyped = client as unknown as RpcClient<{ report(...given: unknown[]): string }>;
  if (way !== 'subscription') return await untyped.report(...args);
  const loop = subscribe(client) as unknown as Record<string, () => AsyncIterable<unknown>>;
  for await (const value of loop['report']!()) return value;
  return undefined;
}

const agents = mcp({ bindings: ['METER'] });

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, room, way = ''] = pathname.split('/');
    if (room === 'report') {
      const { instance, args } = JSON.parse(searchParams.get('call') ?? '');
      try {
        return Response.json({ result: await answer(way, env, instance, args) });
      } catch (error) {
        const { name, message, code, path } = error as Record<string, unknown>;
        return Response.json({ name, message, code, path, isError: error instanceof Error });
      }
    }
    const http = { classes: { METER: Meter }, openapi: { generator: openApi }, mcp: agents };
    const response =
      (await routeHttpRequest(request, env, http)) ?? (await routeDORequest(request, env));
    return response ?? new Response('no such object', { status: 404 });
  },
};
