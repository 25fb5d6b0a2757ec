/** Relays: objects that serve the subscribers of another one. They are clients, too, which `server` does not bring. */
export {
  relay,
  type Relay,
  type RelayedFeed,
  type RelayedValue,
  type RelayOptions,
} from './features/relay/feature.ts';
export type { HasEvents } from './wire/brands.ts';
export type { Stub } from './client/transports/binding.ts';
