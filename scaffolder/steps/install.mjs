/**
 * Step: installs the dependencies with the project's package manager, and generates the types of the bindings that
 * `--example` has added.
 */
import { runCommand } from '../child-process.mjs';
import { EXIT } from '../console/failure.mjs';

/** Yarn Classic sets this registry for the programs that it runs, even if the user has set another. */
const YARN_REGISTRY = 'https://registry.yarnpkg.com';

/** The codes of the failures, for `--json`. */
export const INSTALL_FAILED = 'INSTALL_FAILED';
export const TYPES_FAILED = 'TYPES_FAILED';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'example' | 'target' | 'env' | 'json' | 'manifest' | 'packageManager' | 'say' | 'undo'>} context
 * @returns {Promise<import('../context.mjs').Changes>}
 */
export default async function install(context) {
  const { example, manifest, packageManager, say } = context;
  say(`Installing with ${packageManager.name}`);
  const { install: command, installArguments, name, run } = packageManager;
  // npm would warn at length that packages need a later Node. It is about to install that Node.
  const quiet = name === 'npm' && manifest.devDependencies?.['node'] ? ['--loglevel=error'] : [];
  const args = [...installArguments, ...quiet];
  const failure = await failureOf(context, command, args, INSTALL_FAILED);
  if (failure || !example) return { installed: !failure, ...failure };
  say('Generating the types of the bindings');
  const typed = await failureOf(context, run('types'), ['run', 'types'], TYPES_FAILED);
  return { installed: true, ...typed };
}

/**
 * @param {Parameters<typeof install>[0]} context
 * @param {string} command - the command to print
 * @param {string[]} args
 * @param {string} code - the code of the failure
 * @returns {Promise<Pick<Context, 'exitCode' | 'failure'> | undefined>}
 */
async function failureOf(context, command, args, code) {
  const { env, json, packageManager, say, target } = context;
  const { code: status, output } = await runCommand(context, packageManager.name, args, {
    cwd: target,
    env: installEnvironment(env),
    // The output of the installation is shown. `wrangler types` prints nothing useful except errors.
    ...(code === INSTALL_FAILED && { show: json ? 2 : 1 }),
    shell: true,
  });
  if (status === 0) return undefined;
  const message = `${command} failed with exit code ${status}. ${output}`.trim();
  // The project is complete and stays. The last step prints how to continue.
  say();
  say(message);
  const exitCode = EXIT.failed;
  return { exitCode, failure: { code, exitCode, message } };
}

/** @param {NodeJS.ProcessEnv} env */
function installEnvironment({ npm_config_registry: registry, ...env }) {
  // In production mode, package managers do not install wrangler and Vitest.
  const own = { ...env, NODE_ENV: 'development' };
  return registry === YARN_REGISTRY ? own : { ...own, npm_config_registry: registry };
}
