/**
 * An entry of PERFORMANCE.md: Markdown for people, and in a comment at its end the figures that
 * `--compare` and `--check` read. Imports compare, report and tables.
 */
import { compareFigures, differenceOf, type Figure, formatChanges } from './compare.ts';
import { formatConfiguration } from './report.ts';
import type { Configuration, Report } from './summary.ts';
import { byWorkload, formatRatio, toMarkdown } from './tables.ts';

/** What is kept of a measurement. */
export interface Entry {
  /** In ISO 8601; it names the entry. */
  time: string;
  /** Of the project; with `-dirty` if it had changes that were not committed. */
  commit: string;
  description: string;
  configuration: Configuration;
  figures: Figure[];
}

const HEAD = `# Performance

Written by \`npm run perf -- --record "what changed"\`, newest first. A ratio is of times, so less is
faster; in brackets is its 95 % interval.`;

const FIGURES = /^<!-- figures (.*) -->$/gm;

/** @param previous - to compare it with */
export function formatEntry(
  report: Report,
  names: Pick<Entry, 'commit' | 'description'>,
  previous?: Entry,
): string {
  const { time, configuration, results, rival } = report;
  const figures = results.flatMap(({ workload, contender, role, ratio }) =>
    ratio ? [{ workload, contender, role, ratio }] : [],
  );
  const section = (title: string, text: string): string => `### ${title}\n\n${text}`;
  return [
    titleOf({ time, ...names }),
    bullets(formatConfiguration(report)),
    section(
      'Time relative to the same exchange written by hand',
      toMarkdown(byWorkload(results, ({ ratio }) => ratio && formatRatio(ratio))),
    ),
    section(
      `Time relative to ${rival}`,
      toMarkdown(byWorkload(results, ({ rivalRatio }) => rivalRatio && formatRatio(rivalRatio))),
    ),
    section(
      'Median, µs a call',
      toMarkdown(byWorkload(results, ({ median }) => median.toFixed(0))),
    ),
    section(
      'Compared with the entry before',
      bullets(comparison(configuration, figures, previous)),
    ),
    section('Notes', bullets(notes(report))),
    `<!-- figures ${toComment({ time, ...names, configuration, figures })} -->\n`,
  ].join('\n\n');
}

/** Puts an entry before the others; `text` is empty when there is no file yet. */
export function addEntry(text: string, entry: string): string {
  const first = text.search(/^## /m);
  const [head, rest] = first < 0 ? [text, ''] : [text.slice(0, first), `\n${text.slice(first)}`];
  return `${head.trim() || HEAD}\n\n${entry}${rest}`;
}

/**
 * Newest first.
 *
 * @throws Error when the figures of an entry cannot be read
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

export function titleOf({ time, commit, description }: Omit<Entry, 'configuration' | 'figures'>) {
  return `## ${time}, ${commit}: ${description}`;
}

/** Without what would end the comment; four digits are more than a number can say. */
function toComment(entry: Entry): string {
  const json = JSON.stringify(entry, (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  );
  return json.replaceAll('>', String.raw`\u003e`);
}

function comparison(configuration: Configuration, figures: Figure[], previous?: Entry): string[] {
  if (!previous) return ['There is none.'];
  const difference = differenceOf(previous.configuration, configuration);
  return [
    titleOf(previous).slice('## '.length),
    ...(difference ? [`Not measured alike: ${difference}`] : []),
    ...formatChanges(compareFigures(previous.figures, figures)),
  ];
}

function notes({ results, leftOut }: Report): string[] {
  const rounds = results.reduce((sum, result) => sum + result.rounds, 0);
  const marked = results.reduce((sum, { outliers }) => sum + outliers.length, 0);
  return [
    `${marked} of ${rounds} rounds lie far from the others; they count like them.`,
    ...leftOut.map(({ workload, contender, reason }) => `${contender}, ${workload}: ${reason}`),
  ];
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
