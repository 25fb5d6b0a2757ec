import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { takeBack } from '../../clean-up.mjs';
import openStaging from '../../steps/open-staging.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

test('is beside a new target, and is removed with all folders that were created for it', async () => {
  const cwd = temporaryFolder({ 'there/notes.txt': 'keep me' });
  const before = contents(cwd);
  const target = join(cwd, 'there/a/b/app');
  const context = stepContext({ target, targetExists: false });
  const { staging = '', project = '' } = openStaging(context);
  expect(dirname(staging)).toBe(dirname(target));
  writeFileSync(join(project, 'file'), '');
  await takeBack(context);
  expect(contents(cwd)).toEqual(before);
});

test('is inside an existing target, and its removal leaves the files of other programs', async () => {
  const target = temporaryFolder();
  const context = stepContext({ target, targetExists: true });
  expect(dirname(openStaging(context).staging ?? '')).toBe(target);
  writeFileSync(join(target, 'from-someone-else'), '');
  await takeBack(context);
  expect(contents(target)).toEqual({ 'from-someone-else': '' });
});

test.each(['there/app', 'there/a/b/app'])('keeps an empty parent of %s', async (place) => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'there'));
  const context = stepContext({ target: join(cwd, place), targetExists: false });
  openStaging(context);
  await takeBack(context);
  expect(contents(cwd)).toEqual({ 'there/': '' });
});

test('keeps a parent folder that another program uses meanwhile', async () => {
  const cwd = temporaryFolder();
  const context = stepContext({ target: join(cwd, 'a/b/app'), targetExists: false });
  openStaging(context);
  writeFileSync(join(cwd, 'a/notes.txt'), 'keep me');
  await takeBack(context);
  expect(contents(cwd)).toEqual({ 'a/': '', 'a/notes.txt': 'keep me' });
});

test('the project has the permissions of an ordinary folder', () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'ordinary'));
  const context = stepContext({ target: join(cwd, 'app'), targetExists: false });
  const { project = '' } = openStaging(context);
  expect(statSync(project).mode).toBe(statSync(join(cwd, 'ordinary')).mode);
});
