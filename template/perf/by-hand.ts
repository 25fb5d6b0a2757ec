/**
 * The floors' clients: what one would write without a library, errors left out but for a lost
 * socket. Never tuned, like the floors. Imports types only.
 */
import type { CounterConnection } from './contenders.ts';
import type { FloorAnswer, FloorCall } from './worker.ts';

/** Bytes go in a binary frame, which has no id: their answers come in their order. */
export async function connectByHand(url: string): Promise<CounterConnection> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'));
  socket.binaryType = 'arraybuffer';
  const lost = new Promise<never>((_, reject) => {
    socket.addEventListener('close', ({ code }) => reject(new Error(`${url} closed: ${code}`)));
  });
  const opened = new Promise((resolve) => socket.addEventListener('open', resolve));
  await Promise.race([opened, lost]);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const waitingForBytes: PromiseWithResolvers<unknown>[] = [];
  lost.catch((error) => {
    for (const { reject } of [...waiting.values(), ...waitingForBytes]) reject(error);
  });
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') {
      waitingForBytes.shift()?.resolve(new Uint8Array(data));
      return;
    }
    const [id, value] = JSON.parse(data) as FloorAnswer;
    waiting.get(id)?.resolve(value);
    waiting.delete(id);
  });
  let lastId = 0;
  const call = <Result>(method: FloorCall[1], ...args: unknown[]): Promise<Result> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(++lastId, answer);
    socket.send(JSON.stringify([lastId, method, ...args]));
    return answer.promise as Promise<Result>;
  };
  return {
    isJsonOnly: true,
    increment: (by) => (by === undefined ? call('increment') : call('increment', by)),
    getValue: () => call('getValue'),
    echo(value) {
      if (!(value instanceof Uint8Array)) return call('echo', value);
      const answer = Promise.withResolvers<unknown>();
      waitingForBytes.push(answer);
      socket.send(value as Uint8Array<ArrayBuffer>);
      return answer.promise;
    },
    close: () => socket.close(),
  };
}

/** Each call is a POST. */
export function postByHand(url: string): CounterConnection {
  const call = async <Result>(method: FloorCall[1], ...args: unknown[]): Promise<Result> => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify([0, method, ...args]);
    const response = await fetch(url, { method: 'POST', headers, body });
    const [, value] = (await response.json()) as FloorAnswer;
    return value as Result;
  };
  return {
    isJsonOnly: true,
    increment: (by) => (by === undefined ? call('increment') : call('increment', by)),
    getValue: () => call('getValue'),
    async echo(value) {
      if (!(value instanceof Uint8Array)) return call('echo', value);
      const response = await fetch(url, { method: 'POST', body: value as Uint8Array<ArrayBuffer> });
      return new Uint8Array(await response.arrayBuffer());
    },
    close() {},
  };
}
