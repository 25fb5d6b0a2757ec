/**
 * The bodies of requests, as text. A Worker answers many requests at a time, so all bodies that are arriving share one
 * limit of memory.
 */
import { type BodyReader, PATIENCE, readBody } from '../server/base/read-body.ts';
import { RpcError } from '../wire/errors.ts';
import { thrownResponse, tooLarge, unsupportedType } from './problems.ts';

/** The maximum size of all bodies that are arriving in a Worker, in bytes. */
const MOST = 33_554_432;

/** A body of at most this many bytes is not counted. */
const SMALL = 65_536;

/** A body that is arriving. */
class ArrivingBody implements BodyReader {
  /** The number of bytes that have arrived, and the time at which the last of them arrived. */
  size = 0;
  at = 0;
  end?(): void;

  get memory(): this {
    return this;
  }

  /** @throws RpcError `UNAVAILABLE` if the Worker would hold too much */
  admit(bytes: number): void {
    this.size += bytes;
    if (this.size <= SMALL) return;
    this.at = Date.now();
    arriving.add(this);
    let held = 0;
    for (const one of arriving) {
      // A request whose client has gone runs no more code, so it releases nothing.
      if (this.at - one.at > PATIENCE) arriving.delete(one);
      else held += one.size;
    }
    if (held > MOST)
      throw new RpcError('UNAVAILABLE', 'The Worker is receiving too many large bodies: try again');
  }

  release(): void {
    arriving.delete(this);
  }
}

const arriving = new Set<ArrivingBody>();

/**
 * Reads the body of a request.
 *
 * @param limit - the maximum size in bytes
 * @returns the response for a body that cannot be read
 */
export async function bodyText(request: Request, limit: number): Promise<string | Response> {
  const { body, headers } = request;
  const length = headers.get('Content-Length');
  if (Number(length) > limit) return tooLarge();
  if (!body) return '';
  const check = (size: number): void => {
    if (size > limit) throw new RpcError('LIMIT_EXCEEDED', '');
  };
  let bytes: ArrayBuffer;
  try {
    bytes =
      length !== null && Number(length) <= SMALL
        ? await request.arrayBuffer()
        : await readBody(body as ReadableStream<Uint8Array>, new ArrivingBody(), check);
  } catch (error) {
    if (!(error instanceof RpcError)) {
      return thrownResponse(new RpcError('BAD_MESSAGE', 'The body has not arrived'));
    }
    return error.code === 'LIMIT_EXCEEDED' ? tooLarge() : thrownResponse(error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return unsupportedType('The body is not UTF-8');
  }
}
