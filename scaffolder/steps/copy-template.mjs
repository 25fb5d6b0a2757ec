/** Step: copies the packaged template. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { templateFiles } from '../template-files.mjs';

const TEMPLATE = fileURLToPath(new URL('../../template', import.meta.url));
const EXECUTABLE = 0o100;

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'from' | 'project'>} context */
export default function copyTemplate({ from, project }) {
  if (from !== undefined) return;
  for (const { source, path } of templateFiles(TEMPLATE)) {
    const destination = join(project, path);
    mkdirSync(dirname(destination), { recursive: true });
    // Written anew rather than copied: a package store's files may be read-only.
    const mode = statSync(source).mode & EXECUTABLE ? 0o777 : 0o666;
    writeFileSync(destination, readFileSync(source), { mode });
  }
}
