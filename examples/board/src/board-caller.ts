/**
 * Who is calling: a hook of the Worker, and what it tells the board. Replace the hook by a check of your own session, such
 * as a signed cookie: node_modules/lumenize-rpc/docs/authentication.md. This one believes any name that a page sends.
 */
import { type Hook, withCaller } from 'lumenize-rpc/server';

/** A member, or somebody who came by the link. */
export type Caller = { user: string } | { visitor: true };

/** Reads a subprotocol such as `user.Ada`, because a WebSocket of a browser can send no header of its own. */
export const nameCaller: Hook = (request, { binding }) => {
  if (binding !== 'BOARD') return;
  const sent = request.headers.get('Sec-WebSocket-Protocol') ?? '';
  const [, user] = /\buser\.([\w%-]{1,300})/.exec(sent) ?? [];
  const caller: Caller = user ? { user: decodeURIComponent(user) } : { visitor: true };
  return withCaller(request, caller);
};
