/**
 * `npm run figures`: compares the measured figures in the README with the last run of the bench,
 * in bench/results.json. `npm run figures -- --write` writes them to the README.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as names from '../bench/names.ts';
import { conditionsOf } from '../bench/report.ts';
import { ratioText, rowIn } from '../bench/rows.ts';
import { grouped } from './grouped.mjs';
import { markdownTable } from './markdown-table.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = join(ROOT, 'README.md');
const RESULTS = join(ROOT, 'bench/results.json');
const RELIABILITY = join(ROOT, 'docs/reliability.md');
const COSTS = 'docs/guides/what-do-a-million-calls-cost.md';
const WHY = /(<!-- why -->\n)[\s\S]*?(<!-- \/why -->)/;
const FIGURES = /(<!-- figures -->\n)[\s\S]*?(<!-- \/figures -->)/;

const { CAPNWEB, FLOOR, ofEvent, ofSockets, THIS_RPC, VALIDATED } = names;

/** @typedef {import('../bench/rows.ts').Results} Results */
/** @typedef {import('../bench/rows.ts').Ratio} Ratio */

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
  if (measured.length === 0) return '\nNo run has been recorded yet.\n\n';
  const heads = ['to the same by hand', `to ${CAPNWEB}`, `to ${CAPNWEB}, validated`];
  const columns = [0, 1, 2].filter((column) => measured.some(({ cells }) => cells[column]));
  const checks = ['checks of arguments (here: schemas)', 'none', 'none', 'types'];
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
  return `
${markdownTable(table)}

Time relative to that of others, or CPU time where a row says so; lower is faster. The 95 % interval is in brackets.
This RPC checks arguments by the schemas of the contract, runs each increment once, also through a lost connection, and
hibernates. The exchange by hand does only the last, and ${CAPNWEB} none of these; with its package capnweb-validate, it
checks the types of arguments. By hand, values are JSON that is written for the purpose.${trafficText(results)}
Measured ${conditions.join('; ')}; without WebSocket compression.
All bars and contenders: [bench/RESULTS.md](bench/RESULTS.md).

`;
}

/**
 * Formats the reasons for this project that contain a figure.
 *
 * @param {Results | undefined} results - of the bench
 * @param {string} reliability - text of the page with the figures of `npm run torture`
 * @param {string} costs - text of the page with the figures of `npm run bench -- costs`
 * @returns {string} Markdown that the formatter does not change
 */
export function whyOf(results = {}, reliability, costs) {
  const [kills, cuts, calls, lost, doubled, wrong, interrupted] = [
    'kills',
    'cuts',
    'calls',
    'lost',
    'doubled',
    'wrong',
    'interrupted',
  ].map((name) => grouped(sumOf(reliability, name)));
  const ratios = (/** @type {string} */ part, /** @type {string} */ what, who = THIS_RPC) =>
    rowIn(results, part, what, who)?.to ?? {};
  const awaited = ratios('calls', names.INCREMENTS);
  const read = ratios('calls', names.READS);
  const cold = ratios('cold', names.COLD, names.COLD_COUNTER)[CAPNWEB];
  const callers = ratios('apart', names.CALLERS);
  const coldText = cold ? ` A cold start takes ${timeThan(cold)} ${CAPNWEB}'s.` : '';
  return `
- **Each call runs once.** ${calls} calls went through ${kills} kills of the runtime and ${cuts} cut connections: ${lost} were
  lost, ${doubled} ran twice, ${wrong} had a wrong answer. The kills ended ${interrupted} methods that were awaiting something: their calls
  rejected, and did not run again. Calls and subscriptions go on after both, streams after cuts
  ([how it was tested](docs/reliability.md)).
- **Fast.** A single awaited increment takes ${timeThan(awaited[FLOOR])} the same exchange written by hand, and
  ${timeThan(awaited[CAPNWEB])} ${CAPNWEB}; a read takes ${timeThan(read[FLOOR])} by hand, and
  ${timeThan(read[CAPNWEB])} ${CAPNWEB}.${coldText} Calls of one client that are in flight together share frames and
  commits: with 100 callers, such as the parts of a page, they take ${timeThan(callers[FLOOR])} by hand, and
  ${timeThan(callers[CAPNWEB])} ${CAPNWEB} ([all figures](#measured)).
- **Cheap.** The object hibernates while its clients stay connected. A million increments cost
  $${dollarsOf(costs, 'increments, each awaited')}, and $${dollarsOf(costs, 'increments, 100 in a frame')} with 100 in a frame ([what counts](${COSTS})).

`;
}

/**
 * @param {string} page
 * @param {string} name
 * @returns {number} the sum over all runs with kills or cuts
 */
function sumOf(page, name) {
  const sections = page.split(/^(?=\*\*)/m).filter((text) => /^\*\*(kills|cuts)\*\*/.test(text));
  const found = sections.join('').matchAll(new RegExp(`\\b${name} (\\d+)`, 'g'));
  return [...found].reduce((sum, [, figure]) => sum + Number(figure), 0);
}

/**
 * @param {string} page
 * @param {string} what - the first cell of a row
 * @returns {string} the last cell
 */
function dollarsOf(page, what) {
  const cells = page.split('\n').find((line) => line.startsWith(`| ${what} `));
  const dollars = cells?.split('|').at(-2)?.trim();
  if (!dollars) throw new Error(`${COSTS} has no row ${what}`);
  return dollars;
}

/**
 * Says a ratio of times in words, for a sentence that goes on with what it is compared with.
 *
 * @param {Ratio | undefined} ratio
 */
function timeThan(ratio) {
  if (!ratio) return '– of the time of';
  const [value, low, high] = ratio;
  if (low <= 1 && high >= 1) return 'about as much time as';
  const percent = Math.round(Math.abs(value - 1) * 100);
  return `${percent} % ${value > 1 ? 'more' : 'less'} time than`;
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

function main() {
  const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : undefined;
  const readme = readFileSync(README, 'utf8');
  const costs = readFileSync(join(ROOT, COSTS), 'utf8');
  const why = whyOf(results, readFileSync(RELIABILITY, 'utf8'), costs);
  const expected = readme
    .replace(FIGURES, (_, begin, end) => begin + figuresOf(results) + end)
    .replace(WHY, (_, begin, end) => begin + why + end);
  if (process.argv.includes('--write')) return writeFileSync(README, expected);
  if (readme === expected) return console.log('The README has the figures of the last run.');
  console.error('README.md and bench/results.json disagree: run `npm run figures -- --write`');
  process.exitCode = 1;
}

if (import.meta.main) main();
