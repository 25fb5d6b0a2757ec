/** Clients that make one POST each, as programs without state do. */
import { Runtime } from '../../harness/runtime.ts';
import { median } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient } from '../../runtime/src/client.ts';
import { Bars, ratioByTurns } from '../bars.ts';
import { now } from '../calls.ts';
import { CONFIG } from '../fleet.ts';
import { findPeriod } from '../period.ts';
import type { Context, Figures } from '../scenario.ts';
import type { Ledger } from '../worker.ts';

const LONG = { total: 30_000, compared: 2_000, rounds: 3 };
const SHORT = { total: 500, compared: 100, rounds: 1 };
/** Visits to one object before the turn of the other. */
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
  bars.atMost(1.2, `the last ${compared} to the first`, median(ratios));
  const stall = findPeriod(times);
  return bars.part(
    `${times.length} clients of one POST each`,
    { 'median ms': Math.round(median(times) * 100) / 100, 'periodic stall': stall ?? 'none' },
    stall ? [`a stall returns: ${stall}`] : [],
  );
}

function sum(times: readonly number[]): number {
  return times.reduce((total, time) => total + time, 0);
}
