/**
 * `--update`: brings the runtime of an existing project to the packaged version. Whatever could lose
 * something is refused before anything is written, and nothing but the runtime's files is.
 */
import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT, Failure } from '../failure.mjs';
import { uncommittedFiles } from './git.mjs';
import { isNewer, MANIFEST, readManifest, readText, RUNTIME, withLineEnds } from './manifest.mjs';
import { prepareUpdate } from './prepare.mjs';
import { writeChanges } from './write.mjs';

const TEMPLATE = fileURLToPath(new URL('../../template', import.meta.url));

/** @typedef {import('../context.mjs').Context} Context */
/** @typedef {import('./manifest.mjs').Manifest} Manifest */

/**
 * @param {Context} context
 * @param {string} [template] - the folder of the new version
 * @returns {Promise<Partial<Context>>}
 */
export async function updateProject(context, template = TEMPLATE) {
  const { create, cwd, directory = '.', dryRun, env, say } = context;
  const project = resolve(cwd, directory);
  const [shipped, next] = [readManifest(project), /** @type {Manifest} */ (readManifest(template))];
  if (!shipped) {
    const command = create('<directory>', '--update');
    const problem = `${project} has no ${MANIFEST}, so it is no project with this runtime.`;
    throw new Failure(`${problem}\nName the project's directory: ${command}`, EXIT.usage);
  }
  if (isNewer(shipped.version, next.version)) {
    throw conflict(
      `${RUNTIME} has version ${shipped.version}, and this program brings ${next.version}.`,
      `For the latest: ${create('--update')}`,
    );
  }
  if (JSON.stringify(shipped) === JSON.stringify(next)) {
    say(`${RUNTIME} has version ${next.version} already. Nothing was changed.`);
    return { target: project, result: { version: next.version, files: [] } };
  }
  const paths = Object.keys({ ...shipped.files, ...next.files }).map((path) => RUNTIME + path);
  refuseLinks(project, paths);
  const canMerge = isCommitted({ folder: project, env }, paths);
  const update = { project, template, shipped, next, canMerge };
  const outcomes = await prepareUpdate(context, update);
  const changes = new Map(outcomes.flatMap(({ change }) => (change ? [change] : [])));
  refuseLeftovers(project, changes);
  const [fresh = '', current] = [template, project].map((folder) =>
    readText(join(folder, MANIFEST)),
  );
  // Last: until it is there, the same update can be run again.
  changes.set(MANIFEST, withLineEnds(fresh, current));
  if (!dryRun) writeChanges(context, project, changes);
  const files = outcomes.map(({ what, path, note }) => ({ what, path, note }));
  const result = { version: next.version, files };
  return { target: project, result, exitCode: printOutcomes(context, update, outcomes) };
}

/**
 * A link leads out of the runtime's folder, and what is behind it may be shared.
 *
 * @param {string} project
 * @param {string[]} paths
 */
function refuseLinks(project, paths) {
  const ways = [MANIFEST, ...paths].flatMap((path) =>
    path.split('/').map((_, i, names) => names.slice(0, i + 1).join('/')),
  );
  for (const path of new Set(ways)) {
    if (lstatSync(join(project, path), { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw conflict(
        `${path} is a link.`,
        'Update where the files are, or put files in its place.',
      );
    }
  }
}

/**
 * @param {import('./git.mjs').Place} project
 * @param {string[]} paths
 * @returns {boolean} false where git does not say
 */
function isCommitted(project, paths) {
  const uncommitted = uncommittedFiles(project, [MANIFEST, ...paths]);
  if (!uncommitted?.length) return uncommitted !== undefined;
  throw conflict(
    `Not committed: ${uncommitted.join(', ')}.`,
    'Commit or stash it, so that git can give back what an update replaces.',
  );
}

/**
 * @param {string} project
 * @param {Map<string, string | undefined>} changes
 */
function refuseLeftovers(project, changes) {
  for (const [path, text] of changes) {
    const found = path.endsWith('.new') ? readText(join(project, path)) : undefined;
    if (found === undefined || found === text) continue;
    throw conflict(
      `${path} is left from an earlier update.`,
      'Take what you need of it, and remove it.',
    );
  }
}

/**
 * @param {string} problem
 * @param {string} advice
 */
function conflict(problem, advice) {
  return new Failure(`${problem}\nNothing was changed. ${advice}`, EXIT.conflict);
}

/**
 * @param {Context} context
 * @param {import('./prepare.mjs').Update} update
 * @param {import('./prepare.mjs').Outcome[]} outcomes
 * @returns {number} the exit code
 */
function printOutcomes({ dryRun, say, packageManager }, { shipped, next, canMerge }, outcomes) {
  say(`${RUNTIME}: ${shipped.version} to ${next.version}${dryRun ? ', as a dry run' : ''}`);
  for (const { what, path, note } of outcomes) {
    say(`  ${what.padEnd(8)}  ${path}${note ? `: ${note}` : ''}`);
  }
  const conflicts = outcomes.filter(({ what }) => what === 'conflict');
  if (conflicts.length > 0 && !canMerge) {
    say('Outside a git repository nothing is merged: your version could not be had back.');
  }
  const first = conflicts.length > 0 ? 'resolve the conflicts, then ' : '';
  say(`\nNext: ${first}${packageManager.run('typecheck')} and ${packageManager.run('test')}`);
  return conflicts.length > 0 ? EXIT.conflict : 0;
}
