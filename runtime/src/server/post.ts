/** Answers a frame in the body of a POST. The response contains all answers. */
import type { CompiledContract } from './contract/types.ts';
import { RpcError } from '../wire/errors.ts';
import { limitExceeded } from '../wire/limits.ts';
import { BINARY_TYPE, type Frame } from '../wire/messages.ts';
import { frameLength } from '../wire/pieces.ts';
import { LIMIT_EXCEEDED_STATUS, UNAVAILABLE_STATUS } from '../wire/status.ts';
import type { FrameSender } from '../wire/door.ts';
import { rejectionCountsOf } from './connections/rejections.ts';
import { OUT_OF_MEMORY } from './base/memory.ts';
import { answerOnce, type Exchange } from './calls/exchange.ts';
import { heldResponse, isLarge } from './connections/bodies.ts';
import { readBody } from './base/read-body.ts';
import type { Limits } from './base/limits.ts';
import { postIdentityOf } from './connections/identity.ts';

export async function answerPost(
  request: Request,
  instance: object,
  contract: CompiledContract,
): Promise<Response> {
  const identity = postIdentityOf(request);
  const target = { instance, contract };
  const answer = await answerOnce(identity, target, (exchange) =>
    readFrame(request, contract.limits, exchange),
  );
  if (answer === undefined) {
    return new Response(OUT_OF_MEMORY, {
      status: UNAVAILABLE_STATUS,
      headers: { 'Retry-After': '1' },
    });
  }
  if (!isLarge(frameLength(answer))) return responseOf(answer);
  const bytes =
    typeof answer === 'string' ? new TextEncoder().encode(answer) : new Uint8Array(answer);
  return heldResponse(bytes, { 'Content-Type': typeOf(answer) }, target, identity);
}

/**
 * Answers a frame that a door of the Worker has sent: see `wire/door.ts`.
 *
 * @returns the frame of answers, or the HTTP status with which a POST would be rejected
 */
export async function answerRpcFrame(
  frame: string,
  sender: FrameSender,
  instance: object,
  contract: CompiledContract,
): Promise<Frame | number> {
  if (rejectionCountsOf(instance).bars(sender)) return LIMIT_EXCEEDED_STATUS;
  const answer = await answerOnce(sender, { instance, contract }, () => frame);
  return answer ?? UNAVAILABLE_STATUS;
}

function responseOf(frame: Frame): Response {
  return new Response(frame, { headers: { 'Content-Type': typeOf(frame) } });
}

function typeOf(frame: Frame): string {
  return typeof frame === 'string' ? 'application/json' : BINARY_TYPE;
}

/** Returns the media type of a request's frame; `undefined` if the request carries no frame. */
export function frameTypeOf({ method, headers }: Request): string | undefined {
  const [mediaType = ''] = (headers.get('Content-Type') ?? '').split(';');
  const type = mediaType.trim().toLowerCase();
  return method === 'POST' && ['application/json', BINARY_TYPE].includes(type) ? type : undefined;
}

/** @throws RpcError for a body that is too large, that does not arrive in time, or that is not UTF-8 */
async function readFrame(
  request: Request,
  { frameSize }: Limits,
  exchange: Exchange,
): Promise<Frame> {
  // In UTF-8, each unit of a string's length takes at most three bytes.
  const check = (size: number): void => {
    if (size > 3 * frameSize) limitExceeded('frameSize', frameSize);
  };
  check(Number(request.headers.get('Content-Length')));
  const { body } = request;
  const bytes = body
    ? await readBody(body as ReadableStream<Uint8Array>, exchange, check)
    : new ArrayBuffer();
  if (frameTypeOf(request) === BINARY_TYPE) return bytes;
  try {
    // `request.text()` would replace invalid UTF-8 and accept it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new RpcError('BAD_MESSAGE', 'The body of the POST is not UTF-8', { cause });
  }
}
