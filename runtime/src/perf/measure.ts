/**
 * Measures the contenders. First it checks their answers and warms them up. Then, in each round, all
 * contenders run the same workload one after another. Their order changes, so that noise of the machine
 * affects all of them equally.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Contender } from './contenders.ts';
import { CalledObject, instanceName, type MeasuredMethods } from './called-object.ts';
import { randomNumbers } from './measure/statistics.ts';
import { type PerfConnection, type Stopwatch, Unable, type Workload } from './workloads.ts';

/**
 * The times of a contender in a workload, in microseconds. Rounds of a workload with the same index ran side by side.
 */
export interface Series {
  readonly workload: Workload;
  readonly contender: Contender;
  /** One time for each round: the time of the whole workload, divided by the number of its calls. */
  readonly perCall: number[];
  /** One time for each call of all rounds, if the workload times each call. */
  readonly calls: number[];
  /** The reason why the contender was left out of the workload. It then has no times. */
  failure?: string;
}

export interface MeasureOptions extends MeasuredMethods {
  /** The number of pairs of rounds for each workload that are not recorded. They come before the recorded rounds. */
  warmUp: number;
  /** The time for the whole measurement, in milliseconds. */
  duration: number;
  /**
   * The minimum number of recorded rounds for each workload, even if they take longer than `duration`. An odd
   * number is rounded up. Default 8.
   */
  fewestRounds?: number;
  /**
   * Called before the first recorded round, and after each pair of rounds, with the part that is done. It is the part
   * of the time or of the rounds, whichever is less, and is 1 only at the end.
   */
  onProgress?: (part: number) => void;
}

/** The time that a trial may take before its contender is left out, in milliseconds. */
const PATIENCE = 60_000;

type Open = (contender: Contender) => Promise<PerfConnection>;

/** One workload, and the series of its contenders. */
interface Turn {
  readonly workload: Workload;
  readonly series: readonly Series[];
  rounds: number;
  /** The time that the workload has taken so far, in milliseconds, divided by its weight. */
  spent: number;
}

/** A contender's object, and a connection that stays open. */
interface Warm {
  readonly connection: PerfConnection;
  readonly object: CalledObject;
}

/**
 * Measures each contender on each workload.
 *
 * @param url - the URL of the runtime, without a slash at its end
 * @throws Error that names the contender, if it fails in a workload after its trial, or if the trial of a contender of
 *   this project's RPC fails. A floor or a rival whose trial fails is left out of the workload instead.
 */
export async function measure(
  url: string,
  contenders: readonly Contender[],
  workloads: readonly Workload[],
  options: MeasureOptions,
): Promise<Series[]> {
  const deadline = performance.now() + options.duration;
  // Objects of a deployed Worker outlast the test, so each run uses new objects.
  const instances = new Map(
    contenders.map(({ name }) => [name, instanceName(name.replaceAll(/\W+/g, '-'), options)]),
  );
  const open: Open = ({ name, connect }) => connect(url, instances.get(name) as string);
  const all = workloads.flatMap((workload) =>
    contenders.map((contender): Series => ({ workload, contender, perCall: [], calls: [] })),
  );
  const warm = new Map<Contender, Warm>();
  try {
    for (const contender of contenders) {
      const opening = open(contender);
      try {
        const connection = await withPatience(opening);
        warm.set(contender, { connection, object: new CalledObject(options) });
      } catch (error) {
        closeOpened(opening);
        if (contender.role !== 'rival') throw named(contender, error);
        for (const one of all) if (one.contender === contender) one.failure = messageOf(error);
      }
    }
    for (const one of all) one.failure ??= await trial(one, warm, open);
    const able = all.filter(({ failure }) => failure === undefined);
    const turns = [...Map.groupBy(able, ({ workload }) => workload)].map(([workload, series]) => ({
      workload,
      series,
      rounds: 0,
      spent: 0,
    }));
    await runAll(turns, warm, open, options, deadline);
    return all;
  } finally {
    // Connections are also closed after a failure: an open client would reconnect for ever, and the program would not
    // end.
    for (const { connection } of warm.values()) connection.close();
  }
}

async function runAll(
  turns: readonly Turn[],
  warm: ReadonlyMap<Contender, Warm>,
  open: Open,
  { warmUp, fewestRounds = 8, onProgress }: MeasureOptions,
  deadline: number,
): Promise<void> {
  const random = randomNumbers(1);
  /**
   * Runs the contenders in a random order, and then in reverse. So the neighbours of a contender change from pair to
   * pair.
   */
  const runPair = async ({ series }: Turn, isRecorded: boolean): Promise<void> => {
    const ranked = series.map((one) => [random(), one] as const);
    const order = ranked.toSorted(([a], [b]) => a - b).map(([, one]) => one);
    for (const one of [...order, ...order.toReversed()]) {
      const { connection, object } = warm.get(one.contender) as Warm;
      const { perCall, calls } = await runOnce(one, connection, object, open).catch((error) => {
        throw named(one.contender, error, one.workload);
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
  /** Returns the part that is done. On a busy machine, the least number of rounds takes longer than the duration. */
  const partDone = (): number => {
    const done = turns.reduce((sum, { rounds }) => sum + Math.min(rounds, fewestRounds), 0);
    const now = performance.now();
    const ofTime = now < deadline ? (now - start) / (deadline - start) : 1;
    return Math.min(ofTime, done / (fewestRounds * turns.length));
  };
  onProgress?.(0);
  for (;;) {
    const begin = performance.now();
    // The next workload is the workload that has used the least of its share of the time.
    const [turn] = turns
      .filter(({ rounds }) => begin < deadline || rounds < fewestRounds)
      .toSorted((one, other) => one.spent - other.spent);
    if (!turn) break;
    await runPair(turn, true);
    turn.rounds += 2;
    turn.spent += (performance.now() - begin) / (turn.workload.weight ?? 1);
    onProgress?.(partDone());
  }
}

/** Runs a workload once. Returns the reason if the contender cannot run it. */
async function trial(
  series: Series,
  warm: ReadonlyMap<Contender, Warm>,
  open: Open,
): Promise<string | undefined> {
  const { workload, contender } = series;
  if (workload.isFresh && contender.isConnectionless) return 'It opens no connection';
  const { object } = warm.get(contender) as Warm;
  const opening = open(contender);
  try {
    const connection = await withPatience(opening);
    await withPatience(runOnce(series, connection, object, open));
  } catch (error) {
    if (contender.role === undefined && !(error instanceof Unable))
      throw named(contender, error, workload);
    return messageOf(error);
  } finally {
    closeOpened(opening);
  }
}

/** Closes a connection, even if it opens only after the wait for it has ended. */
function closeOpened(opening: Promise<PerfConnection>): void {
  opening.then((connection) => connection.close()).catch(() => {});
}

/**
 * Runs a workload once, and checks the answers.
 *
 * @param object - the calls of the object that `warm` is connected to
 */
export async function runOnce(
  { workload, contender }: Pick<Series, 'workload' | 'contender'>,
  warm: PerfConnection,
  object: CalledObject,
  open: Open,
): Promise<{ perCall: number; calls: number[] }> {
  const { isFresh, isConcurrent } = workload;
  const isOrdered = !isConcurrent || !(contender.isConnectionless || contender.isUnordered);
  const calls: number[] = [];
  const time: Stopwatch = async (call) => {
    const start = performance.now();
    const answer = await call();
    calls.push((performance.now() - start) * 1000);
    return answer;
  };
  const prepared = object.prepare(workload.methods);
  const start = performance.now();
  const connection = isFresh ? await open(contender) : warm;
  try {
    const answers = await workload.run(connection, time, prepared);
    const perCall = ((performance.now() - start) * 1000) / workload.calls;
    if (workload.expect) expectAnswers(answers, workload.expect(connection));
    object.check(prepared, answers, isOrdered);
    // Some contenders connect with the first call and others before it, so only the whole is comparable.
    return { perCall, calls: isFresh ? [] : calls };
  } finally {
    if (isFresh) connection.close();
  }
}

function expectAnswers(answers: unknown[], expected: unknown[]): void {
  for (const [index, right] of expected.entries()) {
    const answer = answers[index];
    if (isSame(answer, right)) continue;
    const problem = typeof right === 'object' ? 'not what was sent' : `${answer}, not ${right}`;
    throw new Error(`answer ${index + 1} of ${expected.length} is ${problem}`);
  }
}

/** Bytes may come as a `Buffer`. The clone turns it into a `Uint8Array`. */
function isSame(answer: unknown, expected: unknown): boolean {
  return isDeepStrictEqual(structuredClone(answer), expected);
}

/** Rejects if a contender does not answer in time. A contender that never answers must not stop the others. */
function withPatience<Result>(work: Promise<Result>): Promise<Result> {
  const impatience = sleep(PATIENCE, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${PATIENCE / 1000} seconds`);
  });
  return Promise.race([work, impatience]);
}

/** Returns an error that names the contender, and the workload if it is known. */
export function named({ name }: Contender, cause: unknown, workload?: Workload): Error {
  const where = workload ? `${name}: ${workload.name}` : name;
  return new Error(`${where}: ${messageOf(cause)}`, { cause });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
