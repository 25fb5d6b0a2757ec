/** The text of messages about subscriptions, and a client that gets damaged messages. */
import { describe, expect, test } from 'vitest';
import { Reader } from '../../../src/features/subscriptions/client/reader.ts';
import { RpcError } from '../../../src/wire/errors.ts';
import { decodeFrame, encodeArgs, encodeTail } from '../../../src/wire/messages.ts';
import {
  decodeCursor,
  encodeComplete,
  encodeCursor,
  encodeSubscribe,
  encodeSubscribed,
  WINDOW,
} from '../../../src/features/subscriptions/wire.ts';
import { tries } from '../../support/effort.ts';
import { type Json, Mutator } from '../../support/mutator.ts';
import { cases } from '../../wire/cases.ts';

describe('a cursor', () => {
  test.each([
    [{ event: 0, epoch: '' }, '0.'],
    [{ event: 40, epoch: 'k3x9qz' }, '40.k3x9qz'],
    [{ event: 999_999_999_999_999, epoch: '0' }, '999999999999999.0'],
  ])('%j is %s', (position, text) => {
    expect(encodeCursor(position)).toBe(text);
    expect(decodeCursor(text)).toEqual(position);
  });

  test.each([
    '',
    '.',
    '1',
    '.a',
    '-1.a',
    '1.5.a',
    '1e3.a',
    ' 1.a',
    '1.a ',
    '1.a\n',
    '\n1.a',
    '1.é',
    '1000000000000000.a',
    `1.${'a'.repeat(21)}`,
    '1.a.b',
    '__proto__',
  ])('%j is not a cursor', (text) => {
    expect(decodeCursor(text)).toBeUndefined();
  });
});

describe('the text of', () => {
  test.each([
    [undefined, [], '["subscribe",1,null,"messages"]'],
    ['40.k3x9qz', [], '["subscribe",1,"40.k3x9qz","messages"]'],
    ['a"b', ['ann'], '["subscribe",1,"a\\"b","messages",["ann"]]'],
    [undefined, [new Date(0)], '["subscribe",1,null,"messages","rich",[[[["Date",0]]]]]'],
  ])('a subscription after %j with %j', (cursor, args, text) => {
    expect(encodeSubscribe(1, cursor, `"messages"${encodeArgs(args)}`)).toBe(text);
  });

  test.each([
    [WINDOW, undefined, '["subscribed",7,"40.a"]'],
    [4, undefined, '["subscribed",7,"40.a",4]'],
    [WINDOW, { seats: [] }, '["subscribed",7,"40.a",64,{"seats":[]}]'],
    [4, new Set([1]), '["subscribed",7,"40.a",4,"rich",[["Set",1]]]'],
  ])('the start of a subscription, %j ahead, with %j', (window, snapshot, text) => {
    expect(encodeSubscribed(7, { event: 40, epoch: 'a' }, window, encodeTail(snapshot))).toBe(text);
  });

  test('the end of a subscription', () => {
    expect(encodeComplete(7)).toBe('["complete",7]');
    expect(encodeComplete(7, { thrown: new RangeError('no'), details: false })).toBe(
      '["complete",7,"error",[["Error","RangeError","RangeError","no",[],{}]]]',
    );
  });
});

describe('a client that gets damaged messages ends its loop or goes on,', () => {
  const COUNT = tries(10_000);

  /** Frames as the tests have them, with each kind of value that is small. */
  const frames = cases
    .map(({ value }) => encodeTail(value()))
    .filter((rest) => rest.length < 1_000)
    .map(
      (rest, index) =>
        `[["subscribed",1,"${index}.a",8${rest}],["next",1,${index + 1}${rest}],["value",1${rest}],` +
        `${encodeComplete(1, index % 2 ? { thrown: new RpcError('CURSOR_EXPIRED', ''), details: true } : undefined)}]`,
    );
  const parsed = frames.map((text): Json => JSON.parse(text));

  test.each<[string, (mutator: Mutator) => string]>([
    ['with other characters', (mutator) => mutator.damageText(mutator.pick(frames))],
    ['with other tokens', (mutator) => mutator.damageTokens(mutator.pick(frames))],
    ['with other parts', (mutator) => mutator.damageTree(mutator.pick(parsed), parsed)],
  ])('%s', async (_, damage) => {
    const mutator = new Mutator(20_261_122);
    let heard = 0;
    for (let round = 0; round < COUNT; round++) {
      const told: string[] = [];
      const owner = {
        add: () => 1,
        begin: (message: string) => told.push(message) > 0,
        tell: (message: string) => told.push(message) > 0,
        resolve: undefined,
        leave: () => {},
      };
      const reader = new Reader(
        owner,
        () => '"messages"',
        undefined,
        () => {},
      );
      reader.begin();
      const text = damage(mutator);
      let messages: unknown[][] = [];
      try {
        messages = decodeFrame(text);
      } catch {
        continue;
      }
      heard++;
      for (const message of messages) reader.receive(message);
      // Each request is well formed. The object judges its cursor.
      for (const message of told) expect(JSON.parse(message), text).toHaveLength(4);
    }
    expect(heard).toBeGreaterThan(COUNT / 10);
  });
});
