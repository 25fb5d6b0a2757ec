/** Tests of the files that remain if the program is stopped, or if an operation of the system fails, at any point. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contents, temporaryFolder } from './support/folders.mjs';
import { isRunning } from './support/processes.mjs';
import { runScaffolder, startScaffolder } from './support/run-scaffolder.mjs';
import { silentRegistry } from './support/silent-registry.mjs';

const OFFLINE = ['--no-install', '--no-git'];
const PRELOAD = new URL('support/injected-failure.mjs', import.meta.url).href;

/**
 * @param {string} at - the end of a path
 * @param {string} failure - an error's code, or a signal
 */
const failing = (at, failure) => ({
  NODE_OPTIONS: `--import ${PRELOAD}`,
  FAIL_AT: at,
  FAIL_WITH: failure,
});

/** Paths in a project. At each path, a failure and a signal are tested. */
const PLACES = ['new', 'deep/er/new', 'empty', '.'];

test.each([
  ['no space in the middle of the copy', 'src/counter.ts', 'ENOSPC', 1],
  ['no space for a folder', 'project/src', 'ENOSPC', 1],
  ['a quota', 'project/package.json', 'EDQUOT', 1],
  ['no permission', 'src/index.ts', 'EACCES', 1],
  ['a read-only file system', 'project', 'EROFS', 1],
  ['SIGINT in the middle of the copy', 'src/counter.ts', 'SIGINT', 130],
  ['SIGTERM in the middle of the copy', 'src/counter.ts', 'SIGTERM', 143],
  ['SIGHUP in the middle of the copy', 'src/counter.ts', 'SIGHUP', 129],
])('%s leaves nothing', async (_, at, failure, code) => {
  const isOfAll = ['ENOSPC', 'SIGINT'].includes(failure);
  for (const directory of isOfAll ? PLACES : ['new']) {
    const cwd = temporaryFolder(directory === '.' ? {} : { 'notes.txt': 'keep me' });
    if (directory === 'empty') mkdirSync(join(cwd, 'empty'));
    const before = contents(cwd);
    const env = failing(at, failure);
    const outcome = await runScaffolder([directory, ...OFFLINE], { cwd, env });
    expect(outcome.code).toBe(code);
    expect(outcome.err).toContain(code === 1 ? `Failed: ${failure}: injected` : 'Interrupted.\n');
    expect(outcome.err).toContain('\nNothing was changed.\n');
    expect(outcome.err).not.toMatch(/^ {4}at /m);
    expect(outcome.out).not.toContain('Next:');
    expect(contents(cwd)).toEqual(before);
  }
});

test('removes the files again if there is no space while they are moved into a directory', async () => {
  const cwd = temporaryFolder({ 'app/notes.txt': 'keep me', 'app/src/mine.ts': 'keep me too' });
  const before = contents(cwd);
  const env = failing('app/src/index.ts', 'ENOSPC');
  const outcome = await runScaffolder(['app', '--merge', ...OFFLINE], { cwd, env });
  expect(outcome).toMatchObject({ code: 1, err: expect.stringContaining('ENOSPC') });
  expect(contents(cwd)).toEqual(before);
});

test.each([
  ['a failure', 'ENOSPC', 'FAILED', 1],
  ['an interrupt', 'SIGINT', 'INTERRUPTED', 130],
])('%s is one JSON object, with --json', async (_, failure, code, exitCode) => {
  const cwd = temporaryFolder();
  const env = failing('src/counter.ts', failure);
  const outcome = await runScaffolder(['app', '--json', ...OFFLINE], { cwd, env });
  expect(JSON.parse(outcome.out)).toEqual({
    ok: false,
    code,
    exitCode,
    message: expect.stringMatching(/(?:ENOSPC.*|Interrupted\.)\nNothing was changed\.$/),
  });
  expect(outcome.code).toBe(exitCode);
});

test('when the installation fails the project stays, with the command to go on', async () => {
  const cwd = temporaryFolder();
  // No server listens on port 9, the port for discarded data.
  const env = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };
  const isolated = { ...env, npm_config_cache: temporaryFolder() };
  const outcome = await runScaffolder(['app', '--verify'], { cwd, env: isolated });
  expect(outcome.code).toBe(1);
  expect(outcome.out).not.toContain('Verifying');
  expect(outcome.out).toContain('npm install failed with exit code 1');
  expect(outcome.out).toContain('  cd app\n  npm install ');
  expect(Object.keys(contents(join(cwd, 'app')))).toContain('src/index.ts');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])(
  '%s in the middle of the installation: exit code %i, and no process stays',
  async (name, code) => {
    const cwd = temporaryFolder();
    const registry = await silentRegistry();
    const env = { npm_config_registry: registry.url, npm_config_cache: temporaryFolder() };
    const scaffolder = startScaffolder(['app'], { cwd, env });
    await registry.reached;
    scaffolder.kill(/** @type {NodeJS.Signals} */ (name));
    const outcome = await scaffolder.ended;
    expect(outcome.code).toBe(code);
    expect(outcome.err).toContain("Interrupted.\nThe project's files are complete in app.");
    expect(outcome.err).toContain('npm install');
    // The step ignores the exit code of a command that was stopped.
    expect(outcome.out).not.toContain('failed with exit code');
    expect(outcome.out).not.toContain('Next:');
    await registry.abandoned();
  },
);

/** Replaces npm: it installs something, and then never ends. */
const SLOW_NPM = `#!/bin/sh
mkdir node_modules && touch node_modules/one package-lock.json && sleep 600
`;

test.each([
  ['a new directory', 'app', [], {}, 'app'],
  ['one in new directories', 'deep/er/app', [], {}, 'deep'],
  ['one with a space', 'my app', [], {}, '"my app"'],
  ['an empty directory', 'empty', [], {}, 'empty/package.json'],
  ['an empty repository', 'repository', [], { 'repository/.git/HEAD': 'mine' }, 'repository/src'],
  [
    'a merge, beside own work',
    '.',
    ['--merge'],
    { 'src/mine.ts': 'mine', 'README.md': 'mine', 'vendor/other.txt': 'mine' },
    'src/index.ts',
  ],
])(
  'after an interrupted installation, a command removes only the project: %s',
  async (_, directory, options, files, named) => {
    const cwd = temporaryFolder(/** @type {Record<string, string>} */ (files));
    mkdirSync(join(cwd, 'empty'));
    const before = contents(cwd);
    const bin = temporaryFolder({ npm: SLOW_NPM });
    chmodSync(join(bin, 'npm'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const scaffolder = startScaffolder([directory, ...options], { cwd, env });
    const lock = join(cwd, directory, 'package-lock.json');
    await expect.poll(() => existsSync(lock), { timeout: 50_000 }).toBe(true);
    scaffolder.kill('SIGINT');
    const { code, err } = await scaffolder.ended;
    expect(code).toBe(130);
    const [, command = ''] = /\nTo remove only these files: (rm -rf .*)\n$/.exec(err) ?? [];
    expect(command).toContain(named);
    expect(contents(cwd)).not.toEqual(before);
    execFileSync('sh', ['-c', command], { cwd });
    expect(contents(cwd)).toEqual(before);
  },
);

/** Replaces a wrangler that serves. It and its child process report their ids, and ignore SIGTERM. */
const WRANGLER = `const { renameSync, writeFileSync } = require('node:fs');
const worker = require('node:child_process').spawn('sh', ['-c', 'trap "" TERM; sleep 600; sleep 600']);
process.on('SIGTERM', () => {});
writeFileSync('started', JSON.stringify([process.pid, worker.pid]));
renameSync('started', 'serving');
`;
/** Replaces a package manager: it installs the wrangler above, and every script of a project passes. */
const NPM = '#!/bin/sh\n[ "$1" = run ] || cp -R "$PACKAGES" node_modules\n';

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGKILL', null],
])('%s while the Worker is verified: exit code %s, and no process stays', async (name, code) => {
  const cwd = temporaryFolder({
    'packages/wrangler/package.json': '{ "name": "wrangler" }',
    'packages/wrangler/bin/wrangler.js': WRANGLER,
    'packages/lumenize-rpc/package.json': '{ "exports": { "./client": "./client.js" } }',
    'packages/lumenize-rpc/client.js': 'export const createRpcClient = () => ({});',
    'bin/npm': NPM,
  });
  chmodSync(join(cwd, 'bin/npm'), 0o755);
  const temporary = temporaryFolder();
  const env = {
    TMPDIR: temporary,
    PACKAGES: join(cwd, 'packages'),
    PATH: `${join(cwd, 'bin')}:${process.env['PATH']}`,
  };
  const scaffolder = startScaffolder(['app', '--no-git', '--verify'], { cwd, env });
  const serving = join(cwd, 'app/serving');
  await expect.poll(() => existsSync(serving), { timeout: 50_000 }).toBe(true);
  const pids = JSON.parse(readFileSync(serving, 'utf8'));
  scaffolder.kill(/** @type {NodeJS.Signals} */ (name));
  expect(await scaffolder.ended).toMatchObject({ code });
  await expect.poll(() => pids.filter(isRunning), { timeout: 50_000 }).toEqual([]);
  const left = readdirSync(temporary).filter((entry) => entry.startsWith('create-lumenize-rpc-'));
  // A program that is killed cannot remove anything.
  expect(left).toHaveLength(name === 'SIGKILL' ? 1 : 0);
});
