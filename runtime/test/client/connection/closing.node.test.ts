/** `close()` and `using` end everything that is pending, and leave nothing that keeps a process alive. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run as runToEnd } from '../../../../harness/guarded-process.mjs';
import { freePort } from '../../../../harness/ports.mjs';
import { until } from '../../../../harness/waiting.mjs';
import { type ConnectionState, createRpcClient } from '../../../src/client.ts';
import { serve } from '../../served/serve.ts';
import { failureOf } from '../../support/failure-of.ts';
import { Watched } from '../../support/watched.ts';
import { answerWith, ignore, Stub } from '../../served/stub.ts';
import type { Default } from '../../served/worker.ts';

const LONE_CLIENT = join(import.meta.dirname, 'lone-client-process.ts');

const worker = await serve();

/** Runs a process with one client until it ends by itself. @returns the lines that it printed */
async function run(situation: string, url: string): Promise<string[]> {
  const args = [LONE_CLIENT, situation, url];
  const { all } = await runToEnd(process.execPath, args, { output: 'pipe' });
  return all.split('\n').filter(Boolean);
}

describe('a process that closes its client ends by itself', () => {
  test('while it is idle', async () => {
    expect(await run('idle', worker.runtime.url)).toEqual([]);
  });

  test.each([
    ['to a server', () => worker.runtime.url],
    ['to an unused port', async () => `http://127.0.0.1:${await freePort()}`],
  ])('while it connects %s', async (_, url) => {
    expect(await run('connecting', await url())).toEqual(['CLOSED']);
  });

  test('while it connects to a server that never answers', async () => {
    using stub = await new Stub(ignore).listen();
    expect(await run('connecting', stub.url)).toEqual(['CLOSED']);
  });

  test('while a call is pending on an open connection', async () => {
    expect(await run('open', worker.runtime.url)).toEqual(['CLOSED']);
  });

  // There is no test with an open connection to a silent server, because Node's WebSocket waits for ever for the answer
  // to its close.

  test('while it waits for a late attempt to reconnect', async () => {
    using stub = await new Stub(answerWith(503, 'later')).listen();
    // The next attempt would be too late for the call.
    expect(await run('reconnecting', stub.url)).toEqual(['UNAVAILABLE']);
  });

  test('while a call is pending over HTTP', async () => {
    expect(await run('http', worker.runtime.url)).toEqual(['CLOSED']);
  });

  test('while no server listens over HTTP', async () => {
    const [code, ...more] = await run('http', `http://127.0.0.1:${await freePort()}`);
    // The next attempt would be too late for the call, which may learn this before the client is closed.
    expect(['CLOSED', 'DISCONNECTED']).toContain(code);
    expect(more).toEqual([]);
  });
});

test('a process with an idle HTTP client ends by itself, even without close()', async () => {
  expect(await run('http unclosed', worker.runtime.url)).toEqual(['answered 1']);
});

test('close ends the request that asks why an upgrade was rejected', async () => {
  const refuse = answerWith(503, 'later');
  using stub = await new Stub((socket, request) => {
    if (request.startsWith('GET')) refuse(socket, request);
  }).listen();
  const watched = new Watched<Default>('DEFAULT', 'asking', { baseUrl: stub.url });
  const call = failureOf(watched.client.add());
  await until(() => stub.requests.some((line) => line.startsWith('POST')));
  watched.client.close();
  expect((await call).code).toBe('CLOSED');
  await until(() => stub.open === 0);
});

test.each(['websocket', 'http'] as const)('over %s, close rejects all calls', async (transport) => {
  const watched = worker.watch(`closed ${transport}`, { transport });
  using other = worker.watch(`closed ${transport}`);
  expect(await watched.client.add()).toBe(1);
  const sent = failureOf(watched.client.wait('never'));
  await new Promise(setImmediate);
  // The answer to this call shows that the other call has been sent, too.
  expect(await watched.client.count()).toBe(1);
  const unsent = failureOf(watched.client.add());
  watched.client.close();
  const after = failureOf(watched.client.add());
  const message = 'Client closed';
  expect(await sent).toMatchObject({ code: 'CLOSED', message, maybeExecuted: true });
  expect(await unsent).toMatchObject({ code: 'CLOSED', message, maybeExecuted: false });
  expect(await after).toMatchObject({ code: 'CLOSED', message });
  // The object's side of the socket closes, too.
  await until(async () => (await other.client.sockets()) === 1);
  expect(await other.client.count()).toBe(1);
});

test.each([
  ['connecting', 0],
  ['open', 1],
] as const)(
  'a listener that closes the client when it is %s leaves %i sockets, which close',
  async (at, count) => {
    const sockets: WebSocket[] = [];
    const states: ConnectionState[] = [];
    const client = createRpcClient<Default>('DEFAULT', `closed when ${at}`, {
      baseUrl: worker.runtime.url,
      WebSocket: class extends WebSocket {
        constructor(url: string, protocols: string[]) {
          super(url, protocols);
          sockets.push(this);
        }
      },
      onStateChange(state) {
        states.push(state);
        if (state === at) client.close();
      },
    });
    expect((await failureOf(client.add())).code).toBe('CLOSED');
    await new Promise(setImmediate);
    expect(sockets).toHaveLength(count);
    await until(() => sockets.every(({ readyState }) => readyState === WebSocket.CLOSED));
    expect(states).toEqual([...(count ? ['connecting'] : []), at, 'closed']);
  },
);

test('await using closes a client', async () => {
  let call: ReturnType<typeof failureOf>;
  {
    await using client = worker.watch('await using').client;
    call = failureOf(client.wait('never'));
  }
  expect((await call).code).toBe('CLOSED');
});
