/**
 * Tests how long the answers of `readonly` methods are kept for calls that take them as arguments.
 */
import * as Type from '../../../src/typebox.ts';
import { expect, test } from 'vitest';
import { compileContract, read } from '../../../src/server.ts';
import { openPort } from '../../support/open-port.ts';

class Texts {
  text(length: number): string {
    return 'x'.repeat(length);
  }

  async textLater(length: number): Promise<string> {
    return this.text(length);
  }

  length(text: string): number {
    return text.length;
  }
}

const numbers = read([Type.Integer()]);
const contract = compileContract({
  text: numbers,
  textLater: numbers,
  length: read([Type.String()]),
});

/** The number of characters of the answer `[1,""]`. */
const OVERHEAD = 6;

const text = (id: number, size: number, method = 'text'): string =>
  `[${id},"${method}",[${size - OVERHEAD}]]`;

const lengthOf = (id: number, input: number): string =>
  `[${id},"length","rich",[[[[1]]],["Call",${input}]]]`;

test.each<[string, string[], input: number, size: number | undefined]>([
  ['an answer that fits exactly', [text(1, 2_000)], 1, 2_000],
  ['a larger answer', [text(1, 2_001)], 1, undefined],
  ['a small answer after a larger one', [text(1, 2_001), text(2, 100)], 2, 100],
  ['the oldest of three', [text(1, 900), text(2, 900), text(3, 900)], 1, undefined],
  ['the second of three', [text(1, 900), text(2, 900), text(3, 900)], 2, 900],
  ['the last of three', [text(1, 900), text(2, 900), text(3, 900)], 3, 900],
  ['the last of ten', Array.from({ length: 9 }, (_, id) => text(id + 1, 900)), 9, 900],
  ['an answer that was used often', [text(1, 900), text(1, 900), text(1, 900)], 1, 900],
  ['an answer of an asynchronous method', [text(1, 100, 'textLater')], 1, 100],
  [
    'an answer that the client no longer awaits',
    [text(1, 100), `["awaits",2],${text(2, 100)}`],
    1,
    undefined,
  ],
  ['an answer that the client still awaits', [text(1, 100), text(2, 100)], 1, 100],
])('%s', async (_, frames, input, size) => {
  const port = openPort(new Texts(), contract);
  for (const frame of frames) await port.ask('["awaits",1]', frame);
  const answer = await port.ask('["awaits",1]', lengthOf(11, input));
  // Without the answer, the client has to send the call again with the text itself.
  expect(answer).toBe(size === undefined ? '[[-11]]' : `[[11,${size - OVERHEAD}]]`);
});
