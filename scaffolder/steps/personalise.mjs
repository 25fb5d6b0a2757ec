/**
 * Step: puts the project's names in place of the template's: in package.json, in wrangler's
 * configuration, and in the README's title. The text around them stays as it is.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first of these lines is the top-level one: nested names come later, or deeper. */
const JSON_NAME = /^([ \t]{0,4}"name"\s*:\s*)"[^"]*"/m;
const TOML_NAME = /^(name\s*=\s*)"[^"]*"/m;

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'project' | 'packageName' | 'workerName'>} context */
export default function personalise({ project, packageName, workerName }) {
  const { name: templateName } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  rename(join(project, 'package.json'), JSON_NAME, packageName);
  rename(join(project, 'wrangler.jsonc'), JSON_NAME, workerName);
  rename(join(project, 'wrangler.json'), JSON_NAME, workerName);
  rename(join(project, 'wrangler.toml'), TOML_NAME, workerName);
  edit(join(project, 'README.md'), (text) =>
    text.startsWith(`# ${templateName}\n`) ? text.replace(templateName, () => packageName) : text,
  );
}

/**
 * @param {string} file
 * @param {RegExp} line - its first group is what comes before the quoted name
 * @param {string} name
 */
function rename(file, line, name) {
  edit(file, (text) => text.replace(line, (_, before) => `${before}"${name}"`));
}

/**
 * @param {string} file - skipped when a template has none
 * @param {(text: string) => string} change
 */
function edit(file, change) {
  if (existsSync(file)) writeFileSync(file, change(readFileSync(file, 'utf8')));
}
