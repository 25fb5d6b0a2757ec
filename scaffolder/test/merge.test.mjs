/** Tests `--merge`, `--dry-run`, `--list` and `--json` as a process. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contents, temporaryFolder } from './support/folders.mjs';
import { runScaffolder } from './support/run-scaffolder.mjs';

const OFFLINE = ['--no-install', '--no-git'];
const THEIRS = {
  'app/README.md': 'mine',
  'app/src/index.ts': 'mine',
  'app/src/other.ts': 'mine',
};

/** @param {string} cwd */
const filesIn = (cwd) => Object.keys(contents(cwd)).filter((path) => !path.endsWith('/'));

/**
 * @param {string[]} options
 * @returns {Promise<string[]>}
 */
async function templatePaths(...options) {
  const { out } = await runScaffolder(['--list', '--json', ...options], { cwd: temporaryFolder() });
  return JSON.parse(out).files;
}

test('--merge adds missing files, replaces nothing, and lists the files that it kept', async () => {
  const cwd = temporaryFolder(THEIRS);
  const outcome = await runScaffolder(['app', '--merge', ...OFFLINE], { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(outcome.out).toContain('Kept as they were: README.md, src/index.ts\n');
  expect(outcome.out).toContain(
    'Added the missing files to app. Next:\n\n  cd app\n  npm install ',
  );
  expect(contents(cwd)).toMatchObject(THEIRS);
  const expected = [...(await templatePaths()), 'src/other.ts'];
  expect(filesIn(join(cwd, 'app')).toSorted()).toEqual(expected.toSorted());
});

test('--merge changes nothing the second time', async () => {
  const cwd = temporaryFolder();
  await runScaffolder(['app', ...OFFLINE], { cwd });
  const before = contents(cwd);
  const outcome = await runScaffolder(['app', '--merge', ...OFFLINE], { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(contents(cwd)).toEqual(before);
});

test('--merge leaves installing and committing to the owner of a package.json', async () => {
  const cwd = temporaryFolder({ 'package.json': '{ "dependencies": { "typebox": "1" } }' });
  // There is no registry, so an installation, which is the default, would fail.
  const env = { npm_config_registry: 'http://127.0.0.1:9/' };
  const outcome = await runScaffolder(['.', '--merge'], { cwd, env });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(outcome.out).toMatch(/^ {2}npm install -D .*wrangler@\d/m);
  expect(outcome.out).not.toContain('typebox');
  expect(filesIn(cwd)).not.toContain('.git/HEAD');
});

test.each(['src', 'perf', 'vendor/lumenize-rpc'])('--merge refuses a file at %s', async (path) => {
  const cwd = temporaryFolder({ 'app/notes.txt': 'keep me', [`app/${path}`]: 'a file' });
  const before = contents(cwd);
  for (const more of [[], ['--dry-run']]) {
    const outcome = await runScaffolder(['app', '--merge', ...OFFLINE, ...more], { cwd });
    expect(outcome).toMatchObject({ code: 3, out: '' });
    expect(outcome.err).toContain(`${join(cwd, 'app', path)} is a file, and the template has a `);
  }
  expect(contents(cwd)).toEqual(before);
});

test('--merge into a new or empty directory is a plain scaffold', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'empty'));
  for (const directory of ['new', 'empty']) {
    const args = [directory, '--merge', '--name', 'x', ...OFFLINE];
    const outcome = await runScaffolder(args, { cwd });
    expect(outcome.out).toContain(`Created ${directory}. Package name: x. Next:`);
  }
  expect(filesIn(join(cwd, 'new'))).toEqual(filesIn(join(cwd, 'empty')));
});

test('--dry-run shows the number of files in each folder and the commands, and writes nothing', async () => {
  const cwd = temporaryFolder();
  const outcome = await runScaffolder(['deep/app', '--dry-run', '--pm', 'pnpm'], { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  const paths = await templatePaths('--pm', 'pnpm');
  expect(paths).toContain('pnpm-workspace.yaml');
  expect(outcome.out).toContain(`Would write ${paths.length} files to deep/app:\n`);
  const rows = Array.from(outcome.out.matchAll(/^ {2}(\S+\/) +(\d+) files?$/gm));
  const counts = Object.fromEntries(rows.map(([, folder, count]) => [folder, Number(count)]));
  expect(counts['./']).toBe(paths.filter((path) => !path.includes('/')).length);
  const isVendored = (/** @type {string} */ path) => path.startsWith('vendor/lumenize-rpc/');
  expect(counts['vendor/lumenize-rpc/']).toBe(paths.filter(isVendored).length);
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(paths.length);
  expect(outcome.out).toContain(
    'Would run: pnpm install, git init, git commit\nNothing was written.\n',
  );
  expect(contents(cwd)).toEqual({});
});

test('--dry-run lists the files that a merge would keep', async () => {
  const cwd = temporaryFolder(THEIRS);
  const before = contents(cwd);
  const outcome = await runScaffolder(['app', '--merge', '--dry-run', '--json'], { cwd });
  const { files, ...result } = JSON.parse(outcome.out);
  expect(result).toEqual({
    ok: true,
    dryRun: true,
    directory: join(cwd, 'app'),
    name: 'app',
    workerName: 'app',
    kept: ['README.md', 'src/index.ts'],
  });
  expect([...files, ...result.kept].toSorted()).toEqual(await templatePaths());
  expect(outcome.err).toContain('Would keep as they are: README.md, src/index.ts\n');
  expect(outcome.err).not.toContain('git init');
  expect(contents(cwd)).toEqual(before);
});

test('--dry-run knows a repository around the target, and a conflict', async () => {
  const cwd = temporaryFolder({ 'used/notes.txt': '' });
  execFileSync('git', ['init', '--quiet'], { cwd });
  const outcome = await runScaffolder(['app', '--dry-run'], { cwd });
  expect(outcome.out).toContain('Would run: npm install\n');
  expect(await runScaffolder(['used', '--dry-run'], { cwd })).toMatchObject({ code: 3, out: '' });
});

test('--list needs no directory, and lists exactly the files that are written', async () => {
  const cwd = temporaryFolder({ 'my-app/notes.txt': '' });
  const outcome = await runScaffolder(['--list'], { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  await runScaffolder(['app', ...OFFLINE], { cwd });
  const files = filesIn(join(cwd, 'app')).toSorted();
  expect(await templatePaths()).toEqual(files);
  // The package is one line.
  const own = files.filter((path) => !path.startsWith('vendor/'));
  const line = `vendor/lumenize-rpc/  (${files.length - own.length} files)`;
  expect(outcome.out.trim().split('\n')).toEqual([...own, line].toSorted());
});

test('--json prints one object, and the text on stderr', async () => {
  const cwd = temporaryFolder();
  const args = ['app', '--json', '--worker-name', 'api', ...OFFLINE];
  const outcome = await runScaffolder(args, { cwd });
  expect(outcome.code).toBe(0);
  expect(outcome.out.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(outcome.out)).toEqual({
    ok: true,
    directory: join(cwd, 'app'),
    name: 'app',
    workerName: 'api',
    packageManager: 'npm',
    ui: 'plain',
    kept: [],
    installed: false,
    repository: false,
    next: ['cd app', 'npm install', 'npm run dev', 'npm test', 'npm run perf', 'npm run deploy'],
  });
  expect(outcome.err).toContain('Created app. Package name: app. Worker: api. Next:');
});

test.each([
  [['--nonsense'], 2, 'USAGE', 'Unknown option --nonsense.'],
  [['app', '--pm', 'x'], 2, 'USAGE', '--pm takes one of'],
  [[], 2, 'USAGE', 'No directory was given'],
  [['used'], 3, 'CONFLICT', 'is not empty: notes.txt.'],
  [['app', '--from', './nowhere'], 1, 'FAILED', 'There is no directory'],
])('--json with %j: %i, %s', async (args, exitCode, code, message) => {
  const cwd = temporaryFolder({ 'used/notes.txt': '' });
  const outcome = await runScaffolder([...args, '--json'], { cwd });
  expect(outcome.code).toBe(exitCode);
  const result = JSON.parse(outcome.out);
  expect(result).toEqual({ ok: false, code, exitCode, message: expect.stringContaining(message) });
  expect(outcome.err).toContain(message);
});

test('--json keeps the output of the package manager off stdout, and reports its failure', async () => {
  const cwd = temporaryFolder();
  const env = {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_cache: temporaryFolder(),
  };
  const outcome = await runScaffolder(['app', '--json', '--no-git'], { cwd, env });
  expect(outcome.code).toBe(1);
  expect(JSON.parse(outcome.out)).toMatchObject({
    ok: false,
    code: 'INSTALL_FAILED',
    exitCode: 1,
    message: expect.stringContaining('npm install failed with exit code 1'),
    directory: join(cwd, 'app'),
    installed: false,
    next: expect.arrayContaining(['npm install']),
  });
  expect(outcome.err).toContain('npm error');
});
