/**
 * Tests how an object sends and receives large frames: their order, their pace, and clients that
 * stop.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientMemory, memoryOf } from '../../../src/server/base/memory.ts';
import { Pieces } from '../../../src/server/connections/pieces.ts';
import { ACK, pieceJoiner, LAST, MORE, PIECE_SIZE } from '../../../src/wire/pieces.ts';

const LIMITS = { memoryPerClient: 20_000_000, memoryPerObject: 20_000_000 };

let sent: (string | ArrayBuffer)[];
let closed: number | undefined;
let stalled: number;
let memory: ClientMemory;
let pieces: Pieces;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  closed = undefined;
  stalled = 0;
  memory = memoryOf({}, LIMITS, { owner: undefined, client: 'one', giveWay() {} });
  pieces = new Pieces(
    {
      sendWhole: (message) => sent.push(message),
      close: (code) => (closed = code),
    },
    { memory, stalled: () => stalled++, drained() {} },
  );
});

afterEach(() => void vi.useRealTimers());

/** Nothing is held once no frame is under way. */
afterEach(() => {
  pieces.end();
  expect(memory.held).toBe(0);
});

const large = (letter: string, count = 3): string => letter.repeat(count * PIECE_SIZE);

/**
 * Returns what a client has received once it has acknowledged everything. A large frame appears as
 * its first letter.
 */
function received(): string[] {
  const frames: string[] = [];
  const unacknowledged: string[] = [];
  const join = pieceJoiner((message) => unacknowledged.push(message));
  for (let at = 0; at < sent.length; at++) {
    const frame = join(sent[at] as string);
    if (frame !== undefined)
      frames.push(String(frame).length > PIECE_SIZE ? String(frame)[0]! : String(frame));
    while (at === sent.length - 1 && unacknowledged.length > 0)
      pieces.receive(unacknowledged.shift() as string, Infinity);
  }
  return frames;
}

describe('the order of frames', () => {
  test.each<[string, [frame: string, isAnswer: boolean][], string[]]>([
    [
      'answers pass large answers',
      [
        [large('a'), true],
        ['1', true],
      ],
      ['1', 'a'],
    ],
    [
      'other messages pass large answers',
      [
        [large('a'), true],
        ['x', false],
      ],
      ['x', 'a'],
    ],
    [
      'answers pass other large messages',
      [
        [large('x'), false],
        ['1', true],
      ],
      ['1', 'x'],
    ],
    [
      'other messages keep their order',
      [
        [large('x'), false],
        ['y', false],
        [large('z'), false],
        ['1', true],
        ['w', false],
      ],
      ['1', 'x', 'y', 'z', 'w'],
    ],
    [
      'large answers keep their order',
      [
        [large('a'), true],
        [large('b'), true],
      ],
      ['a', 'b'],
    ],
  ])('%s', (_, frames, expected) => {
    for (const [frame, isAnswer] of frames) pieces.send(frame, isAnswer);
    expect(received()).toEqual(expected);
    expect(pieces.isBusy).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a mark and its piece leave together, and two pieces leave at first', () => {
  pieces.send(large('a', 9), true);
  expect(sent.map((message) => (message as string).length)).toEqual([9, PIECE_SIZE, 9, PIECE_SIZE]);
  expect(sent[0]).toMatch(new RegExp(`^${MORE}[0-9a-f]{8}$`));
  expect(sent[2]).not.toBe(sent[0]);
});

test('fast acknowledgements let more pieces leave, and slow acknowledgements fewer', () => {
  pieces.send(large('a', 100), true);
  const acknowledgements: string[] = [];
  const join = pieceJoiner((message) => acknowledgements.push(message));
  const leaving = (): number => {
    for (const message of sent) join(message);
    return sent.splice(0).length / 2;
  };
  const acknowledge = (): unknown => pieces.receive(acknowledgements.shift() as string, Infinity);
  expect(leaving()).toBe(2);
  acknowledge();
  // One place is free, and there are two new places.
  expect(leaving()).toBe(3);
  vi.advanceTimersByTime(600);
  acknowledge();
  expect(leaving()).toBe(0);
  expect(vi.getTimerCount()).toBe(1);
});

test('a client that does not acknowledge pieces is disconnected, and nothing is kept', () => {
  pieces.send(large('a', 9), true);
  vi.advanceTimersByTime(59_999);
  expect(closed).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(closed).toBe(1013);
  expect(pieces.isBusy).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test.each<[string, (sent: string[]) => string]>([
  ['without the characters of a mark', () => ACK],
  ['with different characters', () => `${ACK}01234567`],
  ['before the acknowledgement that must precede it', ([, , second]) => ACK + second!.slice(1)],
  ['a second time', ([first]) => ACK + first!.slice(1)],
])('an acknowledgement %s releases nothing', (_, forged) => {
  pieces.send(large('a', 9), true);
  if (_ === 'a second time') pieces.receive(forged(sent as string[]), Infinity);
  const { length } = sent;
  const { held } = memory;
  expect(() => pieces.receive(forged(sent as string[]), Infinity)).toThrow('repeat the characters');
  expect(sent).toHaveLength(length);
  expect(memory.held).toBe(held);
});

test.each([
  ['a frame', [MORE, 'x'.repeat(PIECE_SIZE)], [ACK]],
  ['an announced piece', [MORE], []],
])('a client that does not continue %s is disconnected, and learns why', (_, messages, replies) => {
  for (const message of messages) pieces.receive(message, Infinity);
  expect(sent).toEqual(replies);
  vi.advanceTimersByTime(60_000);
  expect(closed).toBe(1013);
  expect(stalled).toBe(1);
});

const full = 'x'.repeat(PIECE_SIZE);
const bytes = new Uint8Array(PIECE_SIZE).buffer;

describe.each<[string, (string | ArrayBuffer)[], number, string]>([
  ['beyond the limit', [full, full, full, 'x'], PIECE_SIZE + 1, 'frameSize is at most'],
  ['of bytes and text', [full, bytes, full, 'x'], Infinity, 'all text or all bytes'],
  ['of a text in the place of a length', [bytes, '1000000000', bytes, bytes], Infinity, 'all text'],
  ['with empty pieces', [full, '', full, 'x'], Infinity, 'Only the last piece may be smaller'],
  ['with tiny pieces', [full, '1', full, 'x'], Infinity, 'Only the last piece may be smaller'],
  [
    'of more bytes than the memory allows',
    Array(200).fill(bytes),
    Infinity,
    'memoryPerClient is at most',
  ],
])('a frame %s', (_, parts, limit, error) => {
  test('is refused once and not kept, and the next frame is accepted', () => {
    const errors: unknown[] = [];
    for (const [index, part] of parts.entries()) {
      pieces.receive(index === parts.length - 1 ? LAST : MORE, limit);
      try {
        expect(pieces.receive(part, limit)).toBeUndefined();
      } catch (thrown) {
        errors.push(String(thrown));
        expect(memory.held).toBe(0);
      }
    }
    expect(errors).toEqual([expect.stringContaining(error)]);
    // Each piece is acknowledged, so that an honest client does not wait without end.
    expect(sent).toHaveLength(parts.length);
    pieces.receive(LAST, limit);
    expect(pieces.receive('[]', limit)).toBe('[]');
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('bytes arrive as one buffer', () => {
  pieces.receive(MORE, Infinity);
  pieces.receive(bytes, Infinity);
  expect(memory.held).toBe(PIECE_SIZE);
  pieces.receive(LAST, Infinity);
  const frame = pieces.receive(new Uint8Array([3]).buffer, Infinity);
  expect(memory.held).toBe(0);
  expect((frame as ArrayBuffer).byteLength).toBe(PIECE_SIZE + 1);
  expect(new Uint8Array(frame as ArrayBuffer).at(-1)).toBe(3);
});

describe('a client that does not show that it reads', () => {
  test.each([true, false])('receives at most a limit of whole frames: answers %s', (isAnswer) => {
    const frame = 'x'.repeat(1_000);
    for (let count = 0; count < 10_000; count++) pieces.send(frame, isAnswer);
    const length = sent.reduce((sum, message) => sum + (message as string).length, 0);
    expect(length).toBeLessThan(300_000);
    // The waiting frames are counted.
    expect(memory.held).toBeGreaterThan(9_000_000);
    expect(received()).toHaveLength(10_000);
    expect(memory.held).toBe(0);
    expect(pieces.isBusy).toBe(false);
  });
});
