/**
 * A process with a real subscriber. Orders of its parent (audience.ts) control it, and it ends with its parent.
 */
import { readSettings } from '../../harness/child-program.ts';
import { sleep, until } from '../../harness/waiting.mjs';
import { randomNumbers } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient, type RpcClientOptions } from '../../runtime/src/client.ts';
import {
  type ResumableSubscription,
  subscribe,
  type Subscription,
} from '../../runtime/src/features/subscriptions/client/subscribe.ts';
import { now } from '../clients/evidence.ts';
import type { HearingEvidence } from './hearing.ts';
import type { Announcer } from '../objects/worker.ts';

/**
 * - `steady`: sometimes leaves its loop, and continues after its cursor.
 * - `slow`: is steady, and also pauses.
 * - `stalled`: takes no event until the end.
 * - `held`: is steady and has no heartbeat, because its connection will be silenced.
 * - `forgetful`: comes back without a cursor. The self-test has to find its errors.
 * - `doubting`: comes back with an old cursor. The self-test has to find its errors.
 */
export type Habit = 'steady' | 'slow' | 'stalled' | 'held' | 'forgetful' | 'doubting';

export interface SubscriberSettings {
  instance: string;
  options: RpcClientOptions;
  habit: Habit;
  seed: number;
}

/** `ready`: report when every loop has begun. A number: report when the announcement of that row has arrived. */
export type SubscriberOrder = 'ready' | number;

/** The probabilities that the loop is left after an item, and that it pauses. */
const LEAVES = { usually: 0.002, wrongly: 0.2 };
const RESTS = { slow: 0.03, steady: 0.001 };
/** The maximum pause, in milliseconds. */
const REST = 100;

const { instance, options, habit, seed } = readSettings<SubscriberSettings>();
const random = randomNumbers(seed);
const client = createRpcClient<Announcer>('ANNOUNCER', instance, options);
const evidence: HearingEvidence = { runs: [], tally: [], totals: [], times: [], errors: [] };
const { runs, tally, totals, times, errors } = evidence;
const isWrong = habit === 'forgetful' || habit === 'doubting';
let isEnding = false;
const isTold = Promise.withResolvers<void>();
/** The current loop over the feed that keeps all events. */
let following: ResumableSubscription<unknown> | undefined;

void follow();
void keepUp(
  () => subscribe(client).tally(),
  (value) => tally.push(value),
);
void keepUp(
  () => subscribe(client).total(),
  // The value arrives again at the beginning of a loop.
  (value) => value !== totals.at(-1) && totals.push(value),
);

process.on('message', async (order: SubscriberOrder) => {
  if (order === 'ready') {
    await until(() => following?.cursor !== undefined && tally.length > 0 && totals.length > 0);
  } else {
    isEnding = true;
    isTold.resolve();
    await hearAll(order);
  }
  process.send?.(evidence);
});

/** Waits as long as events arrive. Events that have not arrived by then are lost. */
async function hearAll(row: number): Promise<void> {
  // A subscriber with a wrong cursor may wait in vain.
  const isDone = (): boolean => isWrong || errors.length > 0 || hasHeard(row);
  let before = -1;
  while (!isDone() && runs.length > before) {
    before = runs.length;
    await until(isDone).catch(() => {});
  }
}

function hasHeard(row: number): boolean {
  const last = tally.at(-1);
  const count = last && ('all' in last ? last.all : last.row);
  return (runs.at(-1)?.row ?? 0) >= row && count === row && totals.at(-1) === row;
}

async function follow(): Promise<void> {
  let after: string | undefined;
  let before: string | undefined;
  await keepOn(async () => {
    const loop = subscribe(client, { after: habit === 'forgetful' ? undefined : after }).runs();
    following = loop;
    for await (const run of loop) {
      runs.push(run);
      times.push(now());
      [before, after] = [after, loop.cursor];
      if (await isLeft()) break;
    }
    if (habit === 'doubting') after = before;
  });
}

/** Follows a subscription that begins with the current state, so that it needs no cursor. */
async function keepUp<Value>(
  begin: () => Subscription<Value>,
  take: (value: Value) => void,
): Promise<void> {
  await keepOn(async () => {
    for await (const value of begin()) {
      take(value);
      if (await isLeft()) break;
    }
  });
}

/** Repeats a loop until the first error. */
async function keepOn(loop: () => Promise<void>): Promise<void> {
  try {
    for (;;) await loop();
  } catch (error) {
    errors.push(String((error as { code?: string }).code ?? error));
  }
}

/** Pauses at random. Returns true if the loop is to be left. */
async function isLeft(): Promise<boolean> {
  if (habit === 'stalled') await isTold.promise;
  else if (!isEnding && random() < RESTS[habit === 'slow' ? 'slow' : 'steady'])
    await sleep(random() * REST);
  return random() < LEAVES[isWrong ? 'wrongly' : 'usually'];
}
