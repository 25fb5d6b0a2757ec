/** Gives each case of the suite a caller: one of its own, or a shared one. */
import type { Case } from './case.ts';
import { Caller, type Platform, type Way } from './caller.ts';

/** Creates a caller for each case, and one caller for all shared cases. */
export class Callers implements Disposable {
  readonly #platform: Platform;
  readonly #way: Way;
  #shared: Caller | undefined;

  constructor(platform: Platform, way: Way) {
    this.#platform = platform;
    this.#way = way;
  }

  /** Rejects if the object does not behave as the case expects. */
  async run({ run, isShared }: Case): Promise<void> {
    if (isShared) return run((this.#shared ??= new Caller(this.#platform, this.#way)));
    using caller = new Caller(this.#platform, this.#way);
    await run(caller);
  }

  [Symbol.dispose](): void {
    this.#shared?.[Symbol.dispose]();
  }
}
