/** Tests the types of capabilities. Nothing here runs: a test fails when it does not compile. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import { expectTypeOf, test } from 'vitest';
import type { Offered } from './offered.ts';
import type { RpcCapability, RpcClient, RpcPromise } from '../../src/client.ts';
import { capabilityAt, tokenOf } from '../../src/features/capabilities/client/capabilities.ts';
import {
  type ResumableSubscription,
  subscribe,
  type Subscription,
} from '../../src/features/subscriptions/client/subscribe.ts';
import {
  capability,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  stream,
} from '../../src/server.ts';

class SessionImpl {
  readonly #bank: BankImpl;
  readonly #user: string;

  constructor(bank: BankImpl, user: string, _expires?: number) {
    this.#bank = bank;
    this.#user = user;
  }

  balance(): number {
    return 1;
  }

  transfer(to: string, { amount }: { amount: number }): { left: number } {
    return { left: amount - to.length };
  }

  inbox(): Feed<string> {
    return feed<string>(this.#bank, this.#user);
  }

  secret(): void {}
}

const Session = capability(SessionImpl, [Type.String(), Type.Optional(Type.Number())], {
  balance: live(),
  transfer: [Type.String(), Type.Object({ amount: Type.Integer() })],
  inbox: events(),
});
type Session = InstanceType<typeof Session>;

class BankImpl extends DurableObject<Env> {
  login(token: string): Session {
    return new Session(this, token);
  }

  // oxlint-disable-next-line durable-object/no-idle-async -- its type is tested
  async loginLater(token: string): Promise<Session> {
    return this.login(token);
  }

  both(): { mine: Session; all: Session[]; count: number } {
    return { mine: this.login(''), all: [], count: 0 };
  }

  *all(): Generator<Session> {
    yield this.login('');
  }

  live(): { mine: Session; count: number } {
    return this.both();
  }

  total(session: Session, more: number): number {
    return session.balance() + more;
  }
}

const Bank = lumenizeRpcDO(BankImpl, {
  login: { input: [Type.String()], returns: Session },
  loginLater: { input: [Type.String()], returns: [Session] },
  both: { input: [], returns: Session },
  all: stream([], { readonly: true, returns: Session }),
  live: live([], { returns: Session }),
  total: [Session, Type.Number()],
});
type Bank = InstanceType<typeof Bank>;

test('a capability has the methods of its contract, before and after it has arrived', () => {
  void (async (client: RpcClient<Bank>) => {
    const pending = client.login('x');
    expectTypeOf(pending.balance()).toEqualTypeOf<RpcPromise<number>>();
    expectTypeOf(await pending.transfer('bob', { amount: 1 }).left).toEqualTypeOf<number>();
    const session = await client.loginLater('x');
    expectTypeOf(session).toEqualTypeOf<RpcCapability<Session>>();
    expectTypeOf<Offered<typeof session>>().toEqualTypeOf<'balance' | 'transfer'>();
    // @ts-expect-error: the contract does not list the method
    void session.secret();
    // @ts-expect-error: the contract does not list the method
    void pending.secret();
    // @ts-expect-error: a feed can only be subscribed to
    void session.inbox();
    // @ts-expect-error: the amount has the wrong type
    void session.transfer('bob', { amount: 'x' });
    // @ts-expect-error: a capability holds nothing, so it has no close
    session.close();
    using disposed = session;
    void disposed;
  });
});

test('a capability is found among properties and items of a result', () => {
  void (async (client: RpcClient<Bank>) => {
    const { mine, all, count } = await client.both();
    expectTypeOf(mine).toEqualTypeOf<RpcCapability<Session>>();
    expectTypeOf(all).toEqualTypeOf<RpcCapability<Session>[]>();
    expectTypeOf(count).toEqualTypeOf<number>();
    expectTypeOf(client.both().mine.balance()).toEqualTypeOf<RpcPromise<number>>();
    const items = subscribe(client);
    expectTypeOf(items.all()).toEqualTypeOf<Subscription<RpcCapability<Session>>>();
    for await (const value of items.live()) {
      expectTypeOf(value.mine).toEqualTypeOf<RpcCapability<Session>>();
    }
  });
});

test('a capability can be an argument, be subscribed to, and become a text', () => {
  void (async (client: RpcClient<Bank>) => {
    const session = await client.login('x');
    void client.total(session, 1);
    void client.total(client.login('x'), 1);
    // @ts-expect-error: the object is not a capability
    void client.total({ balance: () => 1 }, 1);
    const balances = subscribe(session).balance();
    expectTypeOf(balances).toEqualTypeOf<Subscription<number>>();
    expectTypeOf(subscribe(client.login('x')).inbox()).toEqualTypeOf<
      ResumableSubscription<string>
    >();
    // @ts-expect-error: the method is neither live nor a feed
    subscribe(session).transfer();
    expectTypeOf(tokenOf(session)).toEqualTypeOf<string>();
    const again = capabilityAt<Session>(client, tokenOf(session));
    expectTypeOf(again.balance()).toEqualTypeOf<RpcPromise<number>>();
  });
});

test('contracts that disagree with their classes do not compile', () => {
  // @ts-expect-error: the contract does not name the capability
  lumenizeRpcDO(BankImpl, { login: [Type.String()] });
  // @ts-expect-error: the contract does not name the live capability
  lumenizeRpcDO(BankImpl, { login: live([Type.String()]) });
  // @ts-expect-error: the contract does not name the capability of a method that only reads
  lumenizeRpcDO(BankImpl, { login: read([Type.String()]) });
  lumenizeRpcDO(BankImpl, { login: read([Type.String()], { returns: Session }) });
  // @ts-expect-error: `returns` is not a class of capabilities
  lumenizeRpcDO(BankImpl, { login: { input: [Type.String()], returns: SessionImpl } });
  // @ts-expect-error: `returns` is misspelled
  lumenizeRpcDO(BankImpl, { login: { input: [Type.String()], return: Session } });
  // @ts-expect-error: the class of the argument is not a class of capabilities
  lumenizeRpcDO(BankImpl, { total: [SessionImpl, Type.Number()] });
  // @ts-expect-error: the method takes a number in place of the second capability
  lumenizeRpcDO(BankImpl, { total: [Session, Session] });
  // @ts-expect-error: the address has another type
  capability(SessionImpl, [Type.Number()], { balance: [] });
  // @ts-expect-error: the address has no schema
  capability(SessionImpl, [], { balance: [] });
  // @ts-expect-error: the class has no such method
  capability(SessionImpl, [Type.String()], { nothing: [] });
});
