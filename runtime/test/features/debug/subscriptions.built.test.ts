/** Debug output of subscriptions at each end, and subscriptions that work as they do without it. */
import { evictDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { debug } from '../../../src/features/debug/client/debug.ts';
import { FrameLog } from '../../../src/features/debug/wire/frame-log.ts';
import { RpcError } from '../../../src/wire/errors.ts';
import { encodeRejection, encodeTail } from '../../../src/wire/messages.ts';
import { encodeComplete, encodeSubscribed } from '../../../src/features/subscriptions/wire.ts';
import { connect } from '../../../src/testing/connect.ts';
import type { ShownBroadcaster, TestEnv } from '../../worker.ts';
import { consoleLines } from './console-lines.ts';

const BINDING = 'SHOWN_BROADCASTER';

const lines = consoleLines();

/** Returns the lines of one end on subscriptions, without the parts that differ from run to run. */
function newsOf(end: 'client' | 'object', instance: string): string[] {
  const before = { client: `${BINDING}/${instance} client `, object: `Broadcaster/${instance} ` };
  return lines
    .filter((line) => line.startsWith(before[end]))
    .map((line) => line.slice(before[end].length).replace(/^[0-9a-f]{8} /, ''))
    .filter((line) => /^(#s|refused)/.test(line));
}

test('both ends show the subscriptions and their values', async () => {
  using client = connect<ShownBroadcaster>(BINDING, 'shown', { debug });
  const letters = subscribe(client).inbox('ann')[Symbol.asyncIterator]();
  const letter = letters.next();
  const topics = subscribe(client).failing()[Symbol.asyncIterator]();
  await topics.next();
  const seats = subscribe(client).seats()[Symbol.asyncIterator]();
  await seats.next();
  await client.write('ann', 'hi');
  await letter;
  await client.setTopic('tea');
  await topics.next();
  await client.setTopic('fail');
  await expect(topics.next()).rejects.toThrow('no topic');
  const expected = [
    '#s1 inbox("ann") subscribed after 0.',
    '#s2 failing() subscribed',
    '#s2 failing() = ""',
    '#s3 seats() subscribed after 0. = {type: "all", seats: []}',
    '#s1 inbox("ann") event 1 = "hi"',
    '#s2 failing() = "tea"',
    '#s2 failing() threw RangeError: no topic',
  ];
  expect(newsOf('client', 'shown')).toEqual(expected);
  expect(newsOf('object', 'shown')).toEqual(expected);
  await letters.return?.(undefined);
  await seats.return?.(undefined);
});

test('an object that slept does not know the name of an older subscription, and shows only its number', async () => {
  using client = connect<ShownBroadcaster>(BINDING, 'slept', { debug });
  const letters = subscribe(client).inbox('ann')[Symbol.asyncIterator]();
  const letter = letters.next();
  await client.notLive();
  await evictDurableObject((bindings as TestEnv).SHOWN_BROADCASTER.getByName('slept'));
  await client.write('ann', 'hi');
  expect(await letter).toEqual({ done: false, value: 'hi' });
  expect(newsOf('client', 'slept').at(-1)).toBe('#s1 inbox("ann") event 1 = "hi"');
  expect(newsOf('object', 'slept').at(-1)).toBe('#s1 an earlier subscription event 1 = "hi"');
});

const END = { event: 3, epoch: 'a' };

test.each([
  ['["next",1,41,{"from":"ann"}]', '#s1 messages() event 41 = {from: "ann"}'],
  ['["next",1,41]', '#s1 messages() event 41 = undefined'],
  ['["next",1,41,"rich",[["Date",0]]]', /^#s1 messages\(\) event 41 = Date\(.*\)$/],
  ['["next",1,41,"odd",1]', /^#s1 messages\(\) event 41 unreadable: RpcError BAD_MESSAGE: /],
  ['["next",2,41,"x"]', '#s2 an earlier subscription event 41 = "x"'],
  ['["value",1]', '#s1 messages() = undefined'],
  ['["value",1,null]', '#s1 messages() = null'],
  [encodeSubscribed(1, END, 64), '#s1 messages() subscribed after 3.a'],
  [encodeSubscribed(1, END, 8), '#s1 messages() subscribed after 3.a'],
  [
    encodeSubscribed(1, END, 8, encodeTail(new Set([1]))),
    '#s1 messages() subscribed after 3.a = Set {1}',
  ],
  ['["subscribed",1]', '#s1 messages() subscribed'],
  [encodeComplete(1), '#s1 messages() ended'],
  [
    encodeComplete(1, { thrown: new RpcError('CURSOR_EXPIRED', 'too old'), details: true }),
    '#s1 messages() threw RpcError CURSOR_EXPIRED: too old',
  ],
  [encodeRejection(new RpcError('BAD_MESSAGE', 'no')), 'refused: RpcError BAD_MESSAGE: no'],
])('%s is shown', (message, text) => {
  const log = new FrameLog('one');
  log.up('[["subscribe",1,null,"messages"]]');
  log.down(`[${message}]`);
  const [, line, frame, ...more] = lines;
  if (typeof text === 'string') expect(line).toBe(`one ${text}`);
  else expect(line?.slice('one '.length)).toMatch(text);
  expect(frame).toMatch(/^one down \d+ bytes /);
  expect(more).toEqual([]);
});

test.each([
  '["next"]',
  '["next",{"toString":1},1]',
  '["subscribed",null]',
  '["odd",1,2]',
  '["__proto__",1]',
  '[]',
  '[null]',
])('%s, which is incomplete, is shown only as a frame', (message) => {
  const log = new FrameLog('one');
  log.up('[["subscribe"],["subscribe",1,null,{"toString":1}],["unsubscribe"]]');
  log.down(`[${message}]`);
  expect(lines).toHaveLength(2);
});

test.each([
  '["next",1,{"toString":1},1]',
  '["subscribed",1,{"toString":1},2,3]',
  '["value",1,7,8]',
])('%s is shown as a frame, and throws no error', (message) => {
  new FrameLog('one').down(`[${message}]`);
  expect(lines).toHaveLength(2);
});

test('rows with keys are counted, because they can contain the numbers of capabilities', async () => {
  using client = connect<ShownBroadcaster>(BINDING, 'rows', { debug });
  const places = subscribe(client).places()[Symbol.asyncIterator]();
  await client.take('a');
  await places.next();
  await client.take('b');
  await places.next();
  expect(newsOf('client', 'rows')).toEqual([
    '#s1 places() subscribed',
    '#s1 places() all rows: 1',
    '#s1 places() patch 1, new rows: 1',
  ]);
});
