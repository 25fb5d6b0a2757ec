/** Makes one POST with each client, as programs without state do. */
import { Runtime } from '../../harness/runtime.ts';
import { median } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient } from '../../runtime/src/client.ts';
import { Bars, type Context, type Figures, ratioByTurns } from '../scenario.ts';
import { now } from '../clients/evidence.ts';
import { CONFIG } from '../clients/fleet.ts';
import type { Ledger } from '../objects/worker.ts';

const LONG = { total: 30_000, compared: 2_000, rounds: 3 };
const SHORT = { total: 500, compared: 100, rounds: 1 };
/** The number of visits to one object before the turn of the other object. */
const BATCH = 100;

/**
 * Makes very many visits to one object. Then it compares more visits to this object with first visits to new
 * objects, in turns, so that other load on the machine affects both.
 */
export async function visitors(context: Context): Promise<Figures> {
  const { total, compared, rounds } = context.short ? SHORT : LONG;
  const bars = new Bars(context);
  await using server = await Runtime.serve({ config: CONFIG });
  const visit = async (instance: string): Promise<number> => {
    const begun = now();
    using client = createRpcClient<Ledger>('LEDGER', instance, {
      baseUrl: server.url,
      transport: 'http',
    });
    await client.count();
    return now() - begun;
  };
  const visits = async (instance: string, count: number): Promise<number[]> => {
    const times: number[] = [];
    while (times.length < count) times.push(await visit(instance));
    return times;
  };
  await visits('warm', compared);
  const times: number[] = [];
  while (times.length < total - compared) {
    context.note(`${times.length} of ${total} visits`);
    times.push(...(await visits('visited', BATCH)));
  }
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const late = async (): Promise<number> => {
      const batch = await visits('visited', BATCH);
      times.push(...batch);
      return sum(batch);
    };
    const early = async (): Promise<number> => sum(await visits(`new ${round}`, BATCH));
    ratios.push(await ratioByTurns(compared / BATCH, late, early));
  }
  await server.check();
  bars.atMost(1.2, `time of the last ${compared}, compared with the first`, median(ratios));
  const stall = findPeriod(times);
  return bars.part(
    `${times.length} clients of one POST each`,
    { 'median ms': Math.round(median(times) * 100) / 100, 'periodic stall': stall ?? 'none' },
    stall ? [`a stall occurs at regular intervals: ${stall}`] : [],
  );
}

function sum(times: readonly number[]): number {
  return times.reduce((total, time) => total + time, 0);
}

/** A time is a stall if it is more than this many times the median. */
const SLOW = 4;
/** The longest period to look for. */
const LONGEST = 1_000;
/** The minimum number of stalls with a period, and the minimum share of the calls at which a stall was due. */
const SEEN = 10;
const RELIABLE = 0.8;

/**
 * Searches for a number n such that every n-th time is a stall. Stalls at random times do not count.
 *
 * @param times - the times, in the order of the calls
 * @returns the shortest period as text, or `undefined`
 */
function findPeriod(times: readonly number[]): string | undefined {
  const usual = median(times);
  const slow = [...times.keys()].filter((index) => (times[index] as number) > SLOW * usual);
  // If nearly all times were slow, every period would match.
  if (slow.length > times.length / 4) return undefined;
  for (let period = 2; period <= LONGEST; period++) {
    const counts = new Map<number, number>();
    for (const index of slow) counts.set(index % period, (counts.get(index % period) ?? 0) + 1);
    for (const [phase, count] of counts) {
      const due = Math.floor((times.length - phase - 1) / period) + 1;
      if (count < SEEN || count < RELIABLE * due) continue;
      const stalls = slow.filter((index) => index % period === phase);
      const length = median(stalls.map((index) => times[index] as number));
      return `every ${period}th, ${Math.round(length)} ms`;
    }
  }
  return undefined;
}
