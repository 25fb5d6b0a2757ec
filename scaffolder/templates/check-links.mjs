/**
 * Step: refuses symbolic links through which files outside the project could be written. A template's
 * links are copied as links, so they must not lead out of it. A merge must not find a link where the
 * template has a folder, because the target of a link may be shared.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { conflict, Failure } from '../console/failure.mjs';
import { entriesIn } from './folder-entries.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'project' | 'target' | 'list'> & { from?: string }} context */
export default function checkLinks({ project, target, list, from }) {
  for (const { path, entry } of entriesIn(project)) {
    if (entry.isSymbolicLink()) refuseWayOut(path, readlinkSync(join(project, path)), from);
    if (entry.isDirectory() && !list) refuseObstacle(join(target, path));
  }
}

/**
 * @param {string} path - the path of a link
 * @param {string} target
 * @param {string} [from]
 */
function refuseWayOut(path, target, from) {
  if (!leadsOut(path, target)) return;
  throw new Failure(
    `${from} has a link that leads out of the template: ${path} -> ${target}\n` +
      'Nothing was written. Replace the link by its target, or choose another template.',
  );
}

/**
 * Checks only the text of a link, because its target may be another link. The text may climb no higher
 * than the template's root. It may have `..` only at its beginning, because the parent of a link's
 * target can be anywhere. Each link on the way obeys the same rule, so the whole path stays inside.
 *
 * @param {string} path - the path of the link, from the template's root
 * @param {string} target
 */
function leadsOut(path, target) {
  const names = target.split(/[\\/]+/).filter((name) => name !== '.' && name !== '');
  const climbs = names.filter((name) => name === '..').length;
  const folders = path.split('/').length - 1;
  return isAbsolute(target) || climbs > folders || names.lastIndexOf('..') >= climbs;
}

/** @param {string} folder - a folder in the target */
function refuseObstacle(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return;
  throw conflict(
    `${folder} is a ${found.isSymbolicLink() ? 'link' : 'file'}, and the template has a folder there.`,
    'Put a folder in its place, or choose another directory.',
  );
}
