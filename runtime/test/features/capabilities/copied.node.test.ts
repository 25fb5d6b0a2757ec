/**
 * An object has a copy of another object's storage, as after a fork or a restored backup. These tests show which
 * capabilities, calls and cursors of the original it accepts, as docs/security.md says.
 */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryFolder } from '../../../../harness/runtime/memory-folder.mjs';
import { Runtime } from '../../../../harness/runtime.ts';
import { createRpcClient } from '../../../src/client.ts';
import {
  capabilities,
  capabilityAt,
  tokenOf,
} from '../../../src/features/capabilities/client/capabilities.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { failureOf } from '../../support/failure-of.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { PATIENT } from '../../support/watched.ts';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import type { Bank, Session } from './bank.ts';
import type { Client } from './serve.ts';

const folder = mkdtempSync(join(memoryFolder(), 'lumenize-rpc-copied-'));
let runtime: Runtime;

beforeAll(async () => {
  const config = { main: join(import.meta.dirname, 'worker.ts'), bindings: { BANK: 'Bank' } };
  runtime = await Runtime.serve({ config }, folder);
});

afterAll(async () => {
  await runtime.stop();
  rmSync(folder, { recursive: true });
});

const connect = (instance: string): Client =>
  createRpcClient<Bank>('BANK', instance, { baseUrl: runtime.url, capabilities, ...PATIENT });

/** Returns the paths of the databases of all objects. */
const databases = (): string[] =>
  readdirSync(folder, { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => path.endsWith('.sqlite') && !path.includes('metadata'));

/** Creates an object, and returns the path of its database. */
async function create(instance: string): Promise<string> {
  const before = databases();
  using client = connect(instance);
  await client.login('token of nobody');
  return databases().find((path) => !before.includes(path)) as string;
}

/** Replaces the storage of an object while the runtime is stopped. */
async function copy(from: string, to: string): Promise<void> {
  await runtime.kill();
  for (const ending of ['', '-wal']) {
    rmSync(to + ending, { force: true });
    copyFileSync(from + ending, to + ending);
  }
  // This file belongs to the replaced log.
  rmSync(`${to}-shm`, { force: true });
  await runtime.start();
}

test('a copy accepts the capabilities of before, each until it is revoked at the copy itself', async () => {
  const from = await create('original');
  const to = await create('copy');
  using original = connect('original');
  const ann = await original.login('token of ann');
  const bob = await original.login('token of bob');
  await ann.transfer('carl', 1);
  await copy(from, to);
  using copied = connect('copy');
  const at = (session: object) => capabilityAt<Session>(copied, tokenOf(session));
  const [annThere, bobThere] = [at(ann), at(bob)];
  expect([await annThere.balance(), await bobThere.balance()]).toEqual([99, 100]);

  // A capability that is revoked at the original stays valid at the copy, and the other way round.
  await original.takeBack('ann');
  expect(await failureOf(ann.balance())).toMatchObject({ code: 'FORBIDDEN' });
  expect(await annThere.balance()).toBe(99);
  await copied.takeBack('bob');
  expect(await failureOf(bobThere.balance())).toMatchObject({ code: 'FORBIDDEN' });
  expect(await bob.balance()).toBe(100);

  // Neither object accepts a capability that the other returns later.
  const dora = await original.login('token of dora');
  expect(await failureOf(at(dora).balance())).toMatchObject({ code: 'FORBIDDEN' });
  const again = await original.login('token of ann');
  expect(await failureOf(at(again).balance())).toMatchObject({ code: 'FORBIDDEN' });
});

test('a copy answers the calls of before from the journal, and runs later calls', async () => {
  const from = await create('journaled');
  const to = await create('journaled copy');
  const post = (instance: string): RawConnection => {
    const path = `/__rpc/BANK/${encodeURIComponent(instance)}/call`;
    return RawConnection.post(`${runtime.url}${path}`, { client: 'one-client' });
  };
  const ask = (instance: string, frame: string): Promise<string> => {
    const raw = post(instance);
    raw.send(frame);
    return raw.next();
  };
  const capability = /"Session",.*"ann"/.exec(
    await ask('journaled', '[[1,"login",["token of ann"]]]'),
  )?.[0];
  const transfer = (id: number): string =>
    `[["awaits",1],["resent",${id}],[${id},["transfer",${capability}],["bob",1]]]`;
  expect(await ask('journaled', transfer(2))).toBe('[[2,99]]');
  await copy(from, to);
  expect(await ask('journaled', transfer(3))).toBe('[[3,98]]');
  expect(await ask('journaled copy', transfer(2))).toBe('[[2,99]]');
  expect(await ask('journaled copy', transfer(3))).toBe('[[3,98]]');
  expect(await ask('journaled copy', transfer(2))).toBe('[[2,99]]');
  using copied = connect('journaled copy');
  expect(await (await copied.login('token of ann')).balance()).toBe(98);
});

test('a copy goes on after the cursors of before, and rejects later cursors', async () => {
  const from = await create('followed');
  const to = await create('followed copy');
  using original = connect('followed');
  const ann = await original.login('token of ann');
  const bob = await original.login('token of bob');
  const heard = subscribe(bob).inbox();
  const loop = new Loop(heard);
  await bob.balance();
  await ann.transfer('bob', 1);
  await loop.has(1);
  const before = heard.cursor as string;
  await copy(from, to);
  await ann.transfer('bob', 2);
  await loop.has(2);
  const later = heard.cursor as string;

  using copied = connect('followed copy');
  const there = capabilityAt<Session>(copied, tokenOf(bob));
  await capabilityAt<Session>(copied, tokenOf(ann)).transfer('bob', 3);
  const goingOn = new Loop(subscribe(there, { after: before }).inbox());
  expect(await goingOn.has(1)).toEqual(['3 from ann']);
  // The position is the same, but its event is another.
  const expired = new Loop(subscribe(there, { after: later }).inbox());
  await expect(expired.ended).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  expect(loop.heard).toEqual(['1 from ann', '2 from ann']);
});

test('an object that is restored to an earlier time accepts capabilities that were revoked since, and none that are newer', async () => {
  const database = await create('restored');
  const backup = join(folder, 'backup');
  using client = connect('restored');
  const ann = await client.login('token of ann');
  await copy(database, backup);
  await ann.transfer('bob', 1);
  await client.takeBack('ann');
  expect(await failureOf(ann.balance())).toMatchObject({ code: 'FORBIDDEN' });
  const bob = await client.login('token of bob');
  await copy(backup, database);
  expect(await ann.balance()).toBe(100);
  expect(await failureOf(bob.balance())).toMatchObject({ code: 'FORBIDDEN' });
});
