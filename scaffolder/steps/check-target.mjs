/** Step: finds out where the project goes, and refuses a place that has anything in it. */
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { EXIT, Failure } from '../failure.mjs';

const LISTED = 8;

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'cwd' | 'directory'>} context
 * @returns {Partial<Context>}
 */
export default function checkTarget({ cwd, directory = '.' }) {
  const target = resolve(cwd, directory);
  // Follows a link, so that one to an empty directory is as good as the directory.
  const found = whatIsAt(target);
  if (!found) {
    checkParents(target);
    return { target, targetExists: false };
  }
  if (!found.isDirectory()) throw conflict(`${target} is a file.`);
  // An empty repository is a common place to start in.
  const entries = readdirSync(target).filter((entry) => entry !== '.git');
  if (entries.length > 0) throw conflict(`${target} is not empty: ${listing(entries)}.`);
  return { target, targetExists: true };
}

/** @param {string} target */
function checkParents(target) {
  let parent = dirname(target);
  let found = whatIsAt(parent);
  while (!found) {
    parent = dirname(parent);
    found = whatIsAt(parent);
  }
  if (!found.isDirectory()) throw conflict(`${parent} is a file, so it cannot contain a project.`);
  if (lstatSync(target, { throwIfNoEntry: false })) {
    throw conflict(`${target} is a link to something that does not exist.`);
  }
}

/** @param {string} path */
function whatIsAt(path) {
  try {
    return statSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    // ENOTDIR: one of its parents is a file. Node 20 throws it even with `throwIfNoEntry: false`.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** @param {string[]} entries */
function listing(entries) {
  const shown = entries.slice(0, LISTED).join(', ');
  const hidden = entries.length - LISTED;
  return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}

/** @param {string} problem */
function conflict(problem) {
  return new Failure(`${problem}\nNothing was changed. Choose another directory.`, EXIT.conflict);
}
