/** Answers a frame in the body of a POST. The response contains all answers. */
import type { CompiledContract } from './contract/types.ts';
import { RpcError } from '../wire/errors.ts';
import { limitExceeded } from '../wire/limits.ts';
import { BINARY_TYPE, type Frame } from '../wire/messages.ts';
import { answerOnce } from './calls/exchange.ts';
import type { Limits } from './base/limits.ts';
import { postIdentityOf } from './connections/identity.ts';

export async function answerPost(
  request: Request,
  instance: object,
  contract: CompiledContract,
): Promise<Response> {
  const read = (): Promise<Frame> => readBody(request, contract.limits);
  return responseOf(await answerOnce(postIdentityOf(request), { instance, contract }, read));
}

export function responseOf(frame: Frame): Response {
  const type = typeof frame === 'string' ? 'application/json' : BINARY_TYPE;
  return new Response(frame, { headers: { 'Content-Type': type } });
}

/** The media type of a request's frame; `undefined` if the request carries no frame. */
export function frameTypeOf({ method, headers }: Request): string | undefined {
  const [mediaType = ''] = (headers.get('Content-Type') ?? '').split(';');
  const type = mediaType.trim().toLowerCase();
  return method === 'POST' && ['application/json', BINARY_TYPE].includes(type) ? type : undefined;
}

/** @throws RpcError for a body that is too large, or text that is not UTF-8 */
async function readBody(request: Request, limits: Limits): Promise<Frame> {
  const bytes = await readBytes(request, limits);
  if (frameTypeOf(request) === BINARY_TYPE) return bytes;
  try {
    // Not `request.text()`, which would replace invalid UTF-8 and accept it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new RpcError('BAD_MESSAGE', 'The body is not UTF-8', { cause });
  }
}

/** Reads a body, but no more than a frame may contain. */
async function readBytes(request: Request, { frameSize }: Limits): Promise<ArrayBuffer> {
  // In UTF-8, each unit of a string's length takes at most three bytes.
  const most = 3 * frameSize;
  const length = request.headers.get('Content-Length');
  if (Number(length) > most) limitExceeded('frameSize', frameSize);
  // The runtime enforces the announced length.
  if (length !== null || !request.body) return request.arrayBuffer();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) limitExceeded('frameSize', frameSize);
  }
  return new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer();
}
