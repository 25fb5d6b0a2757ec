/** Tests folders that `--add` refuses: each message says what the user can do. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { existingFolder, findProject, adviceOnMore, runtimeOf } from '../../add/project.mjs';
import { packageManager } from '../../packages/package-managers.mjs';
import { temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

const CREATE = 'npm create lumenize-rpc@latest';

/**
 * @param {Record<string, string>} files
 * @param {string} [main]
 */
function find(files, main) {
  const project = temporaryFolder({
    'package.json': '{}',
    'wrangler.jsonc': JSON.stringify({ main }),
    ...files,
  });
  return { project, ...findProject(project, stepContext({ cwd: project })) };
}

test('a missing folder has another message than a folder without a configuration', () => {
  const cwd = temporaryFolder({ 'src/index.ts': '' });
  expect(() => existingFolder(stepContext({ cwd, directory: 'nowhere' }))).toThrow(
    `There is no directory ${join(cwd, 'nowhere')}. Nothing was changed.`,
  );
  expect(existingFolder(stepContext({ cwd, directory: 'src' }))).toBe(join(cwd, 'src'));
});

test('in a folder below a project, the message names the project', () => {
  const project = temporaryFolder({ 'wrangler.toml': '', 'src/deep/index.ts': '' });
  const cwd = join(project, 'src/deep');
  expect(() => findProject(cwd, stepContext({ cwd }))).toThrow(
    `To add to a project in ${project}: ${CREATE} ../.. -- --add\n`,
  );
});

test('the message names the path of the project, or <directory>', () => {
  const cwd = temporaryFolder({ 'wrangler.toml': '', 'src/index.ts': '' });
  expect(() => findProject(join(cwd, 'src'), stepContext({ cwd }))).toThrow(
    `: ${CREATE} . -- --add`,
  );
  const alone = temporaryFolder();
  expect(() => findProject(alone, stepContext({ cwd: alone }))).toThrow(
    `To add to a project in another directory: ${CREATE} <directory> -- --add\n` +
      `For a new project: ${CREATE} <directory>`,
  );
});

test.each([
  [undefined, undefined],
  ['{', undefined],
  ['{ "dependencies": { "typebox": "1" } }', undefined],
  ['{ "dependencies": { "lumenize-rpc": "^1.0.0" } }', '^1.0.0'],
  [
    '\uFEFF{ "devDependencies": { "lumenize-rpc": "file:vendor/lumenize-rpc" } }',
    'file:vendor/lumenize-rpc',
  ],
])('with the package.json %j, the version of the runtime is %s', (text, version) => {
  const project = temporaryFolder(text === undefined ? {} : { 'package.json': text });
  expect(runtimeOf(project)).toBe(version);
});

test.each([
  ['at the beginning of a line', 'const h = { fetch() {} };\nexport default h;'],
  ['behind a statement', 'const h = { fetch() {} }; export default h'],
  ['behind a bracket', 'function a() {} export { a as default };'],
  ['in a module that cannot be split into tokens', 'const a = b() } / 1; export default a;'],
])('an export is found %s', (_, entry) => {
  expect(find({ 'src/index.ts': entry }, 'src/index.ts').entry).toBe(entry);
});

test.each([
  ['in a comment', '// export default h\naddEventListener("fetch", h);'],
  ['in a string', 'addEventListener("fetch", `\nexport default`);'],
  ['as a key', 'addEventListener("fetch", h, {\nexport: 1 });'],
])('no export is found %s, and the message shows how to write one', (_, entry) => {
  const found = () => find({ 'src/index.ts': entry }, 'src/index.ts');
  expect(found).toThrow('src/index.ts has no export, and a Durable Object needs a module Worker.');
  expect(found).toThrow('in place of addEventListener:\n\n  export default {\n    async fetch(');
  expect(found).not.toThrow('Set "main"');
});

test.each([
  [undefined, 'of your own, such as src/index.ts, with:\n\n  export default {\n    async fetch('],
  [
    '@astrojs/cloudflare/entrypoints/server',
    "with:\n\n  import handler from '@astrojs/cloudflare/entrypoints/server';\n\n  export default {",
  ],
  ['./dist/_worker.js', 'If the build of a framework writes dist/_worker.js, import its handler:'],
])('where "main" is %s, the message has the module to write', (main, text) => {
  expect(() => find({}, main)).toThrow(text);
  expect(() => find({}, main)).not.toThrow('docs/');
});

test.each([
  ['^1.0.0', `pnpm add lumenize-rpc@latest\n`],
  [
    'file:vendor/lumenize-rpc',
    `copy vendor/lumenize-rpc/ from a new project over yours. To create one: ${CREATE} fresh -- --no-install --no-git\n`,
  ],
])(
  'a project with the runtime %s learns how to update it, and to add another object',
  (version, how) => {
    const { project: _, ...found } = find(
      {
        'src/index.ts': 'export default {};',
        'package.json': JSON.stringify({ dependencies: { 'lumenize-rpc': version } }),
      },
      'src/index.ts',
    );
    const context = stepContext({ packageManager: packageManager('pnpm') });
    const advice = adviceOnMore(version, found, 'migrations', context);
    expect(advice).toContain(`To update lumenize-rpc: ${how}`);
    expect(advice).toContain(`To add another example: ${CREATE} -- --add <name>\n`);
    expect(advice).toContain('\n  meter     a meter of many producers');
    expect(advice).toContain(
      '2. In src/index.ts, export the class, and add the name of its binding',
    );
    expect(advice).toContain(
      '3. In wrangler.jsonc, add the binding, and a migration with a tag that',
    );
    expect(adviceOnMore(version, found, 'exports', context)).toContain(
      '3. In wrangler.jsonc, add the binding, and the class to "exports".\n',
    );
  },
);

test.each([
  [{ directory: 'rom' }, '--add room\n'],
  [{ directory: 'rom,bnak' }, '--add room,bank\n'],
  [{ directory: 'bank', add: ['room'] }, '--add room,bank\n'],
])('a missing directory with the name of an example: %j', (given, meant) => {
  const found = () =>
    existingFolder(stepContext({ cwd: temporaryFolder(), add: ['counter'], ...given }));
  expect(found).toThrow(`Nothing was changed.\nDid you mean: ${meant}  bank `);
  expect(found).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test.each([
  ['shop', `To list the examples: ${CREATE} -- --help`],
  ['bank,shop', 'No example has the name shop:\n  bank '],
])('a name that is neither a directory nor an example: %s', (directory, more) => {
  const cwd = temporaryFolder();
  const found = () => existingFolder(stepContext({ cwd, directory }));
  expect(found).toThrow(`${directory}. Nothing was changed.\n${more}`);
});

test('a directory with a similar name is suggested', () => {
  const cwd = temporaryFolder({ 'apps/shop/wrangler.toml': '', 'apps/notes.txt': '' });
  const found = () => existingFolder(stepContext({ cwd, directory: 'apps/shpo', add: ['room'] }));
  expect(found).toThrow(`Nothing was changed.\nDid you mean: ${CREATE} apps/shop -- --add room`);
  const file = () => existingFolder(stepContext({ cwd, directory: 'apps/notes.tx' }));
  expect(file).toThrow('To list the examples');
});

test.each([
  ['src/indx.ts', { 'src/index.ts': '' }, 'Did you mean src/index.ts?\n'],
  ['scr/index.ts', { 'src/index.ts': '' }, 'there is no such file.\n'],
  ['src/index.js', { 'src/index.ts': '' }, 'there is no such file. Did you mean src/index.ts?\n'],
  ['src/main.ts', { 'src/index.ts': '' }, 'there is no such file.\n'],
])('a main file %s, where there is %j: %s', (main, files, message) => {
  expect(() => find(files, main)).toThrow(message);
});

test.each([
  ['wragnler.toml', ' It has wragnler.toml. Did you mean wrangler.toml?\n'],
  ['Wrangler.jsonc', ' It has Wrangler.jsonc. Did you mean wrangler.jsonc?\n'],
  ['package.json', 'wrangler.json or wrangler.toml.\n'],
])('a configuration in the file %s', (name, message) => {
  const project = temporaryFolder({ [name]: '' });
  expect(() => findProject(project, stepContext({ cwd: project }))).toThrow(message);
});
