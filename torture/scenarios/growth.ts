/** Measures times and rows that must not grow with the number of calls of a client, in total or in one tick. */
import { Runtime } from '../../harness/runtime.ts';
import { median } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient } from '../../runtime/src/client.ts';
import { Bars, type Context, type Figures, ratioByTurns, type Scenario } from '../scenario.ts';
import type { LedgerClient } from '../clients/calls.ts';
import { now } from '../clients/evidence.ts';
import { CONFIG } from '../clients/fleet.ts';
import type { Ledger } from '../objects/worker.ts';

/** The number of awaited calls beside a pending call. `compared` is the number of first and last calls that are compared. */
const LONG_LIFE = { calls: 20_000, compared: 500, batch: 50, rounds: 5, warmUp: 2_000 };
const SHORT_LIFE = { calls: 1_000, compared: 100, batch: 50, rounds: 1, warmUp: 200 };

/** The maximum number of characters of the journal's longest row. */
const ROW = 4_096;

/** The number of characters of an answer of 1 kB. */
const ANSWER = 1_000;

/** The timeout of the call that is pending, in milliseconds. */
const FOREVER = 3_600_000;

/** The milliseconds after which calls of one tick have failed. */
const TICK_TIMEOUT = 15_000;

export const growth: Scenario = {
  name: 'growth',
  about: 'times and rows that must not grow with the number of calls',
  async run(context) {
    await using server = await Runtime.serve({ config: CONFIG });
    const parts = [await besidePending(context, server), ...(await ofOneTick(context, server))];
    await server.check();
    return parts;
  },
};

function connect(server: Runtime, instance: string, timeout?: number): LedgerClient {
  const baseUrl = server.url;
  return createRpcClient<Ledger>('LEDGER', instance, { baseUrl, ...(timeout && { timeout }) });
}

/**
 * Compares a client that has made very many calls beside a pending call with new clients that also have a
 * pending call, in turns.
 */
async function besidePending(context: Context, server: Runtime): Promise<Figures> {
  const { calls, compared, batch, rounds, warmUp } = context.short ? SHORT_LIFE : LONG_LIFE;
  const bars = new Bars(context);
  using warm = connect(server, 'warm');
  await countUp(warm, warmUp);
  using aged = connect(server, 'aged', FOREVER);
  aged.wait('never').catch(() => {});
  for (let made = 0; made < calls - compared; made += batch) {
    context.note(`beside a pending call: ${made} of ${calls}`);
    await countUp(aged, batch);
  }
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    using fresh = connect(server, `fresh ${round}`, FOREVER);
    fresh.wait('never').catch(() => {});
    await fresh.lives();
    const late = (): Promise<number> => countUp(aged, batch);
    const early = (): Promise<number> => countUp(fresh, batch);
    ratios.push(await ratioByTurns(compared / batch, late, early));
  }
  bars.atMost(1.2, `time of the last ${compared}, compared with the first`, median(ratios));
  bars.atMost(ROW, "characters of the journal's row", await aged.longestRow());
  return bars.part(`${calls} awaited increments beside a pending call`);
}

/** Makes calls one after another. Resolves to their total time in milliseconds. */
async function countUp(client: LedgerClient, calls: number): Promise<number> {
  const begun = now();
  for (let made = 0; made < calls; made++) await client.count();
  return now() - begun;
}

/** A kind of call, and a function that makes a call of this kind. */
interface Kind {
  name: string;
  make: (ledger: LedgerClient) => PromiseLike<unknown>;
}

const SYNCHRONOUS: Kind = { name: 'synchronous ones', make: (ledger) => ledger.count() };
const ASYNCHRONOUS: Kind = { name: 'asynchronous calls', make: (ledger) => ledger.countLate() };
const KILOBYTES: Kind = { name: 'answers of 1 kB', make: (ledger) => ledger.text(ANSWER) };
const READONLY: Kind = { name: 'readonly ones', make: (ledger) => ledger.readText(ANSWER) };

async function ofOneTick(context: Context, server: Runtime): Promise<Figures[]> {
  const [few, many] = context.short ? [200, 500] : [2_000, 5_000];
  return [
    await compareTicks(context, server, {
      calls: few,
      kind: ASYNCHRONOUS,
      to: SYNCHRONOUS,
      most: 2,
    }),
    await compareTicks(context, server, { calls: few, kind: KILOBYTES, to: READONLY, most: 3 }),
    await compareTicks(context, server, { calls: many, kind: KILOBYTES, to: READONLY, most: 3 }),
  ];
}

async function compareTicks(
  context: Context,
  server: Runtime,
  { calls, kind, to, most }: { calls: number; kind: Kind; to: Kind; most: number },
): Promise<Figures> {
  const title = `${calls} ${kind.name} of one tick`;
  context.note(title);
  const bars = new Bars(context);
  using ledger = connect(server, title, TICK_TIMEOUT);
  const take = async ({ make }: Kind): Promise<number> => {
    const begun = now();
    const ends = await Promise.allSettled(Array.from({ length: calls }, () => make(ledger)));
    return ends.every(({ status }) => status === 'fulfilled') ? now() - begun : Infinity;
  };
  await take(to);
  const ratio = await ratioByTurns(
    context.short ? 1 : 7,
    () => take(kind),
    () => take(to),
  );
  bars.atMost(most, `to ${to.name}`, ratio);
  return bars.part(title);
}
