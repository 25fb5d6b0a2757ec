/** Relays: their subscribers get each event, whoever is stopped, and can move between relays. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { feedStore } from '../../../src/features/feeds/client/feed-store.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { until } from '../../../../harness/waiting.mjs';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { serve, upTo } from './serve.ts';
import type { Said } from './worker.ts';

const { worker, relayAt, stop } = await serve();

/**
 * Returns everything that was said, from snapshots and events. Fails if an item comes twice or out of order.
 *
 * @param before - everything that was said before these items
 */
function heardIn(items: readonly Said[], before: unknown[] = []): unknown[] {
  let heard = [...before];
  for (const item of items) {
    if ('all' in item) {
      expect(item.all.slice(0, heard.length)).toEqual(heard);
      heard = [...item.all];
    } else heard.push(item.said);
  }
  return heard;
}

test('a subscriber gets the events that the origin would send', async () => {
  using room = worker.connect('same');
  using relay = relayAt('same/1');
  const said = ['before', new Map([[new Date(5), [1n, undefined]]]), new Uint8Array([1, 2, 3]), -0];
  await room.say(said);
  const loops = [room, relay].map((of) => new Loop(subscribe(of as typeof room).talk()));
  for (const loop of loops) await loop.has(1);
  await room.say(said);
  await room.say(['a', 'b']);
  const [own, relayed] = await Promise.all(loops.map((loop) => loop.has(7)));
  expect(relayed).toEqual(own);
  expect(heardIn(relayed ?? [])).toEqual([...said, ...said, 'a', 'b']);
});

test('a subscriber without a cursor begins with the next event', async () => {
  using room = worker.connect('next');
  using relay = relayAt('next/1');
  await room.count([1, 2, 3]);
  const first = subscribe(relay).numbers();
  const loop = new Loop(first);
  await until(() => first.cursor !== undefined);
  await room.count(upTo(40, 4));
  expect(await loop.has(37)).toEqual(upTo(40, 4));
});

test('a cursor works at every relay, and at the origin', async () => {
  using room = worker.connect('moving');
  const places = [room, ...['moving/1', 'moving/2', 'moving/3'].map((name) => relayAt(name))];
  const heard: number[] = [];
  let [cursor, last] = [undefined as string | undefined, 0];
  for (let move = 0; move < 24; move++) {
    const at = places[move % places.length] as typeof room;
    const numbers = subscribe(at, { after: cursor }).numbers();
    if (move === 0) {
      const begun = new Loop(numbers);
      await until(() => numbers.cursor !== undefined);
      cursor = numbers.cursor;
      begun.leave();
    }
    await room.count([++last, ++last, ++last]);
    const items = subscribe(at, { after: cursor }).numbers();
    for await (const number of items) {
      heard.push(number);
      if (number === last) break;
    }
    cursor = items.cursor;
  }
  expect(heard).toEqual(upTo(last));
});

test('history of the origin joins with the events of a relay, even if the relay is stopped', async () => {
  using room = worker.connect('history');
  await room.count(upTo(8));
  using relay = relayAt('history/1');
  const store = feedStore(
    relay,
    (methods) => methods.numbers(),
    (object, before) => object.history(before),
  );
  onTestFinished(store.subscribe(() => {}));
  const shown = (): number[] => store.get().events.map(({ event }) => event);
  await until(() => shown().length === 3);
  for (let number = 9; number <= 14; number += 2) {
    await room.count([number]);
    await stop('history/1');
    await room.count([number + 1]);
    await until(() => shown().at(-1) === number + 1);
  }
  await store.get().loadOlder();
  // The room keeps ten events.
  expect(shown()).toEqual(upTo(14, 5));
  expect(store.get().hasOlder).toBe(false);
  const { after } = await room.history();
  expect(after).toBe(store.get().events.at(-1)?.cursor);
});

test('events that a relay requests from the origin join with its own, while more events arrive', async () => {
  using room = worker.connect('bursts');
  const own = subscribe(room).talk();
  const loop = new Loop(own);
  await room.say([0]);
  await loop.has(2);
  const { cursor } = own;
  const readers: Loop<Said>[] = [];
  // The readers ask for as many events as the room keeps, in frames of several events.
  for (let burst = 0; burst < 9; burst++) {
    const relays = [0, 1, 2].map((relay) => relayAt(`bursts/${burst}-${relay}`));
    for (const relay of relays) readers.push(new Loop(subscribe(relay, { after: cursor }).talk()));
    await room.say(upTo(5 * burst + 5, 5 * burst + 1));
  }
  for (const reader of readers) expect(heardIn(await reader.has(45))).toEqual(upTo(45));
});

test('a relay waits for a cursor that it has not reached, and rejects a false cursor', async () => {
  using room = worker.connect('ahead');
  await room.count(upTo(3));
  const own = subscribe(room).numbers();
  const loop = new Loop(own);
  await until(() => own.cursor !== undefined);
  await room.count(upTo(6, 4));
  await loop.has(3);
  const { cursor } = own;
  using relay = relayAt('ahead/1');
  const moved = new Loop(subscribe(relay, { after: cursor }).numbers());
  await room.count(upTo(9, 7));
  expect(await moved.has(3)).toEqual([7, 8, 9]);
  for (const unknown of ['4.zzz', '4000.zzz']) {
    const ended = new Loop(subscribe(relay, { after: unknown }).numbers()).ended;
    await expect(ended).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
    const snapshot = new Loop(subscribe(relay, { after: unknown }).talk());
    expect(await snapshot.has(1)).toEqual([{ all: [] }]);
  }
});

test('a reader that is far behind begins with a snapshot, or ends if there is none', async () => {
  using room = worker.connect('behind');
  using relay = relayAt('behind/1');
  const [talk, numbers] = [subscribe(relay).talk(), subscribe(relay).numbers()];
  const loops = [new Loop<unknown>(talk), new Loop<unknown>(numbers)];
  await until(() => talk.cursor !== undefined && numbers.cursor !== undefined);
  await room.say(['a']);
  await room.count([1]);
  await until(() => loops.every(({ heard }) => heard.length > 0));
  const cursors = [talk.cursor, numbers.cursor] as const;
  for (const loop of loops) loop.leave();
  await room.say(['b']);
  await room.count([2]);
  await Promise.all(loops.map(({ ended }) => ended));
  // The relay leaves, and misses more events than anybody keeps.
  await until(async () => (await room.connected()).length === 1);
  for (let time = 0; time < 60; time++) await room.say([time]);
  await room.count(upTo(60, 3));
  const late = new Loop(subscribe(relay, { after: cursors[0] }).talk());
  await until(() => heardIn(late.heard, ['a']).length === 62);
  expect(heardIn(late.heard, ['a'])).toEqual(['a', 'b', ...upTo(59, 0)]);
  await room.say(['more']);
  await until(() => heardIn(late.heard, ['a']).at(-1) === 'more');
  // The events are too many for the log alone, so a snapshot arrives.
  expect(late.heard.some((item) => 'all' in item)).toBe(true);
  const expired = new Loop(subscribe(relay, { after: cursors[1] }).numbers()).ended;
  await expect(expired).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
});

test('subscribers that fall behind within one turn go on with a snapshot', async () => {
  using room = worker.connect('jump');
  using relay = relayAt('jump/1');
  const loops = [new Loop(subscribe(room).talk()), new Loop(subscribe(relay).talk())];
  for (const loop of loops) await loop.has(1);
  for (const last of [400, 800]) {
    // The room does not keep so many events.
    await room.say(upTo(last, last - 399));
    for (const { heard } of loops) {
      await until(() => heardIn(heard).length === last);
      expect(heardIn(heard)).toEqual(upTo(last));
    }
  }
});

test('each relay is one subscriber of the origin, with a caller of its own', async () => {
  using room = worker.connect('few');
  const readers = Array.from({ length: 12 }, (_, index) => relayAt(`few/${index % 3}`));
  const loops = readers.map((reader) => new Loop(subscribe(reader).talk()));
  for (const loop of loops) await loop.has(1);
  const connected = await room.connected();
  expect(connected.filter(Boolean)).toEqual(
    expect.arrayContaining([0, 1, 2].map((relay) => ({ relay: `few/${relay}` }))),
  );
  expect(connected).toHaveLength(4);
  for (const reader of readers) reader.close();
});

test('a relay without subscribers leaves the origin, and comes back', async () => {
  using room = worker.connect('lonely');
  for (let time = 1; time <= 3; time++) {
    using relay = relayAt('lonely/1');
    const loop = new Loop(subscribe(relay).talk());
    await room.say([time]);
    await until(() => heardIn(loop.heard).at(-1) === time);
    expect(await room.connected()).toHaveLength(2);
    // The class does not see the wake-up of the relay.
    expect(await relay.alarmAt()).toBe(null);
    loop.leave();
    await room.say(['the last']);
    await loop.ended;
    await until(async () => (await room.connected()).length === 1);
    expect(await relay.alarmAt()).toBe(null);
  }
});

test('a live value arrives when it is known, and again when it changes', async () => {
  using room = worker.connect('live');
  await room.set('topic', 'tea');
  const loops = ['live/1', 'live/2'].map((name) => new Loop(subscribe(relayAt(name)).topic()));
  for (const loop of loops) expect(await loop.has(1)).toEqual(['tea']);
  await room.set('topic', 'coffee');
  for (const loop of loops) expect(await loop.has(2)).toEqual(['tea', 'coffee']);
});

test('rows with keys pass through a relay, and unchanged rows stay the same objects', async () => {
  using room = worker.connect('rows');
  const cards = [1, 2, 3].map((id) => ({ id, text: 'x'.repeat(50) }));
  await room.set('cards', cards);
  const loop = new Loop(subscribe(relayAt('rows/1')).cards());
  const [before = []] = await loop.has(1);
  expect(before).toEqual(cards);
  const changed = cards.map((card) => (card.id === 2 ? { id: 2, text: 'new' } : card));
  await room.set('cards', changed.toReversed());
  const [, after = []] = await loop.has(2);
  expect(after).toEqual(changed.toReversed());
  expect([after[0], after[2]]).toEqual([before[2], before[0]]);
  expect(after[0]).toBe(before[2]);
  expect(after[2]).toBe(before[0]);
});

test('an error of the origin ends the subscriptions to it, and a later subscriber tries again', async () => {
  using room = worker.connect('secret');
  using relay = relayAt('secret/1');
  const loop = new Loop(subscribe(relay).topic());
  const others = new Loop(subscribe(relay).talk());
  await loop.has(1);
  await others.has(1);
  await room.set('isSecret', true);
  await expect(loop.ended).rejects.toMatchObject({ code: 'FORBIDDEN' });
  // Other subscriptions go on.
  await room.say(['on']);
  await until(() => heardIn(others.heard).at(-1) === 'on');
  await expect(new Loop(subscribe(relay).topic()).ended).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  await room.set('isSecret', false);
  expect(await new Loop(subscribe(relay).topic()).has(1)).toEqual(['']);
});

test('if the origin loses its storage, its relays begin again', async () => {
  using room = worker.connect('lost');
  using relay = relayAt('lost/1');
  const loops = [new Loop(subscribe(room).talk()), new Loop(subscribe(relay).talk())];
  await room.say(['a', 'b']);
  await until(() => loops.every(({ heard }) => heardIn(heard).length === 2));
  await room.forget();
  await room.say(['c']);
  for (const { heard } of loops) {
    await until(() => JSON.stringify(heard.at(-1)) === JSON.stringify({ all: ['c'] }));
  }
});

describe('each event arrives once and in order, while', () => {
  test.each([
    ['the relay is stopped', ['kills/1']],
    ['the origin is stopped', ['kills']],
    ['all are stopped', ['kills', 'kills/1', 'kills/2']],
  ])('%s', async (name, stopped) => {
    const at = (path: string) => path.replace('kills', name);
    using room = worker.connect(name);
    const readers = ['kills/1', 'kills/2'].map((path) => relayAt(at(path)));
    const loops = readers.flatMap((reader) => [
      new Loop(subscribe(reader).talk()),
      new Loop(subscribe(reader).talk()),
    ]);
    for (const loop of loops) await loop.has(1);
    let count = 0;
    for (let round = 0; round < 8; round++) {
      const writes = (async () => {
        for (let write = 0; write < 10; write++) await room.say([++count]);
      })();
      for (const path of stopped) await stop(at(path));
      await writes;
    }
    await until(() => loops.every(({ heard }) => heardIn(heard).length >= count));
    for (const loop of loops) expect(heardIn(loop.heard)).toEqual(upTo(count));
    for (const reader of readers) reader.close();
  });
});

test('a router connects subscribers to a relay, and calls to the origin', async () => {
  using reader = worker.connect('crowded');
  using writer = worker.connect('crowded', { transport: 'http' });
  const loop = new Loop(subscribe(reader).talk());
  await writer.say(['by the origin']);
  await until(() => heardIn(loop.heard).length === 1);
  expect(await writer.connected()).toEqual([{ relay: 'crowded/0' }]);
  await expect(reader.say(['by the relay'])).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
});
