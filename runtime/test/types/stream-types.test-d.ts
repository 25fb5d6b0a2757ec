/** Tests the types of streams. Nothing here runs: a test fails when it does not compile. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import { expectTypeOf, test } from 'vitest';
import type { Offered } from './offered.ts';
import type { RpcClient } from '../../src/client.ts';
import {
  type ResumableSubscription,
  type StreamSubscription,
  subscribe,
  type Subscriptions,
} from '../../src/features/subscriptions/client/subscribe.ts';
import { events, live, lumenizeRpcDO, read, rows, stream } from '../../src/server.ts';

type Row = { place: string; id: number; when: Date };

class TableImpl extends DurableObject<Env> {
  *rows(_kind: string, _after = ''): Iterable<Row> {}
  *byId(_after?: number): Generator<Row> {}
  async *between(_from?: number, _to?: number, _after?: string): AsyncGenerator<Row> {}
  *tokens(prompt: string): Generator<string, number, void> {
    yield prompt;
    return 1;
  }
  async *answer(_prompt: string): AsyncIterable<string> {}
  bytes(): ReadableStream<Uint8Array> {
    return new ReadableStream();
  }
  async later(): Promise<AsyncIterable<number>> {
    return this.byNumber();
  }
  async *byNumber(): AsyncGenerator<number> {}
  cursor(): SqlStorageCursor<Record<string, SqlStorageValue>> {
    return this.ctx.storage.sql.exec('SELECT 1');
  }
  list(): Row[] {
    return [];
  }
  text(): string {
    return '';
  }
  map(): Map<string, number> {
    return new Map();
  }
  set(): ReadonlySet<number> {
    return new Set();
  }
  view(): Uint8Array {
    return new Uint8Array();
  }
  query(): URLSearchParams {
    return new URLSearchParams();
  }
  headers(): Headers {
    return new Headers();
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- the test needs this type
  any(): any {}
  unknown(): unknown {
    return 1;
  }
  never(): never {
    throw new Error('never');
  }
}

const text = Type.Optional(Type.String());
const number = Type.Optional(Type.Number());

const Table = lumenizeRpcDO(TableImpl, {
  rows: rows('place', [Type.String(), text]),
  byId: rows('id', [number]),
  between: rows('place', [number, number, text]),
  tokens: stream([Type.String()]),
  answer: stream([Type.String()]),
  bytes: stream([], { readonly: true }),
  later: stream([], { readonly: true }),
  byNumber: stream(),
  cursor: stream([], { readonly: true }),
  list: read(),
  text: read(),
  map: read(),
  set: read(),
  view: read(),
  query: read(),
  headers: read(),
  any: read(),
  unknown: read(),
  never: read(),
});
type Table = InstanceType<typeof Table>;

test('iterable results can be subscribed to, except types that are sent as a whole', () => {
  type All = Subscriptions<Table>;
  expectTypeOf<Offered<All>>().toEqualTypeOf<
    'rows' | 'byId' | 'between' | 'tokens' | 'answer' | 'bytes' | 'later' | 'byNumber' | 'cursor'
  >();
  expectTypeOf<ReturnType<All['rows']>>().toEqualTypeOf<ResumableSubscription<Row>>();
  expectTypeOf<ReturnType<All['tokens']>>().toEqualTypeOf<StreamSubscription<string>>();
  expectTypeOf<ReturnType<All['answer']>>().toEqualTypeOf<StreamSubscription<string>>();
  expectTypeOf<ReturnType<All['bytes']>>().toEqualTypeOf<StreamSubscription<Uint8Array>>();
  expectTypeOf<ReturnType<All['later']>>().toEqualTypeOf<StreamSubscription<number>>();
});

test('with a cursor, the last parameter is not among the arguments', () => {
  type All = Subscriptions<Table>;
  expectTypeOf<Parameters<All['rows']>>().toEqualTypeOf<[string]>();
  expectTypeOf<Parameters<All['byId']>>().toEqualTypeOf<[]>();
  expectTypeOf<Parameters<All['between']>>().toEqualTypeOf<[number?, number?]>();
  expectTypeOf<Parameters<All['tokens']>>().toEqualTypeOf<[string]>();
  void ((client: RpcClient<Table>) => {
    subscribe(client, { after: '"a"' }).rows('seat');
    // @ts-expect-error: a stream has no cursor
    void subscribe(client).tokens('').cursor;
    // @ts-expect-error: the method is listed as a call
    subscribe(client).list();
    // @ts-expect-error: the option `after` replaces the last argument
    subscribe(client).rows('seat', 'a');
  });
});

test('a client cannot call a stream', () => {
  type Client = RpcClient<Table>;
  expectTypeOf<Offered<Client>>().toEqualTypeOf<
    | ('list' | 'text' | 'map' | 'set' | 'view' | 'query' | 'headers' | 'any' | 'unknown' | 'never')
    | ('close' | 'reconnect')
  >();
});

test('a contract that disagrees with its class does not compile', () => {
  // @ts-expect-error: only calls have the long form
  lumenizeRpcDO(TableImpl, { byId: { input: [number], readonly: true, cursor: 'id' } });
  // @ts-expect-error: the stream is listed as a call
  lumenizeRpcDO(TableImpl, { tokens: [Type.String()] });
  // @ts-expect-error: the promise of a stream is listed as a call
  lumenizeRpcDO(TableImpl, { later: read() });
  // @ts-expect-error: the stream is listed as a feed
  lumenizeRpcDO(TableImpl, { tokens: events([Type.String()]) });
  // @ts-expect-error: the array is listed as a stream
  lumenizeRpcDO(TableImpl, { list: stream() });
  // @ts-expect-error: the stream is listed as a live value
  lumenizeRpcDO(TableImpl, { tokens: live([Type.String()]) });
  // @ts-expect-error: an array cannot be listed as rows
  lumenizeRpcDO(TableImpl, { list: rows('id', []) });
  // @ts-expect-error: the rows have no such property
  lumenizeRpcDO(TableImpl, { byId: rows('number', [number]) });
  // @ts-expect-error: a Date cannot be a cursor
  lumenizeRpcDO(TableImpl, { byId: rows('when', [number]) });
  // @ts-expect-error: the last parameter takes a number, and the key is text
  lumenizeRpcDO(TableImpl, { byId: rows('place', [number]) });
});
