/**
 * An object with feeds of each kind and live values. It appends and changes them at every place from which a class can
 * do so.
 */
import { DurableObject } from 'cloudflare:workers';
import {
  changed,
  currentCaller,
  feed,
  type Feed,
  type FeedPage,
  RpcError,
} from '../../../../src/server.ts';

/** An event of a feed that begins with a snapshot. */
export type SeatEvent = { type: 'all'; seats: string[] } | { type: 'taken'; seat: string };

export class Broadcaster extends DurableObject<Env> {
  /** The number of runs of each live method in this life of the object. */
  readonly #runs: Record<string, number> = {};
  #last: unknown;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.kv.put('lives', this.lives() + 1);
    if (ctx.storage.kv.get('appendsInConstructor')) this.events().append(`life ${this.lives()}`);
  }

  events(): Feed<unknown> {
    return feed(this, 'events');
  }

  /** Keeps few events, and sends even fewer ahead. */
  small(): Feed<number> {
    return feed(this, 'small', { keep: 10, window: 4 });
  }

  /** Sends many events ahead. */
  wide(): Feed<string> {
    return feed(this, 'wide', { window: 1_000 });
  }

  sayWide(text: string, count: number): void {
    for (let index = 0; index < count; index++) this.wide().append(`${index} ${text}`);
  }

  inbox(user: string): Feed<string> {
    return feed(this, `inbox:${user}`);
  }

  seats(): Feed<SeatEvent> {
    return feed(this, 'seats', {
      keep: 10,
      snapshot: () => ({ type: 'all', seats: this.taken() }),
    });
  }

  /** Returns a page of three events. */
  page(name: 'events' | 'small' | 'seats', before?: string): FeedPage<unknown> {
    const all: Feed<unknown> = this[name]();
    return all.read({ before, limit: 3 });
  }

  /** Deletes everything, and then takes `count` seats again. */
  async startOver(count: number): Promise<void> {
    await this.ctx.storage.deleteAll();
    for (let seat = 1; seat <= count; seat++) this.take(`again ${seat}`);
  }

  /** Begins with a snapshot that has the caller, or whose function throws. */
  greeting(fails: boolean): Feed<unknown> {
    const snapshot = (): unknown => {
      if (fails) throw new RangeError('a secret');
      return { to: currentCaller() };
    };
    return feed<unknown>(this, 'greeting', { snapshot });
  }

  taken(): string[] {
    return this.ctx.storage.kv.get<string[]>('taken') ?? [];
  }

  *shelf(after = 0): Generator<{ number: number }> {
    for (let number = after + 1; ; number++) yield { number };
  }

  /** Returns the seats as rows with keys. */
  places(): { seat: string }[] {
    return this.taken().map((seat) => ({ seat }));
  }

  /** Returns the taken seats, and the cursor after them. */
  takenAndCursor(): { taken: string[]; cursor: string } {
    return { taken: this.taken(), cursor: this.seats().cursor };
  }

  take(seat: string): void {
    this.ctx.storage.kv.put('taken', [...this.taken(), seat]);
    this.seats().append({ type: 'taken', seat });
  }

  say(...events: unknown[]): number {
    this.#last = events.at(-1);
    this.events().append(...events);
    return events.length;
  }

  sayUnsendable(): void {
    this.events().append('a', () => {});
  }

  /** Makes the live method `getSide` append the text. */
  sayAsSideEffect(text: string): void {
    this.ctx.storage.kv.put('side', text);
  }

  /** A live method that appends an event, which it should not do. */
  getSide(): string {
    const side = this.ctx.storage.kv.get<string>('side') ?? '';
    this.ctx.storage.kv.delete('side');
    if (side) this.events().append(side);
    return side;
  }

  /** Returns the last event. */
  last(): unknown {
    return this.#last;
  }

  saySmall(count: number): void {
    for (let index = 0; index < count; index++) this.small().append(index);
  }

  write(user: string, text: string): void {
    this.inbox(user).append(text);
  }

  sayAndThrow(text: string): void {
    this.events().append(text);
    throw new RangeError('after the event');
  }

  sayAndRollBack(text: string): void {
    const roll = (): void => {
      this.events().append(text);
      throw new RangeError('rolled back');
    };
    try {
      this.ctx.storage.transactionSync(roll);
    } catch {
      // The transaction has removed the event.
    }
  }

  /** Appends in an asynchronous transaction, which can fail after the time at which its event could have been sent. */
  async sayInTransaction(text: string, fails: boolean): Promise<void> {
    // oxlint-disable-next-line durable-object/no-async-storage -- this method tests it
    await this.ctx.storage.transaction(async () => {
      this.events().append(text);
      this.setTopic(text);
      changed(this);
      await scheduler.wait(5);
      if (fails) throw new RangeError('rolled back');
    });
  }

  /** Begins this transaction, and returns before it ends. */
  beginTransaction(text: string, fails: boolean): void {
    void this.sayInTransaction(text, fails).catch(() => {});
  }

  /** Begins this transaction in an alarm. */
  async transactInAlarm(text: string, fails: boolean): Promise<void> {
    this.ctx.storage.kv.put('transaction', [text, fails]);
    await this.ctx.storage.setAlarm(Date.now());
  }

  async saySoon(text: string): Promise<string> {
    await scheduler.wait(1);
    this.events().append(text);
    return text;
  }

  async sayInAlarm(delay = 0): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + delay);
  }

  sayInConstructor(): void {
    this.ctx.storage.kv.put('appendsInConstructor', true);
  }

  override async alarm(): Promise<void> {
    const transaction = this.ctx.storage.kv.get<[string, boolean]>('transaction');
    if (transaction) {
      this.ctx.storage.kv.delete('transaction');
      await this.sayInTransaction(...transaction).catch(() => {});
      this.ctx.storage.kv.put('transacted', true);
      return;
    }
    this.events().append('alarm');
    this.ctx.storage.kv.put('topic', 'alarm');
    changed(this);
  }

  /** The contract does not list this method, so only native RPC can call it. */
  native(text: string): void {
    this.events().append(text);
  }

  getTopic(): string {
    this.#count('getTopic');
    return this.ctx.storage.kv.get<string>('topic') ?? '';
  }

  setTopic(topic: string): void {
    this.ctx.storage.kv.put('topic', topic);
  }

  /** Changes the topic in a later turn. */
  async setTopicSoon(topic: string): Promise<void> {
    await scheduler.wait(1);
    this.setTopic(topic);
  }

  /** Returns a value that depends on the caller. */
  mine(): unknown {
    this.#count('mine');
    return [currentCaller(), this.getTopic()];
  }

  repeat(value: unknown): unknown {
    this.#count('repeat');
    return [value, this.getTopic()];
  }

  failing(): string {
    if (this.getTopic() === 'fail') throw new RangeError('no topic');
    return this.getTopic();
  }

  /** Returns a promise that the compiler does not see. */
  late(): unknown {
    return Promise.resolve(1);
  }

  nothing(): void {}

  expiring(): string {
    throw new RpcError('CURSOR_EXPIRED', 'thrown by the class');
  }

  setTopicAndThrow(topic: string): void {
    this.setTopic(topic);
    throw new RangeError('after the change');
  }

  /** True if the transaction of the alarm has ended. */
  transacted(): boolean {
    return this.ctx.storage.kv.get('transacted') === true;
  }

  notLive(): number {
    return 1;
  }

  runs(): Record<string, number> {
    return { ...this.#runs };
  }

  lives(): number {
    return this.ctx.storage.kv.get<number>('lives') ?? 0;
  }

  rowsWritten(): number {
    return this.ctx.storage.sql.exec('SELECT total_changes() AS rows').one()['rows'] as number;
  }

  keys(): string[] {
    return Array.from(this.ctx.storage.kv.list({ prefix: '__rpc_feed:' }), ([key]) => key);
  }

  async forgetAll(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #count(method: string): void {
    this.#runs[method] = (this.#runs[method] ?? 0) + 1;
  }
}
