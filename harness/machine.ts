/** The machine and the commit of a measurement, and what the system tells about processes. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Linux has the memory and the CPU time of a process in /proc. */
export const tellsProcesses = existsSync('/proc/self/schedstat');
export const NOT_TOLD = 'This system does not tell what a process takes';

export function cpu(): string {
  return `${cpus()[0]?.model.trim() || 'unknown CPU'} (${availableParallelism()} cores)`;
}

/**
 * @param outputs - files that a run writes, relative to the repository
 * @returns the current commit, with a mark if files differ from it, except those
 */
export function commit(outputs: readonly string[]): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const excluded = outputs.map((file) => `:(exclude)${file}`);
  const isDirty = git('status', '--porcelain', '--', '.', ...excluded) !== '';
  return git('rev-parse', '--short', 'HEAD') + (isDirty ? ', with changes' : '');
}
