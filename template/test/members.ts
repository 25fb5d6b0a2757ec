/**
 * An example of authentication: the Worker checks a token before an object wakes, and the methods
 * know who is calling. Copy it, and put a real check in the place of `TOKENS`.
 */
import { DurableObject } from 'cloudflare:workers';
import { currentCaller, lumenizeRpcDO, routeDORequest, withCaller } from '../src/rpc/server.ts';

interface Member {
  user: string;
  isAdmin: boolean;
}

const TOKENS = new Map<string | undefined, Member>([
  ['token-of-ada', { user: 'Ada', isAdmin: true }],
  ['token-of-bob', { user: 'Bob', isAdmin: false }],
]);

class MembersImpl extends DurableObject<Env> {
  whoAmI(): string | undefined {
    return currentCaller<Member>()?.user;
  }

  /** Who is calling has to be read before the first `await`. */
  async whoAmILater(): Promise<string | undefined> {
    const caller = currentCaller<Member>();
    // oxlint-disable-next-line durable-object/no-timer -- stands for anything that takes a while
    await scheduler.wait(0);
    return caller?.user;
  }

  clear(): void {
    if (!currentCaller<Member>()?.isAdmin) throw new Error('Only an admin may do this');
    this.ctx.storage.kv.put('cleared', true);
  }
}

export const Members = lumenizeRpcDO(MembersImpl, { whoAmI: [], whoAmILater: [], clear: [] });
export type Members = InstanceType<typeof Members>;

/** A browser's WebSocket sends the token as a subprotocol, everything else in a header. */
function tokenOf({ headers }: Request): string | undefined {
  const offered = headers.get('Sec-WebSocket-Protocol')?.split(/,\s*/) ?? [];
  const protocol = offered.find((name) => name.startsWith('token.'));
  return protocol?.slice('token.'.length) ?? headers.get('Authorization')?.replace('Bearer ', '');
}

function authenticate(request: Request): Request | Response {
  const member = TOKENS.get(tokenOf(request));
  return member ? withCaller(request, member) : new Response('No such member', { status: 401 });
}

/** What the Worker's `fetch` does with a request, to these objects and to the bookings. */
export function routeMembers(request: Request, env: object): Promise<Response | undefined> {
  return routeDORequest(request, env, {
    onBeforeConnect: authenticate,
    onBeforeRequest: authenticate,
  });
}
