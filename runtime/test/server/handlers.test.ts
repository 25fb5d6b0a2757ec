/**
 * Tests the handlers as the runtime calls them, and as a class calls them that wires them itself.
 */
import { runInDurableObject } from 'cloudflare:test';
import { DurableObject, env as bindings, exports } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import { describe, expect, test } from 'vitest';
import {
  closeClients,
  compileContract,
  connectedCallers,
  type Contract,
  type ContractOptions,
  handleRpcRequest,
  lumenizeRpcDO,
} from '../../src/server.ts';
import { openSocket } from '../support/open-socket.ts';
import type { Hibernating, TestEnv } from '../worker.ts';

const env = bindings as TestEnv;

test('a method that the contract lists and the class lacks is not found', async () => {
  expect(await postTo('no method', () => '[[1,"nothing"]]', { nothing: [] })).toMatch(
    /The object has no method nothing.*METHOD_NOT_FOUND/,
  );
});

test('a POST may have as many calls as a second allows', async () => {
  const calls = [1, 2, 3].map((id) => `[${id},"length",["a"]]`);
  const contract = { length: [Type.String()] };
  const options = { limits: { callsPerSecond: 2 } };
  expect(await postTo('calls per second', () => `[${calls.join()}]`, contract, options)).toMatch(
    /^\[\[1,1\],\[2,1\],\[3,"error",.*callsPerSecond is at most 2/,
  );
});

describe('a body', () => {
  const contract = { length: [Type.String()] };
  const options = { limits: { frameSize: 1_000 } };
  /** Returns a frame of this number of characters. */
  const sized = (size: number, character: string): string =>
    `[[1,"length",["${character.repeat(size - 19)}"]]]`;
  const exceeded = /"frameSize is at most 1000".*LIMIT_EXCEEDED/;

  test.each([
    ['as many characters as the limit allows, of three bytes', sized(1_000, '€'), '[[1,981]]'],
    ['one character more than the limit allows', sized(1_001, '€'), exceeded],
    ['one character more than the limit allows, of one byte', sized(1_001, 'x'), exceeded],
    ['as many bytes as the limit allows', '€'.repeat(1_000), /"Malformed frame".*BAD_MESSAGE/],
  ])('%s: with a length and without', async (_, body, answer) => {
    for (const hasLength of [true, false]) {
      const bytes = new TextEncoder().encode(body);
      // The body comes in two parts, which divide a character.
      const parts = [bytes.slice(0, 501), bytes.slice(501)];
      const stream = (): ReadableStream<Uint8Array> =>
        new ReadableStream({
          pull: (controller) => {
            const part = parts.shift();
            if (part) controller.enqueue(part);
            else controller.close();
          },
        });
      const sent = hasLength ? () => bytes : stream;
      expect(await postTo('a body', sent, contract, options)).toMatch(
        typeof answer === 'string' ? new RegExp(`^${answer.replaceAll('[', '\\[')}$`) : answer,
      );
    }
  });

  test('that is too long by its own length is not read', async () => {
    let reads = 0;
    const unread = (): ReadableStream<Uint8Array> =>
      new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            reads++;
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    const headers = { 'Content-Length': '3001' };
    expect(await postTo('a length', unread, contract, options, headers)).toMatch(exceeded);
    expect(reads).toBe(0);
  });
});

describe('a stream in memory', () => {
  test.each<[string, boolean, (instance: Hibernating, socket: WebSocket) => unknown]>([
    [
      'waits for a client that may connect again',
      false,
      (instance, socket) => leave(instance, socket, 4399),
    ],
    [
      'ends with a connection that is closed for good',
      true,
      (instance, socket) => leave(instance, socket, 4400),
    ],
    [
      'ends with connections that the object closes',
      true,
      (instance) =>
        expect([closeClients(instance, () => true), closeClients(instance, () => true)]).toEqual([
          1, 0,
        ]),
    ],
    [
      'ends with a connection that had too many rejected messages',
      true,
      (instance, socket) => {
        while (socket.readyState === WebSocket.OPEN) {
          void (instance as DurableObject).webSocketMessage?.(socket, 'unreadable');
        }
      },
    ],
  ])('%s', async (name, isEnded, end) => {
    const socket = await openSocket('HIBERNATING', name, 'reader');
    const heard = new Promise((resolve) =>
      socket.addEventListener('message', resolve, { once: true }),
    );
    socket.send('[["subscribe",1,null,"series",["it",1000]]]');
    await heard;
    await runInDurableObject(env.HIBERNATING.getByName(name), (instance: Hibernating, state) => {
      end(instance, state.getWebSockets()[0] as WebSocket);
      expect(instance.runs()).toEqual(isEnded ? ['it ended'] : []);
      // The stream must not outlast the test.
      if (!isEnded) closeClients(instance, () => true);
    });
    socket.close();
  });
});

test('each open connection has its caller, and a closed connection has none', async () => {
  const names = ['one', 'two', 'three'];
  const sockets = await Promise.all(names.map((id) => openSocket('HIBERNATING', 'callers', id)));
  const stub = env.HIBERNATING.getByName('callers');
  await runInDurableObject(stub, (instance: Hibernating, state) => {
    expect(connectedCallers(instance)).toEqual([undefined, undefined, undefined]);
    leave(instance, state.getWebSockets()[0] as WebSocket, 1000);
    expect(connectedCallers(instance)).toHaveLength(2);
    closeClients(instance, () => true);
    expect(connectedCallers(instance)).toEqual([]);
  });
  for (const socket of sockets) socket.close();
});

function leave(instance: Hibernating, socket: WebSocket, code: number): void {
  void (instance as DurableObject).webSocketClose?.(socket, code, '', true);
}

test.each(['HIBERNATING', 'RESIDENT'] as const)(
  '%s: a client without an id ends no connection of another',
  async (binding) => {
    const sockets = [await openSocket(binding, 'nameless'), await openSocket(binding, 'nameless')];
    for (const socket of sockets) {
      const answer = new Promise((resolve) => {
        socket.addEventListener('message', ({ data }) => resolve(data));
        socket.addEventListener('close', () => resolve('closed'));
      });
      socket.send('[[1,"add",[1,2]]]');
      expect(await answer).toBe('[[1,3]]');
      socket.close();
    }
  },
);

test('a client that is refused for too many connections learns the limit', async () => {
  const sockets = [await openSocket('CHAT', 'full'), await openSocket('CHAT', 'full')];
  const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': 'lumenize-rpc.1' };
  const response = await exports.default.fetch('https://example.com/__rpc/CHAT/full/call', {
    headers,
  });
  expect([response.status, await response.text()]).toEqual([
    503,
    'The object has too many connections: see limits.connections',
  ]);
  for (const socket of sockets) socket.close();
});

test("the class's own handlers are awaited, and receive all arguments", async () => {
  const told: unknown[][] = [];
  class Own extends DurableObject<Env> {
    override async webSocketMessage(ws: WebSocket, message: string | ArrayBuffer): Promise<void> {
      await tell(ws, 'message', message);
    }

    override async webSocketClose(ws: WebSocket, ...rest: unknown[]): Promise<void> {
      await tell(ws, 'close', ...rest);
    }

    override async webSocketError(ws: WebSocket, error: unknown): Promise<void> {
      await tell(ws, 'error', error);
    }
  }
  async function tell(_: WebSocket, ...what: unknown[]): Promise<void> {
    await scheduler.wait(0);
    told.push(what);
  }
  const Wrapped = lumenizeRpcDO(Own, {});
  await runInDurableObject(env.HIBERNATING.getByName('own handlers'), async (_, state) => {
    const own: DurableObject = new Wrapped(state, env);
    const { 1: socket } = new WebSocketPair();
    state.acceptWebSocket(socket, ['own']);
    const error = new Error('gone');
    await own.webSocketMessage?.(socket, 'hello');
    expect(told).toEqual([['message', 'hello']]);
    await own.webSocketError?.(socket, error);
    expect(told.at(-1)).toEqual(['error', error]);
    await own.webSocketClose?.(socket, 3001, 'done', false);
    expect(told.at(-1)).toEqual(['close', 3001, 'done', false]);
  });
});

/** Answers a POST in a Durable Object, by a contract of the test. */
async function postTo(
  name: string,
  body: () => BodyInit,
  contract: Contract,
  options: ContractOptions = {},
  more: Record<string, string> = {},
): Promise<string> {
  const headers = { 'Content-Type': 'application/json', ...more };
  const compiled = compileContract(contract, options);
  const methods = { length: (text: string) => text.length };
  return runInDurableObject(env.HIBERNATING.getByName(name), async (_, ctx) => {
    // The body is created here, because the Workers runtime lets no other object read it.
    const sent = { method: 'POST', headers, body: body() };
    const request = new Request('https://example.com/call', sent);
    const response = await handleRpcRequest(request, { ctx, ...methods }, compiled);
    return (await response?.text()) ?? 'not RPC';
  });
}
