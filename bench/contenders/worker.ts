/**
 * The measured Worker: the Worker of the performance test, with an object for each additional peer. Every object runs the same `CounterImpl`. Each peer's server is used as in its documentation.
 */
import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { expose } from 'comlink';
import * as Type from '../../runtime/src/typebox.ts';
import { createHandler, createTarget } from 'rpc.do/server';
import { collectGarbage } from '../../harness/runtime/garbage-route.ts';
import { lumenizeRpcDO, read } from '../../runtime/src/server.ts';
import { contenderClasses } from '../../runtime/src/perf/contenders/worker.ts';
import { contenderWorker } from '../../runtime/src/perf/contenders/routes.ts';
import { CounterImpl } from '../../template/src/counter.ts';
import type { ValidatedCounter } from './capnweb-validated.ts';

/** The classes that `npm run perf` measures. */
export const {
  Counter,
  AwakeCounter,
  UnjournaledCounter,
  ManualCounter,
  CapnwebCounter,
  PlainFloor,
  HibernatingFloor,
  PostFloor,
} = contenderClasses(
  lumenizeRpcDO(CounterImpl, {
    increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))],
    getValue: read(),
  }),
);
export { ValidatedCounter } from './capnweb-validated.ts';

export interface BenchEnv {
  VALIDATED: DurableObjectNamespace<ValidatedCounter>;
  RPC_DO: DurableObjectNamespace<RpcDoCounter>;
  TRPC: DurableObjectNamespace<TrpcCounter>;
  COMLINK: DurableObjectNamespace<ComlinkCounter>;
}

class EchoingCounter extends CounterImpl {
  echo(value: unknown): unknown {
    return value;
  }

  /** Has only the methods, for peers that expose all properties of an object. */
  protected get methods() {
    return {
      increment: (by?: number) => this.increment(by),
      getValue: () => this.getValue(),
      echo: (value: unknown) => this.echo(value),
    };
  }
}

export class RpcDoCounter extends EchoingCounter {
  override fetch(request: Request): Promise<Response> {
    return createHandler(createTarget(this.methods))(request);
  }
}

const trpc = initTRPC.context<{ counter: EchoingCounter }>().create();
const router = trpc.router({
  increment: trpc.procedure
    .input((by) => by as number | undefined)
    .mutation(({ ctx, input }) => ctx.counter.increment(input)),
  getValue: trpc.procedure.query(({ ctx }) => ctx.counter.getValue()),
  // This is a mutation, because the input of a query is part of the URL.
  echo: trpc.procedure
    .input((value) => value)
    .mutation(({ ctx, input }) => ctx.counter.echo(input)),
});
export type Router = typeof router;

export class TrpcCounter extends EchoingCounter {
  override fetch(req: Request): Promise<Response> {
    const endpoint = new URL(req.url).pathname.split('/').slice(0, 3).join('/');
    const createContext = () => ({ counter: this });
    return fetchRequestHandler({ endpoint, req, router, createContext });
  }
}

/** Comlink uses `postMessage` of workers and frames. Here each message is JSON on a socket. */
export class ComlinkCounter extends EchoingCounter {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    expose(this.methods, {
      postMessage: (message) => server.send(JSON.stringify(message)),
      addEventListener: (_, listener) =>
        server.addEventListener('message', ({ data }) => {
          const event = { data: JSON.parse(data as string) } as MessageEvent;
          if ('handleEvent' in listener) listener.handleEvent(event);
          else listener(event);
        }),
      removeEventListener() {},
    });
    return new Response(null, { status: 101, webSocket: client });
  }
}

export default {
  async fetch(request, env) {
    const collected = collectGarbage(request);
    if (collected) return collected;
    const { pathname } = new URL(request.url);
    const [, kind, name = ''] = pathname.split('/');
    // The client of Cap'n Web uses this prefix of the path.
    if (kind === 'validated') {
      return env.VALIDATED.getByName(pathname.split('/').at(-1) ?? '').fetch(request);
    }
    if (kind === 'rpc.do') return env.RPC_DO.getByName(name).fetch(request);
    if (kind === 'trpc') return env.TRPC.getByName(name).fetch(request);
    if (kind === 'comlink') return env.COMLINK.getByName(name).fetch(request);
    return contenderWorker.fetch(request, env);
  },
} satisfies ExportedHandler<BenchEnv>;
