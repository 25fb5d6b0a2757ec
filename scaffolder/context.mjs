/**
 * The context that the steps share. A step reads fields from it, and returns the fields to add or
 * change. The JSDoc of a step names the fields that it reads.
 */

/**
 * @typedef {object} Context
 *
 * Set at the start:
 * @property {string[]} argv - the arguments after the program's name
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {boolean} startedByNpm
 * @property {boolean} interactive - whether there is a user to answer a question
 * @property {(...args: string[]) => string} create - returns the command that starts this program, with
 *   these arguments
 * @property {import('./packages/package-managers.mjs').PackageManager} packageManager - the package manager that
 *   started this program, unless `--pm` names another
 * @property {(text?: string) => void} say - prints a line
 * @property {(text?: string) => void} note - prints a line that is not part of the result, to stderr
 * @property {(text: string) => string} bold
 * @property {Record<string, unknown>} result - the result that `--json` prints
 * @property {(() => unknown)[]} undo - functions that undo the changes after a failure, the newest last
 * @property {number} exitCode - the exit code of a run that no error ends
 *
 * From the arguments (`options.mjs` describes them):
 * @property {boolean} [finished] - whether the remaining steps are skipped
 * @property {string} [directory] - the directory as the user wrote it
 * @property {string} [name]
 * @property {string} workerName - the Worker's name; default: a name from the package name
 * @property {string} [from]
 * @property {string} [ui] - the page; only for the packaged template
 * @property {boolean} remote - whether the template `from` has to be fetched
 * @property {string} [pm]
 * @property {boolean} install
 * @property {boolean} git
 * @property {boolean} merge
 * @property {boolean} dryRun
 * @property {boolean} list
 * @property {boolean} json
 * @property {boolean} yes
 * @property {string[]} [add] - the examples to add to the project in the directory
 * @property {string[]} [example] - the examples that a new project gets
 * @property {string} [schemas] - the library with which the schemas are written
 * @property {boolean} verify
 *
 * From the steps:
 * @property {import('./add/plan-addition.mjs').Addition} addition - the planned changes; only with `add` or `example`
 * @property {string} target - the project's absolute path
 * @property {boolean} targetExists - whether the target is a directory; it is empty unless `merge` is set
 * @property {string} packageName
 * @property {string} staging - a temporary folder on the same file system as the target
 * @property {string} project - the project while it is being built, inside `staging`
 * @property {string[]} [written] - paths of the files that a failure removes or restores, for its message
 * @property {string} [outermost] - absolute path of the outermost folder that was created for the target
 * @property {() => string} [kept] - returns the message for a failure after this step: which files remain, how to
 *   continue, and how to remove the files
 * @property {string[]} keptFiles - existing files that `merge` did not replace
 * @property {Manifest} manifest - the project's package.json
 * @property {boolean} [installed]
 * @property {Record<string, unknown>} [failure] - the failure of the installation or of `--verify`, for `--json`
 * @property {boolean} [repository] - whether a git repository with a first commit was created
 */

/**
 * @typedef {{
 *   name?: string,
 *   type?: string,
 *   scripts?: Record<string, string>,
 *   engines?: { node?: string },
 *   dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>,
 *   allowScripts?: Record<string, boolean>,
 *   dependenciesMeta?: Record<string, { built?: boolean }>,
 * }} Manifest
 */

/** @typedef {void | Partial<Context>} Changes */

import { isatty } from 'node:tty';
import { print } from './console/output.mjs';
import { packageManagerOf } from './packages/package-managers.mjs';

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
    // This is set before the arguments are parsed, because an error in the arguments is printed as JSON, too.
    json: argv.includes('--json'),
    startedByNpm: env['npm_config_user_agent']?.startsWith('npm/') ?? false,
    get interactive() {
      return !inCi && !context.json && isatty(0) && isatty(1);
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
  // The steps add the other fields.
  const context = /** @type {Context} */ (/** @type {unknown} */ (given));
  const output = () => (context.json ? 2 : 1);
  const colours = () => isatty(output()) && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return context;
}
