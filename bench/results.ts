/**
 * What has been measured, in results.json, and as RESULTS.md with its chart. Parts that a run does
 * not measure stay as the run before left them.
 * Imports the template's performance test and page.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartOf } from '../template/perf/report/chart.ts';
import { toMarkdownPage } from './page.ts';
import type { Parts, Results } from './parts.ts';

const JSON_FILE = 'results.json';

/** What an earlier run left in a folder; nothing at first. */
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

/** Five digits are more than any figure can say. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

/** What fits on a page: the workloads by which everything is judged, and those that differ most. */
function chartedPart(report: Parts['speed']['off']): Parts['speed']['off'] {
  const isCharted = /^(100 increments|100 reads|50 mixed pairs|1000 reads in flight|10 KiB.*)$/;
  return { ...report, results: report.results.filter(({ workload }) => isCharted.test(workload)) };
}
