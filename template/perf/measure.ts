/**
 * How it is measured: every contender is checked for right answers first and warmed up; then, round
 * after round, each does the same workload, in an order that turns, so that whatever the machine
 * does meanwhile falls on all alike.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Contender } from './contenders.ts';
import { randomNumbers } from './measure/statistics.ts';
import type { CounterConnection, Stopwatch, Workload } from './workloads.ts';

/** Times in microseconds. Rounds of a workload are pairs by their index. */
export interface Series {
  readonly workload: Workload;
  readonly contender: Contender;
  /** One for each round: the whole workload, divided by its calls. */
  readonly perCall: number[];
  /** One for each call of all rounds, where the workload has each timed. */
  readonly calls: number[];
  /** Why the contender was left out of the workload, without times. */
  failure?: string;
}

export interface MeasureOptions {
  /** Pairs of rounds before those that count, for each workload. */
  warmUp: number;
  /** How long it may take in all, in milliseconds. */
  duration: number;
  /** That count, for each workload, however long they take; made even. Default 8. */
  fewestRounds?: number;
  /** Called with the part that is done, from 0 to 1. */
  onProgress?: (part: number) => void;
}

/** How long a trial may take before its contender is left out, in milliseconds. */
const PATIENCE = 60_000;

type Open = (contender: Contender) => Promise<CounterConnection>;

/** One workload, which its contenders do in turn. */
interface Turn {
  readonly workload: Workload;
  readonly series: readonly Series[];
  rounds: number;
  /** How long it has taken, in milliseconds, divided by the workload's weight. */
  spent: number;
}

/**
 * Measures each contender on each workload.
 *
 * @param url - of the runtime, without a slash at its end
 * @throws Error when a contender fails in a workload whose trial it has passed, or counts wrong and
 *   is no rival (which is left out), naming it
 */
export async function measure(
  url: string,
  contenders: readonly Contender[],
  workloads: readonly Workload[],
  options: MeasureOptions,
): Promise<Series[]> {
  const deadline = performance.now() + options.duration;
  // Objects of a deployed worker outlast the test.
  const run = crypto.randomUUID();
  const open: Open = ({ name, connect }) => connect(url, `${name.replaceAll(/\W+/g, '-')}-${run}`);
  const all = workloads.flatMap((workload) =>
    contenders.map((contender): Series => ({ workload, contender, perCall: [], calls: [] })),
  );
  const warm = new Map<Contender, CounterConnection>();
  for (const contender of contenders) {
    try {
      warm.set(contender, await withPatience(checked(open(contender))));
    } catch (error) {
      if (contender.role !== 'rival') throw named(contender, error);
      for (const one of all) if (one.contender === contender) one.failure = messageOf(error);
    }
  }
  for (const one of all) one.failure ??= await trial(one, open);
  const able = all.filter(({ failure }) => failure === undefined);
  const turns = [...Map.groupBy(able, ({ workload }) => workload)].map(([workload, series]) => ({
    workload,
    series,
    rounds: 0,
    spent: 0,
  }));
  await runAll(turns, warm, open, options, deadline);
  for (const connection of warm.values()) connection.close();
  return all;
}

async function runAll(
  turns: readonly Turn[],
  warm: ReadonlyMap<Contender, CounterConnection>,
  open: Open,
  { warmUp, fewestRounds = 8, onProgress }: MeasureOptions,
  deadline: number,
): Promise<void> {
  const random = randomNumbers(1);
  /** A pair has an order and its reverse; each pair another, so that neighbours change. */
  const runPair = async ({ series }: Turn, isRecorded: boolean): Promise<void> => {
    const ranked = series.map((one) => [random(), one] as const);
    const order = ranked.toSorted(([a], [b]) => a - b).map(([, one]) => one);
    for (const one of [...order, ...order.toReversed()]) {
      const counter = warm.get(one.contender) as CounterConnection;
      const { perCall, calls } = await runOnce(one, counter, open).catch((error) => {
        throw named(one.contender, error);
      });
      if (!isRecorded) continue;
      one.perCall.push(perCall);
      one.calls.push(...calls);
    }
  };
  for (const turn of turns) {
    for (let pair = 0; pair < warmUp; pair++) await runPair(turn, false);
  }
  const start = performance.now();
  for (;;) {
    const begin = performance.now();
    // The one that has had the least of its share of the time.
    const [turn] = turns
      .filter(({ rounds }) => begin < deadline || rounds < fewestRounds)
      .toSorted((one, other) => one.spent - other.spent);
    if (!turn) break;
    await runPair(turn, true);
    turn.rounds += 2;
    turn.spent += (performance.now() - begin) / (turn.workload.weight ?? 1);
    onProgress?.(Math.min(1, (begin - start) / Math.max(1, deadline - start)));
  }
}

/** Calls a counter that nobody has called. */
async function checked(connecting: Promise<CounterConnection>): Promise<CounterConnection> {
  const counter = await connecting;
  const answers = [await counter.getValue(), await counter.increment(5), await counter.getValue()];
  expectAnswers('before timing', answers, [0, 5, 5]);
  return counter;
}

/** Does it once; returns why it cannot be done. */
async function trial(series: Series, open: Open): Promise<string | undefined> {
  if (series.workload.isFresh && series.contender.isConnectionless) return 'It opens no connection';
  let counter: CounterConnection | undefined;
  try {
    counter = await withPatience(open(series.contender));
    await withPatience(runOnce(series, counter, open));
  } catch (error) {
    return messageOf(error);
  } finally {
    counter?.close();
  }
}

/** Does a workload once, and checks the answers. */
export async function runOnce(
  { workload, contender }: Pick<Series, 'workload' | 'contender'>,
  warm: CounterConnection,
  open: Open,
): Promise<{ perCall: number; calls: number[] }> {
  const { name, isFresh, increments = 0 } = workload;
  const calls: number[] = [];
  const time: Stopwatch = async (call) => {
    const start = performance.now();
    const answer = await call();
    calls.push((performance.now() - start) * 1000);
    return answer;
  };
  const before = await warm.getValue();
  const start = performance.now();
  const counter = isFresh ? await open(contender) : warm;
  const answers = await workload.run(counter, time);
  const perCall = ((performance.now() - start) * 1000) / workload.calls;
  // Requests in flight at once may overtake each other.
  if (contender.isConnectionless && calls.length === 0) {
    answers.sort((one, other) => Number(one) - Number(other));
  }
  expectAnswers(name, answers, workload.expect(before, counter));
  expectAnswers(`after ${name}`, [await warm.getValue()], [before + increments]);
  if (!isFresh) return { perCall, calls };
  counter.close();
  // Some connect with the first call and some before it: only the whole can be compared.
  return { perCall, calls: [] };
}

function expectAnswers(when: string, answers: unknown[], expected: unknown[]): void {
  for (const [index, right] of expected.entries()) {
    const answer = answers[index];
    if (isSame(answer, right)) continue;
    const problem = typeof right === 'object' ? 'not what was sent' : `${answer}, not ${right}`;
    throw new Error(`${when}, answer ${index + 1} of ${expected.length} is ${problem}`);
  }
}

/** Bytes may come as a `Buffer`, which is a `Uint8Array` too. */
function isSame(answer: unknown, expected: unknown): boolean {
  if (answer instanceof Uint8Array && expected instanceof Uint8Array) {
    return Buffer.compare(answer, expected) === 0;
  }
  return isDeepStrictEqual(answer, expected);
}

/** A contender that never answers must not stop the others. */
function withPatience<Result>(work: Promise<Result>): Promise<Result> {
  const impatience = sleep(PATIENCE, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${PATIENCE / 1000} seconds`);
  });
  return Promise.race([work, impatience]);
}

function named({ name }: Contender, cause: unknown): Error {
  return new Error(`${name}: ${messageOf(cause)}`, { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
