/** Refuses to write through symbolic links in a project, because the target of a link may be shared. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from './failure.mjs';

/**
 * @param {string} project
 * @param {string[]} paths - relative to the project; the folders above each path are checked too
 */
export function refuseLinks(project, paths) {
  const ways = paths.flatMap((path) =>
    path.split('/').map((_, i, names) => names.slice(0, i + 1).join('/')),
  );
  for (const path of new Set(ways)) {
    if (lstatSync(join(project, path), { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw conflict(
        `${path} is a link.`,
        'Run this where the files are, or put files in its place.',
      );
    }
  }
}
