/** Very many clients connect, call, vanish without a word, and come back; the runtime's memory. */
import type { ClientReport } from '../client-process.ts';
import { ClientProcess } from '../clients.ts';
import { Fleet } from '../fleet.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import { PATIENCE, sleep } from '../../harness/waiting.mjs';

/** For the runtime to notice that sockets are gone. */
const SETTLE = 1_000;

export const crowd: Scenario = {
  name: 'crowd',
  about: 'many clients connect, call, vanish and return; memory of the runtime',
  async run(context) {
    return [await comeAndGo(context)];
  },
};

async function comeAndGo({ short, seed, note }: Context): Promise<Figures> {
  // One lane, whose client warms the runtime up, so that what follows is the crowd's.
  await using fleet = await Fleet.start({ lanes: 1, seed });
  const { server, instance } = fleet;
  const processes = short ? 5 : 8;
  const count = short ? 10 : 125;
  const reports: ClientReport[] = [];
  await fleet.lanes[0]?.client.once();
  const before = await server.memory();
  const peaks: number[] = [];
  const rounds = short ? 2 : 4;
  for (let round = 0; round < rounds; round++) {
    note(`${processes * count} clients: ${rounds - round} rounds to go`);
    const options = { baseUrl: server.url, timeout: PATIENCE };
    const crowds = Array.from(
      { length: processes },
      () => new ClientProcess({ instance, options, count, seed }),
    );
    try {
      await Promise.all(crowds.map((client) => client.once()));
      reports.push(...(await Promise.all(crowds.map((client) => client.once()))));
      peaks.push(await server.memory());
    } finally {
      await Promise.all(crowds.map((client) => client.kill()));
    }
    await sleep(SETTLE);
  }
  const after = await server.memory();
  const own = await fleet.rest();
  const { figures, failures } = reportOf(await fleet.verdict([...reports, ...own]));
  return {
    title: `${processes * count} clients, ${rounds} times`,
    figures: {
      ...figures,
      'runtime MB before': megabytes(before),
      'at the peak of each round': peaks.map(megabytes).join(', '),
      after: megabytes(after),
      'kB a connection, first time': Math.round(
        ((peaks[0] ?? 0) - before) / 1024 / (processes * count),
      ),
    },
    failures,
  };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
