/**
 * The bodies of requests, as text. A Worker answers many requests at a time: what it holds of all bodies that are
 * arriving has one limit, and when it is reached, the largest of them is given up.
 */
import { type BodyReader, readBody } from '../server/base/read-body.ts';
import { RpcError } from '../wire/errors.ts';
import { thrownResponse, tooLarge, unsupportedType } from './problems.ts';

/** The most that a Worker holds of all bodies that are arriving, in bytes. */
const MOST = 33_554_432;

/** A body of at most this many bytes is not counted. */
const SMALL = 65_536;

/** A body that is arriving. */
class ArrivingBody implements BodyReader {
  /** Bytes that have arrived. */
  size = 0;
  end?(): void;

  get memory(): this {
    return this;
  }

  admit(bytes: number): void {
    this.size += bytes;
    held += bytes;
    arriving.add(this);
    if (held <= MOST) return;
    const [largest] = [...arriving].toSorted((one, other) => other.size - one.size);
    largest?.end?.();
  }

  release(): void {
    held -= this.size;
    arriving.delete(this);
  }
}

const arriving = new Set<ArrivingBody>();

/** The sum of their sizes. */
let held = 0;

/**
 * Reads the body of a request.
 *
 * @param limit - in bytes
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
