/**
 * Step: creates the staging folder in which the project is built, so that the target gets the whole
 * project or nothing. The folder is on the target's file system, where a move is a rename. It is beside
 * a new target. It is inside an existing target, whose parent may be on another file system or not be
 * writable. For `--list` and `--dry-run` it is in the system's temporary directory.
 */
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeFolder } from '../clean-up.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'target' | 'targetExists' | 'list' | 'dryRun' | 'undo'>} context
 * @returns {Partial<Context>}
 */
export default function openStaging({ target, targetExists, list, dryRun, undo }) {
  const parent = list || dryRun ? tmpdir() : targetExists ? target : dirname(target);
  const firstCreated = mkdirSync(parent, { recursive: true });
  if (firstCreated) undo.push(() => removeEmpty(parent, firstCreated));
  const staging = mkdtempSync(join(parent, '.create-lumenize-rpc-'));
  undo.push(() => removeFolder(staging));
  // A temporary directory is private to its owner. The project gets default permissions.
  const project = join(staging, 'project');
  mkdirSync(project);
  return { staging, project, ...(firstCreated && { outermost: firstCreated }) };
}

/**
 * @param {string} folder
 * @param {string} last - the outermost folder that this step created
 */
function removeEmpty(folder, last) {
  try {
    rmdirSync(folder);
    if (folder !== last) removeEmpty(dirname(folder), last);
  } catch {
    // Another program has put something there meanwhile.
  }
}
