/** Step: finds the folder for the project, and refuses a folder that is not empty. */
import { existsSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { configurationIn } from '../add/configuration.mjs';
import { runtimeOf } from '../add/project.mjs';
import { conflict, EXIT, Failure } from '../console/failure.mjs';
import { quoted } from '../console/shell-quote.mjs';

const LISTED = 8;
/** Names that a folder cannot have on Windows, where a colleague may want to check the project out. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$|[<>:"|?*\p{Cc}]|[. ]$/iu;
const DRIVE = /^[a-z]:(?=[\\/]|$)/i;

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'create' | 'cwd' | 'merge' | 'say'> & { directory?: string }} context
 * @returns {Partial<Context>}
 */
export default function checkTarget({ create, cwd, directory = '.', merge, say }) {
  checkName(directory);
  const target = resolve(cwd, directory);
  const workspace = workspaceAround(dirname(target));
  if (workspace) {
    say(
      `Note: ${target} is inside the workspace ${workspace}. You may have to add it to the workspace's packages.`,
    );
  }
  // Follows links: a link to an empty directory counts as an empty directory.
  const found = whatIsAt(target);
  if (!found) {
    checkParents(target);
    return { target, targetExists: false, merge: false };
  }
  if (!found.isDirectory()) throw conflict(`${target} is a file.`);
  // Many users start in an empty git repository.
  const entries = readdirSync(target).filter((entry) => entry !== '.git');
  if (entries.length > 0 && !merge) {
    const advice = configurationIn(target)
      ? forWorkersProject(target, directory, create)
      : 'Choose another directory, or add to this one with --merge.';
    throw conflict(`${target} is not empty: ${listing(entries)}.`, advice);
  }
  return { target, targetExists: true, merge: entries.length > 0 };
}

/**
 * Advises against `--merge`, which would leave two Workers in one folder.
 *
 * @param {string} target
 * @param {string} directory - the directory as the user wrote it
 * @param {Context['create']} create
 */
function forWorkersProject(target, directory, create) {
  const other = 'For a new project, choose another directory.';
  const place = directory === '.' ? [] : [quoted(directory)];
  if (runtimeOf(target) !== undefined) {
    return `It has lumenize-rpc already. To add an example: ${create(...place, '--add', 'room')}\n${other}`;
  }
  return `To add typed RPC to this Workers project: ${create(...place, '--add')}\n${other}`;
}

/** @param {string} directory */
function checkName(directory) {
  const names = directory.replace(DRIVE, '').split(/[\\/]+/);
  const wrong = names.find((name) => !/^\.{0,2}$/.test(name) && RESERVED.test(name));
  if (wrong === undefined) return;
  throw new Failure(
    `'${wrong}' cannot be the name of a directory on Windows.\nNothing was changed. Choose another name.`,
    EXIT.usage,
  );
}

/**
 * @param {string} folder
 * @returns {string | undefined} the nearest root of a workspace: the folder itself, or a folder above it
 */
function workspaceAround(folder) {
  if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return folder;
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && /"workspaces"\s*:/.test(readFileSync(manifest, 'utf8')))
    return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : workspaceAround(parent);
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
    // ENOTDIR means that a parent is a file. Node 20 throws it even with `throwIfNoEntry: false`.
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
