/** The program on a terminal: its questions, and what remains after a cancellation. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contents, temporaryFolder } from './support/folders.mjs';
import { MACHINE_NODE, PROGRAM, userEnvironment } from './support/run-scaffolder.mjs';
import { onTerminal, typedCommand } from './support/terminal.mjs';

const OFFLINE = ['--no-install', '--no-git'];
const PLAIN = ['--ui', 'plain', ...OFFLINE];
const DIRECTORY = 'Directory of the new project';
const NAME = 'Package name';
const PAGE = 'Page';
const DOWN = '\u001B[B';
const CTRL_C = '\u0003';
const ESCAPE = '\u001B';
const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';

/**
 * @param {string} cwd
 * @param {string} directory
 */
const nameIn = (cwd, directory) =>
  JSON.parse(contents(join(cwd, directory))['package.json'] ?? '').name;

test('asks for the directory alone when its name can be the package name', async () => {
  const cwd = temporaryFolder();
  const terminal = onTerminal(PLAIN, { cwd });
  await terminal.shows(DIRECTORY);
  terminal.type('shop\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.output()).not.toContain(NAME);
  expect(terminal.output()).toContain('Created shop. Next:');
  expect(nameIn(cwd, 'shop')).toBe('shop');
});

test('Enter takes the default', async () => {
  const cwd = temporaryFolder();
  const terminal = onTerminal(PLAIN, { cwd });
  await terminal.shows(DIRECTORY);
  terminal.type('\r');
  expect(await terminal.ended).toBe(0);
  expect(nameIn(cwd, 'my-app')).toBe('my-app');
});

test('asks for the package name if the directory has no valid name', async () => {
  const cwd = temporaryFolder();
  const terminal = onTerminal(['My Shop', ...PLAIN], { cwd });
  await terminal.shows(NAME);
  expect(terminal.output()).not.toContain(DIRECTORY);
  terminal.type('Not Valid\r');
  await terminal.shows('lower-case letters');
  terminal.type(`${'\u007F'.repeat(9)}@acme/shop\r`);
  expect(await terminal.ended).toBe(0);
  expect(nameIn(cwd, 'My Shop')).toBe('@acme/shop');
});

test.each([
  ['Enter', '\r', 'src/page/app.ts'],
  ['the arrow down', `${DOWN}\r`, 'src/ui/main.tsx'],
])('asks for the page: %s', async (_, keys, file) => {
  const cwd = temporaryFolder();
  const terminal = onTerminal(['shop', ...OFFLINE], { cwd });
  await terminal.shows(PAGE);
  terminal.type(keys);
  expect(await terminal.ended).toBe(0);
  expect(Object.keys(contents(join(cwd, 'shop')))).toContain(file);
});

test.each([
  ['nothing is missing', ['My Shop', '--name', 'shop', '--ui', 'react']],
  ['--yes', ['--yes']],
  ['--yes, with a directory', ['My Shop', '--yes']],
  ['a dry run of a named directory', ['shop', '--dry-run']],
  ['--list', ['--list']],
])('asks nothing: %s', async (_, args) => {
  const terminal = onTerminal([...args, ...OFFLINE], { cwd: temporaryFolder() });
  expect(await terminal.ended).toBe(0);
  expect(terminal.output()).not.toContain(HIDE_CURSOR);
});

/** Variables that `npm create --yes` and `npx -y` set. */
const YES_TO_NPM = { npm_config_user_agent: 'npm/11.0.0 node/v24.0.0', npm_config_yes: 'true' };

test.each(['false', '0', ''])('asks although CI is %j', async (CI) => {
  const terminal = onTerminal(PLAIN, { cwd: temporaryFolder(), env: { CI } });
  await terminal.shows(DIRECTORY);
  terminal.type(CTRL_C);
  expect(await terminal.ended).toBe(130);
});

test.each([
  ['there is nothing to type on', '< /dev/null'],
  ['nobody sees the question', '| cat'],
])('asks nothing where %s', async (_, redirection) => {
  const command = `"${MACHINE_NODE}" "${PROGRAM}" ${PLAIN.join(' ')} ${redirection}`;
  const options = { cwd: temporaryFolder(), env: userEnvironment };
  const terminal = typedCommand('sh', ['-c', command], options);
  await terminal.ended;
  expect(terminal.output()).toContain('No directory was given');
});

test('asks no page of the template of the user', async () => {
  const cwd = temporaryFolder({ 'mine/package.json': '{ "name": "mine" }' });
  const terminal = onTerminal(['shop', '--from', './mine', ...OFFLINE], { cwd });
  expect(await terminal.ended).toBe(0);
  expect(terminal.output()).not.toContain(HIDE_CURSOR);
});

test('asks although npm was told yes', async () => {
  const cwd = temporaryFolder();
  const terminal = onTerminal(PLAIN, { cwd, env: YES_TO_NPM });
  await terminal.shows(DIRECTORY);
  terminal.type('My Shop\r');
  await terminal.shows(NAME);
  terminal.type('\r');
  expect(await terminal.ended).toBe(0);
  expect(nameIn(cwd, 'My Shop')).toBe('my-shop');
});

test('asks nothing with its own --yes, with and without --yes for npm', async () => {
  const cwd = temporaryFolder();
  const terminal = onTerminal(['--yes', ...OFFLINE], { cwd, env: YES_TO_NPM });
  expect(await terminal.ended).toBe(0);
  expect(terminal.output()).not.toContain(HIDE_CURSOR);
  expect(nameIn(cwd, 'my-app')).toBe('my-app');
});

test.each([
  ['in CI', { CI: 'true' }, []],
  ['with --json', {}, ['--json']],
])('asks nothing %s', async (_, env, args) => {
  const cwd = temporaryFolder();
  const terminal = onTerminal(args, { cwd, env });
  expect(await terminal.ended).toBe(2);
  expect(terminal.output()).toContain('No directory was given');
  expect(contents(cwd)).toEqual({});
});

test.each([
  ['Ctrl+C', DIRECTORY, [], CTRL_C],
  ['Escape', DIRECTORY, [], ESCAPE],
  ['Ctrl+C', NAME, ['My Shop'], CTRL_C],
  ['Ctrl+C', PAGE, ['shop'], CTRL_C],
])('%s at "%s" writes nothing', async (_, question, args, key) => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'other'));
  const terminal = onTerminal(args, { cwd });
  await terminal.shows(question);
  terminal.type(key);
  expect(await terminal.ended).toBe(130);
  expect(terminal.output()).toContain('Cancelled. Nothing was written.');
  expect(terminal.output()).not.toContain('Nothing was changed.');
  expect(terminal.output().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(
    terminal.output().lastIndexOf(HIDE_CURSOR),
  );
  expect(contents(cwd)).toEqual({ 'other/': '' });
});

test.each([
  [{}, true],
  [{ NO_COLOR: '1' }, false],
  [{ TERM: 'dumb' }, false],
])('with %j, colours: %s', async (env, coloured) => {
  const terminal = onTerminal(['app', ...PLAIN], { cwd: temporaryFolder(), env });
  expect(await terminal.ended).toBe(0);
  expect(terminal.output().includes('\u001B[')).toBe(coloured);
});
