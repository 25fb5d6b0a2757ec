/** Tests `--from`: degit and git fetch templates from repositories on this machine. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { contents, temporaryFolder } from './support/folders.mjs';
import { isRunning } from './support/processes.mjs';
import { runScaffolder, startScaffolder } from './support/run-scaffolder.mjs';

const OFFLINE = ['--no-install', '--no-git'];

/** @param {string} path - of a repository with a template in it */
function commitTemplate(path) {
  const identity = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com'];
  execFileSync('git', ['init', '--quiet'], { cwd: path });
  execFileSync('git', ['add', '.'], { cwd: path });
  execFileSync('git', [...identity, 'commit', '--quiet', '-m', 'x'], { cwd: path });
}

/**
 * Makes git use a local repository instead of the remote one, and gives degit a cache of its own.
 *
 * @param {string} path
 */
function insteadOfRemote(path) {
  return {
    XDG_CACHE_HOME: temporaryFolder(),
    https_proxy: 'http://127.0.0.1:9',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${path}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'ssh://git@github.com/acme/starter',
  };
}

test('--from takes a remote template, names included', async () => {
  const remote = temporaryFolder({
    'package.json': '{\n  "name": "starter",\n  "engines": { "node": ">=20" }\n}\n',
    'README.md': '# starter\n',
    '.gitignore': 'node_modules/\n',
  });
  commitTemplate(remote);
  const cwd = temporaryFolder();
  const args = ['app', '--from', 'git@github.com:acme/starter', ...OFFLINE];
  const outcome = await runScaffolder(args, { cwd, env: insteadOfRemote(remote) });
  expect(outcome).toMatchObject({ code: 0, err: 'Fetching git@github.com:acme/starter\n' });
  expect(contents(cwd)).toEqual({
    'app/': '',
    'app/.gitignore': 'node_modules/\n',
    'app/README.md': '# app\n',
    'app/package.json': '{\n  "name": "app",\n  "engines": { "node": ">=20" }\n}\n',
  });
});

test('--from a source that is not a project fails and leaves nothing', async () => {
  const remote = temporaryFolder({ 'README.md': '# no project\n' });
  commitTemplate(remote);
  const cwd = temporaryFolder();
  const args = ['deep/app', '--from', 'git@github.com:acme/starter', ...OFFLINE];
  const outcome = await runScaffolder(args, { cwd, env: insteadOfRemote(remote) });
  expect(outcome).toMatchObject({ code: 1 });
  expect(outcome.err).toContain('has no package.json');
  expect(contents(cwd)).toEqual({});
});

test.each([
  ['nohost.example:x/y', 'degit supports GitHub'],
  ['git@github.com:acme/starter', 'does not appear to be a git repository'],
])('--from %s fails with its cause and leaves nothing', async (from, cause) => {
  const cwd = temporaryFolder();
  const env = insteadOfRemote(join(cwd, 'nowhere'));
  const outcome = await runScaffolder(['deep/app', '--from', from], { cwd, env });
  expect(outcome.code).toBe(1);
  expect(outcome.err).toContain(`${from} could not be fetched. Nothing was written.`);
  expect(outcome.err).toContain(cause);
  expect(contents(cwd)).toEqual({});
});

test('an interrupt while fetching leaves neither files nor processes', async () => {
  const cwd = temporaryFolder();
  const trace = temporaryFolder({
    // Replaces the connection to a server that never answers.
    ssh: '#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\nexec sleep 600\n',
  });
  chmodSync(join(trace, 'ssh'), 0o755);
  const env = { GIT_SSH_COMMAND: join(trace, 'ssh'), XDG_CACHE_HOME: temporaryFolder() };
  const args = ['app', '--from', 'git@github.com:acme/starter'];
  const scaffolder = startScaffolder(args, { cwd, env });
  await expect.poll(() => existsSync(join(trace, 'pid')), { timeout: 50_000 }).toBe(true);
  scaffolder.kill('SIGINT');
  expect(await scaffolder.ended).toMatchObject({
    code: 130,
    err: 'Fetching git@github.com:acme/starter\nInterrupted.\nNothing was changed.\n',
  });
  expect(contents(cwd)).toEqual({});
  const pid = Number(readFileSync(join(trace, 'pid'), 'utf8'));
  await expect.poll(() => isRunning(pid), { timeout: 50_000 }).toBe(false);
});

/** @returns {{ url: string, hash: string }} a bare repository with two commits and the tag v1 */
function bareRepository() {
  const work = temporaryFolder({ 'package.json': '{\n  "name": "first"\n}\n' });
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: work, encoding: 'utf8' }).trim();
  commitTemplate(work);
  git('tag', 'v1');
  const hash = git('rev-parse', 'HEAD');
  writeFileSync(join(work, 'second.txt'), '');
  commitTemplate(work);
  const bare = join(temporaryFolder(), 'starter.git');
  git('clone', '--quiet', '--bare', '.', bare);
  return { url: pathToFileURL(bare).href, hash };
}

test.each([
  ['the default branch', () => '', true],
  ['a tag', () => '#v1', false],
  ['a commit', (/** @type {string} */ hash) => `#${hash}`, false],
])('--from takes a git URL of any host: %s', async (_, ref, hasSecond) => {
  const { url, hash } = bareRepository();
  const cwd = temporaryFolder();
  const args = ['app', '--from', url + ref(hash), ...OFFLINE];
  expect(await runScaffolder(args, { cwd })).toMatchObject({ code: 0 });
  expect(contents(cwd)).toEqual({
    'app/': '',
    'app/package.json': expect.stringContaining('"name": "app"'),
    ...(hasSecond && { 'app/second.txt': '' }),
  });
});

test.each([
  ['https://git.acme.dev/team/starter.git', 'https://git.acme.dev/team/starter.git'],
  ['git@git.acme.dev:team/starter', 'git@git.acme.dev:team/starter'],
])('--from takes %s', async (from, remote) => {
  const { url } = bareRepository();
  const cwd = temporaryFolder();
  const env = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${url}.insteadOf`,
    GIT_CONFIG_VALUE_0: remote,
  };
  const outcome = await runScaffolder(['app', '--from', from, ...OFFLINE], { cwd, env });
  expect(outcome).toMatchObject({ code: 0, err: `Fetching ${from}\n` });
  expect(Object.keys(contents(cwd))).toContain('app/second.txt');
});

test.each([
  ['a missing repository', 'file:///no/such/starter.git', 'does not appear to be a git'],
  ['a missing ref', (/** @type {string} */ url) => `${url}#v9`, 'v9'],
])('--from names the cause: %s', async (_, from, cause) => {
  const cwd = temporaryFolder();
  const source = typeof from === 'string' ? from : from(bareRepository().url);
  const outcome = await runScaffolder(['app', '--from', source], { cwd });
  expect(outcome.code).toBe(1);
  expect(outcome.err).toContain(`${source} could not be fetched. Nothing was written.`);
  expect(outcome.err).toContain(cause);
  expect(outcome.err).not.toContain(' at ');
  expect(contents(cwd)).toEqual({});
});

test('--from accepts a folder, also a folder that will contain the project', async () => {
  // Requires a Node older than any machine's, because otherwise the scaffolder adds a newer one.
  const engines = '"engines": { "node": ">=18" }';
  const manifest = `{ "name": "mine", ${engines} }`;
  const cwd = temporaryFolder({ 'package.json': manifest, '.gitignore': '*.log\n' });
  const outcome = await runScaffolder(['app', '--from', '.', ...OFFLINE], { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(contents(join(cwd, 'app'))).toEqual({
    '.gitignore': '*.log\n',
    'package.json': `{ "name": "app", ${engines} }`,
  });
});

test('--from a missing folder leaves nothing', async () => {
  const cwd = temporaryFolder();
  const outcome = await runScaffolder(['deep/app', '--from', './nowhere'], { cwd });
  expect(outcome).toMatchObject({ code: 1, out: '' });
  expect(outcome.err).toContain(`There is no directory ${join(cwd, 'nowhere')} to copy from.`);
  expect(contents(cwd)).toEqual({});
});

test('a remote template is listed without being written', async () => {
  const cwd = temporaryFolder();
  const args = ['--from', bareRepository().url, '--list', '--json'];
  const outcome = await runScaffolder(args, { cwd });
  expect(JSON.parse(outcome.out)).toEqual({ ok: true, files: ['package.json', 'second.txt'] });
  expect(contents(cwd)).toEqual({});
});
