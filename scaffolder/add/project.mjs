/** Finds the configuration and the main file of an existing Workers project. It refuses a project without them. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { didYouMean, similarPath, similarTo } from '../arguments/did-you-mean.mjs';
import { conflict, EXIT, Failure } from '../console/failure.mjs';
import { quoted } from '../console/shell-quote.mjs';
import { COUNTER, EXAMPLES, exampleMeantBy, listing } from '../examples.mjs';
import { packagesOf } from '../packages/versions.mjs';
import { configurationIn, CONFIGURATIONS, mainOf, readConfiguration } from './configuration.mjs';
import { readText, withoutMark } from './text/file-text.mjs';
import { tokensOf } from './text/tokens.mjs';

/** @typedef {import('../context.mjs').Context} Context */
/** @typedef {import('./configuration.mjs').Configuration} Configuration */

/**
 * @typedef {object} WorkersProject
 * @property {Configuration} configuration
 * @property {string} main - the path of the main file, relative to the project
 * @property {string} entry - the text of the main file
 */

/** The name of the runtime's package, and the folder of the package in projects that do not get it from a registry. */
const PACKAGE = 'lumenize-rpc';
export const VENDORED = `vendor/${PACKAGE}/`;

/** The main file that the messages suggest. */
const MODULE = moduleOf("new Response('Not found', { status: 404 })", ': Promise<Response>');

/**
 * @param {string} response - the expression that `fetch` returns
 * @param {string} [type] - the type of the result, if it has to be written
 */
function moduleOf(response, type = '') {
  return `
  export default {
    async fetch(request, env, ctx)${type} {
      return ${response};
    },
  } satisfies ExportedHandler<Env>;
`;
}

/**
 * @param {Pick<Context, 'add' | 'create' | 'cwd'> & { directory?: string }} context
 * @returns {string} the absolute path of the directory
 */
export function existingFolder({ add = [], create, cwd, directory = '.' }) {
  const folder = resolve(cwd, directory);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Failure(
    `There is no directory ${folder}. Nothing was changed.\n${whatIsMeant(folder, directory, add, create)}`,
    EXIT.usage,
  );
}

/**
 * @param {string} folder - the path of a folder that does not exist
 * @param {string} directory - the path as the user wrote it, such as `rom` in `--add rom`, or `bank` in `--add room bank`
 * @param {string[]} add - the names of examples in the value of `--add`
 * @param {Context['create']} create
 */
function whatIsMeant(folder, directory, add, create) {
  const names = Object.keys(EXAMPLES);
  const words = directory.split(',');
  const unknown = words.filter((word) => !exampleMeantBy(word, names));
  if (unknown.length === 0) {
    const others = add.filter((name) => name !== COUNTER);
    const meant = [...others, ...words.map((word) => exampleMeantBy(word, names))];
    return `Did you mean: --add ${meant.join(',')}\n${listing(names)}`;
  }
  if (words.length > 1)
    return `No example has the name ${unknown.join(' or ')}:\n${listing(names)}`;
  const near = similarPath(folder, directory);
  if (near && statSync(resolve(folder, '..', basename(near))).isDirectory())
    return `Did you mean: ${create(quoted(near), '--add', add.join(','))}`;
  return `To list the examples: ${create('--help')}`;
}

/**
 * @param {string} project
 * @param {Pick<Context, 'create' | 'cwd'>} context
 * @returns {WorkersProject}
 */
export function findProject(project, { create, cwd }) {
  const configuration = readConfiguration(project);
  if (!configuration) {
    const above = folderAbove(project, (folder) => configurationIn(folder) !== undefined);
    const place = above ? quoted(relative(cwd, above) || '.') : '<directory>';
    throw new Failure(
      `${project} has no wrangler.jsonc, wrangler.json or wrangler.toml.${misnamed(project)}\n` +
        `To add to a project in ${above ?? 'another directory'}: ${create(place, '--add')}\n` +
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
  refuseMain(project, configuration.file, main, entry);
  return { configuration, main, entry: entry ?? '' };
}

/**
 * @param {string} project - the path of a project without a configuration
 * @returns {string} a question, if it has a file with a similar name
 */
function misnamed(project) {
  const name = readdirSync(project).find((one) => similarTo(one, CONFIGURATIONS));
  const meant = name && similarTo(name, CONFIGURATIONS);
  return name ? ` It has ${name}.${didYouMean(meant)}` : '';
}

/**
 * @param {string} folder
 * @param {(folder: string) => boolean} isMeant
 * @returns {string | undefined} the nearest of the folders above
 */
function folderAbove(folder, isMeant) {
  const parent = dirname(folder);
  if (parent === folder) return undefined;
  return isMeant(parent) ? parent : folderAbove(parent, isMeant);
}

/**
 * @param {string} project
 * @param {string} file - the name of the configuration file
 * @param {string} main
 * @param {string | undefined} entry
 */
function refuseMain(project, file, main, entry) {
  const refusal = (/** @type {string} */ problem, /** @type {string} */ advice) =>
    new Failure(`${problem}\nNothing was changed. ${advice}`, EXIT.usage);
  const own = `Set "main" in ${file} to a TypeScript file of your own, such as src/index.ts`;
  if (!main) {
    const problem = `${file} has no "main", and a Durable Object needs a Worker.`;
    throw refusal(problem, `${own}, with:\n${MODULE}`);
  }
  if (main.startsWith('../')) {
    throw refusal(
      `"main" in ${file} is ${main}, which is outside the project.`,
      'Set it to a file in the project, such as src/index.ts.',
    );
  }
  const isMissing = entry === undefined;
  if (isMissing || !/\.m?tsx?$/.test(main)) {
    const why = isMissing ? 'there is no such file' : 'the runtime needs TypeScript';
    const meant = isMissing ? didYouMean(similarPath(join(project, main), main)) : '';
    throw refusal(
      `"main" in ${file} is ${main}, and ${why}.${meant}`,
      `${own}${aroundHandler(main)}`,
    );
  }
  if (isModule(entry, main)) return;
  throw refusal(
    `${main} has no export, and a Durable Object needs a module Worker.`,
    `Write its handler as a default export, in place of addEventListener:\n${MODULE}`,
  );
}

/**
 * @param {string} main - a module of a package, or a file that a build may write
 * @returns {string} the module that runs the handler of a framework
 */
function aroundHandler(main) {
  const isPackage = !/\.\w+$/.test(main);
  const module = moduleOf('handler.fetch(request, env, ctx)');
  const [when, from] = isPackage
    ? [', with:', main]
    : [`. If the build of a framework writes ${main}, import its handler:`, '<its handler>'];
  return `${when}\n\n  import handler from '${from}';\n${module}`;
}

/**
 * @param {string} entry
 * @param {string} main
 * @returns {boolean} whether the file exports anything
 */
function isModule(entry, main) {
  const tokens = main.endsWith('x') ? undefined : tokensOf(entry);
  if (!tokens) return /(?:^|[;}])\s*export\b/m.test(withoutMark(entry));
  return tokens.some(({ depth, text }) => depth === 0 && text === 'export');
}

/**
 * @param {string} project
 * @returns {string | undefined} the version or the place of the runtime, as package.json has it; undefined if the
 *   project does not depend on the runtime
 */
export function runtimeOf(project) {
  return packagesOf(readText(join(project, 'package.json')) ?? '')[PACKAGE];
}

/** @param {string} project - the path of a project without the runtime */
export function refuseOtherPackage(project) {
  if (!existsSync(join(project, VENDORED))) return;
  throw conflict(
    `${VENDORED} exists, and package.json does not depend on it.`,
    'Rename it, because the package goes there.',
  );
}

/**
 * @param {string} version - the version of the runtime in package.json
 * @param {WorkersProject} found
 * @param {import('./classes.mjs').Form} form - the form in which the configuration declares classes
 * @param {Pick<Context, 'create' | 'packageManager'>} context
 * @returns {string} advice for a project that has the runtime and the example already
 */
export function adviceOnMore(version, { configuration, main }, form, { create, packageManager }) {
  const update = version.startsWith('file:')
    ? `copy ${VENDORED} from a new project over yours. To create one: ${create('fresh', '--no-install', '--no-git')}`
    : `${packageManager.add} ${PACKAGE}@latest`;
  const declaration =
    form === 'exports'
      ? 'the class to "exports"'
      : 'a migration with a tag that is not in the list yet';
  return `To update lumenize-rpc: ${update}

To add another example: ${create('--add', '<name>')}
${listing(Object.keys(EXAMPLES))}

For an object of your own, change these files:
  1. Beside ${main}, write a class and its contract, as counter.ts has them.
  2. In ${main}, export the class, and add the name of its binding to "bindings" of routeDORequest.
  3. In ${configuration.file}, add the binding, and ${declaration}.
  4. Run the script that generates the types with wrangler types.`;
}
