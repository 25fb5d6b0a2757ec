/**
 * Where the databases of the objects under test go: thousands of small files, each of whose commits
 * waits for a disk. What is tested is the end of a process, not of a machine, so memory will do.
 * Imports node: only.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** @returns {string} the same, unless no program may be run from there, as in many a container */
export function memoryFolderForPrograms() {
  const folder = memoryFolder();
  if (folder === tmpdir()) return folder;
  const probe = mkdtempSync(join(folder, 'probe-'));
  const program = join(probe, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(probe, { recursive: true });
  return status === 0 ? folder : tmpdir();
}
