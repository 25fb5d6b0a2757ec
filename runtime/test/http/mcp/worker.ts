/** The Worker whose objects are servers of MCP: a shop for the tests, and an object for the conformance suite. */
import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { routeHttpRequest } from '../../../src/http.ts';
import { mcp } from '../../../src/mcp.ts';
import {
  callback,
  capability,
  currentCaller,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  presence,
  read,
  type Route,
  routeDORequest,
  RpcError,
  stream,
  withCaller,
} from '../../../src/server.ts';
import * as Type from '../../../src/typebox.ts';

interface Item {
  sku: string;
  parts: Item[];
}

class DeskImpl {
  count(): number {
    return 0;
  }
}

const Desk = capability(DeskImpl, [], { count: read() });

class ShopImpl extends DurableObject<Env> {
  /** Returns the methods that have run. */
  runs(): string[] {
    return this.ctx.storage.kv.get<string[]>('runs') ?? [];
  }

  #run(name: string): number {
    const runs = [...this.runs(), name];
    this.ctx.storage.kv.put('runs', runs);
    return runs.length;
  }

  increment(by = 1): number {
    this.#run('increment');
    const value = this.stock() + by;
    this.ctx.storage.kv.put('stock', value);
    return value;
  }

  stock(): number {
    return this.ctx.storage.kv.get<number>('stock') ?? 0;
  }

  above(least: number): boolean {
    return this.stock() > least;
  }

  ship(to: string, express = false): string {
    this.#run('ship');
    return `to ${to}${express ? ', express' : ''}`;
  }

  pair(first: string, second = 0): [string, number] {
    return [first, second];
  }

  buy(item: Item): Item {
    this.#run('buy');
    return item;
  }

  lend({ until }: { until: Date }): { until: Date; fee: bigint } {
    return { until, fee: 12_345_678_901_234_567_890n };
  }

  clear(): void {
    this.#run('clear');
  }

  find(sku: string): Item | undefined {
    return sku === 'a' ? { sku, parts: [] } : undefined;
  }

  caller(): unknown {
    return currentCaller() ?? null;
  }

  fail(): never {
    this.#run('fail');
    throw new RpcError('FORBIDDEN', 'It is not yours', { path: '.owner' });
  }

  /** Returns how many sockets are open, of clients and of listeners. */
  sockets(): number {
    return this.ctx.getWebSockets().length;
  }

  /** Stops the object. */
  abort(): void {
    this.ctx.abort('It is stopped');
  }

  broken(): never {
    throw new RangeError('It is out of range');
  }

  deep(): unknown {
    return { when: new Date(0), who: new Map([['a', 1]]) };
  }

  desk(): DeskImpl {
    return new Desk();
  }

  async ask(ask: (question: string) => Promise<string>): Promise<string> {
    return ask('Who?');
  }

  news(): Feed<string> {
    return feed(this, 'news');
  }

  cursors(at?: number): number | undefined {
    return at;
  }

  *digits(): Iterable<number> {
    yield 1;
  }

  /** The contract does not list this method. */
  protected secret(): string {
    this.#run('secret');
    return 'secret';
  }
}

const Item = Type.Cyclic(
  { Item: Type.Object({ sku: Type.String(), parts: Type.Array(Type.Ref('Item')) }) },
  'Item',
);

const contract = {
  runs: read(),
  increment: {
    input: [
      Type.Optional(Type.Integer({ title: 'by', minimum: 1, description: 'How many more.' })),
    ],
    output: Type.Integer(),
    title: 'Increment',
    description: 'Adds to the stock.',
  },
  stock: live([], { output: Type.Integer() }),
  above: live([Type.Integer({ title: 'least' })]),
  ship: {
    input: [Type.String({ title: 'to' }), Type.Optional(Type.Boolean({ title: 'express' }))],
    output: Type.String(),
  },
  pair: read([Type.String(), Type.Optional(Type.Integer())]),
  buy: { input: [Item], output: Item },
  lend: {
    input: [z.object({ until: z.coerce.date() })],
    output: z.object({ until: z.date(), fee: z.bigint() }),
  },
  clear: { input: [], output: Type.Void() },
  find: read([Type.String({ title: 'sku' })], { output: Type.Union([Item, Type.Undefined()]) }),
  caller: read(),
  fail: [],
  broken: [],
  abort: [],
  sockets: read(),
  deep: read(),
  desk: { input: [], returns: Desk },
  ask: [callback([Type.String()], Type.String())],
  news: events(),
  digits: stream(),
  cursors: presence([Type.Optional(Type.Integer())]),
} as const;

export const Shop = lumenizeRpcDO(ShopImpl, contract, { limits: { frameSize: 50_000 } });
export type Shop = InstanceType<typeof Shop>;

/** A class without MCP. */
export const Plain = lumenizeRpcDO(ShopImpl, contract);

class SuiteImpl extends DurableObject<Env> {
  test_simple_text(): string {
    return 'This is a simple text response for testing.';
  }

  test_error_handling(): never {
    throw new Error('This tool intentionally returns an error for testing');
  }

  value(): number {
    return 1;
  }
}

/** The methods that the conformance suite calls. */
export const Suite = lumenizeRpcDO(SuiteImpl, {
  test_simple_text: [],
  test_error_handling: [],
  value: live(),
});

const agents = mcp({
  bindings: ['SHOP', 'SUITE'],
  info: { name: 'shop', version: '2.0.0', title: 'The shop' },
  instructions: 'Sell what there is.',
});

const options = {
  cors: { origin: ['https://friend.example'] },
  onBeforeRequest(request: Request, { binding }: Route): Request | Response | undefined {
    // The page on MCP has this check for a Worker on the developer's machine.
    const isHere = ['localhost', '127.0.0.1'].includes(new URL(request.url).hostname);
    if (binding === 'SUITE' && !isHere) return new Response('Not this host', { status: 403 });
    const token = /^Bearer (.*)$/.exec(request.headers.get('Authorization') ?? '')?.[1];
    if (token === 'nobody') return new Response('No', { status: 401 });
    return token === undefined ? undefined : withCaller(request, { user: token });
  },
  classes: { SHOP: Shop, PLAIN: Plain, SUITE: Suite },
  mcp: agents,
};

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const other = { ...options, prefix: '/other-order', otherPaths: true };
    return (
      (await routeHttpRequest(request, env, options)) ??
      (await routeDORequest(request, env, options)) ??
      (await routeHttpRequest(request, env, other)) ??
      (await routeDORequest(request, env, other)) ??
      new Response('Not found by any router', { status: 404 })
    );
  },
};
