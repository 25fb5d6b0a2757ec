/** Cuts the connections of a fleet while it works; shared by the scenarios that cut. */
import { PATIENCE, sleep } from '../harness/waiting.mjs';
import { now } from './calls.ts';
import type { Victim } from './fleet.ts';

/**
 * Most bytes that pass before a cut: a frame of one call has some tens, a burst some hundreds. Before some cuts
 * more bytes pass, because otherwise no frame with bytes would ever arrive.
 */
const MAX_BYTES = 1_500;
const MANY_BYTES = 60_000;
/** Longest time between two cuts of a lane, in milliseconds. */
const MAX_BREATH = 300;

export interface Cuts {
  count: number;
  /** Lanes without any more traffic, so that they could not be cut. */
  stuck: number;
}

/**
 * Cuts every lane again and again, at random places, in both directions and with both endings. The next cut of
 * a lane needs traffic, so each cut proves that the client has reconnected.
 *
 * @param total - number of cuts of all lanes together
 */
export async function cutLanes(
  lanes: readonly Victim[],
  total: number,
  random: () => number,
  note: (left: number) => void,
): Promise<Cuts> {
  const cuts = { count: 0, stuck: 0 };
  let left = total;
  await Promise.all(
    lanes.map(async (lane) => {
      while (left > 0) {
        note(left--);
        if (!(await cutOnce(lane, random))) {
          cuts.stuck++;
          return;
        }
        cuts.count++;
        await sleep(random() * MAX_BREATH);
      }
    }),
  );
  return cuts;
}

/** @returns whether there was traffic to cut */
async function cutOnce(
  { proxy, faults, upMost = Infinity }: Victim,
  random: () => number,
): Promise<boolean> {
  const direction = random() < 0.5 ? 'up' : 'down';
  const most = random() < 0.7 ? MAX_BYTES : MANY_BYTES;
  const bytes = Math.floor(random() ** 2 * (direction === 'up' ? Math.min(most, upMost) : most));
  const patience = new AbortController();
  const isCut = await Promise.race([
    proxy.cutAfter(bytes, direction, random() < 0.5 ? 'reset' : 'close').then(() => true),
    sleep(PATIENCE, patience.signal).then(() => false),
  ]);
  patience.abort();
  if (isCut) faults.push(now());
  return isCut;
}
