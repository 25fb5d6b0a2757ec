/** Who runs a case: a caller of its own, or one that it shares. */
import type { Case } from './case.ts';
import { Caller, type Platform, type Way } from './caller.ts';

/** Gives each case a caller of its own, or the one that the shared cases have. */
export class Callers implements Disposable {
  readonly #platform: Platform;
  readonly #way: Way;
  #shared: Caller | undefined;

  constructor(platform: Platform, way: Way) {
    this.#platform = platform;
    this.#way = way;
  }

  /** Rejects when the behaviour is not as it should be. */
  async run({ run, isShared }: Case): Promise<void> {
    if (isShared) return run((this.#shared ??= new Caller(this.#platform, this.#way)));
    using caller = new Caller(this.#platform, this.#way);
    await run(caller);
  }

  [Symbol.dispose](): void {
    this.#shared?.[Symbol.dispose]();
  }
}
