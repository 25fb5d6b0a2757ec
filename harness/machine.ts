/** Reads the machine and the commit of a measurement, and the memory and CPU time of processes. */
import { existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { git, REPOSITORY } from './repository.mjs';

/** Linux has the memory and the CPU time of a process in /proc. */
export const tellsProcesses = existsSync('/proc/self/schedstat');
export const NOT_TOLD = 'This system does not tell what a process takes';

export function cpu(): string {
  return `${cpus()[0]?.model.trim() || 'unknown CPU'} (${availableParallelism()} cores)`;
}

/**
 * @param outputs - files that a run writes, relative to the repository
 * @returns the current commit, with a mark if other files differ from the commit
 */
export function commit(outputs: readonly string[]): string {
  const excluded = outputs.map((file) => `:(exclude)${file}`);
  const changes = git(['status', '--porcelain', '--', '.', ...excluded], REPOSITORY);
  const hash = git(['rev-parse', '--short', 'HEAD'], REPOSITORY).trim();
  return changes ? `${hash}, with changes` : hash;
}
