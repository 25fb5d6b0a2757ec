/** Clients answer calls of callbacks wrongly, twice, late, never, or for other clients. */
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import type { RawConnection } from '../../support/raw-connection.ts';
import { type Binding, serve } from './serve.ts';
import { callback } from '../../../src/features/callbacks/client/callback.ts';

const worker = await serve();

/** A call of a callback that has arrived at the client. */
interface Called {
  k: number;
  f: number;
  args: unknown;
}

/** Reads frames until `count` calls of callbacks have arrived. */
async function called(raw: RawConnection, count = 1): Promise<Called[]> {
  const calls: Called[] = [];
  while (calls.length < count) {
    for (const [kind, k, f, args] of JSON.parse(await raw.next()) as unknown[][]) {
      if (kind === 'call') calls.push({ k: k as number, f: f as number, args });
    }
  }
  return calls;
}

const withFunction = (id: number, method: string, args: string, f = '1'): string =>
  `[${id},"${method}","rich",[[[${args}[1]]],["Function",${f}]]]`;

/** Makes a method call its callback `count` times, and returns these calls. */
async function asked(instance: string, count: number, binding: Binding = 'DEFAULT') {
  const raw = await worker.raw(instance, { binding });
  raw.sendMessages(withFunction(1, 'outcomes', `${count},`));
  return { raw, calls: await called(raw, count) };
}

/** Returns what the method reports of its calls. */
async function outcomes(raw: RawConnection): Promise<Record<string, unknown>[]> {
  const [[, result] = []] = JSON.parse(await raw.next()) as [unknown, Record<string, unknown>[]][];
  return result as Record<string, unknown>[];
}

test('a call of a callback and its answer are sent as the protocol describes', async () => {
  using raw = await worker.raw('frames');
  raw.sendMessages(withFunction(4, 'load', '1,'));
  const frame = await raw.next();
  const [, k] = /^\[\["call",(\d+),1,\[1\]\],\[4,1\]\]$/.exec(frame) ?? [];
  expect(Number(k)).toBeGreaterThan(0);
  expect(await raw.ask(`["return",${k}],[5,"one"]`)).toBe('[[5,1]]');
});

describe('answers', () => {
  test.each([
    ['true', { result: true }],
    ['false', { result: false }],
    ['"rich",[true]', { result: true }],
    ['1', { code: 'INVALID_ARGUMENTS' }],
    ['null', { code: 'INVALID_ARGUMENTS' }],
    ['[true]', { code: 'INVALID_ARGUMENTS' }],
    ['{"then":1}', { code: 'INVALID_ARGUMENTS' }],
    ['"rich",[[]]', { code: 'INVALID_ARGUMENTS' }],
    ['"rich",[["Map"]]', { code: 'INVALID_ARGUMENTS' }],
    ['"error",[["Error","RangeError","RangeError","no",[],{}]]', { name: 'RangeError' }],
    ['"error",["text"]', { message: 'threw text' }],
    ['"error",[[]]', { name: 'Error' }],
  ])('%s', async (answer, expected) => {
    const { raw, calls } = await asked('answers', 1);
    raw.send(`[["return",${calls[0]?.k},${answer}]]`);
    expect(await outcomes(raw)).toEqual([expect.objectContaining(expected)]);
    raw.close();
  });

  test('an answer without a value is undefined', async () => {
    const { raw, calls } = await asked('none', 1);
    raw.send(`[["return",${calls[0]?.k}]]`);
    expect(await outcomes(raw)).toMatchObject([{ code: 'INVALID_ARGUMENTS' }]);
    raw.close();
  });

  test('an answer beyond the limits of values rejects', async () => {
    const { raw, calls } = await asked('large', 2, 'STRICT');
    const deep = '['.repeat(12) + ']'.repeat(12);
    const wide = JSON.stringify(Array.from({ length: 200 }, () => 1));
    raw.send(`[["return",${calls[0]?.k},${deep}],["return",${calls[1]?.k},${wide}]]`);
    expect(await outcomes(raw)).toMatchObject([
      { code: 'LIMIT_EXCEEDED', message: 'valueDepth is at most 10' },
      { code: 'LIMIT_EXCEEDED', message: 'valueCount is at most 100' },
    ]);
    raw.close();
  });

  test('the first answer to a call counts, and an answer without a call is ignored', async () => {
    const { raw, calls } = await asked('twice', 2);
    const [first, second] = calls.map(({ k }) => k);
    const others = [1, Number(first) - 1, Number(second) + 1, Number.MAX_SAFE_INTEGER];
    for (const k of others) raw.send(`[["return",${k},true]]`);
    raw.send(
      `[["return",${first},true],["return",${first},false],["return",${first},"error",[1]]]`,
    );
    raw.send(`[["return",${second},false],["return",${second},true]]`);
    expect(await outcomes(raw)).toEqual([{ result: true }, { result: false }]);
    raw.send(`[["return",${first},5]]`);
    expect(await raw.ask('[2,"one"]')).toBe('[[2,1]]');
    raw.close();
  });

  test('an answer of another connection is ignored, even if both have the same caller', async () => {
    const { raw, calls } = await asked('others', 1);
    using other = await worker.raw('others');
    expect(await other.ask(`["return",${calls[0]?.k},true],[1,"one"]`)).toBe('[[1,1]]');
    raw.send(`[["return",${calls[0]?.k},false]]`);
    expect(await outcomes(raw)).toEqual([{ result: false }]);
    raw.close();
  });

  test.each([
    '["return"]',
    '["return",0,true]',
    '["return",-1,true]',
    '["return",1.5,true]',
    '["return","1",true]',
    '["return",null,true]',
    '["return",1,"odd",2]',
    '["return",1,2,3,4]',
    '["return",1,"again",2]',
  ])('a malformed answer, %s, is rejected', async (message) => {
    using raw = await worker.raw('malformed');
    expect(await raw.ask(`${message},[1,"one"]`)).toMatch(/^\[\["error",.*"BAD_MESSAGE"/);
    expect(await raw.ask('[2,"one"]')).toBe('[[2,1]]');
  });

  test.each([
    '"rich",5',
    '"rich",[[7]]',
    '"rich",[[1],["Function",1]]',
    '"rich",[[1],["Call",1]]',
    '"rich",[[1],["Capability","Desk","x","y"]]',
    '"error",[["Odd"]]',
    '{"__proto__":true}',
  ])(
    'an answer with a malformed value, %s, is rejected, and rejects the promise',
    async (value) => {
      const { raw, calls } = await asked('malformed value', 1);
      raw.send(`[["return",${calls[0]?.k},${value}]]`);
      const answer = `${await raw.next()}${await raw.next()}`;
      expect(answer).toMatch(/\["error",.*"BAD_MESSAGE"/);
      expect(answer).toContain('"code":"BAD_MESSAGE"');
      raw.close();
    },
  );
});

describe('references to functions', () => {
  test.each(['0', '-1', '1.5', '"1"', 'null', '1,2', '[1]', '9007199254740992'])(
    'to %s are rejected',
    async (f) => {
      using raw = await worker.raw('references');
      const answer = await raw.ask(withFunction(1, 'ask', '"?",', f));
      expect(answer).toMatch(/^\[\[1,"error",.*"BAD_MESSAGE"/);
    },
  );

  test('without a number are rejected', async () => {
    using raw = await worker.raw('references');
    const answer = await raw.ask('[1,"ask","rich",[[["?",[1]]],["Function"]]]');
    expect(answer).toMatch(/^\[\[1,"error",.*"BAD_MESSAGE"/);
  });

  test('mean a function of the same client, and never of another', async () => {
    using client = worker.connect('another');
    let asks = 0;
    const held = client.hold(
      'gate',
      callback(() => ++asks > 0),
    );
    await until(() => client.isHolding('gate'));
    using raw = await worker.raw('another');
    raw.sendMessages(withFunction(1, 'ask', '"?",'));
    const [call] = await called(raw);
    raw.send(`[["return",${call?.k},true]]`);
    await raw.next();
    await client.release('gate', true);
    await held;
    expect(asks).toBe(0);
  });

  test('are rejected in a POST and in a subscription', async () => {
    const response = await fetch(worker.urlOf('post'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `[${withFunction(1, 'ask', '"?",')}]`,
    });
    const answer = await response.text();
    expect(answer).toMatch(/^\[\[1,"error",.*"BAD_MESSAGE"/);
    expect(answer).toContain('Functions as arguments need a WebSocket');
    using raw = await worker.raw('post');
    const subscribe = '["subscribe",1,null,"eventsOf","rich",[[[[1]]],["Function",1]]]';
    expect(await raw.ask(subscribe)).toMatch(/^\[\["complete",1,"error",.*"BAD_MESSAGE"/);
  });
});

describe('an answer that comes too late, or never', () => {
  const timeout = {
    code: 'TIMEOUT',
    name: 'RpcError',
    message: 'outcomes: the callback [1] timed out after 5000 ms',
    maybeExecuted: true,
  };

  test.concurrent('rejects its promise, is ignored when it comes, and leaves later calls alone', async () => {
    const { raw, calls } = await asked('late', 2, 'STRICT');
    expect(await outcomes(raw)).toEqual([timeout, timeout]);
    for (const { k } of calls) raw.send(`[["return",${k},true]]`);
    raw.sendMessages(withFunction(2, 'outcomes', '1,'));
    const [call] = await called(raw);
    raw.send(`[["return",${call?.k},true]]`);
    expect(await outcomes(raw)).toEqual([{ result: true }]);
    raw.close();
  });

  test.concurrent('of one call leaves other calls alone, and each has its own time limit', async () => {
    const { raw, calls } = await asked('own time', 3, 'STRICT');
    raw.send(`[["return",${calls[1]?.k},true]]`);
    expect(await outcomes(raw)).toEqual([timeout, { result: true }, timeout]);
    raw.close();
  });

  test('of 1 001 calls of one connection, the last rejects, and other connections are not affected', async () => {
    using raw = await worker.raw('many');
    raw.sendMessages(withFunction(1, 'begin', '"many",1001,'));
    const calls = await called(raw, 1_000);
    using client = worker.connect('many');
    const exceeded = {
      code: 'LIMIT_EXCEEDED',
      message: 'callbacks is at most 1000',
    };
    expect(await client.heard('many1000')).toMatchObject(exceeded);
    expect(
      await client.ask(
        'another connection',
        callback(() => true),
      ),
    ).toBe(true);
    expect(await client.heard('many0')).toBeUndefined();
    // Each answer makes room for another call.
    raw.send(`[["return",${calls[0]?.k},true]]`);
    raw.sendMessages(withFunction(2, 'begin', '"more",2,'));
    await called(raw, 1);
    expect(await client.heard('more1')).toMatchObject(exceeded);
    expect(await client.heard('many0')).toEqual({ result: true });
  });

  test('a client that does not read gets no more calls than the limit allows', async () => {
    using raw = await worker.raw('deaf');
    for (let id = 1; id <= 20; id++)
      raw.sendMessages(withFunction(id, 'begin', `"deaf${id}:",500,`));
    using client = worker.connect('deaf');
    const first = async (name: string): Promise<string | undefined> =>
      (await client.heard(name))?.code;
    await until(async () => (await first('deaf20:499')) === 'LIMIT_EXCEEDED');
    expect(await first('deaf3:0')).toBe('LIMIT_EXCEEDED');
    expect(await first('deaf2:499')).toBeUndefined();
    expect(await called(raw, 1_000)).toHaveLength(1_000);
  });
});

describe('10 000 at once', () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1);

  /** Sends the messages in frames of 1 000. */
  function flood(raw: RawConnection, messages: string[]): void {
    for (let start = 0; start < messages.length; start += 1_000)
      raw.sendMessages(...messages.slice(start, start + 1_000));
  }

  test.each([
    ['answers to calls that were never made', (k: number) => `["return",${k},true]`],
    ['errors for calls that were never made', (k: number) => `["return",${k},"error",[1]]`],
    ['answers with values that nobody decodes', (k: number) => `["return",${k},"rich",[[7]]]`],
  ])('%s do nothing', async (what, message) => {
    const { raw, calls } = await asked(what, 1);
    using client = worker.connect(what);
    flood(raw, numbers.map(message));
    expect(await client.one()).toBe(1);
    raw.sendMessages(`["return",${calls[0]?.k},true]`);
    expect(await outcomes(raw)).toEqual([{ result: true }]);
    raw.close();
  });

  test('of many answers to one call, the first counts', async () => {
    const { raw, calls } = await asked('one call', 2);
    const [first, second] = calls.map(({ k }) => k);
    flood(
      raw,
      numbers.map((n) => `["return",${first},${n === 1}]`),
    );
    raw.sendMessages(`["return",${second},true]`);
    expect(await outcomes(raw)).toEqual([{ result: true }, { result: true }]);
    raw.close();
  });

  test('answers that another connection guesses do nothing', async () => {
    const { raw, calls } = await asked('guesses', 3);
    using other = await worker.raw('guesses');
    const [first] = calls.map(({ k }) => k) as [number];
    flood(
      other,
      numbers.map((n) => `["return",${first - 5_000 + n},true]`),
    );
    expect(await other.ask('[1,"one"]')).toBe('[[1,1]]');
    for (const { k } of calls) raw.sendMessages(`["return",${k},false]`);
    expect(await outcomes(raw)).toEqual(calls.map(() => ({ result: false })));
    raw.close();
  });

  test('messages that only the object sends are rejected, and count as rejections', async () => {
    using raw = await worker.raw('kinds');
    using client = worker.connect('kinds');
    for (const message of ['["call",1,1,[]]', '["keep",1,"a"]', '["drop",1,"a"]', '["stop",1]']) {
      expect(await raw.ask(`${message},[1,"one"]`)).toMatch(/^\[\["error",.*"BAD_MESSAGE"/);
    }
    for (const n of numbers) raw.sendMessages(`["keep",${n},"a"]`);
    let last = '';
    while (!last.startsWith('closed')) last = await raw.next();
    expect(last).toMatch(/^closed 4429/);
    expect(await client.one()).toBe(1);
  });
});

test('other clients do not notice a client that gets large calls, and neither answers nor acknowledges', async () => {
  const protocols = ['lumenize-rpc.1', 'lumenize-rpc-client.deaf'];
  const socket = new WebSocket(worker.urlOf('much').replace(/^http/, 'ws'), protocols);
  await until(() => socket.readyState === WebSocket.OPEN);
  using client = worker.connect('much');
  // The object holds the arguments and the calls to send, which would be 80 MB together.
  const text = 'x'.repeat(200_000);
  for (let id = 1; id <= 200; id++) {
    socket.send(`[[${id},"repeat","rich",[[[["${text}"],[1]]],["Function",1]]]]`);
    expect(await client.one()).toBe(1);
  }
  expect(
    await client.ask(
      '?',
      callback(() => true),
    ),
  ).toBe(true);
  socket.close();
});
