/**
 * Tests bytes beside the text of a frame: a written frame can be read, and a malformed frame is
 * refused. The damage is the same in every run.
 */
import { describe, expect, test, vi } from 'vitest';
import { decodeArgs } from '../../src/server/calls/arguments.ts';
import { validateComplete } from '../../src/server/schemas/array-holes.ts';
import { DEFAULT_LIMITS } from '../../src/server/base/limits.ts';
import { readAnyFrame, withBytes, writeWithBytes } from '../../src/wire/bytes.ts';
import { RpcError } from '../../src/wire/errors.ts';
import { type CallMessage, encodeCall, type Frame } from '../../src/wire/messages.ts';
import {
  frameOf,
  joinMessages,
  readEncoded,
  type EncodedMessage,
  asText,
} from '../../src/wire/encoded-message.ts';
import { tries } from '../support/effort.ts';
import { type Json, Mutator } from '../support/mutator.ts';
import { difference } from '../support/same.ts';
import { arrivalOf, cases } from './cases.ts';

// The tests do much work, and the machine may be slow.
vi.setConfig({ testTimeout: 120_000 });

const COUNT = tries(10_000);

function filled(length: number, byte = 7): ArrayBuffer {
  return new Uint8Array(length).fill(byte).buffer;
}

const shared = filled(1_025);

const values: unknown[] = [
  'text',
  filled(1_024),
  filled(1_025),
  [filled(2_000, 1), filled(3_000, 2), shared, { shared }],
  [new Uint8Array(shared), new DataView(shared), shared, new Uint8Array(shared, 0, 1_025)],
  [new Uint8Array(shared), new Uint8Array(shared, 1), new Uint8Array(filled(3_000), 1, 2_000)],
  new Map([[filled(1_500), new Float64Array(300)]]),
  [['Bytes', 0], filled(1_100), '["Bytes",0]', { Bytes: [0] }],
  'é'.repeat(2_000),
  ['\0', filled(1_100, 0), 'é'],
];

function write(id: number, value: unknown): EncodedMessage {
  return writeWithBytes((referenceOf) => encodeCall(id, 'method', [value], referenceOf));
}

/** Returns the values of a frame of calls. */
function read(frame: Frame): unknown[] | undefined {
  return readAnyFrame(frame)?.map((message) => {
    const { args } = decodeArgs(message as CallMessage, DEFAULT_LIMITS, refuse);
    return validateComplete(args, () => args[0]);
  });
}

function refuse(): never {
  throw new RpcError('BAD_MESSAGE', 'Malformed value');
}

/** Returns a frame with a text and any number of bytes. */
function binary(text: string, length: number): ArrayBuffer {
  const head = new TextEncoder().encode(`${text}\0`);
  const frame = new Uint8Array(head.length + length);
  frame.set(head);
  return frame.buffer;
}

describe('a written frame can be read', () => {
  test.each(cases)('$name', (one) => {
    const sent = one.value();
    const [received] = read(frameOf([write(1, sent)])) ?? [];
    expect(difference(arrivalOf(one, sent), received)).toBeUndefined();
  });

  test('with any mix of bytes and other values', () => {
    const mutator = new Mutator(1);
    for (let round = 0; round < 300; round++) {
      const chosen = Array.from({ length: 1 + mutator.below(6) }, () => mutator.pick(values));
      const messages = chosen.map((value, index) => write(index + 1, value));
      const frame = frameOf(messages);
      expect(frame instanceof ArrayBuffer).toBe(messages.some((said) => typeof said !== 'string'));
      chosen.forEach((value, index) => {
        expect(difference(value, read(frame)?.[index])).toBeUndefined();
      });
      expect(frameOf([joinMessages(messages)])).toEqual(frame);
    }
  });

  test.each(values)('as text, and converted from text: case %#', (value) => {
    const said = write(1, value);
    const text = asText(said);
    expect(text).toBe(encodeCall(1, 'method', [value]));
    const again = withBytes(text);
    expect(String(again)).toBe(String(said));
    expect(frameOf([again])).toEqual(frameOf([said]));
  });

  test('and each reader receives bytes of its own', () => {
    const said = write(1, shared);
    const [one, other] = [readEncoded(said), readEncoded(said)].map(([message]) => {
      const [bytes] = decodeArgs(message as CallMessage, DEFAULT_LIMITS, refuse).args;
      return bytes as ArrayBuffer;
    });
    new Uint8Array(one as ArrayBuffer).fill(0);
    expect(difference(shared, other)).toBeUndefined();
    expect(difference(shared, read(frameOf([said]))?.[0])).toBeUndefined();
  });

  test('in a frame that is larger than its bytes only by its text', () => {
    const frame = frameOf([write(1, filled(1_048_576))]) as ArrayBuffer;
    expect(frame.byteLength).toBe(
      1_048_576 + '[["bytes",1048576],[1,"method","rich",[[[[1]]],["Bytes",0]]]]\0'.length,
    );
  });
});

describe('a malformed frame', () => {
  const call = '[1,"method","rich",[[[[1]]],["Bytes",0]]]';

  test.each<[string, ArrayBuffer]>([
    ['nothing', new ArrayBuffer(0)],
    ['a text without an end', new TextEncoder().encode(`[["bytes",2000],${call}]`).slice().buffer],
    ['no text', binary('', 2_000)],
    ['text that is not JSON', binary('[', 2_000)],
    ['text that is not a frame', binary('{}', 2_000)],
    ['text that is not UTF-8', Uint8Array.of(0x5b, 0xff, 0x5d, 0).buffer],
    ['bytes without a length', binary(`[${call}]`, 2_000)],
    ['more bytes than the length', binary(`[["bytes",2000],${call}]`, 2_001)],
    ['fewer bytes than the length', binary(`[["bytes",2000],${call}]`, 1_999)],
    ['bytes whose length comes last', binary(`[${call},["bytes",2000]]`, 2_000)],
    ['two lists of lengths', binary(`[["bytes",2000],["bytes",2000],${call}]`, 4_000)],
    ['bytes that are short enough for the text', binary(`[["bytes",1024],${call}]`, 1_024)],
    ['a length of 0', binary(`[["bytes",2000,0],${call}]`, 2_000)],
    ['a negative length', binary(`[["bytes",4000,-2000],${call}]`, 2_000)],
    ['half a byte', binary(`[["bytes",2000.5],${call}]`, 2_000)],
    ['a length that is text', binary(`[["bytes","2000"],${call}]`, 2_000)],
    ['a length that is an object', binary(`[["bytes",{"valueOf":2000}],${call}]`, 2_000)],
    ['an infinite length', binary(`[["bytes",1e400],${call}]`, 2_000)],
    ['a length beyond the safe integers', binary(`[["bytes",9007199254740993],${call}]`, 2_000)],
    ['many lengths', binary(`[["bytes"${',1025'.repeat(100_000)}],${call}]`, 2_000)],
  ])('is refused: %s', (_, frame) => {
    expect(readAnyFrame(frame)).toBeUndefined();
  });

  test.each([
    ['an index out of range', '[1,"method","rich",[[[[1]]],["Bytes",1]]]'],
    ['a negative index', '[1,"method","rich",[[[[1]]],["Bytes",-1]]]'],
    ['the name of a property of arrays', '[1,"method","rich",[[[[1]]],["Bytes","length"]]]'],
    ['no index', '[1,"method","rich",[[[[1]]],["Bytes"]]]'],
    ['an object without a string form', '[1,"method","rich",[[[[1]]],["Bytes",{"toString":1}]]]'],
    ['an index in a list', '[1,"method","rich",[[[[1]]],["Bytes",[0],1]]]'],
    ['bytes of a tag', '[1,"method","rich",[[[[1]]],["ArrayBuffer",0]]]'],
  ])('is refused when its value is decoded: %s', (_, message) => {
    const frame = binary(`[["bytes",2000],${message}]`, 2_000);
    expect(() => read(frame)).toThrow(expect.objectContaining({ code: 'BAD_MESSAGE' }));
  });

  test('leaves plain data as it is, also if another message has lengths', () => {
    const plain = '[1,"rich",[[1],["Bytes",0]]]';
    const frame = binary(`[["bytes",2000],${plain},[2,"method",[["Bytes",0]]]]`, 2_000);
    expect(readAnyFrame(frame)?.[1]).toEqual([2, 'method', [['Bytes', 0]]]);
  });
});

describe('a damaged frame is refused, or its values are refused or valid', () => {
  const said = values.map((value, index) => write(index + 1, value));
  const text = String(joinMessages(said.filter((one) => one.length < 9_000)));
  const payload = said.reduce((sum, one) => sum + one.length - String(one).length, 0);
  const tree = JSON.parse(`[${text}]`) as Json;

  test.each<[string, (mutator: Mutator) => string]>([
    ['with other characters', (mutator) => mutator.damageText(`[${text}]`)],
    ['with other tokens', (mutator) => mutator.damageTokens(`[${text}]`)],
    ['with other parts', (mutator) => mutator.damageTree(tree, [tree])],
  ])('%s', (_, damage) => {
    const mutator = new Mutator(7);
    let frames = 0;
    for (let round = 0; round < COUNT; round++) {
      const length = mutator.below(3) ? payload : mutator.below(payload);
      const damaged = damage(mutator);
      try {
        if (read(binary(damaged, length))) frames++;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
      }
    }
    expect(frames).toBeLessThan(COUNT);
  });
});
