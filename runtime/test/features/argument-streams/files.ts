/**
 * An object that gets streams, and reads them in every way: completely, in part, slowly, not at all. It stores the
 * items that it has taken.
 */
import { DurableObject } from 'cloudflare:workers';
import { type Failure, failureIn } from '../../served/failures.ts';
import { Gates } from '../../served/gates.ts';

/** The result of reading a stream. */
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

  /** Reads all items, and returns them. */
  async all(values: AsyncIterable<unknown>): Promise<unknown[]> {
    const items: unknown[] = [];
    for await (const value of values) items.push(value);
    return items;
  }

  /** Reads all texts, and stores each before it takes the next. */
  async upload(name: string, lines: AsyncIterable<string>): Promise<number> {
    this.ctx.storage.kv.put(`runs:${name}`, this.runs(name) + 1);
    let count = 0;
    for await (const line of lines) {
      count++;
      this.ctx.storage.kv.put(`line:${name}:${String(count).padStart(9, '0')}`, line);
    }
    return count;
  }

  /** Returns the stored texts of an upload. */
  lines(name: string): string[] {
    return Array.from(
      this.ctx.storage.kv.list<string>({ prefix: `line:${name}:` }),
      ([, line]) => line,
    );
  }

  runs(name: string): number {
    return this.ctx.storage.kv.get<number>(`runs:${name}`) ?? 0;
  }

  /** Takes an item each time `release` is called. */
  async slowly(name: string, values: AsyncIterable<unknown>): Promise<number> {
    let count = 0;
    for await (const value of values) {
      count++;
      this.ctx.storage.kv.put(`taken:${name}`, [count, value]);
      await this.#gates.wait(name);
    }
    return count;
  }

  /** Returns how many items `slowly` has taken, and the last of them. */
  taken(name: string): [number, unknown] | undefined {
    return this.ctx.storage.kv.get<[number, unknown]>(`taken:${name}`);
  }

  /** Returns its argument after `release` is called. */
  async gated(name: string): Promise<string> {
    await this.#gates.wait(name);
    return name;
  }

  /** Waits until `release` is called, and then reads all items or none. */
  async hold(name: string, reads: boolean, values: AsyncIterable<unknown>): Promise<number> {
    await this.#gates.wait(name);
    let count = 0;
    if (reads) for await (const _ of values) count++;
    return count;
  }

  /** Reads `count` items, and returns them after `release` is called. */
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

  /** Reads all items, and returns the failure instead of throwing it. */
  async outcome(values: AsyncIterable<unknown>): Promise<Outcome> {
    return this.#outcomeOf(values);
  }

  /** Does what `outcome` does, and stores the result for a caller that is not connected at the end. */
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

  /** Requests `count` items at once, before the first has arrived. */
  async atOnce(count: number, values: AsyncIterable<unknown>): Promise<unknown[]> {
    const iterator = values[Symbol.asyncIterator]();
    return Promise.all(Array.from({ length: count }, () => iterator.next()));
  }

  /** Reads the items through a `ReadableStream` of the runtime. */
  async throughStream(values: AsyncIterable<unknown>): Promise<unknown[]> {
    const items: unknown[] = [];
    // The types of workerd lack `ReadableStream.from`.
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

  /** Returns the sizes of the pieces, and the hash of all bytes. */
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

  /** Keeps the stream longer than it may, and reads it in `readLate`. */
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

  /** Accepts any value. */
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
