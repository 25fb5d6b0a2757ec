/**
 * Step: replaces the template's names with the project's, in package.json, in wrangler's configuration
 * and in the README's title. In the pages of the packaged template, it also replaces the commands of npm with the
 * commands of the project's package manager. All other text stays unchanged.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../console/failure.mjs';

/** Finds the top-level name, which is the first match. Nested names come later, or have more indentation. */
const JSON_NAME = /^(\{?[ \t]{0,4}"name"\s*:\s*)"[^"]*"/m;
const TOML_NAME = /^(name\s*=\s*)"[^"]*"/m;
const COMMAND =
  /\bnpm (?:run ([\w:-]+)(?: --(?= ))?|(test)|install|(create) lumenize-rpc@latest(?: --(?= ))?)|\b(npx)\b/g;
const SHELL_BLOCK = /^```sh\n.*?^```/gms;
/** Splits a line of a shell block into a command, a gap and a comment. */
const COMMENTED = /^(.*\S)( {2,})(# .*)$/;

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
  if (from !== undefined) return;
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
 * @param {string} text - a text with commands of npm
 * @returns {string} the text with the commands of the package manager
 */
export function withCommandsOf({ create: createCommand, exec, install, name, run }, text) {
  if (name === 'npm') return text;
  const replaced = (/** @type {string} */ part) =>
    part.replaceAll(COMMAND, (_, script, test, create, npx) => {
      if (npx) return exec;
      if (create) return createCommand();
      return (script ?? test) ? run(script ?? test) : install;
    });
  return replaced(text.replaceAll(SHELL_BLOCK, (block) => withAlignedComments(block, replaced)));
}

/**
 * Changes the commands of a block. Comments that were in one column stay in one column.
 *
 * @param {string} block
 * @param {(command: string) => string} change
 */
function withAlignedComments(block, change) {
  const lines = block.split('\n').map((line) => {
    const [, command = line, gap = '', comment = ''] = COMMENTED.exec(line) ?? [];
    return { command: change(command), gap: gap.length, comment, column: (command + gap).length };
  });
  const aligned = lines.map(({ command, comment, column }) => {
    if (!comment) return command;
    const others = lines.filter((line) => line.comment && line.column === column);
    const length = Math.max(...others.map((line) => line.command.length));
    const gap = Math.min(...others.map((line) => line.gap));
    return command.padEnd(length + gap) + comment;
  });
  return aligned.join('\n');
}

/**
 * @param {string} file
 * @param {RegExp} line - a pattern, whose first group is the text before the quoted name
 * @param {string} name
 */
function rename(file, line, name) {
  edit(file, (text) => text.replace(line, (_, before) => `${before}"${name}"`));
}

/**
 * @param {string} file - a file, which is skipped if the template does not have it
 * @param {(text: string) => string} change
 */
function edit(file, change) {
  if (existsSync(file)) writeFileSync(file, change(readFileSync(file, 'utf8')));
}
