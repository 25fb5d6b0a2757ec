/**
 * Step: moves the finished project to its target. It is synchronous, so a signal finds the target
 * either as it was or complete; and it never replaces anything, even if it appeared meanwhile.
 */
import { constants, copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { EXIT, Failure } from '../failure.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'cwd' | 'project' | 'staging' | 'target' | 'targetExists' | 'packageManager'>} context
 * @returns {Partial<Context>}
 */
export default function moveIntoPlace(context) {
  const { cwd, project, staging, target, targetExists, packageManager } = context;
  try {
    // Renaming a directory onto one that is not empty, or onto a file, fails.
    if (targetExists) moveEntries(project, target);
    else renameSync(project, target);
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new Failure(
      `Something was put into ${target} while the project was being made.\n` +
        'Nothing was changed. Choose another directory.',
      EXIT.conflict,
      { cause: error },
    );
  }
  rmSync(staging, { recursive: true, force: true });
  const place = relative(cwd, target) || '.';
  return {
    undo: [],
    kept: `The project's files are complete in ${place}. To go on there: ${packageManager.install}`,
  };
}

/**
 * @param {string} from
 * @param {string} to
 */
function moveEntries(from, to) {
  /** @type {string[]} */
  const moved = [];
  try {
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const destination = join(to, entry.name);
      if (entry.isDirectory()) renameSync(join(from, entry.name), destination);
      // Renaming a file would replace one that is there.
      else copyFileSync(join(from, entry.name), destination, constants.COPYFILE_EXCL);
      moved.push(destination);
    }
  } catch (error) {
    for (const path of moved) rmSync(path, { recursive: true });
    throw error;
  }
}

/** @param {unknown} error */
function isConflict(error) {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(String(code));
}
