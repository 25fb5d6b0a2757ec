/**
 * Tests WebSockets on the object's side: which sockets count, and what happens after a client has
 * disconnected.
 */
import { runInDurableObject } from 'cloudflare:test';
import { type DurableObject, env as bindings, exports } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { connect } from '../../../src/testing/connect.ts';
import type { Chat, Hibernating, TestEnv } from '../../worker.ts';

const env = bindings as TestEnv;

async function openSocket(binding: string, name: string, protocol?: string): Promise<WebSocket> {
  const headers = new Headers({ Upgrade: 'websocket' });
  if (protocol) headers.set('Sec-WebSocket-Protocol', protocol);
  const request = new Request(`https://example.com/__rpc/${binding}/${name}/call`, { headers });
  const { webSocket } = await exports.default.fetch(request);
  webSocket?.accept();
  return webSocket as WebSocket;
}

test('WebSockets of the class itself do not count as connections', async () => {
  const own = [await openSocket('CHAT', 'many', 'chat'), await openSocket('CHAT', 'many', 'chat')];
  const options = { reconnect: false } as const;
  using client = connect<InstanceType<typeof Chat>>('CHAT', 'many', options);
  expect(await client.say('to all')).toBe(own.length);
  for (const socket of own) socket.close(1000);
});

test('after a hundred rejected messages, frames wait, and nine are handled at once', async () => {
  await openSocket('HIBERNATING', 'waiting', 'lumenize-rpc.1');
  const object = env.HIBERNATING.getByName('waiting');
  await runInDurableObject(object, (instance: Hibernating, state) => {
    const handlers = instance as DurableObject;
    const [socket] = state.getWebSockets() as [WebSocket];
    const send = (messages: unknown[][]): unknown =>
      handlers.webSocketMessage?.(socket, JSON.stringify(messages));
    const reject = (count: number): unknown =>
      send(Array.from({ length: count }, (_, index) => [index + 1, 'nothing']));
    const run = (name: string): unknown => send([[1, 'run', [name]]]);
    reject(99);
    run('at once');
    expect(instance.runs()).toEqual(['at once']);
    // The valid call has subtracted one.
    reject(2);
    const names = Array.from({ length: 9 }, (_, index) => `waiting ${index}`);
    for (const name of names.slice(0, 8)) run(name);
    expect(instance.runs()).toEqual(['at once']);
    run(names[8] as string);
    expect(instance.runs()).toEqual(['at once', ...names]);
  });
});

test('frames that still wait when the client disconnects are not handled', async () => {
  await openSocket('HIBERNATING', 'gone', 'lumenize-rpc.1');
  const object = env.HIBERNATING.getByName('gone');
  await runInDurableObject(object, async (instance: Hibernating, state) => {
    const handlers = instance as DurableObject;
    const [socket] = state.getWebSockets() as [WebSocket];
    const refused = Array.from({ length: 100 }, (_, index) => [index + 1, 'nothing']);
    await handlers.webSocketMessage?.(socket, JSON.stringify(refused));
    await handlers.webSocketMessage?.(socket, '[[101,"run",["late"]]]');
    await handlers.webSocketClose?.(socket, 1000, '', true);
    await scheduler.wait(10);
    expect(instance.runs()).toEqual([]);
  });
});

test('a frame that arrives after that is not handled either', async () => {
  await openSocket('HIBERNATING', 'late', 'lumenize-rpc.1');
  const object = env.HIBERNATING.getByName('late');
  await runInDurableObject(object, async (instance: Hibernating, state) => {
    const handlers = instance as DurableObject;
    const [socket] = state.getWebSockets() as [WebSocket];
    await handlers.webSocketClose?.(socket, 1000, '', true);
    await handlers.webSocketMessage?.(socket, '[[1,"run",["late"]]]');
    expect(instance.runs()).toEqual([]);
  });
});

test('an answer for a client that has disconnected is dropped', async () => {
  using other = connect<Hibernating>('HIBERNATING', 'answer', { transport: 'http' });
  const socket = await openSocket('HIBERNATING', 'answer', 'lumenize-rpc.1');
  socket.send('[[1,"hold",["it"]]]');
  await vi.waitUntil(async () => (await other.runs()).length > 0, { timeout: 50_000 });
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  socket.close(1000);
  await closed;
  expect(await other.release('it')).toBe(true);
  expect(await other.run('next', 1)).toBe(1);
});
