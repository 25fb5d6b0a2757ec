/** What kind of request it is, for the router and for the object alike. Imports wire/. */
import { PROBE } from '../wire/messages.ts';

/** Whether a WebSocket is to be opened. Only GET can do that, whatever a header says. */
export function isUpgrade({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('Upgrade')?.toLowerCase() === 'websocket';
}

/** Whether a client asks why its upgrade was refused, which a WebSocket itself does not tell. */
export function isProbe({ method, headers }: Request): boolean {
  return method === 'POST' && headers.has(PROBE);
}
