/** Step: writes the schemas of a new project with the library that `--schemas` names, and depends on it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { merged } from '../packages/package-json.mjs';
import { versionFor } from '../schemas/choose-library.mjs';
import { translated } from '../schemas/translations.mjs';

/** The files of the template that name TypeBox, or show its schemas. */
const FILES = ['AGENTS.md', 'README.md', 'public/index.html', 'src/counter.ts', 'vitest.config.ts'];

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'project' | 'schemas'>} context */
export default function writeSchemas({ project, schemas = '' }) {
  for (const path of FILES)
    edit(join(project, path), (text) => translated(text, { name: schemas }));
  const dependencies = { typebox: null, [schemas]: versionFor(schemas) };
  edit(join(project, 'package.json'), (text) => merged(text, { dependencies }));
}

/**
 * @param {string} file - a file, which is skipped if it does not exist, because the project's page does not have it
 * @param {(text: string) => string} change
 */
function edit(file, change) {
  if (existsSync(file)) writeFileSync(file, change(readFileSync(file, 'utf8')));
}
