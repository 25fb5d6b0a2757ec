/** Reads and writes the results: results.json and RESULTS.md. Parts that a run does not measure stay unchanged. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { report } from './report.ts';
import { type Results, toJson } from './rows.ts';

const JSON_FILE = 'results.json';

/** Reads the results of earlier runs in a folder; empty if there are none. */
export async function readResults(folder: string): Promise<Results> {
  const text = await readFile(join(folder, JSON_FILE), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Results;
}

export async function writeResults(folder: string, results: Results): Promise<void> {
  await writeFile(join(folder, JSON_FILE), toJson(results));
  await writeFile(join(folder, 'RESULTS.md'), report(results));
}
