/** Streams as arguments: invalid items, streams where none is allowed, and messages that no client sends. */
import { describe, expect, test } from 'vitest';
import { decodeAnswer } from '../../../src/wire/messages.ts';
import { stream } from '../../../src/features/argument-streams/client/stream.ts';
import type { RawConnection } from '../../support/raw-connection.ts';
import { Producer, upTo } from './producer.ts';
import { serve } from './serve.ts';

const worker = await serve();

describe('an item that does not fit its schema', () => {
  test.each([0, 37, 500])('at index %d: the loop throws, and the call rejects', async (index) => {
    using client = worker.connect('items');
    let isEnded = false;
    async function* numbers(): AsyncGenerator<number> {
      try {
        for (let number = 0; ; number++) yield number === index ? -1 : number;
      } finally {
        isEnded = true;
      }
    }
    const path = `[0][${index}]`;
    await expect(client.sum(stream(numbers()))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path,
      message: `sum: item ${path} must be >= 0, got -1`,
    });
    await expect.poll(() => isEnded).toBe(true);
  });

  test('does not take the valid items before it from the method', async () => {
    using client = worker.connect('before');
    const outcome = await client.outcomeOfNumbers(
      stream([1, 2, 'three'].values() as ArrayIterator<never>),
    );
    expect(outcome.items).toEqual([1, 2]);
    expect(outcome.error).toMatchObject({ code: 'INVALID_ARGUMENTS', path: '[0][2]' });
    // An array is a value, and gives the same outcome.
    expect(await client.outcomeOfNumbers([1, 2, 'three'] as never)).toEqual(outcome);
  });

  test('items count against the limits of values one by one', async () => {
    using client = worker.connect('limits', {}, 'STRICT');
    let deep: unknown = 0;
    for (let level = 0; level < 20; level++) deep = [deep];
    const outcome = await client.outcome(stream([upTo(50), upTo(200)].values()));
    expect(outcome.items).toHaveLength(1);
    expect(outcome.error).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect((await client.outcome(stream([deep].values()))).error).toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });
});

describe('an argument that is no stream is rejected', () => {
  test.each([5, 'text', null, undefined, {}, new Date(0), () => {}])('%s', async (value) => {
    using client = worker.connect('none');
    const call = client.all(value as never);
    await expect(call).rejects.toMatchObject({
      code: typeof value === 'function' ? 'UNSERIALIZABLE' : 'INVALID_ARGUMENTS',
      path: '[0]',
    });
  });
});

describe('a stream where none is allowed', () => {
  test('is rejected with its path, and ended', async () => {
    using client = worker.connect('stray');
    const producer = new Producer(5);
    await expect(client.any(stream(producer.numbers()))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0]',
      message: 'any: argument [0] is a stream: its schema has to be streamOf()',
    });
    expect(producer.given).toBeLessThanOrEqual(5);
    await expect(client.inside({ values: stream(producer.numbers()) })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0].values',
    });
  });

  test.each<[string, () => unknown, string]>([
    ['an async generator', () => new Producer(5).numbers(), 'AsyncGenerator'],
    ['an iterator', () => upTo(5).values(), 'Iterator'],
    ['a ReadableStream', () => new Response('x').body, 'ReadableStream'],
  ])(
    '%s without stream() is not sent, and the error says to write stream()',
    async (_, source, name) => {
      for (const transport of ['websocket', 'http'] as const) {
        using client = worker.connect('unmarked', { transport });
        await expect(client.sum(source() as never)).rejects.toMatchObject({
          code: 'UNSERIALIZABLE',
          path: '[0]',
          message: expect.stringMatching(
            `^\\w+: Cannot send an instance of ${name}.* at \\[0\\]: pass stream\\(iterable\\)$`,
          ),
        });
      }
    },
  );

  test('is ended if the other arguments of its call are rejected', async () => {
    using client = worker.connect('others');
    const producer = new Producer(1_000_000);
    const call = client.upload(5 as never, stream(producer.texts()));
    await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS', path: '[0]' });
    await expect.poll(() => producer.isEnded).toBe(true);
    expect(await client.one()).toBe(1);
  });

  test('is not sent over POST', async () => {
    using client = worker.connect('post', { transport: 'http' });
    const producer = new Producer(5);
    await expect(client.sum(stream(producer.numbers()))).rejects.toMatchObject({
      code: 'UNSERIALIZABLE',
      message: 'A stream needs a WebSocket',
    });
    expect(producer.given).toBe(0);
    // An array is a value, so POST carries it.
    expect(await client.sum([1, 2])).toBe(3);
  });
});

describe('a stream that is passed twice', () => {
  test('to one call is rejected', async () => {
    using client = worker.connect('twice');
    const texts = new Producer(5).texts();
    await expect(client.zip(stream(texts), stream(texts))).rejects.toMatchObject({
      code: 'UNSERIALIZABLE',
    });
  });

  test.each(['at once', 'later'])(
    'to two calls, %s, is rejected by the second call',
    async (when) => {
      using client = worker.connect('two calls');
      const numbers = new Producer(5).numbers();
      const first = client.sum(stream(numbers));
      if (when === 'later') await first;
      await expect(client.sum(stream(numbers))).rejects.toMatchObject({
        code: 'UNSERIALIZABLE',
        message: expect.stringContaining(
          'A stream can be passed only once: make a new one for this call',
        ),
      });
      expect(await first).toBe(15);
    },
  );

  test('is rejected if it is a ReadableStream', async () => {
    using client = worker.connect('locked');
    const body = new Response('text').body as ReadableStream<Uint8Array>;
    await client.bytes(stream(body));
    await expect(client.bytes(stream(body))).rejects.toMatchObject({ code: 'UNSERIALIZABLE' });
  });

  test('is accepted if it can be read again', async () => {
    using client = worker.connect('again');
    const numbers = { [Symbol.asyncIterator]: () => new Producer(5).numbers() };
    expect(await Promise.all([client.sum(stream(numbers)), client.sum(stream(numbers))])).toEqual([
      15, 15,
    ]);
  });

  test('is not the only mistake: a method that reads a stream twice gets an error', async () => {
    using client = worker.connect('read twice');
    const [first, second] = await client.readTwice(stream(new Producer(3).numbers()));
    expect(first).toEqual({ items: [1, 2, 3] });
    expect(second?.error).toMatchObject({
      name: 'TypeError',
      message: 'A stream can be read only once: to use its items again, collect them in an array',
    });
  });
});

test('the number of streams of a connection is limited', async () => {
  using client = worker.connect('many', {}, 'STRICT');
  const gates = upTo(3).map((number) => `g${number}`);
  const calls = gates.map((gate) => client.hold(gate, false, stream(new Producer(1).numbers())));
  await expect(calls[2]).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  for (const gate of gates.slice(0, 2)) await client.release(gate);
  expect(await Promise.all(calls.slice(0, 2))).toEqual([0, 0]);
  expect(await client.sum(stream(new Producer(3).numbers()))).toBe(6);
});

describe('messages that no client sends', () => {
  const CALL = '[1,"outcome","rich",[[[[1]]],["Stream",1]]]';

  /** Returns the code with which the object rejected the frame. */
  function refusedIn(frame: string): string | undefined {
    for (const [kind, thrown] of JSON.parse(frame) as [unknown, unknown][]) {
      if (kind !== 'error') continue;
      const { thrown: error } = decodeAnswer([1, 'error', thrown]) as { thrown: { code: string } };
      return error.code;
    }
    return undefined;
  }

  /** Returns the outcome of the call 1, and skips all other messages. */
  async function heard(
    raw: RawConnection,
  ): Promise<{ items: unknown[]; error?: { code: string } }> {
    for (;;) {
      const frame = JSON.parse(await raw.next()) as unknown[][];
      const [, outcome] = frame.find(([id]) => id === 1) ?? [];
      if (outcome) return outcome as never;
    }
  }

  test.each([
    ['an item of a stream whose number is a text', '["item","1",1,1]'],
    ['an item of the stream 0', '["item",0,1,1]'],
    ['an item of a stream whose number is a fraction', '["item",1.5,1,1]'],
    ['an item without anything', '["item"]'],
    ['an end without anything', '["end"]'],
    ['an end whose stream is null', '["end",null,1]'],
  ])('%s is rejected', async (_, message) => {
    using raw = await worker.raw(`malformed ${message}`);
    expect(refusedIn(await raw.ask(message))).toBe('BAD_MESSAGE');
    expect(await raw.ask('[2,"one"]')).toBe('[[2,1]]');
  });

  test.each([
    ['an item without a number', '["item",1]', 'BAD_MESSAGE'],
    ['an item whose number is a text', '["item",1,"1",5]', 'BAD_MESSAGE'],
    ['an item with an error', '["item",1,1,"error",[[]]]', 'BAD_MESSAGE'],
    ['an item with too many elements', '["item",1,1,"rich",[1],2]', 'BAD_MESSAGE'],
    ['an end with a negative number', '["end",1,-1]', 'BAD_MESSAGE'],
    ['an end with a part of an error', '["end",1,0,"error"]', 'BAD_MESSAGE'],
    ['an end with another form', '["end",1,0,"rich",[1]]', 'BAD_MESSAGE'],
    [
      'an end with an error that cannot be decoded',
      '["end",1,0,"error",[["Nonsense"]]]',
      'BAD_MESSAGE',
    ],
    ['an item after the end', '["item",1,1,1],["end",1,1],["item",1,2,2]', 'BAD_MESSAGE'],
    [
      'more items than the window has',
      upTo(65)
        .map((i) => `["item",1,${i},${i}]`)
        .join(),
      'LIMIT_EXCEEDED',
    ],
    ['an item that is too large', `["item",1,1,"${'x'.repeat(2 ** 20 + 1)}"]`, 'LIMIT_EXCEEDED'],
    [
      'items that are too large together',
      upTo(4)
        .map((i) => `["item",1,${i},"${'x'.repeat(400_000)}"]`)
        .join(),
      'LIMIT_EXCEEDED',
    ],
    [
      'an item that is nested too deeply',
      `["item",1,1,${'['.repeat(5_000)}${']'.repeat(5_000)}]`,
      'LIMIT_EXCEEDED',
    ],
  ])('%s: the frame is rejected, and no loop waits for ever', async (what, messages, code) => {
    using raw = await worker.raw(`hostile ${what}`);
    raw.send(`[${CALL},${messages}]`);
    let refused: string | undefined;
    let outcome: { items: unknown[]; error?: { code: string } } | undefined;
    while (!refused || !outcome) {
      // The test ends the stream if the loop still waits for items.
      const frame = await raw.next();
      refused ??= refusedIn(frame);
      const [, said] = (JSON.parse(frame) as unknown[][]).find(([id]) => id === 1) ?? [];
      outcome ??= said as never;
      if (refused && !outcome) raw.send('[["end",1]]');
    }
    expect(refused).toBe(code);
    expect([code, 'ABORTED']).toContain(outcome.error?.code);
    expect(await raw.ask('[2,"one"]')).toBe('[[2,1]]');
  });

  test('items of an unknown stream, or of a stream that has ended, do nothing', async () => {
    using raw = await worker.raw('unknown');
    raw.send(
      `[["item",7,1,1],["end",7,1],["end",7],${CALL},["item",1,1,"a"],["end",1,1],["end",1]]`,
    );
    expect(await heard(raw)).toEqual({ items: ['a'] });
    expect(await raw.ask('["item",1,2,1],[3,"one"]')).toBe('[[3,1]]');
  });

  test('items out of order: the missing item is lost, and the loop throws', async () => {
    using raw = await worker.raw('gap');
    raw.send(`[${CALL},["item",1,1,"a"],["item",1,1,"again"],["item",1,3,"c"],["end",1,3]]`);
    expect(await heard(raw)).toMatchObject({ error: { code: 'DISCONNECTED' } });
    using other = await worker.raw('gap at the end');
    other.send(`[${CALL},["item",1,1,"a"],["end",1,5]]`);
    expect(await heard(other)).toMatchObject({ error: { code: 'DISCONNECTED' } });
  });

  test.each([
    ['one reference at two places', '[[[[1],[-2]]],["Stream",1]]'],
    ['two references to one stream', '[[[[1],[2]]],["Stream",1],["Stream",1]]'],
  ])('%s are rejected', async (_, list) => {
    using raw = await worker.raw('two places');
    expect(await raw.ask(`[1,"zip","rich",${list}]`)).toContain(
      'zip: argument [1] is a stream that another argument has, too: pass each stream once',
    );
  });

  test('the stream of another call is rejected', async () => {
    using raw = await worker.raw('another call');
    raw.send(`[${CALL},[2,"outcome","rich",[[[[1]]],["Stream",1]]],["end",1,0]]`);
    const [[id, , list] = []] = JSON.parse(await raw.next()) as [number, string, unknown][];
    expect([id, JSON.stringify(list)]).toEqual([2, expect.stringContaining('BAD_MESSAGE')]);
    expect(await heard(raw)).toEqual({ items: [] });
  });

  test.each([
    '["Stream",0]',
    '["Stream","1"]',
    '["Stream",1,2]',
    '["Stream"]',
    '["Stream",{"a":1}]',
  ])('the reference %s is rejected', async (reference) => {
    using raw = await worker.raw('references');
    const answer = await raw.ask(`[1,"all","rich",[[[[1]]],${reference}]]`);
    expect(answer).toContain('BAD_MESSAGE');
  });

  test('a reference inside an argument, or in place of a function, is rejected', async () => {
    using raw = await worker.raw('inside');
    const inside = await raw.ask('[1,"inside","rich",[[[{"values":[1]}]],["Stream",1]]]');
    expect(inside).toContain(
      'inside: argument [0].values is a stream: its schema has to be streamOf()',
    );
    const inMap = await raw.ask('[2,"any","rich",[[[["Map","k",[1]]]],["Stream",1]]]');
    expect(inMap).toContain('any: argument [0] is a stream');
    const asFunction = await raw.ask('[3,"all","rich",[[[[1]]],["Function",1]]]');
    expect(asFunction).toContain('UNSUPPORTED');
    expect(asFunction).toContain('The contract does not use callbacks');
  });

  test('a POST cannot carry streams', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const post = async (body: string): Promise<string> =>
      (await fetch(worker.urlOf('posted'), { method: 'POST', headers, body })).text();
    expect(await post(`[${CALL}]`)).toContain('Streams as arguments need a WebSocket');
    expect(await post('[["item",1,1,1],[1,"one"]]')).toContain('[1,1]');
  });

  test('of 10 000 calls whose streams never end, as many run as there may be streams', async () => {
    using raw = await worker.raw('never end');
    using client = worker.connect('never end');
    const call = (id: number): string => `[${id},"outcome","rich",[[[[1]]],["Stream",${id}]]]`;
    for (let frame = 0; frame < 100; frame++) {
      raw.send(`[${upTo(100).map((n) => call(100 * frame + n))}]`);
    }
    const refused = new Set<number>();
    let isClosed = false;
    while (refused.size < 10_000 - 32 && !isClosed) {
      const frame = await raw.next();
      isClosed = frame.startsWith('closed');
      if (isClosed) break;
      for (const [id, form, thrown] of JSON.parse(frame) as [unknown, unknown, unknown][]) {
        if (form !== 'error' || typeof id !== 'number') continue;
        expect(JSON.stringify(thrown)).toContain('LIMIT_EXCEEDED');
        refused.add(id);
      }
    }
    // The running calls have the streams that came first.
    for (const id of upTo(32)) expect(refused.has(id)).toBe(false);
    expect(await client.one()).toBe(1);
    expect(await client.sum(stream(new Producer(3).numbers()))).toBe(6);
    for (const id of upTo(32)) raw.send(`[["end",${id},0]]`);
    expect(await raw.ask('[20001,"one"]')).toBeDefined();
  });

  test('10 000 items and ends of unknown streams, or of another client’s streams, do nothing', async () => {
    using raw = await worker.raw('not there');
    using other = await worker.raw('not there');
    raw.send(`[${CALL},["item",1,1,"a"]]`);
    for (let frame = 0; frame < 10; frame++) {
      other.send(`[${upTo(1_000).map((n) => `["item",${n},${n},"b"],["end",${n},${n}]`)}]`);
    }
    expect(await other.ask('[20001,"one"]')).toBe('[[20001,1]]');
    raw.send('[["end",1,1]]');
    expect(await heard(raw)).toEqual({ items: ['a'] });
  });

  test('of a million items to a method that never reads, 64 are held', async () => {
    using raw = await worker.raw('flood');
    raw.send('[[1,"hold","rich",[[["held",true,[1]]],["Stream",1]]]]');
    let refused = 0;
    for (let frame = 0; frame < 200; frame++) {
      raw.send(
        `[${upTo(5_000)
          .map((i) => `["item",1,${i + frame * 5_000},1]`)
          .join()}]`,
      );
    }
    // A rejected message ends its frame. After a thousand such frames, the connection ends.
    raw.send('[[2,"one"]]');
    for (;;) {
      const frame = await raw.next();
      if (refusedIn(frame)) refused++;
      if (frame.includes('[2,1]')) break;
    }
    expect(refused).toBeLessThanOrEqual(200);
    expect(await raw.ask('[3,"release",["held"]]')).toContain('[3,true]');
    const [[, , list] = []] = JSON.parse(await raw.next()) as unknown[][];
    expect(JSON.stringify(list)).toContain('LIMIT_EXCEEDED');
  });
});
