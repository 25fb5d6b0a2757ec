/**
 * Tests `connect` of lumenize-rpc/testing: the Worker that answers, the caller that an object sees,
 * and the requests that are refused.
 */
import { runInDurableObject } from 'cloudflare:test';
import { env as bindings, exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { routeDORequest, withCaller } from '../../src/server.ts';
import { connect, type ConnectOptions } from '../../src/testing.ts';
import type { Hibernating, TestEnv } from '../worker.ts';

const env = bindings as TestEnv;

const open = (name: string, options?: ConnectOptions) =>
  connect<Hibernating>('HIBERNATING', name, options);

test('uses a WebSocket by default', async () => {
  using client = open('default');
  await client.run('one');
  const { open: sockets } = await socketsOf('default');
  expect(sockets).toBe(1);
  using other = open('default over http', { transport: 'http' });
  await other.run('one');
  expect(await socketsOf('default over http')).toEqual({ open: 0 });
});

describe.each(['websocket', 'http'] as const)('over %s', (transport) => {
  test('reaches the object of the Worker under test', async () => {
    using client = open(`reached by ${transport}`, { transport });
    expect(await client.add(1, 2)).toBe(3);
    await client.run('here');
    expect(await env.HIBERNATING.getByName(`reached by ${transport}`).runs()).toEqual(['here']);
  });

  test('acts as a caller, and only its own calls have that caller', async () => {
    const name = `acts by ${transport}`;
    using ada = open(name, { transport, as: { user: 'Ada' } });
    using bob = open(name, { transport, as: { user: 'Bob', roles: ['admin'] } });
    using nobody = open(name, { transport, as: null });
    using guest = open(name, { transport });
    const callers = [ada, bob, ada, nobody, guest].map((client) => client.whoCalls());
    const [first, second] = [{ user: 'Ada' }, { user: 'Bob', roles: ['admin'] }];
    expect(await Promise.all(callers)).toEqual([first, second, first, 'nobody', 'nobody']);
  });

  test('acts as a caller whom the hooks of the Worker would refuse', async () => {
    const refuse = () => new Response('Log in', { status: 401 });
    const hooks = { onBeforeConnect: refuse, onBeforeRequest: refuse };
    const worker = { fetch: (request: Request) => routeDORequest(request, env, hooks) };
    using refused = open(`hooks by ${transport}`, { transport, worker });
    await expect(refused.whoCalls()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    using ada = open(`hooks by ${transport}`, { transport, as: { user: 'Ada' } });
    expect(await ada.whoCalls()).toEqual({ user: 'Ada' });
  });

  test('goes through another Worker, whose hooks receive the requests of the client', async () => {
    const seen: string[] = [];
    const name = (request: Request): Request => {
      const { headers } = request;
      seen.push(headers.get('X-Token') ?? headers.get('Sec-WebSocket-Protocol') ?? '');
      return withCaller(request, 'from a hook');
    };
    const hooks = { prefix: '/api', onBeforeConnect: name, onBeforeRequest: name };
    using client = open(`worker by ${transport}`, {
      transport,
      worker: { fetch: (request) => routeDORequest(request, env, hooks) },
      prefix: '/api',
      protocols: ['token.secret'],
      headers: { 'X-Token': 'token.secret' },
    });
    expect(await client.whoCalls()).toBe('from a hook');
    expect(seen).toEqual([expect.stringContaining('token.secret')]);
  });

  test('has the prefix of the client, also with a caller', async () => {
    using client = open(`prefix by ${transport}`, { transport, as: 'Ada', prefix: '/api' });
    expect(await client.whoCalls()).toBe('Ada');
  });

  test('is refused by a Worker that does not route the path', async () => {
    const worker = { fetch: () => undefined };
    using client = open('unrouted', { transport, worker });
    await expect(client.run('never')).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });
});

test('a stub of a Worker counts as a Worker', async () => {
  using client = open('stub', { worker: exports.default });
  expect(await client.add(1, 2)).toBe(3);
});

test('a caller and a Worker cannot be combined', () => {
  expect(() => open('both', { as: 'Ada', worker: exports.default })).toThrow(
    'With `as`, no Worker receives the requests',
  );
});

test('a caller that a hook could not name is refused at once', () => {
  expect(() => open('large', { as: 'x'.repeat(5_000) })).toThrow(RangeError);
});

/** Returns the number of open sockets of the object. */
async function socketsOf(name: string): Promise<{ open: number }> {
  return runInDurableObject(env.HIBERNATING.getByName(name), (_, state) => ({
    open: state.getWebSockets().length,
  }));
}
