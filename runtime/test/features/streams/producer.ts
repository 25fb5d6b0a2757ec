/**
 * An object that returns streams of each kind, and counts the items that its producers yield.
 */
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import {
  capability,
  closeClients,
  currentCaller,
  feed,
  revoke,
  rows,
  RpcError,
  stream,
} from '../../../src/server.ts';
import * as Type from '../../../src/typebox.ts';

export type Row = { place: string; number: number };

/** Counts the requests of a producer, and its ends. */
export interface Trace {
  /** The number of requests for an item. */
  taken: number;
  /** The number of times that its `finally` has run, or that its `cancel` was called. */
  ended: number;
}

export class ProducerImpl extends DurableObject<Env> {
  /** The traces by the names that the tests give. */
  readonly #traces = new Map<string, Trace>();
  /** The gates for which producers wait. */
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();
  /** The number of pages that the methods of rows have made. */
  #pages = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.kv.put('lives', this.lives() + 1);
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS seats (place TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID, STRICT',
    );
  }

  /** Yields the numbers at once. */
  *count(name: string, from: number, to: number): Generator<number> {
    const trace = this.#trace(name);
    try {
      for (let number = from; number <= to; number++) {
        trace.taken++;
        yield number;
      }
    } finally {
      trace.ended++;
    }
  }

  /** Yields the numbers, each after a wait. */
  async *countSoon(name: string, from: number, to: number): AsyncGenerator<number> {
    for (const number of this.count(name, from, to)) {
      await scheduler.wait(0);
      yield number;
    }
  }

  /** Yields the numbers asynchronously, without a wait. */
  async *countQuickly(name: string, from: number, to: number): AsyncGenerator<number> {
    yield* this.count(name, from, to);
  }

  /** Writes with each item. It is not readonly. */
  *write(name: string, count: number): Generator<number> {
    for (const number of this.count(name, 1, count)) {
      this.ctx.storage.kv.put('written', this.written() + 1);
      yield number;
    }
  }

  written(): number {
    return this.ctx.storage.kv.get<number>('written') ?? 0;
  }

  /** Yields an item, and the next when the gate opens. */
  async *gated(name: string): AsyncGenerator<string> {
    const trace = this.#trace(name);
    try {
      trace.taken++;
      yield 'before';
      await this.#gate(name).promise;
      trace.taken++;
      yield 'after';
    } finally {
      trace.ended++;
    }
  }

  open(name: string): void {
    this.#gate(name).resolve();
  }

  *failAt(name: string, at: number): Generator<number> {
    yield* this.count(name, 1, at - 1);
    throw new RangeError(`no item ${at}`);
  }

  *failAtEnd(name: string): Generator<number> {
    try {
      yield* this.count(name, 1, 1_000);
    } finally {
      // oxlint-disable-next-line no-unsafe-finally -- this method tests it
      throw new RangeError('in finally');
    }
  }

  *unsendableAt(name: string, at: number): Generator<unknown> {
    yield* this.count(name, 1, at - 1);
    try {
      yield { deep: [() => {}] };
    } finally {
      this.#trace(name).ended++;
    }
  }

  *texts(name: string, count: number, length: number): Generator<string> {
    for (const number of this.count(name, 1, count)) yield String(number % 10).repeat(length);
  }

  *promises(): Generator<Promise<number>> {
    for (let number = 1; number <= 3; number++) yield Promise.resolve(number);
  }

  *refusals(name: string): Generator<Promise<number>> {
    try {
      yield Promise.resolve(1);
      yield Promise.reject(new RangeError('no second'));
    } finally {
      this.#trace(name).ended++;
    }
  }

  rich(): Iterable<unknown> {
    return new (class {
      *[Symbol.iterator](): Iterator<unknown> {
        const shared = {};
        yield* [
          undefined,
          null,
          -0,
          1n,
          new Date(0),
          new Map([[shared, shared]]),
          Object.assign([], { length: 2 }),
          new Error('x'),
        ];
      }
    })();
  }

  bytes(name: string, chunk: number, chunks: number): ReadableStream<Uint8Array> {
    const trace = this.#trace(name);
    let made = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (made === chunks) return controller.close();
          trace.taken++;
          controller.enqueue(new Uint8Array(chunk).fill(made++ % 256));
        },
        cancel: () => void trace.ended++,
      },
      { highWaterMark: 0 },
    );
  }

  values(name: string, count: number): ReadableStream<{ number: number }> {
    const trace = this.#trace(name);
    return new ReadableStream<{ number: number }>(
      {
        pull(controller) {
          if (trace.taken === count) return controller.close();
          controller.enqueue({ number: ++trace.taken });
        },
        cancel: () => void trace.ended++,
      },
      { highWaterMark: 0 },
    );
  }

  async later(name: string, count: number): Promise<Iterable<number>> {
    await scheduler.wait(1);
    if (count === 0) throw new RangeError('nothing');
    return this.count(name, 1, count);
  }

  // oxlint-disable-next-line durable-object/no-idle-async -- the promise is not a stream
  async number(): Promise<unknown> {
    return 5;
  }

  plain(): unknown {
    return [1, 2];
  }

  /** Returns a feed, and is listed as a stream. */
  mislabelled(): unknown {
    return feed(this, 'mislabelled');
  }

  /** Returns no feed, and is listed as a feed. */
  noFeed(): unknown {
    return [1, 2];
  }

  /** Returns the feed of another copy of the package, as far as this copy can recognize it. */
  foreignFeed(): unknown {
    return { [Symbol.for('lumenize-rpc.feed')]: true };
  }

  /** Returns a stream, and is listed as a call. */
  unlistedStream(): unknown {
    return this.values('unlisted', 5);
  }

  /** Returns a feed, and is listed as a call. */
  unlistedFeed(): unknown {
    return feed(this, 'unlisted');
  }

  literal(): unknown {
    return { async *[Symbol.asyncIterator]() {} };
  }

  *who(): Generator<unknown> {
    for (let index = 0; index < 100; index++) yield currentCaller();
  }

  response(): unknown {
    return { deep: [new Response('body')] };
  }

  request(): unknown {
    return new Request('http://x/', { method: 'POST', body: 'x' });
  }

  fill(count: number): void {
    for (let number = 1; number <= count; number++) this.#insert(number);
  }

  #insert(number: number): void {
    const place = `p${String(number).padStart(7, '0')}`;
    this.ctx.storage.sql.exec('INSERT OR REPLACE INTO seats VALUES (?, ?)', place, number);
  }

  *rows(from: number, after = ''): Iterable<Row> {
    this.#pages++;
    const query = 'SELECT place, number FROM seats WHERE place > ? AND number >= ? ORDER BY place';
    const trace = this.#trace('rows');
    try {
      for (const row of this.ctx.storage.sql.exec<Row>(query, after, from)) {
        trace.taken++;
        yield row;
      }
    } finally {
      trace.ended++;
    }
  }

  /** Yields rows from the greatest number on, asynchronously. */
  async *numbers(before = Infinity): AsyncGenerator<{ number: number; text: string }> {
    this.#pages++;
    for (let number = Math.min(before - 1, 1_000); number > 0; number--) {
      if (number % 100 === 0) await scheduler.wait(1);
      yield { number, text: 'x'.repeat(number) };
    }
  }

  /** Yields a row after the gate has opened. */
  async *gatedRows(name: string, after = 0): AsyncGenerator<{ id: number }> {
    if (after > 0) return;
    await this.#gate(name).promise;
    yield { id: 1 };
  }

  /** Yields rows with `length` characters. */
  *large(length: number, count: number, after = 0): Generator<{ id: number; text: string }> {
    this.#pages++;
    for (let id = after + 1; id <= count; id++) {
      this.#trace('large').taken++;
      yield { id, text: 'x'.repeat(length) };
    }
  }

  /** Yields flat rows, other rows, and one that cannot be sent. */
  *mixed(bad: number, after = 0): Generator<{ id: number; more: unknown }> {
    for (let id = after + 1; id <= 1_000; id++) {
      const rich = id % 7 === 0 ? new Date(id) : 'x'.repeat(id);
      yield { id, more: id === bad ? [() => {}] : rich };
    }
  }

  /** @param first - a day, which all pages take from the call */
  *days(first: Date, after = 0): Generator<{ id: number; day: Date }> {
    for (let id = after + 1; id <= 5_000; id++) {
      yield { id, day: new Date(first.getTime() + id * 86_400_000) };
    }
  }

  *forgetful(_after?: number): Generator<{ id: number }> {
    for (let id = 1; id <= 5_000; id++) yield { id };
  }

  *inclusive(from = 1): Generator<{ id: number }> {
    for (let id = from; id <= 5_000; id++) yield { id };
  }

  *twice(after = 0): Generator<{ id: number }> {
    yield { id: after + 1 };
    yield { id: after + 1 };
  }

  *placeless(_after?: number): Generator<{ id: number }> {
    yield { id: 1 };
    yield { id: 'x' as unknown as number };
    yield {} as { id: number };
  }

  /** Yields a row whose cursor does not fit into the attachment of a socket. */
  async *wide(_after = ''): AsyncGenerator<{ place: string }> {
    yield { place: 'x'.repeat(20_000) };
    await this.#gate('wide').promise;
  }

  *failAfter(after = 0): Generator<{ id: number }> {
    for (let id = after + 1; id <= 700; id++) yield { id };
    throw new RangeError('after 700');
  }

  /** This method is no generator, so it throws at once. */
  refusing(_after?: number): Iterable<{ id: number }> {
    this.#pages++;
    throw new RpcError('CURSOR_EXPIRED', 'thrown by the class');
  }

  pages(): number {
    return this.#pages;
  }

  trace(name: string): Trace {
    return { ...this.#trace(name) };
  }

  lives(): number {
    return this.ctx.storage.kv.get<number>('lives') ?? 0;
  }

  reader(): InstanceType<typeof Reader> {
    return new Reader(this, 'r');
  }

  revokeReader(): void {
    revoke(this, new Reader(this, 'r'));
  }

  /** True if the constructor of a capability throws. */
  areReadersClosed = false;

  closeReaders(): void {
    this.areReadersClosed = true;
  }

  /** Ends the connections of a user. */
  bar(user: string): number {
    return closeClients<{ user: string }>(this, (caller) => caller?.user === user);
  }

  /** Yields numbers, and ends the connections of a user between two of them. */
  *barring(name: string, user: string): Generator<number> {
    for (const number of this.count(name, 1, 1_000)) {
      if (number === 500) this.bar(user);
      yield number;
    }
  }

  /** Returns how many connections of a user are open. */
  connected(user: string): number {
    let count = 0;
    closeClients<{ user: string }>(this, (caller) => {
      if (caller?.user === user) count++;
      return false;
    });
    return count;
  }

  #trace(name: string): Trace {
    let trace = this.#traces.get(name);
    if (!trace) this.#traces.set(name, (trace = { taken: 0, ended: 0 }));
    return trace;
  }

  #gate(name: string): PromiseWithResolvers<void> {
    let gate = this.#gates.get(name);
    if (!gate) this.#gates.set(name, (gate = Promise.withResolvers<void>()));
    return gate;
  }
}

/** A capability that reads the data of the object. */
class ReaderImpl extends RpcTarget {
  readonly #producer: ProducerImpl;

  constructor(producer: ProducerImpl, _name: string) {
    super();
    if (producer.areReadersClosed) throw new RpcError('FORBIDDEN', 'The session has expired');
    this.#producer = producer;
  }

  count(name: string, from: number, to: number): Generator<number> {
    return this.#producer.count(name, from, to);
  }

  rows(from: number, after?: string): Iterable<Row> {
    return this.#producer.rows(from, after);
  }

  gatedRows(name: string, after?: number): AsyncGenerator<{ id: number }> {
    return this.#producer.gatedRows(name, after);
  }
}

export const Reader = capability(ReaderImpl, [Type.String()], {
  count: stream([Type.String(), Type.Integer(), Type.Integer()], { readonly: true }),
  rows: rows('place', [Type.Integer(), Type.Optional(Type.String())]),
  gatedRows: rows('id', [Type.String(), Type.Optional(Type.Integer())]),
});
