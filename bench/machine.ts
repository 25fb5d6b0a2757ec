/** The machine and the commit of a measurement. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** Linux has the memory and the CPU time of a process in /proc. */
export const tellsProcesses = existsSync('/proc/self/schedstat');
export const NOT_TOLD = 'This system does not tell what a process takes';

export function cpu(): string {
  return `${cpus()[0]?.model.trim() ?? 'unknown CPU'} (${availableParallelism()} cores)`;
}

/** The current commit, with a mark if files differ from it, except those that a run writes. */
export function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const outputs = ['results.json', 'RESULTS.md'].map((file) => `:(exclude)${file}`);
  const isDirty = git('status', '--porcelain', '--', ':/', ...outputs) !== '';
  return git('rev-parse', '--short', 'HEAD') + (isDirty ? ', with changes' : '');
}
