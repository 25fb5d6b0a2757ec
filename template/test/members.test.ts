/** Tests of authentication: who may call, and as which user, over each transport. */
import { evictDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Members } from './members.ts';
import { connectAs, wayNames } from './support/member-clients.ts';
import type { TestEnv } from './worker.ts';

const env = bindings as TestEnv;

describe.each(wayNames)('a token in %s', (way) => {
  const connect = (name: string, token: string) => connectAs<Members>(token, 'MEMBERS', name, way);

  test('tells the methods who is calling', async () => {
    using ada = connect(way, 'token-of-ada');
    using bob = connect(way, 'token-of-bob');
    expect(await Promise.all([ada.whoAmI(), bob.whoAmI()])).toEqual(['Ada', 'Bob']);
    const later = await Promise.all([ada.whoAmILater(), bob.whoAmILater(), ada.whoAmI()]);
    expect(later).toEqual(['Ada', 'Bob', 'Ada']);
    await ada.clear();
    await expect(bob.clear()).rejects.toThrow('Only an admin may do this');
  });

  test('still does after hibernation', async () => {
    const name = `${way} evicted`;
    using bob = connect(name, 'token-of-bob');
    expect(await bob.whoAmI()).toBe('Bob');
    await evictDurableObject(env.MEMBERS.getByName(name));
    expect(await bob.whoAmI()).toBe('Bob');
  });

  test('that is unknown is refused before the object wakes', async () => {
    using nobody = connect('refused', 'token-of-eve');
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
