/** A client and its transport, seen from a port between the two. */
import * as Type from '../../../src/typebox.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bytes } from '../../../src/features/bytes/client/bytes.ts';
import { callback } from '../../../src/features/callbacks/client/callback.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { messagePortTransport } from '../../../src/client/transports/message-port.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import type { Transport, TransportEvents } from '../../../src/client/transport.ts';
import {
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
  withOptions,
} from '../../../src/client.ts';
import {
  bytes as binaryFrames,
  callback as callbackSchema,
  compileContract,
  live,
  read,
  servePort,
  streamOf,
  tokenOf,
} from '../../../src/server.ts';
import { FRAME_SIZE } from '../../../src/wire/limits.ts';
import type { Frame } from '../../../src/wire/messages.ts';

type Ask = (text: string) => Promise<unknown>;

class Served {
  readonly #gates = new Map<string, (value: unknown) => void>();

  echo(value: unknown): unknown {
    return value;
  }

  size(text: string): number {
    return text.length;
  }

  hold(name: string): Promise<unknown> {
    return new Promise((resolve) => this.#gates.set(name, resolve));
  }

  open(name: string, value?: unknown): void {
    this.#gates.get(name)?.(value);
  }

  isHeld(name: string): boolean {
    return this.#gates.has(name);
  }

  async ask(ask: Ask, name: string): Promise<unknown> {
    await this.hold(name);
    return ask(name);
  }

  all(values: unknown[]): unknown[] {
    return values;
  }

  async each(ask: Ask, values: unknown[]): Promise<unknown[]> {
    return [await ask('each'), ...values];
  }

  live(): number {
    return 1;
  }

  keep(onAsk: Ask): string {
    return tokenOf(onAsk);
  }

  async collect(values: AsyncIterable<unknown>): Promise<number> {
    let count = 0;
    for await (const _ of values) count++;
    return count;
  }
}

const anything = Type.Unknown();
const ask = callbackSchema([Type.String()], anything);
const entries = {
  echo: [anything],
  size: [Type.String()],
  hold: [Type.String()],
  open: [Type.String(), Type.Optional(anything)],
  isHeld: read([Type.String()]),
  ask: [ask, Type.String()],
  all: [Type.Array(anything)],
  each: [ask, Type.Array(anything)],
  live: live(),
  keep: [ask],
  collect: [streamOf(anything)],
};
const contract = compileContract(entries, { use: [binaryFrames] });

interface Seen {
  client: RpcClient<Served>;
  sent: Frame[];
  /** The events that the client gets from its transport. */
  events: () => TransportEvents;
  /** The size of each binary frame, after the client has read it. */
  sizes: number[];
  states: string[];
  /** `isCongested` is true if the transport reports that too much is waiting. */
  line: { isCongested: boolean };
}

function connect(options: RpcClientOptions = {}): Seen {
  const { port1, port2 } = new MessageChannel();
  const served = servePort(port2, new Served(), contract);
  const port = messagePortTransport(port1);
  const sent: Frame[] = [];
  const sizes: number[] = [];
  const states: string[] = [];
  const line = { isCongested: false };
  let events: TransportEvents | undefined;
  const transport: Transport = {
    ...port,
    connect(told) {
      events = told;
      port.connect({
        ...told,
        received(frame) {
          told.received(frame);
          if (frame instanceof ArrayBuffer) sizes.push(frame.byteLength);
        },
      });
    },
    send(frame) {
      sent.push(frame);
      port.send(frame);
    },
    isCongested: () => line.isCongested,
  };
  const client = createRpcClient<Served>('SERVED', 'x', {
    transport,
    onStateChange: (state) => states.push(state),
    ...options,
  });
  onTestFinished(() => {
    client.close();
    served.close();
  });
  return { client, sent, events: () => events as TransportEvents, sizes, states, line };
}

const held = (client: RpcClient<Served>, name: string): Promise<unknown> =>
  expect.poll(() => client.isHeld(name), { timeout: 50_000, interval: 1 }).toBe(true);

/** Returns the messages of frames other than calls. */
const controlsIn = (frames: readonly Frame[]): unknown[][] =>
  frames
    .flatMap((frame) => JSON.parse(frame as string) as unknown[][])
    .filter(([kind]) => typeof kind === 'string');

describe.each<[string, RpcClientOptions]>([
  ['no modules', {}],
  ['all modules', { bytes, capabilities }],
])('with %s', (_, options) => {
  test('the client waits for messages while a call has no answer, or while it has a subscription', async () => {
    const { client, events } = connect(options);
    await client.echo(1);
    expect(events().isAwaiting()).toBe(false);
    const call = client.hold('a');
    expect(events().isAwaiting()).toBe(true);
    await held(client, 'a');
    await client.open('a');
    await call;
    expect(events().isAwaiting()).toBe(false);
    const values = subscribe(client).live()[Symbol.asyncIterator]();
    await values.next();
    expect(events().isAwaiting()).toBe(true);
    const other = client.hold('b');
    await values.return?.();
    expect(events().isAwaiting()).toBe(true);
    await held(client, 'b');
    await client.open('b');
    await other;
    expect(events().isAwaiting()).toBe(false);
  });

  test('the client reports its states', async () => {
    const { client, states } = connect(options);
    await client.echo(1);
    client.close();
    expect(states).toEqual(['connecting', 'open', 'closed']);
  });
});

test('the client waits for messages while the object holds a function of the client', async () => {
  const { client, events } = connect();
  await client.echo(1);
  expect(events().isAwaiting()).toBe(false);
  await client.keep(callback(async () => 1));
  expect(events().isAwaiting()).toBe(true);
});

test('messages beside calls count for the size of a frame', async () => {
  const { client, sent } = connect();
  const slow = client.hold('slow');
  await held(client, 'slow');
  // These two calls fill a frame. The frame after them also says that many calls are settled.
  await Promise.all(Array.from({ length: 2_000 }, (_, index) => client.echo(index)));
  const overhead = '[[9999,"size",[""]],[9999,"size",[""]]]'.length;
  const half = 'x'.repeat((FRAME_SIZE - overhead) / 2);
  expect(await Promise.all([client.size(half), client.size(half)])).toEqual([
    half.length,
    half.length,
  ]);
  expect(Math.max(...sent.map((frame) => (frame as string).length))).toBeLessThan(FRAME_SIZE);
  await client.open('slow');
  await slow;
});

test('a frame that a congested transport holds back leaves later, without a message', async () => {
  const { client, line, sent } = connect();
  await client.echo(1);
  const { length } = sent;
  line.isCongested = true;
  const call = client.echo(2);
  // This wait is longer than the time after which the client looks again.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sent).toHaveLength(length);
  line.isCongested = false;
  expect(await call).toBe(2);
});

test('the memory of a binary frame is freed after it was read, and the memory of other bytes is not', async () => {
  const { client, events, sizes } = connect({ bytes });
  const value = new ArrayBuffer(2_000);
  expect(((await client.echo(value)) as ArrayBuffer).byteLength).toBe(2_000);
  expect(sizes).toEqual([0]);
  const other = new ArrayBuffer(2_000);
  events().received(other);
  expect(other.byteLength).toBe(2_000);
});

test('functions and bytes of a call stay apart when the call is encoded again', async () => {
  const { client } = connect({ bytes });
  const other = connect({ bytes }).client;
  const values = [1, 2, 3].map((byte) => new Uint8Array(2_000).fill(byte));
  const result = other.echo('there');
  // The call waits for another client, so its text is decoded and encoded again.
  const [asked, ...received] = await client.each(
    callback(async () => 'asked'),
    [...values, result],
  );
  expect(asked).toBe('asked');
  expect(received).toEqual([...values, 'there']);
});

describe('answers of functions', () => {
  test('that are large leave in frames that the object accepts', async () => {
    const { client, sent } = connect();
    const text = 'x'.repeat(1_500_000);
    const names = ['a', 'b', 'c'];
    const calls = names.map((name) =>
      client.ask(
        callback(async () => text),
        name,
      ),
    );
    for (const name of names) await held(client, name);
    const { length } = sent;
    // All calls are in one frame, so all functions are called in one turn.
    await Promise.all(names.map((name) => client.open(name)));
    expect((await Promise.all(calls)).map((answer) => (answer as string).length)).toEqual([
      1_500_000, 1_500_000, 1_500_000,
    ]);
    const sizes = sent.slice(length + 1).map((frame) => (frame as string).length);
    expect(Math.max(...sizes)).toBeLessThan(2 * text.length);
  });
});

describe('of settled calls, a frame names', () => {
  test('the calls after the oldest awaited call', async () => {
    const { client, sent } = connect();
    const [, slow] = [client.echo(1), client.hold('slow')];
    await held(client, 'slow');
    await Promise.all([client.echo(1), client.echo(2)]);
    await client.open('slow');
    await slow;
    const controls = controlsIn(sent);
    expect(controls[0]).toEqual(['awaits', 2]);
    for (const control of controls) expect(control.slice(0, 2)).toEqual(['awaits', 2]);
  });

  test('no call that was never sent', async () => {
    const { client, sent } = connect();
    const slow = client.hold('slow');
    await held(client, 'slow');
    const controller = new AbortController();
    const never = withOptions(client, { signal: controller.signal }).echo('never');
    const before = sent.length;
    controller.abort();
    await expect(never).rejects.toMatchObject({ code: 'ABORTED', message: 'echo was aborted' });
    await client.echo('next');
    const [awaits, ...more] = controlsIn(sent.slice(before));
    // The id belongs to no call.
    expect(sent.slice(before).join()).not.toContain('never');
    expect(more).toEqual([]);
    expect(awaits?.slice(0, 2)).toEqual(['awaits', 1]);
    const id = Number(/\[(\d+),"echo",\["next"\]\]/.exec(sent.join())?.[1]);
    expect(awaits).not.toContain(id - 1);
    await client.open('slow');
    await slow;
  });
});

test('a client without reconnection connects for a new call, and not for a call that has failed', async () => {
  const { client: other } = connect();
  const input = other.hold('input');
  const states: string[] = [];
  using client = createRpcClient<Served>('SERVED', 'x', {
    transport: 'http',
    reconnect: false,
    fetch: () => Promise.reject(new TypeError('down')),
    onStateChange: (state) => states.push(state),
  });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const lost = { code: 'DISCONNECTED' };
  const waiting = expect(client.echo(input)).rejects.toMatchObject(lost);
  await expect(client.echo(1)).rejects.toMatchObject(lost);
  await waiting;
  await held(other, 'input');
  await other.open('input');
  await input;
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(states).toEqual(['connecting', 'open', 'closed']);
  vi.restoreAllMocks();
});

test.each([Symbol.dispose, Symbol.asyncDispose] as const)('%s closes a client', async (symbol) => {
  const { client } = connect();
  await client.echo(1);
  await client[symbol]();
  await expect(client.echo(2)).rejects.toMatchObject({ code: 'CLOSED', message: 'Client closed' });
});
