/**
 * What a client does under test: calls `increment` in every rhythm that programs have, and keeps
 * evidence of each call. Times are on the system's monotonic clock, which all processes share and
 * nobody sets. Imports harness/.
 */

import { sleep } from '../harness/waiting.mjs';

/** What can be called; a client of the template, or one that the harness tests itself with. */
export interface Incrementer {
  increment(): PromiseLike<number>;
}

export interface Rejection {
  /** The error's code, or all that it says when it has none. */
  code: string;
  maybeExecuted: boolean;
}

/** What one client, or several, saw. */
export interface Evidence {
  /** Calls made, whatever became of them. */
  calls: number;
  /** The value that each answered call gave. */
  results: number[];
  /** When each of those answers came, and how long it took, in milliseconds. */
  answeredAt: number[];
  durations: number[];
  rejections: Rejection[];
}

export type Rhythm = 'mixed' | 'single' | 'flood';

const FLOOD = 2_000;
/** After a rejection, so that a client that rejects at once does not fill its memory. */
const REST = 20;

export function emptyEvidence(): Evidence {
  return { calls: 0, results: [], answeredAt: [], durations: [], rejections: [] };
}

/** Milliseconds on the clock that all processes share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** One call; its end goes into the evidence. */
export async function incrementOnce(client: Incrementer, evidence: Evidence): Promise<void> {
  evidence.calls++;
  const begun = now();
  try {
    const result = await client.increment();
    const ended = now();
    evidence.results.push(result);
    evidence.answeredAt.push(ended);
    evidence.durations.push(ended - begun);
  } catch (error) {
    const { code = String(error), maybeExecuted = true } = Object(error);
    evidence.rejections.push({ code, maybeExecuted });
    await sleep(REST);
  }
}

/**
 * Calls until told to stop, and until every call has ended.
 *
 * @param pause - between rounds, at most, in milliseconds
 */
export async function work(
  client: Incrementer,
  evidence: Evidence,
  rhythm: Rhythm,
  pause: number,
  random: () => number,
  stopped: () => boolean,
): Promise<void> {
  while (!stopped()) {
    const dice = random();
    if (rhythm === 'flood') await burst(client, evidence, FLOOD);
    else if (rhythm === 'single' || dice < 0.4) await incrementOnce(client, evidence);
    else if (dice < 0.7) await burst(client, evidence, between(2, 20, random));
    else await severalBursts(client, evidence, random);
    await sleep(random() * pause);
  }
}

/** Calls of one tick. */
async function burst(client: Incrementer, evidence: Evidence, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => incrementOnce(client, evidence)));
}

/** Bursts of which the next leaves before the last is answered. */
async function severalBursts(
  client: Incrementer,
  evidence: Evidence,
  random: () => number,
): Promise<void> {
  const bursts: Promise<void>[] = [];
  for (let count = between(2, 6, random); count > 0; count--) {
    bursts.push(burst(client, evidence, between(1, 10, random)));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await Promise.all(bursts);
}

function between(low: number, high: number, random: () => number): number {
  return low + Math.floor(random() * (high - low + 1));
}
