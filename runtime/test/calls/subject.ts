/**
 * The object that the conformance suite calls, and its contract. It records every execution, so
 * that a call that ran twice or not at all is noticed. In the Workers runtime it is a Durable
 * Object, and behind a port it is any class.
 */
import type { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import {
  callback,
  capability,
  type Contract,
  type ContractOptions,
  currentCaller,
  events,
  feed,
  type Feed,
  live,
  read,
  revoke,
  rows,
  stream,
  streamOf,
  volatile,
} from '../../src/server.ts';
import { arrivalOf, type Case, cases } from '../wire/cases.ts';
import { difference, withoutStacks } from '../support/same.ts';
import { failureNamed } from './failures.ts';

/** The place where executions are recorded. */
export interface Notes {
  readonly notes: {
    get<Value>(key: string): Value | undefined;
    put(key: string, value: unknown): void;
  };
}

class DeskImpl {
  readonly #subject: object;
  readonly #owner: string;

  constructor(subject: object, owner: string) {
    this.#subject = subject;
    this.#owner = owner;
  }

  owner(): string {
    return this.#owner;
  }

  /** The feed of the object. */
  news(): Feed<string> {
    return feed(this.#subject, 'news');
  }
}

const Desk = capability(DeskImpl, [Type.String()], { owner: read(), news: events() });

const profile = {
  name: 'Ada',
  address: { city: 'London', lines: ['12 St James Square', 'London'] },
  nothing: null,
  visits: new Map([['London', 3]]),
};

/** Waits for a turn of the event loop. Only the Workers runtime has `scheduler.wait`. */
const nextTurn = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

/** Returns the class, as a subclass of a class that says where executions are recorded. */
export function subjectOn(
  Base: new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & Notes,
) {
  return class Subject extends Base {
    /** The functions that `release` calls, by the names of the held calls. */
    readonly #held = new Map<string, () => void>();
    readonly #passed: string[] = [];

    /** Records the execution, and returns its second argument. */
    run(name: string, result?: unknown): unknown {
      this.#note(name);
      return result;
    }

    /** Does the same as `run`, in a later turn. */
    async runLater(name: string, result?: unknown): Promise<unknown> {
      this.#note(name);
      await nextTurn();
      return result;
    }

    /** Does the same as `run`, after `release` was called with the name. */
    hold(name: string, result?: unknown): Promise<unknown> {
      this.#note(name);
      return new Promise((resolve) => this.#held.set(name, () => resolve(result)));
    }

    release(name: string): boolean {
      this.#held.get(name)?.();
      return this.#held.delete(name);
    }

    /** The names of the executions so far. */
    runs(): string[] {
      return this.notes.get<string[]>('runs') ?? [];
    }

    /** Records the execution in memory, and returns its second argument. */
    pass(name: string, result?: unknown): unknown {
      this.#passed.push(name);
      return result;
    }

    /** The names of the executions of `pass` so far. */
    passed(): string[] {
      return this.#passed;
    }

    /** Records the execution, and returns its other arguments. */
    gather(name: string, first: unknown, second?: unknown): unknown[] {
      this.#note(name);
      return second === undefined ? [first] : [first, second];
    }

    add(left: number, right: number): number {
      return left + right;
    }

    /** Accepts only arguments of its schema, and records the execution. */
    buy(order: { items: { sku: string; amount: number }[] }, note?: string): number {
      this.#note(note ?? 'buy');
      return order.items.length;
    }

    profile(): typeof profile {
      this.#note('profile');
      return profile;
    }

    /** Throws the entry of the table of failures with this name. */
    fail(failure: string, name = 'fail'): never {
      this.#note(name);
      throw failureNamed(failure);
    }

    async failLater(failure: string, name = 'failLater'): Promise<never> {
      this.#note(name);
      await nextTurn();
      throw failureNamed(failure);
    }

    /** Describes how a value differs from the entry of the table of values. */
    differenceFrom(name: string, received: unknown): string | undefined {
      const entry = entryNamed(name);
      const expected = arrivalOf(entry, entry.value());
      return difference(withoutStacks(expected), withoutStacks(received));
    }

    /** Returns an entry of the table of values. */
    give(name: string): unknown {
      return entryNamed(name).value();
    }

    giveFunction(): unknown {
      return { inner: [() => {}] };
    }

    async giveFunctionLater(): Promise<unknown> {
      return new Map([['key', () => {}]]);
    }

    /** Cap'n Web and Lumenize RPC treat this name specially. Here it is an ordinary name. */
    map(value: unknown): unknown {
      return value;
    }

    get hidden(): string {
      throw new Error('The encoder has called a getter');
    }

    /** Sends its argument to all subscribers of the feed. */
    tell(news: string): void {
      this.news().append(news);
    }

    news(): Feed<string> {
      return feed(this, 'news');
    }

    /** Returns the number of executions. */
    count(): number {
      return this.runs().length;
    }

    /** Returns the caller's answer to a question. */
    ask(question: (text: string) => Promise<string>): Promise<string> {
      return question('well?');
    }

    /** Returns all items that it receives. */
    async collect(name: string, values: AsyncIterable<unknown>): Promise<unknown[]> {
      this.#note(name);
      const collected: unknown[] = [];
      for await (const value of values) collected.push(value);
      return collected;
    }

    /** Returns the first items that it receives. */
    async takeSome(name: string, count: number, numbers: AsyncIterable<number>): Promise<number[]> {
      this.#note(name);
      const taken: number[] = [];
      for await (const number of numbers) if (taken.push(number) === count) break;
      return taken;
    }

    /** Yields numbers from 1 on, and records its end. */
    *series(name: string, count: number): Generator<number> {
      try {
        for (let number = 1; number <= count; number++) yield number;
      } finally {
        this.#note(`${name} ended`);
      }
    }

    *failAfter(count: number): Generator<number> {
      yield* this.series('failAfter', count);
      throw new RangeError(`after ${count}`);
    }

    /** Returns this number of bytes. */
    content(length: number): ReadableStream<Uint8Array> {
      return new Response(new Uint8Array(length).map((_, index) => index * 7))
        .body as ReadableStream<Uint8Array>;
    }

    /** Yields the rows after a given row. */
    *shelf(count: number, after = 0): Generator<{ number: number; text: string }> {
      for (let number = after + 1; number <= count; number++) {
        yield { number, text: `row ${number}` };
      }
    }

    desk(owner: string): InstanceType<typeof Desk> {
      return new Desk(this, owner);
    }

    closeDesk(owner: string): void {
      revoke(this, new Desk(this, owner));
    }

    /** Yields rows whose last key has the given size. It removes a desk before each next row. */
    *grab(owner: string, size: number, _after = ''): Generator<{ place: string }> {
      yield { place: 'x'.repeat(size) };
      this.closeDesk(owner);
    }

    whoCalls(): unknown {
      return currentCaller() ?? 'nobody';
    }

    unlisted(): void {
      this.#note('unlisted');
    }

    _private(): void {
      this.#note('_private');
    }

    #note(name: string): void {
      this.notes.put('runs', [...this.runs(), name]);
    }
  };
}

function entryNamed(name: string): Case {
  const entry = cases.find((known) => known.name === name);
  if (!entry) throw new Error(`The table has no value named ${name}`);
  return entry;
}

const name = Type.String();
const integer = Type.Integer();
const anything = Type.Unknown();
const orNothing = Type.Optional(Type.Unknown());
const order = Type.Object({
  items: Type.Array(Type.Object({ sku: Type.String(), amount: Type.Integer({ minimum: 1 }) })),
});

export const contract = {
  run: [name, orNothing],
  runLater: [name, orNothing],
  hold: [name, orNothing],
  release: [name],
  runs: read(),
  pass: volatile([name, orNothing]),
  passed: read(),
  gather: [name, anything, orNothing],
  add: [Type.Number(), Type.Number()],
  buy: [order, Type.Optional(Type.String())],
  profile: [],
  fail: [name, Type.Optional(Type.String())],
  failLater: [name, Type.Optional(Type.String())],
  differenceFrom: [name, orNothing],
  give: [name],
  giveFunction: [],
  giveFunctionLater: [],
  map: [anything],
  tell: [name],
  news: events(),
  count: live(),
  ask: [callback([Type.String()], Type.String())],
  collect: [name, streamOf(Type.Unknown())],
  takeSome: [name, integer, streamOf(integer)],
  series: stream([name, integer]),
  failAfter: stream([integer], { readonly: true }),
  content: stream([integer], { readonly: true }),
  shelf: rows('number', [integer, Type.Optional(integer)]),
  desk: { input: [name], returns: Desk },
  closeDesk: [name],
  grab: rows('place', [name, integer, Type.Optional(name)]),
  whoCalls: read(),
} as const satisfies Contract;

/** Sends the details of errors, also outside of development. */
export const frank: ContractOptions = { exposeErrorDetails: true };

/** Does not send the details of errors. */
export const discreet: ContractOptions = {
  exposeErrorDetails: false,
  onError(error, { method }) {
    if (error instanceof EvalError) throw new Error('a secret');
    return error instanceof TypeError ? new Error(`${method} failed`) : undefined;
  },
};
