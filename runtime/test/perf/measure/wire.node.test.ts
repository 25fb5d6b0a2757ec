/**
 * Tests the count of frames and bytes: of requests to a server, and of a socket in this process.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Contender } from '../../../src/perf/contenders.ts';
import { countTraffic, countWire } from '../../../src/perf/measure/wire.ts';

const { WebSocket: realWebSocket, fetch: realFetch } = globalThis;

/** Starts a server that answers each request with its body and two more bytes. */
async function server(): Promise<string> {
  const echo = createServer(async (request, response) => {
    const body = await request.toArray();
    response.end(`${Buffer.concat(body)}ü`);
  });
  onTestFinished(() => {
    echo.close();
  });
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
}

const posting: Contender = {
  name: 'posting',
  about: '',
  async connect(url, name) {
    const call = async (body: string): Promise<number> =>
      (await (await fetch(url, { method: 'POST', body })).text()).length;
    let first = true;
    return {
      // The first call is longer, as a call that opens a connection, and does not count.
      call: (method) => {
        if (method === 'missing') return Promise.reject(new Error('There is no such method'));
        if (method === 'getValue') return call('größe');
        return call(first && name ? ((first = false), 'a long text') : 'abc');
      },
      close: () => void closed.push(name),
    };
  },
};
const closed: string[] = [];
/** A method that a contender rejects has no figures. */
const METHODS = ['increment', 'missing', 'getValue'];

test('the cost of a call is counted without the first call, and the globals are restored', async () => {
  expect(
    await countWire(await server(), [posting, { ...posting, name: 'again' }], METHODS, {}),
  ).toEqual(
    ['posting', 'again'].flatMap((contender) => [
      {
        contender,
        operation: 'increment',
        up: { frames: 1, bytes: 3 },
        down: { frames: 1, bytes: 5 },
      },
      {
        contender,
        operation: 'getValue',
        up: { frames: 1, bytes: 7 },
        down: { frames: 1, bytes: 9 },
      },
    ]),
  );
  expect(closed).toEqual([0, 1].map(() => expect.stringMatching(/^wire-/)));
  expect(closed[0]).not.toBe(closed[1]);
  expect([globalThis.WebSocket, globalThis.fetch]).toEqual([realWebSocket, realFetch]);
});

test('the globals are restored after a failure', async () => {
  const connect = () => Promise.reject(new Error('closed'));
  await expect(countWire('', [{ ...posting, connect }], METHODS, {})).rejects.toThrow('closed');
  expect([globalThis.WebSocket, globalThis.fetch]).toEqual([realWebSocket, realFetch]);
});

test('the frames of a socket are counted in both directions', () => {
  const sent: unknown[] = [];
  class Socket extends EventTarget {
    readonly url: string;
    constructor(url: string) {
      super();
      this.url = url;
    }
    send(data: unknown): void {
      sent.push(data);
    }
  }
  onTestFinished(
    () => void Object.assign(globalThis, { WebSocket: realWebSocket, fetch: realFetch }),
  );
  const traffic = countTraffic(Socket as unknown as typeof WebSocket, realFetch);
  const socket = new WebSocket('ws://here');
  socket.send('größe');
  socket.send(new ArrayBuffer(5));
  socket.dispatchEvent(new MessageEvent('message', { data: 'ab' }));
  expect(sent).toEqual(['größe', new ArrayBuffer(5)]);
  expect(socket.url).toBe('ws://here');
  expect(traffic).toEqual({ up: { frames: 2, bytes: 12 }, down: { frames: 1, bytes: 2 } });
});
