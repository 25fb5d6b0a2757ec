/** Names the places of a stack in src/, for the page in `wrangler dev`. */
import { isDevelopment } from './rpc/server/development.ts';

/**
 * Throws the error that `src/browser/stack.ts` sends: wrangler maps the stack of what a Worker throws,
 * and answers with it. A deployed Worker does nothing here.
 *
 * @returns `undefined` for any other request
 */
export async function throwWhatIsSent(request: Request): Promise<undefined> {
  if (!isDevelopment() || new URL(request.url).pathname !== '/__stack') return;
  throw Object.assign(new Error(), await request.json());
}
