/** Readers of a relay get an error if the origin rejects the relay, and can try again. */
import { describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/client.ts';
import { until } from '../../../../harness/waiting.mjs';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { serve, upTo } from './serve.ts';

const { worker, roomAt, relayAt, hubAt, stop } = await serve();

describe('an error of the origin reaches every reader of', () => {
  test.each([
    ['a feed', (hub: ReturnType<typeof hubAt>, room: string) => subscribe(hub).inbox(room, 'x')],
    [
      'a value',
      (hub: ReturnType<typeof hubAt>, room: string) => subscribe(hub).greeting(room, 'x'),
    ],
  ])('%s', async (name, follow) => {
    using room = roomAt(name);
    using hub = hubAt(name);
    await room.set('isClosed', true);
    for (const _ of upTo(3)) {
      const loops = upTo(4).map(() => new Loop<unknown>(follow(hub, name)).ended);
      for (const ended of loops) {
        await expect(ended).rejects.toMatchObject({ name: 'RangeError', message: 'closed' });
      }
    }
    if (name === 'a value') {
      await expect(hub.greeting(name, 'x')).rejects.toMatchObject({ name: 'RangeError' });
    }
    await room.set('isClosed', false);
    const loops = upTo(4).map(() => new Loop<unknown>(follow(hub, name)));
    await until(async () => (await room.subscriptions()) === 1);
    await room.send('x', ['open']);
    for (const loop of loops) await loop.has(1);
  });
});

test('a relay that its origin closes tells its readers without an address, and connects again', async () => {
  using room = roomAt('closing');
  using relay = relayAt('closing/1');
  const talk = new Loop(subscribe(relay).talk());
  const topic = new Loop(subscribe(relay).topic());
  await Promise.all([talk.has(1), topic.has(1)]);
  expect(await room.closeRelays()).toBe(1);
  for (const { ended } of [talk, topic]) {
    const error = (await ended.catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ code: 'FORBIDDEN' });
    expect(error.message).toContain('Closed by the object');
    expect(error.message).not.toMatch(/https?:|[0-9a-f]{16}/);
  }
  const again = new Loop(subscribe(relay).talk());
  await again.has(1);
  await room.say(['on']);
  expect((await again.has(2)).at(-1)).toEqual({ said: 'on' });
});

test('one reader after another may be rejected without harm to others', async () => {
  using room = roomAt('partly');
  using hub = hubAt('partly');
  const open = new Loop(subscribe(hub).talk('partly'));
  await open.has(1);
  await room.set('isClosed', true);
  for (const number of upTo(100)) {
    const ended = new Loop(subscribe(hub).inbox('partly', `${number}`)).ended;
    await expect(ended).rejects.toMatchObject({ message: 'closed' });
  }
  await room.say(['on']);
  expect((await open.has(2)).at(-1)).toEqual({ said: 'on' });
  expect(await room.subscriptions()).toBe(1);
});

test.each(['__rpc', '__rpc:relay:EU:0:room', '__rpcx'])(
  'no client can use the instance name %s',
  async (name) => {
    const response = await fetch(worker.urlOf(name), { method: 'POST', body: '[[1,"all"]]' });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/^The names of instances that begin with __rpc are/);
  },
);

test('an origin without a free connection rejects the readers of the relay, until a connection ends', async () => {
  using hub = hubAt('full');
  const inside = worker.connect('full', {}, 'CROWD') as object as ReturnType<typeof roomAt>;
  const own = subscribe(inside).inbox as unknown as () => ReturnType<typeof subscribe<object>>;
  const loop = new Loop(own() as never);
  const ended = new Loop(subscribe(hub).crowded('full')).ended;
  await expect(ended).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^The relay /),
  });
  await expect(ended).rejects.not.toThrow(/https?:/);
  inside.close();
  await loop.ended.catch(() => {});
  await until(async () => {
    const again = subscribe(hub).crowded('full');
    const next = new Loop(again);
    let isRefused = false;
    next.ended.catch(() => (isRefused = true));
    await until(() => isRefused || again.cursor !== undefined);
    return again.cursor !== undefined;
  });
});

test('a relay cannot copy a relay', async () => {
  using hub = hubAt('second level');
  const ended = new Loop(subscribe(hub).relayed('__rpc:relay:EU:0:room')).ended;
  await expect(ended).rejects.toMatchObject({ name: 'TypeError' });
});

test('if the origin becomes another object, the copies end and are not mixed', async () => {
  using hub = hubAt('changing');
  const [one, other] = [roomAt('now a'), roomAt('now b')];
  const begun = subscribe(hub).inboxOfNow('x');
  const loop = new Loop(begun);
  await until(() => begun.cursor !== undefined);
  await one.send('x', ['of a']);
  await loop.has(1);
  await hub.put('now', 'now b');
  await stop('now a');
  await other.send('x', ['of b']);
  await expect(loop.ended).rejects.toMatchObject({ name: 'TypeError' });
  const again = new Loop(subscribe(hub, { after: '0.' }).inboxOfNow('x'));
  expect(await again.has(1)).toEqual(['of b']);
  expect(loop.heard).toEqual(['of a']);
  for (const room of [one, other]) room.close();
});

test('cursors that are requested and left in one frame cost the origin nothing', async () => {
  using room = roomAt('frame');
  using hub = hubAt('frame');
  const kept = new Loop(subscribe(hub, { after: '0.' }).inbox('frame', 'x'));
  await room.send('x', ['1']);
  await kept.has(1);
  const asked = await room.asked();
  const raw = await worker.raw('frame', { binding: 'HUB' });
  const pairs = upTo(2_000).map(
    (n) => `["subscribe",${n},"${n}.zz","inbox",["frame","x"]],["unsubscribe",${n}]`,
  );
  raw.send(`[${pairs.join()}]`);
  await room.send('x', ['2']);
  await kept.has(2);
  expect((await room.asked()) - asked).toBeLessThan(10);
  raw.close();
});
