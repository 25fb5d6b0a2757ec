/**
 * Step: checks a project as its user would, and prints how long each check took. It stops at the first
 * check that fails, and leaves the project unchanged.
 */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { configurationIn } from '../add/configuration.mjs';
import { runCommand } from '../child-process.mjs';
import { temporaryFolder } from '../clean-up.mjs';
import { EXIT } from '../console/failure.mjs';
import { besideThisProgram } from '../own-package.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {[string, ...string[]]} command
 * @property {string | false} [missing] - the words for a need of the check that the project does not meet
 */

/**
 * @param {Pick<Context, 'env' | 'note' | 'packageManager' | 'say' | 'target' | 'undo'>} context
 * @returns {Promise<Partial<Context>>}
 */
export default async function verify(context) {
  const { packageManager, say, target } = context;
  // The objects that the check calls get storage of their own, so that they do not change the user's storage.
  const { folder: state, remove } = temporaryFolder(context);
  const checks = checksOf(target, packageManager.name, state);
  say(`Verifying: ${checks.map(({ name }) => name).join(', ')}`);
  let failed;
  for (const check of checks) {
    failed = await failureOf(context, check);
    if (failed) break;
  }
  remove();
  if (!failed) return {};
  const exitCode = EXIT.failed;
  return { exitCode, failure: { code: 'VERIFY_FAILED', exitCode, message: failed } };
}

/**
 * @param {string} project
 * @param {string} manager
 * @param {string} state
 * @returns {Check[]}
 */
function checksOf(project, manager, state) {
  // A decoder leaves out a byte order mark, which npm accepts too.
  const manifest = new TextDecoder().decode(readFileSync(join(project, 'package.json')));
  const { scripts = {} } = JSON.parse(manifest);
  const lacks = (/** @type {string} */ script) => !scripts[script] && `script "${script}"`;
  const file = configurationIn(project);
  const hasCounter = file && readFileSync(join(project, file), 'utf8').includes('"COUNTER"');
  const program = besideThisProgram('counter-call.mjs');
  const canCall = hasCounter && existsSync(join(project, 'node_modules/lumenize-rpc'));
  const build = /** @type {Check} */ ({ name: 'build', command: [manager, 'run', 'build'] });
  return [
    { name: 'type check', command: [manager, 'run', 'typecheck'], missing: lacks('typecheck') },
    { name: 'tests', command: [manager, 'run', 'test'], missing: lacks('test') },
    // The build comes before the checks that run or deploy its output.
    ...(scripts['build'] ? [build] : []),
    { name: 'RPC call', command: ['node', program, state], missing: !canCall && 'counter' },
    { name: 'wrangler deploy --dry-run', command: ['wrangler', 'deploy', '--dry-run'] },
  ];
}

/**
 * @param {Pick<Context, 'env' | 'say' | 'target' | 'undo'>} context
 * @param {Check} check
 * @returns {Promise<string | undefined>}
 */
async function failureOf(context, { name, command: [program, ...args], missing }) {
  const { say, target: cwd } = context;
  if (missing) return void say(`  not run  ${name}: there is no ${missing}`);
  const start = performance.now();
  const { code, output } = await runCommand(context, program, args, {
    cwd,
    env: projectEnvironment(context),
    guarded: true,
    // On Windows, node is a program, and the other commands are scripts.
    shell: program !== 'node',
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  say(`  ${seconds} s  ${name}${code === 0 ? '' : ` failed with exit code ${code}:\n\n${output}`}`);
  return code === 0 ? undefined : `${name} failed with exit code ${code}. ${output}`;
}

/**
 * Puts the project's own programs first on the path: its wrangler, and its Node if it has one.
 *
 * @param {Pick<Context, 'env' | 'target'>} context
 */
function projectEnvironment({ env, target }) {
  // On Windows the name is `Path`.
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const path = `${join(target, 'node_modules/.bin')}${delimiter}${env[name]}`;
  return { ...env, [name]: path, WRANGLER_SEND_METRICS: 'false' };
}
