/**
 * What has been measured, in results.json, and as RESULTS.md with its chart. Parts that a run does
 * not measure stay as the run before left them, and each says when and where it was measured.
 * Imports the template's performance test and bars; types of everything measured.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { chartOf } from '../template/perf/chart.ts';
import type { Profile } from '../template/perf/profile.ts';
import type { Bar } from './bars.ts';
import { commit, cpu } from './machine.ts';
import type { Memory } from './memory.ts';
import type { Scaffolding } from './scaffolding/measure.ts';
import type { Sizes } from './sizes.ts';
import type { Speed } from './speed.ts';
import { toMarkdownPage } from './page.ts';

export interface Parts {
  speed: { off: Speed['report']; on: Speed['report']; bars: Bar[] };
  profile: Profile;
  sizes: Sizes;
  memory: Memory[] | { failure: string };
  scaffolding: Scaffolding;
}

/** When and where. */
export interface Measurement {
  time: string;
  commit: string;
  node: string;
  cpu: string;
  /** How many processes wanted to run when it began, on average over a minute. */
  load: number;
  isQuick: boolean;
}

export type Results = { [Name in keyof Parts]?: { measured: Measurement; result: Parts[Name] } };

const JSON_FILE = 'results.json';

export function measurementNow(isQuick: boolean): Measurement {
  return {
    time: new Date().toISOString(),
    commit: commit(),
    node: process.versions.node,
    cpu: cpu(),
    load: loadavg()[0] ?? 0,
    isQuick,
  };
}

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
function chartedPart(report: Speed['report']): Speed['report'] {
  const isCharted = /^(100 increments|100 reads|50 mixed pairs|1000 reads in flight|10 KiB.*)$/;
  return { ...report, results: report.results.filter(({ workload }) => isCharted.test(workload)) };
}
