/** Cuts the connection while calls are running. Each call still runs exactly once. */
import type { Counter } from '../counter.ts';
import type { RpcClient } from 'lumenize-rpc/client';
import { element, milliseconds, onPress } from './elements.ts';

let start: number | undefined;

export function wireLoss(counter: RpcClient<Counter>, cut: () => Promise<void>): void {
  const incrementTenTimes = () => Array.from({ length: 10 }, () => counter.increment());
  onPress('cut', async () => {
    element('events').replaceChildren();
    const before = await counter.getValue();
    start = performance.now();
    const sent = incrementTenTimes();
    // The calls are sent at the end of this tick.
    await undefined;
    note('10 increments sent, socket closed');
    await cut();
    note('10 more wait');
    const answers = await Promise.all([...sent, ...incrementTenTimes()]);
    const after = await counter.getValue();
    note(`${answers.length} answers: ${before} + ${after - before} = ${after}`, 'exact');
    start = undefined;
  });
}

/** Adds a line to the list of events, while the demonstration runs. */
export function note(text: string, className = ''): void {
  if (start === undefined) return;
  const item = document.createElement('li');
  item.textContent = `${milliseconds(performance.now() - start)}  ${text}`;
  item.className = className;
  element('events').appendChild(item);
}
