/** Makes the calls of a client under test, in every rhythm that programs have. */
import { sleep } from '../../harness/waiting.mjs';
import { type Caller, LedgerCaller } from './calls.ts';

/**
 * - `mixed`: every kind of call, in every rhythm.
 * - `increments`: only the method `increment`, in every rhythm.
 * - `single`: only the method `increment`, and each call is awaited.
 */
export type Rhythm = 'mixed' | 'increments' | 'single';

/** The maximum number of slow calls that are pending beside other calls. */
const LINGERING = 3;
/** The maximum duration of slow calls, in milliseconds. */
const LONG = 1_000;

/**
 * Makes calls until `stopped` returns true, and waits for the last of them.
 *
 * @param pause - the maximum pause between rounds, in milliseconds
 */
export async function work(
  caller: Caller,
  rhythm: Rhythm,
  pause: number,
  random: () => number,
  stopped: () => boolean,
): Promise<void> {
  const lingering = new Set<Promise<void>>();
  while (!stopped()) {
    if (rhythm === 'single') await caller.increment();
    else if (rhythm === 'increments' || !(caller instanceof LedgerCaller)) {
      await increments(caller, random);
    } else if (lingering.size < LINGERING && random() < 0.1) {
      const slow = caller.incrementLate(random() * LONG).finally(() => lingering.delete(slow));
      lingering.add(slow);
    } else {
      await anything(caller, random);
    }
    await sleep(random() * pause);
  }
  await Promise.all(lingering);
}

/** Makes one round of calls of a random kind. */
async function anything(caller: LedgerCaller, random: () => number): Promise<void> {
  const dice = random();
  if (dice < 0.5) return increments(caller, random);
  if (dice < 0.6) return times(between(1, 5, random), () => caller.incrementLate(random() * 5));
  if (dice < 0.75) return caller.chain(between(2, 6, random), random() < 0.4);
  if (dice < 0.85) {
    return times(between(1, 3, random), () => caller.echo(someBytes(random)));
  }
  if (dice < 0.95) return caller.visit();
  // This round makes calls of all kinds in one tick.
  await Promise.all([
    increments(caller, random),
    caller.chain(3, true),
    caller.echo(someBytes(random)),
    caller.incrementLate(random() * 20),
  ]);
}

async function increments(caller: Caller, random: () => number): Promise<void> {
  const dice = random();
  if (dice < 0.4) await caller.increment();
  else if (dice < 0.7) await burst(caller, between(2, 20, random));
  else await severalBursts(caller, random);
}

/** Makes calls in one tick. */
function burst(caller: Caller, count: number): Promise<void> {
  return times(count, () => caller.increment());
}

/** Makes several bursts, without waiting for the answers of earlier bursts. */
async function severalBursts(caller: Caller, random: () => number): Promise<void> {
  const bursts: Promise<void>[] = [];
  for (let count = between(2, 6, random); count > 0; count--) {
    bursts.push(burst(caller, between(1, 10, random)));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await Promise.all(bursts);
}

async function times(count: number, make: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, make));
}

function someBytes(random: () => number): Uint8Array {
  return Uint8Array.from({ length: Math.floor(random() ** 3 * 20_000) }, () => random() * 256);
}

function between(low: number, high: number, random: () => number): number {
  return low + Math.floor(random() * (high - low + 1));
}
