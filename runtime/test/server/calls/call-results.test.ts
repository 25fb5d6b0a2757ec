/** How long the answers of `readonly` methods are kept for calls that take them as arguments. */
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

/** The characters of the answer `[1,""]`. */
const OVERHEAD = 6;

const text = (id: number, size: number, method = 'text'): string =>
  `[${id},"${method}",[${size - OVERHEAD}]]`;

const lengthOf = (id: number, input: number): string =>
  `[${id},"length","rich",[[[[1]]],["Call",${input}]]]`;

test.each<[string, string[], input: number, size: number | undefined]>([
  ['an answer as large as there is room', [text(1, 2_000)], 1, 2_000],
  ['one that is larger', [text(1, 2_001)], 1, undefined],
  ['a small one after that', [text(1, 2_001), text(2, 100)], 2, 100],
  ['the oldest of three', [text(1, 900), text(2, 900), text(3, 900)], 1, undefined],
  ['the second of three', [text(1, 900), text(2, 900), text(3, 900)], 2, 900],
  ['the last of three', [text(1, 900), text(2, 900), text(3, 900)], 3, 900],
  ['the last of ten', Array.from({ length: 9 }, (_, id) => text(id + 1, 900)), 9, 900],
  ['one that was asked for often', [text(1, 900), text(1, 900), text(1, 900)], 1, 900],
  ['one of an asynchronous method', [text(1, 100, 'textLater')], 1, 100],
  [
    'one that the client no longer awaits',
    [text(1, 100), `["awaits",2],${text(2, 100)}`],
    1,
    undefined,
  ],
  ['one that it awaits still', [text(1, 100), text(2, 100)], 1, 100],
])('%s', async (_, frames, input, size) => {
  const port = openPort(new Texts(), contract);
  for (const frame of frames) await port.ask('["awaits",1]', frame);
  const answer = await port.ask('["awaits",1]', lengthOf(11, input));
  // Without it, the call is to be sent again with the text itself.
  expect(answer).toBe(size === undefined ? '[[-11]]' : `[[11,${size - OVERHEAD}]]`);
});
