/**
 * Handles the opening and ending of connections, over sockets and ports; lists the connected callers; and ends the
 * connections of some callers.
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
 * @param isMeant - returns whether to end the connections of a caller. It receives the caller that a hook named with
 *   `withCaller`, or `undefined` if no hook named a caller.
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
    // The subscriptions end now, without waiting for the client's close frame.
    afterDisconnect(instance, connection, true);
  }
  return meant.length;
}

/**
 * Returns the callers of all open connections, for example to show who is in a room. A live method that calls this runs
 * again when a connection opens or ends. A client that disappears without closing its connection is listed until the
 * runtime notices, which can take minutes.
 *
 * @param instance - the object
 * @returns the caller of each connection, as a hook named it with `withCaller`; `undefined` for a connection without a
 *   named caller. A user with two tabs is listed twice.
 * @example
 * present(): string[] { return [...new Set(connectedCallers<Caller>(this).map((caller) => caller?.user ?? 'guest'))]; }
 */
export function connectedCallers<Caller>(instance: object): (Caller | undefined)[] {
  return openConnectionsOf(instance).map(({ caller }) => caller as Caller | undefined);
}
