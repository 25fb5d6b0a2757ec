/** Extends a project's package.json, and finds out which tools the project uses. */
import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { conflict } from '../console/failure.mjs';
import { packageManager } from '../packages/package-managers.mjs';
import { isBefore, isOlder, majorOf, packagesOf, versionOf } from '../packages/versions.mjs';
import { TYPEBOX, versionFor } from '../schemas/choose-library.mjs';
import { setProperty, valueOf } from './text/jsonc.mjs';

/** @typedef {import('../context.mjs').Manifest} Manifest */
/** @typedef {import('../packages/versions.mjs').Version} Version */

/** The Vitest plugin that runs tests in the Workers runtime: its name, and its former name. */
const TEST_PLUGIN = '@cloudflare/vitest-plugin';
const FORMER_TEST_PLUGIN = '@cloudflare/vitest-pool-workers';
/** Versions before 0.17 cannot evict an object. */
const TOO_OLD_PLUGIN = /^[\^~>=v\s]*0\.(?:\d|1[0-6])(?:\D|$)/;
const TYPES = '@cloudflare/workers-types';
/** The oldest versions that support the runtime's types, and classes with SQLite. @type {Record<string, Version>} */
const OLDEST = { typescript: [5, 8], wrangler: [4, 0] };
/** The tools that read wrangler's configuration, and the oldest versions that know its `exports`. @type {Record<string, Version>} */
const KNOW_EXPORTS = {
  wrangler: [4, 107],
  '@cloudflare/vite-plugin': [1, 43],
  '@cloudflare/vitest-pool-workers': [0, 18],
};
const TYPES_COMMAND = 'wrangler types';
/** Matches a command that writes types. With `--check`, the command only compares them. */
const GENERATES_TYPES = /\bwrangler types\b(?![^&|;]* --check\b)/;
/** The file that the command writes, unless it names another file. */
const TYPES_FILE = 'worker-configuration.d.ts';
/** Linters and formatters, which check all files of a project unless their configuration leaves a file out. */
const CHECKERS = ['@biomejs/biome', 'eslint', 'oxfmt', 'oxlint', 'prettier'];
/** Usual names of the script that starts the Worker on this machine. */
const DEV_SCRIPTS = ['dev', 'start'];
const LOCK_FILES = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
};

/**
 * @param {string} text
 * @param {Manifest | undefined} template - the template's package.json; undefined if the project has all packages that
 *   the runtime needs
 * @param {string} library - the library of the schemas
 * @param {Record<string, string>} scripts - the scripts to add
 * @returns {{ text: string, hasNew: boolean, testPlugin: { name: string, isOld: boolean } | undefined, outdated: string[], checkers: string[], typesScript: string | undefined, typesFile: string | undefined, isTypeless: boolean, devScript: string | undefined, isVite: boolean, hasNode: boolean, hasReact: boolean }}
 *   `hasNew` is true if packages were added; `testPlugin` runs tests in the Workers runtime; `outdated` lists the packages
 *   that are too old; `checkers` lists linters and formatters; `typesScript` generates the types of the bindings;
 *   `typesFile` is the file that this script writes, unless its types of the runtime clash with the types of a package;
 *   `isTypeless` is true if the package has no `type`, so that Node warns about modules;
 *   `devScript` starts the Worker on this machine;
 *   `isVite` is true if Vite starts it, with Cloudflare's plugin; `hasNode` is true if the project has a Node
 *   of its own; `hasReact` is true if the pages are in React
 */
export function withPackages(text, template, library, scripts = {}) {
  /** @type {Manifest | undefined} */
  const manifest = valueOf(text);
  if (!manifest) throw conflict('package.json is not valid JSON.', 'Correct it and try again.');
  const present = { ...manifest.dependencies, ...manifest.devDependencies };
  /** @type {[path: string[], value: string][]} */
  const additions = [];
  for (const [name, version] of Object.entries(template?.dependencies ?? {})) {
    const there = present[name];
    if (there !== undefined) refuseOtherMajor(name, there, version);
    else if (name !== TYPEBOX || library === TYPEBOX)
      additions.push([['dependencies', name], version]);
  }
  const version = versionFor(library);
  if (version && present[library] === undefined)
    additions.push([['dependencies', library], version]);
  const hasNew = additions.length > 0;
  let [typesScript, typesCommand] =
    Object.entries(manifest.scripts ?? {}).find(([, command]) => GENERATES_TYPES.test(command)) ??
    [];
  const withoutRuntime = '--include-runtime=false';
  if (template && !typesScript && !manifest.scripts?.['types']) {
    typesScript = 'types';
    typesCommand = present[TYPES] ? `${TYPES_COMMAND} ${withoutRuntime}` : TYPES_COMMAND;
    additions.push([['scripts', typesScript], typesCommand]);
  }
  for (const [name, command] of Object.entries(scripts)) {
    const there = manifest.scripts?.[name];
    if (there !== undefined) {
      throw conflict(`package.json has a script "${name}" already.`, 'Rename it and try again.');
    }
    additions.push([['scripts', name], command]);
  }
  const clashes = present[TYPES] && !typesCommand?.includes(withoutRuntime);
  return {
    text: additions.reduce((before, [path, value]) => addition(before, path, value), text),
    hasNew,
    testPlugin: testPluginOf(present),
    outdated: Object.entries(OLDEST).flatMap(([name, oldest]) => {
      const range = present[name];
      return range && isOlder(range, oldest) ? [`${name} ${range}`] : [];
    }),
    checkers: CHECKERS.filter((name) => present[name]),
    typesScript,
    isTypeless: manifest.type !== 'module',
    typesFile: clashes ? undefined : typesFileOf(typesCommand),
    devScript: DEV_SCRIPTS.find((name) => manifest.scripts?.[name]),
    isVite: present['@cloudflare/vite-plugin'] !== undefined,
    hasNode: present['node'] !== undefined,
    hasReact: present['react'] !== undefined,
  };
}

/** @param {string} [command] */
function typesFileOf(command = '') {
  const [, path = TYPES_FILE] = /wrangler types\b[^&|;]*?\s(\S+\.d\.ts)\b/.exec(command) ?? [];
  return posix.normalize(path);
}

/** @param {Record<string, string>} present */
function testPluginOf(present) {
  const name = [TEST_PLUGIN, FORMER_TEST_PLUGIN].find((one) => present[one]);
  return name ? { name, isOld: TOO_OLD_PLUGIN.test(present[name] ?? '') } : undefined;
}

/**
 * @param {string} text
 * @param {string[]} path
 * @param {string} value
 */
function addition(text, path, value) {
  const changed = setProperty(text, path, value, 'devDependencies');
  if (changed !== undefined) return changed;
  throw conflict(`"${path[0]}" in package.json is not an object.`, 'Correct it and try again.');
}

/**
 * @param {string} name
 * @param {string} present - a range; a range without a version is accepted
 * @param {string} wanted
 */
function refuseOtherMajor(name, present, wanted) {
  const [majorOfPresent, major] = [majorOf(present), majorOf(wanted)];
  if (majorOfPresent === undefined || majorOfPresent === major) return;
  throw conflict(
    `The project has ${name} ${present}, and the runtime needs ${wanted}.`,
    `Update ${name} to version ${major} first.`,
  );
}

/**
 * @param {string} project
 * @param {string} text - the text of its package.json
 * @returns {boolean} whether all tools that read wrangler's configuration certainly know its `exports`
 */
export function knowsExports(project, text) {
  const present = packagesOf(text);
  return Object.entries(KNOW_EXPORTS).every(([name, oldest]) => {
    const range = present[name];
    // A project that does not list wrangler runs the newest version.
    if (range === undefined || /^(?:\*|latest)?$/.test(range)) return true;
    const version = versionOf(project, name, range);
    return version !== undefined && !isBefore(version, oldest);
  });
}

/**
 * @param {string} folder
 * @param {import('../packages/package-managers.mjs').PackageManager} otherwise - the result if there is no lock file
 * @returns {import('../packages/package-managers.mjs').PackageManager} the package manager whose lock file is in the
 *   folder, or in the nearest folder above
 */
export function packageManagerIn(folder, otherwise) {
  const [, name] =
    Object.entries(LOCK_FILES).find(([file]) => existsSync(join(folder, file))) ?? [];
  if (name) return packageManager(name);
  const parent = dirname(folder);
  return parent === folder ? otherwise : packageManagerIn(parent, otherwise);
}
