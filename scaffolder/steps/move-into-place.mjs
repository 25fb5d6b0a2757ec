/**
 * Step: moves the finished project to its target. It is synchronous, so that a signal leaves the target
 * either unchanged or complete. It never replaces a file, even one that appeared meanwhile.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { tryToRemoveFolder } from '../clean-up.mjs';
import { conflict } from '../console/failure.mjs';
import { removalOf } from '../console/shell-quote.mjs';

/** Files and folders that the later steps, and the programs that they run, may add to the target. */
const MADE_LATER = [
  '.git',
  'node_modules',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  '.yarn',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.wrangler',
  'dist',
  'public/app.js',
];

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'cwd' | 'note' | 'project' | 'staging' | 'target' | 'targetExists' | 'merge' | 'install' | 'git' | 'packageManager'> & Pick<Partial<Context>, 'example' | 'outermost'>} context
 * @returns {Partial<Context>}
 */
export default function moveIntoPlace(context) {
  const { cwd, example, project, staging, target, targetExists, merge, packageManager } = context;
  const { outermost = target } = context;
  /** @type {string[]} */
  const keptFiles = [];
  const isMade = (/** @type {string} */ path) => !existsSync(path);
  const madeLater = targetExists ? MADE_LATER.map((path) => join(target, path)).filter(isMade) : [];
  let added = [outermost];
  try {
    // Renaming a directory onto a file, or onto a directory that is not empty, fails.
    if (!targetExists) renameSync(project, target);
    else added = addEntries(project, target, merge ? keptFiles : undefined);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const problem = merge
      ? `A file exists where the template has a folder: ${error.path}`
      : `${target} was changed while the project was being created.`;
    throw conflict(problem, undefined, { cause: error });
  }
  tryToRemoveFolder(staging, context);
  const place = relative(cwd, target) || 'this directory';
  const { install, run } = packageManager;
  const toGoOn = example ? `${install}, then ${run('types')}` : install;
  const takeBack = () => {
    const made = madeLater.filter((path) => !added.includes(dirname(path)));
    const paths = [...added, ...made].filter((path) => existsSync(path));
    return removalOf(paths.map((path) => relative(cwd, path)));
  };
  return {
    undo: [],
    keptFiles,
    // If package.json existed, the user installs its packages. In an existing directory, the user commits.
    install: context.install && !keptFiles.includes('package.json'),
    git: context.git && !merge,
    kept: () =>
      `The ${merge ? 'missing' : "project's"} files are complete in ${place}. To go on there: ${toGoOn}\n` +
      `To remove only these files: ${takeBack()}`,
  };
}

/**
 * Adds the contents of one folder to another: all of them, or nothing on failure.
 *
 * @param {string} from
 * @param {string} to
 * @param {string[]} [kept] - receives the paths of existing files; without it, an existing file is an
 *   error
 * @returns {string[]} the paths that were added; for an added folder, only the folder's path
 */
function addEntries(from, to, kept) {
  /** @type {string[]} */
  const added = [];
  const add = (/** @type {string} */ parent) => {
    for (const entry of readdirSync(join(from, parent), { withFileTypes: true })) {
      const path = parent + entry.name;
      const [source, destination] = [join(from, path), join(to, path)];
      if (entry.isDirectory()) {
        const there = kept && lstatSync(destination, { throwIfNoEntry: false })?.isDirectory();
        if (!there) mkdirSync(destination);
        if (!there) added.push(destination);
        add(`${path}/`);
      } else if (kept && lstatSync(destination, { throwIfNoEntry: false })) kept.push(path);
      else {
        // A rename would replace a file that appeared meanwhile.
        if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), destination);
        else copyFileSync(source, destination, constants.COPYFILE_EXCL);
        added.push(destination);
      }
    }
  };
  try {
    add('');
  } catch (error) {
    for (const path of added.toReversed()) remove(path);
    throw error;
  }
  return added.filter((path) => !added.includes(dirname(path)));
}

/** @param {string} path */
function remove(path) {
  try {
    if (lstatSync(path).isDirectory()) rmdirSync(path);
    else rmSync(path);
  } catch {
    // Another program has put something there meanwhile.
  }
}

/**
 * @param {unknown} error
 * @returns {error is NodeJS.ErrnoException}
 */
function isConflict(error) {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(String(code));
}
