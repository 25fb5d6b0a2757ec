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
 * @property {boolean} interactive - whether someone can answer a question
 * @property {import('./package-managers.mjs').PackageManager} packageManager
 * @property {(text?: string) => void} say - prints a line
 * @property {(text: string) => string} bold
 * @property {(() => unknown)[]} undo - what to take back on failure, newest last
 * @property {number} exitCode - of a run that reaches its end
 *
 * From the arguments:
 * @property {boolean} [finished] - nothing is left to do
 * @property {string} [directory] - as the user wrote it
 * @property {string} [name] - the package name, when given
 * @property {string} [from] - a remote template, in degit's notation
 * @property {boolean} install
 * @property {boolean} git
 * @property {boolean} yes
 *
 * From the steps:
 * @property {string} target - the project's absolute path
 * @property {boolean} targetExists - as an empty directory
 * @property {string} packageName
 * @property {string} workerName
 * @property {string} staging - temporary, on the same file system as the target
 * @property {string} project - the project while it is being built, inside `staging`
 * @property {string} [kept] - what a failure from here on leaves, and how to continue
 * @property {boolean} [installed]
 */

/** @typedef {void | Partial<Context>} Changes */

import { packageManagerOf } from './package-managers.mjs';

/** @returns {Context} */
export function createContext() {
  const { env, stdin, stdout } = process;
  // A reader that leaves early (`| head`) is no reason to stop half way.
  stdout.on('error', () => {});
  const inCi = Boolean(env['CI']) && env['CI'] !== 'false' && env['CI'] !== '0';
  const colours = Boolean(stdout.isTTY) && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const given = {
    argv: process.argv.slice(2),
    cwd: process.cwd(),
    env,
    interactive: Boolean(stdin.isTTY && stdout.isTTY) && !inCi,
    packageManager: packageManagerOf(env),
    say: (text = '') => void stdout.write(`${text}\n`),
    bold: (/** @type {string} */ text) => (colours ? `\u001B[1m${text}\u001B[22m` : text),
    undo: [],
    exitCode: 0,
  };
  // The rest is filled by the steps, in their order.
  return /** @type {Context} */ (/** @type {unknown} */ (given));
}
