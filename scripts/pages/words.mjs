/**
 * The words of each page and their budgets, so that pages do not grow unnoticed. Who needs more words raises the budget
 * here, or better shortens what is there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @typedef {[words: number, ...pages: string[]]} Budget - of one page, or of several together */

/** All pages, in the order in which people meet them. @type {Budget[]} */
const BUDGETS = [
  [550, 'README.md'],
  [800, 'CONTRIBUTING.md'],
  [250, 'CHANGELOG.md'],
  [1_200, 'template/README.md'],
  [600, 'template/AGENTS.md'],
  [20, 'template/CLAUDE.md'],
  [150, 'examples/README.md'],

  [300, 'runtime/README.md'],
  [900, 'runtime/docs/calls.md'],
  [550, 'runtime/docs/live-values.md'],
  [650, 'runtime/docs/feeds.md'],
  [900, 'runtime/docs/streams.md'],
  [750, 'runtime/docs/capabilities.md'],
  [500, 'runtime/docs/callbacks.md'],
  [800, 'runtime/docs/transports.md'],
  [550, 'runtime/docs/values.md'],
  [2_750, 'runtime/docs/reference.md'],
  [900, 'runtime/docs/protocol.md'],
  [750, 'runtime/docs/authentication.md'],
  [
    5_450,
    'runtime/docs/guides/add-to-a-worker.md',
    'runtime/docs/guides/frameworks.md',
    'runtime/docs/guides/testing.md',
    'runtime/docs/guides/queues-and-crons.md',
    'runtime/docs/guides/object-to-object.md',
    'runtime/docs/guides/relays.md',
    'runtime/docs/guides/changes-and-deploys.md',
    'runtime/docs/guides/observe-and-debug.md',
    'runtime/docs/guides/performance.md',
    'runtime/docs/guides/troubleshooting.md',
  ],

  [250, 'docs/README.md'],
  [700, 'docs/architecture.md'],
  [1_100, 'docs/security.md'],
  [700, 'docs/guarantees.md'],
  [910, 'docs/scale-and-cost.md'],
  [650, 'docs/comparison.md'],
  [
    2_300,
    'docs/decisions/wire-and-values.md',
    'docs/decisions/journal-and-batching.md',
    'docs/decisions/subscriptions-and-streams.md',
    'docs/decisions/capabilities-and-callbacks.md',
    'docs/decisions/scaffolder.md',
    'docs/decisions/measuring.md',
  ],

  [700, 'bench/RESULTS.md'],
  [530, 'torture/README.md'],
];

/**
 * @param {ReadonlyMap<string, number>} words - of each page, by its path
 * @param {readonly Budget[]} budgets
 * @returns {string[]} what is wrong
 */
export function problemsOf(words, budgets) {
  const listed = new Set(budgets.flatMap(([, ...pages]) => pages));
  return [
    ...[...words.keys()]
      .filter((page) => !listed.has(page))
      .map(
        (page) => `${page} has no budget: move its text to another page, or add it to the table`,
      ),
    ...[...listed]
      .filter((page) => !words.has(page))
      .map((page) => `${page} has a budget, but does not exist`),
    ...budgets.flatMap(([budget, ...pages]) => {
      const counts = pages.map((page) => words.get(page) ?? 0);
      const sum = counts.reduce((all, count) => all + count);
      if (sum <= budget) return [];
      const each = pages.map((page, index) => `${page} ${counts[index]}`).join(', ');
      return [`${sum - budget} over the budget of ${budget} words: ${each}`];
    }),
  ];
}

/** The README's table of measured figures, which the bench writes. */
const FIGURES = /<!-- figures -->[\s\S]*?<!-- \/figures -->/;

/**
 * @param {string} text
 * @returns {number} the same as `wc -w` counts, so also the bars of tables, but without the measured figures
 */
export function countWords(text) {
  return text.replace(FIGURES, '').split(/\s+/).filter(Boolean).length;
}

/**
 * @param {import('./pages.mjs').Pages} pages
 * @returns {string} what it says about them
 */
export function checkWords(pages) {
  const listed = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: ROOT, encoding: 'utf8' });
  // What git tracks; not the pages that are built or only read by tests.
  const paths = listed
    .split('\0')
    .filter((path) => path && !/^template\/vendor\/|\/fixtures\//.test(path))
    .filter((path) => existsSync(join(ROOT, path)));
  const words = new Map(paths.map((path) => [path, countWords(pages.get(path))]));
  for (const problem of problemsOf(words, BUDGETS)) pages.fail(problem);
  const sum = [...words.values()].reduce((all, count) => all + count);
  return `${words.size} pages have ${sum} words`;
}
