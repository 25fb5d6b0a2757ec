/**
 * Puts an update into the project, all of it or nothing: everything is written inside the project
 * first and then renamed into place, and goes back if a later file fails. It is synchronous, so a
 * signal finds the project as it was or complete.
 */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param {Pick<import('../context.mjs').Context, 'undo'>} context
 * @param {string} project
 * @param {Map<string, string | undefined>} changes - texts by path; `undefined` removes
 */
export function writeChanges({ undo }, project, changes) {
  const staging = fs.mkdtempSync(join(project, '.create-lumenize-rpc-'));
  const close = () => fs.rmSync(staging, { recursive: true, force: true, maxRetries: 3 });
  undo.push(close);
  const files = [...changes].map(([path, text], i) => {
    const [file, fresh, saved] = [
      join(project, path),
      join(staging, `${i}`),
      join(staging, `${i}~`),
    ];
    if (fs.existsSync(file)) fs.copyFileSync(file, saved);
    if (text !== undefined) fs.writeFileSync(fresh, text, 'latin1');
    return { file, fresh, saved };
  });
  for (const { file, fresh, saved } of files) {
    const replaced = fs.existsSync(saved);
    const created = fs.mkdirSync(dirname(file), { recursive: true }) ?? file;
    undo.push(() =>
      replaced ? fs.renameSync(saved, file) : fs.rmSync(created, { recursive: true, force: true }),
    );
    if (fs.existsSync(fresh)) fs.renameSync(fresh, file);
    else fs.rmSync(file);
  }
  undo.length = 0;
  close();
}
