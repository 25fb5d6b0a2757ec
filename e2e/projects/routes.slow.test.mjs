/**
 * Four ways to create a project give the same files: the scaffolder, degit, create-cloudflare, and a copy of
 * `template/`. Only the scaffolder knows the package manager, and leaves out files for others. All of them run offline,
 * except for packages: git uses a local repository instead of GitHub, and create-cloudflare finds GitHub's archive in
 * its cache.
 */
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopAll } from '../../harness/guarded-process.mjs';
import { parseJsonc } from '../../harness/jsonc.mjs';
import { copyRepository, git, outsideEnvironment, run } from '../setup/outside.mjs';

/** All projects have one name, so that not even the names differ. */
const NAME = 'lumenize-rpc-template';
const [OWNER, REPO] = ['acme', 'starter'];
const SOURCE = `${OWNER}/${REPO}/template`;
/** Paths that a package manager adds. */
const INSTALLED = /^(node_modules|package-lock\.json)$/;

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'routes-test-')));
const clone = join(root, 'clone');
const place = (/** @type {string} */ route) => join(root, route, NAME);

/** @type {NodeJS.ProcessEnv} */
let env;

beforeAll(async () => {
  copyRepository(clone);
  env = await environment();
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'x'],
  ]) {
    await run('git', args, { cwd: clone, env });
  }
  for (const route of ['copy', 'scaffold', 'degit', 'create-cloudflare']) {
    fs.mkdirSync(join(root, route));
  }
  fs.cpSync(join(clone, 'template'), place('copy'), { recursive: true });
});

afterAll(async () => {
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

test('the scaffolder creates the files of a copy', async () => {
  const program = join(clone, 'scaffolder/index.mjs');
  const args = [program, NAME, '--no-install', '--no-git'];
  await run(process.execPath, args, { cwd: join(root, 'scaffold'), env });
  const ofOthers = ['.yarnrc.yml', 'pnpm-workspace.yaml'];
  expect(filesIn(place('scaffold'))).toEqual(without(filesIn(place('copy')), ofOthers));
});

test('degit creates the files of a copy', async () => {
  const { resolve } = createRequire(import.meta.url);
  const { bin } = JSON.parse(fs.readFileSync(resolve('degit/package.json'), 'utf8'));
  const program = join(dirname(resolve('degit/package.json')), bin.degit ?? bin);
  await run(process.execPath, [program, SOURCE, NAME, '--mode=git'], {
    cwd: join(root, 'degit'),
    env,
  });
  expect(filesIn(place('degit'))).toEqual(filesIn(place('copy')));
});

/** create-cloudflare edits these files in every project, which cannot be prevented. */
const EDITED = ['package.json', 'tsconfig.json', 'wrangler.jsonc'];
const ADDED = ['.vscode/settings.json'];

test('create-cloudflare creates the files of a copy, except for its changes to every project', async () => {
  seedArchive();
  const program = fileURLToPath(import.meta.resolve('create-cloudflare'));
  const answers = ['--no-deploy', '--no-git', '--no-open', '--no-agents', '--no-auto-update'];
  await run(process.execPath, [program, NAME, '--template', SOURCE, ...answers], {
    cwd: join(root, 'create-cloudflare'),
    env: { ...env, PATH: ownPath(), CI: '1' },
  });
  const [made, expected] = [filesIn(place('create-cloudflare')), filesIn(place('copy'))];
  expect(without(made, [...EDITED, ...ADDED])).toEqual(without(expected, EDITED));
  expect(withoutVersions(made['package.json'])).toEqual(withoutVersions(expected['package.json']));
  expect(parseJsonc(made['wrangler.jsonc'])).toEqual(parseJsonc(expected['wrangler.jsonc']));
  expect(parseJsonc(made['tsconfig.json'])).toMatchObject({
    ...parseJsonc(expected['tsconfig.json']),
    compilerOptions: {
      ...parseJsonc(expected['tsconfig.json']).compilerOptions,
      types: expect.arrayContaining(parseJsonc(expected['tsconfig.json']).compilerOptions.types),
    },
  });
});

test('the project of create-cloudflare passes its type check and calls its counter', async () => {
  const options = { cwd: place('create-cloudflare'), env: { ...env, PATH: ownPath() } };
  await run('npm', ['run', 'typecheck'], options);
  await run('npm', ['test', '--', 'test/counter.test.ts'], options);
});

/** Returns a path with the Node of this process first, because wrangler needs a recent Node. */
function ownPath() {
  return `${dirname(process.execPath)}:${env['PATH']}`;
}

/** Creates an environment with settings for git, npm and the programs, and with a home folder of its own. */
async function environment() {
  const outside = outsideEnvironment(root);
  const npm = async (/** @type {string} */ key) =>
    (await run('npm', ['config', 'get', key], { cwd: root, env: outside })).out.trim();
  return {
    ...outside,
    HOME: join(root, 'home'),
    npm_config_userconfig: await npm('userconfig'),
    npm_config_cache: await npm('cache'),
    // npm does not check metadata in its cache again.
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: `url.${clone}.insteadOf`,
    GIT_CONFIG_VALUE_0: `https://github.com/${OWNER}/${REPO}`,
    GIT_CONFIG_KEY_1: `url.${clone}.insteadOf`,
    GIT_CONFIG_VALUE_1: `git@github.com:${OWNER}/${REPO}`,
    CREATE_CLOUDFLARE_TELEMETRY_DISABLED: '1',
  };
}

/** Writes the archive that GitHub would send into the cache of the degit in create-cloudflare. */
function seedArchive() {
  const hash = git(['rev-parse', 'HEAD'], clone).trim();
  const cache = join(root, 'home/.degit/github', OWNER, REPO);
  fs.mkdirSync(cache, { recursive: true });
  const archive = [
    '--format=tar.gz',
    `--prefix=${REPO}-${hash}/`,
    '-o',
    join(cache, `${hash}.tar.gz`),
  ];
  git(['archive', ...archive, 'HEAD'], clone);
}

/**
 * @param {string} folder
 * @returns {Record<string, string>} texts by path, without the additions of an installation
 */
function filesIn(folder) {
  const paths = fs.readdirSync(folder).flatMap((name) => {
    if (INSTALLED.test(name)) return [];
    if (!fs.statSync(join(folder, name)).isDirectory()) return [name];
    const inside = fs.readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
    return inside
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  });
  return Object.fromEntries(
    paths.toSorted().map((path) => [path, fs.readFileSync(join(folder, path), 'utf8')]),
  );
}

/**
 * @param {Record<string, string>} files
 * @param {string[]} paths
 */
function without(files, paths) {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path)));
}

/**
 * @param {string} [text] - the text of a package.json
 * @returns {unknown} its content, without the versions of packages that create-cloudflare installs
 */
function withoutVersions(text = '') {
  const manifest = JSON.parse(text);
  for (const name of ['wrangler', '@cloudflare/workers-types', '@types/node']) {
    manifest.devDependencies[name] = 'any';
  }
  return manifest;
}
