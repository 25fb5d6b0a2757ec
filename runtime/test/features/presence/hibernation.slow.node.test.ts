/** A presence of an object that sleeps: it lets it sleep, and afterwards all is as before. */
import { expect, test, vi } from 'vitest';
import { type LiveState, presence, type Present, subscribe } from '../../../src/client.ts';
import { sleep } from '../../../../harness/waiting.mjs';
import { serve, shownIn } from './serve.ts';

// They do nothing but wait.
vi.setConfig({ maxConcurrency: 10 });

const { worker } = await serve();

/** Milliseconds, far more than a message takes. */
const PATIENT = { timeout: 60_000 };

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

/** Clients that take part, each with a cursor, and what they see. */
async function crowd(instance: string, count: number) {
  const all = Array.from({ length: count }, (_, x) => {
    const client = worker.connect(instance);
    const cursors = presence(client, (board) => board.cursors());
    const seen: LiveState<readonly Present<unknown>[]>[] = [];
    // Until its client is closed: hooks of tests that run at the same time belong to any of them.
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

/** Sleeps until the object has been made anew by what wakes it. */
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

test.concurrent('a move wakes it: all see it, and nobody else has gone', async () => {
  const all = await crowd('move', 20);
  const counts = all.map(({ seen }) => seen.length);
  await wake('move', async (turn) => {
    all[0]!.cursors.update({ x: 100 + turn });
    for (const { xs } of all.slice(1))
      await vi.waitFor(() => expect(xs()?.at(-1)).toBe(100 + turn), PATIENT);
  });
  for (const [own, { seen }] of all.entries()) {
    const later = seen.slice(counts[own]);
    // Each sees 19 others all the time.
    expect(later.every(({ value }) => value?.length === 19)).toBe(true);
  }
  for (const { client } of all) client.close();
});

test.concurrent('a call wakes it, and nobody is told anything', async () => {
  const all = await crowd('call', 5);
  const counts = all.map(({ seen }) => seen.length);
  await wake('call', () => all[0]!.client.lives());
  await sleep(200);
  expect(all.map(({ seen }) => seen.length)).toEqual(counts);
  all[1]!.cursors.update({ x: 7 });
  await vi.waitFor(() => expect(all[0]!.xs()).toEqual([2, 3, 4, 7]), PATIENT);
  for (const { client } of all) client.close();
});

test.concurrent('one that leaves wakes it, and is gone', async () => {
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

test.concurrent('one that joins wakes it, and sees all', async () => {
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
