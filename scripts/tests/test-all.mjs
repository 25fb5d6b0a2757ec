/**
 * `npm run test:all`: runs `npm test`, and then the slower tests. Its last line counts both.
 * `npm run test:all -- --record` writes the table of CONTRIBUTING.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpu } from '../../harness/machine.ts';
import { markdownTable, withPlace } from '../pages/markdown.mjs';
import { readTally, TALLY_FILE } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {import('./tally.mjs').TestFile} TestFile */

const PAGE = fileURLToPath(new URL('../../CONTRIBUTING.md', import.meta.url));

const COMMANDS = ['npm test', 'npm run test:slow'];

const folder = mkdtempSync(join(tmpdir(), 'test-all-'));
process.env[TALLY_FILE] = join(folder, 'tally.json');
for (const line of COMMANDS) {
  const { status } = spawnSync(line, { stdio: 'inherit', shell: true });
  if (status !== 0) process.exitCode = 1;
}
const { runs } = readTally();
rmSync(folder, { recursive: true, force: true });
if (process.argv.includes('--record') && !process.exitCode) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, withPlace(page, 'tests', textOf(runs)));
}

/**
 * @param {Tally['runs']} all - in the order of the commands
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
