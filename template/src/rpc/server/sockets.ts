/**
 * The WebSockets by which clients come: accepted, and known again after hibernation.
 * Imports caller, contract, journal, peer and wire/.
 */
import { CLIENT_ID, HEARTBEAT, SUBPROTOCOL } from '../wire/messages.ts';
import { callerOf } from './caller.ts';
import type { CompiledContract } from './contract.ts';
import type { WithState } from './journal.ts';
import { clientIdOf, Peer, type PeerIdentity } from './peer.ts';

/** Tells our hibernating sockets from the class's own. */
const SOCKET_TAG = SUBPROTOCOL;

/** Before a client's id: the tag of its sockets. */
const CLIENT_TAG = 'rpc:';

/** The RPC sockets met in this life of the object; after hibernation the tag is asked again. */
const peers = new WeakMap<WebSocket, Peer>();

/** The RPC sockets of an object that does not hibernate, which the runtime does not count. */
const residents = new WeakMap<DurableObjectState, Set<WebSocket>>();

/** Whether the object has as many connections as it may. */
export function isFull(ctx: DurableObjectState, { limits }: CompiledContract): boolean {
  if (limits.connections === Infinity) return false;
  const count = ctx.getWebSockets(SOCKET_TAG).length + (residents.get(ctx)?.size ?? 0);
  return count >= limits.connections;
}

/**
 * @param identity - from `identityOf` the request
 * @param listen - attaches handlers to a socket that does not hibernate
 * @returns 101 with the socket
 */
export function acceptSocket(
  identity: PeerIdentity,
  instance: object,
  contract: CompiledContract,
  listen: (socket: WebSocket) => void,
): Response {
  const { ctx } = instance as WithState;
  const { 0: client, 1: server } = new WebSocketPair();
  if (contract.hibernate) {
    const { client: id } = identity;
    ctx.acceptWebSocket(server, id === undefined ? [SOCKET_TAG] : [SOCKET_TAG, CLIENT_TAG + id]);
    server.serializeAttachment(identity);
    // The runtime answers heartbeats without waking the object; a class may want it otherwise.
    if (!ctx.getWebSocketAutoResponse()) {
      ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT, HEARTBEAT));
    }
  } else {
    server.binaryType = 'arraybuffer';
    server.accept();
    residents.set(ctx, (residents.get(ctx) ?? new Set()).add(server));
    listen(server);
  }
  peers.set(server, peerOn(server, identity, contract.hibernate));
  const headers = { 'Sec-WebSocket-Protocol': SUBPROTOCOL };
  return new Response(null, { status: 101, webSocket: client, headers });
}

/** @returns `undefined` for a socket that is not RPC */
export function peerOf(ctx: DurableObjectState, socket: WebSocket): Peer | undefined {
  const known = peers.get(socket);
  if (known) return known;
  if (!ctx.getTags(socket).includes(SOCKET_TAG)) return undefined;
  const peer = peerOn(socket, socket.deserializeAttachment(), true);
  peers.set(socket, peer);
  return peer;
}

/** The other ends of the sockets that have outlived hibernation, or will. */
export function peersOf(instance: object): Peer[] {
  const { ctx } = instance as Partial<WithState>;
  return ctx?.getWebSockets(SOCKET_TAG).map((socket) => peerOf(ctx, socket) as Peer) ?? [];
}

/** The other ends of all connections that have not been ended. */
export function connectedTo(instance: object): Peer[] {
  return allPeers(instance, SOCKET_TAG).filter((peer) => !peer.isClosed);
}

/**
 * The connections of one client that are open: one at most, but for the moment in which it comes back.
 *
 * @param owner - of the client's id
 */
export function connectionsOf(instance: object, client: string, owner: string | undefined): Peer[] {
  return allPeers(instance, CLIENT_TAG + client).filter(
    (peer) => peer.client === client && peer.owner === owner && peer.isOpen,
  );
}

/** The newest connection of a client. */
export function connectionOf(
  instance: object,
  client: string | undefined,
  owner: string | undefined,
): Peer | undefined {
  if (client === undefined) return undefined;
  return connectionsOf(instance, client, owner).at(-1);
}

/** The other ends of ports, of the sockets with a tag, and of all that do not hibernate. */
function allPeers(instance: object, tag: string): Peer[] {
  const { ctx } = instance as Partial<WithState>;
  const ports = [...portPeersOf(instance)];
  if (!ctx) return ports;
  const sockets = [...ctx.getWebSockets(tag), ...(residents.get(ctx) ?? [])];
  return [...ports, ...sockets.map((socket) => peerOf(ctx, socket) as Peer)];
}

const ports = new WeakMap<object, Set<Peer>>();

/** The other ends of the ports by which an object is called; whoever serves one adds it, and takes it out. */
export function portPeersOf(instance: object): Set<Peer> {
  let peersOfPorts = ports.get(instance);
  if (!peersOfPorts) ports.set(instance, (peersOfPorts = new Set()));
  return peersOfPorts;
}

/** Lets go of a socket that has closed. */
export function forgetSocket(ctx: DurableObjectState, socket: WebSocket): void {
  residents.get(ctx)?.delete(socket);
}

/** @param hibernates - so that what is kept has to be kept with the socket */
function peerOn(socket: WebSocket, identity: PeerIdentity, hibernates: boolean): Peer {
  return new Peer(identity, {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    send(frame): void {
      try {
        socket.send(frame);
      } catch (error) {
        // The client may have gone while a method was running; its answer has nowhere to go.
        if (this.isOpen) throw error;
      }
    },
    close(code, reason): void {
      socket.close(code, reason);
    },
    keep(known): void {
      if (hibernates) socket.serializeAttachment({ ...identity, ...known });
    },
  });
}

/** Who comes by a request. */
export function identityOf(request: Request): PeerIdentity {
  const prefix = `${CLIENT_ID}.`;
  const protocols = listOf(request.headers.get('Sec-WebSocket-Protocol'));
  const id = protocols.find((protocol) => protocol.startsWith(prefix))?.slice(prefix.length);
  return { ...callerOf(request), client: clientIdOf(id) };
}

/** The items of a header that is a list. */
export function listOf(header: string | null): string[] {
  return header?.split(',').map((item) => item.trim()) ?? [];
}
