/**
 * Step: checks a project as its user would, and says how long each check took. The first that fails
 * ends it; the project stays as it is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from '../child-process.mjs';
import { EXIT } from '../failure.mjs';
import { besideThisProgram } from '../own-package.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';

const CONFIGURATIONS = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml'];

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {[string, ...string[]]} command
 * @property {string | false} [missing] - what it needs and the project does not have
 */

/**
 * @param {Pick<Context, 'env' | 'note' | 'packageManager' | 'say' | 'target' | 'undo' | 'update'>} context
 * @returns {Promise<Partial<Context>>}
 */
export default async function verify(context) {
  const { packageManager, say, target, update: finished } = context;
  // For the objects that are called, instead of those that the user works with.
  const { folder: state, remove } = temporaryFolder(context);
  const checks = checksOf(target, packageManager.name, state);
  say(`Verifying: ${checks.map(({ name }) => name).join(', ')}`);
  let failed;
  for (const check of checks) {
    failed = await failureOf(context, check);
    if (failed) break;
  }
  remove();
  if (!failed) return { finished };
  const exitCode = EXIT.failed;
  return { finished, exitCode, failure: { code: 'VERIFY_FAILED', exitCode, message: failed } };
}

/**
 * @param {string} project
 * @param {string} manager
 * @param {string} state
 * @returns {Check[]}
 */
function checksOf(project, manager, state) {
  const { scripts = {} } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const lacks = (/** @type {string} */ script) => !scripts[script] && `script "${script}"`;
  const hasCounter = CONFIGURATIONS.map((name) => join(project, name)).some(
    (file) => existsSync(file) && readFileSync(file, 'utf8').includes('"COUNTER"'),
  );
  const program = besideThisProgram('counter-call.mjs');
  const canCall = hasCounter && existsSync(join(project, 'src/rpc/client.ts'));
  const build = /** @type {Check} */ ({ name: 'build', command: [manager, 'run', 'build'] });
  return [
    { name: 'type check', command: [manager, 'run', 'typecheck'], missing: lacks('typecheck') },
    { name: 'tests', command: [manager, 'run', 'test'], missing: lacks('test') },
    // Before what runs or deploys its output.
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
    // Windows has node as a program, and all else as scripts.
    shell: program !== 'node',
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  say(`  ${seconds} s  ${name}${code === 0 ? '' : ` failed with exit code ${code}:\n\n${output}`}`);
  return code === 0 ? undefined : `${name} failed with exit code ${code}. ${output}`;
}

/**
 * The project's own programs come first: its wrangler, and its Node where it brings one.
 *
 * @param {Pick<Context, 'env' | 'target'>} context
 */
function projectEnvironment({ env, target }) {
  // Windows spells it `Path`.
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const path = `${join(target, 'node_modules/.bin')}${delimiter}${env[name]}`;
  return { ...env, [name]: path, WRANGLER_SEND_METRICS: 'false' };
}
