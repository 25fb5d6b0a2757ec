/**
 * Step: makes the folder in which the project is built, so that the target gets all of it or
 * nothing. It lies on the target's file system, where moving is renaming: beside a new target, but
 * inside one that exists, whose parent may be another file system or not writable. What is only to
 * be shown is built among the system's temporary files.
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
  // Temporary directories are private to their owner; the project gets ordinary permissions.
  const project = join(staging, 'project');
  mkdirSync(project);
  return { staging, project };
}

/**
 * @param {string} folder
 * @param {string} last - the outermost that is ours
 */
function removeEmpty(folder, last) {
  try {
    rmdirSync(folder);
    if (folder !== last) removeEmpty(dirname(folder), last);
  } catch {
    // Someone else has put something there meanwhile.
  }
}
