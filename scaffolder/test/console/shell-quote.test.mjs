/** Tests quoted words with a real shell. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoted } from '../../console/shell-quote.mjs';

const words = [
  'my-app',
  'my app',
  'größe',
  'a$HOME',
  'a`id`b',
  '#app',
  'app#1',
  'a!b',
  "it's",
  'a"b',
  '$\'"',
  '~app',
  'a;b',
  'a&b',
  '(app)',
  String.raw`a\b`,
];

test.runIf(process.platform !== 'win32').each(words)('%s is one word of a command line', (word) => {
  const command = `printf %s ${quoted(word)}`;
  expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(word);
});
