/** Cuts the connection while calls are under way, and shows that each of them runs once. */
import type { Counter } from '../counter.ts';
import type { ConnectionState, RpcClient, StateDetail } from '../rpc/client.ts';
import { describe } from './connection.ts';
import { element, milliseconds, onPress } from './elements.ts';

let start: number | undefined;

export function noteState(state: ConnectionState, detail: StateDetail): void {
  if (start !== undefined) note(`Connection: ${describe(state, detail)}`);
}

export function wireLoss(
  counter: RpcClient<Counter>,
  cut: () => Promise<void>,
  showValue: (value: number) => void,
): void {
  const tenTimes = () => Array.from({ length: 10 }, () => counter.increment());
  onPress('cut', async () => {
    element('events').replaceChildren();
    try {
      const before = await counter.getValue();
      start = performance.now();
      const sent = tenTimes();
      // They leave at the end of this tick.
      await undefined;
      note('10 increments sent, socket closed');
      await cut();
      const waiting = tenTimes();
      note('10 increments made, waiting');
      const answers = await Promise.all([...sent, ...waiting]);
      const after = await counter.getValue();
      showValue(after);
      note(`${answers.length} answers: ${before} + ${after - before} = ${after}`).className =
        'exact';
    } catch (error) {
      note(String(error));
    }
    start = undefined;
  });
}

function note(text: string): HTMLElement {
  const item = document.createElement('li');
  item.textContent = `${milliseconds(performance.now() - (start ?? 0))}  ${text}`;
  element('events').appendChild(item);
  return item;
}
