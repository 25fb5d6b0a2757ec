/**
 * How it is measured: every contender is checked for right answers first and warmed up; then, round
 * after round, each does the same workload, in an order that turns, so that whatever the machine
 * does meanwhile falls on all alike. Imports contenders, statistics and workloads.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Contender, CounterConnection } from './contenders.ts';
import { randomNumbers } from './statistics.ts';
import type { Stopwatch, Workload } from './workloads.ts';

/** Times in microseconds. The rounds of all contenders of a workload are pairs by their index. */
export interface Series {
  readonly workload: Workload;
  readonly contender: Contender;
  /** One for each round: the whole workload, divided by its calls. */
  readonly perCall: number[];
  /** One for each call of all rounds, where the workload has each timed. */
  readonly calls: number[];
  /** Why the contender was left out of the workload: the error of its trial. No times then. */
  failure?: string;
}

export interface MeasureOptions {
  /** Pairs of rounds before those that count, for each workload. */
  warmUp: number;
  /** How long to go on with rounds that count, in milliseconds. */
  duration: number;
  /** For each workload, however long it takes; in pairs, so that it is made even. Default 8. */
  fewestRounds?: number;
  /** Called with the part that is done, from 0 to 1. */
  onProgress?: (part: number) => void;
}

/** How long a trial may take before its contender is left out, in milliseconds. */
const PATIENCE = 60_000;

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
  { warmUp, duration, fewestRounds = 8, onProgress }: MeasureOptions,
): Promise<Series[]> {
  // Objects of a deployed worker outlast the test.
  const run = crypto.randomUUID();
  const failures = new Map<Contender, string>();
  for (const contender of contenders) {
    const check = checkAnswers(contender, url, nameFor(contender, `${run}-checked`));
    if (contender.role !== 'rival') await named(contender, withPatience(check));
    else await withPatience(check).catch((error) => failures.set(contender, messageOf(error)));
  }
  const field = new Field(url, run);
  const turns = workloads.map((workload) => new Turn(workload, contenders, field));
  for (const turn of turns) await turn.try(failures);
  const possible = turns.filter(({ isPossible }) => isPossible);
  await field.connect(contenders.filter((contender) => !failures.has(contender)));
  for (const turn of possible) await turn.runPairs(warmUp);
  const start = performance.now();
  for (;;) {
    const isOver = performance.now() >= start + duration;
    const open = isOver ? possible.filter(({ rounds }) => rounds < fewestRounds) : possible;
    // The one that has had the least of its share of the time.
    const next = open.toSorted((one, other) => one.spent - other.spent)[0];
    if (!next) break;
    await next.runPairs(1, true);
    onProgress?.(Math.min(1, (performance.now() - start) / Math.max(1, duration)));
  }
  field.close();
  return turns.flatMap(({ series }) => series);
}

/** Calls each method of a counter that nobody has called. */
async function checkAnswers({ connect }: Contender, url: string, name: string): Promise<void> {
  const counter = await connect(url, name);
  const answers = [
    await counter.getValue(),
    await counter.increment(),
    await counter.increment(5),
    await counter.getValue(),
  ];
  counter.close();
  expectAnswers('before timing', answers, [0, 1, 6, 6]);
}

/** Where it takes place: the contenders' counters, and a connection to each. */
class Field {
  readonly #url: string;
  readonly #run: string;
  readonly #connections = new Map<Contender, CounterConnection>();

  constructor(url: string, run: string) {
    this.#url = url;
    this.#run = run;
  }

  async connect(contenders: readonly Contender[]): Promise<void> {
    for (const contender of contenders) {
      this.#connections.set(contender, await named(contender, this.open(contender)));
    }
  }

  open(contender: Contender): Promise<CounterConnection> {
    return contender.connect(this.#url, nameFor(contender, this.#run));
  }

  connectionOf(contender: Contender): CounterConnection {
    return this.#connections.get(contender) as CounterConnection;
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close();
  }
}

/** One workload, which its contenders do in turn. */
class Turn {
  readonly series: readonly Series[];
  rounds = 0;
  /** How long it has taken, in milliseconds, divided by the workload's weight. */
  spent = 0;
  readonly #workload: Workload;
  readonly #field: Field;
  readonly #random = randomNumbers(1);

  constructor(workload: Workload, contenders: readonly Contender[], field: Field) {
    this.#workload = workload;
    this.#field = field;
    this.series = contenders.map((contender) => ({ workload, contender, perCall: [], calls: [] }));
  }

  /** Whether anyone can do it. */
  get isPossible(): boolean {
    return this.series.some(({ failure }) => failure === undefined);
  }

  /** Has each contender do it once, and leaves out who cannot. */
  async try(failures: ReadonlyMap<Contender, string>): Promise<void> {
    for (const one of this.series) {
      try {
        const earlier = failures.get(one.contender);
        if (earlier !== undefined) throw new Error(earlier);
        if (this.#workload.isFresh && one.contender.isConnectionless) {
          throw new Error('It opens no connection');
        }
        const connection = await this.#field.open(one.contender);
        await withPatience(this.#runOnce(one, connection)).finally(() => connection.close());
      } catch (error) {
        one.failure = messageOf(error);
      }
    }
  }

  /** A pair has an order and its reverse; each pair another, so that neighbours change. */
  async runPairs(pairs: number, record = false): Promise<void> {
    const able = this.series.filter(({ failure }) => failure === undefined);
    const start = performance.now();
    for (let pair = 0; pair < pairs; pair++) {
      const order = shuffled(able, this.#random);
      for (const one of [...order, ...order.toReversed()]) {
        const connection = this.#field.connectionOf(one.contender);
        const times = await named(one.contender, this.#runOnce(one, connection));
        if (!record) continue;
        one.perCall.push(times.perCall);
        one.calls.push(...times.calls);
      }
    }
    if (!record) return;
    this.rounds += 2 * pairs;
    this.spent += (performance.now() - start) / (this.#workload.weight ?? 1);
  }

  async #runOnce(
    { contender }: Series,
    warm: CounterConnection,
  ): Promise<{ perCall: number; calls: number[] }> {
    const { name, isFresh, increments = 0 } = this.#workload;
    const calls: number[] = [];
    const time: Stopwatch = async (call) => {
      const start = performance.now();
      const answer = await call();
      calls.push((performance.now() - start) * 1000);
      return answer;
    };
    const before = await warm.getValue();
    const start = performance.now();
    const counter = isFresh ? await this.#field.open(contender) : warm;
    const answers = await this.#workload.run(counter, time);
    const total = (performance.now() - start) * 1000;
    if (isFresh) {
      counter.close();
      // Some connect with the first call and some before it: only the whole can be compared.
      calls.length = 0;
    }
    // Requests in flight at once may overtake each other.
    if (contender.isConnectionless && calls.length === 0) {
      answers.sort((one, other) => Number(one) - Number(other));
    }
    expectAnswers(name, answers, this.#workload.expect(before, counter));
    expectAnswers(`after ${name}`, [await warm.getValue()], [before + increments]);
    return { perCall: total / this.#workload.calls, calls };
  }
}

/** Of a counter that is the contender's own, though two of them may call one class. */
function nameFor({ name }: Contender, run: string): string {
  return `${name.replaceAll(/\W+/g, '-')}-${run}`;
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

function expectAnswers(when: string, answers: unknown[], expected: unknown[]): void {
  const wrong = expected.findIndex((value, index) => !isSame(answers[index], value));
  if (wrong < 0) return;
  const [actual, right] = [answers[wrong], expected[wrong]].map((value) =>
    typeof value === 'object' ? 'another value' : String(value),
  );
  const of = `answer ${wrong + 1} of ${expected.length}`;
  throw new Error(`${when}, ${of} is ${actual}, not ${right === actual ? 'what was sent' : right}`);
}

/** Bytes may come as a `Buffer`, which is a `Uint8Array` too. */
function isSame(answer: unknown, expected: unknown): boolean {
  if (answer instanceof Uint8Array && expected instanceof Uint8Array) {
    return Buffer.compare(answer, expected) === 0;
  }
  return isDeepStrictEqual(answer, expected);
}

/** A contender that never answers must not stop the others. */
async function withPatience<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const failure = new Error(`no answer within ${PATIENCE / 1000} seconds`);
  const timer = setTimeout(() => reject(failure), PATIENCE);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Lets a failure say whose it is. */
async function named<Result>({ name }: Contender, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    throw new Error(`${name}: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
