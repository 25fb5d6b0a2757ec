/**
 * What depends on who is connected, by sockets and by ports. Imports callback-calls, contract, peer and
 * subscribers.
 */
import { disconnectCallbacks } from './callback-calls.ts';
import type { CompiledContract } from './contract.ts';
import type { Peer } from './peer.ts';
import { changed, forgetListener } from './subscribers.ts';

/**
 * Lets go of what depends on a connection that has ended.
 *
 * @param isFinal - its client does not come back by another
 */
export function letGo(instance: object, peer: Peer, isFinal = false): void {
  forgetListener(instance, peer, isFinal);
  disconnectCallbacks(instance, peer);
}

/** A live value may say who is there. */
export function connectionsChanged(instance: object, { hasLive }: CompiledContract): void {
  if (hasLive) changed(instance);
}
