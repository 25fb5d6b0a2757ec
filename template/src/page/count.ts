/** The counter's value, and the buttons that change it. */
import type { Counter } from '../counter.ts';
import { type RpcClient, subscribe } from 'lumenize-rpc/client';
import { element, milliseconds, onPress, setText, showProblem } from './elements.ts';

export function wireCount(counter: RpcClient<Counter>): void {
  const by = element('by') as HTMLInputElement;
  onPress('increment', () => show('increment()', counter.increment()), true);
  onPress('add', () => {
    const number = by.valueAsNumber;
    return show(`increment(${number})`, counter.increment(number));
  });
  onPress('reset', () => show('reset()', counter.reset()));
  void showProblem(by, async () => {
    // Changes come from this page and from all other clients.
    for await (const value of subscribe(counter).getValue()) showValue(value);
  });
}

function showValue(value: number): void {
  const text = value.toLocaleString('en');
  setText('value', text);
  // The font size depends on the number of characters.
  element('value').style.setProperty('--length', `${text.length}`);
}

async function show(call: string, answer: Promise<unknown>): Promise<void> {
  const start = performance.now();
  setText('call', `await counter.${call};`);
  await answer;
  setText('round-trip', milliseconds(performance.now() - start));
}
