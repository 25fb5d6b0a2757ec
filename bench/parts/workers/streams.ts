/**
 * A table that clients read as a stream and page by page, and bytes that it sends as a stream and in frames by hand.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../runtime/src/typebox.ts';
import {
  bytes,
  lumenizeRpcDO,
  read,
  rows,
  type RpcObject,
  stream,
} from '../../../runtime/src/server.ts';

export type Row = { id: number; name: string };

/** Bytes in a chunk, and in a frame written by hand. */
const CHUNK = 65_536;

/** The number of bytes that the code by hand sends ahead. A stream sends as many. */
const WINDOW = 1_048_576;

/** The state of the code by hand: the unacknowledged bytes, and a function that wakes the sender. */
const way = { unsaid: 0, wake: (): void => {} };

class TableImpl extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, name TEXT) STRICT',
    );
  }

  fill(count: number): void {
    this.ctx.storage.sql.exec(
      `WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers WHERE id < ?)
       INSERT OR REPLACE INTO rows SELECT id, 'row number ' || id FROM numbers`,
      count,
    );
  }

  /** @param upTo - the id of the last row */
  *rows(upTo: number, after = 0): Iterable<Row> {
    yield* this.#after(after, upTo, -1);
  }

  page(upTo: number, after: number, size: number): Row[] {
    return this.#after(after, upTo, size).toArray();
  }

  *numbers(count: number): Iterable<Row> {
    for (let id = 1; id <= count; id++) yield { id, name: `row number ${id}` };
  }

  bytes(chunks: number): ReadableStream<Uint8Array> {
    let sent = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (sent++ === chunks) controller.close();
          else controller.enqueue(new Uint8Array(CHUNK).fill(sent));
        },
      },
      { highWaterMark: 0 },
    );
  }

  getValue(): number {
    return 1;
  }

  /** Opens a socket that sends the same bytes in frames by hand. */
  override async fetch(): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  /** @param message - number of chunks to send; an empty message acknowledges half of a window */
  override webSocketMessage(socket: WebSocket, message: string): void {
    if (message === '') {
      way.unsaid -= WINDOW / 2;
      way.wake();
    } else void this.#sendBytes(socket, Number(message));
  }

  async #sendBytes(socket: WebSocket, chunks: number): Promise<void> {
    way.unsaid = 0;
    for await (const chunk of this.bytes(chunks)) {
      while (way.unsaid >= WINDOW) await new Promise<void>((resolve) => (way.wake = resolve));
      way.unsaid += chunk.length;
      socket.send(chunk);
    }
  }

  #after(after: number, upTo: number, size: number): SqlStorageCursor<Row> {
    const query = 'SELECT id, name FROM rows WHERE id > ? AND id <= ? ORDER BY id LIMIT ?';
    return this.ctx.storage.sql.exec<Row>(query, after, upTo, size);
  }
}

const integer = Type.Integer();

export const Table = lumenizeRpcDO(
  TableImpl,
  {
    fill: [integer],
    rows: rows('id', [integer, Type.Optional(integer)]),
    page: read([integer, integer, integer]),
    numbers: stream([integer], { readonly: true }),
    bytes: stream([integer], { readonly: true }),
    getValue: read(),
  },
  { use: [bytes] },
);
export type Table = RpcObject<typeof Table>;

export { contenderWorker as default } from '../../../runtime/src/perf/contenders/routes.ts';
