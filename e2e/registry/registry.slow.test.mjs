/**
 * Releases both packages to a registry on this machine, and creates a project with the `create` command of each package
 * manager. The package manager then installs the project, with the runtime from the registry, and runs its scripts. The
 * project of npm passes all checks of `--verify`. The vendored runtime, which a created project has before there is a
 * release, is tested too.
 */
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stopAll } from '../../harness/guarded-process.mjs';
import { copyRepository, git, outsideEnvironment, REPOSITORY, run } from '../setup/outside.mjs';
import { DOORS, pack, VENDOR, versionsOf, writeProject } from '../package/place.mjs';
import { Registry } from './registry.mjs';

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

/** For package managers with the layout of npm, this script shows that scripts find the installed programs. */
const LIKE_NPM = ['lint'];

/** @type {Manager[]} */
const OTHERS = [
  {
    name: 'pnpm',
    program: '.bin/pnpm',
    command: 'pnpm',
    created: CREATED,
    lock: 'pnpm-lock.yaml',
    // With this layout, a package finds only the packages that it names. The check resolves the imports of all sources
    // and tests.
    scripts: ['typecheck'],
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
const { version } = JSON.parse(fs.readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
const tag = `v${version}`;

/** @param {string[]} args */
function release(...args) {
  const env = registry.publisher({ ...outside, PATH: withNode(outside['PATH']) }, root);
  return run('node', ['scripts/release.mjs', ...args], { cwd: clone, env });
}

/** @param {string} message */
function commit(message) {
  git(['add', '-A'], clone);
  git(
    ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com', 'commit', '-qm', message],
    clone,
  );
}

beforeAll(async () => {
  // package.json pins the tools. A lock file would only pin the dependencies of verdaccio and attw.
  const install = ['install', '--no-package-lock', '--no-audit', '--no-fund'];
  await run('npm', install, { cwd: TOOLS, env: outside });
  await registry.start(join(root, 'registry'), outside);
  copyRepository(clone);
  git(['init', '-q'], clone);
  const changelog = join(clone, 'CHANGELOG.md');
  const text = fs.readFileSync(changelog, 'utf8').replace(`## ${version}\n`, '## Unreleased\n');
  fs.writeFileSync(changelog, text);
  commit('Before the release');
});

afterAll(async () => {
  registry.stop();
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

test('a release that is not ready lists everything that is missing, and publishes nothing', async () => {
  git(['tag', 'v0.0.9'], clone);
  const manifest = join(clone, 'runtime/package.json');
  const text = fs.readFileSync(manifest, 'utf8');
  fs.writeFileSync(manifest, text.replace(`"version": "${version}"`, '"version": "0.0.8"'));
  const refused = release().catch((error) => `${error}`);
  expect(await refused).toContain(`Not ready:
- CHANGELOG.md has no section "## ${version}"
- HEAD has the tag v0.0.9, and package.json the version ${version}
- HEAD has no tag: git tag ${tag}
- There are changes that are not committed: commit them
- lumenize-rpc has the version 0.0.8, and package.json ${version}`);
  await expect(run('npm', ['view', 'lumenize-rpc'], npmOf(NPM))).rejects.toThrow('E404');
  fs.writeFileSync(manifest, text);
  git(['tag', '-d', 'v0.0.9'], clone);
});

test('a release publishes the runtime, and the scaffolder whose template depends on it', async () => {
  const changelog = join(clone, 'CHANGELOG.md');
  const text = fs.readFileSync(changelog, 'utf8').replace('## Unreleased', `## ${version}`);
  fs.writeFileSync(changelog, text);
  commit('Release');
  expect((await release('--dry-run', '--provenance')).out).toMatch(
    /^Would publish both to http:\/\/127\.0\.0\.1:\d+\/ with --provenance\.$/m,
  );
  await expect(run('npm', ['view', 'lumenize-rpc'], npmOf(NPM))).rejects.toThrow('E404');
  git(['tag', tag], clone);
  expect((await release()).all).toContain(`Published create-lumenize-rpc ${version}.`);
  // An interrupted release can be repeated.
  expect((await release()).all).toContain(`create-lumenize-rpc ${version} is published already.`);
  const { out } = await run(
    'npm',
    ['view', 'lumenize-rpc', 'peerDependencies', '--json'],
    npmOf(NPM),
  );
  // npm 12 prints a list, npm 11 an object.
  expect([JSON.parse(out)].flat()[0]).toHaveProperty('typebox');
});

test('the types of the runtime are correct for every way to resolve an ES module', async () => {
  const place = npmOf(NPM);
  const { tarball } = await pack({ root, env: place.env });
  const args = [tarball, '--profile', 'esm-only', '--format', 'json'];
  const { out } = await run(join(TOOLS, 'node_modules/.bin/attw'), args, place);
  const { analysis } = JSON.parse(out);
  expect(Object.keys(analysis.entrypoints).toSorted()).toEqual(
    [...DOORS.map((door) => `./${door}`), './package.json'].toSorted(),
  );
  for (const [name, { resolutions }] of Object.entries(analysis.entrypoints)) {
    if (name === './package.json') continue;
    for (const way of ['bundler', 'node16-esm']) {
      expect(resolutions[way].resolution?.isTypeScript, `${name}, ${way}`).toBe(true);
    }
  }
});

test('npm creates a project that passes the checks of `--verify`', async () => {
  const { said } = await create(NPM);
  for (const check of ['type check', 'tests', 'RPC call', 'wrangler deploy --dry-run']) {
    expect(said).toMatch(new RegExp(`^ +\\d+\\.\\d s  ${check}$`, 'm'));
  }
});

// `scaffolder/test/interruption.test.mjs` tests the other signals, with another program instead of wrangler.
test('SIGINT while the Worker is verified leaves no process running', async () => {
  const { work, project, env } = placeOf(NPM);
  const manifest = join(work, 'short/package.json');
  fs.cpSync(join(project, 'src'), join(work, 'short/src'), { recursive: true });
  fs.cpSync(join(project, 'public'), join(work, 'short/public'), { recursive: true });
  fs.copyFileSync(join(project, 'wrangler.jsonc'), join(work, 'short/wrangler.jsonc'));
  // Only the call and the deployment are left to verify. Their programs come from the project around this one.
  const own = JSON.parse(fs.readFileSync(join(project, 'package.json'), 'utf8'));
  fs.writeFileSync(manifest, JSON.stringify({ ...own, scripts: {}, devDependencies: {} }));
  await run('npm', ['install', '--no-save', 'create-lumenize-rpc'], { cwd: work, env });
  const program = join(work, 'node_modules/create-lumenize-rpc/dist/index.cjs');
  const args = [program, 'stopped', '--from', '../short', '--yes', '--no-git', '--verify'];
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const running = () => processesOf(project);
  await expect.poll(running, PATIENCE).toContain('workerd');
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  await expect.poll(running, PATIENCE).toBe('');
});

describe('each package manager', () => {
  // One test computes while another waits for packages.
  vi.setConfig({ maxConcurrency: 2 });

  beforeAll(() => registry.fillGaps(join(placeOf(NPM).project, NPM.lock)));

  test.concurrent.each(OTHERS)(
    '$name creates a project that is committed and runs its scripts',
    async (manager) => {
      const { project, env } = await create(manager);
      for (const script of manager.scripts) {
        await run(manager.command, ['run', ...script.split(' ')], { cwd: project, env });
      }
    },
  );

  // `e2e/projects/start.slow.test.mjs` and `e2e/frameworks/react.slow.test.mjs` do so with npm.
  test.concurrent.each(OTHERS)(
    '$name installs the vendored runtime, and the project passes its type check and is bundled',
    async (manager) => {
      const { env, work } = prepare(manager);
      const project = join(work, 'vendored');
      writeVendored(project);
      await run(manager.command, ['install'], { cwd: project, env });
      expect(fs.readdirSync(project)).toContain(manager.lock);
      await run(manager.command, ['run', 'typecheck'], { cwd: project, env });
      const { metafile } = await build({
        entryPoints: [join(project, 'src/index.ts')],
        bundle: true,
        format: 'esm',
        write: false,
        metafile: true,
        absWorkingDir: project,
        external: ['cloudflare:*', 'node:*'],
        conditions: ['workerd', 'worker'],
      });
      const cores = Object.keys(metafile.inputs).filter((path) => path.endsWith('server-core.js'));
      expect(cores).toEqual([expect.stringMatching(/^(?:node_modules|vendor)\//)]);
    },
  );
});

/** @param {string} project */
function writeVendored(project) {
  writeProject(project);
  fs.cpSync(VENDOR, join(project, 'vendor/lumenize-rpc'), { recursive: true });
  for (const path of ['.yarnrc.yml', 'pnpm-workspace.yaml', 'tsconfig.json']) {
    fs.copyFileSync(join(REPOSITORY, 'template', path), join(project, path));
  }
  const compilerOptions = { types: ['@cloudflare/workers-types'] };
  const settings = { extends: './tsconfig.json', compilerOptions, include: ['env.d.ts', 'src'] };
  fs.writeFileSync(join(project, 'tsconfig.own.json'), JSON.stringify(settings));
  const manifest = {
    name: 'shop',
    private: true,
    type: 'module',
    scripts: { typecheck: 'tsc -p tsconfig.own.json' },
    dependencies: versionsOf('lumenize-rpc', 'typebox'),
    devDependencies: versionsOf('@cloudflare/workers-types', 'typescript'),
  };
  fs.writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
}

/**
 * Runs the command that creates a project. The project is a clean repository with one commit, and has one runtime.
 *
 * @param {Manager} manager
 */
async function create(manager) {
  const { command, created, lock } = manager;
  const place = prepare(manager);
  const { work, project, env } = place;
  const { all: said } = await run(command, created.split(' '), { cwd: work, env });
  expect(said).toContain('Created shop. Package name: shop. Worker: shop-worker. Next:');
  expect(said).toContain(`  ${command} run dev `);
  expect(fs.readdirSync(project)).toContain(lock);
  expect(git(['status', '--short'], project)).toBe('');
  expect(git(['rev-list', '--count', 'HEAD'], project).trim()).toBe('1');
  expect(workerdsIn(project)).toHaveLength(1);
  const { dependencies } = JSON.parse(fs.readFileSync(join(project, 'package.json'), 'utf8'));
  expect(dependencies['lumenize-rpc']).toBe(`^${version}`);
  expect(fs.existsSync(join(project, 'vendor'))).toBe(false);
  const installed = join(project, 'node_modules/lumenize-rpc/package.json');
  expect(JSON.parse(fs.readFileSync(installed, 'utf8')).version).toBe(version);
  return { ...place, said };
}

/**
 * Puts the package manager into the path of a folder, once.
 *
 * @param {Manager} manager
 */
function prepare(manager) {
  const place = placeOf(manager);
  const { work } = place;
  if (fs.existsSync(join(work, 'bin'))) return place;
  for (const folder of ['bin', 'home']) fs.mkdirSync(join(work, folder), { recursive: true });
  fs.writeFileSync(join(work, 'home/.npmrc'), `registry=${registry.url}\n`);
  fs.symlinkSync(join(TOOLS, 'node_modules', manager.program), join(work, 'bin', manager.command));
  return place;
}

/** @param {Manager} manager */
function npmOf(manager) {
  const { work, env } = prepare(manager);
  return { cwd: work, env };
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

/** @param {string | undefined} path - the path, to which the Node of this repository is added first */
function withNode(path) {
  return [dirname(process.execPath), path].join(delimiter);
}

/**
 * @param {string} work - a folder that contains the package manager
 * @returns {NodeJS.ProcessEnv}
 */
function environmentOf(work) {
  return {
    ...outside,
    PATH: [join(work, 'bin'), withNode(outside['PATH'])].join(delimiter),
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
 * @returns {string[]} the installed copies of the runtime
 */
function workerdsIn(project) {
  const modules = join(project, 'node_modules');
  const paths = /** @type {string[]} */ (fs.readdirSync(modules, { recursive: true }));
  const found = paths.filter((path) => /@cloudflare\/workerd-[^/]+\/bin\/workerd$/.test(path));
  return [...new Set(found.map((path) => fs.realpathSync(join(modules, path))))];
}
