/**
 * A WebSocket that does almost nothing: it splits the received bytes into frames and does not parse them. So a
 * thousand sockets in one process take little of the measured time.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

const TEXT = 0x81;
const MASKED = 0x80;
const MASK_LENGTH = 4;

export class RawSocket {
  /** Called with the text of each frame. */
  heard: (text: string) => void = () => {};
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket, head: Buffer) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', () => {});
    this.#take(head);
  }

  static async open(url: string, protocol?: string): Promise<RawSocket> {
    const upgrade = request(url, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
        ...(protocol && { 'Sec-WebSocket-Protocol': protocol }),
      },
    });
    upgrade.end();
    const [, socket, head] = (await once(upgrade, 'upgrade')) as [unknown, Socket, Buffer];
    return new RawSocket(socket, head);
  }

  /** @param text - at most 125 ASCII characters; the mask consists of zeros, which change nothing */
  send(text: string): void {
    const header = Buffer.alloc(2 + MASK_LENGTH);
    header[0] = TEXT;
    header[1] = MASKED | text.length;
    this.#socket.write(Buffer.concat([header, Buffer.from(text)]));
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Reads frames of the runtime, which are not masked. In this bench, they are shorter than 64 KiB. */
  #take(chunk: Buffer): void {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (;;) {
      const short = this.#rest[1] ?? 0;
      const start = short === 126 ? 4 : 2;
      if (this.#rest.length < start) return;
      const end = start + (short === 126 ? this.#rest.readUInt16BE(2) : short);
      if (this.#rest.length < end) return;
      if (this.#rest[0] === TEXT) this.heard(this.#rest.toString('latin1', start, end));
      this.#rest = this.#rest.subarray(end);
    }
  }
}
