/**
 * A server that misbehaves: it accepts a connection and never answers, upgrades it and sends
 * nothing, or closes it with a code. It implements only the needed part of WebSocket.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Handles a connection when its request has arrived. */
export type Behaviour = (socket: Socket, request: string) => void;

/** Sends nothing. */
export const ignore: Behaviour = () => {};

/** Upgrades the connection, and sends nothing more. */
export const upgradeOnly: Behaviour = (socket, request) => {
  const [, key = ''] = /^sec-websocket-key: (.*)$/im.exec(request) ?? [];
  const accept = createHash('sha1')
    .update(`${key.trim()}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: lumenize-rpc.1\r\n\r\n`,
  );
};

/** Upgrades the connection, and closes it at once. */
export function closeWith(code: number, reason: string): Behaviour {
  return (socket, request) => {
    upgradeOnly(socket, request);
    const payload = Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]);
    socket.end(Buffer.concat([Buffer.from([0x88, payload.length]), payload]));
  };
}

/** Answers with an HTTP status. */
export function answerWith(status: number, text: string): Behaviour {
  return (socket) => {
    socket.end(
      `HTTP/1.1 ${status} X\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
    );
  };
}

export class Stub {
  behaviour: Behaviour;
  /** The number of accepted connections. */
  accepted = 0;
  /** The first lines of the requests. */
  readonly requests: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#accept(socket));

  constructor(behaviour: Behaviour) {
    this.behaviour = behaviour;
  }

  async listen(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #accept(socket: Socket): void {
    this.accepted++;
    this.#sockets.add(socket);
    let request = '';
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    const listen = (chunk: Buffer): void => {
      request += chunk.toString('latin1');
      if (!request.includes('\r\n\r\n')) return;
      socket.off('data', listen).resume();
      this.requests.push(request.slice(0, request.indexOf('\r\n')));
      this.behaviour(socket, request);
    };
    socket.on('data', listen);
  }
}
