/**
 * Step: updates the runtime of an existing project to the packaged version. It refuses an update that
 * could lose changes before it writes anything. It writes only the runtime's files.
 */
import { join, relative } from 'node:path';
import { existingFolder, folderAbove, hasRuntime, runtimeIn } from '../add/project.mjs';
import { conflict, EXIT, Failure } from '../failure.mjs';
import { ownTemplate } from '../own-package.mjs';
import { refuseLinks } from '../refuse-links.mjs';
import { quoted } from '../shell-quote.mjs';
import { commitWith, uncommittedFiles } from '../update/git.mjs';
import {
  hashOf,
  isNewer,
  MANIFEST,
  readManifest,
  readText,
  RUNTIME,
  withLineEnds,
} from '../update/manifest.mjs';
import { prepareUpdate } from '../update/prepare.mjs';
import { writeChanges } from '../update/write.mjs';

/** @typedef {import('../context.mjs').Context} Context */
/** @typedef {import('../update/manifest.mjs').Update} Update */

/**
 * @param {Context} context
 * @param {string} [template] - the folder of the new version
 * @returns {Promise<Partial<Context>>}
 */
export default async function update(context, template = ownTemplate()) {
  const { dryRun, say, verify } = context;
  const project = existingFolder(context);
  const runtime = runtimeIn(project);
  const { shipped, next } = versionsOf(project, runtime, template, context);
  const result = { version: next.version, files: [] };
  if (JSON.stringify(shipped) === JSON.stringify(next)) {
    say(`${runtime} has version ${next.version} already. Nothing was changed.`);
    const differences = sayDifferences(project, runtime, shipped, context);
    return { target: project, result: { ...result, ...differences }, finished: !verify };
  }
  const manifest = `${runtime}manifest.json`;
  const paths = [manifest];
  for (const path in { ...shipped.files, ...next.files }) paths.push(runtime + path);
  refuseLinks(project, [...paths, ...paths.map((path) => `${path}.new`)]);
  const canMerge = isCommitted({ folder: project, env: context.env }, paths);
  const plan = { project, runtime, template, shipped, next, canMerge };
  const outcomes = await prepareUpdate(context, plan);
  const changes = new Map(outcomes.flatMap(({ change }) => (change ? [change] : [])));
  refuseLeftovers(project, changes);
  const fresh = readText(join(template, MANIFEST)) ?? '';
  // The manifest is written last. Until then, the same update can be run again.
  changes.set(manifest, withLineEnds(fresh, readText(join(project, manifest))));
  if (!dryRun) writeChanges(context, project, changes);
  const exitCode = printOutcomes(context, plan, outcomes);
  const files = outcomes.map(({ what, path, note }) => ({ what, path, note }));
  const finished = !verify || dryRun || exitCode !== 0;
  const kept = dryRun ? undefined : `${runtime} has version ${next.version} now.`;
  return { target: project, result: { ...result, files }, exitCode, finished, kept };
}

/**
 * @param {string} project
 * @param {string} runtime
 * @param {string} template
 * @param {Pick<Context, 'create' | 'cwd'>} context
 */
function versionsOf(project, runtime, template, { create, cwd }) {
  const shipped = readManifest(project, runtime);
  const next = /** @type {import('../update/manifest.mjs').Manifest} */ (readManifest(template));
  if (!shipped) {
    const above = folderAbove(project, hasRuntime);
    const [where, place] = above
      ? [`The project is ${above}`, quoted(relative(cwd, above) || '.')]
      : ["Name the project's directory", '<directory>'];
    throw new Failure(
      `${project} has no ${MANIFEST}, so it does not contain this runtime.\n` +
        `${where}: ${create(place, '--update')}`,
      EXIT.usage,
    );
  }
  if (isNewer(shipped.version, next.version)) {
    throw conflict(
      `${runtime} has version ${shipped.version}, and this program brings ${next.version}.`,
      `For the latest: ${create('--update')}`,
    );
  }
  return { shipped, next };
}

/**
 * Tells which files differ from those of the version. An update leaves them, also those that are missing.
 *
 * @param {string} project
 * @param {string} runtime
 * @param {import('../update/manifest.mjs').Manifest} shipped
 * @param {Pick<Context, 'create' | 'env' | 'say'>} context
 * @returns {{ changed: string[], missing: string[] }} paths, relative to the project
 */
function sayDifferences(project, runtime, { files }, context) {
  const { say } = context;
  /** @type {string[]} */
  const changed = [];
  /** @type {string[]} */
  const missing = [];
  for (const [name, hash] of Object.entries(files)) {
    const path = runtime + name;
    const text = readText(join(project, path));
    if (text === undefined) missing.push(path);
    else if (hashOf(text) !== hash) changed.push(path);
  }
  if (changed.length > 0) say(`Changed here: ${changed.join(', ')}`);
  if (missing.length > 0) say(`Missing: ${missing.join(', ')}`);
  sayHowToRestore(project, runtime, files, [...changed, ...missing], context);
  return { changed, missing };
}

/**
 * Prints commands that restore files as published. The last commit may contain the user's changes.
 *
 * @param {string} project
 * @param {string} runtime
 * @param {Record<string, string>} hashes - by path in the runtime
 * @param {string[]} paths
 * @param {Pick<Context, 'create' | 'env' | 'say'>} context
 */
function sayHowToRestore(project, runtime, hashes, paths, { create, env, say }) {
  const place = { folder: project, env };
  const found = paths.map((path) => {
    const hash = hashes[path.slice(runtime.length)] ?? '';
    return { path, commit: commitWith(place, path, hash) };
  });
  const commits = new Set(found.flatMap(({ commit }) => commit ?? []));
  if (commits.size > 0) say('To restore them as published, which undoes your changes:');
  for (const commit of commits) {
    const own = found.filter((one) => one.commit === commit).map(({ path }) => quoted(path));
    say(`  git checkout ${commit} -- ${own.join(' ')}`);
  }
  const others = found.filter(({ commit }) => !commit).map(({ path }) => path);
  if (others.length === 0) return;
  say(`Not in the history of a git repository as published: ${others.join(', ')}`);
  say(
    `To restore, copy from ${RUNTIME} of a new project: ${create('fresh', '--no-install', '--no-git')}`,
  );
}

/**
 * @param {import('../update/git.mjs').Place} project
 * @param {string[]} paths
 * @returns {boolean} false if git cannot tell, for example outside a repository
 */
function isCommitted(project, paths) {
  const uncommitted = uncommittedFiles(project, paths);
  if (!uncommitted?.length) return uncommitted !== undefined;
  throw conflict(
    `Not committed: ${uncommitted.join(', ')}.`,
    'Commit or stash it, so that git can restore what the update replaces.',
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
      'Copy what you need from it, then delete it.',
    );
  }
}

/**
 * @param {Pick<Context, 'dryRun' | 'say' | 'packageManager'>} context
 * @param {Update} plan
 * @param {import('../update/prepare.mjs').Outcome[]} outcomes
 * @returns {number} the exit code
 */
function printOutcomes(
  { dryRun, say, packageManager },
  { runtime, shipped, next, canMerge },
  outcomes,
) {
  say(`${runtime}: ${shipped.version} to ${next.version}${dryRun ? ', as a dry run' : ''}`);
  for (const { what, path, note } of outcomes) {
    say(`  ${what.padEnd(8)}  ${path}${note ? `: ${note}` : ''}`);
  }
  const conflicts = outcomes.some(({ what }) => what === 'conflict');
  if (conflicts && !canMerge) {
    say('Outside a git repository nothing is merged, because your version could not be restored.');
  }
  const first = conflicts ? 'resolve the conflicts, then ' : '';
  say(`\nNext: ${first}${packageManager.run('typecheck')} and ${packageManager.run('test')}`);
  return conflicts ? EXIT.conflict : 0;
}
