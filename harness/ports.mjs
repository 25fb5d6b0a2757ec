/** Finds and checks ports of this machine. */
import { connect, createServer } from 'node:net';

const HOST = '127.0.0.1';
/**
 * The ports are lower than the ports of outgoing connections, so that no connection takes a port while its server is
 * down.
 */
const PORTS = { from: 15_000, count: 15_000 };

/** @returns {Promise<number>} a port on which nothing listens */
export async function freePort() {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    if (await isFree(port)) return port;
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>} whether a server accepts connections there
 */
export function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });
}
