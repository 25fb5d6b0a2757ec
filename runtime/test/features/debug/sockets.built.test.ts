/** A program can see the frames of sockets, and cut their connections. */
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { createRpcClient, type RpcClientOptions } from '../../../src/client.ts';
import { observeSockets, type SocketFrame } from '../../../src/debug.ts';
import { writeWithBytes } from '../../../src/wire/bytes.ts';
import { frameOf } from '../../../src/wire/encoded-message.ts';
import { encodeCall } from '../../../src/wire/messages.ts';
import { workersPlatform } from '../../calls/workers-platform.ts';
import type { Hibernating } from '../../worker.ts';

/** Connects a client to the Worker under test, and records its frames and the states of its connection. */
function observed(instance: string) {
  const frames: SocketFrame[] = [];
  const states: string[] = [];
  const { baseUrl, fetch } = workersPlatform;
  const { WebSocket, cut } = observeSockets(
    (frame) => frames.push(frame),
    workersPlatform.WebSocket,
  );
  const client = createRpcClient<Hibernating>('HIBERNATING', instance, {
    baseUrl,
    fetch,
    WebSocket,
    reconnect: { minDelay: 1, maxDelay: 1 },
    timeout: 100_000,
    onStateChange: (state) => states.push(state),
  });
  return { client, frames, states, cut };
}

/** A socket without a connection. */
class Socket extends EventTarget {
  readonly sent: unknown[] = [];
  readonly closed: unknown[][] = [];
  send(frame: string | ArrayBuffer): void {
    this.sent.push(frame);
  }
  close(...how: unknown[]): void {
    this.closed.push(how);
  }
  receive(data: string | ArrayBuffer): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
  end(): void {
    this.dispatchEvent(new Event('close'));
  }
}

/** Creates a `Socket`, and records which frames are shown and which its owner receives. */
function lone() {
  const shown: SocketFrame[] = [];
  const received: unknown[] = [];
  const { WebSocket, cut } = observeSockets((frame) => shown.push(frame), Socket);
  const socket = new WebSocket('wss://example.com', []) as unknown as Socket;
  socket.addEventListener('message', (event) => {
    received.push((event as MessageEvent).data);
  });
  return { socket, shown, received, cut };
}

describe('a frame is shown', () => {
  test('with its direction, its text and its size, in the order of the socket', async () => {
    const { client, frames } = observed('observed');
    expect(await client.add(1, 2)).toBe(3);
    await client.map('é');
    client.close();
    expect(frames).toEqual([
      { direction: 'up', text: '[[1,"add",[1,2]]]', bytes: 17 },
      { direction: 'down', text: '[[1,3]]', bytes: 7 },
      { direction: 'up', text: '[[2,"map",["é"]]]', bytes: 18 },
      { direction: 'down', text: '[[2,"é"]]', bytes: 10 },
    ]);
  });

  test('with its text alone and its full size, if it is binary', () => {
    const { socket, shown, received } = lone();
    const call = writeWithBytes((of) => encodeCall(1, 'store', [new ArrayBuffer(2_000)], of));
    const frame = frameOf([call]) as ArrayBuffer;
    const text = '[["bytes",2000],[1,"store","rich",[[[[1]]],["Bytes",0]]]]';
    const bytes = text.length + 2_001;
    socket.send(frame);
    socket.receive(frame);
    expect(shown).toEqual([
      { direction: 'up', text, bytes },
      { direction: 'down', text, bytes },
    ]);
    expect([socket.sent, received]).toEqual([[frame], [frame]]);
  });

  test('without a text, if it is a part of a binary frame', () => {
    const { socket, shown } = lone();
    socket.receive(new Uint8Array([0xff, 0xfe, 0]).buffer);
    socket.receive(new ArrayBuffer(0));
    expect(shown).toEqual([
      { direction: 'down', text: '', bytes: 3 },
      { direction: 'down', text: '', bytes: 0 },
    ]);
  });

  test('before its receiver reads it', () => {
    const order: string[] = [];
    const { WebSocket } = observeSockets(() => order.push('shown'), Socket);
    const socket = new WebSocket('wss://example.com', []) as unknown as Socket;
    socket.addEventListener('message', () => void order.push('read'));
    socket.receive('[[1,3]]');
    expect(order).toEqual(['shown', 'read']);
  });

  test('unless it is a heartbeat, which still passes', () => {
    const { socket, shown, received } = lone();
    socket.send('[]');
    socket.receive('[]');
    expect(shown).toEqual([]);
    expect([socket.sent, received]).toEqual([['[]'], ['[]']]);
  });
});

describe('a connection that cut() ends', () => {
  test('is replaced, and its calls run once', async () => {
    const { client, frames, states, cut } = observed('cut');
    expect(await client.add(1, 1)).toBe(2);
    const sum = client.add(3, 4);
    await Promise.resolve();
    expect(frames.at(-1)?.text).toBe('[[2,"add",[3,4]]]');
    await cut();
    expect(states).toContain('reconnecting');
    expect(await sum).toBe(7);
    client.close();
    // The first answer was lost, so the client sent the call again.
    const sent = frames.filter(({ text }) => text.includes('"add",[3,4]'));
    expect(sent.map(({ direction }) => direction)).toEqual(['up', 'up']);
    expect(frames.filter(({ text }) => text.includes('[2,7]'))).toHaveLength(1);
  });

  test('carries no more frames, and shows none', () => {
    const { socket, shown, received, cut } = lone();
    void cut();
    socket.send('[[1,"add"]]');
    socket.receive('[[1,3]]');
    expect(socket.closed).toEqual([[4000, expect.any(String)]]);
    expect([shown, socket.sent, received]).toEqual([[], [], []]);
  });

  test('is closed once, and cut() waits until the client knows it', async () => {
    const { socket, cut } = lone();
    const isDone = vi.fn<() => void>();
    const done = cut().then(isDone);
    await cut();
    expect(socket.closed).toHaveLength(1);
    expect(isDone).not.toHaveBeenCalled();
    socket.end();
    await done;
  });

  test('is not closed again if it has ended by itself', async () => {
    const { socket, cut } = lone();
    socket.end();
    await cut();
    expect(socket.closed).toEqual([]);
  });
});

test('observeSockets without a class extends the global WebSocket, and a client accepts the result', () => {
  const { WebSocket: Observed } = observeSockets(() => {});
  expect(Object.getPrototypeOf(Observed)).toBe(WebSocket);
  expectTypeOf(Observed).toExtend<NonNullable<RpcClientOptions['WebSocket']>>();
});
