/** Step: installs the dependencies with the project's package manager. */
import { runCommand } from '../child-process.mjs';
import { EXIT } from '../failure.mjs';

/** What Yarn Classic tells the programs it runs, whatever registry its user has chosen. */
const YARN_REGISTRY = 'https://registry.yarnpkg.com';

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
  // The project is whole and stays; the last step says how to go on.
  say();
  say(message);
  const exitCode = EXIT.failed;
  return { installed: false, exitCode, failure: { code: 'INSTALL_FAILED', exitCode, message } };
}

/** @param {NodeJS.ProcessEnv} env */
function installEnvironment({ npm_config_registry: registry, ...env }) {
  // In production mode package managers leave out wrangler and the tests.
  const own = { ...env, NODE_ENV: 'development' };
  return registry && registry !== YARN_REGISTRY ? { ...own, npm_config_registry: registry } : own;
}
