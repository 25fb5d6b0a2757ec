/**
 * The entry point for relays: objects that serve the subscribers of another object. A relay is also a client, so it has
 * an entry point apart from `server`.
 */
export {
  type CopyState,
  observe,
  originOf,
  relay,
  type Relay,
  type RelayedFeed,
  type RelayedValue,
  relayName,
  type RelayOptions,
} from './features/relay/feature.ts';
export type { CopyFigures } from './features/relay/server/relays.ts';
export type { HasEvents } from './wire/brands.ts';
export type { Stub } from './client/transports/binding.ts';
