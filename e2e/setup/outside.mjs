/**
 * Runs commands as a user does, outside this repository: without the variables that npm and Vitest set, on copies of
 * the repository's files in git.
 */
import { delimiter, join } from 'node:path';
import { run as runGuarded } from '../../harness/guarded-process.mjs';

export { copyRepository, filesOfGit, git, REPOSITORY } from '../../harness/repository.mjs';

/**
 * @param {string} root - a folder for the user's settings of programs
 * @returns {NodeJS.ProcessEnv} an environment without this repository's binaries, and with an author for commits
 */
export function outsideEnvironment(root) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|(CI|INIT_CWD|NODE|NODE_ENV|NODE_OPTIONS)$)/i.test(name),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter);
  return {
    ...Object.fromEntries(inherited),
    PATH: path.filter((folder) => !folder.includes('node_modules')).join(delimiter),
    GIT_AUTHOR_NAME: 'Someone',
    GIT_AUTHOR_EMAIL: 'someone@example.com',
    GIT_COMMITTER_NAME: 'Someone',
    GIT_COMMITTER_EMAIL: 'someone@example.com',
    XDG_CONFIG_HOME: join(root, 'config'),
    WRANGLER_SEND_METRICS: 'false',
  };
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ out: string, all: string }>} the output; rejects with it if the command fails
 */
export function run(command, args, options) {
  return runGuarded(command, args, { ...options, output: 'pipe' });
}
