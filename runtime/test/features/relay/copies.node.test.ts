/** A relay has one copy for each origin, method and arguments, however many readers ask for it. */
import { expect, test } from 'vitest';
import { subscribe } from '../../../src/client.ts';
import { until } from '../../../../harness/waiting.mjs';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { serve, upTo } from './serve.ts';

const { roomAt, relayAt, hubAt } = await serve();

/** Follows a subscription. @returns the loop, after it has begun */
async function begun<Value>(
  subscription: AsyncIterable<Value, undefined> & { cursor: string | undefined },
): Promise<Loop<Value>> {
  const loop = new Loop(subscription as never) as Loop<Value>;
  await until(() => subscription.cursor !== undefined);
  return loop;
}

test('two rooms that one object copies stay apart', async () => {
  using hub = hubAt('two');
  const rooms = ['two a', 'two b'].map(roomAt);
  const loops = ['two a', 'two b'].map((name) => new Loop(subscribe(hub).talk(name)));
  for (const loop of loops) await loop.has(1);
  for (const number of upTo(20))
    await Promise.all(rooms.map((room, at) => room.say([[at, number]])));
  for (const [at, loop] of loops.entries()) {
    const said = upTo(20).map((number) => ({ said: [at, number] }));
    expect(await loop.has(21)).toEqual([{ all: [] }, ...said]);
  }
  await Promise.all(rooms.map((room, at) => room.set('topic', `of ${at}`)));
  const topics = ['two a', 'two b'].map((name) => new Loop(subscribe(hub).topic(name)));
  for (const [at, loop] of topics.entries()) expect(await loop.has(1)).toEqual([`of ${at}`]);
  for (const room of rooms) {
    expect(await room.subscriptions()).toBe(2);
    room.close();
  }
});

test('a feed that is copied at several places arrives once', async () => {
  using room = roomAt('first');
  using hub = hubAt('thrice');
  const names = ['first', 'again', 'first'];
  const loops = names.map((name) => new Loop(subscribe(hub).talk(name)));
  for (const loop of loops) await loop.has(1);
  await room.say(upTo(5));
  for (const loop of loops) expect(await loop.has(6)).toHaveLength(6);
  const inboxes = await Promise.all(upTo(3).map(() => begun(subscribe(hub).inbox('first', 'ann'))));
  await room.send('ann', ['1', '2']);
  await room.send('bob', ['3']);
  await room.send('ann', ['4']);
  for (const loop of inboxes) expect(await loop.has(3)).toEqual(['1', '2', '4']);
  expect(await room.subscriptions()).toBe(2);
});

test('a feed of the class is separate from all copies', async () => {
  using room = roomAt('own');
  using hub = hubAt('own');
  const copied = new Loop(subscribe(hub).talk('own'));
  const own = await begun(subscribe(hub).own());
  await copied.has(1);
  await hub.append('by the class');
  await room.say(['in the room']);
  expect(await own.has(1)).toEqual(['by the class']);
  expect(await copied.has(2)).toEqual([{ all: [] }, { said: 'in the room' }]);
});

test('each caller that the relay sets has its own copy', async () => {
  using room = roomAt('callers');
  using hub = hubAt('callers');
  await room.set('topic', 'tea');
  const names = ['ann', 'bob', undefined];
  const loops = names.map((name) => new Loop(subscribe(hub).greeting('callers', 'hi', name)));
  for (const [at, loop] of loops.entries()) {
    expect(await loop.has(1)).toEqual([`hi ${names[at] ?? ''} tea`]);
  }
  await begun(subscribe(hub).inboxAs('ann', 'callers', 'x'));
  const barred = new Loop(subscribe(hub).inboxAs('barred', 'callers', 'x')).ended;
  await expect(barred).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'Not for you' });
});

test('arguments that are subscribed to and left leave no copy', async () => {
  using room = roomAt('many');
  using hub = hubAt('many');
  const stays = await begun(subscribe(hub).inbox('many', 'stays'));
  const value = new Loop(subscribe(hub).greeting('many', 'stays'));
  await value.has(1);
  for (const number of upTo(1_000)) {
    const feed = subscribe(hub).inbox('many', `${number}`)[Symbol.asyncIterator]();
    const live = subscribe(hub).greeting('many', `${number}`)[Symbol.asyncIterator]();
    void feed.next();
    await live.next();
    await Promise.all([feed.return?.(), live.return?.()]);
  }
  await room.send('stays', ['still']);
  expect(await stays.has(1)).toEqual(['still']);
  await until(async () => (await room.subscriptions()) === 2);
  const copies = await hub.copies();
  expect(copies.map(({ method }) => method).toSorted()).toEqual(['greeting', 'inbox']);
  stays.leave();
  value.leave();
  await room.send('stays', ['last']);
  await room.set('topic', 'last');
  await Promise.all([stays.ended, value.ended]);
  await until(async () => (await room.connected()).length === 1);
  expect(await hub.copies()).toEqual([]);
});

test('thirty feeds serve thirty readers, and ask the origin for missing events', async () => {
  using room = roomAt('thirty');
  const names = upTo(30).map(String);
  const places = names.map((name) => subscribe(room).inbox('thirty-' + name));
  const direct = await Promise.all(places.map((place) => begun(place)));
  for (const name of names) await room.send('thirty-' + name, ['1']);
  for (const loop of direct) await loop.has(1);
  const cursors = places.map(({ cursor }) => cursor);
  for (const name of names) await room.send('thirty-' + name, upTo(100, 2).map(String));
  const readers = names.map(() => hubAt('thirty'));
  const loops = readers.flatMap((reader, at) => {
    const after = cursors[at];
    const name = 'thirty-' + (names[at] ?? '');
    return [
      new Loop(subscribe(reader, { after }).inbox('thirty', name)),
      new Loop(subscribe(reader, { after }).short('thirty', name)),
    ];
  });
  for (const loop of loops) expect(await loop.has(99)).toEqual(upTo(100, 2).map(String));
  for (const reader of readers) reader.close();
});

test('a reader beyond the limit of the origin gets an error that names the relay', async () => {
  using hub = hubAt('limit');
  using other = hubAt('limit');
  using room = roomAt('limit');
  const loops = await Promise.all(
    upTo(32).map((number) => begun(subscribe(hub).inbox('limit', `${number}`))),
  );
  const over = new Loop(subscribe(other).inbox('limit', '33')).ended;
  await expect(over).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringMatching(/relay.*subscriptions is at most 32/),
  });
  // Readers of existing copies go on, and can ask for earlier events.
  await room.send('7', ['still']);
  expect(await loops[6]?.has(1)).toEqual(['still']);
  const late = new Loop(subscribe(other, { after: '0.' }).inbox('limit', '7'));
  expect(await late.has(1)).toEqual(['still']);
});

test('a cursor that the room has works, even if the relay keeps fewer events', async () => {
  using room = roomAt('far');
  using hub = hubAt('far');
  const place = subscribe(room).inbox('ann');
  const direct = await begun(place);
  await room.send('ann', ['1']);
  await direct.has(1);
  const { cursor } = place;
  const near = await begun(subscribe(hub).short('far', 'ann'));
  await room.send('ann', upTo(1_500, 2).map(String));
  await near.has(1_499);
  const readers = [cursor, cursor, '0.'].map((after) => {
    return new Loop(subscribe(hub, { after }).short('far', 'ann'));
  });
  await room.send('ann', upTo(1_600, 1_501).map(String));
  for (const [at, loop] of readers.entries()) {
    const first = at === 2 ? 1 : 2;
    expect(await loop.has(1_601 - first)).toEqual(upTo(1_600, first).map(String));
  }
  expect(await near.has(1_599)).toEqual(upTo(1_600, 2).map(String));
  expect(await room.subscriptions()).toBe(2);
});

test('invented cursors cost the origin one request at a time, and their client a rejection', async () => {
  using hub = hubAt('invented');
  using room = roomAt('invented');
  const reader = await begun(subscribe(hub).inbox('invented', 'ann'));
  const invented = upTo(200).map((number) => {
    const loop = new Loop(subscribe(hub, { after: `${number}.zz` }).inbox('invented', 'ann'));
    return loop.ended.catch((error: { code?: string }) => error.code);
  });
  const codes = new Set(await Promise.all(invented));
  expect([...codes].every((code) => code === 'CURSOR_EXPIRED' || code === 'LIMIT_EXCEEDED')).toBe(
    true,
  );
  await room.send('ann', ['on']);
  expect(await reader.has(1)).toEqual(['on']);
});

test('a call waits for a value that has not arrived', async () => {
  using room = roomAt('waiting');
  await room.set('topic', 'tea');
  using relay = relayAt('waiting/1');
  expect(await relay.topic()).toBe('tea');
  using hub = hubAt('waiting');
  expect(await Promise.all([hub.topic('waiting'), hub.topicSize('waiting')])).toEqual(['tea', 3]);
  await room.set('topic', 'coffee');
  await until(async () => (await relay.topic()) === 'coffee');
  // The calls are POSTs, for more values than the relay holds without readers.
  using poster = hubAt('waiting', { transport: 'http' });
  const greetings = upTo(10).map((number) => `${number}  coffee`);
  expect(await poster.greetings('waiting')).toEqual(greetings);
  expect(await poster.topic('waiting')).toBe('coffee');
});

test('an operator sees the state of the copies', async () => {
  using room = roomAt('observed');
  using hub = hubAt('observed');
  const loops = await Promise.all(
    upTo(3).map(() => begun(subscribe(hub).inbox('observed', 'ann'))),
  );
  const value = new Loop(subscribe(hub).topic('observed'));
  await value.has(1);
  await room.send('ann', ['x'.repeat(1_000), 'y']);
  for (const loop of loops) await loop.has(2);
  const copies = await hub.copies();
  const inbox = copies.find(({ method }) => method === 'inbox');
  expect(inbox).toMatchObject({ origin: 'observed', args: ['ann'], readers: 3, events: 2 });
  expect(inbox?.bytes).toBeGreaterThan(1_000);
  expect(inbox?.bytes).toBeLessThan(2_000);
  expect(inbox?.delay).toBeLessThan(60_000);
  expect(copies.find(({ method }) => method === 'topic')).toMatchObject({ readers: 1, events: 1 });
});

test('the copies of an object share the memory of one client', async () => {
  using room = roomAt('large');
  using hub = hubAt('large');
  const names = upTo(4).map((number) => `large ${number}`);
  const loops = await Promise.all(names.map((name) => begun(subscribe(hub).inbox('large', name))));
  const event = 'x'.repeat(60_000);
  for (const round of upTo(20)) {
    for (const name of names)
      await room.send(
        name,
        upTo(4).map((number) => `${round}.${number} ${event}`),
      );
  }
  for (const loop of loops) {
    const numbers = (await loop.has(80)).map((text) => text.split(' ')[0]);
    expect(numbers).toEqual(
      upTo(20).flatMap((round) => upTo(4).map((number) => `${round}.${number}`)),
    );
  }
  const bytes = (await hub.copies()).reduce((sum, copy) => sum + copy.bytes, 0);
  expect(bytes).toBeGreaterThan(1_000_000);
  expect(bytes).toBeLessThanOrEqual(8_388_608);
});
