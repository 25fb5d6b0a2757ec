/** A Durable Object whose frames an operator can see for a limited time, and which reports on itself. */
import { DurableObject } from 'cloudflare:workers';
import {
  debugFor,
  type DebugForOptions,
  debugOnDemand,
  inspect,
  type ObjectReport,
} from '../../../src/debug.ts';
import {
  capability,
  currentCaller,
  events,
  feed,
  live,
  lumenizeRpcDO,
  read,
} from '../../../src/server.ts';
import * as Type from '../../../src/typebox.ts';

interface Caller {
  user: string;
  isOperator?: boolean;
}

const callerName = (caller: Caller | undefined): string | undefined => caller?.user;

class BoxImpl {
  readonly #name: string;

  constructor(_object: object, name: string) {
    this.#name = name;
  }

  name(): string {
    return this.#name;
  }
}
const Box = capability(BoxImpl, [Type.String()], { name: read() });

class WatchedImpl extends DurableObject<Env> {
  debug(options: DebugForOptions): void {
    if (!currentCaller<Caller>()?.isOperator) throw new Error('Only operators may do this');
    debugFor(this, options);
  }

  inspect(): ObjectReport {
    if (!currentCaller<Caller>()?.isOperator) throw new Error('Only operators may do this');
    return inspect<Caller>(this, { callerName });
  }

  echo(secret: string): string {
    return secret;
  }

  fail(secret: string): void {
    throw new RangeError(secret);
  }

  value(): number {
    return 1;
  }

  say(text: string): void {
    feed<string>(this, 'chat').append(text);
  }

  chat(): unknown {
    return feed<string>(this, 'chat');
  }

  box(name: string): InstanceType<typeof Box> {
    return new Box(this, name);
  }
}

export const Watched = lumenizeRpcDO(
  WatchedImpl,
  {
    debug: [
      Type.Object({
        minutes: Type.Number(),
        client: Type.Optional(Type.String()),
        caller: Type.Optional(Type.String()),
      }),
    ],
    inspect: read(),
    echo: [Type.String()],
    fail: [Type.String()],
    value: live(),
    say: [Type.String()],
    chat: events(),
    box: { input: [Type.String()], returns: Box },
  },
  { use: [debugOnDemand({ callerName })] },
);
export type Watched = InstanceType<typeof Watched>;
