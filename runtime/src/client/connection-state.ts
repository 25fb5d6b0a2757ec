/**
 * The state of a client's connection as a store, for any number of watchers. A bundle contains this file only if you
 * import it.
 */
import type { ClientOf } from '../wire/brands.ts';
import type { ConnectionState, ConnectionDetails } from './options.ts';
import { internalsOf } from './proxy.ts';
import type { Session } from './session.ts';
import { type Store, WritableStore } from './store.ts';

/** The state of a connection, and the details of its last change. */
export interface ConnectionStatus extends ConnectionDetails {
  /** `undefined` before the client connects for the first time: it does so at its first call or subscription. */
  state: ConnectionState | undefined;
}

/** The status of a client that has not connected. */
export const NEVER_CONNECTED: ConnectionStatus = { state: undefined };

/**
 * Returns a store of the state of a client's connection. Each call for one client returns the same store. For a change
 * before the first call, the store may lack some of the details.
 *
 * @param client - from `createRpcClient`, or a capability
 * @throws TypeError for a value that is not a client
 * @example
 * connectionState(counter).subscribe(({ state, reason }) => show(`${state} ${reason ?? ''}`));
 */
export function connectionState(client: ClientOf<unknown>): Store<ConnectionStatus> {
  const [session] = internalsOf(client);
  return all.get(session) ?? watch(session);
}

const all = new WeakMap<Session, Store<ConnectionStatus>>();

function watch(session: Session): Store<ConnectionStatus> {
  const { state, failure: error } = session.connection;
  const reason = state === 'reconnecting' && error && { reason: error.message, error };
  const status = new WritableStore<ConnectionStatus>({
    ...NEVER_CONNECTED,
    ...(state && { state }),
    ...reason,
  });
  const { changed } = session;
  session.changed = (now, detail) => {
    status.set({ state: now, ...detail });
    changed?.(now, detail);
  };
  all.set(session, status);
  return status;
}
