/** Who runs a case: a caller of its own, or one that it shares. */
import type { Case } from './case.ts';
import { Caller, type Place, type Way } from './caller.ts';

/** Gives each case a caller of its own, or the one that the shared cases have. */
export class Callers implements Disposable {
  readonly #place: Place;
  readonly #way: Way;
  #shared: Caller | undefined;

  constructor(place: Place, way: Way) {
    this.#place = place;
    this.#way = way;
  }

  /** Rejects when the behaviour is not as it should be. */
  async run({ run, isShared }: Case): Promise<void> {
    if (isShared) return run((this.#shared ??= new Caller(this.#place, this.#way)));
    using caller = new Caller(this.#place, this.#way);
    await run(caller);
  }

  [Symbol.dispose](): void {
    this.#shared?.[Symbol.dispose]();
  }
}
