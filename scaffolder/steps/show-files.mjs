/** Step: prints each file that would be written (`--list`), or a summary (`--dry-run`), and writes nothing. */
import { lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tryToRemoveFolder } from '../clean-up.mjs';
import { aboutNames } from '../packages/names.mjs';
import { entriesIn } from '../templates/folder-entries.mjs';
import { isInRepository } from './init-git.mjs';

/** The folder of a package that is part of a project. */
const VENDORED = /^vendor\/[^/]+\//;

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Context} context
 * @returns {Partial<Context>}
 */
export default function showFiles(context) {
  const { project, staging, target, list, say } = context;
  const all = [...entriesIn(project)]
    .flatMap(({ path, entry }) => (entry.isDirectory() ? [] : path))
    .toSorted();
  tryToRemoveFolder(staging, context);
  if (list) {
    for (const line of withFolders(all)) say(line);
    return { finished: true, result: { files: all } };
  }
  const isThere = (/** @type {string} */ path) =>
    lstatSync(join(target, path), { throwIfNoEntry: false });
  const files = all.filter((path) => !isThere(path));
  const kept = all.filter(isThere);
  describe(context, files, kept);
  const { example: examples, packageName: name, workerName } = context;
  const names = { name, workerName, ...(examples && { examples }) };
  const result = { dryRun: true, directory: target, ...names, files, kept };
  return { finished: true, result };
}

/**
 * Lists the files. A vendored package gets one line, because nobody edits or reads its files one by one.
 *
 * @param {string[]} files
 * @returns {string[]} lines
 */
function withFolders(files) {
  const places = files.map((path) => VENDORED.exec(path)?.[0] ?? path);
  return [...new Set(places)].map((place) => {
    const count = places.filter((one) => one === place).length;
    return place.endsWith('/') ? `${place}  (${numberOf(count)})` : place;
  });
}

/**
 * @param {Context} context
 * @param {string[]} files
 * @param {string[]} kept
 */
function describe(context, files, kept) {
  const { cwd, example, target, merge, install, git, verify, packageManager, say } = context;
  say(`Would write ${numberOf(files.length)} to ${relative(cwd, target) || 'this directory'}:`);
  const counts = countsOf(files);
  const width = Math.max(...Array.from(counts.keys(), (folder) => folder.length));
  for (const [folder, count] of counts) {
    say(`  ${folder.padEnd(width)}  ${numberOf(count)}`);
  }
  if (kept.length > 0) say(`Would keep as they are: ${kept.join(', ')}`);
  for (const sentence of aboutNames(context)) say(sentence);
  const installs = install && !kept.includes('package.json');
  const then = [
    ...(installs ? [packageManager.install] : []),
    ...(installs && example ? [packageManager.run('types')] : []),
    ...(git && !merge && !isInRepository(target) ? ['git init', 'git commit'] : []),
    ...(installs && verify ? ['the checks of --verify'] : []),
  ];
  if (then.length > 0) say(`Would run: ${then.join(', ')}`);
  say('Nothing was written.');
}

/** @param {number} count */
function numberOf(count) {
  return `${count} ${count === 1 ? 'file' : 'files'}`;
}

/**
 * @param {string[]} files
 * @returns {Map<string, number>} the number of files in each folder; a folder on the second level includes its subfolders
 */
function countsOf(files) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const path of files) {
    const folder = `${path.split('/').slice(0, -1).slice(0, 2).join('/') || '.'}/`;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}
