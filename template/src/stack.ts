/** Maps stack traces to src/, for the page in `wrangler dev`. */
import { isDevelopment } from 'lumenize-rpc/server';

const PATH = '/__stack';
const THROWING_PATH = `${PATH}/thrown`;

/**
 * Answers with the mapped stack of an error that `src/browser/failures.ts` sends. wrangler maps the stack of
 * every error that a Worker throws. A deployed Worker ignores these requests.
 *
 * @returns `undefined` for any other request
 */
export async function mappedStack(request: Request): Promise<Response | undefined> {
  if (!isDevelopment()) return undefined;
  const { pathname, origin } = new URL(request.url);
  if (pathname === THROWING_PATH) throw Object.assign(new Error(), await request.json());
  if (pathname !== PATH) return undefined;
  // Thrown in a second request: the page's console would show the failure of its own request as another
  // error.
  const thrown = await fetch(origin + THROWING_PATH, request);
  return new Response(await thrown.text());
}
