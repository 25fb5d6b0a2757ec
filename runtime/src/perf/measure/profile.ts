/**
 * Measures where the time of one call goes, apart from the network and the runtime. It measures each
 * step alone, and whole calls from a client to a contract, in this process and without a socket. For
 * comparison it measures JSON for the same messages, which is the least that a text format costs.
 */
import type * as Tinybench from 'tinybench';
import * as Type from '../../typebox/builders.ts';
import type { RpcClient } from '../../client/client-types.ts';
import { createRpcClient } from '../../client/proxy.ts';
import type { TransportEvents } from '../../client/transport.ts';
import { decodeArgs } from '../../server/calls/arguments.ts';
import { compileContract } from '../../server/contract/compile-contract.ts';
import { runFrame } from '../../server/calls/dispatch.ts';
import { ClientConnection } from '../../server/connections/client-connection.ts';
import * as wire from '../../wire/messages.ts';
import { estimate, type Estimate, median, pairedRatio } from './statistics.ts';
import type { Result } from './summary.ts';
import { formatRatio } from '../report/tables.ts';

export interface Profile {
  /** The time of each step, in microseconds for one call. */
  steps: { name: string; time: Estimate }[];
  /** The last three of these steps with cold caches, as they are between two calls on the wire. */
  cold: { name: string; time: Estimate }[];
  /** Times of all steps together, and of a whole call, relative to JSON for both messages. */
  ratios: { steps: Estimate; call: Estimate };
}

/** The number of calls in a sample. The sample is the mean of their times. The clock is too coarse for one call. */
const BATCH = 200;

/** The bytes of memory that are touched before each cold call: more than a core's nearest caches hold. */
const TOUCHED = 2 ** 21;
/** The distance between two bytes that are touched: the 64 bytes of a cache line. */
const LINE = 64;
/** The number of cold calls of each kind in a round. */
const COLD_CALLS = 50;

const contract = compileContract({ add: [Type.Integer({ minimum: 1, maximum: 1_000_000 })] });
const instance = { sum: 0, add: (by: number) => (instance.sum += by) };
let id = 0;

const encodesCall = () => `[${wire.encodeCall(++id, 'add', [5])}]`;
const decodesCall = (frame = '[[1234567,"add",[5]]]') => {
  const [call = []] = wire.decodeFrame(frame);
  wire.checkCall(call);
  return decodeArgs(call, contract.limits, () => undefined).args as number[];
};
const validates = (args = [5]) => contract.methods.get('add')?.validate(args);
const encodesAnswer = () => `[${wire.encodeResult(id, instance.sum)}]`;
const decodesAnswer = (frame = '[[1234567,7654321]]') =>
  wire.decodeAnswer(wire.decodeFrame(frame)[0] as wire.AnswerMessage);

const ALL = 'these steps in a row';
const CALL = 'a whole call: proxy, frame, dispatch, promise';
const JSON_ALONE = 'JSON alone, the same messages both ways';

const steps: Record<string, () => unknown> = {
  'client encodes': encodesCall,
  'server decodes': () => decodesCall(),
  'server validates': () => validates(),
  'server encodes': encodesAnswer,
  'client decodes': () => decodesAnswer(),
  [ALL]() {
    const args = decodesCall(encodesCall());
    validates(args);
    instance.add(args[0] as number);
    return decodesAnswer(encodesAnswer());
  },
  [JSON_ALONE]: () => [
    JSON.parse(JSON.stringify([[++id, 'add', [5]]])),
    JSON.parse(JSON.stringify([[id, (instance.sum += 5)]])),
  ],
};

/**
 * @param tinybench - the package, which not every project has installed
 * @param rounds - number of rounds. Each round measures each step once, so that noise affects all steps
 *   equally. Default 30.
 * @param time - the time for each step in each round, in milliseconds. Default 20.
 */
export async function profile(
  { Bench }: typeof Tinybench,
  rounds = 30,
  time = 20,
): Promise<Profile> {
  const client = connectInProcess();
  const bench = new Bench({ time, iterations: 8, warmupTime: time, throws: true });
  const since = (start: number) => {
    const overriddenIterationCost = bench.now() - start;
    return { overriddenIterationCost, overriddenDuration: overriddenIterationCost / BATCH };
  };
  for (const [name, step] of Object.entries(steps)) {
    bench.add(name, () => {
      const start = bench.now();
      for (let count = 0; count < BATCH; count++) step();
      return since(start);
    });
  }
  bench.add(CALL, async () => {
    const start = bench.now();
    for (let count = 0; count < BATCH; count++) await client.add(5);
    return since(start);
  });
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    bench.reset();
    for (const { name, result } of await bench.run()) {
      if ('latency' in result) (times[name] ??= []).push(result.latency.p50 * 1000);
    }
  }
  const cold = await coldly(rounds, {
    [ALL]: steps[ALL],
    [CALL]: () => client.add(5),
    [JSON_ALONE]: steps[JSON_ALONE],
  });
  const ratio = (name: string) => pairedRatio(times[name] ?? [], times[JSON_ALONE] ?? []);
  return {
    steps: Object.entries(times).map(([name, all]) => ({ name, time: estimate(all) })),
    cold: Object.entries(cold).map(([name, all]) => ({ name, time: estimate(all) })),
    ratios: { steps: ratio(ALL), call: ratio(CALL) },
  };
}

/**
 * Measures single calls of the steps, with 2 MiB of memory touched before each call. An optimisation that
 * helps only in a hot loop does not help here.
 *
 * @returns for each step the median of each round, in microseconds
 */
async function coldly(
  rounds: number,
  all: Record<string, (() => unknown) | undefined>,
): Promise<Record<string, number[]>> {
  const memory = new Uint8Array(TOUCHED);
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, step] of Object.entries(all)) {
      const samples: number[] = [];
      for (let call = 0; call < COLD_CALLS; call++) {
        for (let at = 0; at < TOUCHED; at += LINE) memory[at] = (memory[at] as number) + 1;
        const start = performance.now();
        await step?.();
        samples.push((performance.now() - start) * 1000);
      }
      (times[name] ??= []).push(median(samples));
    }
  }
  return times;
}

function connectInProcess(): RpcClient<typeof instance> {
  let events: TransportEvents | undefined;
  const peer = new ClientConnection({}, { send: (frame) => events?.received(frame) });
  const transport = {
    address: 'this process',
    connect: (session: TransportEvents) => (events = session).opened(),
    send(frame: string) {
      peer.hold();
      runFrame(frame, () => ({ instance, contract, journal: undefined }), peer);
      peer.release();
    },
    close() {},
  };
  return createRpcClient<typeof instance>('NONE', 'none', { transport });
}

/** Returns the parts of a call's time, as differences between the medians of contenders. */
function differences(results: readonly Result[]): [name: string, time: number][] {
  const medianOf = (contender: string, workload = '100 reads'): number =>
    results.find((one) => one.contender === contender && one.workload === workload)?.median ?? NaN;
  const floor = medianOf('by hand, hibernating');
  const increment = (contender: string): number => medianOf(contender, '100 increments');
  const all: [string, number][] = [
    ['a read by hand: sockets, runtime, JSON', floor],
    ['of which hibernation', floor - medianOf('by hand, always awake')],
    ['more by this RPC', medianOf('this RPC') - floor],
    ['executing an increment', increment('by hand, hibernating') - floor],
    ['the journal', increment('this RPC') - increment('this RPC, no journal')],
  ];
  return all.filter(([, time]) => !Number.isNaN(time));
}

export function formatProfile(
  { steps: rows, cold, ratios }: Profile,
  results: readonly Result[],
): string {
  const row = (name: string, time: string): string => `  ${name.padEnd(48)}${time}`;
  return [
    'One call on the wire, by differences of medians, in µs',
    ...differences(results).map(([name, time]) => row(name, time.toFixed(1))),
    'One call in this process, without a socket, in µs',
    ...rows.map(({ name, time }) => row(name, formatRatio(time))),
    'The same, with 2 MiB of memory touched before each call, in µs',
    ...cold.map(({ name, time }) => row(name, formatRatio(time))),
    `  relative to JSON: the steps ${formatRatio(ratios.steps)}, a whole call ${formatRatio(ratios.call)}`,
  ].join('\n');
}
