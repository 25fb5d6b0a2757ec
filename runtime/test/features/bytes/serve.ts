/** Serves the worker whose objects read bytes, and shows the frames of its clients. */
import type { RpcClient, RpcClientOptions } from '../../../src/client.ts';
import { bytes } from '../../../src/features/bytes/client/bytes.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import type { Frame } from '../../../src/wire/messages.ts';
import { ACK, pieceJoiner, wholeFrame } from '../../../src/wire/pieces.ts';
import { TestWorker } from '../../support/test-worker.ts';
import type { Files } from './worker.ts';

export type Client = RpcClient<Files>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = { FILES: 'Files', RESIDENT: 'Resident', SMALL: 'Small', PLAIN: 'Plain' } as const;
type Binding = keyof typeof BINDINGS;

/** The frames between a client and its object, by direction. */
interface Traffic {
  up: Frame[];
  down: Frame[];
}

/** Returns the size of a frame in bytes. */
export function sizeOf(frame: Frame): number {
  return typeof frame === 'string' ? new TextEncoder().encode(frame).length : frame.byteLength;
}

/** Returns the binary frames. */
export function binary(frames: readonly Frame[]): ArrayBuffer[] {
  return frames.filter((frame) => frame instanceof ArrayBuffer);
}

/** Returns random bytes. */
export function random(length: number): Uint8Array<ArrayBuffer> {
  const bytesOf = new Uint8Array(length);
  for (let start = 0; start < length; start += 65_536) {
    crypto.getRandomValues(bytesOf.subarray(start, start + 65_536));
  }
  return bytesOf;
}

type Worker = TestWorker<Files, Binding>;

export const serve = (): Promise<Worker> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS, { clients: { bytes, capabilities } });

/** @returns a client, and the frames between the client and the object */
export function watchTraffic(
  worker: Worker,
  instance: string,
  options: RpcClientOptions = {},
  binding?: Binding,
): { client: Client; traffic: Traffic } {
  const traffic: Traffic = { up: [], down: [] };
  class Watched extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      const take = whole(traffic.down);
      this.addEventListener('message', ({ data }) => take(data as Frame));
    }

    readonly #sent = whole(traffic.up);

    override send(message: Frame): void {
      this.#sent(message);
      super.send(message);
    }
  }
  const watched: RpcClientOptions = {
    WebSocket: Watched,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init?.body === OFFER) return response;
      traffic.up.push(init?.body as Frame);
      const isText = response.headers.get('Content-Type') === 'application/json';
      const copy = response.clone();
      traffic.down.push(await (isText ? copy.text() : copy.arrayBuffer()));
      return response;
    },
  };
  return { client: worker.connect(instance, { ...watched, ...options }, binding), traffic };
}

/** The offer of a client that wants to send bytes. An object that reads bytes answers with the same frame. */
export const OFFER = '[["bytes"]]';

/** Adds each frame to a list when all its pieces have arrived, but leaves out offers. */
function whole(frames: Frame[]): (message: Frame) => void {
  const join = pieceJoiner(() => {});
  return (message) => {
    const arrived = String(message).startsWith(ACK) ? undefined : join(message);
    if (arrived !== undefined && arrived !== OFFER) frames.push(wholeFrame(arrived));
  };
}
