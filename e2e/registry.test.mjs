/**
 * The package as a user gets it: published to a registry on this machine, and started by the `create` command of
 * each package manager. The package manager then installs the project and runs its scripts. The project of npm
 * passes all checks of `--verify`.
 */
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stopAll } from '../harness/guarded-process.mjs';
import { copyRepository, git, outsideEnvironment, REPOSITORY, run } from './outside.mjs';
import { Registry } from './registry/registry.mjs';

const TOOLS = join(REPOSITORY, 'e2e/registry');

/**
 * @typedef {object} Manager
 * @property {string} name
 * @property {string} program - path in the tools' folder
 * @property {string} command - name of the command
 * @property {string} created - arguments that the user types
 * @property {string} lock - name of the lock file
 * @property {string[]} scripts - scripts of the project to run, in addition to those of `--verify`
 */

/** @type {Manager} */
const NPM = {
  name: 'npm',
  program: 'npm/bin/npm-cli.js',
  command: 'npm',
  created: 'create lumenize-rpc@latest shop -- --worker-name shop-worker --verify',
  lock: 'package-lock.json',
  scripts: [],
};

/** The other package managers pass options on unchanged. */
const CREATED = 'create lumenize-rpc shop --worker-name shop-worker';

/** For package managers with the layout of npm: shows that scripts find the installed programs. */
const LIKE_NPM = ['lint'];

/** @type {Manager[]} */
const OTHERS = [
  {
    name: 'pnpm',
    program: '.bin/pnpm',
    command: 'pnpm',
    created: CREATED,
    lock: 'pnpm-lock.yaml',
    // A package finds only the packages that it names.
    scripts: ['typecheck', 'test test/counter.test.ts'],
  },
  {
    name: 'Yarn Classic',
    program: 'yarn/bin/yarn.js',
    command: 'yarn',
    created: CREATED,
    lock: 'yarn.lock',
    scripts: LIKE_NPM,
  },
  {
    name: 'Yarn',
    program: '@yarnpkg/cli-dist/bin/yarn.js',
    command: 'yarn',
    created: CREATED,
    lock: 'yarn.lock',
    scripts: LIKE_NPM,
  },
  {
    name: 'Bun',
    program: '.bin/bun',
    command: 'bun',
    created: CREATED,
    lock: 'bun.lock',
    scripts: LIKE_NPM,
  },
];

const PATIENCE = { timeout: 300_000, interval: 100 };

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'registry-test-')));
const outside = outsideEnvironment(root);
const clone = join(root, 'clone');

const registry = new Registry();

beforeAll(async () => {
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: TOOLS, env: outside });
  await registry.start(join(root, 'registry'), outside);
  copyRepository(clone);
  await registry.publish({ cwd: clone, env: outside });
});

afterAll(async () => {
  registry.stop();
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

test('npm makes a project that passes what `--verify` tries', async () => {
  const { said } = await create(NPM);
  for (const check of ['type check', 'tests', 'RPC call', 'wrangler deploy --dry-run']) {
    expect(said).toMatch(new RegExp(`^ +\\d+\\.\\d s  ${check}$`, 'm'));
  }
});

// `scaffolder/test/interruption.test.mjs` tests the other signals, with another program instead of wrangler.
test('SIGINT while the Worker runs to be verified: nothing lives on', async () => {
  const { project, env } = placeOf(NPM);
  const manifest = join(project, 'package.json');
  // Only the call and the deployment are left to verify.
  const rest = { ...JSON.parse(fs.readFileSync(manifest, 'utf8')), scripts: {} };
  fs.writeFileSync(manifest, JSON.stringify(rest));
  const args = [join(clone, 'dist/index.cjs'), '--update', '--verify'];
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const running = () => processesOf(project);
  await expect.poll(running, PATIENCE).toContain('workerd');
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  await expect.poll(running, PATIENCE).toBe('');
});

describe('the other package managers', () => {
  // One test computes while another waits for packages.
  vi.setConfig({ maxConcurrency: 2 });

  beforeAll(() => registry.fillGaps(join(placeOf(NPM).project, NPM.lock)));

  test.concurrent.each(OTHERS)(
    '$name makes a project that is committed and runs its scripts',
    async (manager) => {
      const { project, env } = await create(manager);
      for (const script of manager.scripts) {
        await run(manager.command, ['run', ...script.split(' ')], { cwd: project, env });
      }
    },
  );
});

/**
 * Runs the command that makes a project. The project is a clean repository with one commit, and has one runtime.
 *
 * @param {Manager} manager
 */
async function create(manager) {
  const { program, command, created, lock } = manager;
  const place = placeOf(manager);
  const { work, project, env } = place;
  for (const folder of ['bin', 'home']) fs.mkdirSync(join(work, folder), { recursive: true });
  fs.writeFileSync(join(work, 'home/.npmrc'), `registry=${registry.url}\n`);
  fs.symlinkSync(join(TOOLS, 'node_modules', program), join(work, 'bin', command));
  const { all: said } = await run(command, created.split(' '), { cwd: work, env });
  expect(said).toContain('Created shop. Package name: shop. Worker: shop-worker. Next:');
  expect(said).toContain(`  ${command} run dev `);
  expect(fs.readdirSync(project)).toContain(lock);
  expect(git(['status', '--short'], project)).toBe('');
  expect(git(['rev-list', '--count', 'HEAD'], project).trim()).toBe('1');
  expect(workerdsIn(project)).toHaveLength(1);
  return { ...place, said };
}

/** @param {Manager} manager */
function placeOf({ name }) {
  const work = join(root, name);
  return { work, project: join(work, 'shop'), env: environmentOf(work) };
}

/**
 * @param {string} project
 * @returns {string} the command lines of the processes that run from its folder
 */
function processesOf(project) {
  const all = execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(join(project, 'node_modules'))).join('\n');
}

/**
 * @param {string} work - a folder with the package manager in it
 * @returns {NodeJS.ProcessEnv}
 */
function environmentOf(work) {
  const path = [join(work, 'bin'), dirname(process.execPath), outside['PATH']];
  return {
    ...outside,
    PATH: path.join(delimiter),
    HOME: join(work, 'home'),
    YARN_NPM_REGISTRY_SERVER: registry.url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
    // Both refuse packages that were published a moment ago.
    YARN_NPM_MINIMAL_AGE_GATE: '0',
    pnpm_config_minimum_release_age: '0',
  };
}

/**
 * @param {string} project
 * @returns {string[]} the copies of the runtime that were installed
 */
function workerdsIn(project) {
  const modules = join(project, 'node_modules');
  const paths = /** @type {string[]} */ (fs.readdirSync(modules, { recursive: true }));
  const found = paths.filter((path) => /@cloudflare\/workerd-[^/]+\/bin\/workerd$/.test(path));
  return [...new Set(found.map((path) => fs.realpathSync(join(modules, path))))];
}
