/**
 * The object that the tests of capabilities use, and its capabilities. It counts how many capabilities are made, so
 * that a test sees if a capability was made for a rejected call. It runs in the Workers runtime.
 */
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import {
  capability,
  closeClients,
  currentCaller,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  revoke,
  rows,
  stream,
} from '../../../src/server.ts';

const Name = Type.String({ minLength: 1, maxLength: 64 });
const Amount = Type.Integer({ minimum: 1 });

/** The things that a customer can do. */
class SessionImpl extends RpcTarget {
  readonly #bank: BankImpl;
  readonly #user: string;

  constructor(bank: BankImpl, user: string) {
    super();
    bank.countMade();
    bank.refuseIfBarred(user);
    this.#bank = bank;
    this.#user = user;
  }

  balance(): number {
    return this.#bank.balanceOf(this.#user);
  }

  transfer(to: string, amount: number): number {
    return this.#bank.move(this.#user, to, amount);
  }

  /** Transfers after a short time. */
  transferLater(to: string, amount: number): Promise<number> {
    return scheduler.wait(20).then(() => this.transfer(to, amount));
  }

  /** Transfers with each item. This stream is not readonly. */
  *payOut(to: string, times: number): Generator<number> {
    for (let time = 0; time < times; time++) yield this.transfer(to, 1);
  }

  inbox(): Feed<string> {
    return feed<string>(this.#bank, `inbox:${this.#user}`);
  }

  /** Returns a capability that can do less. */
  viewer(): InstanceType<typeof Viewer> {
    return new Viewer(this.#bank, this.#user, { since: 0 });
  }

  /** Returns a capability inside a live value. */
  liveViewer(): { viewer: InstanceType<typeof Viewer>; balance: number } {
    return { viewer: this.viewer(), balance: this.balance() };
  }

  /** Returns capabilities inside rows with keys. */
  viewers(): { of: string; viewer: InstanceType<typeof Viewer>; balance: number }[] {
    return ['a', 'b'].map((of) => ({
      of,
      viewer: this.viewer(),
      balance: of === 'a' ? this.balance() : 0,
    }));
  }

  caller(): unknown {
    return currentCaller();
  }

  /** Yields a capability. */
  *views(): Generator<InstanceType<typeof Viewer>> {
    yield this.viewer();
  }

  *rows(after?: string): Generator<{ place: string; viewer: InstanceType<typeof Viewer> }> {
    if (after === undefined) yield { place: 'a', viewer: this.viewer() };
  }

  fail(): never {
    throw new RangeError(`${this.#user} fails`);
  }

  logout(): void {
    revoke(this.#bank, this);
  }

  /** The contract does not list this method. */
  secret(): string {
    return 'secret';
  }
}

/** A capability that only reads. Its address is more than a text. */
class ViewerImpl {
  readonly #bank: BankImpl;
  readonly #user: string;
  readonly #since: number;

  constructor(bank: BankImpl, user: string, { since }: { since: number }) {
    bank.countMade();
    this.#bank = bank;
    this.#user = user;
    this.#since = since;
  }

  balance(): number {
    return this.#bank.balanceOf(this.#user) + this.#since;
  }
}

/** A capability that no contract lists. */
class StrayImpl {
  balance(): number {
    return 0;
  }
}

export const Viewer = capability(ViewerImpl, [Name, Type.Object({ since: Type.Integer() })], {
  balance: live(),
});

export const Session = capability(SessionImpl, [Name], {
  balance: live(),
  transfer: [Name, Amount],
  transferLater: [Name, Amount],
  payOut: stream([Name, Amount]),
  inbox: events(),
  viewer: { input: [], returns: Viewer },
  liveViewer: live([], { returns: Viewer }),
  viewers: live([], { key: 'of', returns: Viewer }),
  views: stream([], { readonly: true, returns: Viewer }),
  rows: rows('place', [Type.Optional(Name)], { returns: Viewer }),
  caller: read(),
  fail: [],
  logout: [],
});

const Stray = capability(StrayImpl, [], { balance: [] });

export class BankImpl extends DurableObject<Env> {
  countMade(): void {
    this.ctx.storage.kv.put('made', this.made() + 1);
  }

  /** Returns how many capabilities have been made. */
  made(): number {
    return this.ctx.storage.kv.get<number>('made') ?? 0;
  }

  refuseIfBarred(user: string): void {
    if (this.ctx.storage.kv.get(`barred:${user}`)) throw new RangeError(`${user} is barred`);
  }

  bar(user: string): void {
    this.ctx.storage.kv.put(`barred:${user}`, true);
  }

  balanceOf(user: string): number {
    return this.ctx.storage.kv.get<number>(`balance:${user}`) ?? 100;
  }

  move(from: string, to: string, amount: number): number {
    const left = this.balanceOf(from) - amount;
    if (left < 0) throw new RangeError('Not enough');
    this.ctx.storage.kv.put(`balance:${from}`, left);
    this.ctx.storage.kv.put(`balance:${to}`, this.balanceOf(to) + amount);
    feed<string>(this, `inbox:${to}`).append(`${amount} from ${from}`);
    return left;
  }

  login(token: string): InstanceType<typeof Session> {
    if (!token.startsWith('token of ')) throw new RangeError('Wrong token');
    return new Session(this, token.slice('token of '.length));
  }

  async loginLater(token: string): Promise<InstanceType<typeof Session>> {
    await scheduler.wait(20);
    return this.login(token);
  }

  /** Does what `login` does, but is readonly, so it is not in the journal. */
  peek(token: string): InstanceType<typeof Session> {
    return this.login(token);
  }

  both(one: string, other: string): { mine: InstanceType<typeof Session>; its: unknown[] } {
    return { mine: new Session(this, one), its: [new Viewer(this, other, { since: 0 })] };
  }

  total(session: InstanceType<typeof Session>, more: number): number {
    return session.balance() + more;
  }

  totalOf({ session }: { session?: InstanceType<typeof Session> }): number {
    return session?.balance() ?? 0;
  }

  giveStray(): object {
    return new Stray();
  }

  giveUnfit(): object {
    return new Session(this, '');
  }

  takeBack(user: string): void {
    revoke(this, new Session(this, user));
  }

  profile(): { name: string } {
    return { name: 'Ann' };
  }

  clear(): void {
    void this.ctx.storage.deleteAll();
  }

  /** Ends the connections of a caller, and returns their number. */
  closeFor(user: string): number {
    return closeClients<string>(this, (caller) => caller === user);
  }

  lives(): number {
    return 1;
  }

  /** Returns the storage keys of the capabilities. */
  sealed(): string[] {
    return Array.from(this.ctx.storage.kv.list({ prefix: '__rpc_capability:' }), ([key]) => key);
  }

  /** Returns how many clients have a row in the journal. */
  journaled(): number {
    return [...this.ctx.storage.kv.list({ prefix: '__rpc_journal:' })].length;
  }
}

const Token = Type.String();

const isSession = Type.Refine(
  Type.Unsafe<InstanceType<typeof Session>>({}),
  (value) => value instanceof Session,
);

const contract = {
  login: { input: [Token], returns: Session },
  loginLater: { input: [Token], returns: Session },
  peek: { input: [Token], returns: Session, readonly: true },
  both: { input: [Name, Name], returns: [Session, Viewer] },
  total: read([Session, Type.Integer()]),
  totalOf: read([Type.Object({ session: Type.Optional(isSession) })]),
  giveStray: [],
  giveUnfit: [],
  takeBack: [Name],
  bar: [Name],
  made: read(),
  profile: read(),
  clear: [],
  closeFor: [Name],
  lives: read(),
  sealed: read(),
  journaled: read(),
} as const;

export const Bank = lumenizeRpcDO(BankImpl, contract);
export type Bank = InstanceType<typeof Bank>;

export const Unjournaled = lumenizeRpcDO(BankImpl, contract, { journal: false });

export const Resident = lumenizeRpcDO(BankImpl, contract, { hibernate: false });
export type Session = InstanceType<typeof Session>;

export const Scrubbing = lumenizeRpcDO(BankImpl, contract, {
  onError: (_, { method }) => new Error(`${method} failed`),
});
