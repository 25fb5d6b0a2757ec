/** The measured figures in the README, from the last run of the bench. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as names from '../../bench/results/names.ts';
import { conditionsOf } from '../../bench/results/report.ts';
import { ratioText, rowIn } from '../../bench/results/rows.ts';
import { markdownTable, withPlace } from './markdown.mjs';

const README = 'README.md';
const RESULTS = join(import.meta.dirname, '../../bench/results.json');

const { CAPNWEB, FLOOR, ofEvent, ofSockets, THIS_RPC, VALIDATED } = names;

/** @typedef {import('../../bench/results/rows.ts').Results} Results */
/** @typedef {import('../../bench/results/rows.ts').Ratio} Ratio */

/**
 * A row of the README's table: its name there, and where the bench has it. `to` has the contender that is written by
 * hand, and Cap'n Web, if they are others than usual.
 *
 * @typedef {[name: string, part: string, what: string, who?: string, to?: [string, string]]} Figure
 */

/** What most people have comes first, and calls that share frames after it. @type {Figure[]} */
const ROWS = [
  ['an awaited increment', 'calls', names.INCREMENTS],
  ['an awaited read', 'calls', names.READS],
  ['both in turns', 'calls', names.MIXED],
  ["CPU of the client's process, an awaited read", 'client', names.CLIENT_READ],
  ['CPU of the runtime, 100 sockets that increment', 'sockets', ofSockets('increments', 'cpu')],
  ['CPU of the runtime, 100 sockets that read', 'sockets', ofSockets('reads', 'cpu')],
  ['100 callers of one client, 3 increments each', 'apart', names.CALLERS],
  ['the first answer on a new connection', 'calls', names.FIRST_ANSWER],
  ['an object of 10 KiB, there and back', 'calls', names.OBJECT],
  ['dates, bigints and bytes, 2.5 kB', 'apart', names.TYPED_VALUE],
  ['a Map, a Set and shared rows, 2 kB', 'apart', names.RICH_VALUE],
  ['1 MiB of bytes, with `bytes`', 'calls', names.BYTES, names.WITH_BYTES],
  ['1 MiB of bytes, without', 'calls', names.BYTES],
  ['a cold start, the counter', 'cold', names.COLD, names.COLD_COUNTER],
  ['a cold start, a contract of 50 methods', 'cold', names.COLD, names.COLD_MANY],
  ['1 000 increments in one tick', 'calls', names.INCREMENTS_IN_FLIGHT],
  ['1 000 reads in one tick', 'calls', names.READS_IN_FLIGHT],
  [
    'an event to 100',
    'broadcasts',
    ofEvent(100, 'last'),
    names.FEED,
    [names.LOOP, names.CALLBACKS],
  ],
];

/**
 * Formats the table of measured figures. A row that has not been measured yet is left out, and so is a column.
 *
 * @param {Results | undefined} results - of the bench
 * @returns {string} Markdown that the formatter does not change
 */
export function figuresOf(results = {}) {
  const measured = ROWS.flatMap(([name, part, what, who = THIS_RPC, to = [FLOOR, CAPNWEB]]) => {
    const ratios = rowIn(results, part, what, who)?.to ?? {};
    const [byHand, rival] = to;
    const cells = [ratios[byHand], ratios[rival], ratios[VALIDATED]];
    return cells.some(Boolean) ? [{ name, part, cells }] : [];
  });
  if (measured.length === 0) return 'No run has been recorded yet.';
  const heads = ['to the same by hand', `to ${CAPNWEB}`, `to ${CAPNWEB}, validated`];
  const columns = [0, 1, 2].filter((column) => measured.some(({ cells }) => cells[column]));
  const checks = ['arguments checked (here: by schemas)', 'no', 'no', 'by types'];
  const table = [
    ['', ...columns.map((column) => heads[column] ?? '')],
    [checks[0] ?? '', ...columns.map((column) => checks[column + 1] ?? '')],
    ...measured.map(({ name, cells }) => [
      name,
      ...columns.map((column) => {
        const ratio = cells[column];
        return ratio ? ratioText(ratio) : '–';
      }),
    ]),
  ];
  const parts = [...new Set(measured.map(({ part }) => part))];
  const conditions = conditionsOf(results, parts).map(({ names: of, text }, _, all) => {
    return all.length > 1 ? `${of.join(', ')}: ${text}` : text;
  });
  return `${markdownTable(table)}

Time, or CPU time where a row says so, relative to others; lower is faster; the 95 % interval in brackets. By hand and in
${CAPNWEB}, arguments are not checked, and increments not kept for a lost connection.${trafficText(results)}
Measured ${conditions.join('; ')}. [All contenders](bench/RESULTS.md).`;
}

/**
 * @param {Results} results
 * @returns {string} a sentence; empty if the traffic has not been measured
 */
function trafficText(results) {
  const [own, rival] = [THIS_RPC, CAPNWEB].map((who) => {
    const value = (/** @type {string} */ what) => rowIn(results, 'calls', what, who)?.value;
    const [frames, bytes] = [names.INCREMENT_FRAMES, names.INCREMENT_BYTES].map(value);
    return frames && bytes && `${frames} frames and ${Math.round(bytes)} bytes`;
  });
  if (!own || !rival) return '';
  return ` One awaited\nincrement takes ${own}; ${CAPNWEB}'s takes ${rival}.`;
}

/**
 * @param {import('./pages.mjs').Pages} pages
 * @returns {string} what it says about them
 */
export function writeFigures(pages) {
  const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : undefined;
  pages.set(README, withPlace(pages.get(README), 'figures', figuresOf(results)));
  return 'The figures of README.md are those of bench/results.json';
}
