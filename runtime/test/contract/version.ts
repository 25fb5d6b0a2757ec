/** A version of a class: its contract, its methods, and a page that was built with it. */
import { Compile } from 'typebox/schema';
import { presence, subscribe } from '../../src/client.ts';
import type { Present } from '../../src/client.ts';
import type { Contract } from '../../src/server.ts';

/** A class at one time, and a page that was built with it. */
export interface Version {
  readonly contract: Contract;
  /**
   * The results that calls of a method return in turns, or its events, items or rows. Default:
   * nothing.
   */
  readonly answers?: Readonly<Record<string, readonly unknown[]>>;
  /** True if the feeds are volatile. */
  readonly isVolatile?: boolean;
  /** The methods with code of their own. */
  readonly object?: Readonly<Record<string, (this: never, ...args: never[]) => unknown>>;
  /** The calls that its page makes. */
  readonly sends?: readonly (readonly [method: string, ...args: unknown[]])[];
  /** The subscriptions that its page opens. */
  readonly follows?: readonly (readonly [method: string, ...args: unknown[]])[];
  /** The data that its page shows in a presence. */
  readonly says?: readonly (readonly [method: string, ...said: unknown[]])[];
  /** Further actions of its page. */
  readonly page?: (page: Page) => Promise<void>;
  /** Begins something before a deployment. The returned function continues after it. */
  readonly open?: (page: Page) => Promise<() => Promise<void>>;
  /**
   * Keeps something from before a deployment, such as a capability. The returned function uses it.
   */
  readonly keeps?: (page: Page) => Promise<() => Promise<unknown>>;
}

/** One change of a contract. */
export interface ContractChange {
  readonly name: string;
  readonly old: Version;
  readonly next: Version;
  /** True for a change of the code of a class. No contract has it, so the program cannot tell what it breaks. */
  readonly isUnseen?: true;
  /** True for a schema with a check that is code. The program can only say that the change may break something. */
  readonly isUncertain?: boolean;
}

interface Entry {
  readonly output?: object;
  readonly '~entry'?: string;
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;
type Loops = Record<string, (...args: unknown[]) => AsyncIterable<unknown>>;

/**
 * A page with the contract of its version. It checks received values with TypeBox, independently of
 * this package.
 */
export class Page {
  readonly client: Methods;
  readonly #contract: Contract;

  constructor(client: object, contract: Contract) {
    this.client = client as Methods;
    this.#contract = contract;
  }

  async run({ contract, sends = [], follows = [], says = [], page }: Version): Promise<void> {
    for (const [method, ...args] of sends) await this.call(method, ...args);
    for (const [method, ...args] of follows) {
      const isFeed = (contract[method] as { '~entry'?: string })['~entry'] === 'events';
      const count = isFeed ? ((await this.client['publish']!(method)) as number) : 1;
      await this.follow(method, count, args, isFeed);
    }
    for (const [method, ...said] of says) await this.say(method, said);
    await page?.(this);
  }

  /** Takes part in a presence until another client of the page sees the data. */
  async say(method: string, said: unknown[]): Promise<void> {
    const store = presence(this.client as object, (methods) =>
      (methods as unknown as Record<string, () => never>)[method]!(),
    );
    store.update(...(said as never[]));
    const watched = this.follow(method, 1, [], false, (list) => (list as unknown[]).length > 0);
    const failed = Promise.withResolvers<never>();
    const leave = store.subscribe(({ error }) => error !== undefined && failed.reject(error));
    try {
      await Promise.race([watched, failed.promise]);
    } finally {
      leave();
    }
  }

  async call(method: string, ...args: unknown[]): Promise<unknown> {
    const result = await this.client[method]!(...args);
    this.check(method, result);
    return result;
  }

  /**
   * Reads the items of a subscription. It reads streams and rows to their end.
   *
   * @param isFromStart - reads a feed from its first event
   * @param counts - returns true for an item that counts
   */
  async follow(
    method: string,
    atLeast: number,
    args: unknown[],
    isFromStart: boolean,
    counts: (item: unknown) => boolean = () => true,
  ): Promise<unknown[]> {
    const after = isFromStart ? ((await this.client['first']!(method)) as string) : undefined;
    const loops = subscribe(this.client as object, { after }) as unknown as Loops;
    const items: unknown[] = [];
    const { '~entry': kind } = this.#contract[method] as { '~entry'?: string };
    const loop = loops[method]!(...args)[Symbol.asyncIterator]();
    const endsByItself = kind === 'stream' || kind === 'rows';
    for (;;) {
      if (items.length >= atLeast && !endsByItself) break;
      const { done, value } = await Promise.race([loop.next(), this.#silence()]);
      if (done) break;
      this.check(method, value);
      if (counts(value)) items.push(value);
    }
    void loop.return?.();
    if (items.length < atLeast) throw new Error(`${method}: the loop ended too early`);
    return items;
  }

  /** Rejects if the object answers other calls but sends nothing to a loop. */
  async #silence(): Promise<never> {
    for (let turn = 0; turn < 20; turn++) await this.client['first']!('silence');
    throw new Error('the loop waits for an item that never arrives');
  }

  /** @throws Error for a value that the page does not expect */
  check(method: string, value: unknown): void {
    const { output, '~entry': kind } = this.#contract[method] as Entry;
    if (!output || '~standard' in output) return;
    const values =
      kind === 'presence' ? (value as Present<unknown>[]).map((one) => one.value) : [value];
    for (const one of values) fits(output, one, method);
  }
}

/** @throws Error for a value that a schema does not accept */
export function fits(schema: object, value: unknown, what = 'the value'): void {
  if (!Compile(schema).Check(value)) {
    throw new Error(`${what}: the page does not expect ${JSON.stringify(value)}`);
  }
}
