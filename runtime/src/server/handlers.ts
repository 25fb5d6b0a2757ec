/**
 * The three handlers that add RPC to a Durable Object: for requests (an upgrade or a POST), for WebSocket messages,
 * and for the closing of WebSockets. `lumenizeRpcDO` calls them; a class can also call them itself.
 */
import type { CompiledContract } from './contract/types.ts';
import { CALL_SEGMENT, HEARTBEAT, SUBPROTOCOL } from '../wire/messages.ts';
import { UNAVAILABLE_STATUS } from '../wire/status.ts';
import { afterConnectionChange } from './connections/connections.ts';
import { afterDisconnect } from './connections/disconnect.ts';
import { rememberContract } from './contract/contract-of.ts';
import { answerFrame } from './calls/dispatch.ts';
import { clientJournalOf, releaseClientJournal, type WithCtx } from './journal/journal.ts';
import type { ClientConnection } from './connections/client-connection.ts';
import {
  type ConnectionIdentity,
  postIdentityOf,
  socketIdentityOf,
} from './connections/identity.ts';
import { answerPost, frameTypeOf } from './post.ts';
import { rejectionCountsOf, tooManyRejections } from './connections/rejections.ts';
import { answerProbe, isProbe } from './base/probes.ts';
import { headerItems, isUpgrade, rejectionResponse } from './base/requests.ts';
import {
  acceptSocket,
  closeSocketsOfOthers,
  connectionsOfClient,
  forgetSocket,
  isFull,
  connectionOf,
} from './connections/sockets.ts';

/** Close codes from this number on mean a rejection, after which a client does not connect again by itself. */
const REFUSED = 4400;

/**
 * Answers a request if it is RPC. The path of an RPC request ends in `/call`. The request is a WebSocket upgrade
 * that offers the subprotocol `lumenize-rpc.1`, or a POST of a frame.
 *
 * @param request - the request that the object's `fetch` received
 * @param instance - the object whose methods are called
 * @param contract - from `compileContract`
 * @returns the response; `undefined` if the request is not RPC, so the class must handle it
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
  const isCall = new URL(request.url).pathname.endsWith(`/${CALL_SEGMENT}`);
  if (!isCall && !contract.request) return undefined;
  remember(contract, instance);
  if (!isCall) return contract.request?.(request, { instance, contract });
  const connects = isUpgrade(request) && offersRpc(request);
  const asks = isProbe(request);
  const posts = frameTypeOf(request) !== undefined;
  const identity = connects || asks ? socketIdentityOf(request) : postIdentityOf(request);
  if ((connects || asks || posts) && rejectionCountsOf(instance).bars(identity)) {
    return tooManyRejections();
  }
  if ((connects || asks) && isFull(request, instance, contract)) {
    const reason = 'The object has too many connections: see limits.connections';
    return rejectionResponse(UNAVAILABLE_STATUS, reason);
  }
  // A probe asks why an upgrade was rejected. It makes no call, whatever its body contains.
  if (asks) return answerProbe(request);
  if (connects) {
    replaceOlder(identity, instance);
    const response = acceptSocket(identity, instance, contract, (socket) => {
      socket.addEventListener('message', ({ data }) =>
        handleRpcMessage(socket, data, instance, contract),
      );
      let hasEnded = false;
      const end = (code: number, reason: string): void => {
        if (!hasEnded) handleRpcClose(socket, code, reason, instance, contract);
        hasEnded = true;
      };
      socket.addEventListener('close', ({ code, reason }) => end(code, reason));
      // If the client has broken the protocol of WebSockets, there is no `close` event. Otherwise there can be both.
      socket.addEventListener('error', () => end(1006, ''));
    });
    afterConnectionChange(instance, contract);
    return response;
  }
  if (posts) return answerPost(request, instance, contract);
  return undefined;
}

/**
 * Handles a WebSocket message if `handleRpcRequest` accepted its socket.
 *
 * @returns whether the message was RPC; if not, the class must handle it
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
  const { ctx } = instance as WithCtx;
  const connection = rpcConnection(ws, instance, contract);
  if (!connection) return false;
  if (connection.isClosed) return true;
  connection.serve(instance, contract.limits);
  if (connection.subscriptions.stored.length > 0) wake(instance, connection, contract);
  if (message === HEARTBEAT) {
    // The runtime answers most heartbeats by itself: see `acceptSocket`.
    ws.send(HEARTBEAT);
    return true;
  }
  const frame = connection.joinPieces(message);
  if (frame === undefined) {
    if (connection.isClosed) afterDisconnect(instance, connection, true);
    return true;
  }
  const later = connection.inTurn(() => {
    const late = answerFrame(
      frame,
      // A named function would define its name again for each frame in wrangler's bundle.
      () => ({ instance, contract, journal: clientJournalOf(instance, contract, connection) }),
      connection,
    );
    // A connection with too many rejected messages ends at once, without waiting for the client's close frame.
    if (connection.isClosed) afterDisconnect(instance, connection, true);
    if (late) ctx.waitUntil(late);
  }, frame);
  if (later) ctx.waitUntil(later);
  return true;
}

/**
 * Handles the closing of a socket if `handleRpcRequest` accepted the socket. Call it for an error of a socket too, with
 * the code 1006, because no `webSocketClose` follows an error.
 *
 * @returns whether the socket was RPC; if not, the class must handle it
 * @example
 * webSocketClose(ws: WebSocket, code: number, reason: string) {
 *   if (!handleRpcClose(ws, code, reason, this, contract)) this.onLeave(ws);
 * }
 * webSocketError(ws: WebSocket, error: unknown) {
 *   if (!handleRpcClose(ws, 1006, String(error), this, contract)) this.onLeave(ws);
 * }
 */
export function handleRpcClose(
  ws: WebSocket,
  code: number,
  _reason: string,
  instance: object,
  contract: CompiledContract,
): boolean {
  const { ctx } = instance as WithCtx;
  const connection = rpcConnection(ws, instance, contract);
  if (!connection) return false;
  connection.leave();
  afterDisconnect(instance, connection, code >= REFUSED);
  forgetSocket(ctx, ws);
  releaseClientJournal(instance, contract, connection);
  afterConnectionChange(instance, contract);
  // The runtime does not answer the close frame, and the client's socket waits for the answer.
  ws.close(1000);
  return true;
}

/** Restores the subscriptions of a connection that hibernated. Drops them if no feature of the contract restores them. */
function wake(
  instance: object,
  connection: ClientConnection,
  { features }: CompiledContract,
): void {
  const own = features.filter(({ onWake }) => onWake);
  for (const { onWake } of own) onWake?.(instance, connection);
  if (own.length > 0) return;
  connection.subscriptions.stored = [];
  connection.storeState();
}

/** Stores the contract of a class that calls the handlers itself. */
function remember(contract: CompiledContract, instance: object): void {
  const prototype = Object.getPrototypeOf(instance) as object;
  // An object without a class has the prototype of all objects, which must not carry a contract.
  rememberContract(prototype === Object.prototype ? instance : prototype, contract);
}

/** Returns the connection of an RPC socket; `undefined` for any other socket. */
function rpcConnection(
  ws: WebSocket,
  instance: object,
  contract: CompiledContract,
): ClientConnection | undefined {
  const connection = connectionOf((instance as WithCtx).ctx, ws);
  if (connection?.isOfOther(instance)) closeSocketsOfOthers(instance);
  // After hibernation, the runtime may deliver an event of a socket before any request.
  if (connection) remember(contract, instance);
  return connection;
}

/**
 * Ends the older connections of a client that opens another connection. The client no longer uses them, and callbacks
 * must use the new connection.
 */
function replaceOlder({ client, owner }: ConnectionIdentity, instance: object): void {
  if (client === undefined) return;
  for (const connection of connectionsOfClient(instance, client, owner)) {
    connection.close(1000, 'The client has opened another connection');
    afterDisconnect(instance, connection);
  }
}

function offersRpc({ headers }: Request): boolean {
  return headerItems(headers.get('Sec-WebSocket-Protocol')).includes(SUBPROTOCOL);
}
