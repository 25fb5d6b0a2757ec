/**
 * An object that calls its clients back in every way: at once and later, in order, from an alarm, with tokens that
 * it stores. It also stores the answers.
 */
import { DurableObject } from 'cloudflare:workers';
import { type Failure, failureIn } from '../../served/failures.ts';
import { Gates } from '../../served/gates.ts';
import {
  callbackAt,
  currentCaller,
  dropCallback,
  feed,
  type Feed,
  tokenOf,
} from '../../../src/server.ts';

export type Ask = (text: string) => Promise<boolean>;
export type Tell = (percent: number) => void;
export type Repeat = (...values: unknown[]) => Promise<unknown>;

/** The result of calling a callback. */
export interface Outcome extends Failure {
  result?: unknown;
}

export class Caller extends DurableObject<Env> {
  readonly #gates = new Gates();
  #late: Repeat | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.kv.put('lives', this.lives() + 1);
  }

  /** Reports progress, and does not wait for the callbacks. */
  load(count: number, onProgress: Tell): number {
    for (let percent = 1; percent <= count; percent++) onProgress(percent);
    return count;
  }

  async ask(text: string, onAsk: Ask): Promise<boolean> {
    return onAsk(text);
  }

  /** Calls the callback `count` times, each time after the last answer. */
  async askTimes(count: number, onAsk: Ask): Promise<number> {
    let yes = 0;
    for (let index = 0; index < count; index++) if (await onAsk('again')) yes++;
    return yes;
  }

  async repeat(values: unknown[], onRepeat: Repeat): Promise<unknown> {
    return onRepeat(...values);
  }

  async repeatUnsendable(onRepeat: Repeat): Promise<unknown> {
    return onRepeat({ f: () => 1 });
  }

  async textLater(): Promise<string> {
    await scheduler.wait(1);
    return 'later';
  }

  /** Calls the callback `count` times at once, and returns all results. */
  async outcomes(count: number, onAsk: Ask): Promise<Outcome[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => outcomeOf(onAsk(`${index}`))));
  }

  /** Does what `outcomes` does without waiting. `heard` returns the results. */
  begin(name: string, count: number, onAsk: Ask): void {
    for (let index = 0; index < count; index++) this.#hear(`${name}${index}`, onAsk(`${index}`));
  }

  /** Calls the callback once for each `release(name, false)`, and ends after `release(name, true)`. */
  async hold(name: string, onAsk: Ask): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (;;) {
      this.ctx.storage.kv.put(`holding:${name}`, outcomes.length + 1);
      await this.#gates.wait(name);
      if (this.ctx.storage.kv.get(`done:${name}`)) return outcomes;
      outcomes.push(await outcomeOf(onAsk(name)));
    }
  }

  release(name: string, isDone: boolean): boolean {
    if (isDone) this.ctx.storage.kv.put(`done:${name}`, true);
    return this.#gates.release(name);
  }

  isHolding(name: string): boolean {
    return this.#gates.isWaiting(name);
  }

  /** Calls the callbacks that it gets. */
  async nested({ name, on }: Nested): Promise<unknown[]> {
    return [
      name,
      await on?.ask?.('nested'),
      ...(await Promise.all((on?.each ?? []).map((one) => one(1)))),
    ];
  }

  async twice(first: Ask, second: (text: string) => Promise<string>): Promise<Outcome[]> {
    return Promise.all([outcomeOf(first('first')), outcomeOf(second('second'))]);
  }

  async maybe(onAsk?: Ask): Promise<string> {
    return onAsk ? String(await onAsk('maybe')) : 'nothing';
  }

  /** Accepts any value. */
  any(value: unknown): string {
    return typeof value;
  }

  /** Keeps a callback longer than it may, and calls it in `callLate`. */
  keepInMemory(onRepeat: Repeat): void {
    this.#late = onRepeat;
  }

  async callLate(): Promise<Outcome> {
    return outcomeOf(this.#late?.('late') ?? Promise.resolve('nothing'));
  }

  addressLate(): string {
    return tokenOf(this.#late ?? {});
  }

  onAlert(name: string, ask: Ask): string {
    const address = tokenOf(ask);
    this.ctx.storage.kv.put(`alert:${name}`, address);
    return address;
  }

  /** Stores a token, and throws. */
  onAlertAndThrow(name: string, ask: Ask): void {
    this.onAlert(name, ask);
    throw new RangeError('after the address');
  }

  /** Stores a token, and ends after `release` is called. */
  async onAlertAndWait(name: string, ask: Ask): Promise<void> {
    this.onAlert(name, ask);
    await this.#gates.wait(name);
  }

  async alert(name: string): Promise<Outcome> {
    return outcomeOf(this.#askAt(name)('alert'));
  }

  /** Does what `alert` does without waiting. `heard` returns the result. */
  alertSoon(name: string): void {
    this.#hear(name, this.#askAt(name)('alert'));
  }

  addressAgain(name: string): string {
    return tokenOf(this.#askAt(name));
  }

  drop(name: string): void {
    dropCallback(this, this.ctx.storage.kv.get<string>(`alert:${name}`) ?? '');
  }

  async alertIn(delay: number): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + delay);
  }

  override async alarm(): Promise<void> {
    this.ctx.storage.kv.put('heard:alarm', await this.alert('alarm'));
  }

  /** Calls the callback of any text that claims to be a token. */
  async alertAt(address: string): Promise<Outcome> {
    try {
      return await outcomeOf(callbackAt<Ask>(this, address)('at'));
    } catch (error) {
      return failureIn(error);
    }
  }

  address(name: string): string {
    return this.ctx.storage.kv.get<string>(`alert:${name}`) ?? '';
  }

  setAddress(name: string, address: string): void {
    this.ctx.storage.kv.put(`alert:${name}`, address);
  }

  heard(name: string): Outcome | undefined {
    return this.ctx.storage.kv.get<Outcome>(`heard:${name}`);
  }

  who(): unknown {
    return currentCaller();
  }

  events(): Feed<string> {
    return feed(this, 'events');
  }

  /** Takes a function in a subscription. */
  eventsOf(_onAsk: Ask): Feed<string> {
    return this.events();
  }

  say(event: string): void {
    this.events().append(event);
  }

  one(): number {
    return 1;
  }

  lives(): number {
    return this.ctx.storage.kv.get<number>('lives') ?? 0;
  }

  #askAt(name: string): Ask {
    return callbackAt<Ask>(this, this.address(name));
  }

  #hear(name: string, answer: Promise<unknown>): void {
    void outcomeOf(answer).then((outcome) => this.ctx.storage.kv.put(`heard:${name}`, outcome));
  }
}

export interface Nested {
  name: string;
  on?: { ask?: Ask; each?: ((value: number) => Promise<number>)[] };
}

async function outcomeOf(answer: Promise<unknown>): Promise<Outcome> {
  try {
    return { result: await answer };
  } catch (error) {
    return failureIn(error);
  }
}
