/**
 * A reader that pages a growing feed from the newest page to the first event, as a chat does. It does so again and again
 * with a new client.
 */
import { Proxy } from '../../harness/network-proxy.ts';
import { PATIENCE, sleep, until } from '../../harness/waiting.mjs';
import { createRpcClient, feedStore, type FeedState } from '../../runtime/src/client.ts';
import { now } from '../clients/evidence.ts';
import type { Victim } from '../faults.ts';
import type { Announcement } from '../objects/announcer.ts';
import type { Announcer } from '../objects/worker.ts';

/** The maximum number of sent bytes before a cut. A request for a page has some tens of bytes. */
const UP_MOST = 300;
/** The maximum pause before an older page, and the maximum stay after the first event has arrived, in milliseconds. */
const PAUSE = 60;
const STAY = 3_000;

export class Pager implements Victim {
  readonly proxy: Proxy;
  readonly faults: number[] = [];
  readonly upMost = UP_MOST;
  /** The list of each client in the end. The last client has all events. */
  readonly lists: Announcement[][] = [];
  /** The times at which events arrived. */
  readonly times: number[] = [];
  /** The errors of the reader. */
  readonly errors: string[] = [];
  pages = 0;
  /** The row of the last announcement, as soon as it is known. */
  #last: number | undefined;
  readonly #instance: string;
  readonly #random: () => number;
  readonly #running: Promise<void>;

  private constructor(proxy: Proxy, instance: string, random: () => number) {
    this.proxy = proxy;
    this.#instance = instance;
    this.#random = random;
    this.#running = this.#run();
  }

  static async start(port: number, instance: string, random: () => number): Promise<Pager> {
    return new Pager(await new Proxy(port).listen(), instance, random);
  }

  /** Resolves when the last client has all announcements. */
  async finish(last: number): Promise<void> {
    this.#last = last;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      do await this.#readOnce();
      while (this.#last === undefined);
      // This client began before the end.
      await this.#readOnce();
    } catch (error) {
      this.errors.push(String(error));
    }
  }

  /** Reads all events with one client. */
  async #readOnce(): Promise<void> {
    const baseUrl = this.proxy.url;
    using client = createRpcClient<Announcer>('ANNOUNCER', this.#instance, {
      baseUrl,
      timeout: PATIENCE,
      reconnect: { maxDelay: 500 },
    });
    const store = feedStore(
      client,
      (methods) => methods.runs(),
      (object, before) => {
        this.pages++;
        return object.history(before);
      },
    );
    let first = Infinity;
    const check = ({ events, error }: FeedState<Announcement>): void => {
      this.times.push(now());
      if (error !== undefined) this.errors.push(String(error));
      const row = events[0]?.event.row ?? first;
      if (row > first) this.errors.push('the list began anew');
      first = row;
    };
    const stop = store.subscribe(check);
    await until(() => !store.get().isLoading);
    while (store.get().hasOlder && this.errors.length === 0) {
      await store.get().loadOlder();
      if (this.#last === undefined) await sleep(this.#random() * PAUSE);
    }
    const stay = now() + this.#random() * STAY;
    const hasAll = (): boolean => store.get().events.at(-1)?.event.row === this.#last;
    await until(() => this.errors.length > 0 || (this.#last ? hasAll() : now() > stay));
    this.lists.push(store.get().events.map(({ event }) => event));
    stop();
  }
}
