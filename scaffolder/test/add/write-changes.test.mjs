import { expect, test } from 'vitest';
import { writeChanges } from '../../add/write-changes.mjs';
import { removeFolder, takeBack } from '../../clean-up.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

/** @type {[string, string][]} */
const CHANGES = [
  ['replaced', 'new'],
  ['deep/er/added', 'new'],
  ['added', 'new'],
];

test('replaces and adds files, and leaves no other files when the changes are final', () => {
  const project = temporaryFolder({ replaced: 'old', other: 'old' });
  const context = stepContext();
  removeFolder(writeChanges(context, project, new Map(CHANGES)));
  expect(contents(project)).toEqual({
    added: 'new',
    'deep/': '',
    'deep/er/': '',
    'deep/er/added': 'new',
    other: 'old',
    replaced: 'new',
  });
});

test('undoes all changes until they are final', async () => {
  const project = temporaryFolder({ replaced: 'old', other: 'old' });
  const before = contents(project);
  const context = stepContext();
  writeChanges(context, project, new Map(CHANGES));
  expect(await takeBack(context)).toEqual([]);
  expect(contents(project)).toEqual(before);
});

test('restores all files if one cannot be written', async () => {
  const project = temporaryFolder({ replaced: 'old', file: 'old' });
  const before = contents(project);
  const context = stepContext();
  const changes = new Map([...CHANGES, ['file/in/the/way', 'new']]);
  expect(() => writeChanges(context, project, changes)).toThrow(/ENOTDIR|EEXIST/);
  expect(Object.keys(contents(project))).toContain('deep/er/added');
  await takeBack(context);
  expect(contents(project)).toEqual(before);
});
