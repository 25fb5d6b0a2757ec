/** Step: installs the dependencies with the project's package manager. */
import { runCommand } from '../child-process.mjs';
import { EXIT } from '../console/failure.mjs';

/** Yarn Classic sets this registry for the programs that it runs, even if the user has set another. */
const YARN_REGISTRY = 'https://registry.yarnpkg.com';

/** The code of the failure, for `--json`. */
export const INSTALL_FAILED = 'INSTALL_FAILED';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'target' | 'env' | 'json' | 'packageManager' | 'say' | 'undo'>} context
 * @returns {Promise<import('../context.mjs').Changes>}
 */
export default async function install(context) {
  const { env, json, packageManager, say, target } = context;
  say(`Installing with ${packageManager.name}`);
  const { code, output } = await runCommand(
    context,
    packageManager.name,
    packageManager.installArguments,
    {
      cwd: target,
      env: installEnvironment(env),
      show: json ? 2 : 1,
      shell: true,
    },
  );
  if (code === 0) return { installed: true };
  const message = `${packageManager.install} failed with exit code ${code}. ${output}`.trim();
  // The project is complete and stays. The last step prints how to continue.
  say();
  say(message);
  const exitCode = EXIT.failed;
  return { installed: false, exitCode, failure: { code: INSTALL_FAILED, exitCode, message } };
}

/** @param {NodeJS.ProcessEnv} env */
function installEnvironment({ npm_config_registry: registry, ...env }) {
  // In production mode, package managers do not install wrangler and Vitest.
  const own = { ...env, NODE_ENV: 'development' };
  return registry === YARN_REGISTRY ? own : { ...own, npm_config_registry: registry };
}
