/**
 * Where the databases of the objects under test go: thousands of small files, each of whose commits
 * waits for a disk. What is tested is the end of a process, not of a machine, so memory will do.
 * Imports node: only.
 */
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** In bytes; a container may have as little as 64 MiB. */
const ENOUGH = 2 ** 30;

/** @returns {string} a folder in memory, or where there is none that is large, the usual one */
export function memoryFolder() {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
