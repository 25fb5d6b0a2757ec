import { expect, test } from 'vitest';
import { similarTo } from '../../arguments/did-you-mean.mjs';

test.each([
  ['a beginning of four letters', 'work', 'worker-name'],
  ['one added', 'abxcdef', 'abcdef'],
  ['two added', 'abxycdef', 'abcdef'],
  ['one added at the end', 'abcdx', 'abcd'],
  ['two left out', 'bdef', 'abcdef'],
  ['two replaced', 'xbcdey', 'abcdef'],
  ['one swapped, one left out at the end', 'bacdefg', 'abcdefgh'],
  ['two swapped', 'badcefgh', 'abcdefgh'],
  ['two of five replaced', 'xbcdy', 'abcde'],
])('%s: %s means %s', (_, word, meant) => {
  expect(similarTo(word, ['zzzzzzzz', meant])).toBe(meant);
});

test.each([
  ['three replaced', 'xbcydez', 'abcfdeg'],
  ['one replaced, three left out at the end', 'xbcdefgh', 'abcdefghijk'],
  ['a letter too early, and another', 'bxcdxf', 'abcdef'],
  ['a letter too late, and another', 'xacdxf', 'abcdef'],
  ['half of four replaced', 'xbcy', 'abcd'],
  ['half of two replaced, without the dashes', '--xm', '--pm'],
  ['a beginning of three letters', 'wor', 'worker-name'],
])('%s: %s does not mean %s', (_, word, candidate) => {
  expect(similarTo(word, [candidate])).toBeUndefined();
});

test('suggests the word that begins in the same way, or else the nearest word', () => {
  expect(similarTo('abcxeg', ['abcdef', 'abcdeg'])).toBe('abcdeg');
  expect(similarTo('abcd', ['abcx', 'abcdefghi'])).toBe('abcdefghi');
});
