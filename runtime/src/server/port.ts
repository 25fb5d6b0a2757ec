/**
 * `servePort`: serves an object over a MessagePort. It does not need the Workers runtime.
 */
import type { CompiledContract } from './contract/types.ts';
import { withIdentity } from '../wire/caller.ts';
import { endPort, listenTo, type PortLike } from '../wire/ports.ts';
import { afterConnectionChange } from './connections/connections.ts';
import { afterDisconnect } from './connections/disconnect.ts';
import { checkListed } from './contract/compile-contract.ts';
import { rememberContract } from './contract/contract-of.ts';
import { answerFrame } from './calls/dispatch.ts';
import { ClientJournal, NOT_STORED } from './journal/client-journal.ts';
import { ClientConnection } from './connections/client-connection.ts';
import { portConnectionsOf } from './connections/sockets.ts';

/** The options of `servePort`. */
export interface ServePortOptions {
  /**
   * The caller that `currentCaller()` returns for calls over the port: JSON data of at most 2 000 characters. Default
   * `undefined`.
   */
  caller?: unknown;
}

/** A port that is served until it is closed, here or at the other end. */
export interface ServedPort {
  /** Closes the port. Calls that have no answer yet reject with `DISCONNECTED`. */
  close(): void;
}

/**
 * Serves an object to the other end of a port, where the client uses `messagePortTransport`. The other end can be an
 * iframe, a web worker, a worker thread, or a test without a network. Calls, validation, limits, live values, feeds,
 * capabilities and callbacks work as over a WebSocket. There is no journal, because a port loses no messages.
 *
 * @param port - a port of a `MessageChannel`, or any object with its methods
 * @param instance - a Durable Object, or an object of any class. Without a `ctx`, its feeds and the numbers
 *   of its capabilities are in memory, and last as long as the object.
 * @param contract - from `compileContract`
 * @param options - `caller`, the caller that `currentCaller()` returns. Default: none.
 * @returns an object whose `close` ends the connection. In browsers, a port does not report that the program at its
 *   other end has ended. Call `close` then, or the subscriptions and callbacks of that program stay in memory.
 * @throws TypeError if the contract lists something that is not a method; RangeError for a caller that is too
 *   large
 * @example
 * const compiled = compileContract({ increment: [Type.Optional(Type.Integer())] });
 * addEventListener('message', ({ ports: [port] }) => servePort(port, new Counter(), compiled));
 */
export function servePort(
  port: PortLike,
  instance: object,
  contract: CompiledContract,
  { caller }: ServePortOptions = {},
): ServedPort {
  checkListed({ prototype: instance }, contract.methods.keys());
  // The contract is stored for this object only, because its class may be served with other contracts too.
  rememberContract(instance, contract);
  const connections = portConnectionsOf(instance);
  const end = (): void => {
    if (!connections.delete(connection)) return;
    connection.leave();
    afterDisconnect(instance, connection, true);
    afterConnectionChange(instance, contract);
  };
  const close = (code = 1000, reason = ''): void => {
    if (connections.has(connection)) endPort(port, code, reason);
    end();
  };
  const client = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const connection: ClientConnection = new ClientConnection(
    caller === undefined ? { client } : { client, ...withIdentity(caller) },
    {
      get isOpen(): boolean {
        return connections.has(connection);
      },
      send: (frame) => port.postMessage(frame),
      close,
      // A port does not survive hibernation, so there is nothing to store.
      storeState: () => {},
    },
  );
  connection.serve(instance, contract.limits);
  connections.add(connection);
  // Calls that take results of earlier calls need a journal. It is not stored, because nothing is sent again over a
  // port. A call that is marked as sent again came over another port before, and may have run.
  const journal = new ClientJournal(NOT_STORED, connection.owner, Infinity, undefined);
  const target = { instance, contract, journal };
  listenTo(port, {
    frame: (frame) => {
      if (!connection.isClosed)
        void connection.inTurn(() => void answerFrame(frame, () => target, connection), frame);
    },
    end,
  });
  afterConnectionChange(instance, contract);
  return { close: () => close() };
}
