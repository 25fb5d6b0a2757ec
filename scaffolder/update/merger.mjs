/**
 * Merges a user's changes with those of a new version. Their common base comes from the project's git
 * history, where its hash finds it even offline, or else from the published package.
 */
import { join } from 'node:path';
import { runCommand } from '../child-process.mjs';
import { PUBLISHED_TEMPLATE } from '../own-package.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';
import { findContent, mergeTexts } from './git.mjs';
import { hashOf, readText, RUNTIME, withLineEnds } from './manifest.mjs';

/** @typedef {Pick<import('../context.mjs').Context, 'env' | 'note' | 'undo'>} Context */
/** @typedef {(path: string, yours: string, fresh: string) => ReturnType<typeof mergeTexts>} Merge */

/**
 * @param {Context} context
 * @param {import('./manifest.mjs').Update} update
 * @param {string[]} paths - of the files to merge
 * @returns {Promise<{ merge: Merge, close: () => void }>}
 */
export async function openMerger(context, { project, shipped, next }, paths) {
  const { env } = context;
  const { folder, remove: close } = temporaryFolder(context);

  /** @type {Map<string, string>} */
  const bases = new Map();
  const collect = (/** @type {(path: string) => string | undefined} */ find) => {
    for (const path of paths) {
      const text = find(path);
      if (text !== undefined && hashOf(text) === shipped.files[path]) bases.set(path, text);
    }
  };
  collect((path) => findContent({ folder: project, env }, shipped.files[path]));
  if (paths.some((path) => !bases.has(path))) {
    const template = await fetchTemplate(context, shipped.version, folder);
    collect((path) => readText(join(template, RUNTIME, path)));
  }

  /** @type {Merge} */
  const merge = (path, yours, fresh) => {
    const base = bases.get(path);
    if (base === undefined) return undefined;
    const merged = mergeTexts({ folder, env }, [
      { text: withLineEnds(yours), label: `${path} (yours)` },
      { text: withLineEnds(base), label: `${path} ${shipped.version}` },
      { text: withLineEnds(fresh), label: `${path} ${next.version}` },
    ]);
    return merged && { ...merged, text: withLineEnds(merged.text, yours) };
  };
  return { merge, close };
}

/**
 * Fetches a published version with npm, which comes with Node.
 *
 * @param {Context} context
 * @param {string} version
 * @param {string} folder - where npm installs the package
 * @returns {Promise<string>} the template's folder, which does not exist if npm failed
 */
async function fetchTemplate(context, version, folder) {
  const args = ['install', `create-lumenize-rpc@${version}`, '--prefix', folder];
  args.push('--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1');
  // This npm inherits the options of the npm that started this program. The user may have meant them for
  // this program.
  args.push('--no-dry-run', '--no-global');
  await runCommand(context, 'npm', args, { cwd: folder, env: context.env, shell: true });
  return join(folder, 'node_modules/create-lumenize-rpc', PUBLISHED_TEMPLATE);
}
