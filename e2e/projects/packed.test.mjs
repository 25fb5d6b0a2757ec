/** Tests the package that users get, packed and installed outside this repository, and the projects that it writes. */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stopAll } from '../../harness/guarded-process.mjs';
import { packedIn } from '../../harness/repository.mjs';
import { publishedPath } from '../../scaffolder/templates/published-names.mjs';
import { typedCommand } from '../../scaffolder/test/support/terminal.mjs';
import {
  copyRepository,
  filesOfGit,
  git,
  outsideEnvironment,
  REPOSITORY,
  run,
} from '../setup/outside.mjs';
import { write } from '../setup/projects.mjs';

/** Files that the package contains unchanged. Files directly in `examples/` are only for this repository. */
const COPIED = ['template', 'examples']
  .flatMap(filesOfGit)
  .filter((path) => !/^examples\/[^/]+$/.test(path));
/** The template's files that a project gets from npm. */
const TEMPLATE = filesOfGit('template')
  .map((path) => path.replace('template/', ''))
  .filter((path) => !['.yarnrc.yml', 'pnpm-workspace.yaml'].includes(path));
/** Local files in the packed folder, which the package must not contain. */
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
  // This file can contain a token.
  '.npmrc',
];

const NAMES = { template: 'lumenize-rpc-template', project: 'shop' };

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'packed-test-')));
afterAll(async () => {
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});
const env = {
  ...outsideEnvironment(root),
  // npm does not ask a registry for packages in its cache, which would take most of the time.
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
};
const [clone, consumer] = [join(root, 'clone'), join(root, 'consumer')];
copyRepository(clone);
for (const path of LEFTOVERS) write(join(clone, 'template', path), 'left over');
write(join(clone, 'examples/node_modules/x/example.json'), 'left over');
const { out: report } = await run('npm', ['pack', '--json'], { cwd: clone, env });
const { filename, files: packed } = packedIn(report);
write(join(consumer, 'package.json'), '{}');
await run('npm', ['install', join(clone, filename)], { cwd: consumer, env });
const program = join(consumer, 'node_modules/.bin/create-lumenize-rpc');
const project = join(root, NAMES.project);
await run(program, [NAMES.project, '--no-install'], { cwd: root, env });

test('the package has exactly the program, the template and the examples', () => {
  const paths = packed.map(({ path }) => path);
  const [files, others] = [true, false].map((isCopied) =>
    paths.filter((path) => /^dist\/(?:template|examples)\//.test(path) === isCopied).toSorted(),
  );
  expect(others).toEqual([
    'LICENSE',
    'README.md',
    'dist/LICENSES.txt',
    'dist/counter-call.mjs',
    'dist/index.cjs',
    'dist/scaffold.mjs',
    'dist/template-fetcher.mjs',
    'package.json',
  ]);
  expect(files).toEqual(COPIED.map((path) => `dist/${publishedPath(path)}`).toSorted());
});

test('the files of the package are readable', () => {
  const installed = join(consumer, 'node_modules/create-lumenize-rpc');
  for (const path of COPIED) {
    const published = fs.readFileSync(join(installed, 'dist', publishedPath(path)));
    expect(published.equals(fs.readFileSync(join(REPOSITORY, path))), path).toBe(true);
  }
  const bundle = fs.readFileSync(join(installed, 'dist/scaffold.mjs'), 'utf8');
  expect(Math.max(...bundle.split('\n').map(({ length }) => length))).toBeLessThan(500);
  // The licenses of bundled packages require their text.
  const licenses = fs.readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
  const [inBundle, withLicense] = [
    bundle.matchAll(/^\/\/ \S*node_modules\/((?:@[^/]+\/)?[^/]+)/gm),
    licenses.matchAll(/^(\S+)\/licen[cs]e\S*$/gim),
  ].map((matches) => [...new Set(Array.from(matches, ([, name]) => name))].toSorted());
  expect(inBundle).toContain('jsonc-parser');
  expect(withLicense).toEqual(inBundle);
});

test('the packed program answers, refuses, and reads a template from a folder', async () => {
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

test('the packed program lists the files that it writes, and adds to a project', async () => {
  const cwd = join(root, 'added');
  write(join(cwd, 'package.json'), '{}');
  write(join(cwd, 'wrangler.jsonc'), '{ "main": "src/index.ts" }');
  write(join(cwd, 'src/index.ts'), 'export default {};\n');
  const { out } = await run(program, ['--list', '--json'], { cwd, env });
  expect(JSON.parse(out).files).toEqual(TEMPLATE);
  await run(program, ['--add', '--yes'], { cwd, env });
  const vendored = TEMPLATE.filter((path) => path.startsWith('vendor/lumenize-rpc/'));
  expect(vendored).toContain('vendor/lumenize-rpc/dist/client.js');
  for (const path of vendored) {
    const [added, source] = [join(cwd, path), join(REPOSITORY, 'template', path)];
    expect(fs.readFileSync(added, 'utf8'), path).toBe(fs.readFileSync(source, 'utf8'));
  }
  expect(fs.readFileSync(join(cwd, 'src/counter.ts'), 'utf8')).toContain("'lumenize-rpc/server'");
  await run(program, ['--add', 'room', '--yes'], { cwd, env });
  expect(fs.readFileSync(join(cwd, 'src/room.ts'), 'utf8')).toContain("'lumenize-rpc/server'");
});

test('options that npm takes for itself have an effect nevertheless', async () => {
  // All versions of npm so far take these options without an error.
  const kept = ['--name=@x/kept', '--ui=react', '--example=room,bank', '--no-git', '--pm', 'pnpm'];
  kept.push('--json', '--dry-run');
  const { out } = await run('npm', ['exec', 'create-lumenize-rpc', 'kept', ...kept], {
    cwd: consumer,
    env,
  });
  expect(JSON.parse(out.slice(out.indexOf('{')))).toMatchObject({
    ok: true,
    dryRun: true,
    directory: join(consumer, 'kept'),
    name: '@x/kept',
    files: expect.arrayContaining(['src/ui/main.tsx', 'src/room.ts', 'src/bank.ts']),
  });
  expect(fs.existsSync(join(consumer, 'kept'))).toBe(false);
});

test('npm takes --add as -a -d -d, and it has an effect nevertheless', async () => {
  const shop = join(consumer, 'shop');
  fs.mkdirSync(shop);
  const refused = run('npm', ['exec', 'create-lumenize-rpc', 'shop', '--add'], {
    cwd: consumer,
    env,
  });
  await expect(refused).rejects.toThrow(`${shop} has no wrangler.jsonc`);
});

test.each([
  ['--example room,bank', ['npm', 'exec', 'create-lumenize-rpc', 'kept', '--example', 'room,bank']],
  ['--add room', ['npm', 'exec', 'create-lumenize-rpc', 'project', '--add', 'room']],
  ['--add=room', ['npm', 'exec', 'create-lumenize-rpc', 'project', '--add=room']],
])(
  'npm separates a name from its option, and it has an effect nevertheless: %s',
  async (given, [command = '', ...args]) => {
    const cwd = join(consumer, 'named', given);
    fs.mkdirSync(cwd, { recursive: true });
    await run(program, ['project', '--no-install', '--no-git'], { cwd, env });
    const { out } = await run(command, [...args, '--dry-run'], { cwd, env });
    expect(out).toContain(given.startsWith('--add') ? 'new      src/room.ts' : 'Would write');
    expect(fs.existsSync(join(cwd, 'project/src/room.ts'))).toBe(false);
  },
);

test('a --yes for npm leaves the question to the user', async () => {
  const args = ['exec', '--yes', 'create-lumenize-rpc', '--', '--no-install', '--no-git'];
  const terminal = typedCommand('npm', args, { cwd: consumer, env: { ...env, TERM: 'xterm' } });
  await terminal.shows('Directory of the new project');
  terminal.type('typed\r');
  await terminal.shows('Page');
  terminal.type('\r');
  expect(await terminal.ended).toBe(0);
  expect(fs.existsSync(join(consumer, 'typed/src/index.ts'))).toBe(true);
});

test('the project equals the template except for names', () => {
  const made = git(['ls-files', '-z'], project).split('\0').filter(Boolean);
  expect(made.filter((path) => path !== 'package-lock.json').toSorted()).toEqual(TEMPLATE);
  for (const path of TEMPLATE) {
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

test('the project has its own Node if the Node of the machine is too old', async () => {
  const machine = Number.parseInt(
    (await run('node', ['--version'], { cwd: root, env })).out.slice(1),
  );
  const manifest = JSON.parse(fs.readFileSync(join(project, 'package.json'), 'utf8'));
  // For Node 22, the result depends on the minor version: see the tests of the step.
  if (machine !== 22) expect('node' in manifest.devDependencies).toBe(machine < 22);
});

/**
 * @param {string} text - the text of a package.json
 * @returns {unknown} its content, without the additions for an old Node
 */
function withoutPin(text) {
  const manifest = JSON.parse(text);
  delete manifest.devDependencies.node;
  delete manifest.allowScripts.node;
  return manifest;
}
