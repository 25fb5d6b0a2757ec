/** The results of several test runs in a row, in a file that an environment variable names. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The variable that names the file. Without it, a run counts only itself. */
export const TALLY_FILE = 'TEST_TALLY';

/** @typedef {{ path: string, tests: number, seconds: number }} TestFile */

/**
 * @typedef {object} Tally
 * @property {Record<'passed' | 'failed' | 'skipped' | 'pending', number>} counts - of tests, in all runs
 * @property {string[]} failures - what failed, in all runs
 * @property {{ seconds: number, files: TestFile[] }[]} runs - in their order
 */

/** @returns {Tally} */
export function readTally() {
  const path = process.env[TALLY_FILE];
  if (path && existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  return { counts: { passed: 0, failed: 0, skipped: 0, pending: 0 }, failures: [], runs: [] };
}

/** @param {Tally} tally */
export function writeTally(tally) {
  const path = process.env[TALLY_FILE];
  if (path) writeFileSync(path, JSON.stringify(tally));
}
