/**
 * The clients of the floors: code as a developer writes it without a library. They handle no error except a lost socket
 * and a method that throws. Like the floors, they are never tuned.
 */
import type { PerfConnection } from '../workloads.ts';
import { Audience } from './audience.ts';
import type { FloorAnswer } from './floors.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface Exchange {
  send: (method: string, ...args: unknown[]) => Promise<unknown>;
  sendBytes: (bytes: Bytes) => Promise<unknown>;
  close: () => void;
}

export async function connectByHand(url: string): Promise<PerfConnection> {
  const { send, sendBytes, close } = await open(url);
  const room = `${url}-audience`;
  let speaker: Promise<Exchange> | undefined;
  const audience = new Audience({
    listen: (onEvent, onLost) => open(room, onEvent, onLost),
    say: async (event) => (await (speaker ??= open(room))).send('perfAnnounce', event),
  });
  const connection = connectionOver(send, sendBytes, () => {
    close();
    void audience.close();
    speaker?.then((one) => one.close()).catch(() => {});
  });
  return { ...connection, tell: (listeners) => audience.tell(listeners) };
}

/**
 * Opens a connection. Bytes are sent in a binary frame, which has no id. Their answers arrive in the order of the
 * calls.
 *
 * @param onEvent - called with each event that the object sends
 * @param onLost - called with an error when the socket has closed
 */
async function open(
  url: string,
  onEvent: (event: unknown) => void = () => {},
  onLost: (error: unknown) => void = () => {},
): Promise<Exchange> {
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
    onLost(error);
  });
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') {
      waitingForBytes.shift()?.resolve(new Uint8Array(data));
      return;
    }
    const [id, value, error] = JSON.parse(data) as FloorAnswer;
    if (id === 0) onEvent(value);
    if (error === undefined) waiting.get(id)?.resolve(value);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  let lastId = 0;
  return {
    send: (...call) => {
      const answer = Promise.withResolvers<unknown>();
      waiting.set(++lastId, answer);
      socket.send(JSON.stringify([lastId, ...call]));
      return answer.promise;
    },
    sendBytes: (bytes) => {
      const answer = Promise.withResolvers<unknown>();
      waitingForBytes.push(answer);
      socket.send(bytes);
      return answer.promise;
    },
    close: () => socket.close(),
  };
}

/** Returns a connection that sends each call as a POST. */
export function postByHand(url: string): PerfConnection {
  return connectionOver(
    async (...call) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify([0, ...call]);
      const response = await fetch(url, { method: 'POST', headers, body });
      const [, value, error] = (await response.json()) as FloorAnswer;
      if (error !== undefined) throw new Error(error);
      return value;
    },
    async (body) => {
      const response = await fetch(url, { method: 'POST', body });
      return new Uint8Array(await response.arrayBuffer());
    },
  );
}

function connectionOver(
  send: (method: string, ...args: unknown[]) => Promise<unknown>,
  sendBytes: (bytes: Bytes) => Promise<unknown>,
  close = (): void => {},
): PerfConnection {
  return {
    isJsonOnly: true,
    book: () => send('perfBook'),
    echo: (value) =>
      value instanceof Uint8Array ? sendBytes(value as Bytes) : send('perfEcho', value),
    call: (method, args) => send(method, ...args),
    close,
  };
}
