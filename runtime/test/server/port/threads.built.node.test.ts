/** Tests an object in a worker thread of Node, whose client learns when the thread has ended. */
import { once } from 'node:events';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import * as Type from '../../../src/typebox.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { messagePortTransport } from '../../../src/client/transports/message-port.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { createRpcClient, type RpcClient } from '../../../src/client.ts';
import { debug } from '../../../src/features/debug/client/debug.ts';
import { closeClients, compileContract, read, servePort } from '../../../src/server.ts';
import { till, Till } from './till.ts';

function start(): { worker: Worker; client: RpcClient<Till> } {
  const worker = new Worker(join(import.meta.dirname, './thread.ts'));
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(port2, [port2]);
  const client = createRpcClient<Till>('TILL', 'x', { transport: messagePortTransport(port1) });
  onTestFinished(async () => {
    client.close();
    await worker.terminate();
  });
  return { worker, client };
}

test('calls and values cross, and a client that closes lets the thread end', async () => {
  const { worker, client } = start();
  const total = client.add(2);
  expect(await client.add(total)).toBe(4);
  const values: unknown[] = [];
  for await (const value of subscribe(client).sum()) {
    if (values.push(value) === 2) break;
    await client.add(1);
  }
  expect(values).toEqual([4, 5]);
  client.close();
  // The thread waits for nothing else.
  expect(await once(worker, 'exit')).toEqual([0]);
});

test('the end of the thread is the end of the connection', async () => {
  const { worker, client } = start();
  await client.sum();
  const lost = { code: 'DISCONNECTED', maybeExecuted: true };
  const never = expect(client.never()).rejects.toMatchObject(lost);
  await client.sum();
  await worker.terminate();
  await never;
  await expect(client.sum()).rejects.toMatchObject({ code: 'DISCONNECTED' });
});

test('the reason of an end is reported instead of the closing of the port', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const instance = new Till();
  const { port1, port2 } = new MessageChannel();
  servePort(port2, instance, till);
  const transport = messagePortTransport(port1);
  using client = createRpcClient<Till>('TILL', 'x', { transport, debug });
  await client.sum();
  const closed = once(port1, 'close');
  closeClients(instance, () => true);
  await closed;
  await expect(client.sum()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const ends = log.mock.calls.flat().filter((line) => /refused|lost/.test(String(line)));
  expect(ends).toEqual([expect.stringContaining('403: Closed by the object')]);
});

/** The text of this class is too long to be kept for calls that take it later. */
class Library {
  readonly counted: number[] = [];

  text(): string {
    return 'x'.repeat(3_000);
  }

  count(text: string): number {
    return this.counted.push(text.length);
  }
}

test('a call whose input is no longer kept is sent again as a new call', async () => {
  const instance = new Library();
  const { port1, port2 } = new MessageChannel();
  const contract = { text: read(), count: [Type.String()] } as const;
  servePort(port2, instance, compileContract(contract));
  using client = createRpcClient<Library>('LIBRARY', 'x', {
    transport: messagePortTransport(port1),
  });
  const heard: unknown[] = [];
  port1.on('message', (frame) => heard.push(frame));
  const text = client.text();
  // A separate frame takes the text, which has not arrived yet.
  for (let turn = 0; turn < 5; turn++) await undefined;
  expect(await client.count(text)).toBe(1);
  expect(heard).toContain('[[-2]]');
  expect(instance.counted).toEqual([3_000]);
});
