/** The counter's value, and the buttons that change it. */
import type { Counter } from '../counter.ts';
import type { RpcClient } from '../rpc/client.ts';
import { element, milliseconds, setText } from './elements.ts';

export function wireCount(counter: RpcClient<Counter>): void {
  const by = element('by') as HTMLInputElement;
  onEvent('increment', 'click', () => counter.increment());
  onEvent('add', 'submit', () => counter.increment(by.valueAsNumber));
  onEvent('reset', 'click', async () => {
    await counter.reset();
    return counter.getValue();
  });
  void show(() => counter.getValue());
}

export function showValue(value: number): void {
  setText('value', value.toLocaleString('en'));
}

function onEvent(id: string, type: string, call: () => Promise<number>): void {
  element(id).addEventListener(type, (event) => {
    event.preventDefault();
    void show(call);
  });
}

async function show(call: () => Promise<number>): Promise<void> {
  const start = performance.now();
  try {
    showValue(await call());
    setText('round-trip', milliseconds(performance.now() - start));
    setText('problem', '');
  } catch (error) {
    setText('problem', error);
  }
}
