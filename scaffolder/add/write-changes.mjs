/**
 * Writes changes to a project: all of them, or none on failure. It writes all files to a staging folder
 * in the project first, and then renames them into place. If a file fails, the files before it are restored.
 * It is synchronous, so that a signal comes before or after all changes. Until the changes are final, they can be
 * undone.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { removeFolder } from '../clean-up.mjs';

/**
 * @param {Pick<import('../context.mjs').Context, 'undo'>} context
 * @param {string} project
 * @param {Map<string, string>} changes - texts by path, as `readText` returns them
 * @returns {string} the staging folder, which has the former texts; the caller removes it when the changes are final
 */
export function writeChanges(context, project, changes) {
  const { undo } = context;
  const staging = mkdtempSync(join(project, '.create-lumenize-rpc-'));
  let holdsTheOnlyCopy = false;
  undo.push(() => holdsTheOnlyCopy || removeFolder(staging));
  const files = [...changes].map(([path, text], i) => {
    const [file, fresh, saved] = [
      join(project, path),
      join(staging, `${i}`),
      join(staging, `${i}~`),
    ];
    if (existsSync(file)) copyFileSync(file, saved);
    writeFileSync(fresh, text, 'latin1');
    return { file, fresh, saved };
  });
  const restore = (/** @type {string} */ saved, /** @type {string} */ file) => {
    try {
      renameSync(saved, file);
    } catch (error) {
      holdsTheOnlyCopy = true;
      throw error;
    }
  };
  for (const { file, fresh, saved } of files) {
    const created = mkdirSync(dirname(file), { recursive: true });
    if (created) undo.push(() => removeFolder(created));
    renameSync(fresh, file);
    undo.push(() => (existsSync(saved) ? restore(saved, file) : rmSync(file)));
  }
  return staging;
}
