/** The check that pages do not grow finds each way in which they do. */
import { expect, test } from 'vitest';
import { countWords, problemsOf } from '../scripts/pages/words.mjs';

/** @type {[number, ...string[]][]} */
const budgets = [
  [10, 'README.md'],
  [20, 'docs/a.md', 'docs/b.md'],
];

test.each([
  ['pages within their budgets', { 'README.md': 10, 'docs/a.md': 5, 'docs/b.md': 15 }, []],
  [
    'a page that is too long',
    { 'README.md': 11, 'docs/a.md': 5, 'docs/b.md': 15 },
    ['1 over the budget of 10 words: README.md 11'],
  ],
  [
    'pages that are too long together',
    { 'README.md': 10, 'docs/a.md': 7, 'docs/b.md': 16 },
    ['3 over the budget of 20 words: docs/a.md 7, docs/b.md 16'],
  ],
  [
    'a page without a budget',
    { 'README.md': 10, 'docs/a.md': 1, 'docs/b.md': 1, 'docs/c.md': 1 },
    ['docs/c.md has no budget: move its text to another page, or add it to the table'],
  ],
  [
    'a budget without a page',
    { 'README.md': 10, 'docs/a.md': 1 },
    ['docs/b.md has a budget, but does not exist'],
  ],
])('%s', (_, words, problems) => {
  expect(problemsOf(new Map(Object.entries(words)), budgets)).toEqual(problems);
});

test('words are counted as wc -w counts them', () => {
  expect(countWords('# Title\n\n| a | `b c` |\n| - | --- |\n')).toBe(13);
});
