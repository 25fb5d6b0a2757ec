/** Connections that all hear what one of them has their object say. */

interface Listener {
  close(): void;
}

/** How a contender listens and speaks. */
export interface Stage {
  /**
   * @param hear - told of each event
   * @returns one that listens when this resolves
   */
  listen(hear: (event: unknown) => void): Promise<Listener>;
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
   * Says something; so many listen from the first time on.
   *
   * @returns how many have heard it, once they all have
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
