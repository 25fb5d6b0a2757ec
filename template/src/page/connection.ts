/** Shows the state of a page's connection as text. */
import type { ConnectionState, StateDetail } from 'lumenize-rpc/client';
import { element, milliseconds } from './elements.ts';

/** @returns the text that it shows */
export function showConnection(state: ConnectionState, detail: StateDetail): string {
  const { attempt, delay, reason } = detail;
  const next = delay === undefined ? reason : `attempt ${attempt} in ${milliseconds(delay)}`;
  const more = (attempt ?? 0) > 1 ? `${next}. Is the Worker running (npm run dev)?` : next;
  const text = `Connection: ${more ? `${state}, ${more}` : state}`;
  const line = element('connection');
  line.textContent = text;
  line.dataset['state'] = state;
  return text;
}
