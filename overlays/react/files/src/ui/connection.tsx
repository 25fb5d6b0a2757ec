/** The state of a client's connection. Imports react. */
import { useSyncExternalStore } from 'react';
import type { ConnectionState, StateDetail } from 'lumenize-rpc/client';

/** Keeps the state of one client, for the components that show it. */
export class Connection {
  #state: { state: ConnectionState; detail: StateDetail } = { state: 'connecting', detail: {} };
  readonly #listeners = new Set<() => void>();

  /** For the client's option `onStateChange`. */
  readonly change = (state: ConnectionState, detail: StateDetail): void => {
    this.#state = { state, detail };
    for (const listener of this.#listeners) listener();
  };

  readonly current = () => this.#state;

  /** @returns a function that removes the listener */
  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}

export function useConnection(connection: Connection) {
  return useSyncExternalStore(connection.listen, connection.current);
}

/** Shows the state of a connection as text. */
export function ConnectionLine({ of }: { of: Connection }) {
  const { state, detail } = useConnection(of);
  const { attempt = 0, reason } = detail;
  const why = attempt > 1 ? `${reason}. Is the Worker running (npm run dev)?` : reason;
  return (
    <p className="connection" data-state={state} role="status">
      Connection: {why ? `${state}, ${why}` : state}
    </p>
  );
}
