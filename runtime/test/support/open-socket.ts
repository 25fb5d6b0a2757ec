/** Opens a WebSocket to an object without a client. The module runs in the Workers runtime. */
import { exports } from 'cloudflare:workers';
import { CLIENT_ID, SUBPROTOCOL } from '../../src/wire/messages.ts';

/**
 * @param client - the id of the client, if it has one
 * @returns the accepted socket
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
