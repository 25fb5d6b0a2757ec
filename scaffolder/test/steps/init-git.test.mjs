import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import initGit from '../../steps/init-git.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

const FILES = { 'package.json': '{}', 'node_modules/x/index.js': '', 'src/index.ts': '' };
const IDENTITY = '[user]\n  name = Someone\n  email = someone@example.com\n';

/**
 * @param {string} gitconfig - the user's own configuration
 * @returns {NodeJS.ProcessEnv}
 */
function environment(gitconfig) {
  const home = temporaryFolder({ '.gitconfig': gitconfig });
  const { PATH } = process.env;
  return { PATH, HOME: home, XDG_CONFIG_HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
}

/**
 * @param {string} target
 * @param {...string} args
 */
const git = (target, ...args) => execFileSync('git', args, { cwd: target, encoding: 'utf8' });

test('makes a repository with one commit of everything but dependencies', async () => {
  const target = temporaryFolder(FILES);
  const context = stepContext({ target, env: environment(IDENTITY) });
  expect(await initGit(context)).toEqual({ repository: true });
  expect(git(target, 'log', '--format=%s').trim()).toBe('Start from create-lumenize-rpc');
  expect(git(target, 'ls-files')).toBe('package.json\nsrc/index.ts\n');
  expect(context.said).toEqual([]);
});

test('a .gitignore that names node_modules is no obstacle', async () => {
  const target = temporaryFolder({ ...FILES, '.gitignore': 'node_modules/\n' });
  await initGit(stepContext({ target, env: environment(IDENTITY) }));
  expect(git(target, 'ls-files')).toBe('.gitignore\npackage.json\nsrc/index.ts\n');
  expect(git(target, 'status', '--short')).toBe('');
});

test('works with signing, hooks, templates and an editor in the configuration of git', async () => {
  const waiting = '#!/bin/sh\nexec sleep 600\n';
  const theirs = temporaryFolder({
    'hooks/pre-commit': '#!/bin/sh\nexit 1\n',
    'template/hooks/post-commit': waiting,
    'template/hooks/prepare-commit-msg': waiting,
    'message.txt': 'TICKET-0: ',
    waits: waiting,
  });
  for (const path of [
    'hooks/pre-commit',
    'template/hooks/post-commit',
    'template/hooks/prepare-commit-msg',
    'waits',
  ]) {
    chmodSync(join(theirs, path), 0o755);
  }
  const gitconfig = `${IDENTITY}[commit]
  gpgSign = true
  verbose = true
  template = ${theirs}/message.txt
[tag]
  gpgSign = true
[gpg]
  program = ${theirs}/waits
[core]
  hooksPath = ${theirs}/hooks
  editor = ${theirs}/waits
  pager = ${theirs}/waits
[init]
  templateDir = ${theirs}/template
`;
  const target = temporaryFolder(FILES);
  await initGit(stepContext({ target, env: environment(gitconfig) }));
  expect(git(target, 'log', '--format=%s').trim()).toBe('Start from create-lumenize-rpc');
});

test('without an identity, makes a repository without a commit, and prints a note', async () => {
  const target = temporaryFolder(FILES);
  // Prevents git from making an identity from the machine's name.
  const env = environment('[user]\n  useConfigOnly = true\n');
  const context = stepContext({ target, env });
  await initGit(context);
  expect(existsSync(join(target, '.git'))).toBe(true);
  expect(context.said).toEqual([
    'No first commit was made: git has no user.name and user.email: set them with git config.',
  ]);
});

test.each([
  ['No git repository was created', 'init', { GIT_DEFAULT_HASH: 'none' }],
  ['No first commit was made', 'commit', { GIT_COMMITTER_DATE: 'none' }],
])('%s, if git %s fails, and the user learns why', async (what, command, variables) => {
  const env = { ...environment(IDENTITY), ...variables };
  const context = stepContext({ target: temporaryFolder(FILES), env });
  expect(await initGit(context)).toBeUndefined();
  expect(context.said).toEqual([
    expect.stringMatching(new RegExp(`^${what}: git ${command} failed:\\n.*none`, 's')),
  ]);
});

test.each(['outer', 'outer/deep/er'])('makes no repository inside another: %s', async (place) => {
  const cwd = temporaryFolder();
  const target = join(cwd, place);
  mkdirSync(target, { recursive: true });
  git(join(cwd, 'outer'), 'init', '--quiet');
  const before = contents(cwd);
  const context = stepContext({ target, env: environment(IDENTITY) });
  await initGit(context);
  expect(context.said).toEqual([
    'The directory is in a git repository already, so no repository was created.',
  ]);
  expect(contents(cwd)).toEqual(before);
});

test('does without git where there is none', async () => {
  const target = temporaryFolder(FILES);
  const context = stepContext({ target, env: { PATH: temporaryFolder() } });
  await initGit(context);
  expect(context.said).toEqual(['No git repository was created: git is not installed.']);
});

test('ignores the variables of a git hook, which name another repository', async () => {
  const other = temporaryFolder();
  const target = temporaryFolder(FILES);
  const env = {
    ...environment(IDENTITY),
    GIT_DIR: join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: join(other, 'index'),
  };
  await initGit(stepContext({ target, env }));
  expect(contents(other)).toEqual({});
  expect(existsSync(join(target, '.git'))).toBe(true);
});
