/**
 * A Durable Object that customers log in to: a bank. It shows a capability, which a login returns, and whose methods are
 * all that its holder can call. It also shows a transaction, and a client's function that is stored and
 * called later.
 */
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import {
  callback,
  callbackAt,
  capability,
  dropCallback,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  migrate,
  revoke,
  type RpcObject,
  tokenOf,
} from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

/** The initial balance of a customer. */
const GIFT = 100;

/** Before a transfer above this amount, the customer is asked, if the customer has set an alert. */
const ALERT_ABOVE = 50;

/** A client's function that asks the customer a question. */
type Ask = (text: string) => Promise<boolean>;

/** A line of a statement. A positive amount was received, a negative amount was paid. */
export interface Entry {
  other: string;
  amount: number;
}

/**
 * The methods that a customer can call after a login. Anyone who gets the session from the customer can call
 * them too. An instance is created for each call, from the customer's name, so it keeps no state. Its
 * constructor can throw to reject the call.
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

  /** Returns a feed of the transfers to and from the customer, from now on. */
  statement(): Feed<Entry> {
    return this.#bank.statementOf(this.#user);
  }

  /** @returns the remaining balance */
  transfer(to: string, amount: number): number | Promise<number> {
    return amount > ALERT_ABOVE ? this.#transferIfAgreed(to, amount) : this.#transfer(to, amount);
  }

  /**
   * Sets the function that asks the customer before each larger transfer. It replaces the function before it.
   */
  onAlert(ask: Ask): void {
    this.#bank.setAlert(this.#user, ask);
  }

  /** Revokes the session for everyone who holds it. The next login creates a new session. */
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

  /** @param token - the secret for logins; the storage contains only its hash */
  async register(user: string, token: string): Promise<void> {
    const hash = await hashOf(token);
    this.#query('INSERT OR IGNORE INTO accounts VALUES (?, ?, ?)', user, hash, GIFT);
    // A repeated registration is not an error, because a client may not know whether the first registration ran.
    if (!this.#isHashOf(user, hash)) throw new Error(`The name ${user} is taken: choose another`);
  }

  async login(user: string, token: string): Promise<Session> {
    // Both mistakes get the same error, so that it does not reveal who has an account.
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

  /** Changes both balances and both statements, or nothing if an error is thrown. */
  move(from: string, to: string, amount: number): void {
    this.ctx.storage.transactionSync(() => {
      this.#add(from, -amount, to);
      this.#add(to, amount, from);
    });
  }

  /**
   * Stores the token of a function, because a function itself cannot be stored. `tokenOf` also keeps the function
   * callable after this call has ended.
   */
  setAlert(user: string, ask?: Ask): void {
    const { kv } = this.ctx.storage;
    const key = `alert:${user}`;
    const before = kv.get<string>(key);
    if (before) dropCallback(this, before);
    if (ask) kv.put(key, tokenOf(ask));
    else kv.delete(key);
  }

  /** Asks a customer. The answer is no if the customer is disconnected, and yes if the customer has set no alert. */
  ask(user: string, text: string): Promise<boolean> {
    const token = this.ctx.storage.kv.get<string>(`alert:${user}`);
    if (!token) return Promise.resolve(true);
    return callbackAt<Ask>(this, token)(text).catch(() => false);
  }

  #add(user: string, amount: number, other: string): void {
    const [account] = this.#query<{ balance: number }>(
      'UPDATE accounts SET balance = balance + ? WHERE user = ? RETURNING balance',
      amount,
      user,
    );
    if (!account) throw new Error(`There is no customer ${user}`);
    if (account.balance < 0) throw new Error(`${user} has less than ${-amount}`);
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

/** A plain hash is enough for a random token. A password would need a salt and PBKDF2. */
async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const user = Type.String({ minLength: 1, maxLength: 50 });
/** A token has the form that `crypto.randomUUID()` returns. */
const token = Type.String({ format: 'uuid' });
const amount = Type.Integer({ minimum: 1, maximum: 1_000_000 });

/** The class, a schema for each constructor parameter after the object, and the contract of its methods. */
export const Session = capability(SessionImpl, [user], {
  balance: live(),
  statement: events(),
  transfer: [user, amount],
  onAlert: [callback([Type.String()], Type.Boolean())],
  logout: [],
});
export type Session = RpcObject<typeof Session>;

export const Bank = lumenizeRpcDO(BankImpl, {
  register: [user, token],
  // A login changes nothing, so it can run again after a lost connection.
  login: { input: [user, token], returns: Session, readonly: true },
});
export type Bank = RpcObject<typeof Bank>;
