/**
 * A folder for the databases of the objects under test. These are thousands of small files, and each commit waits for
 * the disk. The tests end processes, not machines, so the files can be in memory.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** The minimum free space, in bytes. A container may have only 64 MiB. */
const ENOUGH = 2 ** 30;

/** @returns {string} a folder in memory, or the system's temporary directory if there is no large folder in memory */
export function memoryFolder() {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** @returns {string} the same folder, unless no program can run in it, as in many containers */
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
