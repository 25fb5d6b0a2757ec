/**
 * A client sends garbage or forbidden calls as fast as it can. The scenario measures the latency of two valid
 * clients, compared with their latency beside a valid client that sends as much.
 */
import { join } from 'node:path';
import { ChildProgram } from '../../harness/child-program.ts';
import { sleep } from '../../harness/waiting.mjs';
import { median, percentile } from '../../runtime/src/perf/measure/statistics.ts';
import { ABUSES, type Abuse } from '../abusers/abuses.ts';
import type { AbuserReport, AbuserSettings } from '../abusers/abuser-process.ts';
import { Bars, type Context, type Figures, reportOf, rounded, type Scenario } from '../scenario.ts';
import { durations, now } from '../clients/evidence.ts';
import { Fleet } from '../clients/fleet.ts';

const ABUSER_PROCESS = join(import.meta.dirname, '../abusers/abuser-process.ts');

const CLIENTS = 2;
/** The milliseconds of a round, and the number of rounds. */
const SHORT = { lasts: 400, rounds: 1 };
const LONG = { lasts: 3_000, rounds: 5 };
/** The time for the object to finish the remaining work, in milliseconds. */
const SETTLE = 300;

/** The maximum ratio of the latency beside abuse to the latency beside valid calls. */
const TIMES = 3;

export const abuse: Scenario = {
  name: 'abuse',
  about: 'one client sends invalid messages: the latency of other clients',
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
  const what = '99th percentile, compared with the same number of valid calls';
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
  /** The 99th percentile of the latency of the two clients, in milliseconds. */
  p99: number;
  /** The pieces per second of the third client, and the number of its connections. */
  rate: number;
  connections: number;
  /** The memory of the runtime, in bytes. */
  memory: number;
}

/** @param rate - the pieces per second of a valid client. Without it, the client sends abuse */
async function beside(name: string, fleet: Fleet, lasts: number, rate?: number): Promise<Round> {
  const { server, instance } = fleet;
  const url = `${server.url}/__rpc/LEDGER/${instance}/call`;
  const begun = now();
  const settings: AbuserSettings = {
    name,
    url,
    ...(rate !== undefined && { rate: Math.max(1, rate) }),
  };
  await using abuser = new ChildProgram<'stop', AbuserReport>(ABUSER_PROCESS, settings);
  // Its first piece is answered.
  await abuser.next();
  // The time that the clients wait for their first answer also counts.
  const working = fleet.work();
  await sleep(lasts);
  const report = await abuser.ask('stop');
  const memory = await server.memory();
  await working;
  const reports = await fleet.rest();
  await sleep(SETTLE);
  const calls = reports.flatMap((client) => client.calls.filter((call) => call.begun >= begun));
  return { ...report, memory, p99: percentile(durations(calls), 0.99) };
}
