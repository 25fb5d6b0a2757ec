/**
 * Reads and writes the results: results.json, RESULTS.md and its chart. Parts that a run does not measure stay
 * unchanged.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartOf } from '../runtime/src/perf/report/chart.ts';
import { toMarkdownPage } from './page.ts';
import type { Parts, Results } from './parts.ts';

const JSON_FILE = 'results.json';

/** Reads the results of earlier runs in a folder; empty if there are none. */
export async function readResults(folder: string): Promise<Results> {
  const text = await readFile(join(folder, JSON_FILE), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Results;
}

export async function writeResults(folder: string, results: Results): Promise<void> {
  await writeFile(join(folder, JSON_FILE), `${JSON.stringify(results, rounded, 1)}\n`);
  await writeFile(join(folder, 'RESULTS.md'), toMarkdownPage(results));
  const report = results.speed?.result.off;
  if (report) await writeFile(join(folder, 'chart.svg'), chartOf(chartedPart(report)));
}

/** Five digits are more than the precision of any figure. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

/** The part that fits on a page: the most important workloads, and those with the largest differences. */
function chartedPart(report: Parts['speed']['off']): Parts['speed']['off'] {
  const isCharted = /^(100 increments|100 reads|50 mixed pairs|1000 reads in flight|10 KiB.*)$/;
  return { ...report, results: report.results.filter(({ workload }) => isCharted.test(workload)) };
}
