/** The Worker under test: objects behind the door for plain HTTP, and behind the router. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import { z } from 'zod';
import { openApi, routeHttpRequest, type ServedOpenApi } from '../../src/http.ts';
import {
  currentCaller,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  RpcError,
  stream,
  withCaller,
} from '../../src/server.ts';
import { VALUES } from './values.ts';
import { Gates } from '../served/gates.ts';

const gates = new Map<string, Gates>();

class ShopImpl extends DurableObject<Env> {
  /** Returns the methods that have run, with their arguments. */
  runs(): unknown[] {
    return this.ctx.storage.kv.get<unknown[]>('runs') ?? [];
  }

  #run(...run: unknown[]): number {
    const runs = [...this.runs(), run];
    this.ctx.storage.kv.put('runs', runs);
    return runs.length;
  }

  get #gates(): Gates {
    const name = String(this.ctx.id);
    if (!gates.has(name)) gates.set(name, new Gates());
    return gates.get(name) as Gates;
  }

  increment(by = 1): number {
    this.#run('increment', by);
    const value = this.getValue() + by;
    this.ctx.storage.kv.put('value', value);
    return value;
  }

  getValue(): number {
    return this.ctx.storage.kv.get<number>('value') ?? 0;
  }

  ship(to: string, express = false, note?: string): unknown[] {
    this.#run('ship', to, express, note);
    return [to, express, note ?? null];
  }

  buy(order: { sku: string; amount?: number }): unknown {
    return [this.#run('buy', order), order];
  }

  check(order: { sku: string; amount?: number }): unknown {
    return order;
  }

  search(text: string | number, limit?: number, isExact?: boolean, tags?: string[]): unknown[] {
    return [text, limit ?? null, isExact ?? null, tags ?? null];
  }

  pair(first: string, second: number): unknown[] {
    return [first, second];
  }

  parse(date: Date): string {
    return date.toISOString();
  }

  sized(order: { size: number }): number {
    return order.size;
  }

  value(name: string): unknown {
    return VALUES[name]?.make();
  }

  nothing(): void {
    this.#run('nothing');
  }

  fail(name: string): never {
    this.#run('fail', name);
    if (name === 'range') throw new RangeError('It is out of range');
    if (name === 'code') throw Object.assign(new Error('It is sold out'), { code: 'SOLD_OUT' });
    if (name === 'rpc') throw new RpcError('FORBIDDEN', 'It is not yours', { path: '.owner' });
    if (name === 'busy') throw new RpcError('UNAVAILABLE', 'Come later');
    if (name === 'unknown') throw new RpcError('__proto__' as 'FORBIDDEN', 'It has no such code');
    // oxlint-disable-next-line no-throw-literal, only-throw-error
    throw name;
  }

  /** Ends after `release` is called. */
  async hold(name: string): Promise<number> {
    const runs = this.#run('hold', name);
    await this.#gates.wait(name);
    return runs;
  }

  isHolding(name: string): boolean {
    return this.#gates.isWaiting(name);
  }

  release(name: string): boolean {
    return this.#gates.release(name);
  }

  caller(): unknown {
    return currentCaller() ?? null;
  }

  changeAsCaller(): unknown {
    this.#run('changeAsCaller', currentCaller() ?? null);
    return currentCaller() ?? null;
  }

  news(): Feed<string> {
    return feed(this, 'news');
  }

  *count(): Iterable<number> {
    yield 1;
  }

  /** Returns the size of the database, in bytes. */
  size(): number {
    return this.ctx.storage.sql.databaseSize;
  }

  /** The contract does not list this method. */
  protected secret(): string {
    return 'secret';
  }
}

const Order = Type.Object({ sku: Type.String(), amount: Type.Optional(Type.Integer()) });
const Name = Type.String();

const contract = {
  runs: read(),
  size: read(),
  increment: [Type.Optional(Type.Integer({ title: 'by', minimum: 1 }))],
  getValue: live(),
  ship: [
    Type.String({ title: 'to' }),
    Type.Optional(Type.Boolean({ title: 'express' })),
    Type.Optional(Type.String({ title: 'note' })),
  ],
  buy: [Order],
  check: read([Order]),
  search: read([
    Type.Union([Type.String(), Type.Integer()], { title: 'text' }),
    Type.Optional(Type.Integer({ title: 'limit' })),
    Type.Optional(Type.Boolean({ title: 'isExact' })),
    Type.Optional(Type.Array(Type.String(), { title: 'tags' })),
  ]),
  pair: read([Type.String(), Type.Integer()]),
  parse: read([z.coerce.date()]),
  sized: read([z.object({ size: z.number() })]),
  value: read([Name]),
  nothing: [],
  fail: [Name],
  hold: [Name],
  isHolding: read([Name]),
  release: read([Name]),
  caller: read(),
  changeAsCaller: [],
  news: events(),
  count: stream(),
} as const;

export const Shop = lumenizeRpcDO(ShopImpl, contract, { limits: { frameSize: 100_000 } });
export type Shop = InstanceType<typeof Shop>;

/** A class without a journal. */
export const Unjournaled = lumenizeRpcDO(ShopImpl, contract, { journal: false });

/** A contract with fewer methods, as after a deployment. */
const Smaller = lumenizeRpcDO(ShopImpl, { runs: read() });

/** A class that `classes` does not name. */
export const Hidden = lumenizeRpcDO(ShopImpl, contract);

/** A class that was not wrapped. */
export class Bare extends DurableObject<Env> {
  getValue(): number {
    return 1;
  }
}

const options = {
  cors: { origin: ['https://friend.example'], credentials: true },
  onBeforeRequest(request: Request): Request | Response | undefined {
    const token = /^Bearer (.*)$/.exec(request.headers.get('Authorization') ?? '')?.[1];
    if (token === 'nobody') return new Response('No', { status: 401 });
    if (token === 'broken') throw new Error('The hook is broken');
    return token === undefined ? undefined : withCaller(request, { user: token });
  },
  onBeforeConnect: () => new Response('No', { status: 402 }),
  classes: {
    SHOP: Shop,
    UNJOURNALED: Unjournaled,
    // The compiler rejects such a class.
    BARE: Bare as unknown as typeof Shop,
    // The binding has another class.
    OTHER: Shop,
  },
};

const openapi: ServedOpenApi = {
  generator: (_, settings) => openApi({ SHOP: Shop, UNJOURNALED: Unjournaled }, settings),
  info: { title: 'Shop', version: '2.0.0' },
};

/** A document with a class that was not wrapped, which cannot be made. */
const brokenOpenapi: ServedOpenApi = { generator: openApi };

/** The prefix under which the routers are used in the other order. */
const OTHER_ORDER = '/other-order';

/** The prefix of a router whose document cannot be made. */
const BROKEN = '/broken';

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const own = { ...options, prefix: OTHER_ORDER };
    const response =
      (await routeHttpRequest(request, env, { ...options, openapi })) ??
      (await routeDORequest(request, env, options)) ??
      (await routeDORequest(request, env, own)) ??
      (await routeHttpRequest(request, env, own)) ??
      (await routeHttpRequest(request, env, {
        ...options,
        prefix: BROKEN,
        openapi: brokenOpenapi,
      })) ??
      (await routeHttpRequest(request, env, {
        ...options,
        prefix: '/smaller',
        classes: { SHOP: Smaller as unknown as typeof Shop },
      }));
    return response ?? new Response('Not found by any router', { status: 404 });
  },
};
