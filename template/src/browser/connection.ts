/** Shows the state of the connection. */
import type { ConnectionState, StateDetail } from '../rpc/client.ts';
import { element, milliseconds } from './elements.ts';

export function showConnection(state: ConnectionState, detail: StateDetail): void {
  const line = element('connection');
  line.textContent = `Connection: ${describe(state, detail)}`;
  line.dataset['state'] = state;
}

export function describe(state: ConnectionState, { attempt, delay, reason }: StateDetail): string {
  if (delay !== undefined) return `${state}, attempt ${attempt} in ${milliseconds(delay)}`;
  return reason ? `${state}, ${reason}` : state;
}
