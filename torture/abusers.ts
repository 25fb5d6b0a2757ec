/** Clients that mean no good, on raw sockets. Imports node: only. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** What a client of version 1 of the protocol would say first. */
const SUBPROTOCOL = 'lumenize-rpc.1';

/** Between two frames of garbage, in milliseconds: it is the content that has to do harm. */
const GARBAGE_EVERY = 2;

/**
 * Between two calls whose answers are not read, in milliseconds. Each answer repeats the name that
 * was called, so few calls fill the way back. (As many calls as go through the socket would be a
 * flood, which the runtime, and no code of ours, has to divide fairly.)
 */
const UNREAD_EVERY = 10;
const LONG_NAME = 'x'.repeat(20_000);

export interface Abuser {
  stop(): void;
}

/** Sends what is no frame, or a frame that means nothing; comes back when it is thrown out. */
export function sendGarbage(url: string, random: () => number): Abuser {
  let socket: WebSocket | undefined;
  const open = (): void => {
    socket = new WebSocket(url.replace(/^http/, 'ws'), [SUBPROTOCOL]);
    socket.addEventListener('error', () => {});
  };
  const timer = setInterval(() => {
    if (!socket || socket.readyState > WebSocket.OPEN) open();
    if (socket?.readyState === WebSocket.OPEN) socket.send(garbage(random));
  }, GARBAGE_EVERY);
  return {
    stop() {
      clearInterval(timer);
      socket?.close();
    },
  };
}

function garbage(random: () => number): string | Uint8Array<ArrayBuffer> {
  const choices = [
    () => new Uint8Array(randomBytes(Math.floor(random() * 2_000))),
    () => randomBytes(500).toString('latin1'),
    () => '['.repeat(Math.floor(random() * 50_000)),
    () => '[[1,"increment"',
    () => JSON.stringify([[random() * 1e9, 'increment', ['x']]]),
    () => JSON.stringify([[1, '__proto__'], [2, 'constructor', [1]], ['cancel', 'x'], [null], []]),
    () => JSON.stringify([[7, 'increment', 'rich', [[1], [['Map', 9, 9]], ['Call', 99]]]]),
    () => JSON.stringify(Array.from({ length: 3_000 }, (_, id) => [id + 1, 'nothing'])),
    () => JSON.stringify({ calls: [] }),
  ];
  return (choices[Math.floor(random() * choices.length)] as () => string)();
}

/** Calls and calls, and reads no answer: they pile up on the way, and then at the object. */
export function readNothing(url: string): Abuser {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\n` +
      `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
      `Sec-WebSocket-Protocol: ${SUBPROTOCOL}\r\n\r\n`,
  );
  let id = 0;
  let timer: NodeJS.Timeout | undefined;
  socket.once('data', () => {
    socket.pause();
    timer = setInterval(() => sendFrame(socket, JSON.stringify([[++id, LONG_NAME]])), UNREAD_EVERY);
  });
  return {
    stop() {
      clearInterval(timer);
      socket.destroy();
    },
  };
}

/** A text frame of 126 to 65 535 bytes, as clients send it: masked, here with zeros. */
function sendFrame(socket: Socket, text: string): void {
  const header = Buffer.from([0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0]);
  header.writeUInt16BE(text.length, 2);
  socket.write(Buffer.concat([header, Buffer.from(text)]));
}
