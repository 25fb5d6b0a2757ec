/** Tells features that a connection has ended. */
import { contractOf } from '../contract/contract-of.ts';
import type { Connection } from '../contract/connection.ts';

/**
 * Releases the subscriptions and callbacks of a connection that has ended.
 *
 * @param isFinal - whether the client will not connect again
 */
export function afterDisconnect(instance: object, connection: Connection, isFinal = false): void {
  for (const { onDisconnect } of contractOf(instance)?.features ?? []) {
    onDisconnect?.(instance, connection, isFinal);
  }
}
