/**
 * Tests which clients are barred after too many rejected messages, over sockets and POSTs:
 * `limits.refusals`.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { ACK, LAST, MORE, PIECE_SIZE } from '../../../src/wire/pieces.ts';
import { serve } from '../../served/serve.ts';

const worker = await serve();
let instance = '';
let instances = 0;
let ids = 0;

beforeEach(() => {
  instance = `object ${++instances}`;
});

const newId = (): string => `id${++ids}`;

/** A client with its id, and with the user that the hook names, if any. */
interface Visitor {
  id: string;
  user?: string | undefined;
}

const wrong = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `[${index + 1},"nothing"]`);

/** @returns the status, or the messages of the answer */
async function post({ id, user }: Visitor, ...messages: string[]): Promise<number | unknown[][]> {
  const response = await fetch(worker.urlOf(instance, 'STRICT'), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'lumenize-rpc-client': id,
      ...(user && { Authorization: `user.${user}` }),
    },
    body: `[${messages.join()}]`,
  });
  const text = await response.text();
  return response.ok ? (JSON.parse(text) as unknown[][]) : response.status;
}

/** @returns the answer of one valid call over a new socket, or how the socket ended */
async function connect({ id, user }: Visitor): Promise<string> {
  const protocols = [
    'lumenize-rpc.1',
    `lumenize-rpc-client.${id}`,
    ...(user ? [`user.${user}`] : []),
  ];
  const url = worker.urlOf(instance, 'STRICT').replace(/^http/, 'ws');
  const socket = new WebSocket(url, protocols);
  return new Promise((resolve) => {
    const end = (how: string): void => {
      resolve(how);
      socket.close();
    };
    socket.addEventListener('open', () => socket.send('[[1,"count"]]'));
    socket.addEventListener('message', ({ data }) => end(String(data)));
    socket.addEventListener('error', () => end('refused'));
    socket.addEventListener('close', ({ code }) => end(`closed ${code}`));
  });
}

const isServed = async (visitor: Visitor): Promise<void> => {
  expect(await post(visitor, '[1,"count"]')).toEqual([[1, 0]]);
  expect(await connect(visitor)).toBe('[[1,0]]');
};

const isBarred = async (visitor: Visitor): Promise<void> => {
  expect(await post(visitor, '[1,"count"]')).toBe(429);
  expect(await connect(visitor)).toBe('refused');
};

describe.each([
  ['clients of one user', 'guest'],
  ['clients without a user', undefined],
])('%s', (_, user) => {
  test('a barred client bars no other client', async () => {
    const innocent = { id: newId(), user };
    // The innocent client makes mistakes too.
    await post(innocent, ...wrong(3));
    const one = { id: newId(), user };
    await post(one, ...wrong(5_000));
    await isBarred(one);
    await isServed(innocent);
    await isServed({ id: newId(), user });
  });

  test('a flood from many ids bars only these ids, and each of them sooner', async () => {
    const innocent = { id: newId(), user };
    await post(innocent, ...wrong(3));
    const answered: number[] = [];
    for (let flood = 0; flood < 50; flood++) {
      const visitor = { id: newId(), user };
      // The number of calls that were answered one by one.
      answered.push(((await post(visitor, ...wrong(1_000))) as unknown[]).length - 1);
      if (flood % 25 === 0) await isBarred(visitor);
    }
    expect(answered[0]).toBe(21);
    expect(Math.max(...answered)).toBe(21);
    expect(answered.at(-1)).toBe(11);
    await isServed(innocent);
    await isServed({ id: newId(), user });
  });
});

test('users with names do not count to that flood', async () => {
  for (let flood = 0; flood < 20; flood++) {
    for (const user of ['guest', undefined]) await post({ id: newId(), user }, ...wrong(1_000));
  }
  const ann = { id: newId(), user: 'Ann' };
  expect(await post(ann, ...wrong(20))).toHaveLength(20);
  await isServed(ann);
});

test.each([
  ['one rejected message each', 1],
  ['enough rejected messages to bar each', 21],
])('new ids with %s do not make the object forget a barred client', async (_, count) => {
  const barred = { id: newId(), user: 'Mallory' };
  await post(barred, ...wrong(21));
  for (let round = 0; round < 30; round++) {
    await Promise.all(Array.from({ length: 50 }, () => post({ id: newId() }, ...wrong(count))));
  }
  await isBarred(barred);
});

test('calls that run make up for rejected calls, in each POST and on each socket', async () => {
  const visitor = { id: newId() };
  for (let round = 0; round < 30; round++) {
    expect(await post(visitor, `[${2 * round + 1},"nothing"]`)).toHaveLength(1);
    expect(await post(visitor, `[${2 * round + 2},"count"]`)).toEqual([[2 * round + 2, 0]]);
  }
  await post(visitor, ...wrong(20));
  await isServed(visitor);
  // The two valid calls have subtracted two.
  await post(visitor, '[100,"nothing"]', '[101,"nothing"]');
  await isServed(visitor);
  expect(await post(visitor, ...wrong(30))).toHaveLength(4);
});

describe('messages that never become a frame', () => {
  test.each<[string, string[]]>([
    ['an empty piece', [MORE, '']],
    ['a piece that is too small', [MORE, 'x'.repeat(PIECE_SIZE - 1)]],
    ['an announcement without a piece', [MORE]],
    ['an acknowledgement without a piece', [ACK]],
    ['an empty frame that is not a heartbeat', ['[ ]']],
  ])('%s counts as rejected', async (_, messages) => {
    const raw = await worker.raw(instance, { binding: 'STRICT' });
    // A piece may still follow the first announcement.
    for (let times = 0; times < 21; times++) for (const message of messages) raw.send(message);
    expect(raw.closed).toBeUndefined();
    raw.send(messages[0] as string);
    for (let next = ''; !next.startsWith('closed'); next = await raw.next());
    expect(raw.closed).toBe(4429);
  });

  test('the pieces of a frame do not count as rejected', async () => {
    using raw = await worker.raw(instance, { binding: 'STRICT' });
    const text = ' '.repeat(PIECE_SIZE);
    for (let times = 0; times < 25; times++) {
      for (const piece of [MORE, text, LAST, '[[1,"count"]]']) raw.send(piece);
    }
    const calls = Array.from({ length: 25 }, (_, index) => `[${index + 2},"text",[300000]]`);
    for (const call of calls) raw.sendMessages(call);
    let messages = 0;
    while (messages < 50) {
      const frame = await raw.next();
      if (frame !== ACK) messages += (JSON.parse(frame) as unknown[]).length;
    }
    expect(raw.closed).toBeUndefined();
  });
});
