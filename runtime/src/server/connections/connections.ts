/**
 * What an object does when a connection opens or ends, over a socket or a port; who is connected; and `closeClients`.
 */
import type { CompiledContract } from '../contract/types.ts';
import { FORBIDDEN_STATUS } from '../../wire/status.ts';
import { afterDisconnect } from './disconnect.ts';
import { openConnectionsOf } from './sockets.ts';

/** Runs live methods again, because their values may depend on who is connected. */
export function afterConnectionChange(instance: object, { afterChange }: CompiledContract): void {
  afterChange?.(instance);
}

/** The close code for the status of `FORBIDDEN`. A client that receives it does not connect again by itself. */
const FORBIDDEN = 4_000 + FORBIDDEN_STATUS;

/**
 * Ends the connections of some callers, for example when a user signs out everywhere or is banned. Their calls and
 * subscriptions reject with `FORBIDDEN`, and their clients do not connect again by themselves. Your hook
 * `onBeforeConnect` decides whether they can connect again.
 *
 * @param instance - the object
 * @param isMeant - returns whether to end the connections of a caller. The caller is the one that a hook named with
 *   `withCaller`, or `undefined`.
 * @returns the number of ended connections
 * @example
 * bar(user: string): void { closeClients<Caller>(this, (caller) => caller?.user === user); }
 */
export function closeClients<Caller>(
  instance: object,
  isMeant: (caller: Caller | undefined) => boolean,
): number {
  const meant = openConnectionsOf(instance).filter((connection) =>
    isMeant(connection.caller as Caller | undefined),
  );
  for (const connection of meant) {
    connection.close(FORBIDDEN, 'Closed by the object');
    // Does not wait for the client's close frame.
    afterDisconnect(instance, connection, true);
  }
  return meant.length;
}

/**
 * The callers of all connections that are open, for example to show who is in a room. A live method that calls this
 * runs again when a connection opens or ends. A client that is gone without closing its connection is listed until the
 * runtime notices, which can take minutes.
 *
 * @param instance - the object
 * @returns for each connection the caller that a hook named with `withCaller`, or `undefined`. A user with two tabs is
 *   there twice.
 * @example
 * present(): string[] { return [...new Set(connectedCallers<Caller>(this).map((caller) => caller?.user ?? 'guest'))]; }
 */
export function connectedCallers<Caller>(instance: object): (Caller | undefined)[] {
  return openConnectionsOf(instance).map(({ caller }) => caller as Caller | undefined);
}
