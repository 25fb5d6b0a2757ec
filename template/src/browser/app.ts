/** The demo page: wires its buttons to the counter. Nothing else belongs here. */
import type { Counter } from '../counter.ts';
import { createRpcClient } from '../rpc/client.ts';

const counter = createRpcClient<Counter>('COUNTER', 'demo');

const value = element('value');
const message = element('message');

element('increment').addEventListener('click', () => show(counter.increment()));
element('reset').addEventListener('click', () => show(reset()));
void show(counter.getValue());

async function reset(): Promise<number> {
  await counter.reset();
  return counter.getValue();
}

async function show(answer: Promise<number>): Promise<void> {
  try {
    value.textContent = String(await answer);
    message.textContent = '';
  } catch (error) {
    message.textContent = String(error);
  }
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element #${id}`);
  return found;
}
