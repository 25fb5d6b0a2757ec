/** A client asks whether its object reads bytes. It sends bytes only after the answer, and loses nothing until then. */
import { describe, expect, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { stream } from '../../../src/features/argument-streams/client/stream.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { LAST, MORE, PIECE_SIZE } from '../../../src/wire/pieces.ts';
import { difference } from '../../support/same.ts';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { binary, OFFER, random, serve, watchTraffic } from './serve.ts';
import type { Change } from './worker.ts';

const worker = await serve();
let instances = 0;
const next = (): string => `object ${++instances}`;

/** Records the frames that a client sends, with its offers. A binary frame is recorded as `binary`. */
function spied(): { sent: string[]; WebSocket: typeof WebSocket } {
  const sent: string[] = [];
  class Spied extends WebSocket {
    override send(message: string | ArrayBuffer): void {
      sent.push(typeof message === 'string' ? message : 'binary');
      super.send(message);
    }
  }
  return { sent, WebSocket: Spied as typeof WebSocket };
}

/** All sockets but the first connect to an object without the option. */
function moving(): typeof WebSocket {
  let count = 0;
  class Moving extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(count++ > 0 ? url.replace('/FILES/', '/PLAIN/') : url, protocols);
    }
  }
  return Moving as typeof WebSocket;
}

describe('before the object has said that it reads binary frames', () => {
  test('calls without bytes are sent at once, with an offer', async () => {
    const { sent, WebSocket } = spied();
    using client = worker.connect(next(), { WebSocket });
    await client.runs();
    expect(sent).toEqual(['[["bytes"],[1,"runs"]]']);
    await client.runs();
    expect(sent.slice(1)).toEqual(['[[2,"runs"]]']);
  });

  test('a call with bytes and all later calls wait for the answer, and keep their order', async () => {
    const { sent, WebSocket } = spied();
    using client = worker.connect(next(), { WebSocket });
    const before = client.storeAndEcho('before');
    await before;
    using other = worker.connect(next(), { WebSocket });
    sent.length = 0;
    const values = [random(2_000), 'between', random(3_000), 'after'];
    const answers = values.map((value, index) =>
      Promise.resolve()
        .then(() => (index > 1 ? new Promise((resolve) => setTimeout(resolve)) : undefined))
        .then(() => other.storeAndEcho(value)),
    );
    const expected = values.map((value, index) => ({ runs: index + 1, value }));
    expect(difference(expected, await Promise.all(answers))).toBeUndefined();
    expect(sent[0]).toBe(OFFER);
    expect(sent[1]).toBe('binary');
  });
});

describe.each(['websocket', 'http'] as const)(
  'an object without the option, over %s,',
  (transport) => {
    test('gets and sends the same values, as text', async () => {
      const { client, traffic } = watchTraffic(worker, next(), { transport }, 'PLAIN');
      using one = client;
      const values = [random(2_000), [random(1_025).buffer, 'text'], random(400_000), 7];
      const echoed = await Promise.all(values.map((value) => one.storeAndEcho(value)));
      const expected = values.map((value, index) => ({ runs: index + 1, value }));
      expect(difference(expected, echoed)).toBeUndefined();
      expect(difference(values[0], await one.echo(values[0]))).toBeUndefined();
      expect(binary([...traffic.up, ...traffic.down])).toEqual([]);
    });

    test('takes as many characters as a frame may have, and rejects more', async () => {
      using client = worker.connect(next(), { transport }, 'PLAIN');
      expect(await client.hash(random(3_000_000))).toHaveLength(64);
      const refused = { code: 'LIMIT_EXCEEDED', message: 'frameSize is at most 4194304' };
      await expect(client.hash(random(3_500_000))).rejects.toMatchObject(refused);
      expect(await client.hash(random(3_000_000))).toHaveLength(64);
    });
  },
);

test('an object without the option sends bytes in subscriptions and streams as text', async () => {
  const { client, traffic } = watchTraffic(worker, next(), {}, 'PLAIN');
  using one = client;
  const sent = [10, 1_025, 20_000].map((length) => random(length));
  const loop = new Loop<Change>(subscribe(one).changes());
  await one.runs();
  await one.change(
    'change',
    sent.map(({ buffer }) => buffer),
  );
  await loop.has(sent.length);
  const expected = sent.map(({ buffer }) => ({ name: 'change', bytes: buffer }));
  expect(difference(expected, loop.heard)).toBeUndefined();
  expect(difference(sent, await one.upload(stream(sent)))).toBeUndefined();
  const pieces = await Array.fromAsync(subscribe(one).pieces([10, 1_025, 20_000]));
  expect(pieces.map(({ length }) => length)).toEqual([10, 1_025, 20_000]);
  const [first] = await new Loop<ArrayBuffer>(subscribe(one).current()).has(1);
  expect(first?.byteLength).toBe(0);
  expect(binary([...traffic.up, ...traffic.down])).toEqual([]);
});

test('after a lost connection, the client asks again, because a deployment may have removed the option', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using client = worker.connect(next(), { baseUrl: proxy.url, WebSocket: moving() });
  const value = random(400_000);
  expect(difference(value, await client.echo(value))).toBeUndefined();
  proxy.silence('down');
  const unanswered = [client.echo(value), client.echo('text')];
  await new Promise((resolve) => setTimeout(resolve, 100));
  proxy.cutAll('reset');
  proxy.resume();
  expect(difference([value, 'text'], await Promise.all(unanswered))).toBeUndefined();
  expect(difference(value, await client.echo(value))).toBeUndefined();
  proxy.close();
});

test('over HTTP, a frame that the object no longer reads fails once', async () => {
  let binding = '/FILES/';
  const moved: typeof fetch = (url, init) => fetch(String(url).replace('/FILES/', binding), init);
  using client = worker.connect(next(), { transport: 'http', fetch: moved });
  const value = random(2_000);
  expect(difference(value, await client.echo(value))).toBeUndefined();
  binding = '/PLAIN/';
  await expect(client.echo(value)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  expect(difference(value, await client.echo(value))).toBeUndefined();
  binding = '/FILES/';
  expect(difference(value, await client.echo(value))).toBeUndefined();
});

test('an object that reads bytes confirms each offer, and any other object rejects it', async () => {
  for (const [binding, answer] of [
    ['FILES', /^\[\["bytes"\]\]$/],
    ['PLAIN', /^\[\["bytes","error",.*UNSUPPORTED/],
  ] as const) {
    using raw = await worker.raw(next(), { binding });
    for (let time = 0; time < 3; time++) {
      raw.send(OFFER);
      expect(await raw.next()).toMatch(answer);
    }
    expect(await raw.ask('[1,"runs"]')).toBe('[[1,0]]');
  }
});

describe('an offer', () => {
  const BINARY = '[object ArrayBuffer]';
  const MAKE = '"make",[2000]';

  test.each([
    '["bytes",1]',
    '["bytes",2000]',
    '["bytes",-1]',
    '["bytes",1e308]',
    '["bytes",null]',
    '["bytes",true]',
    '["bytes",[]]',
    '["bytes",{}]',
    '["bytes","bytes"]',
    '["bytes",1,2]',
    '["bytes","error",[[]]]',
    '["Bytes"]',
    '["bytes "]',
    '[["bytes"]]',
    '[{"toString":"bytes"}]',
  ])('of another form, %s, is rejected, and offers nothing', async (form) => {
    const instance = next();
    for (const binding of ['FILES', 'PLAIN'] as const) {
      using raw = await worker.raw(instance, { binding });
      using bystander = await worker.raw(instance, { binding });
      // The rest of the frame is ignored.
      const refused = await raw.ask(`${form},[1,"storeAndEcho",[1]]`);
      if (binding === 'FILES') expect(refused).toMatch(/^\[\["error",.*BAD_MESSAGE/);
      expect(await raw.ask(`[2,${MAKE}]`)).toMatch(/^\[\[2,"rich",.*"ArrayBuffer"/);
      expect(await bystander.ask('[1,"life"]')).toMatch(/^\[\[1,/);
      if (binding === 'PLAIN') continue;
      expect(await raw.ask('[3,"runs"]')).toBe('[[3,0]]');
      expect(await raw.ask('["bytes"]')).toBe('[["bytes"]]');
      expect(await raw.ask(`[4,${MAKE}]`)).toBe(BINARY);
    }
  });

  test('among calls applies to the answers of the calls after it', async () => {
    using raw = await worker.raw(next());
    const text = await raw.ask(`[1,${MAKE}]`, '["bytes"]', '[2,"runs"]');
    expect(text).toMatch(/^\[\[1,"rich",.*"ArrayBuffer".*,\["bytes"\],\[2,0\]\]$/);
    expect(await raw.ask('["bytes"]', `[3,${MAKE}]`)).toBe(BINARY);
  });

  test('while a call runs applies to its answer', async () => {
    using raw = await worker.raw(next());
    const bytes = Buffer.alloc(2_000).toString('base64');
    // The offer arrives within this second on a slow machine, too.
    raw.sendMessages(`[1,"echoLater","rich",[[[[1],1000]],["ArrayBuffer","${bytes}"]]]`);
    expect(await raw.ask('["bytes"]')).toBe('[["bytes"]]');
    expect(await raw.next()).toBe(BINARY);
  });

  test('between the pieces of a frame is answered, and so is the frame', async () => {
    using raw = await worker.raw(next());
    const frame = `[[1,"storeAndEcho",["${'x'.repeat(PIECE_SIZE)}"]],[2,${MAKE}]]`;
    raw.send(MORE);
    raw.send(frame.slice(0, PIECE_SIZE));
    expect(await raw.ask('["bytes"]')).toBe('[["bytes"]]');
    raw.send(LAST);
    raw.send(frame.slice(PIECE_SIZE));
    expect(await raw.next()).toBe(BINARY);
    expect(await raw.ask('[3,"runs"]')).toBe('[[3,1]]');
  });

  test('after the mark of a last piece is an offer, and in place of a full piece it is an error', async () => {
    using raw = await worker.raw(next());
    raw.send(LAST);
    raw.send('[["bytes"]]');
    expect(await raw.next()).toBe('[["bytes"]]');
    raw.send(MORE);
    // The offer is shorter than a piece has to be.
    raw.send('[["bytes"]]');
    expect(await raw.next()).toMatch(/^\[\["error",.*BAD_MESSAGE/);
    // The object drops the rest of the rejected frame.
    raw.send(LAST);
    raw.send('[[1,"storeAndEcho",[1]]]');
    expect(await raw.ask('[2,"runs"]')).toBe('[[2,0]]');
  });

  test('while a large answer leaves as text does not change its pieces', async () => {
    using raw = await worker.raw(next());
    raw.sendMessages('[1,"make",[1000000]]');
    raw.sendMessages('["bytes"]');
    raw.sendMessages('[2,"make",[3000]]');
    const frames = [await raw.next(), await raw.next(), await raw.next()];
    const large = frames.find((frame) => frame.startsWith('[[1,"rich"'));
    expect(JSON.parse(large as string)).toHaveLength(1);
    expect(frames).toContain('[["bytes"]]');
    expect(frames).toContain(BINARY);
  });

  test('that comes 10 000 times is answered each time, and other clients do not notice', async () => {
    const instance = next();
    using raw = await worker.raw(instance);
    using bystander = await worker.raw(instance);
    for (let frame = 0; frame < 10; frame++) {
      raw.sendMessages(...Array.from({ length: 1_000 }, () => '["bytes"]'));
      expect(await bystander.ask(`[${frame + 1},"life"]`)).toContain(`[[${frame + 1},`);
    }
    let answers = 0;
    while (answers < 10_000) answers += (JSON.parse(await raw.next()) as unknown[]).length;
    raw.sendMessages(`[1,${MAKE}]`);
    expect(await raw.next()).toBe(BINARY);
  });
});
