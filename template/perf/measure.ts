/**
 * How it is measured: every contender is checked for right answers first and warmed up; then, round
 * after round, each does each workload, in an order that turns with every round, so that whatever
 * the machine does meanwhile falls on all alike. Imports contenders and workloads.
 */
import type { Contender, CounterConnection } from './contenders.ts';
import type { Stopwatch, Workload } from './workloads.ts';

/** Times in microseconds. The rounds of all contenders of a workload are pairs by their index. */
export interface Series {
  readonly workload: Workload;
  readonly contender: Contender;
  /** One for each round: the whole workload, divided by its calls. */
  readonly perCall: number[];
  /** One for each call of all rounds. */
  readonly calls: number[];
}

export interface MeasureOptions {
  /** Rounds before those that count. */
  warmUp: number;
  /** How long to go on with rounds that count, in milliseconds. */
  duration: number;
  /** Called with the part that is done, from 0 to 1. */
  onProgress?: (part: number) => void;
}

const FEWEST_ROUNDS = 8;

/** @throws Error when a contender gives a wrong answer or none, naming it */
export async function measure(
  url: string,
  contenders: readonly Contender[],
  workloads: readonly Workload[],
  { warmUp, duration, onProgress }: MeasureOptions,
): Promise<Series[]> {
  for (const contender of contenders) await named(contender, checkAnswers(contender, url));
  const series = workloads.map((workload) =>
    contenders.map((contender): Series => ({ workload, contender, perCall: [], calls: [] })),
  );
  const connections = new Map<Contender, CounterConnection>();
  for (const contender of contenders) {
    connections.set(contender, await named(contender, contender.connect(url, 'measured')));
  }
  const runAll = async (round: number, record: boolean): Promise<void> => {
    for (const perWorkload of series) {
      for (const one of round % 2 ? perWorkload.toReversed() : perWorkload) {
        const connection = connections.get(one.contender) as CounterConnection;
        await named(one.contender, runOnce(one, connection, record));
      }
    }
  };
  for (let round = 0; round < warmUp; round++) await runAll(round, false);
  const start = performance.now();
  // An even number of rounds, so that each order comes as often as the other.
  for (let round = 0; round < FEWEST_ROUNDS || performance.now() < start + duration; round += 2) {
    await runAll(0, true);
    await runAll(1, true);
    onProgress?.(Math.min(1, (performance.now() - start) / duration));
  }
  for (const connection of connections.values()) connection.close();
  return series.flat();
}

async function runOnce(
  { workload, perCall, calls }: Series,
  counter: CounterConnection,
  record: boolean,
): Promise<void> {
  const times: number[] = [];
  const time: Stopwatch = async (call) => {
    const start = performance.now();
    const answer = await call();
    times.push((performance.now() - start) * 1000);
    return answer;
  };
  const before = await counter.getValue();
  const start = performance.now();
  const answers = await workload.run(counter, time);
  const total = (performance.now() - start) * 1000;
  const expected = workload.expect(before);
  expectAnswers(workload.name, answers, expected);
  const after = expected.at(-1) ?? before;
  expectAnswers(`after ${workload.name}`, [await counter.getValue()], [after]);
  if (!record) return;
  perCall.push(total / workload.calls);
  calls.push(...times);
}

async function checkAnswers({ connect }: Contender, url: string): Promise<void> {
  const counter = await connect(url, 'checked');
  const answers = [
    await counter.getValue(),
    await counter.increment(),
    await counter.increment(5),
    await counter.getValue(),
  ];
  counter.close();
  expectAnswers('before timing', answers, [0, 1, 6, 6]);
}

function expectAnswers(when: string, answers: number[], expected: number[]): void {
  const wrong = expected.findIndex((value, index) => answers[index] !== value);
  if (wrong < 0) return;
  throw new Error(
    `${when}, answer ${wrong + 1} of ${expected.length} is ${answers[wrong]}, not ${expected[wrong]}`,
  );
}

/** Lets a failure say whose it is. */
async function named<Result>({ name }: Contender, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${name}: ${message}`, { cause });
  }
}
