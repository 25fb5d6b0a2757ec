/**
 * What depends on who is connected, by sockets and by ports. Imports callback-calls, contract, peer, sockets and
 * subscribers.
 */
import { disconnectCallbacks } from './callback-calls.ts';
import type { CompiledContract } from './contract.ts';
import type { Peer } from './peer.ts';
import { connectedTo } from './sockets.ts';
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

/** The close code that a client takes for the status 403, and does not come back after. */
const FORBIDDEN = 4403;

/**
 * Ends the connections of some callers, as when one signs out everywhere or is barred. Their clients do
 * not come back by themselves: their calls reject with `FORBIDDEN`, as do their subscriptions. Whether they may
 * connect again is for `onBeforeConnect` to say.
 *
 * @param instance - the object
 * @param isMeant - of the caller that a hook named with `withCaller`; `undefined`, if none did
 * @returns how many connections have been ended
 * @example
 * bar(user: string): void { closeClients<Caller>(this, (caller) => caller?.user === user); }
 */
export function closeClients<Caller>(
  instance: object,
  isMeant: (caller: Caller | undefined) => boolean,
): number {
  const meant = connectedTo(instance).filter((peer) => isMeant(peer.caller as Caller | undefined));
  for (const peer of meant) {
    peer.close(FORBIDDEN, 'Closed by the object');
    // Whether the client answers or not.
    letGo(instance, peer, true);
  }
  return meant.length;
}
