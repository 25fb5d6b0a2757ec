/** The Worker under test: two objects with an OpenTelemetry SDK, one of which calls the other. */
import * as api from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { DurableObject, env as bindings, waitUntil } from 'cloudflare:workers';
import {
  bindingTransport,
  createRpcClient,
  openTelemetry,
  type RpcClient,
  traceCalls as traceClient,
} from '../../../src/client.ts';
import { routeHttpRequest } from '../../../src/http.ts';
import {
  callback,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  stream,
  traceCalls,
} from '../../../src/server.ts';
import { traceContextOf } from '../../../src/features/tracing/wire/trace-context.ts';
import * as Type from '../../../src/typebox.ts';
import { Gates } from '../../served/gates.ts';
import { startTelemetry } from './telemetry.ts';

interface Env {
  readonly ROOM: DurableObjectNamespace<Room>;
  readonly STORE: DurableObjectNamespace<Store>;
  readonly COLLECTOR: Fetcher;
}

const env = bindings as unknown as Env;

startTelemetry({
  export(spans, done) {
    const body = JsonTraceSerializer.serializeRequest(spans);
    const headers = { 'Content-Type': 'application/json' };
    const send = async (): Promise<void> => {
      await env.COLLECTOR.fetch('http://collector/v1/traces', { method: 'POST', headers, body });
      done({ code: 0 });
    };
    waitUntil(send());
  },
  shutdown: () => Promise.resolve(),
  forceFlush: () => Promise.resolve(),
});

const tracer = openTelemetry(api);

class StoreImpl extends DurableObject<Env> {
  keep(text: string): string {
    this.ctx.storage.kv.put('text', text);
    return `kept ${text}`;
  }
}

export const Store = lumenizeRpcDO(
  StoreImpl,
  { keep: [Type.String()] },
  { use: [traceCalls(tracer)] },
);
export type Store = InstanceType<typeof Store>;

class RoomImpl extends DurableObject<Env> {
  readonly #gates = new Gates();
  readonly #life = crypto.randomUUID();

  get #store(): RpcClient<Store> {
    return createRpcClient<Store>('STORE', 'all', {
      transport: bindingTransport(() => env.STORE.getByName('all')),
      tracing: traceClient(tracer),
    });
  }

  post(text: string): string {
    return text;
  }

  /** Returns a text that differs after each eviction of the object. */
  life(): string {
    return this.#life;
  }

  async forward(text: string): Promise<string> {
    await scheduler.wait(1);
    return this.#store.keep(text);
  }

  fail(): never {
    throw new RangeError('It failed');
  }

  /** Returns when `release` has been called. */
  async held(name: string): Promise<string> {
    await this.#gates.wait(name);
    return `held ${name}`;
  }

  release(name: string): boolean {
    return this.#gates.release(name);
  }

  isHolding(name: string): boolean {
    return this.#gates.isWaiting(name);
  }

  async ask(question: string, answer: (text: string) => Promise<string>): Promise<string> {
    await scheduler.wait(1);
    return answer(question);
  }

  value(): number {
    return 1;
  }

  *counts(to: number): Generator<number> {
    for (let count = 0; count < to; count++) yield count;
  }

  async plan(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    await this.#store.keep('by alarm');
  }
}

export const Room = lumenizeRpcDO(
  RoomImpl,
  {
    post: [Type.String()],
    life: read(),
    forward: [Type.String()],
    fail: [],
    held: [Type.String()],
    release: [Type.String()],
    isHolding: read([Type.String()]),
    ask: [Type.String(), callback([Type.String()], Type.String())],
    value: live(),
    counts: stream([Type.Integer()]),
    plan: [],
  },
  { use: [traceCalls(tracer)] },
);
export type Room = InstanceType<typeof Room>;

/** Makes a call from the Worker in a span whose parent is that of the request. */
async function callRoom(request: Request): Promise<Response> {
  const context = traceContextOf(request.headers.get('traceparent'));
  const run = async (): Promise<string> => {
    using room = createRpcClient<Room>('ROOM', 'worker', {
      transport: bindingTransport(() => env.ROOM.getByName('worker')),
      tracing: traceClient(tracer),
    });
    return await room.forward('by Worker');
  };
  const about = { name: 'worker', kind: 'server', attributes: {}, parent: context } as const;
  return tracer(about, async (span) => {
    const text = await run();
    span?.end({ outcome: 'ok' });
    return new Response(text);
  });
}

export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/worker') return callRoom(request);
    return (
      (await routeHttpRequest(request, env, { classes: { ROOM: Room } })) ??
      (await routeDORequest(request, env)) ??
      new Response('Not found', { status: 404 })
    );
  },
};
