/**
 * Step: creates a git repository with a first commit, if git is installed and the project is not in a
 * repository already. If git fails, the user gets a note, and the run goes on.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../child-process.mjs';

/** Turns off keys, hooks and daemons of the user's configuration, which could ask a question, hang, or keep running. */
const QUIETLY = [
  'commit.gpgSign=false',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);
const NO_GIT = 127;

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'target' | 'env' | 'say' | 'undo'>} context
 * @returns {Promise<import('../context.mjs').Changes>}
 */
export default async function initGit(context) {
  if (isInRepository(realpathSync(context.target))) {
    context.say('The directory is in a git repository already, so no repository was created.');
    return;
  }
  const env = withoutHook(context.env);
  // A remote template may have no .gitignore. If there is one, git rejects an exclusion of a path that
  // it ignores.
  const ignores = existsSync(join(context.target, '.gitignore'));
  const exclusions = ignores ? [] : [':(exclude)node_modules'];
  const commands = [
    ['init'],
    ['add', '--all', ...exclusions],
    ['commit', '--message', 'Start from create-lumenize-rpc'],
  ];
  for (const command of commands) {
    const { code, output } = await runCommand(context, 'git', [...QUIETLY, ...command], {
      cwd: context.target,
      env,
    });
    if (code === 0) continue;
    const what =
      command[0] === 'init' ? 'No git repository was created' : 'No first commit was made';
    context.say(`${what}: ${reason(code, command[0], output)}`);
    return;
  }
  return { repository: true };
}

/**
 * @param {number} code
 * @param {string | undefined} command
 * @param {string} output
 */
function reason(code, command, output) {
  if (code === NO_GIT) return 'git is not installed.';
  if (/user\.(?:name|email)/.test(output))
    return 'git has no user.name and user.email: set them with git config.';
  return `git ${command} failed:\n${output}`;
}

/**
 * Returns whether a folder is in a repository. It looks for `.git`, because git itself may refuse to answer, such as in a
 * repository of another user.
 *
 * @param {string} folder
 * @returns {boolean}
 */
export function isInRepository(folder) {
  if (existsSync(join(folder, '.git'))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} without the variables that a git hook sets, because they name the hook's repository
 */
function withoutHook(env) {
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...own } = env;
  return own;
}
