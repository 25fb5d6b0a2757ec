/** The schema `output` of an entry. A value, an event, an item or a row that does not match it is an error. */
import { runInDurableObject } from 'cloudflare:test';
import { DurableObject, env as bindings } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { messagePortTransport } from '../../../src/client/transports/message-port.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { createRpcClient, type RpcClient } from '../../../src/client.ts';
import {
  compileContract,
  events,
  type Feed,
  feed,
  live,
  lumenizeRpcDO,
  read,
  rows,
  servePort,
  stream,
} from '../../../src/server.ts';
import type { TestEnv } from '../../worker.ts';

const env = bindings as TestEnv;

const Tea = Type.Object({ id: Type.Integer(), name: Type.String() });
type Tea = Type.Static<typeof Tea>;

const GREEN: Tea = { id: 1, name: 'green' };
const BLACK: Tea = { id: 2, name: 'black' };
/** A value that the compiler has not checked, such as a row of the storage. */
const WRONG = { id: 3, name: 7 } as object as Tea;

class ShopImpl extends DurableObject<Env> {
  #first: Tea | undefined;

  best(): Tea {
    return this.ctx.storage.kv.get<Tea>('best') ?? GREEN;
  }

  praise(tea: unknown): void {
    this.ctx.storage.kv.put('best', tea);
  }

  sold(): Feed<Tea> {
    return feed(this, 'sold');
  }

  sell(teas: unknown[]): void {
    this.sold().append(...(teas as Tea[]));
  }

  /** Appends without the method of the contract. */
  sellQuietly(tea: unknown): void {
    feed<Tea>(this, 'sold').append(tea as Tea);
  }

  begunWith(): Feed<Tea> {
    return feed(this, 'begun', { snapshot: () => this.#first ?? GREEN });
  }

  beginWith(tea: unknown): void {
    this.#first = tea as Tea;
  }

  *brewed(teas: unknown[]): Iterable<Tea> {
    yield* teas as Tea[];
  }

  async *brewedSlowly(teas: unknown[]): AsyncIterable<Tea> {
    for (const tea of teas as Tea[]) {
      await scheduler.wait(0);
      yield tea;
    }
  }

  *listed(teas: unknown[], after = 0): Iterable<Tea> {
    yield* (teas as Tea[]).filter(({ id }) => id > after);
  }
}

const teas = Type.Array(Type.Unknown());

const entries = {
  best: live([], { output: Tea, title: 'Best tea', description: 'What most people drink.' }),
  praise: [Type.Unknown()],
  sold: events([], { output: Tea, title: 'Sold' }),
  sell: [teas],
  sellQuietly: [Type.Unknown()],
  begunWith: events([], { output: Tea }),
  beginWith: [Type.Unknown()],
  brewed: stream([teas], { output: Tea, readonly: true }),
  brewedSlowly: stream([teas], { output: Tea }),
  listed: rows('id', [teas, Type.Optional(Type.Integer())], { output: Tea }),
} as const;

const Shop = lumenizeRpcDO(ShopImpl, entries);
type Shop = InstanceType<typeof Shop>;
const contract = compileContract(entries);

/** Runs a function with an object in a new Durable Object, and with a client of it. */
function withShop(work: (shop: Shop, client: RpcClient<Shop>) => Promise<void>): Promise<void> {
  return runInDurableObject(env.HIBERNATING.get(env.HIBERNATING.newUniqueId()), (_, state) => {
    const shop = new Shop(state, env);
    const { port1, port2 } = new MessageChannel();
    const served = servePort(port2, shop, contract);
    const client = createRpcClient<Shop>('SHOP', 'x', { transport: messagePortTransport(port1) });
    onTestFinished(() => {
      client.close();
      served.close();
    });
    return work(shop, client);
  });
}

/** Returns the items that a loop gets, and the error that ends it. */
async function outcomeOf(
  loop: AsyncIterable<unknown>,
): Promise<{ got: unknown[]; thrown?: unknown }> {
  const got: unknown[] = [];
  try {
    for await (const item of loop) got.push(item);
    return { got };
  } catch (thrown) {
    return { got, thrown };
  }
}

/** @param sent - the beginning of the error */
function mismatch(sent: string, path: string): unknown {
  return expect.objectContaining({
    name: 'RpcError',
    code: 'UNSERIALIZABLE',
    path,
    message: `${sent} does not match its output schema: ${path} must be string, got 7`,
  });
}

test('a compiled method of each kind has its schema, its title and its description', () => {
  for (const method of ['best', 'sold', 'brewed', 'listed']) {
    expect(contract.methods.get(method)?.output).toBe(Tea);
  }
  expect(contract.methods.get('best')).toMatchObject({
    title: 'Best tea',
    description: 'What most people drink.',
  });
  const options = { output: Tea, title: 'Tea', description: 'Some tea.' };
  expect(read([], options)).toEqual({ input: [], readonly: true, ...options });
});

describe('a live value that does not match', () => {
  test('ends the loop', () =>
    withShop(async (shop, client) => {
      const loop = subscribe(client).best()[Symbol.asyncIterator]();
      expect(await loop.next()).toEqual({ done: false, value: GREEN });
      shop.praise(BLACK);
      expect(await loop.next()).toEqual({ done: false, value: BLACK });
      shop.praise(WRONG);
      await expect(loop.next()).rejects.toThrow(mismatch('The value of best', '.name'));
    }));

  test('rejects a call', () =>
    withShop(async (shop, client) => {
      shop.praise(WRONG);
      await expect(client.best()).rejects.toThrow(mismatch('The value of best', '.name'));
    }));
});

describe('an event that does not match', () => {
  test('throws in the method that appends it, and no event is added', () =>
    withShop(async (shop, client) => {
      await client.sell([GREEN]);
      const before = shop.sold().cursor;
      const expected = mismatch('An event of sold', '.name');
      await expect(client.sell([BLACK, WRONG])).rejects.toThrow(expected);
      expect(() => shop.sell([WRONG])).toThrow(expected);
      expect(shop.sold().cursor).toBe(before);
    }));

  test('throws there even if the feed has a subscriber', () =>
    withShop(async (shop, client) => {
      const loop = subscribe(client).sold()[Symbol.asyncIterator]();
      const next = loop.next();
      await client.best();
      expect(() => shop.sellQuietly(WRONG)).toThrow(mismatch('An event of sold', '.name'));
      shop.sellQuietly(BLACK);
      expect(await next).toEqual({ done: false, value: BLACK });
      await loop.return?.();
    }));

  test('ends a loop that would begin with it as a snapshot', () =>
    withShop(async (shop, client) => {
      const loop = subscribe(client).begunWith()[Symbol.asyncIterator]();
      expect(await loop.next()).toEqual({ done: false, value: GREEN });
      shop.beginWith(WRONG);
      expect(await outcomeOf(subscribe(client).begunWith())).toEqual({
        got: [],
        thrown: mismatch('An event of begunWith', '.name'),
      });
    }));
});

describe.each([
  ['brewed', 'An item'],
  ['brewedSlowly', 'An item'],
  ['listed', 'A row'],
] as const)('an item of %s', (method, noun) => {
  test('arrives if it matches', () =>
    withShop(async (_, client) => {
      const loop = subscribe(client)[method]([GREEN, BLACK]);
      expect(await outcomeOf(loop)).toEqual({ got: [GREEN, BLACK] });
    }));

  test('ends the loop after the items before it, if it does not match', () =>
    withShop(async (_, client) => {
      const loop = subscribe(client)[method]([GREEN, BLACK, WRONG, { id: 4, name: 'white' }]);
      expect(await outcomeOf(loop)).toEqual({
        got: [GREEN, BLACK],
        thrown: mismatch(`${noun} of ${method}`, '[2].name'),
      });
    }));
});
