/**
 * `npm run test:all`: runs all tests in one run. `npm run test:all -- --record` runs `npm test` first, and writes the table of
 * CONTRIBUTING.md. Other arguments are passed on to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpu } from '../../harness/machine.ts';
import { markdownTable, withPlace } from '../pages/markdown.mjs';
import { RUN_FILE } from './closing-line-reporter.mjs';
import { WHOLE } from './whole.mjs';

/** @typedef {import('./closing-line-reporter.mjs').TestRun} TestRun */
/** @typedef {import('./closing-line-reporter.mjs').TestFile} TestFile */

const PAGE = fileURLToPath(new URL('../../CONTRIBUTING.md', import.meta.url));
const COMMANDS = ['npm test', 'npm run test:all'];

const args = process.argv.slice(2).filter((arg) => arg !== '--record');
if (args.length < process.argv.length - 2) record();
else {
  process.env[WHOLE] = 'yes';
  process.exitCode = vitest(...args);
}

/** @param {string[]} options */
function vitest(...options) {
  const { status } = spawnSync('vitest', ['run', '--maxWorkers=5', ...options], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return status ?? 1;
}

function record() {
  const folder = mkdtempSync(join(tmpdir(), 'test-all-'));
  const file = (process.env[RUN_FILE] = join(folder, 'run.json'));
  try {
    /** @type {TestRun[]} */
    const runs = [];
    for (const options of [['--project=!*slow*'], []]) {
      if (options.length === 0) process.env[WHOLE] = 'yes';
      if (vitest(...options) !== 0) return void (process.exitCode = 1);
      runs.push(JSON.parse(readFileSync(file, 'utf8')));
    }
    writeFileSync(PAGE, withPlace(readFileSync(PAGE, 'utf8'), 'tests', textOf(runs)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {TestRun[]} all - the runs, in the order of the commands
 * @returns {string}
 */
function textOf(all) {
  const folders = [...new Set(all.flatMap(({ files }) => files.map(folderOf)))].toSorted();
  const rows = folders.map((name) => {
    const own = all.map(({ files }) => files.filter((file) => folderOf(file) === name));
    return [`\`${name}/\``].concat(own.flatMap((files) => [countOf(files), secondsOf(files)]));
  });
  const total = all.flatMap(({ seconds, files }) => [countOf(files), `${Math.round(seconds)}`]);
  const head = COMMANDS.flatMap((line) => [`\`${line}\``, 'seconds']);
  const date = new Date().toISOString().slice(0, 10);
  return `${markdownTable([['tests in', ...head], ...rows, ['all, side by side', ...total]])}

Measured ${date} on ${cpu()} by \`npm run test:all -- --record\`.`;
}

/** @param {TestFile} file */
function folderOf({ path }) {
  return path.split('/')[0] ?? '';
}

/** @param {TestFile[]} files */
function countOf(files) {
  return `${files.reduce((sum, { tests }) => sum + tests, 0)}`;
}

/** @param {TestFile[]} files */
function secondsOf(files) {
  return `${Math.round(files.reduce((sum, { seconds }) => sum + seconds, 0))}`;
}
