/** A reader of a feed by server-sent events, with plain `fetch`, a parser of another package, and `Last-Event-ID`. */
import { createParser } from 'eventsource-parser';
import { Proxy } from '../../harness/network-proxy.ts';
import { sleep } from '../../harness/waiting.mjs';
import { now } from '../clients/evidence.ts';
import type { Victim } from '../faults.ts';
import type { Announcement } from '../objects/announcer.ts';

/** The maximum number of sent bytes before a cut: a part of a request. */
const UP_MOST = 200;
/** The maximum number of events before a follower connects again by itself, like a page that is loaded again. */
const MOST_EVENTS = 400;
/** The maximum pause of a slow follower after each chunk, in milliseconds. */
const PAUSE = 50;
/** The maximum time between two responses, in milliseconds. */
const BREATH = 100;

interface Followed {
  /** The path of the feed. */
  readonly path: string;
  readonly isSlow: boolean;
  readonly random: () => number;
}

export class Follower implements Victim {
  readonly proxy: Proxy;
  readonly faults: number[] = [];
  readonly upMost = UP_MOST;
  /** The events that have arrived, in order. */
  readonly runs: Announcement[] = [];
  /** The time of each event of `runs`. */
  readonly times: number[] = [];
  /** The events that should not have arrived. */
  readonly errors: string[] = [];
  responses = 0;
  #lastId = '0.';
  #isOver = false;
  readonly #aborted = new AbortController();
  readonly #followed: Followed;
  readonly #running: Promise<void>;

  private constructor(proxy: Proxy, followed: Followed) {
    this.proxy = proxy;
    this.#followed = followed;
    this.#running = this.#run();
  }

  /** Follows from the first event. */
  static async start(port: number, followed: Followed): Promise<Follower> {
    return new Follower(await new Proxy(port).listen(), followed);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#aborted.abort();
    await this.#running;
    this.proxy.close();
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#read();
      } catch {
        // The connection was cut, or the runtime was killed.
      }
      await sleep(this.#followed.random() * BREATH);
    }
  }

  /** Reads one response, to its end or for some events. */
  async #read(): Promise<void> {
    const { path, isSlow, random } = this.#followed;
    const response = await fetch(`${this.proxy.url}${path}`, {
      headers: { Accept: 'text/event-stream', 'Last-Event-ID': this.#lastId },
      signal: this.#aborted.signal,
    });
    if (response.status !== 200) {
      const text = await response.text();
      // While the runtime starts, the object may not answer.
      if (response.status !== 503) this.errors.push(`${response.status} ${text}`);
      return;
    }
    this.responses++;
    const parser = createParser({
      onEvent: ({ event, id = '', data }) => {
        if (event !== undefined) return void this.errors.push(`${event}: ${data}`);
        this.runs.push(JSON.parse(data) as Announcement);
        this.times.push(now());
        this.#lastId = id;
      },
    });
    const enough = this.runs.length + 1 + random() * MOST_EVENTS;
    const decoder = new TextDecoder();
    for await (const bytes of response.body as ReadableStream<Uint8Array>) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      if (this.runs.length >= enough) break;
      if (isSlow) await sleep(random() * PAUSE);
    }
  }
}
