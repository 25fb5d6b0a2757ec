import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import copyTemplate from '../../steps/copy-template.mjs';
import { templateFiles } from '../../template-files.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';

const TEMPLATE = fileURLToPath(new URL('../../../template', import.meta.url));

test('copies the files of the template, byte for byte', () => {
  const project = temporaryFolder();
  copyTemplate({ project });
  const copied = Object.entries(contents(project)).filter(([path]) => !path.endsWith('/'));
  const files = templateFiles(TEMPLATE).map(({ source, path }) => [
    path,
    readFileSync(source, 'utf8'),
  ]);
  expect(Object.fromEntries(copied)).toEqual(Object.fromEntries(files));
  expect(Object.keys(Object.fromEntries(copied))).toContain('.gitignore');
});

test('copies nothing when another template is named', () => {
  const project = temporaryFolder();
  copyTemplate({ project, from: 'owner/repo' });
  expect(contents(project)).toEqual({});
});
