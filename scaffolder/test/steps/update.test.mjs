/** Updates of whole projects, with the real git and the real npm. */
import { readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeBack } from '../../clean-up.mjs';
import runUpdate from '../../steps/update.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { closedRegistry, registryWith } from '../support/registry.mjs';
import { commitAll, git } from '../support/repository.mjs';
import { BASE, runtimeFiles, runtimeFolder } from '../support/runtimes.mjs';
import { stepContext } from '../support/step-context.mjs';

const MINE = BASE.replace('one', 'one of mine');
const THEIRS = BASE.replace('six', 'six of theirs');
const BOTH = MINE.replace('six', 'six of theirs');

const OLD = { version: '0.1.0', files: { 'a.ts': BASE, 'deep/b.ts': 'b\n', 'gone.ts': 'gone\n' } };
const NEW = { version: '0.2.0', files: { 'a.ts': THEIRS, 'deep/b.ts': 'b\n', 'deep/c.ts': 'c\n' } };
/** Files outside the runtime. */
const OTHERS = { 'src/index.ts': 'mine\n' };

/** @typedef {import('../../context.mjs').Context} Context */
/** @typedef {import('../support/runtimes.mjs').Runtime} Runtime */

/**
 * @param {string} project
 * @param {Runtime} [next]
 * @param {Partial<Context>} [fields]
 */
async function update(project, next = NEW, fields = {}) {
  const env = { ...process.env, ...closedRegistry() };
  const context = stepContext({ cwd: project, env, ...fields });
  try {
    const { exitCode } = await runUpdate(context, runtimeFolder(next));
    return { exitCode, text: context.said.join('\n') };
  } finally {
    await takeBack(context);
  }
}

/**
 * @param {Record<string, string>} [changes] - the user's changes, by path
 * @returns {string} a project whose history contains the runtime as it was shipped
 */
function committedProject(changes = {}) {
  const project = runtimeFolder(OLD, OTHERS);
  commitAll(project);
  for (const [path, text] of Object.entries(changes)) writeFileSync(join(project, path), text);
  commitAll(project);
  return project;
}

/** @param {string} project */
function files(project) {
  const entries = Object.entries(contents(project));
  return Object.fromEntries(
    entries.filter(([path]) => !path.startsWith('.git/') && !path.endsWith('/')),
  );
}

/** @type {(changes?: Record<string, string>) => Record<string, string>} */
const updated = (changes = {}) => ({ ...runtimeFiles(NEW), ...OTHERS, ...changes });

test('replaces what the user did not change, adds what is new, removes what is gone', async () => {
  const project = committedProject();
  const { exitCode, text } = await update(project);
  expect(exitCode).toBe(0);
  expect(text).toBe(`src/rpc/: 0.1.0 to 0.2.0
  replaced  src/rpc/a.ts
  added     src/rpc/deep/c.ts
  removed   src/rpc/gone.ts

Next: npm run typecheck and npm test`);
  expect(files(project)).toEqual(updated());
});

test('what is not committed elsewhere does not matter', async () => {
  const project = committedProject();
  writeFileSync(join(project, 'src/index.ts'), 'changed\n');
  writeFileSync(join(project, 'src/rpc/others.ts'), 'mine\n');
  expect(await update(project)).toMatchObject({ exitCode: 0 });
  const others = { 'src/index.ts': 'changed\n', 'src/rpc/others.ts': 'mine\n' };
  expect(files(project)).toEqual(updated(others));
});

test('a second update has nothing to do', async () => {
  const project = committedProject();
  await update(project);
  expect(await update(project)).toEqual({
    exitCode: undefined,
    text: 'src/rpc/ has version 0.2.0 already. Nothing was changed.',
  });
});

test('at the same version, it tells which files differ, and how to restore each', async () => {
  const project = committedProject({ 'src/rpc/a.ts': MINE });
  writeFileSync(join(project, 'src/rpc/gone.ts'), 'mine\n');
  rmSync(join(project, 'src/rpc/deep/b.ts'));
  const before = files(project);
  const first = git(project, 'rev-list', '--max-parents=0', '--abbrev-commit', 'HEAD').trim();
  expect(await update(project, OLD)).toEqual({
    exitCode: undefined,
    text: `src/rpc/ has version 0.1.0 already. Nothing was changed.
Changed here: src/rpc/a.ts, src/rpc/gone.ts
Missing: src/rpc/deep/b.ts
To restore them as published, which undoes your changes:
  git checkout ${first} -- src/rpc/a.ts
  git checkout HEAD -- src/rpc/gone.ts src/rpc/deep/b.ts`,
  });
  expect(files(project)).toEqual(before);
  git(project, 'checkout', '--quiet', first, '--', 'src/rpc/a.ts');
  git(project, 'checkout', '--quiet', 'HEAD', '--', 'src/rpc/gone.ts', 'src/rpc/deep/b.ts');
  expect(files(project)).toEqual({ ...runtimeFiles(OLD), ...OTHERS });
});

test('at the same version, it tells the same with --json, and of one commit too', async () => {
  const project = committedProject();
  writeFileSync(join(project, 'src/rpc/a.ts'), MINE);
  rmSync(join(project, 'src/rpc/gone.ts'));
  const context = stepContext({ cwd: project });
  const { result } = await runUpdate(context, runtimeFolder(OLD));
  expect(result).toEqual({
    version: '0.1.0',
    files: [],
    changed: ['src/rpc/a.ts'],
    missing: ['src/rpc/gone.ts'],
  });
  expect(context.said.slice(-2)).toEqual([
    'To restore them as published, which undoes your changes:',
    '  git checkout HEAD -- src/rpc/a.ts src/rpc/gone.ts',
  ]);
});

test('what the history lacks is copied from a new project', async () => {
  const outside = runtimeFolder(OLD, { 'src/rpc/a.ts': MINE });
  for (const project of [projectWithoutHistory(), outside]) {
    const { text } = await update(project, OLD);
    expect(text).toBe(`src/rpc/ has version 0.1.0 already. Nothing was changed.
Changed here: src/rpc/a.ts
Not in the history of a git repository as published: src/rpc/a.ts
To restore, copy from src/rpc/ of a new project: npm create lumenize-rpc@latest fresh -- --no-install --no-git`);
  }
});

test('a version that changed no file still leaves its manifest', async () => {
  const project = committedProject();
  expect(await update(project, { ...OLD, version: '0.2.0' })).toMatchObject({ exitCode: 0 });
  expect(files(project)).toEqual({ ...runtimeFiles({ ...OLD, version: '0.2.0' }), ...OTHERS });
});

test('merges what both changed, from the history of the project', async () => {
  const project = committedProject({ 'src/rpc/a.ts': MINE });
  const { exitCode, text } = await update(project);
  expect(exitCode).toBe(0);
  expect(text).toContain('  merged    src/rpc/a.ts\n');
  expect(files(project)).toEqual(updated({ 'src/rpc/a.ts': BOTH }));
});

test('leaves nothing among the temporary files', async () => {
  const project = committedProject({ 'src/rpc/a.ts': MINE });
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  await update(project);
  // The folder also contains folders of the test itself.
  const left = readdirSync(temporary).filter((name) => name.startsWith('create-lumenize-rpc-'));
  expect(left).toEqual([]);
});

test('marks conflicts as git does, and lists them', async () => {
  const project = committedProject({ 'src/rpc/a.ts': MINE });
  const clashing = { ...NEW.files, 'a.ts': BASE.replace('one', 'one of theirs') };
  const { exitCode, text } = await update(project, { ...NEW, files: clashing });
  expect(exitCode).toBe(3);
  expect(text).toContain('  conflict  src/rpc/a.ts: marked in the file\n');
  expect(text).toContain('Next: resolve the conflicts, then npm run typecheck');
  expect(text).not.toContain('Outside');
  expect(files(project)['src/rpc/a.ts']).toBe(
    '<<<<<<< a.ts (yours)\none of mine\n=======\none of theirs\n>>>>>>> a.ts 0.2.0\n' +
      BASE.replace('one\n', ''),
  );
});

test('keeps a changed file that the new version no longer has', async () => {
  const project = committedProject({ 'src/rpc/gone.ts': 'mine\n' });
  const { exitCode, text } = await update(project);
  expect(exitCode).toBe(3);
  expect(text).toContain('  conflict  src/rpc/gone.ts: kept; the new version does not have it\n');
  expect(files(project)).toEqual(updated({ 'src/rpc/gone.ts': 'mine\n' }));
});

test('puts a new file beside one that the user has in its place', async () => {
  const project = committedProject({ 'src/rpc/deep/c.ts': 'mine\n' });
  const { exitCode, text } = await update(project);
  expect(exitCode).toBe(3);
  expect(text).toContain('src/rpc/deep/c.ts: kept; the new one is src/rpc/deep/c.ts.new\n');
  expect(files(project)).toEqual(
    updated({ 'src/rpc/deep/c.ts': 'mine\n', 'src/rpc/deep/c.ts.new': 'c\n' }),
  );
});

test('does not write over what an earlier update left', async () => {
  const project = committedProject({ 'src/rpc/deep/c.ts': 'mine\n', 'src/rpc/deep/c.ts.new': 'x' });
  const before = contents(project);
  await expect(update(project)).rejects.toThrow(
    'src/rpc/deep/c.ts.new is left from an earlier update.\nNothing was changed. Copy what you need',
  );
  expect(contents(project)).toEqual(before);
});

test('what an earlier update left may be there if it is the same', async () => {
  const mine = { 'src/rpc/deep/c.ts': 'mine\n', 'src/rpc/deep/c.ts.new': 'c\n' };
  const project = committedProject(mine);
  expect(await update(project)).toMatchObject({ exitCode: 3 });
  expect(files(project)).toEqual(updated(mine));
});

test('a deleted file comes back only if it changed, and only beside its place', async () => {
  const project = committedProject();
  rmSync(join(project, 'src/rpc/a.ts'));
  rmSync(join(project, 'src/rpc/deep/b.ts'));
  commitAll(project);
  expect(await update(project)).toMatchObject({ exitCode: 3 });
  const { 'src/rpc/a.ts': _, 'src/rpc/deep/b.ts': __, ...rest } = updated();
  expect(files(project)).toEqual({ ...rest, 'src/rpc/a.ts.new': THEIRS });
});

test('line ends and encodings stay as they are', async () => {
  const crlf = (/** @type {string} */ text) => text.replaceAll('\n', '\r\n');
  const windows = (/** @type {Runtime} */ runtime) =>
    Object.fromEntries(
      Object.entries(runtimeFiles(runtime)).map(([path, text]) => [path, crlf(text)]),
    );
  const project = committedProject({
    ...windows(OLD),
    'src/rpc/a.ts': crlf(BASE.replace('one', 'größe')),
  });
  expect(await update(project)).toMatchObject({ exitCode: 0 });
  expect(files(project)).toEqual({
    ...windows(NEW),
    'src/rpc/a.ts': crlf(THEIRS.replace('one', 'größe')),
    ...OTHERS,
  });
});

test('a dry run says the same and writes nothing', async () => {
  const project = committedProject({ 'src/rpc/a.ts': MINE, 'src/rpc/gone.ts': 'mine\n' });
  const before = files(project);
  const dry = await update(project, NEW, { dryRun: true });
  expect(files(project)).toEqual(before);
  const wet = await update(project);
  expect(wet.exitCode).toBe(3);
  expect(dry).toEqual({ ...wet, text: wet.text.replace('0.2.0\n', '0.2.0, as a dry run\n') });
});

test.each([
  ['nobody asked for it', {}, NEW, true],
  ['it is asked for', { verify: true }, NEW, false],
  ['it is a dry run', { verify: true, dryRun: true }, NEW, true],
  ['there is a conflict', { verify: true }, { ...NEW, files: { 'gone.ts': 'theirs\n' } }, true],
  ['there is nothing to do', { verify: true }, OLD, false],
  ['there is nothing to do, and nobody asked for it', {}, OLD, true],
])('what was updated is verified unless %s', async (_, fields, next, isFinished) => {
  const project = committedProject({ 'src/rpc/gone.ts': next === NEW ? 'gone\n' : 'mine\n' });
  const env = { ...process.env, ...closedRegistry() };
  const context = stepContext({ cwd: project, env, ...fields });
  const { finished, kept, target, result } = await runUpdate(context, runtimeFolder(next));
  expect(finished).toBe(isFinished);
  expect(target).toBe(project);
  expect(result).toMatchObject({ version: next.version });
  const isWritten = next !== OLD && !('dryRun' in fields);
  expect(kept).toBe(isWritten ? 'src/rpc/ has version 0.2.0 now.' : undefined);
  await takeBack(context);
});

test('outside a repository it replaces, but merges nothing', async () => {
  const project = runtimeFolder(OLD, { ...OTHERS, 'src/rpc/a.ts': MINE });
  const { exitCode, text } = await update(project);
  expect(exitCode).toBe(3);
  expect(text).toContain('Outside a git repository nothing is merged');
  expect(files(project)).toEqual(updated({ 'src/rpc/a.ts': MINE, 'src/rpc/a.ts.new': THEIRS }));
});

test('where nothing has to be merged, it does not speak of a repository', async () => {
  const { exitCode, text } = await update(runtimeFolder(OLD, OTHERS));
  expect(exitCode).toBe(0);
  expect(text).not.toContain('Outside');
});

test('so it does without git', async () => {
  const project = committedProject({ 'src/rpc/a.ts': MINE });
  const env = { PATH: temporaryFolder() };
  expect(await update(project, NEW, { env })).toMatchObject({ exitCode: 3 });
  expect(files(project)).toEqual(updated({ 'src/rpc/a.ts': MINE, 'src/rpc/a.ts.new': THEIRS }));
});

/** A project whose history contains the runtime only with the user's changes. */
function projectWithoutHistory() {
  const project = runtimeFolder(OLD, { ...OTHERS, 'src/rpc/a.ts': MINE });
  commitAll(project);
  return project;
}

test('takes what was shipped from the published package where the history lacks it', async () => {
  const project = projectWithoutHistory();
  const { env: settings } = await registryWith(
    'create-lumenize-rpc',
    OLD.version,
    runtimeFiles(OLD),
  );
  const env = { ...process.env, ...settings, npm_config_dry_run: 'true' };
  expect(await update(project, NEW, { env })).toMatchObject({ exitCode: 0 });
  expect(files(project)).toEqual(updated({ 'src/rpc/a.ts': BOTH }));
});

test('merges nothing with a published file that is not what was shipped', async () => {
  const project = projectWithoutHistory();
  const { env: settings } = await registryWith('create-lumenize-rpc', OLD.version, {
    'src/rpc/a.ts': `${BASE}seven\n`,
  });
  const env = { ...process.env, ...settings };
  expect(await update(project, NEW, { env })).toMatchObject({ exitCode: 3 });
  expect(files(project)).toEqual(updated({ 'src/rpc/a.ts': MINE, 'src/rpc/a.ts.new': THEIRS }));
});

test('merges nothing when no registry answers', async () => {
  const project = projectWithoutHistory();
  expect(await update(project)).toMatchObject({ exitCode: 3 });
  expect(files(project)).toEqual(updated({ 'src/rpc/a.ts': MINE, 'src/rpc/a.ts.new': THEIRS }));
});

test('below a project, it names the project', async () => {
  const project = runtimeFolder(OLD, OTHERS);
  await expect(update(join(project, 'src'))).rejects.toThrow(
    `The project is ${project}: npm create lumenize-rpc@latest .. -- --update`,
  );
  const fields = { directory: 'src' };
  await expect(update(project, NEW, fields)).rejects.toThrow('@latest . -- --update');
  await expect(update(join(project, 'nowhere'))).rejects.toThrow('There is no directory');
});

/**
 * @param {object} manifest
 * @returns {(project: string) => void}
 */
const writeManifest = (manifest) => (project) =>
  writeFileSync(join(project, 'src/rpc/manifest.json'), JSON.stringify(manifest));

/**
 * @param {string} path
 * @returns {(project: string) => void}
 */
const replaceByLink = (path) => (project) => {
  renameSync(join(project, path), join(project, 'elsewhere'));
  symlinkSync(join(project, 'elsewhere'), join(project, path));
};

/** @type {[what: string, spoil: (project: string) => void, exitCode: number, message: string][]} */
const REFUSALS = [
  [
    'a folder that is no project',
    (project) => rmSync(join(project, 'src'), { recursive: true }),
    2,
    "has no src/rpc/manifest.json, so it does not contain this runtime.\nName the project's directory: npm",
  ],
  ['a damaged manifest', writeManifest({ version: '0.1.0' }), 1, 'manifest.json is damaged.'],
  [
    'a manifest that leads out of its folder',
    writeManifest({ version: '0.1.0', files: { '../index.ts': '0123456789abcdef' } }),
    1,
    'manifest.json is damaged.',
  ],
  [
    'a newer version',
    writeManifest({ version: '0.3.0', files: {} }),
    3,
    'src/rpc/ has version 0.3.0, and this program brings 0.2.0.\n' +
      'Nothing was changed. For the latest: npm create lumenize-rpc@latest -- --update',
  ],
  [
    'a change that is not committed',
    (project) => writeFileSync(join(project, 'src/rpc/a.ts'), MINE),
    3,
    'Not committed: src/rpc/a.ts.',
  ],
  [
    'a change to a file that is gone in the new version',
    (project) => writeFileSync(join(project, 'src/rpc/gone.ts'), 'mine\n'),
    3,
    'Not committed: src/rpc/gone.ts.\nNothing was changed. Commit or stash it, so that git can',
  ],
  [
    'a manifest that is not committed',
    writeManifest({ version: '0.1.0', files: {} }),
    3,
    'Not committed: src/rpc/manifest.json.',
  ],
  [
    'a file that git does not know',
    (project) => writeFileSync(join(project, 'src/rpc/deep/c.ts'), 'mine\n'),
    3,
    'Not committed: src/rpc/deep/c.ts.',
  ],
  [
    'a file that git is told not to show',
    (project) => {
      git(project, 'config', 'status.showUntrackedFiles', 'no');
      writeFileSync(join(project, 'src/rpc/deep/c.ts'), 'mine\n');
    },
    3,
    'Not committed: src/rpc/deep/c.ts.',
  ],
  [
    'a file that has moved',
    (project) => git(project, 'mv', 'src/rpc/a.ts', 'src/rpc/deep/c.ts'),
    3,
    'Not committed: src/rpc/a.ts, src/rpc/deep/c.ts.',
  ],
  [
    'a file that git ignores',
    (project) => {
      writeFileSync(join(project, '.gitignore'), 'a.ts\n');
      git(project, 'rm', '--cached', '--quiet', 'src/rpc/a.ts');
      git(project, 'add', '.gitignore');
      git(project, 'commit', '--quiet', '--message', 'x');
    },
    3,
    'Not committed: src/rpc/a.ts.',
  ],
  ['a file that is a link', replaceByLink('src/rpc/a.ts'), 3, 'src/rpc/a.ts is a link.'],
  ['a folder that is a link', replaceByLink('src/rpc/deep'), 3, 'src/rpc/deep is a link.'],
  ['a runtime that is a link', replaceByLink('src/rpc'), 3, 'src/rpc is a link.'],
  ['sources that are a link', replaceByLink('src'), 3, 'src is a link.'],
];

test.each(REFUSALS)('refuses %s, and changes nothing', async (_, spoil, exitCode, message) => {
  const project = committedProject();
  spoil(project);
  const before = files(project);
  const refused = update(project);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toMatchObject({ exitCode });
  expect(files(project)).toEqual(before);
});
