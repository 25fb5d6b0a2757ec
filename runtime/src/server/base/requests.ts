/** Distinguishes kinds of requests, for the router and the object. */
import { PROBE } from '../../wire/messages.ts';

/** The header in which the router tells an object the path before the rest of a request's path. */
export const OBJECT_PATH = 'lumenize-rpc-path';

/** Whether a request opens a WebSocket. Only GET can do so, whatever the headers are. */
export function isUpgrade({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('Upgrade')?.toLowerCase() === 'websocket';
}

/** Whether a request asks why an upgrade was rejected, which a WebSocket does not report. */
export function isProbe({ method, headers }: Request): boolean {
  return method === 'POST' && headers.has(PROBE);
}
