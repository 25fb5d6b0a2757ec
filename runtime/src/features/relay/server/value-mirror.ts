/** A live value that a relay copies: the newest one, in memory. */
import { atEndOfTurn } from '../../../server/feature.ts';
import type { ClientOf } from '../../../wire/brands.ts';
import { RpcError } from '../../../wire/errors.ts';
import { changed } from '../../live/feature.ts';
import { VALUE_PENDING } from '../../live/server/live-calls.ts';
import { subscribe, type Subscription } from '../../subscriptions/client/subscribe.ts';
import type { Mirror } from './feed-reader.ts';

/** The methods of an origin whose type is not known here. */
type Methods = Record<string, (...args: unknown[]) => Subscription<unknown>>;

export class ValueMirror implements Mirror {
  readonly #instance: object;
  readonly #method: string;
  readonly #args: unknown[];
  readonly #use: () => void;
  /** The newest value, or the error that has ended the subscription to it. */
  #newest: { value: unknown } | { thrown: unknown } | undefined;
  /** The loop that runs. */
  #loop: AsyncIterator<unknown, undefined> | undefined;

  /** @param use - connects the relay */
  constructor(instance: object, method: string, args: unknown[], use: () => void) {
    this.#instance = instance;
    this.#method = method;
    this.#args = args;
    this.#use = use;
  }

  get value(): unknown {
    const newest = this.#newest;
    if (!newest) {
      this.#use();
      throw VALUE_PENDING;
    }
    if ('thrown' in newest) throw newest.thrown;
    return newest.value;
  }

  start(client: ClientOf<unknown>, failed: (thrown: unknown) => void): void {
    const read = (subscribe(client) as Methods)[this.#method] as Methods[string];
    const loop = read(...this.#args)[Symbol.asyncIterator]();
    this.#loop = loop;
    void this.#follow(loop, failed);
  }

  stop(thrown?: unknown): void {
    this.#loop = undefined;
    // An error stays until who has asked for it has got it.
    if (!(this.#newest && 'thrown' in this.#newest)) this.#newest = undefined;
    if (thrown === undefined) return;
    this.#newest = { thrown };
    changed(this.#instance);
    // Whoever subscribes later tries again.
    atEndOfTurn(this.#instance, 'values', () => (this.#newest = undefined));
  }

  async #follow(
    loop: AsyncIterator<unknown, undefined>,
    failed: (thrown: unknown) => void,
  ): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await loop.next();
        if (loop !== this.#loop) return;
        if (done) throw new RpcError('METHOD_NOT_FOUND', 'A relay copies methods that are live');
        this.#newest = { value };
        changed(this.#instance);
      }
    } catch (thrown) {
      if (loop === this.#loop) failed(thrown);
    }
  }
}
