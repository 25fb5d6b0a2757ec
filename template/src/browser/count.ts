/** The counter's value, and the buttons that change it. */
import type { Counter } from '../counter.ts';
import type { RpcClient } from '../rpc/client.ts';
import { element, milliseconds, onPress, setText, showProblem } from './elements.ts';

export function wireCount(counter: RpcClient<Counter>): void {
  const by = element('by') as HTMLInputElement;
  onPress('increment', () => show('increment()', counter.increment()), true);
  onPress('add', () => {
    const number = by.valueAsNumber;
    return show(`increment(${number})`, counter.increment(number));
  });
  onPress('reset', () => show('reset()', resetAndRead(counter)));
  void showProblem(by, () => show('getValue()', counter.getValue()));
}

export function showValue(value: number): void {
  const text = value.toLocaleString('en');
  setText('value', text);
  // Its size depends on how many characters have to fit.
  element('value').style.setProperty('--length', `${text.length}`);
}

async function resetAndRead(counter: RpcClient<Counter>): Promise<number> {
  await counter.reset();
  return counter.getValue();
}

async function show(call: string, answer: Promise<number>): Promise<void> {
  const start = performance.now();
  setText('call', `await counter.${call};`);
  showValue(await answer);
  setText('round-trip', milliseconds(performance.now() - start));
}
