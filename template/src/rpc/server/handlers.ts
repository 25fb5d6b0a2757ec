/**
 * The three handlers that make a Durable Object answer RPC: one for requests (an upgrade or a
 * POST), one for WebSocket messages, one for closing. `lumenizeRpcDO` wires them; a class that keeps
 * its own `fetch` calls them itself. Imports connections, contract, dispatch, journal, peer, post,
 * requests, sockets, subscribers and wire/.
 */
import { CALL_SEGMENT, HEARTBEAT, SUBPROTOCOL } from '../wire/messages.ts';
import { connectionsChanged, letGo } from './connections.ts';
import type { CompiledContract } from './contract.ts';
import { rememberContract } from './contract-of.ts';
import { answerFrame } from './dispatch.ts';
import { entryOf, releaseEntry, type WithState } from './journal.ts';
import type { PeerIdentity } from './peer.ts';
import { answerPost, frameTypeOf, responseOf } from './post.ts';
import { isProbe, isUpgrade } from './requests.ts';
import {
  acceptSocket,
  connectionsOf,
  forgetSocket,
  identityOf,
  isFull,
  listOf,
  peerOf,
} from './sockets.ts';
import { subscribersOf } from './subscribers.ts';

/** From here on close codes say that a client was refused, and does not come back by itself. */
const REFUSED = 4400;

/**
 * Answers a request if it is RPC: a path that ends in `/call` with either a WebSocket upgrade that
 * offers the subprotocol `lumenize-rpc.1`, or a POST of a frame.
 *
 * @param request - what the object's `fetch` received
 * @param instance - the object whose methods are called
 * @param contract - from `compileContract`
 * @returns the response, or `undefined` when the request is not RPC and so the class's own
 * @example
 * async fetch(request: Request) {
 *   return (await handleRpcRequest(request, this, contract)) ?? new Response('mine');
 * }
 */
export function handleRpcRequest(
  request: Request,
  instance: object,
  contract: CompiledContract,
): Response | Promise<Response> | undefined {
  if (!new URL(request.url).pathname.endsWith(`/${CALL_SEGMENT}`)) return undefined;
  rememberContract(Object.getPrototypeOf(instance) as object, contract);
  const { ctx } = instance as WithState;
  const connects = isUpgrade(request) && offersRpc(request);
  if ((connects || isProbe(request)) && isFull(ctx, contract)) {
    return new Response('The object has too many connections: see limits.connections', {
      status: 503,
    });
  }
  // Whatever else it carries: it asks why an upgrade was refused, and makes no call.
  if (isProbe(request)) return responseOf(HEARTBEAT);
  if (connects) {
    const identity = identityOf(request);
    replaceOlder(identity, instance);
    const response = acceptSocket(identity, instance, contract, (socket) => {
      socket.addEventListener('message', ({ data }) =>
        handleRpcMessage(socket, data, instance, contract),
      );
      socket.addEventListener('close', ({ code, reason }) =>
        handleRpcClose(socket, code, reason, instance, contract),
      );
    });
    connectionsChanged(instance, contract);
    return response;
  }
  if (frameTypeOf(request)) return answerPost(request, instance, contract);
  return undefined;
}

/**
 * Answers a WebSocket message if its socket was accepted by `handleRpcRequest`.
 *
 * @returns whether the message was RPC; if not, it is the class's own
 * @example
 * webSocketMessage(ws: WebSocket, message: string | ArrayBuffer) {
 *   if (!handleRpcMessage(ws, message, this, contract)) this.onChat(ws, message);
 * }
 */
export function handleRpcMessage(
  ws: WebSocket,
  message: string | ArrayBuffer,
  instance: object,
  contract: CompiledContract,
): boolean {
  const { ctx } = instance as WithState;
  const peer = peerOf(ctx, ws);
  if (!peer) return false;
  if (peer.isClosed) return true;
  peer.limits = contract.limits;
  // Streams were lost with the object's memory: their clients are told.
  if (peer.kept.some(([, kind]) => kind === 'stream')) subscribersOf(instance);
  if (message === HEARTBEAT) {
    // Only where the runtime does not answer by itself: see `acceptSocket`.
    ws.send(HEARTBEAT);
    return true;
  }
  const later = peer.inTurn(() => {
    const late = answerFrame(
      message,
      // A function with a name of its own would have it defined here by wrangler's bundle, for each frame.
      () => ({ instance, contract, entry: entryOf(instance, contract, peer) }),
      peer,
    );
    // For good, after too much that was refused: whether the client answers that or not.
    if (peer.isClosed) letGo(instance, peer, true);
    if (late) ctx.waitUntil(late);
  });
  if (later) ctx.waitUntil(later);
  return true;
}

/**
 * Ends a socket which `handleRpcRequest` accepted and the client has closed.
 *
 * @returns whether the socket was RPC; if not, it is the class's own
 * @example
 * webSocketClose(ws: WebSocket, code: number, reason: string) {
 *   if (!handleRpcClose(ws, code, reason, this, contract)) this.onLeave(ws);
 * }
 */
export function handleRpcClose(
  ws: WebSocket,
  code: number,
  _reason: string,
  instance: object,
  contract: CompiledContract,
): boolean {
  const { ctx } = instance as WithState;
  const peer = peerOf(ctx, ws);
  if (!peer) return false;
  peer.leave();
  letGo(instance, peer, code >= REFUSED);
  forgetSocket(ctx, ws);
  releaseEntry(instance, contract, peer);
  connectionsChanged(instance, contract);
  // The runtime leaves the answer to us, and a client waits for it before its socket is gone.
  ws.close(1000);
  return true;
}

/**
 * Ends the connections that a client has left open, when it comes back by another: it has given them up,
 * and a callback has to reach it where it is.
 */
function replaceOlder({ client, owner }: PeerIdentity, instance: object): void {
  if (client === undefined) return;
  for (const peer of connectionsOf(instance, client, owner)) {
    peer.close(1000, 'The client has opened another connection');
    letGo(instance, peer);
  }
}

function offersRpc({ headers }: Request): boolean {
  return listOf(headers.get('Sec-WebSocket-Protocol')).includes(SUBPROTOCOL);
}
