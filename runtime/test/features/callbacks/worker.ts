/**
 * The worker under test: the caller, wrapped in each way that changes what a callback survives, behind a router
 * that sets the caller to the name in a request.
 */
import { RpcTarget } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { callback, capability, events, lumenizeRpcDO, read, tokenOf } from '../../../src/server.ts';
import { type Ask, Caller, type Outcome } from './caller.ts';
import { failureOf } from '../../served/failures.ts';
import { route } from '../../served/routed.ts';

const name = Type.String();
const ask = callback([Type.String()], Type.Boolean());
const count = Type.Integer();

const contract = {
  load: [count, callback([count], Type.Void())],
  ask: [Type.String(), ask],
  askTimes: [count, ask],
  outcomes: [count, ask],
  begin: [name, count, ask],
  hold: [name, ask],
  release: [name, Type.Boolean()],
  isHolding: read([name]),
  nested: [
    Type.Object({
      name,
      on: Type.Optional(
        Type.Object({
          ask: Type.Optional(ask),
          each: Type.Optional(Type.Array(callback([Type.Number()], Type.Number()))),
        }),
      ),
    }),
  ],
  twice: [ask, callback([Type.String()], Type.String())],
  repeat: [Type.Array(Type.Unknown()), callback([], Type.Unknown())],
  repeatUnsendable: [callback([], Type.Unknown())],
  textLater: [],
  keepInMemory: [callback([], Type.Unknown())],
  maybe: [Type.Optional(ask)],
  any: [Type.Unknown()],
  callLate: [],
  addressLate: [],
  onAlert: [name, ask],
  onAlertAndThrow: [name, ask],
  onAlertAndWait: [name, ask],
  alert: [name],
  alertSoon: [name],
  addressAgain: [name],
  drop: [name],
  alertIn: [count],
  alertAt: [Type.String()],
  address: [name],
  setAddress: [name, Type.String()],
  heard: read([name]),
  who: read(),
  events: events(),
  eventsOf: events([ask]),
  say: [Type.String()],
  one: read(),
  lives: read(),
} as const;

/** The things that a client may do with a desk. */
class DeskImpl extends RpcTarget {
  readonly #caller: Caller;
  readonly #label: string;

  constructor(caller: Caller, label: string) {
    super();
    this.#caller = caller;
    this.#label = label;
  }

  async ask(onAsk: Ask): Promise<boolean> {
    return onAsk(this.#label);
  }

  onAlert(onAsk: Ask): void {
    this.#caller.setAddress(this.#label, tokenOf(onAsk));
  }
}

const Desk = capability(DeskImpl, [Type.String()], { ask: [ask], onAlert: [ask] });

class Base extends Caller {
  desk(of: string): InstanceType<typeof Desk> {
    return new Desk(this, of);
  }

  addressOfDesk(of: string): string {
    return tokenOf(this.desk(of));
  }
}

const whole = {
  ...contract,
  desk: { input: [name], returns: Desk },
  addressOfDesk: [name],
} as const;

export const Default = lumenizeRpcDO(Base, whole, { exposeErrorDetails: true });
export type Default = InstanceType<typeof Default>;

export const Resident = lumenizeRpcDO(Base, whole, { hibernate: false });

/** Waits for few answers, and for a shorter time than the other classes, which is enough for a busy machine. */
export const Strict = lumenizeRpcDO(Base, whole, {
  callbackTimeout: 5_000,
  limits: { callbacks: 3, valueCount: 100, valueDepth: 10 },
});

/** Has the class `Base`, with a contract that has other callbacks in some places. */
export const Changed = lumenizeRpcDO(Base, {
  alertAt: [Type.String()],
  onAlert: [name, callback([Type.String()], Type.Boolean({ const: true }))],
});

interface TestEnv extends Record<string, unknown> {
  DEFAULT: DurableObjectNamespace<Default>;
}

export default {
  async fetch(request: Request, env: TestEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    // This path makes calls by native Workers RPC, as another Worker does.
    if (pathname === '/native')
      return native(env.DEFAULT.getByName(searchParams.get('instance') ?? ''));
    return route(request, env);
  },
};

/** Passes functions by native Workers RPC, and returns the result of each call. */
async function native(stub: DurableObjectStub<Default>): Promise<Response> {
  const heard: unknown[] = [];
  const outcomes: (Outcome | unknown)[] = [
    await stub.ask('native', async (text) => heard.push(text) > 0),
    await stub.load(3, (percent) => void heard.push(percent)),
    await stub.nested({ name: 'n', on: { ask: async () => true, each: [async (value) => value] } }),
    await failureOf(stub.ask('native', 5 as never)),
    await failureOf(stub.onAlert('native', async () => true)),
  ];
  return Response.json({ heard, outcomes });
}
