/**
 * Strangers make the object hold as much memory as they can, by messages that they do not end or do not read. The scenario
 * measures how much the memory of the runtime grows, and how long a neighbour waits for its small calls.
 */
import { connect, type Socket } from 'node:net';
import { createRpcClient } from '../../runtime/src/client.ts';
import { percentile } from '../../runtime/src/perf/measure/statistics.ts';
import { Runtime } from '../../harness/runtime.ts';
import { sleep } from '../../harness/waiting.mjs';
import { frame, upgrade } from '../abusers/flood.ts';
import { CONFIG } from '../clients/fleet.ts';
import type { Ledger } from '../objects/worker.ts';
import { Bars, type Context, type Figures, type Scenario } from '../scenario.ts';

/** The milliseconds for which the strangers go on. */
const SHORT = 1_000;
const LONG = 5_000;
const MINUTE = 60_000;

/** The milliseconds after which a stranger that was closed connects again. */
const PAUSE = 50;

/**
 * `HELD` is the maximum of megabytes that the Worker may hold after a garbage collection. `GROWTH` is the maximum growth of
 * the runtime in megabytes before it: V8 takes about 20 for any burst of work, and collects late. `LONGEST` and `P99` are
 * the maximum milliseconds that the neighbour may wait.
 */
const HELD = 24;
const GROWTH = 128;
const LONGEST = 500;
const P99 = 100;

const PIECE = 131_072;
const MORE = frame('\x02');
const LAST = frame('\x03');

interface Hoard {
  readonly name: string;
  readonly strangers: number;
  /** Returns the messages that each stranger sends when it is connected. */
  readonly sends: (id: number) => Buffer[];
  /** True if the strangers send POSTs. Otherwise they open WebSockets. */
  readonly posts?: boolean;
  /** True if the strangers read their answers. Default false. */
  readonly reads?: boolean;
  /** True if closed strangers connect again, for a minute in the long form. Default false. */
  readonly comesBack?: boolean;
}

const calls = (count: number, call: string): string =>
  `[${Array.from({ length: count }, (_, index) => `[${index + 1},${call}]`).join()}]`;

/** Returns the head of a POST, and its body in one chunk, with or without its end. */
function post(body: string | Buffer, isEnded: boolean): Buffer {
  const head =
    'POST /__rpc/LEDGER/hoards/call HTTP/1.1\r\nHost: torture\r\nContent-Type: application/json\r\n' +
    'Transfer-Encoding: chunked\r\n\r\n';
  const chunk = `${Buffer.byteLength(body).toString(16)}\r\n`;
  return Buffer.concat([
    Buffer.from(head + chunk),
    Buffer.from(body),
    Buffer.from(isEnded ? '\r\n0\r\n\r\n' : '\r\n'),
  ]);
}

function repeated(count: number, ...frames: Buffer[]): Buffer[] {
  return Array.from({ length: count }, () => frames).flat();
}

/** An object whose keys V8 keeps in a table, and sorts whenever it is walked. */
const LARGE_OBJECT = `{${Array.from({ length: 80_000 }, (_, index) => `"${index * 3_700}":0`).join()}}`;

const UNREAD = frame(calls(8, '"readText",[30000]'));

const HOARDS: readonly Hoard[] = [
  {
    name: 'a text instead of the length of bytes',
    strangers: 1,
    sends: () => [MORE, frame('1000000000'), LAST, frame(Buffer.of(1))],
  },
  {
    name: 'one frame of calls with large answers',
    strangers: 1,
    sends: () => [frame(calls(5_000, '"readText",[100000]'))],
  },
  {
    name: 'one frame of calls, read and not acknowledged',
    strangers: 1,
    reads: true,
    sends: () => [frame(calls(5_000, '"readText",[100000]'))],
  },
  {
    name: 'one frame of calls, acknowledged and not read',
    strangers: 1,
    sends: () => [
      frame(calls(5_000, '"readText",[100000]')),
      ...repeated(500, frame('\x06'), frame('\x06')),
    ],
  },
  { name: 'small answers that are not read', strangers: 5, sends: () => repeated(400, UNREAD) },
  {
    name: 'pieces of bytes that do not end',
    strangers: 10,
    sends: () => repeated(95, MORE, frame(Buffer.alloc(PIECE))),
  },
  {
    name: 'pieces of text that do not end',
    strangers: 10,
    sends: () => repeated(31, MORE, frame('x'.repeat(PIECE))),
  },
  {
    name: 'bodies of POSTs that do not end',
    strangers: 12,
    posts: true,
    sends: () => [post(Buffer.alloc(12_000_000, 0x20), false)],
  },
  {
    name: 'responses to POSTs that are not read',
    strangers: 20,
    posts: true,
    sends: () => [post(calls(1, '"readText",[4000000]'), true)],
  },
  {
    name: 'arguments of calls that run',
    strangers: 5,
    sends: (id) =>
      Array.from({ length: 8 }, (_, call) =>
        frame(`[["awaits",1],[${call + 1},"wait",["${`${id}`.padEnd(2_000_000, 'x')}"]]]`),
      ),
  },
  {
    name: 'calls that wait for a call',
    strangers: 5,
    sends: (id) => [
      frame(`[[1,"wait",["${id}"]]]`),
      ...Array.from({ length: 8 }, (_, call) =>
        frame(
          `[["awaits",1],[${call + 2},"weigh","rich",[[[{"a":"${'x'.repeat(2_000_000)}","b":[1]}]],["Call",1]]]]`,
        ),
      ),
    ],
  },
  {
    name: 'frames that wait after garbage',
    strangers: 5,
    sends: () => [
      frame(calls(200, '"nothing"')),
      ...repeated(30, frame(`[[1,"weigh",["${'x'.repeat(3_000_000)}"]]]`)),
    ],
  },
  {
    name: 'a hundred strangers with the worst messages',
    strangers: 100,
    sends: (id) =>
      [
        repeated(20, MORE, frame(Buffer.alloc(PIECE))),
        [frame(calls(100, '"readText",[100000]'))],
        repeated(100, UNREAD),
        [frame(`[[1,"wait",["${`${id}`.padEnd(2_000_000, 'x')}"]]]`)],
      ][id % 4] as Buffer[],
  },
  {
    name: 'a hundred strangers that connect again, with all messages',
    strangers: 100,
    comesBack: true,
    sends: (id) =>
      [
        repeated(20, MORE, frame(Buffer.alloc(PIECE))),
        repeated(20, MORE, frame('x'.repeat(PIECE))),
        [frame(calls(5_000, '"readText",[100000]'))],
        [frame(calls(100, '"readText",[100000]')), ...repeated(500, frame('\x06'))],
        repeated(100, UNREAD),
        [frame(`[[1,"wait",["${`${id}`.padEnd(2_000_000, 'x')}"]]]`)],
        repeated(4, frame(`[[1,"weigh","rich",[[[${LARGE_OBJECT}]]]]]`)),
        repeated(4, frame(`[["subscribe",1,null,"watch","rich",[[[${LARGE_OBJECT}]]]]]`)),
        repeated(50, frame(calls(5_000, '"nothing"'))),
        repeated(4, frame('{'.repeat(1_000_000))),
      ][id % 10] as Buffer[],
  },
];

export const hoards: Scenario = {
  name: 'hoards',
  about: 'strangers make the object hold data: the memory that it takes',
  async run(context) {
    const parts: Figures[] = [];
    for (const hoard of HOARDS) parts.push(await measure(hoard, context));
    return parts;
  },
};

async function measure(hoard: Hoard, context: Context): Promise<Figures> {
  context.note(hoard.name);
  await using server = await Runtime.serve({ config: CONFIG, inspected: true });
  using neighbour = createRpcClient<Ledger>('LEDGER', 'hoards', { baseUrl: server.url });
  for (let call = 0; call < 50; call++) await neighbour.readText(100_000);
  const before = await server.heap();
  const waits: number[] = [];
  const over = new AbortController();
  const sockets: Socket[] = [];
  const growth = await server.mostMemory(async () => {
    const calling = (async (): Promise<void> => {
      while (!over.signal.aborted) {
        const begun = performance.now();
        await neighbour.count();
        waits.push(performance.now() - begun);
        await sleep(2);
      }
    })();
    const join = (id: number): void => {
      const socket = stranger(hoard, id, server.url);
      sockets[id - 1] = socket;
      if (hoard.comesBack) {
        socket.once('close', () => setTimeout(() => over.signal.aborted || join(id), PAUSE));
      }
    };
    for (let id = 1; id <= hoard.strangers; id++) join(id);
    const long = hoard.comesBack ? MINUTE : LONG;
    await sleep(context.short ? SHORT : long);
    over.abort();
    await calling;
  });
  const held = (await server.heap()) - before;
  for (const socket of sockets) socket.destroy();
  const bars = new Bars(context);
  bars.atMost(HELD, 'MB held', held / 2 ** 20);
  bars.atMost(GROWTH, 'maximum growth in MB', growth / 2 ** 20);
  bars.atMost(LONGEST, 'longest wait of the neighbour in ms', Math.max(...waits));
  bars.atMost(P99, '99th percentile of the neighbour in ms', percentile(waits, 0.99));
  return bars.part(hoard.name, { 'calls of the neighbour': waits.length });
}

function stranger({ posts, reads, sends }: Hoard, id: number, url: string): Socket {
  const target = new URL('/__rpc/LEDGER/hoards/call', url);
  const socket = connect(Number(target.port), target.hostname);
  socket.on('error', () => {});
  const send = (): void => {
    if (!reads) socket.pause();
    for (const message of sends(id)) socket.write(message);
  };
  if (posts) send();
  else {
    socket.write(upgrade(target));
    socket.once('data', () => {
      if (reads) socket.on('data', () => {});
      send();
    });
  }
  return socket;
}
