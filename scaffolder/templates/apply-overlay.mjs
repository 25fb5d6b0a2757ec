/**
 * Step: changes the template to the project with the page that `--ui` names. An overlay contains a
 * list of paths to remove, a diff of other files, changes to package.json, and perhaps files to add.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '../clean-up.mjs';
import { ownFolder } from '../own-package.mjs';
import { merged } from '../packages/package-json.mjs';
import { copyFiles } from './copy-files.mjs';
import { applyHunk, hunksOf } from './diff.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'project' | 'ui'>} context */
export default function applyOverlay({ project, ui = '' }) {
  const overlay = ownFolder(`examples/ui/${ui}`);
  const read = (/** @type {string} */ name) => readFileSync(join(overlay, name), 'utf8');
  const { without, 'package.json': additions } = JSON.parse(read('overlay.json'));
  for (const path of without) removeFolder(join(project, path));
  const files = join(overlay, 'files');
  if (existsSync(files)) copyFiles(files, project, true);
  for (const { path, ...hunk } of hunksOf(read('changes.diff'))) {
    edit(join(project, path), (text) => applyHunk(text, hunk, path));
  }
  edit(join(project, 'package.json'), (text) => merged(text, additions));
}

/**
 * @param {string} file
 * @param {(text: string) => string} change
 */
function edit(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
