/** Tests that stored answers can be read back. */
import { expect, test } from 'vitest';
import { loadAnswers, storeAnswers } from '../../../src/server/journal/stored-answers.ts';
import { bytes as brought } from '../../../src/features/bytes/feature.ts';
import { type FrameCodec, textFrameCodec } from '../../../src/wire/frame-codec.ts';
import { packMessage } from '../../../src/wire/bytes.ts';
import type { Packet, EncodedMessage } from '../../../src/wire/encoded-message.ts';

const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

const withBytes = (id: number, ...lengths: number[]): EncodedMessage =>
  packMessage({
    text: `[${id},"rich",[[1],${lengths.map((_, k) => `["Bytes",${k}]`)}]]`,
    buffers: lengths.map((length, k) => bytes(length, id + k)),
  });

const frames = brought['~feature']?.frames as FrameCodec;

test.each<[what: string, answers: [id: number, said: EncodedMessage][]]>([
  ['none', []],
  ['one', [[7, '[7,1]']]],
  ['an answer without a result', [[7, '[7]']]],
  [
    'consecutive answers',
    [
      [1, '[1,1]'],
      [2, '[2]'],
      [3, '[3,"error",[[1]]]'],
      [4, '[4,"rich",[[]]]'],
    ],
  ],
  [
    'ids of more digits',
    [
      [9, '[9,1]'],
      [10, '[10,2]'],
      [11, '[11]'],
      [99, '[99]'],
      [100, '[100,3]'],
    ],
  ],
  [
    'gaps, and descending ids',
    [
      [5, '[5,1]'],
      [7, '[7,2]'],
      [8, '[8,3]'],
      [6, '[6,4]'],
      [9, '[9]'],
    ],
  ],
  [
    'messages that follow an answer',
    [
      [1, '[1,1],["keep",3]'],
      [2, '[2,2],["keep",4]'],
      [3, '[3]'],
    ],
  ],
  [
    'bytes',
    [
      [1, '[1,1]'],
      [2, withBytes(2, 2000)],
      [3, '[3,3]'],
      [4, withBytes(4, 1025, 3000)],
      [5, withBytes(5, 1100)],
    ],
  ],
])('%s', (_, answers) => {
  const loaded = loadAnswers(structuredClone(storeAnswers(new Map(answers))), frames);
  expect(loaded.map(([id, said]) => [id, String(said)])).toEqual(
    answers.map(([id, said]) => [id, String(said)]),
  );
  expect(loaded.map(([, said]) => (said as Partial<Packet>).buffers)).toEqual(
    answers.map(([, said]) => (said as Partial<Packet>).buffers),
  );
});

test('answers with bytes are dropped if a deployment has removed the option', () => {
  const stored = storeAnswers(
    new Map([
      [9, withBytes(9, 2000)],
      [10, '[10,1]'],
      [11, withBytes(11, 1025, 3000)],
      [12, '[12]'],
    ]),
  );
  expect(loadAnswers(stored, textFrameCodec)).toEqual([
    [10, '[10,1]'],
    [12, '[12]'],
  ]);
});

// The key-value storage keeps a value of more than about 1 000 bytes on a second page.
test('a hundred answers of a counter stay on one page', () => {
  const answers = Array.from({ length: 100 }, (_, k) => [k + 5000, `[${k + 5000},${k + 10_000}]`]);
  const { answers: text } = storeAnswers(new Map(answers as [number, string][]));
  expect(text.length).toBeLessThan(850);
});
