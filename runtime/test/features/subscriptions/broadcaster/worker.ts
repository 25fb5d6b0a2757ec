/**
 * The worker under test: the broadcaster, wrapped in each way that changes what a subscription lives through, behind a
 * router that names whoever asks to be named.
 */
import { collectGarbage } from '../../../../../harness/runtime/garbage-route.ts';
import * as Type from '../../../../src/typebox.ts';
import { lumenizeRpcDO, stream } from '../../../../src/server.ts';
import { Broadcaster } from './broadcaster.ts';
import { contract } from './contract.ts';
import { route } from '../../../served/routed.ts';

/** A rest parameter has no place in a contract's types. */
class Base extends Broadcaster {
  /** No stream, although it is listed as one. */
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

/** Shows callers little, and lets them subscribe to little. Hides secrets. */
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
    // Calls by native RPC, as another Worker makes them.
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
