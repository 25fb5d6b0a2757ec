/** The alarm of a class works beside the wake-up of its relay, which is an alarm, too. */
import { expect, test } from 'vitest';
import { subscribe } from '../../../src/client.ts';
import { until } from '../../../../harness/waiting.mjs';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { serve } from './serve.ts';

const { roomAt, hubAt, stopHub } = await serve();

/** Follows a room. The result can stop that, and wait until the relay has left the origin. */
async function follow(name: string) {
  const hub = hubAt(name);
  const loop = new Loop(subscribe(hub).talk(name));
  await loop.has(1);
  const leave = async (): Promise<void> => {
    using room = roomAt(name);
    loop.leave();
    await room.say(['the last']);
    await loop.ended;
    await until(async () => (await room.connected()).length === 1);
  };
  return { hub, leave };
}

test.each([
  ['later than the wake-up', 600_000],
  ['earlier', 30_000],
])('an alarm that is %s keeps its time', async (name, after) => {
  using own = hubAt(name);
  await own.setAlarm(after);
  const at = await own.getAlarm();
  const { hub, leave } = await follow(name);
  expect(await hub.getAlarm()).toBe(at);
  await leave();
  expect(await hub.getAlarm()).toBe(at);
  hub.close();
});

test('an object that relays can set, move and delete the alarm of its class', async () => {
  const { hub, leave } = await follow('moved');
  expect(await hub.getAlarm()).toBe(null);
  await hub.setAlarm(600_000);
  const first = await hub.getAlarm();
  await hub.setAlarm(900_000);
  expect(await hub.getAlarm()).toBeGreaterThanOrEqual((first ?? 0) + 299_000);
  await hub.deleteAlarm();
  expect(await hub.getAlarm()).toBe(null);
  await hub.setAlarm(700_000);
  const last = await hub.getAlarm();
  await hub.empty();
  expect([null, last]).toContain(await hub.getAlarm());
  await hub.setAlarm(800_000);
  const kept = await hub.getAlarm();
  await leave();
  expect(await hub.getAlarm()).toBe(kept);
  hub.close();
});

test('an alarm rings in time while the object relays, sets the next alarm, and is retried', async () => {
  const { hub, leave } = await follow('rings');
  await hub.put('next', 50);
  await hub.setAlarm(50);
  await until(async () => (await hub.rang()) === 2);
  expect(await hub.getAlarm()).toBe(null);
  await hub.put('fails', true);
  await hub.setAlarm(1);
  await until(async () => (await hub.rang()) === 3);
  expect(await hub.getAlarm()).toBe(null);
  await leave();
  await hub.setAlarm(1);
  await until(async () => (await hub.rang()) === 4);
  hub.close();
});

test('an alarm of an object that relays only by a method rings once', async () => {
  using hub = hubAt('method');
  const loop = new Loop(subscribe(hub).crowded('method alarm'));
  await until(async () => (await hub.copies()).length === 1);
  await hub.setAlarm(100);
  await until(async () => (await hub.rang()) === 1);
  expect(await hub.getAlarm()).toBe(null);
  // The alarm is shared again from here on.
  const other = new Loop(subscribe(hub).talk('method other'));
  await other.has(1);
  await hub.setAlarm(600_000);
  await hub.setAlarmInTransaction(700_000, true);
  const kept = (await hub.getAlarm()) ?? 0;
  expect(kept - Date.now()).toBeLessThan(650_000);
  await hub.setAlarmInTransaction(700_000, false);
  expect((await hub.getAlarm()) ?? 0).toBeGreaterThan(kept + 50_000);
  expect(await hub.rang()).toBe(1);
  loop.leave();
});

test('an alarm rings after the object was stopped while it relayed', async () => {
  const { hub } = await follow('stopped');
  await hub.setAlarm(1_000);
  await stopHub('stopped');
  await until(async () => (await hub.rang()) === 1);
  hub.close();
});
