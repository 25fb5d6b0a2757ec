/** PERFORMANCE.md of the project, on disk and in git. Imports entry. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addEntry, type Entry, formatEntry, readEntries } from './entry.ts';
import type { Report } from './summary.ts';

const PROJECT = join(import.meta.dirname, '..');
const NAME = 'PERFORMANCE.md';
const FILE = join(PROJECT, NAME);

/** Adds a measurement; it is compared with the latest before it. */
export function record(report: Report, description: string): void {
  const text = read();
  const entry = formatEntry(report, { commit: commit(), description }, readEntries(text)[0]);
  writeFileSync(FILE, addEntry(text, entry));
}

/**
 * The entry to compare with.
 *
 * @param which - `latest`, the beginning of an entry's time or commit, or a git ref, in whose
 *   PERFORMANCE.md it is the latest
 * @throws Error when there is none
 */
export function findEntry(which: string): Entry {
  const entries = readEntries(read());
  const isIt = ({ time, commit: hash }: Entry): boolean =>
    which === 'latest' || time.startsWith(which) || hash.startsWith(which);
  const entry = entries.find(isIt) ?? readEntries(git('show', `${which}:./${NAME}`))[0];
  if (entry) return entry;
  throw new Error(
    `There is no entry ${which} in ${NAME}, and no git ref of that name with an entry there. ` +
      'To make an entry: npm run perf -- --record "what changed"',
  );
}

function read(): string {
  return existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
}

function commit(): string {
  const hash = git('rev-parse', '--short', 'HEAD').trim();
  if (!hash) return 'no commit';
  // The file itself is written after each measurement.
  return git('status', '--porcelain', '--', '.', `:(exclude)${NAME}`) ? `${hash}-dirty` : hash;
}

/** Nothing when git fails, or is not there. */
function git(command: string, ...args: string[]): string {
  try {
    return execFileSync('git', [command, ...args], {
      cwd: PROJECT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    });
  } catch {
    return '';
  }
}
