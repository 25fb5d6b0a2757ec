/**
 * A client sends garbage, or asks for what it must not, as fast as it can: what two that behave
 * notice of it, compared with a client of good will that sends as much.
 */
import { sleep } from '../../harness/waiting.mjs';
import { median, percentile } from '../../template/perf/measure/statistics.ts';
import { ABUSES, type Abuse } from '../abuses.ts';
import { AbuserProcess } from '../abusers.ts';
import { Bars, rounded } from '../bars.ts';
import { now } from '../calls.ts';
import { durations } from '../evidence.ts';
import { Fleet } from '../fleet.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';

const CLIENTS = 2;
/** Milliseconds that something is done beside the two, and how often. */
const SHORT = { lasts: 400, rounds: 1 };
const LONG = { lasts: 3_000, rounds: 5 };
/** Until the object has done what is left of it, in milliseconds. */
const SETTLE = 300;

/** How much later the two may be answered than beside a client of good will. */
const TIMES = 3;

export const abuse: Scenario = {
  name: 'abuse',
  about:
    'latency of others beside a client that abuses the object, to that beside one that does not',
  async run(context) {
    await using fleet = await Fleet.start({
      lanes: CLIENTS,
      seed: context.seed,
      rhythm: 'single',
      pause: 4,
    });
    const parts: Figures[] = [];
    for (const one of ABUSES) parts.push(await compare(one, fleet, context));
    const { figures, failures } = reportOf(await fleet.verdict(await fleet.rest()));
    return [...parts, { title: 'the two valid clients', figures, failures }];
  },
};

async function compare(
  { name, allowedBy }: Abuse,
  fleet: Fleet,
  context: Context,
): Promise<Figures> {
  const { lasts, rounds } = context.short ? SHORT : LONG;
  const bars = new Bars(context);
  const abused: Round[] = [];
  const valid: Round[] = [];
  for (let left = rounds; left > 0; left--) {
    context.note(`${name}: ${left} rounds to go`);
    const round = await beside(name, fleet, lasts);
    abused.push(round);
    valid.push(await beside(name, fleet, lasts, round.rate));
  }
  const ratios = abused.map(({ p99 }, index) => p99 / (valid[index]?.p99 ?? 0));
  const what = 'p99 to that beside as many valid calls';
  const ratio = median(ratios);
  if (!allowedBy) bars.atMost(TIMES, what, ratio);
  return bars.part(name, {
    ...(allowedBy && { [what]: `${rounded(ratio)} (allowed by ${allowedBy})` }),
    'pieces a second': Math.round(median(abused.map(({ rate }) => rate))),
    connections: abused.reduce((sum, { connections }) => sum + connections, 0),
    'p99 ms': rounded(median(abused.map(({ p99 }) => p99))),
    'beside valid calls': rounded(median(valid.map(({ p99 }) => p99))),
    'runtime MB': Math.round(Math.max(...abused.map(({ memory }) => memory)) / 2 ** 20),
  });
}

interface Round {
  /** In so many milliseconds the two were answered in 99 of 100 cases. */
  p99: number;
  /** What was done beside them: pieces a second, connections. */
  rate: number;
  connections: number;
  /** Of the runtime, in bytes. */
  memory: number;
}

/** @param rate - of a client of good will; without it there is abuse */
async function beside(name: string, fleet: Fleet, lasts: number, rate?: number): Promise<Round> {
  const { server, instance } = fleet;
  const url = `${server.url}/__rpc/LEDGER/${instance}/call`;
  const begun = now();
  await using abuser = await AbuserProcess.begin({
    name,
    url,
    ...(rate !== undefined && { rate: Math.max(1, rate) }),
  });
  // Who has to wait for the first answer of all waits too.
  const working = fleet.work();
  await sleep(lasts);
  const report = await abuser.stop();
  const memory = await server.memory();
  await working;
  const reports = await fleet.rest();
  await sleep(SETTLE);
  const calls = reports.flatMap((client) => client.calls.filter((call) => call.begun >= begun));
  return { ...report, memory, p99: percentile(durations(calls), 0.99) };
}
