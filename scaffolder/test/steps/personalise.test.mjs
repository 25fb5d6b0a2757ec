import { expect, test } from 'vitest';
import copyTemplate from '../../steps/copy-template.mjs';
import personalise from '../../steps/personalise.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';

const NAMES = { packageName: '@acme/shop', workerName: 'shop' };

test('changes the names of the packaged template, and nothing else', () => {
  const project = temporaryFolder();
  copyTemplate({ project });
  const before = contents(project);
  personalise({ project, ...NAMES });
  const after = contents(project);
  const { name } = JSON.parse(before['package.json'] ?? '');
  for (const [path, text] of Object.entries(before)) {
    const ownName = path === 'wrangler.jsonc' ? NAMES.workerName : NAMES.packageName;
    const named = ['package.json', 'wrangler.jsonc', 'README.md'].includes(path);
    expect(after[path], path).toBe(named ? text.replace(name, ownName) : text);
  }
  expect(Object.keys(after)).toEqual(Object.keys(before));
  // Whatever else mentioned the template's name would be wrong in the project.
  expect(Object.values(after).filter((text) => text.includes(name))).toEqual([]);
});

test('leaves nested names, comments and formatting alone', () => {
  const project = temporaryFolder({
    'package.json': '{\n\t"name": "old",\n\t"files": [ "a" ],\n\t"author": { "name": "me" }\n}',
    'wrangler.jsonc':
      '{\n  // "name" is shown\n  "name": "old", // here\n  "a": [{ "name": "A" }],\n}',
    'wrangler.toml': 'name = "old"\n[[a]]\nname = "A"\n',
    'README.md': '# A title of its own\n\nold\n',
  });
  personalise({ project, ...NAMES });
  expect(contents(project)).toEqual({
    'package.json':
      '{\n\t"name": "@acme/shop",\n\t"files": [ "a" ],\n\t"author": { "name": "me" }\n}',
    'wrangler.jsonc':
      '{\n  // "name" is shown\n  "name": "shop", // here\n  "a": [{ "name": "A" }],\n}',
    'wrangler.toml': 'name = "shop"\n[[a]]\nname = "A"\n',
    'README.md': '# A title of its own\n\nold\n',
  });
});
