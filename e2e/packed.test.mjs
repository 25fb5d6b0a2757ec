/**
 * What users get: the packed package, installed outside this repository, and the project that it
 * makes there. It is packed from a clone in which someone has worked, so that leftovers show.
 */
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { stopAll } from '../harness/guarded-process.mjs';
import { publishedPath } from '../scaffolder/published-names.mjs';
import { typedCommand } from '../scaffolder/test/support/terminal.mjs';
import { hashOf, MANIFEST } from '../scaffolder/update/manifest.mjs';
import {
  copyRepository,
  filesOfGit,
  git,
  outsideEnvironment,
  REPOSITORY,
  run,
} from './outside.mjs';

/** In bytes; docs/decisions/scaffolder.md says of what. */
const PACKED_LIMIT = 230_000;
const PATIENCE = { timeout: 300_000, interval: 100 };
const NAMES = { template: 'lumenize-rpc-template', project: 'shop' };

const LEFTOVERS = [
  'node_modules/x/index.js',
  'src/node_modules/x/index.js',
  '.wrangler/state/v3/x.sqlite',
  'dist/index.js',
  'public/app.js',
  'public/room.js',
  '.dev.vars',
  '.dev.vars.staging',
  '.env',
  '.env.local',
  'wrangler.log',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  // It can hold a token.
  '.npmrc',
];

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'packed-test-')));
const clone = join(root, 'clone');
const consumer = join(root, 'consumer');
const work = join(root, 'work');
const project = join(work, NAMES.project);
const program = join(consumer, 'node_modules/.bin/create-lumenize-rpc');
const env = {
  ...outsideEnvironment(root),
  // For what it has, npm need not ask a registry: that takes longer than all else it does.
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
};

/** @type {{ filename: string, files: { path: string }[] }} */
let packed;
/** What the program said when it made the project. */
let said = '';

beforeAll(async () => {
  copyRepository(clone);
  for (const path of LEFTOVERS) write(join(clone, 'template', path), 'left over');
  // npm 12 prints one object by package name, npm 11 a list.
  const report = JSON.parse((await run('npm', ['pack', '--json'], { cwd: clone, env })).out);
  [packed] = Object.values(report);
  write(join(consumer, 'package.json'), '{}');
  await run('npm', ['install', join(clone, packed.filename)], { cwd: consumer, env });
  fs.mkdirSync(work);
  said = (await run(program, [NAMES.project, '--verify'], { cwd: work, env })).out;
});

afterAll(async () => {
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

test('the package holds the program and the template, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  const [files, others] = [true, false].map((isTemplate) =>
    paths.filter((path) => path.startsWith('dist/template/') === isTemplate).toSorted(),
  );
  expect(others).toEqual([
    'LICENSE',
    'README.md',
    'dist/counter-call.mjs',
    'dist/index.cjs',
    'dist/scaffold.cjs',
    'dist/template-fetcher.mjs',
    'package.json',
  ]);
  const template = filesOfGit('template').map((path) => `dist/${publishedPath(path)}`);
  expect(files).toEqual(template.toSorted());
});

test('what is in the package can be read before it is run', () => {
  const installed = join(consumer, 'node_modules/create-lumenize-rpc');
  for (const path of filesOfGit('template')) {
    const published = fs.readFileSync(join(installed, 'dist', publishedPath(path)));
    expect(published.equals(fs.readFileSync(join(REPOSITORY, path))), path).toBe(true);
  }
  const bundle = fs.readFileSync(join(installed, 'dist/scaffold.cjs'), 'utf8');
  expect(Math.max(...bundle.split('\n').map(({ length }) => length))).toBeLessThan(500);
});

test(`the package is no larger than ${PACKED_LIMIT} bytes`, () => {
  const { size } = fs.statSync(join(clone, packed.filename));
  expect(size).toBeLessThanOrEqual(PACKED_LIMIT);
});

test('the packed program answers, refuses, and takes a template from a folder', async () => {
  const cwd = join(root, 'direct');
  write(join(cwd, 'mine/package.json'), '{ "name": "mine" }');
  expect((await run(program, ['--version'], { cwd, env })).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await run(program, ['--help'], { cwd, env })).out).toContain('Exit codes');
  await expect(run(program, ['--nmae', 'x'], { cwd, env })).rejects.toThrow('Did you mean --name?');
  await expect(run(program, ['x', '--from', 'file:///no/such'], { cwd, env })).rejects.toThrow(
    'fetched',
  );
  await run(program, ['app', '--from', './mine', '--no-install', '--no-git'], { cwd, env });
  expect(fs.readdirSync(join(cwd, 'app'))).toEqual(['package.json']);
  expect(fs.readdirSync(cwd)).toEqual(['app', 'mine']);
});

test('the packed program lists what it writes, and updates a project', async () => {
  const cwd = join(root, 'updated');
  fs.mkdirSync(cwd);
  const listed = (await run(program, ['--list'], { cwd, env })).out.trim().split('\n');
  expect(listed).toEqual(filesOfGit('template').map((path) => path.replace('template/', '')));
  await run(program, ['app', '--no-install', '--no-git'], { cwd, env });
  const manifest = join(cwd, 'app', MANIFEST);
  const file = join(cwd, 'app/src/rpc/client.ts');
  const [current, text] = [manifest, file].map((path) => fs.readFileSync(path, 'utf8'));
  const { files } = JSON.parse(current);
  const old = { version: '0.0.1', files: { ...files, 'client.ts': hashOf('old\n') } };
  fs.writeFileSync(manifest, JSON.stringify(old));
  fs.writeFileSync(file, 'old\n');
  const { out } = await run(program, ['app', '--update'], { cwd, env });
  expect(out).toContain('  replaced  src/rpc/client.ts\n');
  expect([manifest, file].map((path) => fs.readFileSync(path, 'utf8'))).toEqual([current, text]);
});

test('options that npm keeps for itself count all the same', async () => {
  // Those that every npm so far keeps, rather than refuses.
  const kept = ['--name=@x/kept', '--no-git', '--pm', 'pnpm', '--json', '--dry-run'];
  const { out } = await run('npm', ['exec', 'create-lumenize-rpc', 'kept', ...kept], {
    cwd: consumer,
    env,
  });
  expect(JSON.parse(out.slice(out.indexOf('{')))).toMatchObject({
    ok: true,
    dryRun: true,
    directory: join(consumer, 'kept'),
    name: '@x/kept',
  });
  expect(fs.existsSync(join(consumer, 'kept'))).toBe(false);
});

test('a yes that was for npm leaves the question to the user', async () => {
  const args = ['exec', '--yes', 'create-lumenize-rpc', '--', '--no-install', '--no-git'];
  const terminal = typedCommand('npm', args, { cwd: consumer, env: { ...env, TERM: 'xterm' } });
  await terminal.shows('Directory of the new project');
  terminal.type('typed\r');
  expect(await terminal.ended).toBe(0);
  expect(fs.existsSync(join(consumer, 'typed/src/index.ts'))).toBe(true);
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
  const machine = Number.parseInt(
    (await run('node', ['--version'], { cwd: root, env })).out.slice(1),
  );
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

// The other signals, with something in wrangler's place: `scaffolder/test/interruption.test.mjs`.
test('SIGINT while the Worker runs to be verified: nothing lives on', async () => {
  const manifest = join(project, 'package.json');
  const text = fs.readFileSync(manifest, 'utf8');
  onTestFinished(() => fs.writeFileSync(manifest, text));
  // Only the call and the deployment are left to verify.
  fs.writeFileSync(manifest, JSON.stringify({ ...JSON.parse(text), scripts: {} }));
  const child = spawn(program, ['--update', '--verify'], { cwd: project, env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await expect.poll(processesOfTheProject, PATIENCE).toContain('workerd');
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  await expect.poll(processesOfTheProject, PATIENCE).toBe('');
});

/** @returns {string} the command lines of what runs from the project's folder */
function processesOfTheProject() {
  const all = execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(join(project, 'node_modules'))).join('\n');
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
