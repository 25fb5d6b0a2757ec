/** The worker under test, whose router sets the caller to the name in a request. */
import { route } from '../../served/routed.ts';
import type { Bank } from './bank.ts';

export { Bank, Resident, Scrubbing, Unjournaled } from './bank.ts';

interface TestEnv extends Record<string, unknown> {
  BANK: DurableObjectNamespace<Bank>;
}

export default {
  async fetch(request: Request, env: TestEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    // This path makes calls by native Workers RPC, as another Worker does.
    if (pathname === '/native') {
      const stub = env.BANK.getByName(searchParams.get('instance') ?? '');
      const session = await stub.login('token of ann');
      const failure = await (session.transfer as (...args: unknown[]) => Promise<number>)(
        'bob',
        'x',
      ).then(String, String);
      return Response.json([await session.transfer('bob', 5), failure]);
    }
    return route(request, env, (name) => [name]);
  },
};
