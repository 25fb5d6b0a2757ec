/**
 * Tests the types of a contract with schemas of libraries other than TypeBox: clients pass the
 * input of a schema, and the method receives its output. Nothing here runs.
 */
import { type } from 'arktype';
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import * as zm from 'zod/mini';
import { callback as pass, type RpcClient, stream as passStream } from '../../src/client.ts';
import {
  subscribe,
  type Subscriptions,
} from '../../src/features/subscriptions/client/subscribe.ts';
import { relay } from '../../src/relay.ts';
import {
  callback,
  capability,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  type RpcClass,
  rows,
  stream,
  streamOf,
} from '../../src/server.ts';

const { _default: withDefault } = zm;

interface Item {
  sku: string;
  amount: number;
}

class Shop extends DurableObject<Env> {
  buy(item: Item): Item {
    return item;
  }
  on(day: Date, note = ''): string {
    return `${day.getTime()}${note}`;
  }
  page(size: number, order: 'up' | 'down'): number {
    return size + order.length;
  }
  mixed(name: string, day: Date, last?: boolean): string {
    return `${name}${day.getTime()}${last}`;
  }
  async upload(lines: AsyncIterable<Date>): Promise<number> {
    let count = 0;
    for await (const line of lines) count += line.getTime();
    return count;
  }
  async ask(question: (text: string, at: Date) => Promise<number>): Promise<number> {
    return question('', new Date(0));
  }
  topic(id: number): string {
    return `${id}`;
  }
  news(id: number): Feed<string> {
    return feed(this, `${id}`);
  }
  *days(from: Date): Generator<string> {
    yield from.toISOString();
  }
  *seats(hall: number, after?: number): Generator<{ place: number }> {
    yield { place: hall + (after ?? 0) };
  }
  when(): Date {
    return new Date(0);
  }
}

const libraries = {
  zod: {
    item: z.object({ sku: z.string(), amount: z.number().default(1) }),
    day: z.string().transform((text) => new Date(text)),
    note: z.string().optional(),
    number: z.number(),
    fallback: z.number().default(10),
    text: z.string(),
    integer: z.string().transform(Number),
    date: z.date(),
  },
  mini: {
    item: zm.object({ sku: zm.string(), amount: withDefault(zm.number(), 1) }),
    day: zm.pipe(
      zm.string(),
      zm.transform((text: string) => new Date(text)),
    ),
    note: zm.optional(zm.string()),
    number: zm.number(),
    fallback: withDefault(zm.number(), 10),
    text: zm.string(),
    integer: zm.pipe(zm.string(), zm.transform(Number)),
    date: zm.date(),
  },
  valibot: {
    item: v.object({ sku: v.string(), amount: v.optional(v.number(), 1) }),
    day: v.pipe(
      v.string(),
      v.transform((text) => new Date(text)),
    ),
    note: v.optional(v.string()),
    number: v.number(),
    fallback: v.optional(v.number(), 10),
    text: v.string(),
    integer: v.pipe(v.string(), v.transform(Number)),
    date: v.date(),
  },
  arktype: {
    item: type({ sku: 'string', amount: 'number = 1' }),
    day: type('string').pipe((text) => new Date(text)),
    note: type('string | undefined'),
    number: type('number'),
    fallback: type('number | undefined').pipe((size) => size ?? 10),
    text: type('string'),
    integer: type('string').pipe(Number),
    date: type('Date'),
  },
};

type Libraries = typeof libraries;

const { zod, mini, valibot, arktype } = libraries;

const contractOf = {
  zod: lumenizeRpcDO(Shop, {
    buy: [zod.item],
    on: [zod.day, zod.note],
    page: [zod.number, z.enum(['up', 'down']).default('up')],
    mixed: [Type.String(), zod.day, z.boolean().optional()],
    upload: [streamOf(zod.day)],
    ask: [callback([zod.text, zod.date], zod.integer)],
    topic: live([zod.integer], { output: zod.text }),
    news: events([zod.integer], { output: zod.text }),
    days: stream([zod.day], { output: zod.text }),
    seats: rows('place', [zod.integer, z.number().optional()], {
      output: z.object({ place: z.number() }),
    }),
    when: { input: [], output: zod.date },
  }),
  mini: lumenizeRpcDO(Shop, {
    buy: [mini.item],
    on: [mini.day, mini.note],
    page: [mini.number, withDefault(zm.enum(['up', 'down']), 'up')],
    mixed: [Type.String(), mini.day, zm.optional(zm.boolean())],
    upload: [streamOf(mini.day)],
    ask: [callback([mini.text, mini.date], mini.integer)],
    topic: live([mini.integer], { output: mini.text }),
    news: events([mini.integer], { output: mini.text }),
    days: stream([mini.day], { output: mini.text }),
    seats: rows('place', [mini.integer, zm.optional(zm.number())], {
      output: zm.object({ place: zm.number() }),
    }),
    when: { input: [], output: mini.date },
  }),
  valibot: lumenizeRpcDO(Shop, {
    buy: [valibot.item],
    on: [valibot.day, valibot.note],
    page: [valibot.number, v.optional(v.picklist(['up', 'down']), 'up')],
    mixed: [Type.String(), valibot.day, v.optional(v.boolean())],
    upload: [streamOf(valibot.day)],
    ask: [callback([valibot.text, valibot.date], valibot.integer)],
    topic: live([valibot.integer], { output: valibot.text }),
    news: events([valibot.integer], { output: valibot.text }),
    days: stream([valibot.day], { output: valibot.text }),
    seats: rows('place', [valibot.integer, v.optional(v.number())], {
      output: v.object({ place: v.number() }),
    }),
    when: { input: [], output: valibot.date },
  }),
  arktype: lumenizeRpcDO(Shop, {
    buy: [arktype.item],
    on: [arktype.day, arktype.note],
    page: [arktype.number, type("'up' | 'down' | undefined").pipe((order) => order ?? 'up')],
    mixed: [Type.String(), arktype.day, type('boolean | undefined')],
    upload: [streamOf(arktype.day)],
    ask: [callback([arktype.text, arktype.date], arktype.integer)],
    topic: live([arktype.integer], { output: arktype.text }),
    news: events([arktype.integer], { output: arktype.text }),
    days: stream([arktype.day], { output: arktype.text }),
    seats: rows('place', [arktype.integer, type('number | undefined')], {
      output: type({ place: 'number' }),
    }),
    when: { input: [], output: arktype.date },
  }),
};

type ShopOf<Name extends keyof Libraries> = InstanceType<(typeof contractOf)[Name]>;

test('clients pass the input of a schema', () => {
  void ((
    one: RpcClient<ShopOf<'zod'>>,
    two: RpcClient<ShopOf<'mini'>>,
    three: RpcClient<ShopOf<'valibot'>>,
    four: RpcClient<ShopOf<'arktype'>>,
  ) => {
    for (const client of [one, two, three, four] as const) {
      void client.buy({ sku: 'a' });
      void client.buy({ sku: 'a', amount: 2 });
      // @ts-expect-error: the amount is not a number
      void client.buy({ sku: 'a', amount: '2' });
      void client.on('2026-01-01');
      void client.on('2026-01-01', 'note');
      void client.on('2026-01-01', undefined);
      // @ts-expect-error: clients pass text, and the method receives a Date
      void client.on(new Date());
      void client.page(1);
      void client.page(1, 'down');
      // @ts-expect-error: the first argument has no default
      void client.page();
      void client.mixed('a', '2026-01-01');
      void client.mixed('a', '2026-01-01', true);
      // @ts-expect-error: the schema of TypeBox takes another type
      void client.mixed(1, '2026-01-01');
      void client.upload(['2026-01-01']);
      void client.upload(passStream(['2026-01-01']));
      // @ts-expect-error: the items are texts
      void client.upload([new Date()]);
      void client.ask(pass((text, at) => text + at.getTime()));
      // @ts-expect-error: the schema of the result takes text
      void client.ask(pass(() => 5));
      expectTypeOf(client.buy({ sku: 'a' })).resolves.toEqualTypeOf<Item>();
      expectTypeOf(client.when()).resolves.toEqualTypeOf<Date>();
      // The result of another call can be an argument.
      void client.on(client.on('2026-01-01'));
      void subscribe(client).topic('1');
      // @ts-expect-error: clients pass text
      void subscribe(client).topic(1);
      void subscribe(client).news('1');
      void subscribe(client).days('2026-01-01');
      void subscribe(client).seats('1');
      // @ts-expect-error: the runtime adds the last argument
      void subscribe(client).seats('1', 2);
    }
  });
});

test('the arguments keep their names', () => {
  type Args<Name extends 'on' | 'page' | 'mixed'> = Parameters<RpcClient<ShopOf<'zod'>>[Name]>;
  expectTypeOf<Args<'on'>['length']>().toEqualTypeOf<1 | 2>();
  expectTypeOf<Args<'page'>['length']>().toEqualTypeOf<1 | 2>();
  expectTypeOf<Args<'mixed'>['length']>().toEqualTypeOf<2 | 3>();
  expectTypeOf<Parameters<Subscriptions<ShopOf<'zod'>>['topic']>>().toEqualTypeOf<[id: string]>();
  expectTypeOf<Parameters<Subscriptions<ShopOf<'valibot'>>['topic']>>().toEqualTypeOf<
    [id: string]
  >();
});

test('a method whose schemas change nothing has only its kind in the type', () => {
  class Plain extends DurableObject<Env> {
    greet(name: string): string {
      return name;
    }
    later(text: string): string {
      return text;
    }
  }
  const Wrapped = lumenizeRpcDO(Plain, {
    greet: read([z.string()]),
    later: [v.pipe(v.unknown(), v.transform(String))],
  });
  type Kinds = { greet: 'call'; later: { kind: 'call'; input: { 0: unknown } } };
  expectTypeOf(Wrapped).toExtend<RpcClass<typeof Plain, Kinds>>();
  const written: RpcClass<typeof Plain, Kinds> = Wrapped;
  void ((client: RpcClient<InstanceType<typeof written>>) => {
    void client.greet('a');
    void client.later();
    void client.later(5);
    // @ts-expect-error: a name is a text
    void client.greet(5);
  });
});

test('a callback within a schema of TypeBox can have schemas of other libraries', () => {
  class Asking extends DurableObject<Env> {
    ask(of: { name: string; on: ((text: string) => Promise<Date>)[] }): void {
      void of;
    }
  }
  const on = Type.Array(callback([v.string()], zod.day));
  const Wrapped = lumenizeRpcDO(Asking, { ask: [Type.Object({ name: Type.String(), on })] });
  void ((client: RpcClient<InstanceType<typeof Wrapped>>) => {
    void client.ask({ name: 'a', on: [pass((text) => text.toUpperCase())] });
    // @ts-expect-error: the schema of the result takes text
    void client.ask({ name: 'a', on: [pass(() => new Date())] });
  });
});

test('a relay passes the arguments of clients', () => {
  class Relay extends DurableObject<{ ROOM: DurableObjectNamespace<ShopOf<'zod'>> }> {
    origin = relay<ShopOf<'zod'>>(this, () => this.env.ROOM.getByName('lobby'));
    news() {
      // @ts-expect-error: clients pass text
      this.origin.feed('news', 1);
      return this.origin.feed('news', '1');
    }
    topic() {
      return this.origin.live('topic', '1').value;
    }
  }
  void Relay;
});

test('a contract that disagrees with its class does not compile', () => {
  // @ts-expect-error: the schema returns text
  lumenizeRpcDO(Shop, { topic: live([z.string()]) });
  // @ts-expect-error: the schema returns text
  lumenizeRpcDO(Shop, { topic: live([v.string()]) });
  // @ts-expect-error: the schema returns text
  lumenizeRpcDO(Shop, { topic: live([type('string')]) });
  // @ts-expect-error: the value can be undefined
  lumenizeRpcDO(Shop, { topic: live([z.number().optional()]) });
  // @ts-expect-error: the parameter is optional, but its schema is not
  lumenizeRpcDO(Shop, { on: [zod.day, z.string()] });
  // @ts-expect-error: a schema is missing
  lumenizeRpcDO(Shop, { page: [z.number()] });
  // @ts-expect-error: the method has no such parameter
  lumenizeRpcDO(Shop, { when: [z.number()] });
  // @ts-expect-error: the items are texts
  lumenizeRpcDO(Shop, { upload: [streamOf(z.string())] });
  // @ts-expect-error: the parameter is a stream
  lumenizeRpcDO(Shop, { upload: [z.array(z.date())] });
  // @ts-expect-error: the function returns text
  lumenizeRpcDO(Shop, { ask: [callback([z.string(), z.date()], z.string())] });
  // @ts-expect-error: the method passes a date
  lumenizeRpcDO(Shop, { ask: [callback([z.string(), z.string()], zod.integer)] });
  // @ts-expect-error: the method returns a date
  lumenizeRpcDO(Shop, { when: { input: [], output: z.string() } });
  // @ts-expect-error: an output schema takes the result of the method, and must not change it
  lumenizeRpcDO(Shop, { when: read([], { output: zod.day }) });
  // @ts-expect-error: the last key of a row is a number, and the schema takes text
  lumenizeRpcDO(Shop, { seats: rows('place', [z.number(), zod.integer.optional()]) });
});

test('an address is the input of its schema', () => {
  class PenImpl {
    constructor(_shop: object, owner: string) {
      void owner;
    }
    write(text: string): string {
      return text;
    }
  }
  capability(PenImpl, [z.string()], { write: [v.string()] });
  capability(PenImpl, [v.string()], { write: [type('string')] });
  capability(PenImpl, [type('string')], { write: [Type.String()] });
  // @ts-expect-error: the owner is a text
  capability(PenImpl, [z.number()], { write: [Type.String()] });
  // @ts-expect-error: the schema of an address must not change it
  capability(PenImpl, [z.number().transform(String)], { write: [Type.String()] });
});
