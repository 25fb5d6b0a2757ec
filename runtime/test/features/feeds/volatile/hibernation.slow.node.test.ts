/** Subscriptions to volatile feeds survive the sleep of an object, and a reader hears of a gap only if it exists. */
import { expect, test, vi } from 'vitest';
import { sleep } from '../../../../../harness/waiting.mjs';
import { ofKind } from '../../../support/messages.ts';
import { follow, serve, upTo } from './serve.ts';

const { worker, enter } = await serve();

/** This timeout in milliseconds is far longer than a message takes. */
const PATIENT = { timeout: 60_000 };

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

test('a reader gets the event that wakes the object, and a slow reader hears of a gap', async () => {
  const ann = worker.connect('sleep', { transport: 'http' });
  const all = await Promise.all(upTo(10).map(() => follow(enter('sleep'))));
  using raw = await worker.raw('sleep');
  await raw.exchange('["subscribe",1,null,"reactions"]');
  await ann.react(upTo(5));
  for (const heard of all) await vi.waitFor(() => expect(heard).toEqual(upTo(5)), PATIENT);
  const sent = ofKind(await raw.exchange(), 'next').map(([, , , number]) => number);
  expect(sent).toEqual([1, 2, 3, 4]);
  const lives = await ann.lives();
  let next = 5;
  do {
    await sleep(IDLE);
    await ann.react([++next]);
    for (const heard of all) await vi.waitFor(() => expect(heard.at(-1)).toBe(next), PATIENT);
  } while ((await ann.lives()) === lives && next < 9);
  expect(await ann.lives()).toBeGreaterThan(lives);
  await ann.react([++next]);
  for (const heard of all) await vi.waitFor(() => expect(heard).toEqual(upTo(next)), PATIENT);
  // The slow reader gets nothing until it has read its events, and then hears of the gap once.
  expect(ofKind(await raw.exchange(), 'next')).toEqual([]);
  const told = await raw.exchange('["ack",1,4]');
  expect(told.map(([kind]) => kind)).toEqual(['gap', 'subscribed', 'epoch', 'next', 'next']);
});
