/**
 * `npm run figures`: compares the measured figures in the README with the last run of the bench,
 * in bench/results.json. `npm run figures -- --write` writes them to the README.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { grouped } from './grouped.mjs';
import { markdownTable } from './markdown-table.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = join(ROOT, 'README.md');
const RESULTS = join(ROOT, 'bench/results.json');
const TORTURE = join(ROOT, 'torture/results.json');
const COSTS = 'docs/scale-and-cost.md';
const WHY = /(<!-- why -->\n)[\s\S]*?(<!-- \/why -->)/;
const FIGURES = /(<!-- figures -->\n)[\s\S]*?(<!-- \/figures -->)/;

const THIS_RPC = 'this RPC';
const RIVAL = "Cap'n Web";

/** Workloads in the README: their names there, by their names in the bench. */
const WORKLOADS = new Map([
  ['100 increments', '100 increments, each awaited'],
  ['100 reads', '100 reads, each awaited'],
  ['1000 increments in flight', '1 000 increments in one tick'],
  ['1000 reads in flight', '1 000 reads in one tick'],
  ['10 KiB object, there and back', 'an object of 10 KiB, there and back'],
  ['first answer on a fresh connection', 'the first answer on a new connection'],
]);
/** The one that is measured with a process of its own for each contender. */
const CALLERS = '100 callers, 3 increments each';

/** @typedef {{ value: number, low: number, high: number }} Ratio */
/** @typedef {{ workload: string, contender: string, ratio?: Ratio, rivalRatio?: Ratio }} Result */
/** @typedef {{ frames: number, bytes: number }} Traffic */
/** @typedef {{ contender: string, operation: string, up: Traffic, down: Traffic }} Cost */

/**
 * @param {any} results - of the bench; `undefined` if there are none
 * @returns {string} Markdown that the formatter does not change
 */
export function figuresOf(results) {
  if (!results?.speed) return '\nNo run has been recorded yet.\n\n';
  const { measured, result } = results.speed;
  /** @type {{ results: Result[], wire: Cost[], configuration: any }} */
  const { results: all, wire, configuration } = result.off;
  const rows = [...WORKLOADS].map(([workload, name]) => {
    const own = ownIn(all, workload);
    if (!own) throw new Error(`The bench has no workload ${workload}: see scripts/figures.mjs`);
    return [name, ratioText(own.ratio), ratioText(own.rivalRatio)];
  });
  const callers = callersIn(results);
  rows.push([
    '3 increments of each of 100 callers',
    ratioText(callers?.ratio),
    ratioText(callers?.rivalRatio),
  ]);
  const [own, rival] = [THIS_RPC, RIVAL].map((name) => trafficText(wire, name));
  return `
${markdownTable([['time of', 'to the same by hand', `to ${RIVAL}`], ...rows])}

Lower is faster. The 95 % interval is in brackets. In the last row, the callers share one client, and each
contender has processes of its own. One awaited increment takes ${own};
${RIVAL}'s takes ${rival}.
Measured ${measured.time.slice(0, 10)} at commit ${measured.commit}, ${measured.cpu}, Node ${measured.node},
workerd ${configuration.workerd}, without WebSocket compression.
All contenders, memory and sizes: [bench/RESULTS.md](bench/RESULTS.md).

`;
}

/**
 * Formats the reasons for this project that contain a figure.
 *
 * @param {any} results - of the bench; `undefined` if there are none
 * @param {Record<string, { parts: { figures: Record<string, number | string> }[] }>} torture - the figures of `npm run torture`
 * @param {string} costs - text of the page with the figures of `npm run costs`
 * @returns {string} Markdown that the formatter does not change
 */
function whyOf(results, torture, costs) {
  const [kills, cuts, calls, lost, doubled, wrong, interrupted] = [
    'kills',
    'cuts',
    'calls',
    'lost',
    'doubled',
    'wrong',
    'interrupted',
  ].map((name) => grouped(sumOf(torture, name)));
  const awaited = ownIn(results?.speed?.result.off.results ?? [], '100 increments');
  const callers = callersIn(results);
  return `
- **Each call runs once.** ${calls} calls went through ${kills} kills of the runtime and ${cuts} cut connections: ${lost} were
  lost, ${doubled} ran twice, ${wrong} had a wrong answer. The kills ended ${interrupted} methods that were awaiting something: their calls
  rejected, and did not run again. Calls and subscriptions go on after both, streams after cuts
  ([how it was tested](torture/README.md)).
- **Fast.** Calls of one client that are in flight together share frames and commits. With 100 callers, such as the
  parts of a page, they take ${timeThan(callers?.ratio)} the same exchange written by hand, and
  ${timeThan(callers?.rivalRatio)} ${RIVAL}. A single awaited increment takes ${timeThan(awaited?.ratio)}
  by hand, and ${timeThan(awaited?.rivalRatio)} ${RIVAL} ([all figures](#measured)).
- **Cheap.** The object hibernates while its clients stay connected. A million increments cost
  $${dollarsOf(costs, 'increments, each awaited')}, and $${dollarsOf(costs, 'increments, 100 in a frame')} with 100 in a frame ([what counts](${COSTS})).

`;
}

/**
 * @param {Record<string, { parts: { figures: Record<string, number | string> }[] }>} torture
 * @param {string} name
 * @returns {number} the sum over all runs with kills or cuts
 */
function sumOf({ kills, cuts }, name) {
  const parts = [kills, cuts].flatMap((run) => run?.parts ?? []);
  return parts.reduce((sum, { figures }) => sum + Number(figures[name] ?? 0), 0);
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
 * @param {Result[]} all
 * @param {string} workload
 * @returns {Result | undefined} the result of this RPC
 */
function ownIn(all, workload) {
  return all.find((one) => one.workload === workload && one.contender === THIS_RPC);
}

/**
 * @param {any} results - of the bench
 * @returns {Result | undefined} the result of this RPC with many callers
 */
function callersIn(results) {
  return ownIn(results?.apart?.result.results ?? [], CALLERS);
}

/** @param {Ratio | undefined} ratio */
function ratioText(ratio) {
  if (!ratio) return '–';
  const [value, low, high] = [ratio.value, ratio.low, ratio.high].map((one) =>
    one < 0.1 ? one.toPrecision(2) : one.toFixed(2),
  );
  return `${value} (${low}–${high})`;
}

/**
 * Says a ratio of times in words, for a sentence that goes on with what it is compared with.
 *
 * @param {Ratio | undefined} ratio
 */
function timeThan(ratio) {
  if (!ratio) return '– of the time of';
  if (ratio.low <= 1 && ratio.high >= 1) return 'about as much time as';
  const percent = Math.round(Math.abs(ratio.value - 1) * 100);
  return `${percent} % ${ratio.value > 1 ? 'more' : 'less'} time than`;
}

/**
 * @param {Cost[]} wire
 * @param {string} name
 */
function trafficText(wire, name) {
  const cost = wire.find((one) => one.contender === name && one.operation === 'increment');
  if (!cost) throw new Error(`The bench has no traffic of ${name}: see scripts/figures.mjs`);
  const { up, down } = cost;
  return `${up.frames + down.frames} frames and ${Math.round(up.bytes + down.bytes)} bytes`;
}

function main() {
  const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : undefined;
  const readme = readFileSync(README, 'utf8');
  const costs = readFileSync(join(ROOT, COSTS), 'utf8');
  const why = whyOf(results, JSON.parse(readFileSync(TORTURE, 'utf8')), costs);
  const expected = readme
    .replace(FIGURES, (_, begin, end) => begin + figuresOf(results) + end)
    .replace(WHY, (_, begin, end) => begin + why + end);
  if (process.argv.includes('--write')) return writeFileSync(README, expected);
  if (readme === expected) return console.log('The README has the figures of the last run.');
  console.error('README.md and bench/results.json disagree: run `npm run figures -- --write`');
  process.exitCode = 1;
}

if (import.meta.main) main();
