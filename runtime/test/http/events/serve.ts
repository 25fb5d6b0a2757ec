/** Serves the worker whose object is followed, and follows it by plain `fetch`. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { TestWorker } from '../../support/test-worker.ts';
import type { Board } from './worker.ts';

export type BoardWorker = TestWorker<Board, 'BOARD' | 'BARE' | 'OWN'>;

export const serve = (): Promise<BoardWorker> =>
  TestWorker.forTests(import.meta.dirname, { BOARD: 'Board', BARE: 'Bare', OWN: 'Own' });

/** A response with events, which a parser of another project reads. */
export class Following {
  readonly response: Response;
  /** The text that has arrived. */
  text = '';
  readonly #events: EventSourceMessage[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #aborted: AbortController;
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({ onEvent: (event) => this.#events.push(event) });

  private constructor(response: Response, aborted: AbortController) {
    this.response = response;
    this.#reader = (response.body ?? new Blob([]).stream()).getReader();
    this.#aborted = aborted;
  }

  /** @param path - the binding, the instance, the method and the query */
  static async of(
    { runtime }: Pick<BoardWorker, 'runtime'>,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Following> {
    const aborted = new AbortController();
    const response = await fetch(`${runtime.url}/__rpc/${path}`, {
      headers: { Accept: 'text/event-stream', ...headers },
      signal: aborted.signal,
    });
    return new Following(response, aborted);
  }

  /** Returns the last id that has arrived, even without an event. */
  get lastId(): string | undefined {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
  }

  /** Reads the next chunk. Returns `false` at the end. */
  async read(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    const text = this.#decoder.decode(value, { stream: true });
    this.text += text;
    this.#parser.feed(text);
    return true;
  }

  /** @returns the next event, or `undefined` at the end */
  async next(): Promise<EventSourceMessage | undefined> {
    while (this.#events.length === 0) if (!(await this.read())) return undefined;
    return this.#events.shift();
  }

  /** Returns the data of the next events. */
  async take(count: number): Promise<unknown[]> {
    const taken: unknown[] = [];
    while (taken.length < count) {
      const event = await this.next();
      if (!event) break;
      taken.push(JSON.parse(event.data));
    }
    return taken;
  }

  /** Returns all events to the end. */
  async all(): Promise<EventSourceMessage[]> {
    const events: EventSourceMessage[] = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }

  /** Ends the request. */
  close(): void {
    this.#aborted.abort();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
