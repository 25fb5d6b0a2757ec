/** What the compiler accepts and refuses. Nothing here runs: a test fails when it does not compile. */
import { DurableObject } from 'cloudflare:workers';
import { Type } from 'typebox';
import { expectTypeOf, test } from 'vitest';
import type { Counter } from '../../template/src/counter.ts';
import { createRpcClient, type RpcClient } from '../../template/src/rpc/client.ts';
import type { Subscription, Subscriptions } from '../../template/src/rpc/client/subscribe.ts';
import { lumenizeRpcDO } from '../../template/src/rpc/server.ts';

class Shop extends DurableObject<Env> {
  static currency = 'EUR';

  buy(sku: string, { amount }: { amount: number }): { total: number } {
    return { total: sku.length * amount };
  }

  // oxlint-disable-next-line durable-object/no-idle-async -- the types of one that returns a promise
  async find(sku?: string): Promise<string[]> {
    return sku ? [sku] : [];
  }

  secret(): void {}
}

const WrappedShop = lumenizeRpcDO(Shop, {
  buy: [Type.String(), Type.Object({ amount: Type.Integer() })],
  find: { input: [Type.Optional(Type.String())], readonly: true },
});
type WrappedShop = InstanceType<typeof WrappedShop>;

test('a client offers the methods of the contract and no others', () => {
  type Client = RpcClient<WrappedShop>;
  expectTypeOf<Exclude<keyof Client, symbol>>().toEqualTypeOf<
    'buy' | 'find' | 'close' | 'reconnect'
  >();
  expectTypeOf<Client['buy']>().returns.resolves.toEqualTypeOf<{ total: number }>();
  expectTypeOf<Client['find']>().returns.resolves.toEqualTypeOf<string[]>();
  expectTypeOf<RpcClient<Counter>['increment']>().toBeCallableWith();
  expectTypeOf<RpcClient<Counter>['increment']>().toBeCallableWith(5);
  // @ts-expect-error: not in the contract
  expectTypeOf<Client['secret']>();
});

test('what can be subscribed to is what the contract marks, or without one anything', () => {
  type Live = Subscriptions<Counter>;
  expectTypeOf<keyof Live>().toEqualTypeOf<'getValue'>();
  expectTypeOf<Live['getValue']>().returns.toEqualTypeOf<Subscription<number>>();
  expectTypeOf<keyof Subscriptions<WrappedShop>>().toBeNever();
  interface Api {
    name: string;
    getValue(): number;
  }
  expectTypeOf<keyof Subscriptions<Api>>().toEqualTypeOf<'getValue'>();
});

test('calls that the methods do not take do not compile', () => {
  void ((client: RpcClient<WrappedShop>) => {
    // @ts-expect-error: an argument is missing
    void client.buy('a');
    // @ts-expect-error: wrong type
    void client.buy(1, { amount: 1 });
  });
});

test('a contract that disagrees with its class does not compile', () => {
  // @ts-expect-error: schema of another type
  lumenizeRpcDO(Shop, { find: [Type.Optional(Type.Number())] });
  // @ts-expect-error: a schema too few
  lumenizeRpcDO(Shop, { buy: [Type.String()] });
  // @ts-expect-error: a schema too many
  lumenizeRpcDO(Shop, { secret: [Type.String()] });
  const [sku, item] = [Type.Optional(Type.String()), Type.Object({ amount: Type.Integer() })];
  // @ts-expect-error: a required parameter made optional
  lumenizeRpcDO(Shop, { buy: [sku, item] });
  // @ts-expect-error: an optional parameter made required
  lumenizeRpcDO(Shop, { find: [Type.String()] });
  // @ts-expect-error: the same in the long form
  lumenizeRpcDO(Shop, { find: { input: [Type.String()], readonly: true } });
  // @ts-expect-error: no such method
  lumenizeRpcDO(Shop, { sell: [] }); // oxlint-disable-line durable-object/no-missing-method
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
