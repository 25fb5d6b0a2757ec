/**
 * An example of authentication. The Worker checks a token before an object wakes, and methods read the caller. Copy it,
 * and replace `TOKENS` by a real check.
 */
import { DurableObject } from 'cloudflare:workers';
import { currentCaller, lumenizeRpcDO, routeDORequest, withCaller } from '../../src/server.ts';

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

  /** The caller must be read before the first `await`. */
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

/** A browser's WebSocket sends the token as a subprotocol. Every other request sends it in a header. */
function tokenOf({ headers }: Request): string | undefined {
  const offered = headers.get('Sec-WebSocket-Protocol')?.split(/,\s*/) ?? [];
  const protocol = offered.find((name) => name.startsWith('token.'));
  return protocol?.slice('token.'.length) ?? headers.get('Authorization')?.replace('Bearer ', '');
}

function authenticate(request: Request): Request | Response {
  const member = TOKENS.get(tokenOf(request));
  return member ? withCaller(request, member) : new Response('No such member', { status: 401 });
}

/** Routes requests as the Worker's `fetch` would. */
export function routeMembers(request: Request, env: object): Promise<Response | undefined> {
  return routeDORequest(request, env, {
    onBeforeConnect: authenticate,
    onBeforeRequest: authenticate,
  });
}
