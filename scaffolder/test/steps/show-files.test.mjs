import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import showFiles from '../../steps/show-files.mjs';
import { temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

/** @param {Partial<import('../../context.mjs').Context>} fields */
function shown(fields) {
  const staging = temporaryFolder({ 'project/package.json': '{}' });
  const cwd = temporaryFolder();
  const context = stepContext({
    cwd,
    staging,
    project: join(staging, 'project'),
    target: join(cwd, 'MyApp'),
    packageName: 'myapp',
    workerName: 'myapp',
    dryRun: true,
    ...fields,
  });
  mkdirSync(context.target, { recursive: true });
  const { result, finished } = showFiles(context);
  expect(finished).toBe(true);
  expect(existsSync(context.staging)).toBe(false);
  return { said: context.said, result, target: context.target };
}

test('a dry run tells the names that differ, and all that would run', () => {
  const names = { packageName: 'my_app', workerName: 'my-app', name: 'my_app' };
  expect(shown({ ...names, verify: true }).said).toEqual([
    'Would write 1 file to MyApp:',
    '  ./  1 file',
    'Package name: my_app. Worker: my-app.',
    'Would run: npm install, git init, git commit, the checks of --verify',
    'Nothing was written.',
  ]);
  expect(shown({}).said).toContain(
    'Package name: myapp, because only lower-case letters, digits, dashes, dots and underscores are allowed.',
  );
  expect(shown({ example: ['room'] }).said).toContain(
    'Would run: npm install, npm run types, git init, git commit',
  );
  const offline = shown({ git: false, install: false, verify: true });
  expect(offline.said.join('\n')).not.toContain('Would run');
  const { said, result, target } = shown({});
  expect(said).toContain('Would run: npm install, git init, git commit');
  expect(result).toEqual({
    dryRun: true,
    directory: target,
    name: 'myapp',
    workerName: 'myapp',
    files: ['package.json'],
    kept: [],
  });
});

test('a dry run of a merge that keeps package.json runs nothing', () => {
  const target = temporaryFolder({ 'app/package.json': '{}' });
  const { said, result } = shown({
    cwd: target,
    target: join(target, 'app'),
    merge: true,
    verify: true,
    packageName: 'app',
    workerName: 'app',
  });
  expect(said).toEqual([
    'Would write 0 files to app:',
    'Would keep as they are: package.json',
    'Nothing was written.',
  ]);
  expect(result).toMatchObject({ files: [], kept: ['package.json'] });
});

test('prints only the files, in order', () => {
  const staging = temporaryFolder({ 'project/b.ts': '', 'project/a/c.ts': '', 'project/A.md': '' });
  const { said, result } = shown({
    list: true,
    dryRun: false,
    staging,
    project: join(staging, 'project'),
  });
  expect(said).toEqual(['A.md', 'a/c.ts', 'b.ts']);
  expect(result).toEqual({ files: said });
});
