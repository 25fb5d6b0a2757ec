/**
 * A Durable Object to which customers log in: a bank. Shows a capability, which is what a login returns
 * and all that its holder may do; a change that is made whole or not at all; and a function of a client's
 * that is kept, and asked later. Imports migrate and the RPC runtime.
 */
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import { Type } from 'typebox';
import { migrate } from './migrate.ts';
import {
  addressOf,
  callbackAt,
  capability,
  dropCallback,
  feed,
  type Feed,
  lumenizeRpcDO,
  revoke,
} from './rpc/server.ts';

/** What each customer begins with. */
const GIFT = 100;

/** Of a transfer above this a customer is asked first who has said how. */
const ALERT_ABOVE = 50;

/** Asks a customer. */
type Ask = (text: string) => Promise<boolean>;

/** A line of a statement: what was received, or below zero what was paid. */
export interface Entry {
  other: string;
  amount: number;
}

/**
 * What one customer may do, and with it whoever this is passed on to. It is made anew for each call, from
 * the customer's name, so nothing is kept in it; its constructor may refuse.
 */
class SessionImpl extends RpcTarget {
  readonly #bank: BankImpl;
  readonly #user: string;

  constructor(bank: BankImpl, user: string) {
    super();
    this.#bank = bank;
    this.#user = user;
  }

  balance(): number {
    return this.#bank.balanceOf(this.#user);
  }

  /** Each transfer from now on, to the customer or from them. */
  statement(): Feed<Entry> {
    return this.#bank.statementOf(this.#user);
  }

  /** @returns what is left */
  transfer(to: string, amount: number): number | Promise<number> {
    return amount > ALERT_ABOVE ? this.#transferIfAgreed(to, amount) : this.#transfer(to, amount);
  }

  /** Has a client ask before each larger transfer, in the place of the one before. */
  onAlert(ask: Ask): void {
    this.#bank.setAlert(this.#user, ask);
  }

  /** Takes the session from all who hold it. The next login makes another. */
  logout(): void {
    this.#bank.setAlert(this.#user);
    revoke(this.#bank, this);
  }

  async #transferIfAgreed(to: string, amount: number): Promise<number> {
    const isAgreed = await this.#bank.ask(this.#user, `Pay ${amount} to ${to}?`);
    if (!isAgreed) throw new Error(`${this.#user} did not agree`);
    return this.#transfer(to, amount);
  }

  #transfer(to: string, amount: number): number {
    this.#bank.move(this.#user, to, amount);
    return this.balance();
  }
}

class BankImpl extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, [
      `CREATE TABLE accounts (
        user TEXT PRIMARY KEY, token_hash TEXT NOT NULL, balance INTEGER NOT NULL
      ) STRICT`,
    ]);
  }

  /** @param token - to log in with; whoever reads the storage finds only its hash */
  async register(user: string, token: string): Promise<void> {
    const hash = await hashOf(token);
    this.#query('INSERT OR IGNORE INTO accounts VALUES (?, ?, ?)', user, hash, GIFT);
    // The same once more is no mistake: who was cut off does not know whether it ran.
    if (!this.#isHashOf(user, hash)) throw new Error(`${user} is taken`);
  }

  async login(user: string, token: string): Promise<InstanceType<typeof Session>> {
    // One answer for both: it says nothing of who has an account.
    if (!this.#isHashOf(user, await hashOf(token))) throw new Error('Wrong name or token');
    return new Session(this, user);
  }

  balanceOf(user: string): number {
    return (
      this.#query<{ balance: number }>('SELECT * FROM accounts WHERE user = ?', user)[0]?.balance ??
      0
    );
  }

  statementOf(user: string): Feed<Entry> {
    return feed(this, `statement:${user}`);
  }

  /** All of it or, if something in it throws, nothing: neither the balances nor the entries. */
  move(from: string, to: string, amount: number): void {
    this.ctx.storage.transactionSync(() => {
      this.#add(from, -amount, to);
      this.#add(to, amount, from);
    });
  }

  /** A function cannot be stored, but its address can; to take it is to keep the function. */
  setAlert(user: string, ask?: Ask): void {
    const { kv } = this.ctx.storage;
    const key = `alert:${user}`;
    const before = kv.get<string>(key);
    if (before) dropCallback(this, before);
    if (ask) kv.put(key, addressOf(ask));
    else kv.delete(key);
  }

  /** Who is away does not agree. Whoever has never said how to be asked does. */
  ask(user: string, text: string): Promise<boolean> {
    const address = this.ctx.storage.kv.get<string>(`alert:${user}`);
    if (!address) return Promise.resolve(true);
    return callbackAt<Ask>(this, address)(text).catch(() => false);
  }

  #add(user: string, amount: number, other: string): void {
    const [account] = this.#query<{ balance: number }>(
      'UPDATE accounts SET balance = balance + ? WHERE user = ? RETURNING balance',
      amount,
      user,
    );
    if (!account) throw new Error(`There is no ${user}`);
    if (account.balance < 0) throw new Error(`${user} has not got ${-amount}`);
    this.statementOf(user).append({ other, amount });
  }

  #isHashOf(user: string, hash: string): boolean {
    return (
      this.#query('SELECT 1 FROM accounts WHERE user = ? AND token_hash = ?', user, hash).length > 0
    );
  }

  #query<Row extends Record<string, SqlStorageValue>>(
    statement: string,
    ...bindings: SqlStorageValue[]
  ): Row[] {
    return this.ctx.storage.sql.exec<Row>(statement, ...bindings).toArray();
  }
}

/** Enough for what nobody can guess, as a token is. A password would need a salt, and PBKDF2. */
async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const user = Type.String({ minLength: 1, maxLength: 50 });
/** As `crypto.randomUUID()` makes it. */
const token = Type.String({ format: 'uuid' });

/** The class, a schema for what its constructor takes after the object, and what can be called. */
export const Session = capability(SessionImpl, [user], {
  balance: { input: [], readonly: true, live: true },
  statement: { input: [], readonly: true },
  transfer: [user, Type.Integer({ minimum: 1, maximum: 1_000_000 })],
  onAlert: [Type.Function([Type.String()], Type.Boolean())],
  logout: [],
});
export type Session = InstanceType<typeof Session>;

export const Bank = lumenizeRpcDO(BankImpl, {
  register: [user, token],
  // It changes nothing, so one that was cut off is made again.
  login: { input: [user, token], returns: Session, readonly: true },
});
export type Bank = InstanceType<typeof Bank>;
