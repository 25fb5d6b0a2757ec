/** Distinguishes kinds of requests, for the router and the object. */
import { PROBE } from '../../wire/messages.ts';

/** Whether a request opens a WebSocket. Only GET can do so, whatever the headers are. */
export function isUpgrade({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('Upgrade')?.toLowerCase() === 'websocket';
}

/** Whether a request asks why an upgrade was rejected, which a WebSocket does not report. */
export function isProbe({ method, headers }: Request): boolean {
  return method === 'POST' && headers.has(PROBE);
}
