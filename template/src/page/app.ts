/** The demo page: its clients, and the panels that call them. Begin here. */
import type { Counter } from '../counter.ts';
import { createRpcClient, RpcError, subscribe } from 'lumenize-rpc/client';
import { observeSockets } from 'lumenize-rpc/debug';
import {
  element,
  milliseconds,
  onPress,
  setText,
  showConnection,
  showProblem,
} from './elements.ts';
import { showFrame } from './frames.ts';
import { countFrame, wireTimings } from './timings.ts';

/** The start of the demonstration of a lost connection, in milliseconds; `undefined` if it does not run. */
let begun: number | undefined;

const sockets = observeSockets((frame) => showFrame('demo', frame));
const counter = createRpcClient<Counter>('COUNTER', 'demo', {
  WebSocket: sockets.WebSocket,
  onStateChange: (state, detail) => note(showConnection(state, detail)),
  // This is ten times the default, so that a user can watch the attempts.
  reconnect: { minDelay: 1_000 },
  timeout: 10_000,
});

/** Another object of the same class, so that measurements do not change the visible number. */
const trial = createRpcClient<Counter>('COUNTER', 'trial', {
  WebSocket: observeSockets((frame) => {
    showFrame('trial', frame);
    countFrame(frame);
  }).WebSocket,
  timeout: 10_000,
});

wireTimings(trial);

// Count

const by = element('by') as HTMLInputElement;
onPress('increment', () => count('increment()', counter.increment()), true);
onPress('add', () => count(`increment(${by.valueAsNumber})`, counter.increment(by.valueAsNumber)));
onPress('reset', () => count('reset()', counter.reset()));

async function count(call: string, answer: Promise<unknown>): Promise<void> {
  const start = performance.now();
  setText('call', `await counter.${call};`);
  await answer;
  setText('round-trip', milliseconds(performance.now() - start));
}

void showProblem(by, async () => {
  // Changes come from this page and from all other clients.
  for await (const value of subscribe(counter).getValue()) {
    const text = value.toLocaleString('en');
    setText('value', text);
    // The font size depends on the number of characters.
    element('value').style.setProperty('--length', `${text.length}`);
  }
});

// A rejected input

onPress('reject', async () => {
  const error = await failureOf(counter.increment(1.5));
  if (!(error instanceof RpcError) || error.code !== 'INVALID_ARGUMENTS') throw error;
  setText('code', error.code);
  setText('path', error.path);
  setText('message', error.message);
});

// A thrown error

onPress('throw', async () => {
  // All calls are in one frame. Only the call beyond the counter's maximum fails.
  const emptied = trial.reset();
  const filled = Array.from({ length: 1_000 }, () => trial.increment(1_000_000));
  const error = await failureOf(
    Promise.all([emptied, ...filled, trial.increment(), trial.reset()]),
  );
  // An `RpcError` was not thrown by the method.
  if (error instanceof RpcError) throw error;
  // The stack has the lines of the object first, then the lines of this page. The folders are left out.
  setText('stack', error.stack?.replaceAll(/\w+:\/\/\S*\//g, ''));
});

async function failureOf(call: Promise<unknown>): Promise<Error> {
  return call.then(
    () => new Error('Nothing failed: src/counter.ts allows the call'),
    (error: Error) => error,
  );
}

// A lost connection

onPress('cut', async () => {
  element('events').replaceChildren();
  const before = await counter.getValue();
  begun = performance.now();
  const sent = incrementTenTimes();
  // The calls are sent at the end of this tick.
  await undefined;
  note('10 increments sent, socket closed');
  await sockets.cut();
  note('10 more wait');
  const answers = await Promise.all([...sent, ...incrementTenTimes()]);
  const after = await counter.getValue();
  note(`${answers.length} answers: ${before} + ${after - before} = ${after}`, 'exact');
  begun = undefined;
});

function incrementTenTimes(): Promise<number>[] {
  return Array.from({ length: 10 }, () => counter.increment());
}

/** Adds a line to the list of events, while the demonstration runs. */
function note(text: string, className = ''): void {
  if (begun === undefined) return;
  const item = document.createElement('li');
  item.textContent = `${milliseconds(performance.now() - begun)}  ${text}`;
  item.className = className;
  element('events').appendChild(item);
}
