/** The worker under test: boards behind a router that sets a caller. */
import { route } from '../../../served/routed.ts';

export { Board } from './board.ts';

export default {
  fetch: (request: Request, env: Record<string, unknown>): Promise<Response> => route(request, env),
};
