/**
 * Reads and writes a project's PERFORMANCE.md. An entry is Markdown for people. A comment at its end
 * contains the figures that `--compare` and `--check` read.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareFigures, differenceOf, type Figure, formatChanges } from './compare.ts';
import { formatBusy, formatConfiguration, formatLeftOut, formatOutliers } from '../report.ts';
import type { Configuration, Report, Result } from '../measure/summary.ts';
import { byWorkload, formatMarked, toMarkdown } from './tables.ts';

/** The part of a measurement that is recorded. */
export interface Entry {
  /** The start of the measurement, in ISO 8601. */
  time: string;
  /** Commit of the project, with `-dirty` if it had uncommitted changes. */
  commit: string;
  description: string;
  configuration: Configuration;
  figures: Figure[];
}

type Names = Pick<Entry, 'commit' | 'description'>;

const NAME = 'PERFORMANCE.md';
const FIGURES = /^<!-- figures (.*) -->$/gm;
const HEAD = `# Performance

Written by \`npm run perf -- --record "what changed"\`, newest first. A ratio is of times, so lower is
faster; in brackets is its 95 % interval. A ? stands before an interval that is too wide to compare.`;

/**
 * Adds a measurement, compared with the latest one before it.
 *
 * @param project - the folder of the file
 */
export function record(project: string, report: Report, description: string): void {
  const text = read(project);
  const commit = currentCommit(project);
  const entry = formatEntry(report, { commit, description }, readEntries(text)[0]);
  writeFileSync(join(project, NAME), addEntry(text, entry));
}

/**
 * Finds the entry to compare with.
 *
 * @param project - the folder of the file
 * @param which - `latest`, the beginning of an entry's time or commit, or a git ref. The latest entry in
 *   PERFORMANCE.md at that ref is then used.
 * @throws Error if there is no such entry
 */
export function findEntry(project: string, which: string): Entry {
  const isIt = ({ time, commit }: Entry): boolean =>
    which === 'latest' || time.startsWith(which) || commit.startsWith(which);
  const entry =
    readEntries(read(project)).find(isIt) ??
    readEntries(git(project, 'show', `${which}:./${NAME}`))[0];
  if (entry) return entry;
  throw new Error(
    `There is no entry ${which} in ${NAME}, and no git ref of that name with an entry there. ` +
      'To make an entry: npm run perf -- --record "what changed"',
  );
}

export function formatEntry(report: Report, names: Names, previous?: Entry): string {
  const { time, configuration, results, rival } = report;
  const figures = results.flatMap(({ workload, contender, role, ratio, toEmpty }) =>
    ratio ? [{ workload, contender, role, ratio, toEmpty }] : [],
  );
  const table = (cellOf: (result: Result) => string | undefined): string =>
    toMarkdown(byWorkload(results, cellOf));
  return [
    titleOf({ time, ...names }),
    bullets(formatConfiguration(report)),
    '### Time relative to the same exchange written by hand',
    table(({ ratio }) => ratio && formatMarked(ratio)),
    `### Time relative to ${rival}`,
    table(({ rivalRatio }) => rivalRatio && formatMarked(rivalRatio)),
    '### Median of a call, in µs',
    table(({ median }) => median.toFixed(0)),
    '### Compared with the entry before',
    bullets(comparison(configuration, figures, previous)),
    '### Notes',
    bullets(notes(report)),
    `<!-- figures ${toComment({ time, ...names, configuration, figures })} -->\n`,
  ].join('\n\n');
}

/** Puts an entry before all earlier entries. `text` is empty if there is no file yet. */
export function addEntry(text: string, entry: string): string {
  const first = text.search(/^## /m);
  const [head, rest] = first < 0 ? [text, ''] : [text.slice(0, first), `\n${text.slice(first)}`];
  return `${head.trim() || HEAD}\n\n${entry}${rest}`;
}

/**
 * Reads the entries, newest first.
 *
 * @throws Error if the figures of an entry cannot be parsed
 */
export function readEntries(text: string): Entry[] {
  return [...text.matchAll(FIGURES)].map(([, figures = '']) => {
    try {
      const entry = JSON.parse(figures) as Entry;
      if (entry.time && entry.configuration && Array.isArray(entry.figures)) return entry;
    } catch {}
    throw new Error(
      `PERFORMANCE.md: the figures of an entry are damaged: ${figures.slice(0, 60)}…`,
    );
  });
}

export function titleOf({ time, commit, description }: Names & Pick<Entry, 'time'>): string {
  return `## ${time}, ${commit}: ${description}`;
}

/**
 * Formats an entry as JSON, without the character that could end the comment. It keeps four digits of a
 * number, which is more than the precision of the measurement.
 */
function toComment(entry: Entry): string {
  const json = JSON.stringify(entry, (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  );
  return json.replaceAll('>', String.raw`\u003e`);
}

function comparison(configuration: Configuration, figures: Figure[], previous?: Entry): string[] {
  if (!previous) return ['There is no earlier entry.'];
  const difference = differenceOf(previous.configuration, configuration);
  return [
    titleOf(previous).slice('## '.length),
    ...(difference ? [`Measured differently: ${difference}`] : []),
    ...formatChanges(compareFigures(previous.figures, figures)),
  ];
}

function notes({ results, leftOut }: Report): string[] {
  return [formatBusy({ results }), formatOutliers(results), ...formatLeftOut(leftOut)].filter(
    Boolean,
  );
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function read(project: string): string {
  const file = join(project, NAME);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function currentCommit(project: string): string {
  const hash = git(project, 'rev-parse', '--short', 'HEAD').trim();
  if (!hash) return 'no commit';
  // PERFORMANCE.md does not count, because each recorded measurement changes it.
  const changes = git(project, 'status', '--porcelain', '--', '.', `:(exclude)${NAME}`);
  return changes ? `${hash}-dirty` : hash;
}

/** Returns the output of git; empty if git fails or is not installed. */
function git(project: string, ...args: string[]): string {
  try {
    return execFileSync('git', args, {
      cwd: project,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    });
  } catch {
    return '';
  }
}
