/**
 * One client that sends as fast as the other end takes it, on a raw socket, and comes back whenever
 * it is thrown out. Imports harness/.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { sleep } from '../harness/waiting.mjs';

export interface FloodOptions {
  /** Of the object's `call` path. */
  url: string;
  /** Opens a connection; without it the loads are whole requests. */
  handshake?: (url: URL) => string;
  /** Makes what is sent on a connection, piece by piece; told how many have been answered there. */
  pieces: () => (answered: number) => Buffer;
  /** How many answers have come with what has come; without it nothing is read. */
  answers?: () => (received: Buffer) => number;
  /** Pieces a second. Default: as many as are taken. */
  rate?: number;
}

/** Before coming back, in milliseconds. */
const BREATH = 1;

export class Flood {
  connections = 0;
  readonly #begun = performance.now();
  #sent = 0;
  #answered = 0;
  readonly #options: FloodOptions;
  #socket: Socket | undefined;
  #isStopped = false;

  constructor(options: FloodOptions) {
    this.#options = options;
    void this.#run();
  }

  /** Pieces that were answered, since others may lie in buffers; or sent, where no answer is read. */
  get done(): number {
    return this.#options.answers ? this.#answered : this.#sent;
  }

  stop(): void {
    this.#isStopped = true;
    this.#socket?.destroy();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#connectOnce();
      await sleep(BREATH);
    }
  }

  /** Resolves when the connection is lost. */
  async #connectOnce(): Promise<void> {
    const { url, handshake, pieces, answers, rate = Infinity } = this.#options;
    const target = new URL(url);
    const socket = connect(Number(target.port), target.hostname);
    this.#socket = socket;
    this.connections++;
    const lost = new AbortController();
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.on('close', () => lost.abort());
    if (handshake) {
      socket.write(handshake(target));
      await nextEvent(socket, 'data', lost.signal);
    }
    const answersIn = answers?.();
    let answered = 0;
    if (!answersIn) socket.pause();
    else
      socket.on('data', (chunk: Buffer) => {
        const count = answersIn(chunk);
        answered += count;
        this.#answered += count;
      });
    const next = pieces();
    while (!lost.signal.aborted) {
      // Even a fast one hears that it was thrown out.
      if (this.#sent > ((performance.now() - this.#begun) / 1_000) * rate) {
        await sleep(1, lost.signal);
        continue;
      }
      this.#sent++;
      if (socket.write(next(answered))) await immediate();
      else await nextEvent(socket, 'drain', lost.signal);
    }
  }
}

/** Shakes hands as a client of the protocol does, with an id of its own each time. */
export function upgrade({ host, pathname }: URL): string {
  return (
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
    `Sec-WebSocket-Protocol: lumenize-rpc.1, lumenize-rpc-client.${randomUUID()}\r\n\r\n`
  );
}

/** Counts the frames that a server sends, from wherever they are cut. */
export function countFrames(): (received: Buffer) => number {
  let header = Buffer.alloc(0);
  let left = 0;
  return (received) => {
    let count = 0;
    for (let rest = received; rest.length > 0;) {
      const skipped = Math.min(left, rest.length);
      left -= skipped;
      rest = rest.subarray(skipped);
      if (rest.length === 0) break;
      header = Buffer.concat([header, rest.subarray(0, 1)]);
      rest = rest.subarray(1);
      const size = (header[1] ?? 0) & 0x7f;
      if (header.length < 2 + (size === 127 ? 8 : size === 126 ? 2 : 0)) continue;
      if (size === 127) left = Number(header.readBigUInt64BE(2));
      else left = size === 126 ? header.readUInt16BE(2) : size;
      header = Buffer.alloc(0);
      count++;
    }
    return count;
  };
}

/** Counts the responses of a server. */
export function countResponses(): (received: Buffer) => number {
  return (received) => received.toString('latin1').split('HTTP/1.1 ').length - 1;
}

/** A WebSocket frame as clients send it: masked, here with zeros. */
export function frame(payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload);
  const length = bytes.length;
  const header = Buffer.alloc(length < 126 ? 6 : length < 65_536 ? 8 : 14);
  header[0] = typeof payload === 'string' ? 0x81 : 0x82;
  header[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (header.length === 8) header.writeUInt16BE(length, 2);
  if (header.length === 14) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, bytes]);
}

function nextEvent(socket: Socket, name: string, lost: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      socket.off(name, end);
      resolve();
    };
    socket.once(name, end);
    lost.addEventListener('abort', end, { once: true });
  });
}

function immediate(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
