/**
 * Compares a call of a capability and a call of a callback with a call of the object.
 * docs/decisions/capabilities-and-callbacks.md has the figures.
 */
import { join } from 'node:path';
import { createRpcClient } from '../../runtime/src/client.ts';
import { callback } from '../../runtime/src/features/callbacks/client/callback.ts';
import {
  capabilities,
  tokenOf,
} from '../../runtime/src/features/capabilities/client/capabilities.ts';
import type { Contender } from '../../runtime/src/perf/contenders.ts';
import type { PerfConnection } from '../../runtime/src/perf/workloads.ts';
import type { PartOptions } from '../part.ts';
import { type Row, rowsOf } from '../results/rows.ts';
import { serve } from '../serve.ts';
import { inTurns } from '../turns.ts';
import { compareVariants } from '../series.ts';
import type { Counter } from './workers/capabilities.ts';

const WORKER = join(import.meta.dirname, 'workers/capabilities.ts');

const WORKLOADS = ['100 increments', '100 reads', '100 reads in flight'];
const OBJECT = 'a call of the object';
const CAPABILITY = 'a call of a capability';

/** @param counter - the object, or a capability of it */
function callsOf(counter: object): Pick<PerfConnection, 'call'> {
  const methods = counter as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;
  return { call: async (method, args) => methods[method]?.(...args) };
}

/** @throws Error if an answer is wrong */
export async function measureCapabilities({ isQuick, note }: PartOptions): Promise<Row[]> {
  await using runtime = await serve(WORKER, { COUNTER: 'Counter' });
  const open = (name: string) =>
    createRpcClient<Counter>('COUNTER', name, { baseUrl: runtime.url, capabilities });
  const plain: Contender = {
    name: OBJECT,
    about: '',
    async connect(_url, name) {
      const counter = open(name);
      return { ...callsOf(counter), close: () => counter.close() };
    },
  };
  const variants: Contender[] = [
    plain,
    { ...plain, name: `${OBJECT}, again` },
    {
      name: CAPABILITY,
      about: '',
      async connect(_url, name) {
        const counter = open(name);
        const access = await counter.open('ann');
        return { ...callsOf(access), close: () => counter.close() };
      },
    },
  ];
  note('capabilities');
  const compared = await compareVariants(variants, WORKLOADS, 30_000, isQuick);

  using counter = open('rows');
  const rowsWritten = async (act: () => Promise<unknown>): Promise<number> => {
    const before = await counter.rowsWritten();
    await act();
    return (await counter.rowsWritten()) - before;
  };
  await counter.increment();
  const first = await rowsWritten(() => counter.open('bob'));
  const access = await counter.open('bob');
  const again = await rowsWritten(() => counter.open('bob'));
  const used = await rowsWritten(() => access.getValue());
  const { length } = `"${tokenOf(access).slice(1, -1)}"`;
  const counts: Row[] = [
    { what: 'rows written by the call that creates a capability', who: CAPABILITY, value: first },
    {
      what: 'rows written by a call that returns the same capability',
      who: CAPABILITY,
      value: again,
    },
    { what: 'rows written by a read', who: CAPABILITY, value: used },
    {
      what: 'the address of a capability in a call',
      who: CAPABILITY,
      value: length + 1,
      unit: 'bytes',
    },
  ];

  note('callbacks');
  const times = isQuick ? 10 : 300;
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await act();
    return ((performance.now() - start) * 1000) / times;
  };
  const called = await inTurns(
    new Map([
      [
        'a callback',
        () =>
          timed(async () => {
            const sum = await counter.ask(
              callback(() => 1),
              times,
            );
            if (sum !== times) throw new Error(`The sum of ${times} callbacks is ${sum}`);
          }),
      ],
      [
        'a read',
        () =>
          timed(async () => {
            for (let call = 0; call < times; call++) await counter.getValue();
          }),
      ],
    ]),
    isQuick ? { rounds: 2, warmUp: 0 } : { rounds: 50, warmUp: 10 },
  );
  return [...compared, ...counts, ...rowsOf(`${times} awaited`, 'µs', called, ['a read'])];
}
