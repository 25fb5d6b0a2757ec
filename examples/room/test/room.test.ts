/** Tests the room: the updates that its clients receive, before and after an eviction. */
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { presence, subscribe } from 'lumenize-rpc/client';
import { collect, connect } from 'lumenize-rpc/testing';
import type { Room } from '../src/room.ts';

/** Returns a client of a guest, which has no name. */
const enter = (room: string) => connect<Room>('ROOM', room, { as: null });

test('all clients receive each message once and in order', async () => {
  using first = enter('said');
  using second = enter('said');
  const heard = [first, second].map((client) => collect(subscribe(client).messages()));
  await expect.poll(() => heard).toEqual([[{ recent: [] }], [{ recent: [] }]]);
  await Promise.all([first.say('one', 'Ada'), first.say('two', 'Ada')]);
  await second.say('three');
  const all = [
    { recent: [] },
    { author: 'Ada (guest)', text: 'one' },
    { author: 'Ada (guest)', text: 'two' },
    { author: 'Somebody (guest)', text: 'three' },
  ];
  await expect.poll(() => heard).toEqual([all, all]);
});

test('a new client receives the last hundred messages first', async () => {
  using early = enter('late');
  await Promise.all(Array.from({ length: 101 }, (_, index) => early.say(`${index}`)));
  using late = enter('late');
  const heard = collect(subscribe(late).messages());
  await expect.poll(() => heard.length).toBe(1);
  await early.say('next');
  await expect.poll(() => heard.length).toBe(2);
  const [begin, next] = heard as [{ recent: { text: string }[] }, unknown];
  expect(begin.recent.map(({ text }) => text)).toEqual(
    Array.from({ length: 100 }, (_, index) => `${index + 1}`),
  );
  expect(next).toMatchObject({ text: 'next' });
});

test('the author is the caller that the Worker has named', async () => {
  using ada = connect<Room>('ROOM', 'named', { as: { user: 'Ada' } });
  const heard = collect(subscribe(ada).messages());
  await ada.say('hello', 'Bob');
  await expect.poll(() => heard.at(-1)).toEqual({ author: 'Ada', text: 'hello' });
});

test('messages continue after an eviction, and the topic stays', async () => {
  using client = enter('evicted');
  using other = enter('evicted');
  const heard = collect(subscribe(client).messages());
  const topics = collect(subscribe(client).getTopic());
  await expect.poll(() => [heard.length, topics]).toEqual([1, ['']]);
  await other.say('before');
  await other.setTopic('tea');
  await evictDurableObject(env.ROOM.getByName('evicted'));
  await other.say('after');
  await other.setTopic('tea');
  await other.setTopic('coffee');
  await expect.poll(() => topics).toEqual(['', 'tea', 'coffee']);
  expect(heard.slice(1)).toMatchObject([{ text: 'before' }, { text: 'after' }]);
});

test('the number of clients changes when a client connects or disconnects', async () => {
  using client = enter('present');
  const counts = collect(subscribe(client).countPresent());
  await expect.poll(() => counts).toEqual([1]);
  const guests = [enter('present'), enter('present')];
  for (const guest of guests) await guest.getTopic();
  await expect.poll(() => counts).toEqual([1, 2, 3]);
  guests[0]?.close();
  await expect.poll(() => counts.at(-1)).toBe(2);
  await evictDurableObject(env.ROOM.getByName('present'));
  guests[1]?.close();
  await expect.poll(() => counts.at(-1)).toBe(1);
  expect(counts).toEqual([1, 2, 3, 2, 1]);
});

test('the others see who is writing, also after an eviction of the object', async () => {
  using client = enter('writing');
  using other = enter('writing');
  const [own, others] = [client, other].map((one) => presence(one, (room) => room.writing()));
  const names = () => others?.get().value?.map(({ value }) => value);
  const stops = [own, others].map((store) => store?.subscribe(() => {}));
  own?.update('Ada');
  await expect.poll(names).toEqual(['Ada (guest)']);
  await evictDurableObject(env.ROOM.getByName('writing'));
  others?.update('Bob');
  await expect.poll(() => own?.get().value).toMatchObject([{ value: 'Bob (guest)' }]);
  expect(names()).toEqual(['Ada (guest)']);
  own?.update();
  await expect.poll(names).toEqual([]);
  for (const stop of stops) stop?.();
});

test.each([
  ['nothing', ['']],
  ['a long text', ['x'.repeat(2001)]],
  ['a long name', ['hello', 'x'.repeat(51)]],
])('%s is refused', async (_, args) => {
  using client = enter('refused');
  const say = client.say as (...args: string[]) => Promise<void>;
  await expect(say(...args)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
});
