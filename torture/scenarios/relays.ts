/**
 * Relays copy two rooms each for their readers. The rooms, the relays and the whole runtime are killed, and connections are
 * cut. A room refuses readers, loses its storage or goes back to an earlier state. Each reader has to get each number of its
 * topic once and in order, and each relay has to get its own alarms.
 */
import { join } from 'node:path';
import { ChildProgram } from '../../harness/child-program.ts';
import { Proxy } from '../../harness/network-proxy.ts';
import { Runtime } from '../../harness/runtime.ts';
import { sleep, until } from '../../harness/waiting.mjs';
import { createRpcClient, type RpcClient } from '../../runtime/src/client.ts';
import type { Room, RoomRelay } from '../objects/relays.ts';
import type { Context, Figures, Scenario } from '../scenario.ts';
import type {
  LastSaid,
  ReaderOrder,
  ReaderReport,
  ReaderSettings,
} from '../subscribers/reader-process.ts';

const READER_PROCESS = join(import.meta.dirname, '../subscribers/reader-process.ts');
const WORKER = {
  main: join(import.meta.dirname, '../objects/relays.ts'),
  bindings: { ROOM: 'Room', RELAY: 'RoomRelay' },
};

const ROOMS = ['one', 'two'];
/** The topics of the Worker, which Node cannot import. */
const TOPICS = ['tea', 'coffee'];
const RELAYS = ['relay 0', 'relay 1', 'relay 2', 'relay 3'];

/** The numbers that each room publishes at once, and the milliseconds between: fifty numbers in a second. */
const BURST = 5;
const PAUSE = 100;

/** The milliseconds between two faults, and the milliseconds for which a room refuses. */
const BREATH = 3_000;
const SHORT_BREATH = 400;
const REFUSAL = 1_500;

const FAULTS = { kills: 0, cuts: 0, refusals: 0, restored: 0, emptied: 0 };

export const relays: Scenario = {
  name: 'relays',
  about: 'relays of two rooms and their readers, through kills, cuts, refusals and lost storage',
  async run(context) {
    return [await follow(context)];
  },
};

async function follow(context: Context): Promise<Figures> {
  const { short, note } = context;
  const duration = short ? 8_000 : 300_000;
  await using all = new AsyncDisposableStack();
  const server = all.use(await Runtime.serve({ config: WORKER }));
  const proxy = await new Proxy(server.port).listen();
  all.defer(() => proxy.close());
  const start = (baseUrl: string, readers: number) => {
    const settings: ReaderSettings = {
      baseUrl,
      relays: RELAYS,
      rooms: ROOMS,
      topics: TOPICS,
      readers,
    };
    return all.use(new ChildProgram<ReaderOrder, ReaderReport>(READER_PROCESS, settings));
  };
  const many = short ? 32 : 480;
  const cut = short ? 16 : 160;
  const processes = [start(server.url, many), start(server.url, many), start(proxy.url, cut)];
  note(`${2 * many + cut} readers connect`);
  await Promise.all(processes.map((one) => one.ask('ready')));

  const options = { baseUrl: server.url, timeout: duration };
  const rooms = ROOMS.map((name) => createRpcClient<Room>('ROOM', name, options));
  const relayed = RELAYS.map((name) => createRpcClient<RoomRelay>('RELAY', name, options));
  for (const client of [...rooms, ...relayed]) all.defer(() => client.close());
  const end = performance.now() + duration;
  const faults = harm(context, server, proxy, rooms, end);
  let said = 0;
  for (let next = performance.now(); next < end; next += PAUSE) {
    await Promise.all(rooms.map((room) => room.say(BURST)));
    said += BURST * ROOMS.length * TOPICS.length;
    note(`${said} numbers published, ${Math.round((end - next) / 1_000)} s to go`);
    await sleep(Math.max(0, next + PAUSE - performance.now()));
  }
  const harmed = await faults;
  note('waiting for the readers');
  const last: LastSaid = {};
  for (const [index, room] of rooms.entries()) last[ROOMS[index] ?? ''] = await room.said();
  const reports = await Promise.all(processes.map((one) => one.ask(JSON.stringify(last))));
  const alarms = await alarmsOf(relayed);
  await server.check();
  const sum = (of: Exclude<keyof ReaderReport, 'errors'>): number =>
    reports.reduce((total, report) => total + report[of], 0);
  const figures = {
    readers: 2 * many + cut,
    ...harmed,
    announced: said,
    heard: sum('read'),
    lost: sum('lost'),
    doubled: sum('doubled'),
    mixed: sum('mixed'),
    wrong: sum('wrong'),
    values: sum('values'),
    'other lives': sum('lives'),
    'refused readers': sum('refused'),
    ...alarms,
  };
  const errors = reports.flatMap((report) => report.errors);
  const failures = (['lost', 'doubled', 'mixed', 'wrong', 'early alarms'] as const)
    .filter((name) => figures[name] > 0)
    .map((name) => `${figures[name]} ${name}`);
  return {
    title: 'kills, cuts, refusals and lost storage',
    figures,
    failures: [...failures, ...errors.map((error) => `a reader ended with ${error}`)],
  };
}

/** Waits until each relay's alarm has rung once more, so that no alarm was lost. */
async function alarmsOf(
  relayed: readonly RpcClient<RoomRelay>[],
): Promise<Record<'alarms' | 'early alarms', number>> {
  let [rung, early] = [0, 0];
  for (const one of relayed) {
    const [before] = await one.alarms();
    await until(async () => (await one.alarms())[0] > before);
    const [own, tooEarly] = await one.alarms();
    rung += own;
    early += tooEarly;
  }
  return { alarms: rung, 'early alarms': early };
}

/** Causes faults until a time, and counts them. */
async function harm(
  { short, random }: Context,
  server: Runtime,
  proxy: Proxy,
  rooms: readonly RpcClient<Room>[],
  end: number,
): Promise<typeof FAULTS> {
  const breath = short ? SHORT_BREATH : BREATH;
  const count = { ...FAULTS };
  const oneOf = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
  for (const room of rooms) await room.remember();
  // The readers need some time to recover from the last fault.
  while (performance.now() < end - 2 * breath) {
    await sleep(breath * (0.5 + random()));
    const choice = random();
    const room = oneOf(rooms);
    if (choice < 0.2) {
      proxy.cutAll(random() < 0.5 ? 'reset' : 'close');
      count.cuts++;
    } else if (choice < 0.55) {
      await fetch(`${server.url}/stop/${oneOf([...ROOMS, ...RELAYS])}`);
      count.kills++;
    } else if (choice < 0.65) {
      await server.restart();
      count.kills++;
    } else if (choice < 0.8) {
      await room.refuse(short ? REFUSAL / 3 : REFUSAL);
      // A relay that wakes asks the room again.
      await fetch(`${server.url}/stop/${oneOf(RELAYS)}`);
      count.refusals++;
      count.kills++;
    } else if (choice < 0.85) await room.remember();
    else if (choice < 0.95) {
      await room.restore(false);
      count.restored++;
    } else {
      await room.restore(true);
      count.emptied++;
    }
  }
  return count;
}
