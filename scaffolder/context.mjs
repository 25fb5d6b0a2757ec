/**
 * What the steps share. A step reads what it needs from the context and returns what it adds; its
 * own JSDoc names the fields it reads.
 */

/**
 * @typedef {object} Context
 *
 * Given:
 * @property {string[]} argv - the arguments after the program's name
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {boolean} startedByNpm
 * @property {boolean} interactive - whether someone can answer a question
 * @property {(...args: string[]) => string} create - spells the command that started this program
 * @property {import('./package-managers.mjs').PackageManager} packageManager - the one that started
 *   this program, unless `--pm` names another
 * @property {(text?: string) => void} say - prints a line
 * @property {(text?: string) => void} note - prints a line that is no part of the result
 * @property {(text: string) => string} bold
 * @property {Record<string, unknown>} result - what `--json` prints
 * @property {(() => unknown)[]} undo - what to take back on failure, newest last
 * @property {number} exitCode - of a run that reaches its end
 *
 * From the arguments (`options.mjs` says what they mean):
 * @property {boolean} [finished] - nothing is left to do
 * @property {string} [directory] - as the user wrote it
 * @property {string} [name]
 * @property {string} workerName - from the package name unless given
 * @property {string} [from]
 * @property {string} [ui] - the page, of our own template
 * @property {boolean} remote - whether that has to be fetched
 * @property {string} [pm]
 * @property {boolean} install
 * @property {boolean} git
 * @property {boolean} merge
 * @property {boolean} dryRun
 * @property {boolean} list
 * @property {boolean} json
 * @property {boolean} yes
 * @property {boolean} add
 * @property {boolean} update
 * @property {boolean} verify
 *
 * From the steps:
 * @property {import('./steps/plan-addition.mjs').Addition} addition
 * @property {string} target - the project's absolute path
 * @property {boolean} targetExists - as a directory: an empty one, unless `merge` is given
 * @property {string} packageName
 * @property {string} staging - temporary, on the same file system as the target
 * @property {string} project - the project while it is being built, inside `staging`
 * @property {string} [kept] - what a failure from here on leaves, and how to continue
 * @property {string[]} keptFiles - what `merge` found there
 * @property {Manifest} manifest - the project's package.json
 * @property {boolean} [installed]
 * @property {Record<string, unknown>} [failure] - of the installation, for `--json`
 * @property {boolean} [repository] - made, with a first commit
 */

/**
 * @typedef {{
 *   name?: string,
 *   scripts?: Record<string, string>,
 *   engines?: { node?: string },
 *   dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>,
 *   allowScripts?: Record<string, boolean>,
 * }} Manifest
 */

/** @typedef {void | Partial<Context>} Changes */

import { isTerminal, print } from './output.mjs';
import { packageManagerOf } from './package-managers.mjs';

/** @returns {Context} */
export function createContext() {
  const { env } = process;
  const argv = process.argv.slice(2);
  const inCi = Boolean(env['CI']) && env['CI'] !== 'false' && env['CI'] !== '0';
  const startedBy = packageManagerOf(env);
  const given = {
    argv,
    cwd: process.cwd(),
    env,
    // Known before the arguments are read, because a refusal of them is JSON too.
    json: argv.includes('--json'),
    startedByNpm: env['npm_config_user_agent']?.startsWith('npm/') ?? false,
    get interactive() {
      return !inCi && !context.json && isTerminal(0) && isTerminal(1);
    },
    create: startedBy.create,
    packageManager: startedBy,
    say: (text = '') => print(output(), `${text}\n`),
    note: (text = '') => print(2, `${text}\n`),
    bold: (/** @type {string} */ text) => (colours() ? `\u001B[1m${text}\u001B[22m` : text),
    undo: [],
    result: {},
    exitCode: 0,
  };
  // The steps add the rest, in their order.
  const context = /** @type {Context} */ (/** @type {unknown} */ (given));
  const output = () => (context.json ? 2 : 1);
  const colours = () => isTerminal(output()) && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return context;
}
