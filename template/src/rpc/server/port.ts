/**
 * `servePort`: an object that is called over a MessagePort. It needs nothing of the Workers runtime.
 * Imports connections, contract, contract-of, dispatch, entry, peer, sockets and
 * wire/.
 */
import { named } from '../wire/caller.ts';
import { endPort, listenTo, type PortLike } from '../wire/port.ts';
import { connectionsChanged, letGo } from './connections.ts';
import { checkListed, type CompiledContract } from './contract.ts';
import { rememberContract } from './contract-of.ts';
import { answerFrame } from './dispatch.ts';
import { Entry } from './entry.ts';
import { Peer } from './peer.ts';
import { portPeersOf } from './sockets.ts';

export interface ServePortOptions {
  /**
   * What `currentCaller()` returns for calls over the port: JSON data of at most 4 000 characters. Default
   * `undefined`.
   */
  caller?: unknown;
}

/** A port that is served until it is closed, here or at the other end. */
export interface ServedPort {
  /** What the client has not got answers of rejects with `DISCONNECTED`. */
  close(): void;
}

/**
 * Lets the other end of a port call an object, by `messagePortTransport` of `client/port.ts`: the contract of a
 * Durable Object for iframes, web workers, worker threads, and tests without a network. Calls, their checks and
 * limits, live values, feeds, capabilities and callbacks are as over a WebSocket. A port loses nothing, so
 * there is no journal.
 *
 * @param port - of a `MessageChannel`, or anything that has its methods
 * @param instance - a Durable Object, or an object of any class. Without a `ctx` its feeds and the numbers of its
 *   capabilities are in memory, and last as long as the object.
 * @param contract - from `compileContract`
 * @returns what ends it. In browsers a port does not tell that the program at its other end is gone: close it
 *   then, or subscriptions and callbacks of it stay.
 * @throws TypeError when the contract lists what is not a method; RangeError for a caller that is too large
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
  // Of this object only: it may be of a class that is served by other contracts too.
  rememberContract(instance, contract);
  const peers = portPeersOf(instance);
  const end = (): void => {
    if (!peers.delete(peer)) return;
    peer.leave();
    letGo(instance, peer, true);
    connectionsChanged(instance, contract);
  };
  const close = (code = 1000, reason = ''): void => {
    if (peers.has(peer)) endPort(port, code, reason);
    end();
  };
  const client = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const peer: Peer = new Peer(caller === undefined ? { client } : { client, ...named(caller) }, {
    get isOpen(): boolean {
      return peers.has(peer);
    },
    send: (frame) => port.postMessage(frame),
    close,
    // A port does not outlive the object's time in memory.
    keep: () => {},
  });
  peer.limits = contract.limits;
  peers.add(peer);
  // For calls that take results of earlier ones. It is not kept: over a port nothing is sent again, and what
  // says it was has come by another one, and may have run.
  const entry = new Entry(() => {}, peer.owner, Infinity, undefined);
  const target = { instance, contract, entry };
  listenTo(port, {
    frame: (frame) => {
      if (!peer.isClosed) void peer.inTurn(() => void answerFrame(frame, () => target, peer));
    },
    end,
  });
  connectionsChanged(instance, contract);
  return { close: () => close() };
}
