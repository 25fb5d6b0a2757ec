/** Writes RESULTS.md, the summary of results.json. The module is pure. */
import { type Bar, BARS, measuredOf, REPORTED, type Verdict, verdictOf } from './bars.ts';
import { comparisonTable } from './comparison-table.ts';
import {
  CALLBACKS,
  CAPNWEB,
  FLOOR,
  INCREMENT_BYTES,
  INCREMENT_FRAMES,
  INCREMENTS,
  LOOP,
  READS,
  THIS_RPC,
} from './names.ts';
import {
  figureText,
  type Measurement,
  type Ratio,
  ratioText,
  type Results,
  rowIn,
} from './rows.ts';
import { markdownTable } from '../../scripts/pages/markdown.mjs';

const INTRODUCTION = `# Results

\`npm run bench\` measures this package and others on one machine, and writes [results.json](results.json). This page is
generated from that file. A figure is the time of this package divided by the time of the other code in the same round:
0.9 means 10 % less time, 1.2 means 20 % more time. It is the median of all rounds, with its 95 % interval in brackets.

- **Code by hand** makes the same calls over a hibernating WebSocket, without a library. It checks no arguments, and loses
  the calls of a lost connection.
- **Cap'n Web** also checks no arguments and loses these calls. **Cap'n Web, validated** checks the types of arguments by
  \`capnweb-validate\`.`;

export function report(results: Results): string {
  const sections = [
    INTRODUCTION,
    comparisonSection(results),
    barsSection(results),
    reportedSection(results),
    contendersSection(results),
    conditionsSection(results),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function comparisonSection(results: Results): string {
  const table = comparisonTable(results);
  return (
    table &&
    `## Comparison\n\nThe figures are times, or CPU times where a row says so.${trafficText(results)}\n\n${table}`
  );
}

function trafficText(results: Results): string {
  const [own, rival] = [THIS_RPC, CAPNWEB].map((who) => {
    const value = (what: string) => rowIn(results, 'calls', what, who)?.value;
    const [frames, bytes] = [INCREMENT_FRAMES, INCREMENT_BYTES].map(value);
    return frames && bytes && `${frames} frames with ${Math.round(bytes)} bytes`;
  });
  if (!own || !rival) return '';
  return ` An awaited call that adds to a counter sends\nand receives ${own}, and with ${CAPNWEB} ${rival}.`;
}

function barsSection(results: Results): string {
  const rows = BARS.map((bar) => {
    const measured = measuredOf(bar, results);
    const verdict = verdictOf(bar, measured);
    const limits = [bar.limit, bar.reach].filter((limit) => limit !== undefined);
    return [nameOf(bar), limits.join(', '), textOf(measured), verdict ? VERDICTS[verdict] : ''];
  });
  const table = markdownTable([['', 'limit, aim', 'measured', 'result'], ...rows]);
  return `## Limits that this project sets itself\n\nThe project accepts a figure up to its limit, and works towards the aim.\n\n${table}`;
}

function reportedSection(results: Results): string {
  const rows = REPORTED.flatMap((bar) => {
    const measured = measuredOf(bar, results);
    return measured === undefined ? [] : [[nameOf(bar), textOf(measured)]];
  });
  if (rows.length === 0) return '';
  return `## Also measured\n\n${markdownTable([['', ''], ...rows])}`;
}

/** The verdicts in words. */
const VERDICTS: Readonly<Record<Verdict, string>> = {
  reached: 'aim reached',
  met: 'within the limit',
  missed: '**above the limit**',
};

/** The contenders in words, if their names are not clear by themselves. */
const COMPARED_WITH: Readonly<Record<string, string>> = {
  [FLOOR]: 'code by hand',
  [LOOP]: 'a loop by hand',
  [CALLBACKS]: `callbacks of ${CAPNWEB}`,
};

function nameOf({ name, to }: Bar): string {
  return to === undefined ? name : `${name}, compared with ${COMPARED_WITH[to] ?? to}`;
}

function textOf(measured: Ratio | number | undefined): string {
  if (measured === undefined) return '–';
  return typeof measured === 'number' ? figureText(measured) : exactly(measured);
}

/** Formats a figure with three decimals, because a figure with two could seem equal to its limit. */
function exactly(ratio: Ratio): string {
  const [value, low, high] = ratio.map((one) => one.toFixed(3));
  return `${value} (${low}–${high})`;
}

/** Matches variants of this RPC that differ only in code that these calls do not use. */
const OMITTED = /own fetch|bytes/;

/** Returns the section with all contenders, for calls that are awaited one by one. */
function contendersSection(results: Results): string {
  const rows = results['calls']?.rows ?? [];
  const workloads = [INCREMENTS, READS];
  const all = rows.filter(({ what, who }) => what === INCREMENTS && !OMITTED.test(who));
  const names = new Set(all.map(({ who }) => who));
  const lines = [...names].flatMap((who) => {
    const cells = workloads.map((name) => {
      const ratio = rows.find((row) => row.what === name && row.who === who)?.to?.[CAPNWEB];
      return ratio ? ratioText(ratio) : '–';
    });
    return cells.every((cell) => cell === '–') ? [] : [[who, ...cells]];
  });
  if (lines.length === 0) return '';
  return `## All contenders, compared with ${CAPNWEB}\n\n${markdownTable([['', ...workloads], ...lines])}`;
}

function conditionsSection(results: Results): string {
  const shown = new Set(['calls', ...[...BARS, ...REPORTED].map(({ part }) => part)]);
  const parts = Object.keys(results).filter((part) => shown.has(part));
  const lines = conditionsOf(results, parts).map(({ names, text }) => {
    return `- ${names.join(', ')}: ${text}`;
  });
  return lines.length > 0 ? `## Conditions\n\n${lines.join('\n')}` : '';
}

/** Returns the conditions of the measurements. Parts with equal conditions are listed together. */
export function conditionsOf(
  results: Results,
  parts: readonly string[],
): { names: string[]; text: string }[] {
  const known = parts.flatMap((name) => {
    const measured = results[name]?.measured;
    return measured ? [{ name, text: conditionText(measured) }] : [];
  });
  return [...Map.groupBy(known, ({ text }) => text)].map(([text, all]) => ({
    names: all.map(({ name }) => name),
    text,
  }));
}

function conditionText({ time, commit, node, workerd, cpu, isQuick }: Measurement): string {
  const quick = isQuick ? ' (a quick run, whose figures mean little)' : '';
  return `${time.slice(0, 10)} at commit ${commit}, ${cpu}, Node ${node}, workerd ${workerd}${quick}`;
}
