/** Tests the statements of docs/comparison.md about Cap'n Web. */
import { newMessagePortRpcSession, RpcTarget } from 'capnweb';
import { afterEach, beforeEach, expect, test } from 'vitest';

class Target extends RpcTarget {
  #count = 0;

  increment(by = 1): number {
    return (this.#count += by);
  }

  echo(value: unknown): unknown {
    return value;
  }

  async textOf(value: Blob | Request | Response): Promise<string> {
    return `${value.constructor.name} ${await value.text()}`;
  }

  call(callback: () => number): number | Promise<number> {
    return callback();
  }

  /** Returns an object that clients can call. */
  self(): Target {
    return this;
  }

  private secret(): string {
    return 'private';
  }
}

const PATIENCE = { timeout: 50_000 };

let channel: MessageChannel;
let frames: number;
// oxlint-disable-next-line typescript/no-explicit-any -- wrong calls are the subject
let api: any;

beforeEach(() => {
  channel = new MessageChannel();
  frames = 0;
  for (const port of [channel.port1, channel.port2]) {
    const send = port.postMessage.bind(port);
    port.postMessage = (message: unknown) => {
      frames++;
      send(message);
    };
  }
  newMessagePortRpcSession(channel.port2, new Target());
  api = newMessagePortRpcSession(channel.port1);
});

afterEach(() => {
  api[Symbol.dispose]();
  channel.port1.close();
});

test('an awaited call takes four frames', async () => {
  // The last frame releases the result, and leaves after the answer.
  const released = (count: number) => expect.poll(() => frames, PATIENCE).toBe(count);
  expect(await api.increment()).toBe(1);
  await released(4);
  expect(await api.increment()).toBe(2);
  await released(8);
});

test('a method receives arguments of the wrong type', async () => {
  expect(await api.increment('x')).toBe('0x');
});

test('a private method can be called', async () => {
  expect(await api.secret()).toBe('private');
});

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

test.each([
  ['a Map', new Map(), 'Cannot serialize value'],
  ['a Set', new Set(), 'Cannot serialize value'],
  ['a RegExp', /x/, 'Cannot serialize value'],
  ['a cycle', cycle, 'exceeded maximum allowed depth'],
])('%s is refused', (_, value, message) => {
  expect(() => api.echo(value)).toThrow(message);
});

test.each([
  ['a Date', new Date(5)],
  ['a bigint', 5n],
  ['bytes', new Uint8Array([1, 2])],
])('%s arrives as an equal value', async (_, value) => {
  expect(await api.echo(value)).toEqual(value);
});

test.each([
  ['a Blob', new Blob(['text'])],
  ['a Request', new Request('https://example.com', { method: 'POST', body: 'text' })],
  ['a Response', new Response('text')],
])('%s arrives', async (_, value) => {
  expect(await api.textOf(value)).toBe(`${value.constructor.name} text`);
});

test('an object that is sent twice arrives as two objects', async () => {
  const shared = { a: 1 };
  const [one, other] = await api.echo([shared, shared]);
  expect(one).toEqual(other);
  expect(one).not.toBe(other);
});

test('the other side calls a function', async () => {
  expect(await api.call(() => 5)).toBe(5);
});

test('a call of an object that has not arrived yet is sent at once', async () => {
  expect(await api.self().self().increment()).toBe(1);
});

test('a call whose answer is lost rejects, although it has run, and so do later calls', async () => {
  const target = new Target();
  const { port1, port2 } = new MessageChannel();
  const send = port2.postMessage.bind(port2);
  newMessagePortRpcSession(port2, target);
  const client: typeof api = newMessagePortRpcSession(port1);
  const failed = (call: Promise<unknown>) => expect(call).rejects.toThrow('closed');
  const answered = new Promise<void>((resolve) => {
    port2.postMessage = () => {
      send(null); // In place of the answer, the client gets the message that the session has ended.
      resolve();
    };
  });
  const lost = failed(client.increment());
  await answered;
  await lost;
  await failed(client.increment());
  expect(target.increment(0)).toBe(1);
  port1.close();
});
