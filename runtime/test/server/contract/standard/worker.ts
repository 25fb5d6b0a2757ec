/**
 * The Worker under test: one class, wrapped with the schemas of each library wherever a contract
 * accepts a schema. Methods return what they have received.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../../src/typebox.ts';
import {
  callback,
  capability,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  rows,
  stream,
  streamOf,
} from '../../../../src/server.ts';
import { type Item, type Library, Money, schemasOf, type Tree } from './libraries.ts';
import { failureOf } from '../../../served/failures.ts';
import { route } from '../../../served/routed.ts';

/** Describes a value that a method has received: a Date, or the type of another value. */
function seen(value: unknown): string {
  if (value instanceof Date) return `Date ${value.toISOString().slice(0, 10)}`;
  if (value instanceof Money) return `Money ${value.cents}`;
  return `${typeof value} ${String(value)}`;
}

class PenImpl {
  readonly #owner: string;

  constructor(_shop: object, owner: string) {
    this.#owner = owner;
  }

  write(day: Date): string {
    return `${this.#owner} ${seen(day)}`;
  }
}

type Pen = InstanceType<ReturnType<typeof penOf>>;

class ShopImpl extends DurableObject {
  one(): number {
    return 1;
  }

  buy(item: Item): Item {
    return item;
  }

  either(value: string | number): string {
    return seen(value);
  }

  on(day: Date): string {
    return seen(day);
  }

  pay(money: Money): string {
    return seen(money);
  }

  halve(even: number): number {
    return even / 2;
  }

  depth(tree: Tree): number {
    return 1 + Math.max(0, ...tree.children.map((child) => this.depth(child)));
  }

  sum(counts: Record<string, number>): number {
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  last(text: string, note?: string, size?: number): string {
    return `${text} ${seen(note)} ${seen(size)}`;
  }

  mixed(count: number, day: Date, note?: string): string {
    return `${count} ${seen(day)} ${seen(note)}`;
  }

  total(numbers: number[]): number {
    return numbers.length;
  }

  members(set: Set<string>): string {
    return `${set instanceof Set} ${set.size} ${set.has('0')} ${[...set].length}`;
  }

  matches(pattern: RegExp): boolean {
    return pattern.test('shop');
  }

  throwing(text: string): string {
    return text;
  }

  asynchronous(text: string): string {
    return text;
  }

  async upload(days: AsyncIterable<Date>): Promise<string[]> {
    const all: string[] = [];
    for await (const day of days) all.push(seen(day));
    return all;
  }

  async ask(question: (text: string) => Promise<Date>): Promise<string> {
    return seen(await question('when'));
  }

  async askLater(item: { ask: (text: string) => Promise<Date> }): Promise<string> {
    return seen(await item.ask('when'));
  }

  /** Adds its argument once for each call, even if the call is sent again. */
  count(even: number): number {
    const count = (this.ctx.storage.kv.get<number>('count') ?? 0) + even;
    this.ctx.storage.kv.put('count', count);
    return count;
  }

  counted(day: Date, size?: number): string {
    return `${seen(day)} ${seen(size)} ${this.ctx.storage.kv.get<number>('count') ?? 0}`;
  }

  news(day: Date): Feed<string> {
    return this.#newsOf(day);
  }

  tell(day: Date, text: string): void {
    this.#newsOf(day).append(text);
  }

  // A call of `this.news` would be checked again, and accepts the arguments of clients.
  #newsOf(day: Date): Feed<string> {
    return feed(this, seen(day));
  }

  tellAgain(text: string): void {
    this.news(text as never).append(text);
  }

  *days(from: Date, count: number): Generator<string> {
    for (let day = 0; day < count; day++) yield `${seen(from)} ${day}`;
  }

  *seats(from: Date, after?: number): Generator<{ place: number; seen: string }> {
    for (let place = (after ?? 0) + 1; place <= 700; place++) yield { place, seen: seen(from) };
  }

  pen(owner: string): Pen {
    return new Pens[owner.split(' ')[1] as keyof typeof Pens](this, owner);
  }

  wrong(): string {
    return 5 as never;
  }
}

function penOf(library: Library) {
  const { text, day } = schemasOf(library);
  return capability(PenImpl, [text], { write: [day] });
}

/** A class of capabilities for each library. */
const Pens = {
  zod: penOf('zod'),
  'zod/mini': penOf('zod/mini'),
  valibot: penOf('valibot'),
  arktype: penOf('arktype'),
};

function shopWith(library: Library) {
  const schemas = schemasOf(library);
  const { text, number, day, optional, fallback, even } = schemas;
  return lumenizeRpcDO(ShopImpl, {
    one: read(),
    buy: [schemas.item],
    either: [schemas.either],
    on: read([day]),
    pay: [schemas.money],
    halve: { input: [even], output: number },
    depth: [schemas.tree],
    sum: [schemas.counts],
    last: [text, optional, fallback],
    mixed: [Type.Integer(), day, Type.Optional(Type.String())],
    total: [schemas.numbers],
    members: [schemas.members],
    matches: [schemas.pattern],
    throwing: [schemas.throwing],
    asynchronous: [schemas.asynchronous],
    upload: [streamOf(day)],
    ask: [callback([text], day)],
    askLater: [Type.Object({ ask: callback([text], day) })],
    count: [even],
    counted: live([day, fallback], { output: text }),
    news: events([day], { output: text }),
    tell: [day, text],
    tellAgain: [text],
    days: stream([day, number], { output: text }),
    seats: rows('place', [day, fallback]),
    pen: { input: [text], returns: Pens[library] },
    wrong: { input: [], output: text },
  });
}

export const ZodShop = shopWith('zod');
export const MiniShop = shopWith('zod/mini');
export const ValibotShop = shopWith('valibot');
export const ArkShop = shopWith('arktype');
export type Shop = InstanceType<typeof ZodShop>;

interface Bindings extends Record<string, unknown> {
  ZOD: DurableObjectNamespace<Shop>;
  MINI: DurableObjectNamespace<Shop>;
  VALIBOT: DurableObjectNamespace<Shop>;
  ARK: DurableObjectNamespace<Shop>;
}

/** Calls an object as another Worker does, and returns the outcome of each call. */
async function native(shop: DurableObjectStub<Shop>): Promise<Response> {
  return Response.json([
    await shop.on('2026-01-02' as never),
    await shop.last('a'),
    await shop.buy({ sku: 'a' } as never),
    await failureOf(shop.on(new Date(0))),
  ]);
}

export default {
  fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/native') return route(request, env);
    return native(env[searchParams.get('binding') as 'ZOD'].getByName('native'));
  },
};
