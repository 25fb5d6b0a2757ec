/**
 * The three handlers that make a Durable Object answer RPC: one for requests (an upgrade or a
 * POST), one for WebSocket messages, one for closing. `lumenizeRpcDO` wires them; a class that keeps
 * its own `fetch` calls them itself. Imports contract, dispatch and wire/.
 */
import { Batch } from '../wire/batch.ts';
import { CALL_SEGMENT, encodeFrame, SUBPROTOCOL } from '../wire/messages.ts';
import type { CompiledContract } from './contract.ts';
import { runFrame } from './dispatch.ts';

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
  if (isUpgrade(request)) return acceptSocket(instance);
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
  if (!isRpcSocket(ctx, ws)) return false;
  if (typeof message !== 'string') {
    ws.close(1003, 'This protocol has text frames only');
    return true;
  }
  const answers = new Batch((frame) => {
    // The client may have gone while a method was still running; its answer has nowhere to go.
    if (ws.readyState === WebSocket.OPEN) ws.send(frame);
  });
  const late = runFrame(message, instance, contract, (answer) => answers.add(answer));
  answers.flush();
  if (late) ctx.waitUntil(late);
  return true;
}

/**
 * Completes the closing of a socket that was accepted by `handleRpcRequest`.
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
  return isRpcSocket((instance as WithState).ctx, ws);
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

function acceptSocket(instance: object): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  (instance as WithState).ctx.acceptWebSocket(server, [SOCKET_TAG]);
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
  const answers: string[] = [];
  await runFrame(await request.text(), instance, contract, (answer) => answers.push(answer));
  return new Response(encodeFrame(answers), { headers: { 'Content-Type': 'application/json' } });
}

/** Sockets seen in this life of the object; after hibernation the tag is asked again. */
const rpcSockets = new WeakSet<WebSocket>();

function isRpcSocket(ctx: DurableObjectState, ws: WebSocket): boolean {
  if (rpcSockets.has(ws)) return true;
  if (!ctx.getTags(ws).includes(SOCKET_TAG)) return false;
  rpcSockets.add(ws);
  return true;
}
