/**
 * Measures clients that share nothing: 100 sockets of one object, each of which awaits its own calls. The CPU time of the
 * runtime limits such an object, so this part measures it, and the wall-clock time. Each contender has a runtime of its
 * own.
 */
import type { PerfConnection } from '../../runtime/src/perf/workloads.ts';
import { sleep } from '../../harness/waiting.mjs';
import { contenderOf } from '../contenders/peers.ts';
import { serveContenders } from '../contenders/serve.ts';
import { NOT_TOLD, tellsProcesses } from '../../harness/machine.ts';
import { CAPNWEB, FLOOR, ofSockets, SOCKETS, THIS_RPC, VALIDATED } from '../results/names.ts';
import type { PartOptions } from '../part.ts';
import { type Figures, type Row, rowsOf } from '../results/rows.ts';
import { inTurns } from '../turns.ts';

const ROUNDS = 40;

/** The number of calls of each socket in a round, one after another. */
const CALLS = 10;

/** The pause after a round, in milliseconds, because the runtime goes on working after the last answer. */
const SETTLE = 5;

const NAMES = [THIS_RPC, FLOOR, CAPNWEB, VALIDATED];

/** The CPU time and the wall-clock time of a round, in microseconds for one call. */
interface Round {
  cpu: number;
  wall: number;
}

interface Crowd {
  sockets: PerfConnection[];
  cpuTime(): Promise<number>;
  /** The value of the counter. */
  value: number;
}

type Method = 'increment' | 'getValue';

const WORKLOADS: readonly (readonly [name: 'increments' | 'reads', method: Method])[] = [
  ['increments', 'increment'],
  ['reads', 'getValue'],
];

/** @throws Error if an answer is wrong */
export async function measureSockets({ isQuick, note }: PartOptions): Promise<Row[]> {
  if (!tellsProcesses) {
    return [{ what: ofSockets('increments', 'cpu'), who: THIS_RPC, note: NOT_TOLD }];
  }
  await using all = new AsyncDisposableStack();
  const count = isQuick ? 5 : SOCKETS;
  const rounds = isQuick ? 2 : ROUNDS;
  const crowds = new Map<string, Crowd>();
  for (const name of NAMES) {
    const { connect } = contenderOf(name);
    const runtime = all.use(await serveContenders({ webSocketCompression: false }));
    const opening = Array.from({ length: count }, () => connect(runtime.url, 'crowd'));
    const sockets = await Promise.all(opening);
    all.defer(() => {
      for (const socket of sockets) socket.close();
    });
    // Some contenders connect with their first call.
    await Promise.all(sockets.map((socket) => socket.call('getValue', [])));
    crowds.set(name, { sockets, cpuTime: () => runtime.cpuTime(), value: 0 });
  }
  const rows: Row[] = [];
  for (const [name, method] of WORKLOADS) {
    const acts = Array.from(
      crowds,
      ([who, crowd]) => [who, () => round(who, crowd, method)] as const,
    );
    const results = await inTurns(new Map(acts), {
      rounds,
      warmUp: isQuick ? 1 : 4,
      onRound: (number) => note(`${name}, round ${number + 1} of ${rounds}`),
    });
    for (const figure of ['cpu', 'wall'] as const) {
      const figures: Figures = new Map(
        Array.from(results, ([who, own]) => [who, own.map((one) => one[figure])]),
      );
      const what = ofSockets(name, figure);
      rows.push(...rowsOf(what, 'µs', figures, [FLOOR, CAPNWEB, VALIDATED]));
    }
  }
  return rows;
}

async function round(who: string, crowd: Crowd, method: Method): Promise<Round> {
  const { sockets, cpuTime, value } = crowd;
  const calls = sockets.length * CALLS;
  const before = await cpuTime();
  const begun = performance.now();
  const answers = await Promise.all(
    sockets.map((socket) =>
      Array.fromAsync({ length: CALLS }, async () => Number(await socket.call(method, []))),
    ),
  );
  const time = performance.now() - begun;
  await sleep(SETTLE);
  const cpu = (await cpuTime()) - before;
  const isIncrement = method === 'increment';
  // The order between sockets is open. But each increment has its own answer, and the answers of a socket rise.
  const sorted = answers.flat().toSorted((one, other) => one - other);
  for (const [index, answer] of sorted.entries()) {
    const right = isIncrement ? value + index + 1 : value;
    if (answer !== right) throw new Error(`${who}: an answer is ${answer} and not ${right}`);
  }
  if (
    isIncrement &&
    answers.some((own) => own.some((one, index) => one <= (own[index - 1] ?? 0)))
  ) {
    throw new Error(`${who}: the answers of a socket are out of order`);
  }
  if (isIncrement) crowd.value += calls;
  return { cpu: (cpu * 1000) / calls, wall: (time * 1000) / calls };
}
