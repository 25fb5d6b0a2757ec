/** Connections that listen to one object, and receive each event that it sends. */

interface Listener {
  close(): void;
}

/** The functions by which a contender receives and sends events. */
export interface Stage {
  /**
   * @param onEvent - called with each event
   * @param onLost - called with the reason when the listener receives no more events
   * @returns a listener that receives all events from now on
   */
  listen(onEvent: (event: unknown) => void, onLost: (error: unknown) => void): Promise<Listener>;
  /** Makes the object send an event to its listeners. */
  say(event: number): PromiseLike<unknown>;
}

export class Audience {
  readonly #stage: Stage;
  #listeners: Promise<Listener>[] | undefined;
  readonly #lost = Promise.withResolvers<never>();
  #last = 0;
  #onEvent: (event: unknown) => void = () => {};

  constructor(stage: Stage) {
    this.#stage = stage;
    // The promise also rejects when the audience is closed.
    this.#lost.promise.catch(() => {});
  }

  /**
   * Sends an event. The first call opens `count` listeners, and later calls reuse them.
   *
   * @returns the number of listeners that received the event, after all have received it
   * @throws the reason if a listener cannot be opened or is lost
   */
  async tell(count: number): Promise<number> {
    const listen = (): Promise<Listener> =>
      this.#stage.listen((event) => this.#onEvent(event), this.#lost.reject);
    this.#listeners ??= Array.from({ length: count }, listen);
    await Promise.all(this.#listeners);
    const sent = ++this.#last;
    let received = 0;
    const all = new Promise<void>((resolve) => {
      this.#onEvent = (event) => {
        if (event === sent && ++received === count) resolve();
      };
    });
    await Promise.race([Promise.all([this.#stage.say(sent), all]), this.#lost.promise]);
    return received;
  }

  async close(): Promise<void> {
    for (const listener of await Promise.allSettled(this.#listeners ?? [])) {
      if (listener.status === 'fulfilled') listener.value.close();
    }
  }
}
