/**
 * What users get: the packed package, installed outside this repository, and the project that it
 * makes there. It is packed from a clone in which someone has worked, so that leftovers show.
 */
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { start, stopAll } from '../scripts/guarded-process.mjs';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const PACKED_LIMIT = 100_000;
const PATIENCE = { timeout: 300_000, interval: 100 };
const NAMES = { template: 'lumenize-rpc-template', project: 'shop' };

const LEFTOVERS = [
  'node_modules/x/index.js',
  'src/node_modules/x/index.js',
  '.wrangler/state/v3/x.sqlite',
  'dist/index.js',
  'public/app.js',
  '.dev.vars',
  '.dev.vars.staging',
  '.env',
  '.env.local',
  'wrangler.log',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
];

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'packed-test-')));
const clone = join(root, 'clone');
const consumer = join(root, 'consumer');
const work = join(root, 'work');
const project = join(work, NAMES.project);
const program = join(consumer, 'node_modules/.bin/create-lumenize-rpc');
const env = outsideEnvironment();

/** @type {{ filename: string, files: { path: string }[] }} */
let packed;
/** What the program said when it made the project. */
let said = '';

beforeAll(async () => {
  for (const path of filesOfGit('.')) copy(join(REPOSITORY, path), join(clone, path));
  for (const path of LEFTOVERS) write(join(clone, 'template', path), 'left over');
  // What bundles the scaffolder; npm leaves it out by itself.
  fs.symlinkSync(join(REPOSITORY, 'node_modules'), join(clone, 'node_modules'));
  // npm 12 prints one object by package name, npm 11 a list.
  const report = JSON.parse((await run('npm', ['pack', '--json'], clone)).out);
  [packed] = Object.values(report);
  write(join(consumer, 'package.json'), '{}');
  await run('npm', ['install', join(clone, packed.filename)], consumer);
  fs.mkdirSync(work);
  said = (await run(program, [NAMES.project, '--verify'], work)).out;
});

afterAll(async () => {
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

test('the package holds the program and the template, and nothing that was left over', () => {
  const expected = [
    ...['LICENSE', 'README.md', 'package.json'].filter((path) =>
      fs.existsSync(join(REPOSITORY, path)),
    ),
    'dist/index.cjs',
    'dist/template-fetcher.mjs',
    ...filesOfGit('template'),
  ];
  expect(packed.files.map(({ path }) => path).toSorted()).toEqual(expected.toSorted());
});

test(`the package is no larger than ${PACKED_LIMIT} bytes`, () => {
  const { size } = fs.statSync(join(clone, packed.filename));
  expect(size).toBeLessThanOrEqual(PACKED_LIMIT);
});

test('the packed program answers, refuses, and takes a template from a folder', async () => {
  const cwd = join(root, 'direct');
  write(join(cwd, 'mine/package.json'), '{ "name": "mine" }');
  expect((await run(program, ['--version'], cwd)).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await run(program, ['--help'], cwd)).out).toContain('Exit codes');
  await expect(run(program, ['--nmae', 'x'], cwd)).rejects.toThrow('Did you mean --name?');
  await expect(run(program, ['x', '--from', 'file:///no/such'], cwd)).rejects.toThrow('fetched');
  await run(program, ['app', '--from', './mine', '--no-install', '--no-git'], cwd);
  expect(fs.readdirSync(join(cwd, 'app'))).toEqual(['package.json']);
  expect(fs.readdirSync(cwd)).toEqual(['app', 'mine']);
});

test('options that npm keeps for itself count all the same', async () => {
  // Those that every npm so far keeps, rather than refuses.
  const kept = ['--name=@x/kept', '--no-git', '--pm', 'pnpm', '--json', '--dry-run'];
  const { out } = await run('npm', ['exec', 'create-lumenize-rpc', 'kept', ...kept], consumer);
  expect(JSON.parse(out.slice(out.indexOf('{')))).toMatchObject({
    ok: true,
    dryRun: true,
    directory: join(consumer, 'kept'),
    name: '@x/kept',
  });
  expect(fs.existsSync(join(consumer, 'kept'))).toBe(false);
});

test('the project is the template but for names', () => {
  const made = git(['ls-files', '-z'], project).split('\0').filter(Boolean);
  const template = filesOfGit('template').map((path) => path.replace('template/', ''));
  expect(made.filter((path) => path !== 'package-lock.json').toSorted()).toEqual(template);
  for (const path of template) {
    const source = fs.readFileSync(join(REPOSITORY, 'template', path), 'utf8');
    const result = fs.readFileSync(join(project, path), 'utf8');
    const expected = source.replaceAll(NAMES.template, NAMES.project);
    if (path === 'package.json') expect(withoutPin(result)).toEqual(JSON.parse(expected));
    else expect(result, path).toBe(expected);
  }
});

test('the project is a clean repository with one commit', () => {
  expect(git(['status', '--short'], project)).toBe('');
  expect(git(['rev-list', '--count', 'HEAD'], project).trim()).toBe('1');
});

test('the project brings its own Node where the one of the machine is too old', async () => {
  const machine = Number.parseInt((await run('node', ['--version'], root)).out.slice(1));
  const manifest = JSON.parse(fs.readFileSync(join(project, 'package.json'), 'utf8'));
  // Within 22 it depends on the minor version: see the tests of the step.
  if (machine !== 22) expect('node' in manifest.devDependencies).toBe(machine < 22);
});

test.each(['type check', 'tests', 'RPC call', 'wrangler deploy --dry-run'])(
  'the project passes its %s',
  (check) => {
    expect(said).toMatch(new RegExp(`^ +\\d+\\.\\d s  ${check}$`, 'm'));
  },
);

/** @type {[NodeJS.Signals, number | null][]} */
const ENDINGS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGKILL', null],
];

test.each(ENDINGS)(
  '%s while the Worker runs to be verified: nothing lives on',
  async (signal, code) => {
    const manifest = join(project, 'package.json');
    const text = fs.readFileSync(manifest, 'utf8');
    onTestFinished(() => fs.writeFileSync(manifest, text));
    // Only the call and the deployment are left to verify.
    fs.writeFileSync(manifest, JSON.stringify({ ...JSON.parse(text), scripts: {} }));
    const child = spawn(program, ['--update', '--verify'], { cwd: project, env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await expect.poll(processesOfTheProject, PATIENCE).toContain('workerd');
    child.kill(signal);
    expect(await ended).toBe(code);
    await expect.poll(processesOfTheProject, PATIENCE).toBe('');
  },
);

/** @returns {string} the command lines of what runs from the project's folder */
function processesOfTheProject() {
  const all = execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(join(project, 'node_modules'))).join('\n');
}

/** As it is outside npm and vitest, and without this repository's binaries. */
function outsideEnvironment() {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|(CI|INIT_CWD|NODE|NODE_ENV|NODE_OPTIONS)$)/i.test(name),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter);
  return {
    ...Object.fromEntries(inherited),
    PATH: path.filter((folder) => !folder.includes('node_modules')).join(delimiter),
    GIT_AUTHOR_NAME: 'Someone',
    GIT_AUTHOR_EMAIL: 'someone@example.com',
    GIT_COMMITTER_NAME: 'Someone',
    GIT_COMMITTER_EMAIL: 'someone@example.com',
    XDG_CONFIG_HOME: join(root, 'config'),
    WRANGLER_SEND_METRICS: 'false',
  };
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{ out: string }>} rejects, with what was printed, when the command fails
 */
function run(command, args, cwd) {
  const child = start(command, args, { cwd, env, output: 'pipe' });
  let [out, all] = ['', ''];
  child.stdout?.on('data', (chunk) => ((out += chunk), (all += chunk)));
  child.stderr?.on('data', (chunk) => (all += chunk));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve({ out });
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${all}`));
    });
  });
}

/**
 * @param {string} folder
 * @returns {string[]} what git has of it or would have, by path from the repository's root
 */
function filesOfGit(folder) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', folder];
  const paths = git(args, REPOSITORY).split('\0').filter(Boolean);
  return paths.filter((path) => fs.existsSync(join(REPOSITORY, path))).toSorted();
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function git(args, cwd) {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}

/**
 * @param {string} text - a package.json
 * @returns {unknown} it, without what an old Node adds
 */
function withoutPin(text) {
  const manifest = JSON.parse(text);
  delete manifest.devDependencies.node;
  delete manifest.allowScripts.node;
  return manifest;
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}

/**
 * @param {string} from
 * @param {string} to
 */
function copy(from, to) {
  fs.mkdirSync(dirname(to), { recursive: true });
  fs.copyFileSync(from, to);
}
