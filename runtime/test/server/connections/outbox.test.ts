/** Tests answers that are too large to share one frame. */
import * as Type from '../../../src/typebox.ts';
import { expect, test } from 'vitest';
import { compileContract, read } from '../../../src/server.ts';
import { FRAME_SIZE } from '../../../src/wire/limits.ts';
import { openPort } from '../../support/open-port.ts';

const contract = compileContract(
  { text: read([Type.Integer()]) },
  { limits: { memoryPerClient: FRAME_SIZE } },
);
const texts = { text: (length: number): string => 'x'.repeat(length) };

/**
 * The number of characters of a frame with this number of answers, beside their texts:
 * `[[1,""],[2,""]]`.
 */
const overheadOf = (answers: number): number => 1 + 7 * answers;

const half = FRAME_SIZE / 2;
const third = Math.ceil(FRAME_SIZE / 3);

test.each<[string, number[], frames: number[][]]>([
  ['two answers that fit exactly', [half, half - overheadOf(2)], [[1, 2]]],
  ['answers with one character too many', [half, half - overheadOf(2) + 1], [[1], [2]]],
  ['three answers, and another after two of them', [third, third, third], [[1, 2], [3]]],
  [
    'answers beyond the limit of memory: the rest waits until they are sent',
    [third, third, third, third, 5],
    [[1, 2], [3], [4, 5]],
  ],
  ['an answer that is larger than a frame', [5, FRAME_SIZE, 5], [[1], [2], [3]]],
])('%s', async (_, lengths, frames) => {
  const port = openPort(texts, contract);
  port.sendMessages(...lengths.map((length, index) => `[${index + 1},"text",[${length}]]`));
  for (const ids of frames) {
    const answers = JSON.parse(await port.next()) as [number, string][];
    expect(answers.map(([id, { length }]) => [id, length])).toEqual(
      ids.map((id) => [id, lengths[id - 1]]),
    );
  }
  expect(await port.ask('[9,"text",[1]]')).toBe('[[9,"x"]]');
});
