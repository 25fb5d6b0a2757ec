import { expect, test } from 'vitest';
import { applyHunk, hunksOf } from '../../templates/diff.mjs';

const DIFF = `--- a.txt
+++ a.txt
@@
-two
+deux
+2
@@
 four
+five
--- sub/b.txt
+++ sub/b.txt
@@
-gone
`;

test('reads the hunks of each file', () => {
  expect(hunksOf(DIFF)).toEqual([
    { path: 'a.txt', before: 'two\n', after: 'deux\n2\n' },
    { path: 'a.txt', before: 'four\n', after: 'four\nfive\n' },
    { path: 'sub/b.txt', before: 'gone\n', after: '' },
  ]);
});

test.each([
  ['one\ntwo\nthree\n', 'two\n', 'deux\n', 'one\ndeux\nthree\n'],
  ['two\nthree\n', 'two\n', 'deux\n', 'deux\nthree\n'],
  ['one\ntwo\n', 'two\n', '', 'one\n'],
  ['one\ntwo\nthree\n', 'two\nthree\n', 'x\n', 'one\nx\n'],
  // Only whole lines count.
  ['not two\ntwo\n', 'two\n', 'deux\n', 'not two\ndeux\n'],
])('%j without %j', (text, before, after, result) => {
  expect(applyHunk(text, { before, after }, 'a.txt')).toBe(result);
});

test.each(['one\n', 'two\none\ntwo\n', 'two and more\n'])(
  'refuses %j, which has it not once',
  (text) => {
    expect(() => applyHunk(text, { before: 'two\n', after: '' }, 'a.txt')).toThrow(
      'a.txt must have these lines exactly once:\ntwo\n',
    );
  },
);
