/** Large frames at the object's end: their order, their pace, and clients that do not go on. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pieces } from '../../../src/server/connections/pieces.ts';
import { ACK, pieceJoiner, LAST, MORE, PIECE_SIZE } from '../../../src/wire/pieces.ts';

let sent: (string | ArrayBuffer)[];
let closed: number | undefined;
let pieces: Pieces;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  closed = undefined;
  pieces = new Pieces({ send: (message) => sent.push(message), close: (code) => (closed = code) });
});

afterEach(() => void vi.useRealTimers());

const large = (letter: string, count = 3): string => letter.repeat(count * PIECE_SIZE);

/** What a client has received, once it has acknowledged everything: large frames by their first letter. */
function received(): string[] {
  const frames: string[] = [];
  let unacknowledged = 0;
  const join = pieceJoiner(() => unacknowledged++);
  for (let at = 0; at < sent.length; at++) {
    const frame = join(sent[at] as string);
    if (frame !== undefined)
      frames.push(String(frame).length > PIECE_SIZE ? String(frame)[0]! : String(frame));
    for (; at === sent.length - 1 && unacknowledged > 0; unacknowledged--)
      pieces.receive(ACK, Infinity);
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
      'large answers keep theirs',
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

test('a mark and its piece leave together, and at first two pieces', () => {
  pieces.send(large('a', 9), true);
  expect(sent.map((message) => (message as string).length)).toEqual([1, PIECE_SIZE, 1, PIECE_SIZE]);
  expect(sent[0]).toBe(MORE);
});

test('acknowledgements that come fast let more pieces leave, slow ones fewer', () => {
  pieces.send(large('a', 100), true);
  const leaving = (): number => sent.splice(0).length / 2;
  expect(leaving()).toBe(2);
  pieces.receive(ACK, Infinity);
  // One place is free, and there are two more.
  expect(leaving()).toBe(3);
  vi.advanceTimersByTime(600);
  pieces.receive(ACK, Infinity);
  expect(leaving()).toBe(0);
  expect(vi.getTimerCount()).toBe(1);
});

test('a client that does not acknowledge is disconnected, and nothing is kept', () => {
  pieces.send(large('a', 9), true);
  vi.advanceTimersByTime(59_999);
  expect(closed).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(closed).toBe(1013);
  expect(pieces.isBusy).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('a client that does not end its frame is disconnected', () => {
  pieces.receive(MORE, Infinity);
  pieces.receive('[', Infinity);
  expect(sent).toEqual([ACK]);
  vi.advanceTimersByTime(60_000);
  expect(closed).toBe(1013);
});

test('a frame beyond the limit is not kept, and is refused after its end', () => {
  for (const mark of [MORE, MORE, MORE]) {
    pieces.receive(mark, 100);
    expect(pieces.receive('x'.repeat(60), 100)).toBeUndefined();
  }
  pieces.receive(LAST, 100);
  expect(() => pieces.receive('x', 100)).toThrow('frameSize is at most 100');
  // The next one is taken.
  pieces.receive(LAST, 100);
  expect(pieces.receive('[]', 100)).toBe('[]');
  expect(vi.getTimerCount()).toBe(0);
});

test('bytes arrive as one buffer', () => {
  pieces.receive(MORE, Infinity);
  pieces.receive(new Uint8Array([1, 2]).buffer, Infinity);
  pieces.receive(LAST, Infinity);
  const frame = pieces.receive(new Uint8Array([3]).buffer, Infinity);
  expect([...new Uint8Array(frame as ArrayBuffer)]).toEqual([1, 2, 3]);
});
