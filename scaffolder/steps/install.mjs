/** Step: installs the dependencies with the package manager that was used. */
import { runCommand } from '../child-process.mjs';
import { EXIT } from '../failure.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'install' | 'target' | 'env' | 'packageManager' | 'say' | 'undo'>} context
 * @returns {Promise<import('../context.mjs').Changes>}
 */
export default async function install(context) {
  if (!context.install) return { installed: false };
  const { env, packageManager, say, target } = context;
  say(`Installing with ${packageManager.name}`);
  const { code, output } = await runCommand(
    context,
    packageManager.name,
    packageManager.installArguments,
    // In production mode package managers leave out wrangler and the tests.
    { cwd: target, env: { ...env, NODE_ENV: 'development' }, show: true, shell: true },
  );
  if (code === 0) return { installed: true };
  // The project is whole and stays; the last step says how to go on.
  say();
  say(`${packageManager.install} failed with exit code ${code}. ${output}`.trim());
  return { installed: false, exitCode: EXIT.failed };
}
