/**
 * The worker under test: the broadcaster, wrapped in each way that changes what a subscription survives, behind a
 * router that sets the caller to the name in a request.
 */
import { collectGarbage } from '../../../../../harness/runtime/garbage-route.ts';
import * as Type from '../../../../src/typebox.ts';
import { lumenizeRpcDO, stream } from '../../../../src/server.ts';
import { Broadcaster } from './broadcaster.ts';
import { contract } from './contract.ts';
import { route } from '../../../served/routed.ts';

/** This class adapts a method with a rest parameter, which the types of a contract do not support. */
class Base extends Broadcaster {
  /** Returns no stream, and is listed as a stream. */
  sayAsStream(event: unknown): unknown {
    return this.sayOne(event);
  }

  sayOne(event: unknown): number {
    return this.say(event);
  }

  sayAll(events: unknown[]): number {
    return this.say(...events);
  }
}

const whole = {
  ...contract,
  sayOne: [Type.Unknown()],
  sayAsStream: stream([Type.Unknown()]),
  sayAll: [Type.Array(Type.Unknown())],
} as const;

export const Default = lumenizeRpcDO(Base, whole);
export type Default = InstanceType<typeof Default>;

export const Resident = lumenizeRpcDO(Base, whole, { hibernate: false });

/** Hides details of errors and secrets, and has small limits. */
export const Strict = lumenizeRpcDO(Base, whole, {
  limits: { subscriptions: 3, liveCalls: 4 },
  exposeErrorDetails: false,
  onError: (error) => ((error as Error).message === 'a secret' ? new Error('hidden') : undefined),
});

interface TestEnv extends Record<string, unknown> {
  DEFAULT: DurableObjectNamespace<Default>;
}

export default {
  async fetch(request: Request, env: TestEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const collected = collectGarbage(request);
    if (collected) return collected;
    // This path makes calls by native Workers RPC, as another Worker does.
    if (pathname === '/native') {
      const stub = env.DEFAULT.getByName(searchParams.get('instance') ?? '');
      await (searchParams.has('topic')
        ? stub.setTopic(searchParams.get('topic') ?? '')
        : stub.native(searchParams.get('text') ?? ''));
      return new Response('done');
    }
    return route(request, env);
  },
};
