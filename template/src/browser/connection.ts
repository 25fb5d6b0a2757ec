/** The state of the connection, in words. */
import type { ConnectionState, StateDetail } from '../rpc/client.ts';
import { element, milliseconds } from './elements.ts';

export function showConnection(state: ConnectionState, detail: StateDetail): string {
  const { attempt, delay, reason } = detail;
  const more = delay === undefined ? reason : `attempt ${attempt} in ${milliseconds(delay)}`;
  const text = `Connection: ${more ? `${state}, ${more}` : state}`;
  const line = element('connection');
  line.textContent = text;
  line.dataset['state'] = state;
  return text;
}
