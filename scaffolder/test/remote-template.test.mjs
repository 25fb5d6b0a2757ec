/** `--from`: templates that are fetched, through degit and git, from repositories on this machine. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contents, temporaryFolder } from './support/folders.mjs';
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
 * Makes git take a local repository for the remote one, and degit keep its cache to itself.
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
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(contents(cwd)).toEqual({
    'app/': '',
    'app/.gitignore': 'node_modules/\n',
    'app/README.md': '# app\n',
    'app/package.json': '{\n  "name": "app",\n  "engines": { "node": ">=20" }\n}\n',
  });
});

test('--from something that is no project fails and leaves nothing', async () => {
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
    // Stands for a server that never answers.
    ssh: '#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\nexec sleep 600\n',
  });
  chmodSync(join(trace, 'ssh'), 0o755);
  const env = { GIT_SSH_COMMAND: join(trace, 'ssh'), XDG_CACHE_HOME: temporaryFolder() };
  const args = ['app', '--from', 'git@github.com:acme/starter'];
  const scaffolder = startScaffolder(args, { cwd, env });
  await expect.poll(() => existsSync(join(trace, 'pid')), { timeout: 50_000 }).toBe(true);
  scaffolder.kill('SIGINT');
  expect(await scaffolder.ended).toMatchObject({ code: 130, err: 'Interrupted.\n' });
  expect(contents(cwd)).toEqual({});
  const pid = Number(readFileSync(join(trace, 'pid'), 'utf8'));
  await expect.poll(() => isRunning(pid), { timeout: 50_000 }).toBe(false);
});

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    // Ended, but not yet collected by whoever adopted it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
