/** A client on a raw socket that sends as fast as it gets answers, and reconnects when it is disconnected. */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { sleep } from '../../harness/waiting.mjs';

/** Returns the number of answers in the received bytes, and true if they close the connection. */
export type Reader = (received: Buffer) => { answers: number; isOver: boolean };

export interface FloodOptions {
  /** The URL of the object's `call` path. */
  url: string;
  /** Returns the handshake of a connection. Without it, each piece is a whole request. */
  handshake?: (url: URL) => string;
  /** Makes the pieces for one connection, from the number of pieces that are answered there. */
  pieces: () => (answered: number) => Buffer;
  /** Makes a reader that counts answers. Without it, the client does not read. */
  answers?: () => Reader;
  /** The number of pieces per second. Default: as many as the server takes. */
  rate?: number;
}

/**
 * The maximum number of pieces without an answer. workerd favours a client that sends without waiting for answers over all other
 * sockets, whatever the pieces contain: valid calls delay other clients as much as abuse does. The window removes this
 * effect, so that the comparison shows the effect of the content.
 */
const WINDOW = 4;

/** The opcode of a frame that closes the connection. */
const CLOSE = 8;

/** The pause before a reconnection, in milliseconds. */
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

  /** The number of pieces that were answered, or sent if no answer is read. Unanswered pieces may still be in buffers. */
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
    let sent = 0;
    if (answersIn) {
      socket.on('data', (chunk: Buffer) => {
        const read = answersIn(chunk);
        answered += read.answers;
        this.#answered += read.answers;
        if (read.isOver) socket.destroy();
      });
    } else {
      socket.pause();
    }
    const next = pieces();
    while (!lost.signal.aborted) {
      // Limits the rate. The pause ends early if the connection is lost.
      if (this.#sent > ((performance.now() - this.#begun) / 1_000) * rate) {
        await sleep(1, lost.signal);
        continue;
      }
      if (answersIn && sent - answered >= WINDOW) {
        await nextEvent(socket, 'data', lost.signal);
        continue;
      }
      sent++;
      this.#sent++;
      if (socket.write(next(answered))) await immediate();
      else await nextEvent(socket, 'drain', lost.signal);
    }
  }
}

/** Returns the handshake of a client of the protocol, with a new client id each time. */
export function upgrade({ host, pathname }: URL): string {
  return (
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
    `Sec-WebSocket-Protocol: lumenize-rpc.1, lumenize-rpc-client.${randomUUID()}\r\n\r\n`
  );
}

/** Counts the frames that a server sends, also frames that are split over several chunks. */
export function countFrames(): Reader {
  let header: number[] = [];
  /** The number of bytes of the last counted frame that have not arrived. */
  let left = 0;
  return (received) => {
    const read = { answers: 0, isOver: false };
    for (let at = 0; at < received.length; at++) {
      const skipped = Math.min(left, received.length - at);
      left -= skipped;
      at += skipped;
      if (at === received.length) break;
      header.push(received[at] ?? 0);
      const [opcode = 0, size = 0] = header;
      const length = size === 127 ? 10 : size === 126 ? 4 : 2;
      if (header.length < length) continue;
      left = length === 2 ? size : header.slice(2).reduce((sum, byte) => sum * 256 + byte, 0);
      if ((opcode & 0x0f) === CLOSE) read.isOver = true;
      else read.answers++;
      header = [];
    }
    return read;
  };
}

/** Counts the responses of a server. */
export function countResponses(): Reader {
  return (received) => {
    const answers = received.toString('latin1').split('HTTP/1.1 ').length - 1;
    return { answers, isOver: false };
  };
}

/** Returns a WebSocket frame of a client, which is masked with zeros. */
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
