/** Tests symbolic links in templates and in the target: the program never writes outside the project. */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { contents, links, temporaryFolder } from './support/folders.mjs';
import { commitAll, git } from './support/repository.mjs';
import { runScaffolder } from './support/run-scaffolder.mjs';

const OFFLINE = ['--no-install', '--no-git'];
/** Requires a Node newer than any machine's, so that the scaffolder writes more files. */
const MANIFEST = '{\n  "name": "starter",\n  "engines": { "node": ">=99" }\n}\n';
const OUTSIDE = {
  'outside/package.json': MANIFEST,
  'outside/README.md': '# starter\n',
  'outside/wrangler.jsonc': '{\n  "name": "starter"\n}\n',
  'outside/src/index.ts': 'theirs\n',
};

/**
 * @param {Record<string, string>} targets - of links by path, with `@` for the new folder
 * @param {Record<string, string>} [files] - files in the folder
 * @returns {string} a folder with the links and the files
 */
function folderWith(targets, files = {}) {
  const folder = temporaryFolder({ ...OUTSIDE, ...files });
  for (const [path, target] of Object.entries(targets)) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
    fs.rmSync(join(folder, path), { force: true });
    fs.symlinkSync(target.replace('@', folder), join(folder, path));
  }
  return folder;
}

/** @type {[what: string, path: string, target: string][]} */
const WAYS_OUT = [
  ['a file, relative', 'package.json', '../outside/package.json'],
  ['a file, absolute', 'README.md', '@/outside/README.md'],
  ['a file that gets a name', 'wrangler.jsonc', '../outside/wrangler.jsonc'],
  ['nothing, where a file would be made', '.yarnrc', '../outside/.yarnrc'],
  ['nothing, absolute', '.yarnrc', '@/outside/.yarnrc'],
  ['a folder, relative', 'src', '../outside/src'],
  ['a folder, absolute', 'src', '@/outside/src'],
  ['a file, from a folder', 'docs/README.md', '../../outside/README.md'],
  ['a folder around the template', 'docs/all', '../..'],
  ['what is beside the project while it is made', 'src', '../project/docs'],
  ['a file, through a link that stays inside', 'README.md', 'here/../outside/README.md'],
];

/** All commands that read a template. Only the first is tested with all links. */
const READERS = [['new'], ['new', '--dry-run'], ['--list'], ['app', '--merge']];

test.each(WAYS_OUT)('a template with a link to %s is refused', async (what, path, target) => {
  const template = { 'mine/package.json': MANIFEST, 'mine/docs/a.md': '', 'app/notes.txt': 'mine' };
  const cwd = folderWith({ 'mine/here': '.', [`mine/${path}`]: target }, template);
  const before = contents(cwd);
  const source = ['--from', './mine', '--pm', 'yarn', ...OFFLINE];
  const isOfAll = ['a file, relative', 'a folder around the template'].includes(what);
  const runs = READERS.slice(0, isOfAll ? undefined : 1).map((args) =>
    runScaffolder([...args, ...source], { cwd }),
  );
  for (const outcome of await Promise.all(runs)) {
    expect(outcome).toMatchObject({ code: 1, out: '' });
    expect(outcome.err).toContain(`./mine has a link that leads out of the template: ${path} -> `);
    expect(outcome.err).toContain('\nNothing was written. Replace the link by its target');
  }
  expect(contents(cwd)).toEqual(before);
});

test.each(WAYS_OUT.filter((_, i) => i % 4 === 0))(
  'a repository with a link to %s is refused, too',
  async (_, path, target) => {
    const cwd = folderWith(
      { 'mine/here': '.', [`mine/${path}`]: target },
      { 'mine/docs/a.md': '' },
    );
    if (path !== 'package.json') fs.writeFileSync(join(cwd, 'mine/package.json'), MANIFEST);
    commitAll(join(cwd, 'mine'));
    const before = contents(cwd);
    const args = ['new', '--from', pathToFileURL(join(cwd, 'mine')).href, ...OFFLINE];
    for (const more of [[], ['--dry-run']]) {
      const outcome = await runScaffolder([...args, ...more], { cwd });
      expect(outcome.code).toBe(1);
      expect(outcome.err).toContain(` has a link that leads out of the template: ${path} -> `);
      expect(contents(cwd)).toEqual(before);
    }
  },
);

const INSIDE = {
  'mine/CLAUDE.md': 'AGENTS.md',
  'mine/docs/guide.md': '../AGENTS.md',
  'mine/manual': './docs',
  'mine/later.txt': 'docs/later.txt',
};

/** @param {string} project */
function expectLinks(project) {
  expect(links(project)).toMatchObject({
    'CLAUDE.md': 'AGENTS.md',
    'docs/guide.md': '../AGENTS.md',
  });
  expect(Object.keys(links(project))).toHaveLength(4);
  expect(fs.readFileSync(join(project, 'manual/guide.md'), 'utf8')).toBe('agents');
}

test('copies links that stay in the template as links', async () => {
  const cwd = folderWith(INSIDE, { 'mine/package.json': MANIFEST, 'mine/AGENTS.md': 'agents' });
  fs.mkdirSync(join(cwd, 'empty'));
  for (const directory of ['new', 'empty']) {
    const args = [directory, '--from', './mine', ...OFFLINE];
    expect(await runScaffolder(args, { cwd })).toMatchObject({ code: 0, err: '' });
    expectLinks(join(cwd, directory));
  }
});

test('does the same for the archive of a host', async () => {
  const cwd = folderWith(INSIDE, { 'mine/package.json': MANIFEST, 'mine/AGENTS.md': 'agents' });
  commitAll(cwd);
  const hash = git(cwd, 'rev-parse', 'HEAD').trim();
  const cache = temporaryFolder();
  const archives = join(cache, 'degit/github/acme/starter');
  fs.mkdirSync(archives, { recursive: true });
  const archive = ['--format=tar.gz', `--prefix=starter-${hash}/`];
  git(cwd, 'archive', ...archive, '-o', join(archives, `${hash}.tar.gz`), 'HEAD');
  const env = {
    XDG_CACHE_HOME: cache,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${cwd}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/acme/starter',
  };
  const target = temporaryFolder();
  const args = ['app', '--from', 'acme/starter/mine', ...OFFLINE];
  expect(await runScaffolder(args, { cwd: target, env })).toMatchObject({ code: 0 });
  expectLinks(join(target, 'app'));
});

test('does the same for the folder of a repository that git fetches', async () => {
  const targets = {
    'mine/docs/guide.md': '../AGENTS.md',
    'mine/manual': './docs',
    'mine/all': '.',
  };
  const cwd = folderWith(targets, { 'mine/package.json': MANIFEST, 'mine/AGENTS.md': 'agents' });
  commitAll(cwd);
  const env = {
    XDG_CACHE_HOME: temporaryFolder(),
    https_proxy: 'http://127.0.0.1:9',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${cwd}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'ssh://git@github.com/acme/starter',
  };
  const target = temporaryFolder();
  const args = ['app', '--from', 'git@github.com:acme/starter/mine', ...OFFLINE];
  expect(await runScaffolder(args, { cwd: target, env })).toMatchObject({ code: 0 });
  expect(links(join(target, 'app'))).toEqual({
    all: '.',
    'docs/guide.md': '../AGENTS.md',
    manual: 'docs',
  });
  // A link to a path outside of the repository leads out of it.
  fs.symlinkSync(fs.realpathSync(target), join(cwd, 'mine/out'));
  commitAll(cwd);
  const refused = await runScaffolder(['out', ...args.slice(1)], { cwd: target, env });
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('starter/mine has a link that leads out of the template: out -> ');
});

/** @type {[what: string, path: string, target: string][]} */
const IN_THE_WAY = [
  ['to a folder elsewhere, relative', 'src', '../outside/src'],
  ['to a folder elsewhere, absolute', 'src', '@/outside/src'],
  ['to a folder of its own', 'public', 'docs'],
  ['to nothing', 'test', '../nowhere'],
  ['to nothing, absolute', 'test', '@/nowhere'],
  ['to a file', 'src', 'notes.txt'],
  ['inside a folder', 'vendor/lumenize-rpc', '../../outside/src'],
];

test.each(IN_THE_WAY)('--merge refuses a folder that is a link %s', async (_, path, target) => {
  const files = { 'app/notes.txt': 'mine', 'app/docs/mine.md': 'mine' };
  const cwd = folderWith({ [`app/${path}`]: target }, files);
  const before = contents(cwd);
  for (const more of [[], ['--dry-run']]) {
    const outcome = await runScaffolder(['app', '--merge', ...OFFLINE, ...more], { cwd });
    expect(outcome).toMatchObject({ code: 3, out: '' });
    expect(outcome.err).toContain(`${join(cwd, 'app', path)} is a link, and the template has a `);
    expect(outcome.err).toContain('\nNothing was changed. Put a folder in its place, or ');
    expect(contents(cwd)).toEqual(before);
    expect(Object.keys(links(cwd))).toEqual([`app/${path}`]);
  }
});

test('--merge keeps links in the places of files of the template', async () => {
  const kept = {
    'app/README.md': '../outside/README.md',
    'app/package.json': '@/nowhere',
    'app/wrangler.jsonc': '@/outside/wrangler.jsonc',
    'app/src/index.ts': '../../nowhere.ts',
  };
  const cwd = folderWith(kept);
  const names = Object.keys(kept).map((path) => path.replace('app/', ''));
  const dry = await runScaffolder(['app', '--merge', '--dry-run'], { cwd });
  expect(dry.out).toContain(`Would keep as they are: ${names.toSorted().join(', ')}\n`);
  const outcome = await runScaffolder(['app', '--merge', ...OFFLINE], { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  for (const name of names) expect(outcome.out).toMatch(new RegExp(`^Kept .*\\b${name}\\b`, 'm'));
  expect(Object.keys(links(cwd)).toSorted()).toEqual(Object.keys(kept).toSorted());
  expect(contents(cwd)).toMatchObject(OUTSIDE);
  expect(Object.keys(contents(cwd)).filter((path) => /^(outside\/|nowhere)/.test(path))).toEqual([
    'outside/',
    'outside/README.md',
    'outside/package.json',
    'outside/src/',
    'outside/src/index.ts',
    'outside/wrangler.jsonc',
  ]);
});

test.each(['src', 'vendor', 'vendor/lumenize-rpc', 'wrangler.jsonc'])(
  '--add refuses %s if it is a link',
  async (path) => {
    const cwd = temporaryFolder({
      'package.json': '{}',
      'wrangler.jsonc': '{ "main": "src/index.ts" }',
      'src/index.ts': 'export default {};',
    });
    const [place, elsewhere] = [join(cwd, path), join(cwd, 'elsewhere')];
    // If the folder does not exist, the link has no target.
    fs.mkdirSync(dirname(place), { recursive: true });
    if (fs.existsSync(place)) fs.renameSync(place, elsewhere);
    fs.symlinkSync(elsewhere, place);
    const before = contents(cwd);
    for (const more of ['--yes', '--dry-run']) {
      const outcome = await runScaffolder(['--add', more], { cwd });
      expect(outcome).toMatchObject({ code: 3, out: '' });
      expect(outcome.err).toContain(`${path} is a link.\nNothing was changed. Run this where`);
      expect(contents(cwd)).toEqual(before);
    }
  },
);

test('the directory itself may be a link: its user has named it', async () => {
  const cwd = temporaryFolder({ 'real/notes.txt': 'mine' });
  fs.symlinkSync('real', join(cwd, 'app'));
  const outcome = await runScaffolder(['app', '--merge', ...OFFLINE], { cwd });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(Object.keys(contents(join(cwd, 'real')))).toContain('src/index.ts');
});
