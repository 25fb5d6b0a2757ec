/**
 * `npm run capability-cost`: compares a call on a capability, and a call of a callback, with a call of the object.
 * Prints the figures of docs/decisions/{capabilities,callbacks}.md.
 */
import { join } from 'node:path';
import { Runtime } from '../../harness/runtime.ts';
import type { Contender } from '../../runtime/src/perf/contenders.ts';
import { pairedRatio } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient } from '../../runtime/src/client.ts';
import { callback } from '../../runtime/src/features/callbacks/client.ts';
import { capabilities, tokenOf } from '../../runtime/src/features/capabilities/client.ts';
import { printRatios, ratioText } from '../ratio-table.ts';
import type { Counter } from './worker.ts';

const WORKLOADS = new Set(['100 increments', '100 reads', '100 reads in flight']);

await using runtime = await Runtime.serve({ config: join(import.meta.dirname, 'wrangler.jsonc') });

const open = (name: string) =>
  createRpcClient<Counter>('COUNTER', name, { baseUrl: runtime.url, capabilities });

const plain: Contender = {
  name: 'plain',
  about: 'a call of the object',
  connect: async (_url, name) => open(name),
};

const variants: Contender[] = [
  plain,
  { ...plain, name: 'plain, again' },
  {
    name: 'capability',
    about: 'a call on a capability',
    async connect(_url, name) {
      const counter = open(name);
      const access = await counter.open('ann');
      return {
        increment: (...by: [number?]) => access.increment(...by),
        getValue: () => access.getValue(),
        close: () => counter.close(),
      };
    },
  },
];

await printRatios(variants, WORKLOADS, 30_000, 2);

using counter = open('rows');
const rows = async (act: () => Promise<unknown>): Promise<number> => {
  const before = await counter.rowsWritten();
  await act();
  return (await counter.rowsWritten()) - before;
};
await counter.increment();
const first = await rows(() => counter.open('bob'));
const access = await counter.open('bob');
const again = await rows(() => counter.open('bob'));
const used = await rows(() => access.getValue());
console.log(
  `\nRows: ${first} for a new address and the call, ${again} for the call alone, ${used} for use`,
);
const { length } = `"${tokenOf(access).slice(1, -1)}"`;
console.log(`Bytes more in a call: ${length + 1}, of the address ${tokenOf(access)}`);

/** Callbacks, and calls, in a round: one after the other. */
const TIMES = 300;
const times: [callbacks: number, calls: number][] = [];
for (let round = 0; round < 60; round++) {
  const one: [number, number] = [0, 0];
  for (const which of round % 2 ? [0, 1] : [1, 0]) {
    const start = performance.now();
    if (which === 0) {
      const sum = await counter.ask(
        callback(() => 1),
        TIMES,
      );
      if (sum !== TIMES) throw new Error(`${TIMES} callbacks answered ${sum}`);
    } else for (let call = 0; call < TIMES; call++) await counter.getValue();
    one[which] = (performance.now() - start) / TIMES;
  }
  // The first rounds warm up.
  if (round >= 10) times.push(one);
}
const [ofCallbacks, ofCalls] = [0, 1].map((which) => times.map((one) => one[which] as number));
const ratio = pairedRatio(ofCallbacks as number[], ofCalls as number[]);
console.log(`A callback to a read, each awaited: ${ratioText(ratio, 2)}`);
