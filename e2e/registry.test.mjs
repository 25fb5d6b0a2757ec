/**
 * The package as a user gets it: published to a registry on this machine, and started by the
 * `create` command of each package manager, which then installs the project and runs its scripts.
 */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopAll } from '../harness/guarded-process.mjs';
import { copyRepository, git, outsideEnvironment, REPOSITORY, run } from './outside.mjs';
import { fillGaps, publish, startRegistry } from './registry/verdaccio.mjs';

const TOOLS = join(REPOSITORY, 'e2e/registry');

/**
 * @typedef {object} Manager
 * @property {string} name
 * @property {string} program - in the tools' folder
 * @property {string} command - what it is called
 * @property {string} created - what the user types after that
 * @property {string} lock - the file in which it keeps what it installed
 */

/** All but npm pass options on as they are. */
const CREATED = 'create lumenize-rpc shop --worker-name shop-worker';

/** @type {Manager[]} */
const MANAGERS = [
  {
    name: 'npm',
    program: 'npm/bin/npm-cli.js',
    command: 'npm',
    created: 'create lumenize-rpc@latest shop -- --worker-name shop-worker',
    lock: 'package-lock.json',
  },
  {
    name: 'pnpm',
    program: '.bin/pnpm',
    command: 'pnpm',
    created: CREATED,
    lock: 'pnpm-lock.yaml',
  },
  {
    name: 'Yarn Classic',
    program: 'yarn/bin/yarn.js',
    command: 'yarn',
    created: CREATED,
    lock: 'yarn.lock',
  },
  {
    name: 'Yarn',
    program: '@yarnpkg/cli-dist/bin/yarn.js',
    command: 'yarn',
    created: CREATED,
    lock: 'yarn.lock',
  },
  {
    name: 'Bun',
    program: '.bin/bun',
    command: 'bun',
    created: CREATED,
    lock: 'bun.lock',
  },
];

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'registry-test-')));
const outside = outsideEnvironment(root);

/** @type {string} */
let registry;

beforeAll(async () => {
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: TOOLS, env: outside });
  registry = await startRegistry(join(root, 'registry'), outside);
  const clone = join(root, 'clone');
  copyRepository(clone);
  await publish(registry, { cwd: clone, env: outside });
  const gaps = join(root, 'gaps');
  fs.mkdirSync(gaps);
  fs.copyFileSync(join(clone, 'template/package.json'), join(gaps, 'package.json'));
  await fillGaps(registry, { cwd: gaps, env: outside });
});

afterAll(async () => {
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

test.each(MANAGERS)(
  '$name makes a project that is checked, tested and committed',
  async (manager) => {
    const work = join(root, manager.name);
    const project = join(work, 'shop');
    for (const folder of ['bin', 'home']) fs.mkdirSync(join(work, folder), { recursive: true });
    fs.writeFileSync(join(work, 'home/.npmrc'), `registry=${registry}\n`);
    fs.symlinkSync(
      join(TOOLS, 'node_modules', manager.program),
      join(work, 'bin', manager.command),
    );
    const options = { cwd: work, env: environmentOf(work) };
    const { all } = await run(manager.command, manager.created.split(' '), options);
    expect(all).toContain('shop, Worker shop-worker is in shop. Next:');
    expect(all).toContain(`  ${manager.command} run dev `);
    expect(fs.readdirSync(project)).toContain(manager.lock);
    expect(git(['status', '--short'], project)).toBe('');
    expect(workerdsIn(project)).toHaveLength(1);
    const inside = { ...options, cwd: project };
    await run(manager.command, ['run', 'typecheck'], inside);
    const only =
      manager.command === 'npm' ? ['--', 'test/counter.test.ts'] : ['test/counter.test.ts'];
    await run(manager.command, ['run', 'test', ...only], inside);
  },
);

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
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
    // Both refuse what was published a moment ago.
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
