/** Connections that listen to one object, and receive each event that it sends. */

interface Listener {
  close(): void;
}

/** How a contender receives and sends events. */
export interface Stage {
  /**
   * @param hear - called with each event
   * @returns a listener that receives all events from now on
   */
  listen(hear: (event: unknown) => void): Promise<Listener>;
  /** Has the object send an event to its listeners. */
  say(event: number): PromiseLike<unknown>;
}

export class Audience {
  readonly #stage: Stage;
  #listeners: Promise<Listener[]> | undefined;
  #last = 0;
  #hear: (event: unknown) => void = () => {};

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /**
   * Sends an event. The first call opens `count` listeners, and later calls reuse them.
   *
   * @returns the number of listeners that received the event, after all have received it
   */
  async tell(count: number): Promise<number> {
    const listen = (): Promise<Listener> => this.#stage.listen((event) => this.#hear(event));
    this.#listeners ??= Promise.all(Array.from({ length: count }, listen));
    await this.#listeners;
    const said = ++this.#last;
    let heard = 0;
    const all = new Promise<void>((resolve) => {
      this.#hear = (event) => {
        if (event === said && ++heard === count) resolve();
      };
    });
    await Promise.all([this.#stage.say(said), all]);
    return heard;
  }

  async close(): Promise<void> {
    for (const listener of (await this.#listeners) ?? []) listener.close();
  }
}
