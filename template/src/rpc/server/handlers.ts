/**
 * The three handlers that make a Durable Object answer RPC: one for requests (an upgrade or a
 * POST), one for WebSocket messages, one for closing. `lumenizeRpcDO` wires them; a class that keeps
 * its own `fetch` calls them itself. Imports caller, contract, dispatch, peer and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { exceeded, type Limits } from '../wire/limits.ts';
import { CALL_SEGMENT, encodeRefusal, SUBPROTOCOL } from '../wire/messages.ts';
import { callerOf } from './caller.ts';
import type { CompiledContract } from './contract.ts';
import { runFrame } from './dispatch.ts';
import { Peer } from './peer.ts';

/** Tells our hibernating sockets from the class's own. */
const SOCKET_TAG = SUBPROTOCOL;

/** `ctx` is protected in the class's type, so it is reached through this one. */
interface WithState {
  ctx: DurableObjectState;
}

/**
 * Answers a request if it is RPC: a path that ends in `/call` with either a WebSocket upgrade that
 * offers the subprotocol `lumenize-rpc.1`, or a POST of JSON.
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
  if (isUpgrade(request)) return acceptSocket(request, instance, contract);
  if (isJsonPost(request)) return answerPost(request, instance, contract);
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
  peer.hold();
  if (typeof message === 'string') {
    const late = runFrame(message, instance, contract, peer);
    if (late) ctx.waitUntil(late);
  } else {
    peer.answer(encodeRefusal(new RpcError('BAD_MESSAGE', 'A frame is text')));
  }
  peer.release();
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
  _code: number,
  _reason: string,
  instance: object,
  _contract: CompiledContract,
): boolean {
  if (!peerOf((instance as WithState).ctx, ws)) return false;
  // The runtime leaves the answer to us, and a client waits for it before its socket is gone.
  ws.close(1000);
  return true;
}

function isUpgrade({ headers }: Request): boolean {
  const offered = headers.get('Sec-WebSocket-Protocol')?.split(',') ?? [];
  return (
    headers.get('Upgrade')?.toLowerCase() === 'websocket' &&
    offered.some((protocol) => protocol.trim() === SUBPROTOCOL)
  );
}

function isJsonPost({ method, headers }: Request): boolean {
  const [mediaType] = (headers.get('Content-Type') ?? '').split(';');
  return method === 'POST' && mediaType?.trim().toLowerCase() === 'application/json';
}

function acceptSocket(request: Request, instance: object, contract: CompiledContract): Response {
  const { ctx } = instance as WithState;
  const { 0: client, 1: server } = new WebSocketPair();
  const caller = callerOf(request);
  if (contract.hibernate) {
    ctx.acceptWebSocket(server, [SOCKET_TAG]);
    server.serializeAttachment(caller);
  } else {
    server.accept();
    peers.set(server, peerOn(server, caller));
    server.addEventListener('message', ({ data }) =>
      handleRpcMessage(server, data, instance, contract),
    );
    server.addEventListener('close', ({ code, reason }) =>
      handleRpcClose(server, code, reason, instance, contract),
    );
  }
  return new Response(null, {
    status: 101,
    webSocket: client,
    headers: { 'Sec-WebSocket-Protocol': SUBPROTOCOL },
  });
}

async function answerPost(
  request: Request,
  instance: object,
  contract: CompiledContract,
): Promise<Response> {
  let answer = '[]';
  const keep = (frame: string): void => {
    answer = frame;
  };
  const peer = new Peer(callerOf(request), keep, Infinity);
  peer.hold();
  try {
    await runFrame(await readText(request, contract.limits), instance, contract, peer);
  } catch (error) {
    peer.answer(encodeRefusal(error as RpcError));
  }
  peer.release();
  return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
}

/** @throws RpcError for a body that is too large, before it is read, or that is not UTF-8 */
async function readText(request: Request, { frameSize }: Limits): Promise<string> {
  // No character takes more than three bytes for each unit of its length.
  const isTooLarge = Number(request.headers.get('Content-Length')) > 3 * frameSize;
  if (isTooLarge) exceeded('frameSize', frameSize);
  try {
    // Not `request.text()`, which would replace what is not UTF-8 and pass it on.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(
      await request.arrayBuffer(),
    );
  } catch (cause) {
    throw new RpcError('BAD_MESSAGE', 'The body is not UTF-8', { cause });
  }
}

/** The RPC sockets met in this life of the object; after hibernation the tag is asked again. */
const peers = new WeakMap<WebSocket, Peer>();

function peerOf(ctx: DurableObjectState, ws: WebSocket): Peer | undefined {
  const known = peers.get(ws);
  if (known) return known;
  if (!ctx.getTags(ws).includes(SOCKET_TAG)) return undefined;
  const peer = peerOn(ws, ws.deserializeAttachment());
  peers.set(ws, peer);
  return peer;
}

function peerOn(ws: WebSocket, caller: unknown): Peer {
  return new Peer(caller, (frame) => {
    // The client may have gone while a method was running; its answer has nowhere to go.
    if (ws.readyState === WebSocket.OPEN) ws.send(frame);
  });
}
