/** An object with a presence can sleep, and the presence is unchanged afterwards. */
import { expect, test, vi } from 'vitest';
import { type LiveState, presence, type Present, subscribe } from '../../../src/client.ts';
import { sleep } from '../../../../harness/waiting.mjs';
import { serve, shownIn } from './serve.ts';

// These tests only wait, so they run at the same time.
vi.setConfig({ maxConcurrency: 10 });

const { worker } = await serve();

/** This timeout in milliseconds is far longer than a message takes. */
const PATIENT = { timeout: 60_000 };

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

/** Connects `count` clients, each with a cursor, and records the cursors that they see. */
async function crowd(instance: string, count: number) {
  const all = Array.from({ length: count }, (_, x) => {
    const client = worker.connect(instance);
    const cursors = presence(client, (board) => board.cursors());
    const seen: LiveState<readonly Present<unknown>[]>[] = [];
    // The store is watched until its client is closed. A hook could belong to another test that runs at the same time.
    cursors.subscribe((live) => seen.push(live));
    cursors.update({ x });
    return {
      client,
      cursors,
      seen,
      xs: () =>
        shownIn(cursors)
          ?.map((at) => at.x)
          .toSorted((a, b) => a - b),
    };
  });
  const others = (own: number) =>
    Array.from({ length: count }, (_, x) => x).filter((x) => x !== own);
  for (const [own, { xs }] of all.entries())
    await vi.waitFor(() => expect(xs()).toEqual(others(own)), PATIENT);
  return all;
}

/** Sleeps until `act` has woken the object, so that it was constructed again. */
async function wake(instance: string, act: (turn: number) => Promise<unknown>): Promise<void> {
  using client = worker.connect(instance, { transport: 'http' });
  const before = await client.lives();
  for (let turn = 0; turn < 4; turn++) {
    await sleep(IDLE * 2 ** turn);
    await act(turn);
    if ((await client.lives()) > before) return;
  }
  throw new Error('The object did not sleep');
}

test.concurrent('a move wakes the object, everyone sees it, and nobody else has gone', async () => {
  const all = await crowd('move', 20);
  const counts = all.map(({ seen }) => seen.length);
  await wake('move', async (turn) => {
    all[0]!.cursors.update({ x: 100 + turn });
    for (const { xs } of all.slice(1))
      await vi.waitFor(() => expect(xs()?.at(-1)).toBe(100 + turn), PATIENT);
  });
  for (const [own, { seen }] of all.entries()) {
    const later = seen.slice(counts[own]);
    // Each client sees 19 others all the time.
    expect(later.every(({ value }) => value?.length === 19)).toBe(true);
  }
  for (const { client } of all) client.close();
});

test.concurrent('a call wakes the object, and nobody is notified', async () => {
  const all = await crowd('call', 5);
  const counts = all.map(({ seen }) => seen.length);
  await wake('call', () => all[0]!.client.lives());
  await sleep(200);
  expect(all.map(({ seen }) => seen.length)).toEqual(counts);
  all[1]!.cursors.update({ x: 7 });
  await vi.waitFor(() => expect(all[0]!.xs()).toEqual([2, 3, 4, 7]), PATIENT);
  for (const { client } of all) client.close();
});

test.concurrent('a client that leaves wakes the object, and is gone', async () => {
  const all = await crowd('leave', 5);
  let left = 4;
  await wake('leave', async () => {
    all[left--]!.client.close();
    await vi.waitFor(() => expect(all[0]!.xs()).toHaveLength(left), PATIENT);
  });
  all[1]!.cursors.update({ x: 9 });
  await vi.waitFor(() => expect(all[0]!.xs()?.at(-1)).toBe(9), PATIENT);
  for (const { client } of all) client.close();
});

test.concurrent('a client that joins wakes the object, and sees the others', async () => {
  const all = await crowd('join', 5);
  const late: (typeof all)[number]['client'][] = [];
  await wake('join', async () => {
    const client = worker.connect('join');
    late.push(client);
    const lists = subscribe(client).cursors()[Symbol.asyncIterator]();
    expect((await lists.next()).value?.map(({ value }) => value.x)).toEqual([0, 1, 2, 3, 4]);
  });
  for (const client of [...late, ...all.map((one) => one.client)]) client.close();
});
