/**
 * Tests the types of clients and contracts. Nothing here runs: a test fails when it does not
 * compile.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import { expectTypeOf, test } from 'vitest';
import type { Offered } from './offered.ts';
import type { Counter } from '../../../template/src/counter.ts';
import {
  callback as pass,
  createRpcClient,
  type RpcClient,
  stream as passStream,
} from '../../src/client.ts';
import {
  type ResumableSubscription,
  subscribe,
  type Subscription,
  type Subscriptions,
} from '../../src/features/subscriptions/client/subscribe.ts';
import {
  callback,
  callbackAt,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  stream,
  tokenOf,
} from '../../src/server.ts';

class Shop extends DurableObject<Env> {
  static currency = 'EUR';

  buy(sku: string, { amount }: { amount: number }): { total: number } {
    return { total: sku.length * amount };
  }

  // oxlint-disable-next-line durable-object/no-idle-async -- its type is tested
  async find(sku?: string): Promise<string[]> {
    return sku ? [sku] : [];
  }

  secret(): void {}
}

const WrappedShop = lumenizeRpcDO(Shop, {
  buy: [Type.String(), Type.Object({ amount: Type.Integer() })],
  find: read([Type.Optional(Type.String())]),
});
type WrappedShop = InstanceType<typeof WrappedShop>;

test('a client has exactly the methods of the contract', () => {
  type Client = RpcClient<WrappedShop>;
  expectTypeOf<Offered<Client>>().toEqualTypeOf<'buy' | 'find' | 'close' | 'reconnect'>();
  expectTypeOf<Client['buy']>().returns.resolves.toEqualTypeOf<{ total: number }>();
  expectTypeOf<Client['find']>().returns.resolves.toEqualTypeOf<string[]>();
  expectTypeOf<RpcClient<Counter>['increment']>().toBeCallableWith();
  expectTypeOf<RpcClient<Counter>['increment']>().toBeCallableWith(5);
  void ((client: Client) => {
    // @ts-expect-error: the contract does not list the method
    void client.secret();
  });
});

test('the methods that the contract marks can be subscribed to, or without a contract any method', () => {
  type Live = Subscriptions<Counter>;
  expectTypeOf<Offered<Live>>().toEqualTypeOf<'getValue'>();
  expectTypeOf<Live['getValue']>().returns.toEqualTypeOf<Subscription<number>>();
  expectTypeOf<Offered<Subscriptions<WrappedShop>>>().toBeNever();
  interface Api {
    name: string;
    getValue(): number;
  }
  expectTypeOf<Offered<Subscriptions<Api>>>().toEqualTypeOf<'getValue'>();
});

test('calls with arguments that the methods do not take do not compile', () => {
  void ((client: RpcClient<WrappedShop>) => {
    // @ts-expect-error: an argument is missing
    void client.buy('a');
    // @ts-expect-error: the argument has the wrong type
    void client.buy(1, { amount: 1 });
  });
});

test('a contract that disagrees with its class does not compile', () => {
  // @ts-expect-error: the schema has another type
  lumenizeRpcDO(Shop, { find: [Type.Optional(Type.Number())] });
  // @ts-expect-error: a schema is missing
  lumenizeRpcDO(Shop, { buy: [Type.String()] });
  // @ts-expect-error: the method has no such parameter
  lumenizeRpcDO(Shop, { secret: [Type.String()] });
  const [sku, item] = [Type.Optional(Type.String()), Type.Object({ amount: Type.Integer() })];
  // @ts-expect-error: a required parameter is optional in the contract
  lumenizeRpcDO(Shop, { buy: [sku, item] });
  // @ts-expect-error: an optional parameter is required in the contract
  lumenizeRpcDO(Shop, { find: [Type.String()] });
  // @ts-expect-error: an optional parameter is required in read()
  lumenizeRpcDO(Shop, { find: read([Type.String()]) });
  // @ts-expect-error: the class has no such method
  lumenizeRpcDO(Shop, { sell: [] }); // oxlint-disable-line durable-object/no-missing-method
});

test('a name that a method cannot have does not compile', () => {
  class Door extends DurableObject<Env> {
    override alarm(): void {}
    reconnect(): void {}
    close(): void {}
  }
  // @ts-expect-error: the runtime calls this method
  lumenizeRpcDO(Door, { alarm: [] });
  // @ts-expect-error: a client has a method of this name, which connects it again
  lumenizeRpcDO(Door, { reconnect: [] });
  // @ts-expect-error: a client has a method of this name, which closes it
  lumenizeRpcDO(Door, { close: [] });
});

test('a rest parameter does not compile, with and without a schema', () => {
  class Sums extends DurableObject<Env> {
    sum(...numbers: number[]): number {
      return numbers.length;
    }
    named(name: string, ...numbers: number[]): string {
      return name + numbers.length;
    }
  }
  // @ts-expect-error: the schema is for one argument
  lumenizeRpcDO(Sums, { sum: [Type.Number()] });
  // @ts-expect-error: a client could pass no arguments
  lumenizeRpcDO(Sums, { sum: [] });
  // @ts-expect-error: a client could pass only the name
  lumenizeRpcDO(Sums, { named: [Type.String()] });
});

test('the wrapped class keeps its statics and its methods', () => {
  expectTypeOf(WrappedShop.currency).toBeString();
  expectTypeOf<WrappedShop['secret']>().toBeFunction();
  class Sub extends WrappedShop {
    twice(): void {
      this.secret();
    }
  }
  expectTypeOf<Sub['twice']>().toBeFunction();
  void createRpcClient<Sub>;
});

interface Message {
  from: string;
  text: string;
}

class Room extends DurableObject<Env> {
  messages(): Feed<Message> {
    return feed(this, 'messages', {
      keep: 10,
      window: 5,
      snapshot: () => ({ from: '', text: '' }),
    });
  }

  inbox(user: string, kind?: 'letter' | 'bill'): Feed<string | number> {
    return feed<string | number>(this, `${user} ${kind}`);
  }

  getTopic(): string {
    return '';
  }

  getMembers(room: number): Map<string, Date> | undefined {
    return room ? new Map() : undefined;
  }

  count(): number {
    return 0;
  }

  post(message: Message): void {
    this.messages().append(message, message);
    // @ts-expect-error: the feed has other events
    this.messages().append('hi');
  }
}

const WrappedRoom = lumenizeRpcDO(Room, {
  messages: events(),
  inbox: events([
    Type.String(),
    Type.Optional(Type.Union([Type.Literal('letter'), Type.Literal('bill')])),
  ]),
  getTopic: live(),
  getMembers: live([Type.Number()]),
  count: read(),
  post: [Type.Object({ from: Type.String(), text: Type.String() })],
});
type WrappedRoom = InstanceType<typeof WrappedRoom>;

test('only feeds and live methods can be subscribed to', () => {
  type All = Subscriptions<WrappedRoom>;
  expectTypeOf<Offered<All>>().toEqualTypeOf<'messages' | 'inbox' | 'getTopic' | 'getMembers'>();
  expectTypeOf<ReturnType<All['messages']>>().toEqualTypeOf<ResumableSubscription<Message>>();
  expectTypeOf<ReturnType<All['inbox']>>().toEqualTypeOf<ResumableSubscription<string | number>>();
  expectTypeOf<ReturnType<All['getTopic']>>().toEqualTypeOf<Subscription<string>>();
  type Members = Subscription<Map<string, Date> | undefined>;
  expectTypeOf<ReturnType<All['getMembers']>>().toEqualTypeOf<Members>();
  expectTypeOf<Parameters<All['inbox']>>().toEqualTypeOf<[string, ('letter' | 'bill')?]>();
  expectTypeOf<Offered<Subscriptions<WrappedShop>>>().toEqualTypeOf<never>();
});

test('a loop has the type of its items, and its cursor is text', () => {
  void (async (client: RpcClient<WrappedRoom>) => {
    const { signal } = new AbortController();
    const messages = subscribe(client, { after: undefined, signal }).messages();
    for await (const message of messages) expectTypeOf(message).toEqualTypeOf<Message>();
    expectTypeOf(messages.cursor).toEqualTypeOf<string | undefined>();
    await using topic = subscribe(client).getTopic();
    for await (const text of topic) expectTypeOf(text).toEqualTypeOf<string>();
    // @ts-expect-error: a live value has no cursor
    void topic.cursor;
    // @ts-expect-error: a reader cannot set the cursor of the feed
    messages.cursor = '1.a';
    // @ts-expect-error: an argument is missing
    subscribe(client).inbox();
    // @ts-expect-error: the argument has the wrong type
    subscribe(client).inbox('ann', 'fax');
    // @ts-expect-error: the method is neither live nor a feed
    subscribe(client).count();
    // @ts-expect-error: the method is not readonly
    subscribe(client).post({ from: 'ann', text: 'hi' });
    // @ts-expect-error: a cursor is text
    subscribe(client, { after: 41 });
  });
});

test('a client can call live methods, and no feeds', () => {
  type Client = RpcClient<WrappedRoom>;
  expectTypeOf<Offered<Client>>().toEqualTypeOf<
    'getTopic' | 'getMembers' | 'count' | 'post' | 'close' | 'reconnect'
  >();
  expectTypeOf<Client['getTopic']>().returns.resolves.toEqualTypeOf<string>();
  void ((client: Client) => {
    // @ts-expect-error: a feed can only be subscribed to
    void client.messages();
    // @ts-expect-error: a client cannot iterate over a live value
    void client.getTopic()[Symbol.asyncIterator];
  });
});

test('a contract that disagrees about live methods and feeds does not compile', () => {
  // @ts-expect-error: only calls have the long form
  lumenizeRpcDO(Room, { getTopic: { input: [], readonly: true, live: true } });
  // @ts-expect-error: the feed is listed as a call
  lumenizeRpcDO(Room, { messages: [] });
  // @ts-expect-error: the feed is listed as a call that only reads
  lumenizeRpcDO(Room, { messages: read() });
  // @ts-expect-error: the feed is listed as a live value
  lumenizeRpcDO(Room, { messages: live() });
  // @ts-expect-error: the feed is listed as a stream
  lumenizeRpcDO(Room, { messages: stream() });
  // @ts-expect-error: the value is listed as a feed
  lumenizeRpcDO(Room, { getTopic: events() });
  // @ts-expect-error: the value is listed as a stream
  lumenizeRpcDO(Room, { getTopic: stream() });
  // @ts-expect-error: a live method cannot return a promise
  lumenizeRpcDO(Shop, { find: live() });
});

type Ask = (text: string) => Promise<boolean>;

class Loader extends DurableObject<Env> {
  ask(text: string, onAsk: Ask): string {
    void onAsk(text);
    return tokenOf(onAsk);
  }

  load(onProgress?: (percent: number) => void): void {
    onProgress?.(1);
  }

  watch(on: { ask?: Ask; each: ((value: number) => Promise<string>)[]; since: Date }): void {
    void on.ask?.('');
  }

  bare(onAsk: (text: string) => boolean): void {
    onAsk('');
  }
}

const ask = callback([Type.String()], Type.Boolean());
const each = Type.Array(callback([Type.Number()], Type.String()));
const since = Type.Unsafe<Date>({});

const WrappedLoader = lumenizeRpcDO(Loader, {
  ask: [Type.String(), ask],
  load: [Type.Optional(callback([Type.Integer()], Type.Void()))],
  watch: [Type.Object({ ask: Type.Optional(ask), each, since })],
});

test('a callback of a contract has the result of the function of the class, in a promise', () => {
  const bareAsk = Type.Function([Type.String()], Type.Boolean());
  const [answersText, takesNumbers] = [
    callback([Type.String()], Type.String()),
    callback([Type.Number()], Type.Boolean()),
  ];
  // The method ignores the result.
  lumenizeRpcDO(Loader, { load: [Type.Optional(callback([], Type.Boolean()))] });
  // @ts-expect-error: the result has another type
  lumenizeRpcDO(Loader, { ask: [Type.String(), answersText] });
  // @ts-expect-error: the argument has another type
  lumenizeRpcDO(Loader, { ask: [Type.String(), takesNumbers] });
  // @ts-expect-error: the method allows a call without the function
  lumenizeRpcDO(Loader, { load: [callback([Type.Integer()], Type.Void())] });
  // @ts-expect-error: the result of a function in the object has another type
  lumenizeRpcDO(Loader, { watch: [Type.Object({ ask: answersText, each, since })] });
  // @ts-expect-error: the function was not made by callback()
  lumenizeRpcDO(Loader, { ask: [Type.String(), Type.Function([Type.String()], Type.Boolean())] });
  // @ts-expect-error: the function in the object was not made by callback()
  lumenizeRpcDO(Loader, { watch: [Type.Object({ ask: bareAsk, each, since })] });
  // @ts-expect-error: the class expects the result without a promise
  lumenizeRpcDO(Loader, { bare: [ask] });
});

test('a client passes functions that return a value or a promise', () => {
  void ((client: RpcClient<InstanceType<typeof WrappedLoader>>) => {
    const yes = pass(() => true);
    void client.ask(
      '',
      pass((text) => text.length > 0),
    );
    void client.ask(
      '',
      pass(async (text) => text.length > 0),
    );
    void client.ask(client.ask('', yes), yes);
    void client.load();
    void client.load(pass((percent) => percent + 1));
    void client.load(pass(async (percent) => void percent));
    void client.watch({
      ask: pass((text) => text === ''),
      each: [pass((value) => `${value}`)],
      since: new Date(),
    });
    void client.watch({ each: [], since: new Date() });
    const length = pass((text: string) => text.length);
    // @ts-expect-error: the result has another type
    void client.ask('', length);
    const isPositive = pass((percent: number) => percent > 0);
    // @ts-expect-error: the argument has another type
    void client.ask('', isPositive);
    // @ts-expect-error: the function is not wrapped by callback()
    void client.ask('', () => true);
    const unmarked = { each: [() => ''], since: new Date() };
    // @ts-expect-error: the function in the object is not wrapped by callback()
    void client.watch(unmarked);
    // @ts-expect-error: a stream is not a function
    void client.ask('', passStream([]));
    // @ts-expect-error: a boolean is not a function
    void client.ask('', true);
  });
});

test('a callback by its token has the result of the function', () => {
  const again = callbackAt<Ask>(
    {},
    tokenOf(() => true),
  );
  expectTypeOf(again).toEqualTypeOf<(text: string) => Promise<boolean>>();
});
