/** Decides what an update does to each file, and writes none. */
import { join } from 'node:path';
import { hashOf, readText, RUNTIME, withLineEnds } from './manifest.mjs';
import { openMerger } from './merger.mjs';

/**
 * @typedef {object} Outcome
 * @property {'replaced' | 'added' | 'removed' | 'merged' | 'conflict'} what
 * @property {string} path - of the file, relative to the project
 * @property {string} [note] - for a conflict
 * @property {[path: string, text: string | undefined]} [change] - without a text, the file is removed
 */

/**
 * @param {import('./merger.mjs').Context} context
 * @param {import('./manifest.mjs').Update} update
 * @returns {Promise<Outcome[]>} outcomes of the files that change, and of conflicts
 */
export async function prepareUpdate(context, update) {
  const { project, runtime, template, shipped, next, canMerge } = update;
  // A new file gets the line ends of the manifest, which nobody edits.
  const manifest = readText(join(project, runtime, 'manifest.json'));
  const paths = Object.keys({ ...shipped.files, ...next.files }).toSorted();
  const files = paths.map((name) => {
    const path = runtime + name;
    const yours = readText(join(project, path));
    const fresh = withLineEnds(readText(join(template, RUNTIME, name)) ?? '', yours ?? manifest);
    const current = yours === undefined ? undefined : hashOf(yours);
    return {
      name,
      path,
      yours,
      fresh,
      action: decide(shipped.files[name], current, next.files[name]),
    };
  });
  const toMerge = files.filter(({ action }) => canMerge && action === 'merge');
  const { merge, close } = await openMerger(
    context,
    update,
    toMerge.map(({ name }) => name),
  );

  const outcomes = files.flatMap(({ name, path, yours = '', fresh, action }) => {
    const merged = action === 'merge' ? merge(name, yours, fresh) : undefined;
    return outcomeOf(path, action, fresh, merged) ?? [];
  });
  close();
  return outcomes;
}

/** @typedef {'leave' | 'add' | 'replace' | 'remove' | 'keep' | 'set aside' | 'merge'} Action */

/**
 * Decides as a three-way merge does, by hashes; `undefined` means that the file does not exist.
 *
 * @param {string | undefined} shipped
 * @param {string | undefined} current
 * @param {string | undefined} next
 * @returns {Action}
 */
export function decide(shipped, current, next) {
  // Both agree, or only the user changed it.
  if (current === next || shipped === next) return 'leave';
  if (next === undefined) return current === shipped ? 'remove' : 'keep';
  if (current === shipped) return shipped === undefined ? 'add' : 'replace';
  return shipped === undefined || current === undefined ? 'set aside' : 'merge';
}

/**
 * @param {string} path
 * @param {Action} action
 * @param {string} fresh
 * @param {{ text: string, conflicts: number }} [merged]
 * @returns {Outcome | undefined}
 */
function outcomeOf(path, action, fresh, merged) {
  if (action === 'leave') return undefined;
  if (action === 'add') return { what: 'added', path, change: [path, fresh] };
  if (action === 'replace') return { what: 'replaced', path, change: [path, fresh] };
  if (action === 'remove') return { what: 'removed', path, change: [path, undefined] };
  if (action === 'keep')
    return { what: 'conflict', path, note: 'kept; the new version does not have it' };
  if (merged?.conflicts === 0) return { what: 'merged', path, change: [path, merged.text] };
  if (merged)
    return { what: 'conflict', path, note: 'marked in the file', change: [path, merged.text] };
  const beside = `${path}.new`;
  return {
    what: 'conflict',
    path,
    note: `kept; the new one is ${beside}`,
    change: [beside, fresh],
  };
}
