/** Writes the table of the page on changes and deployments, from the rules by which contracts are compared. */
import { MEETINGS, RULES } from '../../runtime/src/contract/changes/rules.ts';
import { markdownTable, withPlace } from './markdown.mjs';

const PAGE = 'runtime/docs/guides/changes-and-deploys.md';

/** @typedef {import('../../runtime/src/contract/changes/rules.ts').Meeting} Meeting */

const meetings = /** @type {Meeting[]} */ (Object.keys(MEETINGS));

/** @type {[name: string, rule: import('../../runtime/src/contract/changes/rules.ts').Rule][]} */
const rules = Object.entries(RULES);

/**
 * @param {import('./pages.mjs').Pages} pages
 * @returns {string} a line to print
 */
export function writeChanges(pages) {
  const table = [
    ['change of the contract', ...meetings.map((meeting) => MEETINGS[meeting]), 'deployments'],
    ...rules.map(([name, rule]) => [
      rule.change,
      ...meetings.map((meeting) => rule[meeting] ?? 'works'),
      deploymentsOf(name, rule),
    ]),
  ];
  pages.set(PAGE, withPlace(pages.get(PAGE), 'changes', markdownTable(table)));
  return `Rules of changes: ${rules.length}`;
}

/**
 * @param {string} name
 * @param {import('../../runtime/src/contract/changes/rules.ts').Rule} rule
 */
function deploymentsOf(name, { oldPage, newPage, stored }) {
  if (stored !== undefined) return '–';
  // A page that waits for a method can be deployed together with the object that has the method.
  if (name === 'method-added') return '1, or 2';
  return `${1 + Number(oldPage !== undefined) + Number(newPage !== undefined)}`;
}
