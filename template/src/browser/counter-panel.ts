/** The counter: its value, and the buttons that change it. */
import type { Counter } from '../counter.ts';
import type { RpcClient } from '../rpc/client.ts';
import { element, milliseconds, setText } from './elements.ts';

/** @returns what shows a value that comes from elsewhere */
export function wireCounter(counter: RpcClient<Counter>): (value: number) => void {
  const by = element('by') as HTMLInputElement;
  onEvent('increment', 'click', () => counter.increment());
  onEvent('add', 'submit', () => counter.increment(by.valueAsNumber));
  // Both leave in one frame.
  onEvent('reset', 'click', () => Promise.all([counter.reset(), counter.getValue()]).then(second));
  void show(() => counter.getValue());
  return showValue;
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

function showValue(value: number): void {
  setText('value', value.toLocaleString('en'));
}

function second([, value]: [unknown, number]): number {
  return value;
}
