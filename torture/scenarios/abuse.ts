/** Others flood, send garbage or read nothing: what the well-behaved notice of it. */
import { percentile } from '../../template/perf/measure/statistics.ts';
import { type Abuser, readNothing, sendGarbage } from '../abusers.ts';
import type { ClientReport } from '../client-process.ts';
import { ClientProcess } from '../clients.ts';
import { durations } from '../evidence.ts';
import { Fleet } from '../fleet.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import { PATIENCE, sleep } from '../../harness/waiting.mjs';

const CLIENTS = 2;
/** Milliseconds of each run. */
const SHORT = 1_000;
const LONG = 10_000;

const ABUSES = ['nothing', 'a flood', 'garbage', 'a client that reads nothing'] as const;

export const abuse: Scenario = {
  name: 'abuse',
  about: 'latency of others beside clients that flood, send garbage or read nothing',
  async run(context) {
    const parts: Figures[] = [];
    for (const what of ABUSES) parts.push(await beside(what, context));
    return parts;
  },
};

async function beside(
  what: (typeof ABUSES)[number],
  { short, seed, random, note }: Context,
): Promise<Figures> {
  note(`beside ${what}`);
  await using fleet = await Fleet.start({ lanes: CLIENTS, seed, rhythm: 'single', pause: 4 });
  const { server, instance } = fleet;
  const url = `${server.url}/__rpc/LEDGER/${instance}/call`;
  let abuser: Abuser | undefined;
  let flood: ClientProcess | undefined;
  if (what === 'garbage') abuser = sendGarbage(url, random);
  if (what === 'a client that reads nothing') abuser = readNothing(url);
  if (what === 'a flood') {
    const options = { baseUrl: server.url, timeout: PATIENCE };
    flood = new ClientProcess({ instance, options, rhythm: 'increments', pause: 0, seed });
    await flood.once();
    flood.work();
  }
  try {
    await fleet.work();
    await sleep(short ? SHORT : LONG);
    const memory = await server.memory();
    const reports = await fleet.rest();
    abuser?.stop();
    const all = flood ? [...reports, await flood.rest()] : reports;
    const { figures, failures } = reportOf(await fleet.verdict(all));
    const latency = latencyOf(reports);
    const figuresOfAll = { ...figures, ...latency, 'runtime MB': Math.round(memory / 2 ** 20) };
    return { title: `beside ${what}`, figures: figuresOfAll, failures };
  } finally {
    abuser?.stop();
    await flood?.kill();
  }
}

function latencyOf(reports: readonly ClientReport[]): Record<string, number> {
  const times = durations(reports.flatMap(({ calls }) => calls));
  const figure = (part: number): number => Math.round(percentile(times, part) * 100) / 100;
  return { 'median ms': figure(0.5), 'p99 ms': figure(0.99) };
}
