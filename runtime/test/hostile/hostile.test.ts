/**
 * Sends frames over real connections that no client of this package would send. Each call gets its
 * answer or its error, the connection and the object go on, and other clients notice nothing.
 */
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RawConnection } from '../support/raw-connection.ts';
import { type Answers, answersUpTo, connect, post } from './answers.ts';
import { frames } from './frames.ts';
import { tags, tagsWithoutRows } from './tags.ts';
import { values } from './values.ts';

// The tests do much work, and the machine may be slow.
vi.setConfig({ testTimeout: 120_000 });

/** Each argument is sent in one call, which is refused. */
const hostileArguments = [...values, ...tags];

/** An id far from the ids of the frames. */
const LATER = 1_000_000;

const START = 7;

async function counterAt(instance: string): Promise<{ getValue(): Promise<number> }> {
  const counter = env.COUNTER.getByName(instance);
  await counter.increment(START);
  return counter;
}

/**
 * Returns the value of the counter after a frame. At most one call of `increment` in a frame
 * succeeds.
 */
function valueAfter(answers: object): number {
  return Object.values(answers).includes(START + 1) ? START + 1 : START;
}

describe.each(frames)('$name', ({ name, frame, answers }) => {
  test('over a WebSocket', async () => {
    const instance = `socket ${name}`;
    const counter = await counterAt(instance);
    const socket = await connect(instance);
    const bystander = await connect(instance);
    socket.send(frame());
    const received = await answersUpTo(socket, LATER, `[${LATER},"getValue"]`);
    expect(received).toEqual({ ...answers, [LATER]: valueAfter(answers) });

    expect(bystander.frames).toEqual([]);
    const next = await answersUpTo(bystander, 1, '[1,"increment"]');
    expect(next).toEqual({ 1: valueAfter(answers) + 1 });
    expect(await counter.getValue()).toBe(valueAfter(answers) + 1);
    void socket.close();
    void bystander.close();
  });

  test('over HTTP', async () => {
    const instance = `post ${name}`;
    const counter = await counterAt(instance);
    expect(await post(instance, frame())).toEqual(answers);
    expect(await post(instance, '[[1,"increment"]]')).toEqual({ 1: valueAfter(answers) + 1 });
    expect(await counter.getValue()).toBe(valueAfter(answers) + 1);
  });
});

// Each case uses the object and the connection of the cases before it.
describe('an argument', () => {
  let socket: RawConnection;
  let bystander: RawConnection;
  let id = LATER;

  beforeAll(async () => {
    await counterAt('arguments');
    socket = await connect('arguments');
    bystander = await connect('arguments');
  });

  afterAll(() => {
    void socket.close();
    void bystander.close();
  });

  test.each(hostileArguments)('$name', async ({ frame, answers }) => {
    socket.send(frame());
    const received = await answersUpTo(socket, ++id, `[${id},"getValue"]`);
    expect(received).toEqual({ ...answers, [id]: START });
    expect(bystander.frames).toEqual([]);
  });

  // The same code reads all other arguments, whoever sends them.
  test.each(hostileArguments.filter(({ frame }) => frame().includes('"Call"')))(
    'by POST: $name',
    async ({ frame, answers }) => {
      expect(await post('arguments', frame())).toEqual(answers);
    },
  );

  test('that was refused has changed nothing, for any client', async () => {
    expect(await answersUpTo(bystander, 1, '[1,"increment"]')).toEqual({ 1: START + 1 });
    expect(await post('arguments', '[[1,"getValue"]]')).toEqual({ 1: START + 1 });
  });
});

describe('bytes', () => {
  const ascii = new TextEncoder();

  function withBytes(...bytes: number[]): Uint8Array {
    return Uint8Array.of(...ascii.encode('[[1,"increment",["'), ...bytes, ...ascii.encode('"]]]'));
  }

  test.each([
    ['a byte that begins no character', withBytes(0xff)],
    ['a truncated character', withBytes(0xe2, 0x82)],
    ['an overlong character', withBytes(0xc0, 0xaf)],
    ['half of a surrogate pair', withBytes(0xed, 0xa0, 0x80)],
    ['a zip file', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0xff)],
  ])('that are not UTF-8: %s', async (instance, body) => {
    const counter = await counterAt(instance);
    expect(await post(instance, body)).toEqual({ frame: 'BAD_MESSAGE' });
    expect(await post(instance, '[[1,"increment"]]')).toEqual({ 1: START + 1 });
    expect(await counter.getValue()).toBe(START + 1);
  });

  test.each([
    ['a frame', new Uint8Array(ascii.encode('[[1,"increment"]]')).buffer],
    ['none', new ArrayBuffer(0)],
    ['many', new ArrayBuffer(1_000_000)],
  ])('in a binary message of a WebSocket: %s', async (name, bytes) => {
    const instance = `binary ${name}`;
    const counter = await counterAt(instance);
    const socket = await connect(instance);
    socket.send(bytes);
    const received = await answersUpTo(socket, 1, '[1,"increment"]');
    expect(received).toEqual({ frame: 'UNSUPPORTED', 1: START + 1 });
    expect(await counter.getValue()).toBe(START + 1);
    void socket.close();
  });
});

describe('an id that is used twice', () => {
  test('in one frame runs one call', async () => {
    const counter = await counterAt('same-id');
    const socket = await connect('same-id');
    socket.send('[[1,"increment"],[1,"increment"],[1,"increment"]]');
    const { 1: answer }: Answers = await answersUpTo(socket, 2, '[2,"getValue"]');
    // The first call has been answered before.
    expect(answer).toBe('BAD_MESSAGE');
    expect(await counter.getValue()).toBe(START + 1);
    void socket.close();
  });
});

test('there are frames for every tag', () => {
  expect(tagsWithoutRows).toEqual([]);
});

test('many bad frames leave the connection as it was', async () => {
  const socket = await connect('storm');
  const small = [...frames, ...hostileArguments].filter(({ frame }) => frame().length < 10_000);
  for (const { frame } of small) socket.send(frame());
  await answersUpTo(socket, LATER, `[${LATER},"reset"]`);
  expect(await answersUpTo(socket, LATER + 1, `[${LATER + 1},"increment",[3]]`)).toEqual({
    [LATER + 1]: 3,
  });
  void socket.close();
});
