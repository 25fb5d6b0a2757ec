/** Relays: objects that serve the subscribers of another one. They are clients, too, which `server` does not bring. */
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
