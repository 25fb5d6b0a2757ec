/**
 * A room with relays, and relays of a relay, that many readers follow while the room, relays and the whole runtime are
 * killed, and connections are cut. Each reader has to get each number once and in order.
 */
import { join } from 'node:path';
import { ChildProgram } from '../../harness/child-program.ts';
import { Proxy } from '../../harness/network-proxy.ts';
import { Runtime } from '../../harness/runtime.ts';
import { sleep } from '../../harness/waiting.mjs';
import { createRpcClient } from '../../runtime/src/client.ts';
import type { Room } from '../objects/relays.ts';
import type { Context, Figures, Scenario } from '../scenario.ts';
import type { ReaderOrder, ReaderReport, ReaderSettings } from '../subscribers/reader-process.ts';

const READER_PROCESS = join(import.meta.dirname, '../subscribers/reader-process.ts');
const WORKER = {
  main: join(import.meta.dirname, '../objects/relays.ts'),
  bindings: { ROOM: 'Room', RELAY: 'RoomRelay' },
};

const ROOM = 'room';
/** Two relays of the room, and two of one of them. */
const RELAYS = ['room/0', 'room/1', 'room/2/0', 'room/2/1'];
/** What is killed: also the relay between. */
const OBJECTS = [ROOM, 'room/2', ...RELAYS];

/** Numbers that are said at once, and milliseconds between: fifty in a second. */
const BURST = 5;
const PAUSE = 100;

/** Milliseconds between two faults. */
const BREATH = 4_000;
const SHORT_BREATH = 500;

export const relays: Scenario = {
  name: 'relays',
  about: 'relays of a room and their readers, through kills and cuts',
  async run(context) {
    return [await follow(context)];
  },
};

async function follow(context: Context): Promise<Figures> {
  const { short, note } = context;
  const duration = short ? 5_000 : 300_000;
  await using all = new AsyncDisposableStack();
  const server = all.use(await Runtime.serve({ config: WORKER }));
  const proxy = await new Proxy(server.port).listen();
  all.defer(() => proxy.close());
  const start = (baseUrl: string, readers: number) => {
    const settings: ReaderSettings = { baseUrl, relays: RELAYS, readers };
    return all.use(new ChildProgram<ReaderOrder, ReaderReport>(READER_PROCESS, settings));
  };
  const many = short ? 20 : 900;
  const cut = short ? 8 : 200;
  const processes = [start(server.url, many), start(server.url, many), start(proxy.url, cut)];
  note(`${2 * many + cut} readers connect`);
  await Promise.all(processes.map((one) => one.ask('ready')));

  using room = createRpcClient<Room>('ROOM', ROOM, { baseUrl: server.url, timeout: duration });
  const end = performance.now() + duration;
  const faults = harm(context, server, proxy, end);
  let said = 0;
  for (let next = performance.now(); next < end; next += PAUSE) {
    await Promise.all(Array.from({ length: BURST }, () => room.say()));
    said += BURST;
    note(`${said} said, ${Math.round((end - next) / 1_000)} s to go`);
    await sleep(Math.max(0, next + PAUSE - performance.now()));
  }
  const { kills, cuts } = await faults;
  note('waiting for the readers');
  const reports = await Promise.all(processes.map((one) => one.ask(said)));
  await server.check();
  const sum = (of: Exclude<keyof ReaderReport, 'errors'>): number =>
    reports.reduce((total, report) => total + report[of], 0);
  const figures = {
    readers: 2 * many + cut,
    kills,
    cuts,
    announced: said,
    heard: sum('read'),
    lost: sum('lost'),
    doubled: sum('doubled'),
    wrong: sum('wrong'),
    values: sum('values'),
  };
  const errors = reports.flatMap((report) => report.errors);
  const failures = (['lost', 'doubled', 'wrong'] as const)
    .filter((name) => figures[name] > 0)
    .map((name) => `${figures[name]} ${name}`);
  if (figures.heard !== said * figures.readers) failures.push(`${figures.heard} were read`);
  return {
    title: 'kills and cuts',
    figures,
    failures: [...failures, ...errors.map((error) => `a reader ended with ${error}`)],
  };
}

/** Kills one object, or all of them, or cuts the connections of the readers behind the proxy, until a time. */
async function harm(
  { short, random }: Context,
  server: Runtime,
  proxy: Proxy,
  end: number,
): Promise<{ kills: number; cuts: number }> {
  const breath = short ? SHORT_BREATH : BREATH;
  let [kills, cuts] = [0, 0];
  // The readers need some time for the last fault.
  while (performance.now() < end - 2 * breath) {
    await sleep(breath * (0.5 + random()));
    const choice = random();
    if (choice < 0.3) {
      proxy.cutAll(random() < 0.5 ? 'reset' : 'close');
      cuts++;
    } else if (choice < 0.9) {
      const name = OBJECTS[Math.floor(random() * OBJECTS.length)] ?? ROOM;
      await fetch(`${server.url}/stop/${name}`);
      kills++;
    } else {
      await server.restart();
      kills++;
    }
  }
  return { kills, cuts };
}
