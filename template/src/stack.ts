/** Names the places of a stack in src/, for the page in `wrangler dev`. */
import { isDevelopment } from './rpc/server/development.ts';

const PATH = '/__stack';
const THROWING_PATH = `${PATH}/thrown`;

/**
 * Answers with the stack of an error that `src/browser/failures.ts` sends, as wrangler maps it: it does so
 * for what a Worker throws. A deployed Worker does nothing here.
 *
 * @returns `undefined` for any other request
 */
export async function mappedStack(request: Request): Promise<Response | undefined> {
  if (!isDevelopment()) return undefined;
  const { pathname, origin } = new URL(request.url);
  if (pathname === THROWING_PATH) throw Object.assign(new Error(), await request.json());
  if (pathname !== PATH) return undefined;
  // Not thrown at the page itself, whose console would show it as another error.
  const thrown = await fetch(origin + THROWING_PATH, request);
  return new Response(await thrown.text());
}
