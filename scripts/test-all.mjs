/**
 * `npm run test:all`: runs `npm test`, and then the slower tests. Its last line counts both.
 * `npm run test:all -- --record` writes the table of CONTRIBUTING.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdownTable } from './markdown-table.mjs';
import { readTally, TALLY_FILE } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {import('./tally.mjs').TestFile} TestFile */

const PAGE = fileURLToPath(new URL('../CONTRIBUTING.md', import.meta.url));
const PLACE = /(<!-- tests -->\n)[\s\S]*?(<!-- \/tests -->)/;

const COMMANDS = [
  { name: 'npm test', line: 'npm test' },
  { name: 'npm run test:all', line: 'npm run test:slow' },
];

const folder = mkdtempSync(join(tmpdir(), 'test-all-'));
process.env[TALLY_FILE] = join(folder, 'tally.json');
for (const { line } of COMMANDS) {
  const { status } = spawnSync(line, { stdio: 'inherit', shell: true });
  if (status !== 0) process.exitCode = 1;
}
const { runs } = readTally();
rmSync(folder, { recursive: true, force: true });
if (process.argv.includes('--record') && !process.exitCode) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(PLACE, (_, begin, end) => begin + textOf(runs) + end),
  );
}

/**
 * @param {Tally['runs']} all - in the order of the commands
 * @returns {string}
 */
function textOf(all) {
  const rows = all.flatMap(({ seconds, files }, index) => {
    const command = `\`${COMMANDS[index]?.name}\``;
    const parts = [...Map.groupBy(files, partOf)].toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    );
    const total = [command, 'all of these, side by side', countOf(files), `${Math.round(seconds)}`];
    return parts
      .map(([part, those]) => [command, `\`${part}\``, countOf(those), secondsOf(those)])
      .concat([total]);
  });
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model.trim()}`;
  return `
${markdownTable([['command', 'part', 'tests', 'seconds'], ...rows])}

Measured ${date} on ${machine} by \`npm run test:all -- --record\`.

`;
}

/** @param {TestFile} file */
function partOf({ path }) {
  const [top = '', part = ''] = path.replace('.test.mjs', '').split('/');
  return `${top}/${part}`;
}

/** @param {TestFile[]} files */
function countOf(files) {
  return `${files.reduce((sum, { tests }) => sum + tests, 0)}`;
}

/** @param {TestFile[]} files */
function secondsOf(files) {
  return `${Math.round(files.reduce((sum, { seconds }) => sum + seconds, 0))}`;
}
