/**
 * A development server that replaces a class creates a new instance of it, which receives the
 * sockets of the old instance. Their clients connect again, as after a deployment, because the new
 * instance has no data of the old one.
 */
import { runInDurableObject } from 'cloudflare:test';
import { DurableObject, env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { live, lumenizeRpcDO } from '../../../src/server.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { openSocket } from '../../support/open-socket.ts';
import type { TestEnv } from '../../worker.ts';

const env = bindings as TestEnv;
let instances = 0;
let instance = '';
let raw: RawConnection;

beforeEach(() => void (instance = `replaced ${++instances}`));
afterEach(() => void vi.unstubAllEnvs());

class Edited extends DurableObject<Env> {
  value(): string {
    return 'edited';
  }
}

const define = (): typeof Edited => lumenizeRpcDO(Edited, { value: live() }) as never;

/**
 * Runs code in the object of a binding. It receives a new instance of another class with the
 * object's `ctx`.
 */
async function withNewInstance(
  binding: 'HIBERNATING' | 'RESIDENT',
  act: (created: DurableObject, sockets: WebSocket[]) => unknown,
): Promise<void> {
  await runInDurableObject(env[binding].getByName(instance), async (_, ctx) => {
    await act(new (define())(ctx, env as never), ctx.getWebSockets());
  });
}

async function subscribed(binding: string, client?: string): Promise<RawConnection> {
  const opened = await RawConnection.socket(await openSocket(binding, instance, client), 'runs');
  await opened.exchange('["subscribe",1,null,"news"]');
  return opened;
}

const CLOSED = 'closed 1012 The code of the object has changed';

test('the next message closes every socket of the old instance', async () => {
  raw = await subscribed('HIBERNATING', 'one');
  const idle = await subscribed('HIBERNATING');
  await withNewInstance('HIBERNATING', async (created, [socket]) => {
    await created.webSocketMessage?.(socket as WebSocket, '[[2,"value"]]');
  });
  expect(await raw.next()).toBe(CLOSED);
  expect(await idle.next()).toBe(CLOSED);
});

test.each(['HIBERNATING', 'RESIDENT'] as const)(
  'in development, the construction of the new instance closes them: %s',
  async (binding) => {
    raw = await subscribed(binding, 'one');
    vi.stubEnv('NODE_ENV', 'development');
    await withNewInstance(binding, () => {});
    expect(await raw.next()).toBe(CLOSED);
  },
);

test('in development, another definition of the class wakes its objects', async () => {
  raw = await subscribed('HIBERNATING', 'one');
  vi.stubEnv('NODE_ENV', 'development');
  const fetched = vi.fn(async (_id: string) => new Response('[]'));
  await runInDurableObject(env.HIBERNATING.getByName(instance), (_, ctx) => {
    const namespace = Object.create({
      idFromName: (name: string) => env.HIBERNATING.idFromName(name),
      idFromString: (id: string) => env.HIBERNATING.idFromString(id),
      get: (id: DurableObjectId) => ({ fetch: () => fetched(`${id}`) }),
    }) as object;
    return void new (define())(ctx, { HIBERNATING: namespace, OTHER: 1 } as never);
  });
  define();
  define();
  const id = env.HIBERNATING.idFromName(instance);
  expect(fetched.mock.calls).toEqual([[`${id}`]]);
});

test('the sockets of the current instance stay open', async () => {
  raw = await subscribed('HIBERNATING', 'one');
  await raw.exchange('["subscribe",2,null,"topic"]');
  expect(raw.closed).toBeUndefined();
});
