/** Opens a WebSocket to an object, past the client. Runs in the Workers runtime. */
import { exports } from 'cloudflare:workers';
import { CLIENT_ID, SUBPROTOCOL } from '../../src/wire/messages.ts';

/**
 * @param client - the id of the client; left out for one without an id
 * @returns the socket, already accepted
 */
export async function openSocket(
  binding: string,
  instance: string,
  client?: string,
): Promise<WebSocket> {
  const protocols = [SUBPROTOCOL, ...(client ? [`${CLIENT_ID}.${client}`] : [])];
  const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols.join(', ') };
  const url = `https://example.com/__rpc/${binding}/${encodeURIComponent(instance)}/call`;
  const { webSocket } = await exports.default.fetch(url, { headers });
  if (!webSocket) throw new Error('The upgrade was refused');
  webSocket.accept();
  return webSocket;
}
