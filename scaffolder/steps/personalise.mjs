/**
 * Step: replaces the template's names with the project's, in package.json, in wrangler's configuration
 * and in the README's title. The packaged pages get the commands of the project's package manager.
 * All other text stays unchanged.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.mjs';

/** The first match is the top-level name. Nested names come later, or have more indentation. */
const JSON_NAME = /^(\{?[ \t]{0,4}"name"\s*:\s*)"[^"]*"/m;
const TOML_NAME = /^(name\s*=\s*)"[^"]*"/m;
/** A command, with the spaces before a comment, so that the comments stay aligned. */
const COMMAND =
  /\bnpm (?:run ([\w:-]+)(?: --(?= ))?|(test)|install|(create) lumenize-rpc@latest(?: --(?= ))?)( {2,}(?=#))?/g;

/** The pages that name commands. */
const PAGES = ['README.md', 'AGENTS.md', 'CLAUDE.md'];

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'project' | 'from' | 'packageName' | 'workerName' | 'packageManager'>} context */
export default function personalise({ project, from, packageName, workerName, packageManager }) {
  const templateName = nameOf(join(project, 'package.json'), from);
  rename(join(project, 'package.json'), JSON_NAME, packageName);
  rename(join(project, 'wrangler.jsonc'), JSON_NAME, workerName);
  rename(join(project, 'wrangler.json'), JSON_NAME, workerName);
  rename(join(project, 'wrangler.toml'), TOML_NAME, workerName);
  edit(join(project, 'README.md'), (text) =>
    text.startsWith(`# ${templateName}\n`) ? text.replace(templateName, () => packageName) : text,
  );
  if (from !== undefined || packageManager.name === 'npm') return;
  for (const page of PAGES) {
    edit(join(project, page), (text) => withCommandsOf(packageManager, text));
  }
}

/**
 * @param {string} manifest
 * @param {string} [from]
 */
function nameOf(manifest, from) {
  if (!existsSync(manifest)) {
    throw new Failure(
      `${from} has no package.json, so it is not a project. Nothing was written.\n` +
        'If the project is in a folder of that repository: owner/repo/folder',
    );
  }
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')).name;
  } catch (error) {
    throw new Failure(`The package.json of ${from} is not JSON. Nothing was written.\n  ${error}`);
  }
}

/**
 * @param {Context['packageManager']} packageManager
 * @param {string} text
 */
function withCommandsOf(packageManager, text) {
  return text.replaceAll(COMMAND, (command, script, test, create, spaces = '') => {
    const { install, run } = packageManager;
    const theirs = create
      ? packageManager.create()
      : (script ?? test)
        ? run(script ?? test)
        : install;
    return theirs.padEnd(spaces && command.length);
  });
}

/**
 * @param {string} file
 * @param {RegExp} line - its first group is the text before the quoted name
 * @param {string} name
 */
function rename(file, line, name) {
  edit(file, (text) => text.replace(line, (_, before) => `${before}"${name}"`));
}

/**
 * @param {string} file - skipped if the template does not have it
 * @param {(text: string) => string} change
 */
function edit(file, change) {
  if (existsSync(file)) writeFileSync(file, change(readFileSync(file, 'utf8')));
}
