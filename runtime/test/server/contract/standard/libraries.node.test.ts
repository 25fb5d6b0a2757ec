/**
 * Tests schemas of other libraries in a real runtime with the settings of the template, through
 * clients and through plain sockets.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { callback, capabilities, stream, tokenOf } from '../../../../src/client.ts';
import { subscribe } from '../../../../src/features/subscriptions/client/subscribe.ts';
import { failureOf } from '../../../support/failure-of.ts';
import { take } from '../../../support/take.ts';
import type { TestWorker } from '../../../support/test-worker.ts';
import { NAMES } from './libraries.ts';
import { type Binding, BINDING_OF, type Client, serve } from './serve.ts';
import type { Shop } from './worker.ts';

let worker: TestWorker<Shop, Binding>;
beforeAll(async () => void (worker = await serve()));

const DAY = '2026-01-02';
const SEEN = `Date ${DAY}`;

describe.each(NAMES)('%s', (name) => {
  const binding = BINDING_OF[name];
  const connect = (instance: string): Client => worker.connect(instance, { capabilities }, binding);

  test('arguments', async () => {
    using client = connect('arguments');
    expect(await client.buy({ sku: 'a' })).toEqual({ sku: 'a', amount: 1 });
    expect(await client.either(5)).toBe('number 5');
    expect(await client.on(DAY)).toBe(SEEN);
    expect(await client.pay(5)).toBe('Money 5');
    expect(await client.halve(4)).toBe(2);
    expect(await client.depth({ value: 1, children: [{ value: 2, children: [] }] })).toBe(2);
    expect(await client.sum({ a: 1, b: 2 })).toBe(3);
    expect(await client.last('a')).toBe('a undefined undefined number 10');
    expect(await client.last('a', 'b', 5)).toBe('a string b number 5');
    expect(await client.mixed(1, DAY)).toBe(`1 ${SEEN} undefined undefined`);
    expect(await client.total(Array.from({ length: 90_000 }, (_, index) => index))).toBe(90_000);
    expect(await client.matches(/^s/)).toBe(true);
    // The argument is the result of a call without an answer yet.
    expect(await client.either(client.on(DAY))).toBe(`string ${SEEN}`);
  });

  test('an invalid argument leaves other calls alone', async () => {
    using client = connect('invalid');
    const calls = [client.halve(2), failureOf(client.halve(3)), client.halve(4)] as const;
    const [first, failure, last] = await Promise.all(calls);
    expect([first, last]).toEqual([1, 2]);
    expect(failure).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0]',
      message: expect.stringContaining('halve: argument [0] is not valid: must be even') as unknown,
    });
    expect(await failureOf(client.buy({ sku: 1 as never }))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0].sku',
    });
    expect(await failureOf(client.mixed(1, 5 as never))).toMatchObject({ path: '[1]' });
    expect(await failureOf(client.mixed(1.5, DAY))).toMatchObject({ path: '[0]' });
    expect(await failureOf(client.sum({ a: 'b' as never }))).toMatchObject({ path: '[0].a' });
    for (const call of [client.throwing('a'), client.asynchronous('a'), client.throwing('b')]) {
      expect(await failureOf(call)).toMatchObject({
        code: 'INVALID_ARGUMENTS',
        path: '[0]',
        message: expect.stringContaining('could not be checked by its schema') as unknown,
      });
    }
    expect(await client.halve(6)).toBe(3);
  });

  test('items of a stream', async () => {
    using client = connect('items');
    expect(await client.upload([DAY, DAY])).toEqual([SEEN, SEEN]);
    async function* days() {
      yield DAY;
      yield 5 as never;
    }
    expect(await failureOf(client.upload(stream(days())))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0][1]',
    });
  });

  test('the result of a callback', async () => {
    using client = connect('callbacks');
    const asked: string[] = [];
    const answer = callback((text: string) => (asked.push(text), DAY));
    expect(await client.ask(answer)).toBe(SEEN);
    expect(await client.askLater({ ask: answer })).toBe(SEEN);
    expect(asked).toEqual(['when', 'when']);
    expect(await failureOf(client.ask(callback(() => 5 as never)))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0]()',
    });
    // No schema of another library accepts a function.
    expect(await failureOf(client.either(callback(() => 5) as never))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0]',
    });
  });

  test('capabilities, and their addresses', async () => {
    using client = connect('capabilities');
    const owner = `ann ${name}`;
    const pen = client.pen(owner);
    expect(await pen.write(DAY)).toBe(`${owner} ${SEEN}`);
    expect(await failureOf(pen.write(5 as never))).toMatchObject({ path: '[0]' });
    const token = tokenOf(await pen);
    expect(token).toContain(owner);
  });

  test('the call of a live value is validated for each value', async () => {
    using client = connect('live');
    using other = connect('live');
    const values = subscribe(client).counted(DAY)[Symbol.asyncIterator]();
    expect((await values.next()).value).toBe(`${SEEN} number 10 0`);
    await other.count(2);
    expect((await values.next()).value).toBe(`${SEEN} number 10 2`);
    const more = subscribe(other).counted(DAY, 5)[Symbol.asyncIterator]();
    expect((await more.next()).value).toBe(`${SEEN} number 5 2`);
    await other.count(2);
    expect((await values.next()).value).toBe(`${SEEN} number 10 4`);
    expect((await more.next()).value).toBe(`${SEEN} number 5 4`);
    await values.return?.();
    await more.return?.();
    const wrong = take(subscribe(client).counted(5 as never), 1);
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS', path: '[0]' });
  });

  test('events, streams and rows', async () => {
    using client = connect('subscriptions');
    const news = subscribe(client).news(DAY)[Symbol.asyncIterator]();
    const first = news.next();
    await client.tell(DAY, 'one');
    await client.tell('2027-01-01', 'other');
    await client.tell(DAY, 'two');
    expect((await first).value).toBe('one');
    expect((await news.next()).value).toBe('two');
    // A method that the class itself calls has its arguments validated, too.
    await client.tellAgain(DAY);
    expect((await news.next()).value).toBe(DAY);
    await news.return?.();
    expect(await take(subscribe(client).days(DAY, 3), 3)).toEqual(
      [0, 1, 2].map((n) => `${SEEN} ${n}`),
    );
    // The schema of the last key has a default. Later pages begin at the last row.
    const seats = await take(subscribe(client).seats(DAY), 1_000);
    expect(seats.map(({ place }) => place)).toEqual(
      Array.from({ length: 690 }, (_, index) => index + 11),
    );
    expect(new Set(seats.map(({ seen }) => seen))).toEqual(new Set([SEEN]));
  });

  test('a call by native RPC passes the same arguments as a client', async () => {
    const response = await fetch(`${worker.runtime.url}/native?binding=${binding}`);
    expect(await response.json()).toEqual([
      SEEN,
      'a undefined undefined number 10',
      { sku: 'a', amount: 1 },
      expect.stringContaining('on: argument [0] is not valid'),
    ]);
  });

  test('hostile frames', async () => {
    using raw = await worker.raw('hostile', { binding });
    const failures = async (...messages: string[]): Promise<unknown[]> => {
      const answers = await raw.exchange(...messages);
      return answers.map((answer) => /[A-Z]+_[A-Z]+/.exec(JSON.stringify(answer))?.[0] ?? answer);
    };
    expect(await failures('[1,"buy",[{"sku":"a","__proto__":{"amount":5}}]]')).toEqual([
      'BAD_MESSAGE',
    ]);
    const deep = '{"value":1,"children":['.repeat(80) + ']}'.repeat(80);
    expect(await failures(`[1001,"depth",[${deep}]]`)).toEqual(['LIMIT_EXCEEDED']);
    expect(await failures('[2001,"buy",[]]', '[2002,"buy",[1,2]]')).toEqual([
      'INVALID_ARGUMENTS',
      'INVALID_ARGUMENTS',
    ]);
    // The pattern is not a valid regular expression. One schema expects a text, and another a
    // regular expression.
    expect(
      await failures(
        '[3001,"on","rich",[[[["RegExp","(",""]]]]]',
        '[3002,"matches","rich",[[[["RegExp","(",""]]]]]',
      ),
    ).toEqual(['INVALID_ARGUMENTS', 'BAD_MESSAGE']);
    // A hole counts as undefined.
    expect(await failures('[4001,"total","rich",[[[["Sparse",{"0":1},3]]]]]')).toEqual([
      'INVALID_ARGUMENTS',
    ]);
    const members = JSON.stringify(Array.from({ length: 500 }, (_, index) => String(index)));
    const set = `[["Set",${members.slice(1, -1)}]]`;
    expect(
      await failures(`[5001,"members","rich",[[${set}]]]`, `[5002,"on","rich",[[${set}]]]`),
    ).toEqual([[5001, 'true 500 true 500'], 'INVALID_ARGUMENTS']);
  });

  test('calls and subscriptions go on after a restart of the object', async () => {
    using client = connect('stopped');
    const values = subscribe(client).counted(DAY)[Symbol.asyncIterator]();
    expect((await values.next()).value).toBe(`${SEEN} number 10 0`);
    const before = await client.count(2);
    await worker.restart();
    expect(await client.count(2)).toBe(before + 2);
    let value: string | undefined;
    do value = (await values.next()).value as string;
    while (value !== `${SEEN} number 10 4`);
  });
});

test('a deployed Worker sends a result that the output schema refuses', async () => {
  using client = worker.connect('output', {}, 'ZOD');
  expect(await client.wrong()).toBe(5);
});

describe.each(['2024-09-26', '2025-06-01'])('at the compatibility date %s', (compatibilityDate) => {
  let older: TestWorker<Shop, Binding>;
  beforeAll(async () => void (older = await serve({ compatibilityDate })));

  test.each(NAMES)('%s validates, with and without code generation at startup', async (name) => {
    using client = older.connect('older', {}, BINDING_OF[name]);
    expect(await client.buy({ sku: 'a' })).toEqual({ sku: 'a', amount: 1 });
    expect(await client.on(DAY)).toBe(SEEN);
    expect(await client.depth({ value: 1, children: [{ value: 2, children: [] }] })).toBe(2);
    expect(await failureOf(client.sum({ a: 'b' as never }))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[0].a',
    });
    expect(await failureOf(client.buy({ sku: 1 as never }))).toMatchObject({ path: '[0].sku' });
  });
});
