/**
 * A hook of the Worker that names the caller for the board. This hook believes any name that a page sends. Replace it by a
 * check of your own session, such as a signed cookie: node_modules/lumenize-rpc/docs/authentication.md.
 */
import { type Hook, withCaller } from 'lumenize-rpc/server';

/** The caller: a member, or a visitor of the link. */
export type Caller = { user: string } | { visitor: true };

/** Reads a subprotocol such as `user.Ada`, because a WebSocket of a browser can send no header of its own. */
export const nameCaller: Hook = (request, { binding }) => {
  if (binding !== 'BOARD') return;
  const sent = request.headers.get('Sec-WebSocket-Protocol') ?? '';
  const [, user] = /\buser\.([\w%-]{1,300})/.exec(sent) ?? [];
  const caller: Caller = user ? { user: decodeURIComponent(user) } : { visitor: true };
  return withCaller(request, caller);
};
