/** The machine and the commit of a measurement. */
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';

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
