/** A package registry that accepts connections and never answers, so that an installation never ends. */
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * @returns {Promise<{ url: string, reached: Promise<unknown>, abandoned: () => Promise<unknown> }>}
 *   `reached` resolves on the first connection, `abandoned` when no connection is open any more
 */
export async function silentRegistry() {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) server.emit('abandoned');
    });
    // Without a reader, the server would not detect the end of a connection.
    socket.resume();
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const reached = new Promise((resolve) => server.once('connection', resolve));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}/`,
    reached,
    abandoned: async () =>
      sockets.size > 0 && new Promise((resolve) => server.once('abandoned', resolve)),
  };
}
