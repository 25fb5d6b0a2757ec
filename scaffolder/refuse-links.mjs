/** Symbolic links among the paths of a project: what is behind one may be shared, so nothing is written there. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from './failure.mjs';

/**
 * @param {string} project
 * @param {string[]} paths - from there; each folder on the way counts too
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
