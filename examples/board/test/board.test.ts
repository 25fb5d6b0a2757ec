/**
 * Tests the board: the permissions of each role, the changes that others see, and the data that
 * remain.
 */
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import {
  bytes,
  capabilities,
  capabilityAt,
  presence,
  stream,
  subscribe,
  tokenOf,
} from 'lumenize-rpc/client';
import { routeDORequest } from 'lumenize-rpc/server';
import { collect, connect } from 'lumenize-rpc/testing';
import type { Board } from '../src/board.ts';
import { nameCaller } from '../src/board-caller.ts';
import type { Visitor } from '../src/board-link.ts';
import { moved } from '../src/board-moves.ts';

const enter = (board: string, user: string) =>
  connect<Board>('BOARD', board, { as: { user }, capabilities, bytes });

/** Creates a board of Ada with cards. Bob is an editor, and Eve is a viewer. */
async function prepare(board: string) {
  const [ada, bob, eve] = [enter(board, 'Ada'), enter(board, 'Bob'), enter(board, 'Eve')];
  for (const one of [ada, bob, eve]) await one.join();
  await ada.setRole('Bob', 'editor');
  for (const title of ['one', 'two', 'three']) await ada.add(title);
  const { todo } = await ada.lanes();
  return { ada, bob, eve, ids: todo.map(({ id }) => id) as [string, string, string] };
}

const titles = async (board: { lanes(): PromiseLike<Record<string, { title: string }[]>> }) =>
  Object.values(await board.lanes()).map((lane) => lane.map(({ title }) => title));

test('each role has exactly the permissions that its members need', async () => {
  const { ada, bob, eve, ids } = await prepare('roles');
  expect(await eve.members()).toEqual([
    { user: 'Ada', role: 'owner' },
    { user: 'Bob', role: 'editor' },
    { user: 'Eve', role: 'viewer' },
  ]);
  await bob.move(ids[0], 'doing');
  const refused = { code: 'FORBIDDEN' };
  await expect(eve.move(ids[1], 'doing')).rejects.toMatchObject(refused);
  await expect(eve.add('four')).rejects.toThrow('Eve is viewer here, and not editor');
  await expect(bob.setRole('Eve', 'editor')).rejects.toMatchObject(refused);
  await expect(bob.share()).rejects.toMatchObject(refused);
  expect(await titles(eve)).toEqual([['two', 'three'], ['one'], []]);
  await ada.setRole('Eve', 'editor');
  await eve.move(ids[1], 'doing', ids[0]);
  expect(await titles(bob)).toEqual([['three'], ['two', 'one'], []]);
  await expect(ada.setRole('Ada', 'viewer')).rejects.toThrow('A board needs an owner');
});

test('the hook names the caller that a page claims to be', async () => {
  const worker = {
    fetch: (request: Request) => routeDORequest(request, env, { onBeforeConnect: nameCaller }),
  };
  const connectAs = (protocol: string) =>
    connect<Board>('BOARD', 'hook', { worker, protocols: [protocol] });
  using zoe = connectAs(`user.${encodeURIComponent('Zoë')}`);
  await zoe.join();
  expect(await zoe.members()).toEqual([{ user: 'Zoë', role: 'owner' }]);
  using visitor = connectAs('visitor');
  await expect(visitor.members()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a caller without a name can neither read nor write', async () => {
  await prepare('unnamed');
  using nobody = connect<Board>('BOARD', 'unnamed', { as: null });
  using visitor = connect<Board>('BOARD', 'unnamed', { as: { visitor: true } });
  for (const stranger of [nobody, visitor]) {
    const calls = [
      stranger.join(),
      stranger.lanes(),
      stranger.history(),
      stranger.members(),
      stranger.add('x'),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const cursors = subscribe(stranger).cursors()[Symbol.asyncIterator]();
    await expect(cursors.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
});

test('all members see a move, and unmoved cards are the same objects', async () => {
  const { bob, eve, ids } = await prepare('moves');
  const seen = collect(subscribe(eve).lanes());
  await expect.poll(() => seen.length).toBe(1);
  await bob.move(ids[0], 'done');
  await expect.poll(() => seen.length).toBe(2);
  const [before, after] = seen;
  expect(after).toEqual(before && moved(before, ids[0], 'done'));
  expect(after?.todo[0]).toBe(before?.todo[1]);
  expect(after?.doing).toBe(before?.doing);
});

test.each([
  ['before another card', 'todo', 2, 'todo', 0, [['three', 'one', 'two'], [], []]],
  ['before itself', 'todo', 1, 'todo', 1, [['one', 'two', 'three'], [], []]],
  ['before a card of another lane', 'todo', 0, 'done', 1, [['two', 'three'], [], ['one']]],
] as const)('a card is moved %s', async (name, _from, card, lane, before, expected) => {
  const { ada, ids } = await prepare(name);
  await ada.move(ids[card], lane, ids[before]);
  expect(await titles(ada)).toEqual(expected);
});

test('a cursor is visible while its client is connected', async () => {
  const { ada, bob } = await prepare('cursors');
  const others = presence(bob, (board) => board.cursors());
  const stop = others.subscribe(() => {});
  const own = presence(ada, (board) => board.cursors());
  own.subscribe(() => {});
  own.update(0.25, 0.5);
  const shown = () => others.get().value?.map(({ value }) => value);
  await expect.poll(shown).toEqual([{ user: 'Ada', x: 0.25, y: 0.5 }]);
  ada.close();
  await expect.poll(shown).toEqual([]);
  stop();
});

test('the activity can be read backwards from the newest page, and continues live', async () => {
  const { ada, eve } = await prepare('history');
  for (let index = 0; index < 40; index++) await ada.add(`card ${index}`);
  const newest = await eve.history();
  const followed = collect(subscribe(eve, { after: newest.after }).activity());
  await ada.add('the last');
  await expect.poll(() => followed.map(({ text }) => text)).toEqual(['added “the last”']);
  const pages = [newest];
  while (pages[0]?.before) pages.unshift(await eve.history(pages[0].before));
  const texts = pages.flatMap(({ events }) => events.map(({ event }) => event.text));
  expect(texts.slice(0, 3)).toEqual(['made Bob editor', 'added “one”', 'added “two”']);
  expect(texts.slice(-40)).toEqual(Array.from({ length: 40 }, (_, i) => `added “card ${i}”`));
});

test('a file is attached, read by viewers, replaced, and deleted with its card', async () => {
  const { bob, eve, ids } = await prepare('files');
  const content = crypto.getRandomValues(new Uint8Array(60_000));
  const attach = (name: string, size: number) =>
    bob.attach(ids[0], name, size, stream(new Blob([content]).stream()));
  const stored = async () => {
    const id = env.BOARD.idFromName('files');
    return (await env.BOARD_FILES.list({ prefix: `${id}/` })).objects.map(({ size }) => size);
  };
  await attach('plan.pdf', 60_000);
  await attach('plan 2.pdf', 60_000);
  await expect(attach('short.pdf', 60_001)).rejects.toThrow();
  await expect(attach('long.pdf', 59_999)).rejects.toThrow();
  expect(await stored()).toEqual([60_000]);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of subscribe(eve).file(ids[0]))
    pieces.push(piece as Uint8Array<ArrayBuffer>);
  expect(await new Blob(pieces).bytes()).toEqual(content);
  expect((await eve.lanes()).todo[0]).toMatchObject({ title: 'one', file: 'plan 2.pdf' });
  await expect(eve.attach(ids[0], 'x', 1, stream(new Blob(['x']).stream()))).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  await bob.remove(ids[0]);
  expect(await stored()).toEqual([]);
});

test('a link shows the cards until it is revoked', async () => {
  const { ada } = await prepare('link');
  const token = tokenOf(await ada.share());
  expect(tokenOf(await ada.share())).toBe(token);
  const client = connect<Board>('BOARD', 'link', { as: { visitor: true }, capabilities });
  const visitor = capabilityAt<Visitor>(client, token);
  const lanes = subscribe(visitor).lanes()[Symbol.asyncIterator]();
  expect((await lanes.next()).value?.todo).toHaveLength(3);
  await evictDurableObject(env.BOARD.getByName('link'));
  await ada.unshare();
  await expect(lanes.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const again = tokenOf(await ada.share());
  expect(again).not.toBe(token);
  client.reconnect();
  await expect(visitor.lanes()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await capabilityAt<Visitor>(client, again).lanes()).todo).toHaveLength(3);
});
