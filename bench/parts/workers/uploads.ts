/** Receives bytes as a stream in an argument, and as frames by hand. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../runtime/src/typebox.ts';
import {
  bytes,
  lumenizeRpcDO,
  read,
  type RpcObject,
  streamOf,
} from '../../../runtime/src/server.ts';

const piece = Type.Refine(
  Type.Unsafe<Uint8Array>({}),
  (value) => value instanceof Uint8Array && value.length <= 65_536,
);

class FilesImpl extends DurableObject<Env> {
  async count(pieces: AsyncIterable<Uint8Array>): Promise<number> {
    let size = 0;
    for await (const { length } of pieces) size += length;
    return size;
  }

  async hash(pieces: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
    const digest = new crypto.DigestStream('SHA-256');
    const writer = digest.getWriter();
    for await (const one of pieces) await writer.write(one);
    await writer.close();
    return digest.digest;
  }

  async lines(lines: AsyncIterable<string>): Promise<number> {
    let count = 0;
    for await (const _ of lines) count++;
    return count;
  }

  line(_line: string): void {}

  one(): number {
    return 1;
  }
}

export const Files = lumenizeRpcDO(
  FilesImpl,
  {
    count: [streamOf(piece)],
    hash: [streamOf(piece)],
    lines: [streamOf(Type.String({ maxLength: 1_000 }))],
    line: read([Type.String({ maxLength: 1_000 })]),
    one: read(),
  },
  { use: [bytes] },
);
export type Files = RpcObject<typeof Files>;

/** Counts bytes until the message `end`. It acknowledges each half of a window, like a stream. */
export class Floor extends DurableObject<Env> {
  #size = 0;
  #unsaid = 0;

  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    if (typeof message === 'string') {
      socket.send(message === 'end' ? `${this.#size}` : message);
      this.#size = this.#unsaid = 0;
      return;
    }
    this.#size += message.byteLength;
    this.#unsaid += message.byteLength;
    if (this.#unsaid < 524_288) return;
    socket.send('');
    this.#unsaid = 0;
  }
}

export { contenderWorker as default } from '../../../runtime/src/perf/contenders/routes.ts';
