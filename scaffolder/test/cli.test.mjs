/** Tests the whole program as a process: exit codes, output, and files on disk. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contents, temporaryFolder } from './support/folders.mjs';
import { MACHINE_NODE, runScaffolder } from './support/run-scaffolder.mjs';

const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const OFFLINE = ['--no-install', '--no-git'];

test.each([
  [[], 2, 'npm create lumenize-rpc@latest my-app\n'],
  [['--no-git'], 2, 'npm create lumenize-rpc@latest my-app -- --no-git\n'],
  [['--nmae', 'x'], 2, 'Unknown option --nmae. Did you mean --name?'],
  [['a', 'b'], 2, 'there are 2: a, b'],
  [['a', '--name', 'Bad Name'], 2, "--name 'Bad Name' cannot be used"],
  [['a', '--name', '../../up'], 2, 'cannot be used: it must be lower-case'],
  [['', '--yes'], 2, 'The name of the directory is empty.'],
  [['used', ...OFFLINE], 3, 'used is not empty: notes.txt.'],
  [['con', ...OFFLINE], 2, "'con' cannot be the name of a directory on Windows."],
  [['app', '--pm', 'pmpm'], 2, 'Did you mean pnpm?'],
  [['.', ...OFFLINE], 3, 'is not empty: file, used.'],
  [['file', ...OFFLINE], 3, 'file is a file.'],
  [['file/in', ...OFFLINE], 3, 'file is a file'],
  [['x'.repeat(300), ...OFFLINE], 1, 'ENAMETOOLONG'],
])('%j: exit code %i, and nothing is written', async (args, code, message) => {
  const cwd = temporaryFolder({ 'used/notes.txt': 'keep me', file: 'keep me' });
  const before = contents(cwd);
  const outcome = await runScaffolder(args, { cwd });
  expect(outcome).toMatchObject({ code, out: '' });
  expect(outcome.err).toContain(message);
  expect(outcome.err).not.toContain(' at ');
  expect(contents(cwd)).toEqual(before);
});

test.each([
  ['index.mjs', []],
  ['index.mjs', ['app', '--yes']],
  ['index.mjs', ['--help']],
  ['index.mjs', ['--add', '--json']],
])('in a clone without its packages, scaffolder/%s %j says so in one line', (program, args) => {
  const clone = temporaryFolder({ 'package.json': '{}' });
  const sources = fileURLToPath(new URL('..', import.meta.url));
  cpSync(sources, join(clone, 'scaffolder'), {
    recursive: true,
    filter: (path) => !path.includes('/test'),
  });
  const cwd = temporaryFolder();
  const file = join(clone, 'scaffolder', program);
  const { status, stdout, stderr } = spawnSync(MACHINE_NODE, [file, ...args], {
    cwd,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The package [\w-]+ is not installed: run npm install in .*\n$/),
  });
  expect(stderr).toContain(` run npm install in ${clone}, then this command again.\n`);
  expect(contents(cwd)).toEqual({});
});

test.each([
  [['--help'], 'Exit codes'],
  [['-h', 'app'], 'Exit codes'],
  [['--version'], `${VERSION}\n`],
])('%j answers and writes nothing', async (args, text) => {
  const cwd = temporaryFolder();
  const outcome = await runScaffolder(args, { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(outcome.out).toContain(text);
  expect(contents(cwd)).toEqual({});
});

test.each([
  ['a new directory', ['app'], 'app', 'app'],
  ['one in new directories', ['deep/er/app'], 'deep/er/app', 'app'],
  ['one with a space', ['my app'], 'my app', 'my-app'],
  ['one in Unicode', ['größe'], 'größe', 'gro-e'],
  ['an empty directory', ['empty'], 'empty', 'empty'],
  ['the default', ['--yes'], 'my-app', 'my-app'],
  ['a name', ['app', '--name', '@acme/shop'], 'app', '@acme/shop'],
])('makes a project: %s', async (_, args, place, name) => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'empty'));
  const outcome = await runScaffolder([...args, ...OFFLINE], { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(outcome.out).toContain('npm install');
  const project = contents(join(cwd, place));
  expect(JSON.parse(project['package.json'] ?? '').name).toBe(name);
  expect(Object.keys(project)).toContain('.gitignore');
  expect(Object.keys(contents(cwd)).filter((path) => path.includes('.create-'))).toEqual([]);
});

test('makes a project at a link, at an absolute path, and at "."', async () => {
  const cwd = temporaryFolder();
  for (const name of ['behind-link', 'here']) mkdirSync(join(cwd, name));
  symlinkSync('behind-link', join(cwd, 'link'));
  const absolute = join(cwd, 'absolute');
  expect(await runScaffolder(['link', ...OFFLINE], { cwd })).toMatchObject({ code: 0, err: '' });
  expect(await runScaffolder([absolute, ...OFFLINE], { cwd: '/' })).toMatchObject({ code: 0 });
  expect(await runScaffolder(['.', ...OFFLINE], { cwd: join(cwd, 'here') })).toMatchObject({
    code: 0,
    out: expect.stringContaining('Created a project in this directory. Next:'),
  });
  expect(lstatSync(join(cwd, 'link')).isSymbolicLink()).toBe(true);
  const paths = (/** @type {string} */ name) => Object.keys(contents(join(cwd, name)));
  expect(paths('behind-link')).toEqual(paths('absolute'));
  expect(paths('here')).toEqual(paths('absolute'));
});

test('inside a workspace with dependencies of its own it says so, and touches neither', async () => {
  const theirs = {
    'package.json': '{ "workspaces": ["apps/*"] }',
    'node_modules/x/package.json': '{}',
  };
  const cwd = temporaryFolder(theirs);
  const outcome = await runScaffolder(['apps/new', ...OFFLINE], { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(outcome.out).toContain(`is inside the workspace ${cwd}`);
  const outside = Object.entries(contents(cwd)).filter(([path]) => !/^apps|\/$/.test(path));
  expect(Object.fromEntries(outside)).toEqual(theirs);
});

test('Yarn is told which packages to build, and npm is not', async () => {
  const cwd = temporaryFolder();
  for (const manager of ['yarn', 'npm']) {
    await runScaffolder([manager, '--pm', manager, ...OFFLINE], { cwd });
    const { dependenciesMeta } = JSON.parse(contents(join(cwd, manager))['package.json'] ?? '');
    expect(dependenciesMeta !== undefined).toBe(manager === 'yarn');
  }
});

test('the variables of npm count only if npm started the program', async () => {
  const cwd = temporaryFolder();
  for (const agent of ['', 'pnpm/11.0.0 npm/? node/v24.0.0']) {
    const env = { npm_config_dry_run: 'true', ...(agent && { npm_config_user_agent: agent }) };
    const directory = agent ? 'second' : 'first';
    const { err } = await runScaffolder([directory, ...OFFLINE], { cwd, env });
    expect(err).toBe('');
    expect(existsSync(join(cwd, directory, 'package.json'))).toBe(true);
  }
});

test('--list also shows a folder that is not a project, also for Yarn', async () => {
  const cwd = temporaryFolder({ 'mine/notes.txt': '' });
  const args = ['--list', '--from', './mine', '--pm', 'yarn'];
  expect(await runScaffolder(args, { cwd })).toEqual({ code: 0, err: '', out: 'notes.txt\n' });
});

test('the same input gives the same bytes', async () => {
  const [first, second] = [temporaryFolder(), temporaryFolder()];
  await runScaffolder(['app', ...OFFLINE], { cwd: first });
  await runScaffolder(['app', ...OFFLINE], { cwd: second });
  expect(contents(first)).toEqual(contents(second));
});

test('keeps an existing repository, and creates none inside it', async () => {
  const cwd = temporaryFolder();
  execFileSync('git', ['init', '--quiet'], { cwd });
  const repository = contents(join(cwd, '.git'));
  expect(await runScaffolder(['.', '--no-install'], { cwd })).toMatchObject({ code: 0, err: '' });
  expect(await runScaffolder(['sub', ...OFFLINE], { cwd })).toMatchObject({ code: 0 });
  expect(contents(join(cwd, '.git'))).toEqual(repository);
  expect(existsSync(join(cwd, 'sub/.git'))).toBe(false);
});

test('says that the target cannot be written to', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'locked'));
  chmodSync(join(cwd, 'locked'), 0o555);
  // The superuser may write everywhere except in /proc.
  const place = process.getuid?.() === 0 ? '/proc/app' : 'locked/app';
  const outcome = await runScaffolder([place, ...OFFLINE], { cwd });
  expect(outcome.code).toBe(1);
  expect(outcome.err).toMatch(/^Failed: E[A-Z]+: /);
  expect(contents(cwd)).toEqual({ 'locked/': '' });
});

test('the output has no colours if it is not a terminal', async () => {
  const { out } = await runScaffolder(['app', ...OFFLINE], { cwd: temporaryFolder() });
  expect(out).not.toContain('\u001B');
});

test('adds a newer Node to the project if the machine has an older one', async () => {
  const cwd = temporaryFolder();
  const outcome = await runScaffolder(['app', ...OFFLINE], { cwd });
  const { devDependencies } = JSON.parse(contents(join(cwd, 'app'))['package.json'] ?? '');
  const version = execFileSync(MACHINE_NODE, ['--version'], { encoding: 'utf8' }).trim();
  const major = Number.parseInt(version.slice(1));
  // For Node 22, the result depends on the minor version: see the tests of the step.
  if (major !== 22) expect('node' in devDependencies).toBe(major < 22);
  expect(outcome.out.includes(`This machine has Node ${version.slice(1)}`)).toBe(
    'node' in devDependencies,
  );
});

test('a Node that is too old for the program causes a message before anything else is loaded', async () => {
  const cwd = temporaryFolder();
  const preload =
    "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.8'})";
  const env = { NODE_OPTIONS: `--import ${preload}` };
  const { code, out, err } = await runScaffolder(['app', ...OFFLINE], { cwd, env });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('needs Node 20 or later, and this is Node 18.20.8');
  expect(contents(cwd)).toEqual({});
});
