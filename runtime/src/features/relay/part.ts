/** One feed or live value that a relay copies. */
import type { ClientOf } from '../../wire/contract-brand.ts';

export interface Part {
  /** @param failed - called with the reason when the origin sends nothing any more */
  start(client: ClientOf<unknown>, failed: (thrown: unknown) => void): void;
  /** @param thrown - ends the relay's own subscriptions, if it is defined */
  stop(thrown: unknown): void;
}
