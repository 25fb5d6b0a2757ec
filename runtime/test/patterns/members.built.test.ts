/** Authentication: who can call, and as which user, over each transport. */
import { evictDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { connect, type ConnectOptions } from '../../src/testing.ts';
import { type Members, routeMembers } from './members.ts';
import type { TestEnv } from '../worker.ts';

const env = bindings as TestEnv;

/** The Worker of the example, whose hooks read the token. */
const worker = { fetch: (request: Request) => routeMembers(request, env) };

const WAYS: [string, (token: string) => ConnectOptions][] = [
  ['a subprotocol of a WebSocket', (token) => ({ protocols: [`token.${token}`] })],
  [
    'a header of a POST',
    (token) => ({ transport: 'http', headers: { Authorization: `Bearer ${token}` } }),
  ],
];

describe.each(WAYS)('a token in %s', (way, withToken) => {
  const enter = (name: string, token: string) =>
    connect<Members>('MEMBERS', name, { worker, ...withToken(token) });

  test('tells the methods who is calling', async () => {
    using ada = enter(way, 'token-of-ada');
    using bob = enter(way, 'token-of-bob');
    expect(await Promise.all([ada.whoAmI(), bob.whoAmI()])).toEqual(['Ada', 'Bob']);
    const later = await Promise.all([ada.whoAmILater(), bob.whoAmILater(), ada.whoAmI()]);
    expect(later).toEqual(['Ada', 'Bob', 'Ada']);
    await ada.clear();
    await expect(bob.clear()).rejects.toThrow('Only an admin may do this');
  });

  test('still tells them after hibernation', async () => {
    const name = `${way} evicted`;
    using bob = enter(name, 'token-of-bob');
    expect(await bob.whoAmI()).toBe('Bob');
    await evictDurableObject(env.MEMBERS.getByName(name));
    expect(await bob.whoAmI()).toBe('Bob');
  });

  test('that is unknown is rejected before the object wakes', async () => {
    using nobody = enter('refused', 'token-of-eve');
    await expect(nobody.whoAmI()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      status: 401,
      message: expect.stringContaining('No such member'),
    });
  });
});

test('native Workers RPC has no caller', async () => {
  expect(await env.MEMBERS.getByName('native').whoAmI()).toBeUndefined();
});
