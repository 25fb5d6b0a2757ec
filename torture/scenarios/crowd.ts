/**
 * Very many clients connect, call, vanish and return, or come for one request each. The scenario measures how much
 * memory and time they still cost the object afterwards.
 */
import { Runtime } from '../../harness/runtime.ts';
import { PATIENCE, sleep } from '../../harness/waiting.mjs';
import { createRpcClient } from '../../runtime/src/client.ts';
import { Bars, type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import type { ClientReport } from '../clients/client-process.ts';
import { ClientProcess, CONFIG, Fleet } from '../clients/fleet.ts';
import type { Ledger } from '../objects/worker.ts';
import { visitors } from './visitors.ts';

/** The time for the runtime to notice that sockets are gone, in milliseconds. */
const SETTLE = 1_000;

/** The maximum ratio of the heap after a crowd has left, and after garbage collection, to the heap before. */
const BACK = 1.2;

export const crowd: Scenario = {
  name: 'crowd',
  about: 'thousands of clients connect and vanish: the memory that remains',
  async run(context) {
    return [await comeAndGo(context), await leaveInTheMiddle(context), await visitors(context)];
  },
};

async function comeAndGo(context: Context): Promise<Figures> {
  const { short, seed, note } = context;
  const bars = new Bars(context);
  await using fleet = await Fleet.start({ lanes: 1, seed, inspected: true });
  const { server, instance } = fleet;
  const processes = short ? 5 : 8;
  const count = short ? 10 : 125;
  const rounds = short ? 2 : 4;
  const options = { baseUrl: server.url, timeout: PATIENCE };
  const reports: ClientReport[] = [];
  const peaks: number[] = [];
  const visit = async (of: number): Promise<void> => {
    const clients = Array.from(
      { length: of },
      () => new ClientProcess({ instance, options, count, seed }),
    );
    try {
      await Promise.all(clients.map((client) => client.once()));
      reports.push(...(await Promise.all(clients.map((client) => client.once()))));
      peaks.push(await server.memory());
    } finally {
      await Promise.all(clients.map((client) => client.kill()));
    }
    await sleep(SETTLE);
  };
  // After a first visit, the code is loaded, so later growth is due to the crowd.
  await visit(1);
  const before = { heap: await server.heap(), resident: await server.memory() };
  for (let round = 0; round < rounds; round++) {
    note(`${processes * count} clients: ${rounds - round} rounds to go`);
    await visit(processes);
  }
  bars.atMost(BACK, 'heap after, to before', (await server.heap()) / before.heap);
  const { figures, failures } = reportOf(
    await fleet.verdict([...reports, ...(await fleet.rest())]),
  );
  const title = `${processes * count} clients, ${rounds} times`;
  return bars.part(
    title,
    {
      ...figures,
      'resident MB before': megabytes(before.resident),
      'at the peak of each round': peaks
        .slice(1)
        .map((peak) => megabytes(peak))
        .join(', '),
      after: megabytes(await server.memory()),
    },
    failures,
  );
}

/** Clients leave while an asynchronous method that they have called still runs. It ends later. */
async function leaveInTheMiddle(context: Context): Promise<Figures> {
  const { short, note } = context;
  const bars = new Bars(context);
  await using server = await Runtime.serve({ config: CONFIG, inspected: true });
  const total = short ? 100 : 5_000;
  const connect = (): ReturnType<typeof createRpcClient<Ledger>> =>
    createRpcClient<Ledger>('LEDGER', 'left', { baseUrl: server.url, timeout: PATIENCE });
  using witness = connect();
  const leave = async (): Promise<void> => {
    using client = connect();
    client.wait('open').catch(() => {});
    // This call is in the same frame, so `wait` has begun when this call is answered.
    await client.lives();
  };
  const leaveTogether = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 50) {
      note(`${left} clients are still to leave`);
      await Promise.all(Array.from({ length: Math.min(left, 50) }, leave));
    }
    await sleep(SETTLE);
    await witness.openGate('open');
    await sleep(SETTLE);
  };
  await leaveTogether(100);
  const before = { heap: await server.heap(), resident: await server.memory() };
  await leaveTogether(total);
  bars.atMost(BACK, 'heap after, to before', (await server.heap()) / before.heap);
  await server.check();
  return bars.part(`${total} clients leave while a method runs`, {
    'heap MB before': megabytes(before.heap, 10),
    'resident MB before': megabytes(before.resident),
    after: megabytes(await server.memory()),
  });
}

function megabytes(bytes: number, parts = 1): number {
  return Math.round((bytes / 1024 / 1024) * parts) / parts;
}
