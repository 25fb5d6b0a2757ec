/**
 * An object that is given streams, and reads them in every way: whole, in part, slowly, not at all. What it has taken
 * is in its storage.
 */
import { DurableObject } from 'cloudflare:workers';
import { type Failure, failureIn } from '../../served/failures.ts';
import { Gates } from '../../served/gates.ts';

/** What came of reading a stream. */
export interface Outcome {
  items: unknown[];
  error?: Failure;
}

export class Files extends DurableObject<Env> {
  readonly #gates = new Gates();
  #late: AsyncIterable<unknown> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.kv.put('lives', this.lives() + 1);
  }

  /** Takes all, and says what it was. */
  async all(values: AsyncIterable<unknown>): Promise<unknown[]> {
    const items: unknown[] = [];
    for await (const value of values) items.push(value);
    return items;
  }

  /** The same of texts, each stored before the next is taken. */
  async upload(name: string, lines: AsyncIterable<string>): Promise<number> {
    this.ctx.storage.kv.put(`runs:${name}`, this.runs(name) + 1);
    let count = 0;
    for await (const line of lines) {
      count++;
      this.ctx.storage.kv.put(`line:${name}:${String(count).padStart(9, '0')}`, line);
    }
    return count;
  }

  /** What is stored of an upload. */
  lines(name: string): string[] {
    return Array.from(
      this.ctx.storage.kv.list<string>({ prefix: `line:${name}:` }),
      ([, line]) => line,
    );
  }

  runs(name: string): number {
    return this.ctx.storage.kv.get<number>(`runs:${name}`) ?? 0;
  }

  /** Takes one each time `release` is called. */
  async slowly(name: string, values: AsyncIterable<unknown>): Promise<number> {
    let count = 0;
    for await (const value of values) {
      count++;
      this.ctx.storage.kv.put(`taken:${name}`, [count, value]);
      await this.#gates.wait(name);
    }
    return count;
  }

  /** What `slowly` has taken: how many, and the last. */
  taken(name: string): [number, unknown] | undefined {
    return this.ctx.storage.kv.get<[number, unknown]>(`taken:${name}`);
  }

  /** Returns its argument when it is released. */
  async gated(name: string): Promise<string> {
    await this.#gates.wait(name);
    return name;
  }

  /** Reads nothing until it is released, and then all or nothing. */
  async hold(name: string, reads: boolean, values: AsyncIterable<unknown>): Promise<number> {
    await this.#gates.wait(name);
    let count = 0;
    if (reads) for await (const _ of values) count++;
    return count;
  }

  /** Reads so many, and says what they were, when it is released. */
  async take(name: string, count: number, values: AsyncIterable<unknown>): Promise<unknown[]> {
    const items: unknown[] = [];
    for await (const value of values) {
      items.push(value);
      if (items.length === count) break;
    }
    await this.#gates.wait(name);
    return items;
  }

  release(name: string): boolean {
    return this.#gates.release(name);
  }

  isHolding(name: string): boolean {
    return this.#gates.isWaiting(name);
  }

  /** Reads all, and tells of its failure instead of failing. */
  async outcome(values: AsyncIterable<unknown>): Promise<Outcome> {
    return this.#outcomeOf(values);
  }

  /** The same, stored: for a caller that is not there at the end. */
  async note(name: string, values: AsyncIterable<unknown>): Promise<void> {
    this.ctx.storage.kv.put(`noted:${name}`, await this.#outcomeOf(values));
  }

  noted(name: string): Outcome | undefined {
    return this.ctx.storage.kv.get<Outcome>(`noted:${name}`);
  }

  async sum(numbers: AsyncIterable<number>): Promise<number> {
    let sum = 0;
    for await (const number of numbers) sum += number;
    return sum;
  }

  async outcomeOfNumbers(numbers: AsyncIterable<number>): Promise<Outcome> {
    return this.#outcomeOf(numbers);
  }

  async throwAfter(count: number, values: AsyncIterable<unknown>): Promise<void> {
    let taken = 0;
    for await (const _ of values) {
      if (++taken === count) throw new RangeError(`after ${count}`);
    }
  }

  async zip(first: AsyncIterable<string>, second: AsyncIterable<string>): Promise<string[]> {
    const pairs: string[] = [];
    const others = second[Symbol.asyncIterator]();
    for await (const item of first) {
      const other = await others.next();
      pairs.push(`${item}${other.done ? '' : other.value}`);
    }
    return pairs;
  }

  /** Asks for all at once, before the first is there. */
  async atOnce(count: number, values: AsyncIterable<unknown>): Promise<unknown[]> {
    const iterator = values[Symbol.asyncIterator]();
    return Promise.all(Array.from({ length: count }, () => iterator.next()));
  }

  /** By a stream of the runtime's own. */
  async throughStream(values: AsyncIterable<unknown>): Promise<unknown[]> {
    const items: unknown[] = [];
    // The types of workerd do not have it.
    const { from } = ReadableStream as unknown as {
      from(source: AsyncIterable<unknown>): ReadableStream<unknown>;
    };
    const reader = from.call(ReadableStream, values).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return items;
      items.push(value);
    }
  }

  /** How much there is of bytes, and their hash. */
  async bytes(pieces: AsyncIterable<Uint8Array>): Promise<{ sizes: number[]; hash: string }> {
    const sizes: number[] = [];
    const digest = new crypto.DigestStream('SHA-256');
    const writer = digest.getWriter();
    for await (const piece of pieces) {
      sizes.push(piece.length);
      await writer.write(piece);
    }
    await writer.close();
    const hash = new Uint8Array(await digest.digest);
    return { sizes, hash: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  }

  async readTwice(values: AsyncIterable<unknown>): Promise<Outcome[]> {
    return [await this.#outcomeOf(values), await this.#outcomeOf(values)];
  }

  /** Keeps what it should not, and reads it in `readLate`. */
  keepInMemory(values: AsyncIterable<unknown>): void {
    this.#late = values;
  }

  async readLate(): Promise<Outcome> {
    return this.#outcomeOf(this.#late as AsyncIterable<unknown>);
  }

  async later(text: string, delay: number): Promise<string> {
    await scheduler.wait(delay);
    return text;
  }

  async fail(): Promise<string> {
    await scheduler.wait(10);
    throw new RangeError('no text');
  }

  /** May be given anything. */
  any(value: unknown): string {
    return typeof value;
  }

  inside(value: { values?: unknown }): string {
    return typeof value.values;
  }

  one(): number {
    return 1;
  }

  lives(): number {
    return this.ctx.storage.kv.get<number>('lives') ?? 0;
  }

  async #outcomeOf(values: AsyncIterable<unknown>): Promise<Outcome> {
    const items: unknown[] = [];
    try {
      for await (const value of values) items.push(value);
      return { items };
    } catch (thrown) {
      return { items, error: failureIn(thrown) };
    }
  }
}
