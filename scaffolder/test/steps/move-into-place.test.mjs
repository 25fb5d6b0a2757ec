import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeBack } from '../../clean-up.mjs';
import moveIntoPlace from '../../steps/move-into-place.mjs';
import openStaging from '../../steps/open-staging.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

/**
 * @param {string} cwd
 * @param {boolean} targetExists
 */
function staged(cwd, targetExists) {
  const context = stepContext({ cwd, target: join(cwd, 'app'), targetExists });
  if (targetExists) mkdirSync(context.target);
  Object.assign(context, openStaging(context));
  mkdirSync(join(context.project, 'src'));
  writeFileSync(join(context.project, 'src/index.ts'), 'ours');
  for (const name of ['package.json', 'wrangler.jsonc']) {
    writeFileSync(join(context.project, name), 'ours');
  }
  return context;
}

const RESULT = {
  'app/': '',
  'app/package.json': 'ours',
  'app/src/': '',
  'app/src/index.ts': 'ours',
  'app/wrangler.jsonc': 'ours',
};

test.each([false, true])('moves the project there (target exists: %s)', async (targetExists) => {
  const cwd = temporaryFolder();
  const context = staged(cwd, targetExists);
  Object.assign(context, moveIntoPlace(context));
  expect(contents(cwd)).toEqual(RESULT);
  // A later failure must not remove the project.
  await takeBack(context);
  expect(contents(cwd)).toEqual(RESULT);
  expect(context.kept?.()).toContain('complete in app');
  const made = targetExists ? 'app/package.json app/src app/wrangler.jsonc' : 'app';
  const [, names] = context.kept?.().split('To remove only these files: rm -rf ') ?? [];
  expect(names?.split(' ').toSorted().join(' ')).toBe(made);
});

test('an interrupted installation leaves the types of examples to be generated', () => {
  const context = Object.assign(staged(temporaryFolder(), false), { example: ['room'] });
  expect(moveIntoPlace(context).kept?.()).toBe(
    "The project's files are complete in app. To go on there: npm install, then npm run types\n" +
      'To remove only these files: rm -rf app',
  );
});

test.each([
  ['a new project', {}, {}, { install: true, git: true }, []],
  ['what the user wants', { install: false, git: false }, {}, { install: false, git: false }, []],
  ['a merge', { merge: true }, { a: '' }, { install: true, git: false }, []],
  [
    'a merge that keeps package.json',
    { merge: true },
    { 'package.json': 'theirs', 'src/index.ts': 'theirs' },
    { install: false, git: false },
    ['package.json', 'src/index.ts'],
  ],
])('what follows: %s', (_, fields, theirs, follows, keptFiles) => {
  const cwd = temporaryFolder({ 'other/x': '' });
  const context = Object.assign(staged(cwd, true), fields);
  for (const [path, text] of Object.entries(theirs)) {
    mkdirSync(join(context.target, path, '..'), { recursive: true });
    writeFileSync(join(context.target, path), text);
  }
  const changes = moveIntoPlace({ ...context, cwd: context.target });
  expect(changes).toMatchObject({ ...follows, keptFiles });
  const what = 'merge' in fields ? 'missing' : "project's";
  expect(changes.kept?.()).toContain(
    `The ${what} files are complete in this directory. To go on there: npm install\n`,
  );
  const there = Object.entries(theirs).map(([path, text]) => [`app/${path}`, text]);
  expect(contents(cwd)).toEqual({
    'other/': '',
    'other/x': '',
    ...RESULT,
    ...Object.fromEntries(there),
  });
});

test.each([
  [true, 'A file exists where the template has a folder: '],
  [false, 'app was changed while the project was being created.'],
])('names the file in the way (merge: %s)', async (merge, message) => {
  const cwd = temporaryFolder();
  const context = Object.assign(staged(cwd, true), { merge });
  writeFileSync(join(context.target, 'src'), 'theirs');
  expect(() => moveIntoPlace(context)).toThrow(message);
  await takeBack(context);
  expect(contents(cwd)).toEqual({ 'app/': '', 'app/src': 'theirs' });
});

test('keeps a directory that has only .git', () => {
  const cwd = temporaryFolder();
  const context = staged(cwd, true);
  mkdirSync(join(context.target, '.git'));
  moveIntoPlace(context);
  expect(contents(cwd)).toEqual({ ...RESULT, 'app/.git/': '' });
});

test.each([
  ['a file in the target', true, 'app/package.json'],
  ['a folder in the target', true, 'app/src/notes.txt'],
  ['a file that comes last', true, 'app/wrangler.jsonc'],
  ['a new target', false, 'app/notes.txt'],
  ['a file as the target', false, 'app'],
])('never replaces a file that has appeared meanwhile: %s', async (_, targetExists, path) => {
  const cwd = temporaryFolder();
  const context = staged(cwd, targetExists);
  mkdirSync(join(cwd, path, '..'), { recursive: true });
  writeFileSync(join(cwd, path), 'theirs');
  expect(() => moveIntoPlace(context)).toThrow(expect.objectContaining({ exitCode: 3 }));
  await takeBack(context);
  expect(contents(cwd)).toEqual(contents(temporaryFolder({ [path]: 'theirs' })));
});
