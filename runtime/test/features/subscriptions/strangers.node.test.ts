/**
 * Clients of objects with errors: an object that lacks the method, and an object that sends malformed messages about
 * subscriptions. Calls go on, and no loop hangs.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { RpcError, type RpcErrorCode } from '../../../src/wire/errors.ts';
import { encodeRejection } from '../../../src/wire/messages.ts';
import { encodeThrown } from '../../../src/wire/values/thrown.ts';
import { until } from '../../../../harness/waiting.mjs';
import { upgradeOnly } from '../../served/stub.ts';
import { movableClock } from '../../support/clock.ts';
import { Loop } from './broadcaster/loops.ts';
import { type Client, serve } from './broadcaster/serve.ts';

const worker = await serve();

/** Returns the frames that an object sends after a frame. */
type Script = (frame: unknown[][]) => string[];

/** Returns a text frame as a server sends it. */
function framed(text: string): Buffer {
  const payload = Buffer.from(text);
  const length = Buffer.alloc(4, 0x81);
  length[1] = 126;
  length.writeUInt16BE(payload.length, 2);
  return Buffer.concat([length, payload]);
}

/** Takes small text frames of a client from the beginning of the bytes that have arrived. */
function* unframed(state: { bytes: Buffer }): Generator<string> {
  for (;;) {
    const { bytes } = state;
    const short = (bytes[1] ?? 0) & 127;
    const start = short === 126 ? 8 : 6;
    if (bytes.length < start) return;
    const length = short === 126 ? bytes.readUInt16BE(2) : short;
    if (bytes.length < start + length) return;
    const mask = bytes.subarray(start - 4, start);
    const payload = bytes
      .subarray(start, start + length)
      .map((byte, at) => byte ^ (mask[at % 4] ?? 0));
    state.bytes = bytes.subarray(start + length);
    if (bytes[0] === 0x81) yield Buffer.from(payload).toString();
  }
}

/** Connects a client to an object that follows a script. */
async function clientOf(script: Script): Promise<Client> {
  const server = createServer();
  const sockets = new Set<Duplex>();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket.on('error', () => {}));
    const state = { bytes: Buffer.alloc(0) };
    socket.on('data', (chunk: Buffer) => {
      state.bytes = Buffer.concat([state.bytes, chunk]);
      for (const frame of unframed(state)) {
        if (frame === '[]') socket.write(framed('[]'));
        else for (const text of script(JSON.parse(frame))) socket.write(framed(text));
      }
    });
    upgradeOnly(socket as never, `sec-websocket-key: ${request.headers['sec-websocket-key']}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = worker.connect('scripted', { baseUrl: `http://127.0.0.1:${port}` });
  onTestFinished(() => {
    client.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return client;
}

describe('an object that lacks a method', () => {
  const missing = (code: RpcErrorCode, n: unknown): string =>
    `[["complete",${n}${encodeThrown(new RpcError(code, 'no getTopic'), false)}]]`;

  test.each(['METHOD_NOT_FOUND', 'UNSUPPORTED'] as const)(
    '%s: a loop that has worked waits longer each time, and logs it once',
    async (code) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      onTestFinished(() => warn.mockRestore());
      // The client's clock stands still, except for the delays between attempts, which pass at once.
      let now = Math.ceil(performance.now());
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
      const delays: number[] = [];
      const { setTimeout } = globalThis;
      const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
        run: () => void,
        delay: number,
      ) => {
        if (!(delay >= 500 && delay <= 2_000)) return setTimeout(run, delay);
        delays.push(delay);
        return setTimeout(() => {
          now += delay;
          run();
        });
      }) as never);
      onTestFinished(() => {
        clock.mockRestore();
        timers.mockRestore();
      });
      let attempts = 0;
      const client = await clientOf((frame) => {
        const [[kind, n] = []] = frame;
        if (kind !== 'subscribe') return [];
        attempts += 1;
        if (attempts > 1 && attempts < 5) return [missing(code, n)];
        return [`[["subscribed",${n}],["value",${n},"${attempts}"]]`];
      });
      const loop = new Loop(subscribe(client).getTopic());
      await loop.has(1);
      client.reconnect();
      expect(await loop.has(2)).toEqual(['1', '5']);
      expect(delays).toEqual([500, 1_000, 2_000]);
      expect(warn.mock.calls).toEqual([['Subscription waits: no getTopic']]);
    },
  );

  /** Returns an object that can lose its method, and a loop over the method. */
  async function losable(): Promise<{
    client: Client;
    loop: Loop<unknown>;
    lose(): Promise<void>;
    find(): void;
  }> {
    let isThere = true;
    let values = 0;
    const client = await clientOf((frame) => {
      const [[kind, n] = []] = frame;
      if (typeof kind === 'number') return [`[[${kind},1]]`];
      if (kind !== 'subscribe') return [];
      if (!isThere) return [missing('METHOD_NOT_FOUND', n)];
      return [`[["subscribed",${n}],["value",${n},${++values}]]`];
    });
    const loop = new Loop(subscribe(client).getTopic());
    await loop.has(1);
    return {
      client,
      loop,
      async lose() {
        isThere = false;
        client.reconnect();
        await new Promise((resolve) => {
          const warn = vi.spyOn(console, 'warn').mockImplementation(resolve);
          onTestFinished(() => warn.mockRestore());
        });
      },
      find() {
        isThere = true;
      },
    };
  }

  test('a loop that has not worked rejects', async () => {
    const { client, lose } = await losable();
    await lose();
    const late = new Loop(subscribe(client).getTopic());
    await expect(late.ended).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
  });

  test('a waiting loop goes on over the next connection', async () => {
    const { client, loop, lose, find } = await losable();
    await lose();
    // The next attempt of the loop itself would be minutes later.
    const clock = movableClock();
    clock.ahead = 500_000;
    client.reconnect();
    await client.lives();
    find();
    client.reconnect();
    expect(await loop.has(2)).toEqual([1, 2]);
  });

  test('a waiting loop rejects after ten minutes', async () => {
    const { client, loop, lose } = await losable();
    await lose();
    const clock = movableClock();
    clock.ahead = 601_000;
    client.reconnect();
    await expect(loop.ended).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
  });

  test('a waiting loop ends with its client', async () => {
    const { client, loop, lose } = await losable();
    await lose();
    client.close();
    await expect(loop.ended).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe('an object that could not read a message', () => {
  test('rejects the calls that are under way', async () => {
    const refusal = encodeRejection(new RpcError('LIMIT_EXCEEDED', 'frameSize is at most'));
    const client = await clientOf((frame) => {
      const [kind, n] = frame[0] as [string, number];
      return kind === 'subscribe' ? [`[["subscribed",${n},"0."]]`] : [`[${refusal}]`];
    });
    const events = subscribe(client).events();
    const loop = new Loop(events);
    await until(() => events.cursor !== undefined);
    await expect(client.lives()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    client.close();
    await expect(loop.ended).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe('an object that could not read a frame', () => {
  /** Rejects the first `frames` frames. */
  const refusing = (frames: number): Script => {
    const refusal = encodeRejection(new RpcError('LIMIT_EXCEEDED', 'frameSize is at most'));
    let refused = 0;
    return (frame) => {
      if (refused++ < frames) return [`[${refusal}]`];
      const [kind, n] = frame[0] as [string, number];
      return kind === 'subscribe' ? [`[["subscribed",${n}],["value",${n},"tea"]]`] : [];
    };
  };

  test('rejects the loops that wait for an answer, and later loops go on', async () => {
    const client = await clientOf(refusing(1));
    const loop = new Loop(subscribe(client).getTopic());
    await expect(loop.ended).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await new Loop(subscribe(client).getTopic()).has(1)).toEqual(['tea']);
  });

  test('rejects the calls that are under way, even if the client had not subscribed before', async () => {
    const client = await clientOf(refusing(2));
    // From here on, the client handles messages about subscriptions.
    const loop = new Loop(subscribe(client).getTopic());
    await expect(loop.ended).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expect(client.lives()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      maybeExecuted: true,
    });
  });
});

test('the loops and calls of a client that comes back as another caller reject', async () => {
  let user = 'ann';
  using client = worker.connect('two callers', { protocols: () => [`as.${user}`] });
  await client.sayOne('a');
  const loops = [new Loop(subscribe(client).getTopic()), new Loop(subscribe(client).events())];
  await loops[0]?.has(1);
  user = 'bob';
  client.reconnect();
  for (const { ended } of loops) await expect(ended).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(client.lives()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

/** Malformed messages, and the outcome of the loop that gets each first. */
const MALFORMED: [message: string, outcome: 'BAD_MESSAGE' | 'goes on'][] = [
  // These messages are not for any subscription.
  ...[
    '["subscribed"]',
    '["subscribed","1","0.a"]',
    '["subscribed",null]',
    '["subscribed",99,"0.a"]',
    '["next"]',
    '["next","1",1,"x"]',
    '["next",{},1]',
    '["next",99,1,"x"]',
    '["value",99,"x"]',
    '["value"]',
    '["complete"]',
    '["complete","1"]',
    '["complete",99,"error",[[7]]]',
    '["Next",1,1,"x"]',
    '["odd",1]',
    '["__proto__",1]',
    '[]',
  ].map((message): [string, 'goes on'] => [message, 'goes on']),
  // These messages have no valid number of an event.
  ...['', '0', '-1', '0.5', 'null', '"1"', '{}', '[1]', 'true', '9007199254740993', '1e999'].map(
    (event): [string, 'BAD_MESSAGE'] => [`["next",1,${event || '"x"'}]`, 'BAD_MESSAGE'],
  ),
  // This event leaves a gap, so the client asks again.
  ['["next",1,2,"x"]', 'goes on'],
  ['["next",1,1,"odd","x"]', 'BAD_MESSAGE'],
  ['["next",1,1,5,"x"]', 'BAD_MESSAGE'],
  ['["next",1,1,"rich",5]', 'BAD_MESSAGE'],
  ['["next",1,1,"rich",[["NoSuchTag",1]]]', 'BAD_MESSAGE'],
  ['["subscribed",1,"0.a",64,"odd","x"]', 'BAD_MESSAGE'],
  ['["subscribed",1,"0.a",64,"rich","text"]', 'BAD_MESSAGE'],
  ['["value",1,"odd","x"]', 'BAD_MESSAGE'],
  ['["value",1,"rich",[["NoSuchTag",1]]]', 'BAD_MESSAGE'],
  ['["complete",1,"odd","x"]', 'BAD_MESSAGE'],
  ['["complete",1,"error",5]', 'BAD_MESSAGE'],
  ['["complete",1,"error",[["Error",0]]]', 'BAD_MESSAGE'],
];

describe('an object that sends a malformed message', () => {
  test.each(MALFORMED)('%s: %s', async (message, outcome) => {
    let begun = 0;
    const client = await clientOf((frame) => {
      const [kind, n] = frame[0] as [string, number];
      if (kind === 'subscribe' && n === 2)
        return ['[["subscribed",2,"0.b"],["next",2,1,"beside"]]'];
      if (kind === 'subscribe') {
        const begin = '[["subscribed",1,"0.a"]]';
        // The answer to the second attempt is valid.
        return ++begun === 1 ? [begin, `[${message}]`] : [begin];
      }
      const [id] = frame.at(-1) as [number];
      return typeof id === 'number' ? ['[["next",1,1,"right"]]', `[[${id},"answered"]]`] : [];
    });
    const loop = new Loop(subscribe(client).events());
    const beside = new Loop(subscribe(client).events());
    expect(await beside.has(1)).toEqual(['beside']);
    expect(await client.lives()).toBe('answered');
    if (outcome === 'goes on') expect(await loop.has(1)).toEqual(['right']);
    else await expect(loop.ended).rejects.toMatchObject({ name: 'RpcError', code: outcome });
    expect(await client.lives()).toBe('answered');
    expect(beside.heard).toEqual(['beside']);
  });

  test.each(['{}', 'null', '[["next",1,1,"x"]', '["next",1,1,"x"]', '[["next",1,1,"x"],5]', ''])(
    'or the invalid frame %j does not disturb its client',
    async (text) => {
      const client = await clientOf((frame) => {
        const [kind] = frame[0] as [string];
        if (kind === 'subscribe')
          return ['[["subscribed",1,"0.a"]]', text, '[["next",1,1,"right"]]'];
        return [`[[${(frame.at(-1) as [number])[0]},"answered"]]`];
      });
      const loop = new Loop(subscribe(client).events());
      expect(await loop.has(1)).toEqual(['right']);
      expect(await client.lives()).toBe('answered');
    },
  );
});
