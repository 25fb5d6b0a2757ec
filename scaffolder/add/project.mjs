/** Finds the configuration, main file and runtime of an existing Workers project, or refuses it. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { conflict, EXIT, Failure } from '../failure.mjs';
import { MANIFEST, readText, RUNTIME } from '../update/manifest.mjs';
import { mainOf, readConfiguration } from './configuration.mjs';

/** @typedef {import('../context.mjs').Context} Context */
/** @typedef {import('./configuration.mjs').Configuration} Configuration */

/**
 * @typedef {object} WorkersProject
 * @property {Configuration} configuration
 * @property {string} main - path of the main file, relative to the project
 * @property {string} entry - the text of that file
 */

/**
 * @param {string} project
 * @param {Pick<Context, 'create'>} context
 * @returns {WorkersProject}
 */
export function findProject(project, { create }) {
  const configuration = readConfiguration(project);
  if (!configuration) {
    throw new Failure(
      `${project} has no wrangler.jsonc, wrangler.json or wrangler.toml.\n` +
        `To add to a project in another directory: ${create('<directory>', '--add')}\n` +
        `For a new project: ${create('<directory>')}`,
      EXIT.usage,
    );
  }
  if (!existsSync(join(project, 'package.json'))) {
    throw new Failure(
      `${project} has a ${configuration.file} but no package.json. Nothing was changed.\n` +
        'Create one with: npm init --yes',
      EXIT.usage,
    );
  }
  const main = mainOf(configuration.value);
  const entry = readText(join(project, main || '.gone'));
  refuseMain(configuration.file, main, entry);
  return { configuration, main, entry: entry ?? '' };
}

/**
 * @param {string} file - name of the configuration file
 * @param {string} main
 * @param {string | undefined} entry
 */
function refuseMain(file, main, entry) {
  const refusal = (/** @type {string} */ problem, /** @type {string} */ advice) =>
    new Failure(`${problem}\nNothing was changed. ${advice}`, EXIT.usage);
  const own = `Set "main" in ${file} to a TypeScript file of your own. docs/add.md has examples.`;
  if (!main) throw refusal(`${file} has no "main", and a Durable Object needs a Worker.`, own);
  if (main.startsWith('../')) throw refusal(`"main" in ${file} is outside of its folder.`, own);
  if (entry === undefined)
    throw refusal(`"main" in ${file} is ${main}, and there is no such file.`, own);
  if (!/\.m?tsx?$/.test(main)) {
    throw refusal(`"main" in ${file} is ${main}, and the runtime needs TypeScript.`, own);
  }
  if (/^\s*export\b/m.test(entry)) return;
  throw refusal(`${main} has no export, and a Durable Object needs a module Worker.`, own);
}

/**
 * @param {string} project
 * @returns {string} the runtime's folder, relative to the project: as in a new project, or beside the
 *   main file
 */
export function runtimeIn(project) {
  if (existsSync(join(project, MANIFEST))) return RUNTIME;
  const configuration = readConfiguration(project);
  const folder = configuration && runtimeBeside(mainOf(configuration.value));
  return folder && existsSync(join(project, folder, 'manifest.json')) ? folder : RUNTIME;
}

/**
 * @param {string} main
 * @returns {string} the folder, ending in a slash
 */
export function runtimeBeside(main) {
  return posix.join(posix.dirname(main), 'rpc/');
}

/**
 * @param {string} project
 * @param {string} folder - where the runtime would go
 * @param {Pick<Context, 'create'>} context
 */
export function refuseRuntime(project, folder, { create }) {
  if (!existsSync(join(project, folder))) return;
  if (existsSync(join(project, folder, 'manifest.json'))) {
    const update = create('--update');
    throw conflict(`The project has ${folder} already.`, `To update it: ${update}`);
  }
  throw conflict(
    `${folder} exists and is not this runtime.`,
    'Rename it, because the runtime goes there.',
  );
}
