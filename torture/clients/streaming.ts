/** A client that reads and sends random streams, and judges the outcome of each stream. */
import { Proxy } from '../../harness/network-proxy.ts';
import type { Runtime } from '../../harness/runtime.ts';
import { sleep } from '../../harness/waiting.mjs';
import { createRpcClient, type RpcClient, withOptions } from '../../runtime/src/client.ts';
import { bytes } from '../../runtime/src/features/bytes/client/bytes.ts';
import { stream } from '../../runtime/src/features/argument-streams/client/stream.ts';
import { subscribe } from '../../runtime/src/features/subscriptions/client/subscribe.ts';
import { checksum } from '../objects/checksum.ts';
import type { Piece } from '../objects/streamer.ts';
import type { Streamer } from '../objects/worker.ts';

/** The outcomes of loops. */
export interface Tally {
  loops: number;
  items: number;
  complete: number;
  /** The number of loops that the reader left before the end. */
  left: number;
  /** The number of loops that ended with an allowed error. */
  failed: number;
  failures: string[];
}

type Client = RpcClient<Streamer>;

/** The ways in which a loop ends. */
type Ending = 'complete' | 'break' | 'signal' | 'close';

const KINDS = ['numbers', 'slowly', 'changing', 'pieces', 'rows', 'take'] as const;
type Kind = (typeof KINDS)[number];

/** The minimum number of items, and the factor from it to the maximum. */
const FEW = 20;
const SPREAD = 200;
/** The maximum pause of a reader, in milliseconds. It is less than `streamTimeout`. */
const PAUSE = 12_000;
/** A loop that gets no item for this number of milliseconds is stuck, unless it pauses. */
const STUCK = 90_000;

/** A client and its proxy. */
export class Lane {
  readonly proxy: Proxy;
  readonly faults: number[] = [];
  readonly #server: Runtime;
  readonly #random: () => number;
  readonly #tally: Tally;
  readonly #index: number;
  #client: Client;
  #last = 0;

  static async open(
    server: Runtime,
    index: number,
    random: () => number,
    tally: Tally,
  ): Promise<Lane> {
    const proxy = await new Proxy(server.port).listen();
    return new Lane(server, index, random, tally, proxy);
  }

  private constructor(
    server: Runtime,
    index: number,
    random: () => number,
    tally: Tally,
    proxy: Proxy,
  ) {
    this.#server = server;
    this.#index = index;
    this.#random = random;
    this.#tally = tally;
    this.proxy = proxy;
    this.#client = this.#connect();
  }

  /** Reads or sends one stream. */
  async loop(): Promise<void> {
    const random = this.#random;
    const kind = KINDS[Math.floor(random() * KINDS.length)] as Kind;
    const count = Math.floor(FEW * SPREAD ** random());
    const ending: Ending =
      random() < 0.6
        ? 'complete'
        : ((['break', 'signal', 'close'] as const)[Math.floor(random() * 2.2)] ?? 'break');
    const name = `${this.#index}.${++this.#last} ${kind} ${count} ${ending}`;
    const loop = new Loop(name, { kind, count, ending, random, server: this.#server });
    this.#tally.loops++;
    try {
      const outcome = await loop.run(this.#client, () => this.#renew());
      this.#tally[outcome]++;
    } catch (error) {
      this.#tally.failures.push(`${name}: ${String(error)}`);
    }
    this.#tally.items += loop.items;
  }

  close(): void {
    this.#client.close();
    this.proxy.resume();
  }

  /** Returns the streams that are still open in the object. The request does not go through the proxy. */
  async left(): Promise<string[]> {
    using client = this.#connect(this.#server.url);
    return await client.open();
  }

  #renew(): void {
    this.#client.close();
    closed.add(this.#client);
    this.#client = this.#connect();
  }

  #connect(baseUrl = this.proxy.url): Client {
    return createRpcClient<Streamer>('STREAMER', 'shared', {
      baseUrl,
      bytes,
      heartbeat: 1_000,
      timeout: STUCK,
      reconnect: { minDelay: 10, maxDelay: 300 },
    });
  }
}

/** The clients whose loops may have ended with `CLOSED`. */
const closed = new WeakSet<Client>();

interface Plan {
  kind: Kind;
  count: number;
  ending: Ending;
  random: () => number;
  server: Runtime;
}

class Loop {
  items = 0;
  readonly #name: string;
  readonly #plan: Plan;
  readonly #kills: number;
  readonly #abort = new AbortController();
  readonly #stopAt: number;
  readonly #pauseAt: number;
  #movedAt = performance.now();
  #isPausing = false;

  constructor(name: string, plan: Plan) {
    this.#name = name;
    this.#plan = plan;
    this.#kills = plan.server.kills;
    const { random, count, ending } = plan;
    this.#stopAt = ending === 'complete' ? Infinity : Math.floor(random() * count);
    this.#pauseAt = random() < 0.15 ? Math.floor(random() * count) : Infinity;
  }

  /** @throws Error that describes a wrong result */
  async run(client: Client, renew: () => void): Promise<'complete' | 'left' | 'failed'> {
    const { kind, count, ending } = this.#plan;
    const over = new AbortController();
    const run = kind === 'take' ? this.#give(client, renew) : this.#read(client, renew);
    try {
      const isDone = await Promise.race([run, this.#watch(over.signal)]);
      if (!isDone) return 'left';
      if (ending === 'complete' && this.items !== count) throw new Error(`${this.items} items`);
      return 'complete';
    } catch (thrown) {
      return this.#judge(thrown, client);
    } finally {
      over.abort();
    }
  }

  /** @returns true if all items were read */
  async #read(client: Client, renew: () => void): Promise<boolean> {
    const { kind, count } = this.#plan;
    const from = subscribe(client, { signal: this.#abort.signal });
    const items: AsyncIterable<number | { number: number }> =
      kind === 'rows' ? from.rows(count) : from[kind as 'numbers'](this.#name, count);
    for await (const item of items) {
      const number = typeof item === 'number' ? item : item.number;
      if (number !== ++this.items)
        throw new Error(`item ${number} arrived in place of item ${this.items}`);
      if (kind === 'pieces') {
        const { bytes: content, sum } = item as unknown as Piece;
        if (checksum(content) !== sum) throw new Error(`item ${number} has wrong bytes`);
      }
      if (await this.#step(renew)) return false;
    }
    if (kind === 'changing') {
      const changes = await client.changes(this.#name);
      if (changes !== count) throw new Error(`${changes} changes`);
    }
    return true;
  }

  /** @returns true if all items were sent */
  async #give(client: Client, renew: () => void): Promise<boolean> {
    const { count, ending } = this.#plan;
    let given = 0;
    let end: Promise<void> | undefined;
    const numbers = async function* (this: Loop): AsyncGenerator<number> {
      const { promise, resolve } = Promise.withResolvers<void>();
      end = promise;
      try {
        while (given < count) {
          yield ++given;
          this.items = given;
          if (await this.#step(renew)) return;
        }
      } finally {
        resolve();
      }
    }.call(this);
    const call = withOptions(client, { signal: this.#abort.signal });
    let isWhole = true;
    try {
      const taken = await call.take(this.#name, stream(numbers));
      const { count: stored, isDense, runs } = await client.taken(this.#name);
      isWhole = given === count;
      const isRight = taken === given && stored === given && isDense && runs === 1;
      if (!isRight) throw new Error(`${taken} taken, ${stored} stored, ${runs} runs of ${given}`);
      if (ending === 'complete' && !isWhole) throw new Error(`${given} given`);
    } finally {
      // The generator must end, whatever the outcome of the call. A generator that never began has no `end`.
      await end;
    }
    return isWhole;
  }

  /** Pauses or ends the loop, at random, after each item. Returns true if the loop has to break. */
  async #step(renew: () => void): Promise<boolean> {
    const { ending, random } = this.#plan;
    this.#movedAt = performance.now();
    if (this.items === this.#pauseAt) {
      this.#isPausing = true;
      await sleep(random() * PAUSE);
      this.#isPausing = false;
      this.#movedAt = performance.now();
    }
    if (this.items < this.#stopAt) return false;
    if (ending === 'signal') this.#abort.abort();
    else if (ending === 'close') renew();
    return ending === 'break';
  }

  async #watch(signal: AbortSignal): Promise<never> {
    while (!signal.aborted) {
      await sleep(1_000, signal);
      const isStuck = performance.now() > this.#movedAt + STUCK && !this.#isPausing;
      if (isStuck) throw new Error(`stuck after ${this.items} items`);
    }
    return new Promise(() => {});
  }

  /** Returns the outcome for an error that may end the loop, and throws any other error. */
  #judge(thrown: unknown, client: Client): 'left' | 'failed' {
    const { kind, ending, server } = this.#plan;
    const { code, maybeExecuted } = thrown as { code?: string; maybeExecuted?: boolean };
    if (code === 'ABORTED' && ending === 'signal') return 'left';
    if (code === 'CLOSED' && closed.has(client)) return 'left';
    const wasKilled = server.kills > this.#kills;
    const mayChange = kind === 'take' || kind === 'changing';
    // Before the first item, the client does not know whether the call has arrived.
    const isUnknown = kind === 'changing' && this.items === 0;
    const isAllowed = (wasKilled && kind !== 'rows') || isUnknown;
    if (code === 'DISCONNECTED' && isAllowed && maybeExecuted === mayChange) return 'failed';
    throw thrown;
  }
}
