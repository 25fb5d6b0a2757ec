/** Accepts the WebSockets of clients, and identifies them after hibernation. */
import { perObject } from '../base/per-object.ts';
import type { CompiledContract } from '../contract/types.ts';
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { type Frame, HEARTBEAT, SUBPROTOCOL } from '../../wire/messages.ts';
import { frameLength } from '../../wire/pieces.ts';
import { checkCopy, contractOf } from '../contract/contract-of.ts';
import type { WithCtx } from '../journal/journal.ts';
import { ClientConnection } from './client-connection.ts';
import { type ConnectionIdentity, socketIdentityOf } from './identity.ts';
import type { Link } from './link.ts';
import { MAX_UNREAD, Pieces, type PiecesClient } from './pieces.ts';

/** The tag that distinguishes hibernating RPC sockets from the class's own sockets. */
const SOCKET_TAG = SUBPROTOCOL;

/** Prefix of the tag of a client's sockets. The client's id follows. */
const CLIENT_TAG = 'rpc:';

/** Connections of RPC sockets that are in memory. After hibernation, RPC sockets are found by their tag. */
const connectionsOfSockets = new WeakMap<WebSocket, ClientConnection>();

/** RPC sockets of objects that do not hibernate. The runtime does not list these sockets. */
const residents = new WeakMap<DurableObjectState, Set<WebSocket>>();

/** Returns the RPC sockets that hibernate and have a tag, and all RPC sockets that do not hibernate. */
function socketsOf(ctx: DurableObjectState, tag = SOCKET_TAG): WebSocket[] {
  return [...ctx.getWebSockets(tag), ...(residents.get(ctx) ?? [])];
}

/**
 * Returns whether the object has as many connections as `limits.connections` allows. A connection of the requesting
 * client does not count, because the new connection replaces it.
 */
export function isFull(request: Request, instance: object, { limits }: CompiledContract): boolean {
  const { connections } = limits;
  if (connections === Infinity) return false;
  const { ctx } = instance as WithCtx;
  const { client, owner } = socketIdentityOf(request);
  const sockets = socketsOf(ctx);
  // This is the usual case. Looking at each of many sockets would take milliseconds.
  if (sockets.length < connections) return false;
  const open = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
  const own = client === undefined ? 0 : connectionsOfClient(instance, client, owner).length;
  // The runtime keeps a closed socket until its client answers the close frame. A client that never answers must not
  // keep others out, and must not take all memory.
  return open - own >= connections || sockets.length >= 2 * connections;
}

/**
 * @param identity - the result of `socketIdentityOf`
 * @param listen - attaches handlers to a socket that does not hibernate
 * @returns a response of status 101 with the socket
 */
export function acceptSocket(
  identity: ConnectionIdentity,
  instance: object,
  contract: CompiledContract,
  listen: (socket: WebSocket) => void,
): Response {
  const { ctx } = instance as WithCtx;
  const { 0: client, 1: server } = new WebSocketPair();
  if (contract.hibernate) {
    const { client: id } = identity;
    ctx.acceptWebSocket(server, id === undefined ? [SOCKET_TAG] : [SOCKET_TAG, CLIENT_TAG + id]);
    server.serializeAttachment(identity);
    // The runtime answers heartbeats without waking the object. An auto-response of the class itself is kept.
    if (!ctx.getWebSocketAutoResponse()) {
      ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT, HEARTBEAT));
    }
  } else {
    server.binaryType = 'arraybuffer';
    server.accept();
    residents.set(ctx, (residents.get(ctx) ?? new Set()).add(server));
    listen(server);
  }
  const link = new SocketLink(server, identity, contract.hibernate);
  const connection = new ClientConnection(identity, link);
  connection.serve(instance, contract.limits);
  connectionsOfSockets.set(server, connection);
  const headers = { 'Sec-WebSocket-Protocol': SUBPROTOCOL };
  return new Response(null, { status: 101, webSocket: client, headers });
}

/** @returns `undefined` for a socket that is not RPC */
export function connectionOf(
  ctx: DurableObjectState,
  socket: WebSocket,
): ClientConnection | undefined {
  const known = connectionsOfSockets.get(socket);
  if (known) return known;
  if (!ctx.getTags(socket).includes(SOCKET_TAG)) return undefined;
  const identity = socket.deserializeAttachment() as ConnectionIdentity;
  const link = new SocketLink(socket, identity, true);
  const connection = new ClientConnection(identity, link);
  // The object closed the socket before it hibernated, and the client has not answered the close frame.
  if (!link.isOpen) connection.leave();
  connectionsOfSockets.set(socket, connection);
  return connection;
}

/**
 * Closes the sockets that an older instance of the object has in memory, so that their clients connect to the new
 * instance. A development server that replaces a class makes a new instance with the `ctx` of the old instance. The new
 * instance cannot take over the state of the old instance's features.
 */
export function closeSocketsOfOthers(instance: object): void {
  const { ctx } = instance as WithCtx;
  for (const socket of socketsOf(ctx)) {
    const connection = connectionsOfSockets.get(socket);
    if (connection?.isOfOther(instance) && !connection.isClosed) connection.giveUp();
  }
}

/** Returns the connections of the sockets that hibernate and are not closed. */
export function hibernatingConnectionsOf(instance: object): ClientConnection[] {
  const { ctx } = instance as Partial<WithCtx>;
  const { limits } = contractOf(instance) ?? {};
  const all = ctx?.getWebSockets(SOCKET_TAG).map((socket) => {
    const connection = connectionOf(ctx, socket) as ClientConnection;
    // The subscriptions that are restored for the connection must be counted in its client's account.
    if (limits && !connection.isOfOther(instance)) connection.serve(instance, limits);
    return connection;
  });
  return all?.filter((connection) => !connection.isClosed) ?? [];
}

/** Returns all connections that are not closed. */
export function openConnectionsOf(instance: object): ClientConnection[] {
  return connectionsWithTag(instance, SOCKET_TAG).filter((connection) => !connection.isClosed);
}

/**
 * Returns the open connections of one client: at most one, except for a moment while the client reconnects.
 *
 * @param owner - the owner of the client's id
 */
export function connectionsOfClient(
  instance: object,
  client: string,
  owner: string | undefined,
): ClientConnection[] {
  return connectionsWithTag(instance, CLIENT_TAG + client).filter(
    (connection) => connection.client === client && connection.owner === owner && connection.isOpen,
  );
}

/** Returns the newest open connection of a client. */
export function connectionOfClient(
  instance: object,
  client: string | undefined,
  owner: string | undefined,
): ClientConnection | undefined {
  if (client === undefined) return undefined;
  return connectionsOfClient(instance, client, owner).at(-1);
}

/** Returns the connections of ports, of sockets with a tag, and of all sockets that do not hibernate. */
function connectionsWithTag(instance: object, tag: string): ClientConnection[] {
  checkCopy(instance);
  const { ctx } = instance as Partial<WithCtx>;
  const ports = [...portConnectionsOf(instance)];
  if (!ctx) return ports;
  return [
    ...ports,
    ...socketsOf(ctx, tag).map((socket) => connectionOf(ctx, socket) as ClientConnection),
  ];
}

/** Connections of the ports that serve an object. `servePort` adds and deletes them. */
export const portConnectionsOf = /* @__PURE__ */ perObject(() => new Set<ClientConnection>());

/** Removes a closed socket. */
export function forgetSocket(ctx: DurableObjectState, socket: WebSocket): void {
  residents.get(ctx)?.delete(socket);
}

/** A WebSocket as the link of a connection. An object literal with a getter would take 400 bytes more of memory. */
class SocketLink implements Link {
  readonly #socket: WebSocket;
  readonly #identity: ConnectionIdentity;
  readonly #hibernates: boolean;
  /** The pieces, made for the first large frame, or when so much was sent that the client has to show that it reads. */
  pieces: Pieces | undefined;
  /** The size that was sent before there were pieces, in characters and bytes. */
  #whole = 0;

  /** @param hibernates - whether the socket hibernates, so that its state must be stored with it */
  constructor(socket: WebSocket, identity: ConnectionIdentity, hibernates: boolean) {
    this.#socket = socket;
    this.#identity = identity;
    this.#hibernates = hibernates;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(frame: Frame, messages: readonly EncodedMessage[], client: PiecesClient): void {
    if (!this.pieces && (this.#whole += frameLength(frame)) <= MAX_UNREAD)
      return this.sendWhole(frame);
    this.makePieces(client).send(frame, messages.every(isAnswer));
  }

  makePieces(client: PiecesClient): Pieces {
    return (this.pieces ??= new Pieces(this, client));
  }

  sendWhole(frame: Frame): void {
    try {
      this.#socket.send(frame);
    } catch (error) {
      // The client may have disconnected while a method was running. The answer is then dropped.
      if (this.isOpen) throw error;
    }
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  storeState(known: Parameters<Required<Link>['storeState']>[0]): void {
    if (this.#hibernates) this.#socket.serializeAttachment({ ...this.#identity, ...known });
  }
}

/** Returns whether a message is the answer of a call: it begins with a number. */
function isAnswer(message: EncodedMessage): boolean {
  return /^\[-?\d/.test(String(message));
}
