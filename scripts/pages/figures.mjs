/** Writes the figures of the README, from the recorded results of the bench. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as names from '../../bench/results/names.ts';
import { conditionsOf } from '../../bench/results/report.ts';
import { rowIn } from '../../bench/results/rows.ts';
import { withPlace } from './markdown.mjs';

const README = 'README.md';
const RESULTS = join(import.meta.dirname, '../../bench/results.json');

const { CAPNWEB, FLOOR, THIS_RPC } = names;

/**
 * The measured calls, by the part of the bench that measures them.
 *
 * @type {Record<string, string>}
 */
const MEASURED = { calls: 'the calls', cold: 'the first answer' };

/** @typedef {import('../../bench/results/rows.ts').Results} Results */
/** @typedef {(results: Results) => string | undefined} Figure */

/**
 * The sentences of the figures, each with its meaning for a user. A figure that has not been measured is left out.
 *
 * @type {Figure[]}
 */
const FIGURES = [
  (results) => {
    const [byHand, rival] = ratiosOf(results, 'calls', names.INCREMENTS);
    if (!byHand || !rival) return undefined;
    return `An awaited call takes **${comparison(byHand)} than the same exchange written by hand**, and ${comparison(rival)} than
  with ${CAPNWEB}. Only lumenize-rpc checks the arguments and resends calls.`;
  },
  (results) => {
    const [byHand] = ratiosOf(results, 'calls', names.INCREMENTS_IN_FLIGHT);
    if (!byHand) return undefined;
    return `1 000 calls made at once take **${comparison(byHand)} than by hand**, because they share frames and rows of storage.
  So you need not write methods that do several things in one call.`;
  },
  (results) => {
    const [, rival] = ratiosOf(results, 'cold', names.COLD, names.COLD_COUNTER);
    if (!rival) return undefined;
    return `The first answer of a Worker that starts takes **${comparison(rival)} than with ${CAPNWEB}**. An object that is called
  once an hour pays this each time.`;
  },
];

/**
 * Formats the figures as a list.
 *
 * @param {Results | undefined} results - the results of the bench
 * @returns {string} Markdown that the formatter does not change
 */
export function figuresOf(results = {}) {
  const figures = FIGURES.flatMap((figure) => figure(results) ?? []);
  if (figures.length === 0) return 'No run has been recorded yet.';
  const conditions = conditionsOf(results, Object.keys(MEASURED)).map(
    ({ names: of, text }) => `${of.map((name) => MEASURED[name]).join(' and ')} on ${text}`,
  );
  return `${figures.map((figure) => `- ${figure}`).join('\n')}

[All figures and how they were measured](bench/RESULTS.md). Measured: ${conditions.join('; ')}.`;
}

/**
 * @param {Results} results
 * @param {string} part
 * @param {string} what
 * @param {string} [who]
 * @returns the medians compared with code by hand, and with Cap'n Web
 */
function ratiosOf(results, part, what, who = THIS_RPC) {
  const ratios = rowIn(results, part, what, who)?.to ?? {};
  return [FLOOR, CAPNWEB].map((contender) => ratios[contender]?.[0]);
}

/**
 * @param {number} ratio
 * @returns {string} the difference of the times, in words
 */
function comparison(ratio) {
  const percent = Math.round((ratio - 1) * 100);
  return `${Math.abs(percent)} % ${percent < 0 ? 'less' : 'more'} time`;
}

/**
 * @param {import('./pages.mjs').Pages} pages
 * @returns {string} a line to print
 */
export function writeFigures(pages) {
  const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : undefined;
  pages.set(README, withPlace(pages.get(README), 'figures', figuresOf(results)));
  return 'The figures of README.md are those of bench/results.json';
}
