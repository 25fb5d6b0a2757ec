import { expect, test } from 'vitest';
import { packageManager } from '../../packages/package-managers.mjs';
import personalise from '../../steps/personalise.mjs';
import copyTemplate from '../../templates/copy-template.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';

const NAMES = {
  packageName: '@acme/shop',
  workerName: 'shop',
  packageManager: packageManager('npm'),
};

test('changes only the names of the packaged template', () => {
  const project = temporaryFolder();
  copyTemplate({ cwd: '/', project });
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
  // Any other text with the template's name would be wrong in the project.
  expect(Object.values(after).filter((text) => text.includes(name))).toEqual([]);
});

test('leaves nested names, comments and formatting alone', () => {
  const project = temporaryFolder({
    'package.json': '{\n\t"name": "old",\n\t"files": [ "a" ],\n\t"author": { "name": "me" }\n}',
    'wrangler.jsonc':
      '{\n  // "name" is shown\n  "name": "old", // here\n  "a": [{ "name": "A" }],\n}',
    'wrangler.json': '{ "name": "old", "a": [{ "name": "A" }] }',
    'wrangler.toml': 'name = "old"\n[[a]]\nname = "A"\n',
    'README.md': '# A title of its own\n\nold\n',
  });
  personalise({ project, ...NAMES });
  expect(contents(project)).toEqual({
    'package.json':
      '{\n\t"name": "@acme/shop",\n\t"files": [ "a" ],\n\t"author": { "name": "me" }\n}',
    'wrangler.jsonc':
      '{\n  // "name" is shown\n  "name": "shop", // here\n  "a": [{ "name": "A" }],\n}',
    'wrangler.json': '{ "name": "shop", "a": [{ "name": "A" }] }',
    'wrangler.toml': 'name = "shop"\n[[a]]\nname = "A"\n',
    'README.md': '# A title of its own\n\nold\n',
  });
});

test.each([
  ['pnpm', 'pnpm exec'],
  ['yarn', 'yarn run'],
  ['bun', 'bunx'],
])('the pages name the commands of %s', (name, exec) => {
  const project = temporaryFolder();
  copyTemplate({ cwd: '/', project });
  const before = contents(project);
  personalise({ project, ...NAMES, packageManager: packageManager(name) });
  const after = contents(project);
  const [ours = '', theirs = ''] = [before['README.md'], after['README.md']];
  expect(theirs).toContain(`${name} run dev`);
  expect(theirs).not.toMatch(/\bnp[mx]\b/);
  expect(theirs).toContain(`\n${exec} vitest run test/counter.test.ts   # this file alone\n`);
  // Comments beside the commands stay in one column.
  const blocks = [...theirs.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) =>
    Array.from(
      block.matchAll(/^(?:\w+ run|pnpm exec|bunx|node) .*? {2,}(?=# )/gm),
      ([text]) => text.length,
    ),
  );
  expect(blocks.flat().length).toBeGreaterThan(2);
  for (const columns of blocks) expect(new Set(columns).size).toBeLessThanOrEqual(1);
  expect(theirs.split('\n')).toHaveLength(ours.split('\n').length);
  for (const page of ['AGENTS.md', 'CLAUDE.md']) {
    expect(after[page], page).toContain(`\`${name} run lint\``);
    expect(after[page], page).not.toMatch(/\bnpm\b/);
  }
  for (const path of Object.keys(before)) {
    if (!['README.md', 'AGENTS.md', 'CLAUDE.md', 'package.json', 'wrangler.jsonc'].includes(path)) {
      expect(after[path], path).toBe(before[path]);
    }
  }
});

test('each command becomes that of the package manager, and comments stay in their columns', () => {
  const readme = (/** @type {string[]} */ ...lines) => `${lines.join('\n')}\n`;
  const project = temporaryFolder({
    'package.json': '{ "name": "old" }',
    'README.md': readme(
      '# old',
      '`npm install`, `npm test`, `npm run perf -- --quick`, `npx wrangler`, `npm ci`',
      '`npm create lumenize-rpc@latest -- --add`  # no block',
      '```sh',
      'npm install   # one',
      'npx wrangler  # two',
      'npm test      # three',
      'other   # four',
      'npm run dev',
      '```',
      '```sh',
      'npm test  # five',
      '```',
    ),
  });
  personalise({ project, ...NAMES, packageManager: packageManager('pnpm') });
  expect(contents(project)['README.md']).toBe(
    readme(
      '# @acme/shop',
      '`pnpm install`, `pnpm run test`, `pnpm run perf --quick`, `pnpm exec wrangler`, `npm ci`',
      '`pnpm create lumenize-rpc --add`  # no block',
      '```sh',
      'pnpm install        # one',
      'pnpm exec wrangler  # two',
      'pnpm run test       # three',
      'other   # four',
      'pnpm run dev',
      '```',
      '```sh',
      'pnpm run test  # five',
      '```',
    ),
  );
});

test('the README of another template keeps its commands', () => {
  const project = temporaryFolder({ 'package.json': '{ "name": "old" }', 'README.md': 'npm test' });
  personalise({ project, ...NAMES, from: 'o/r', packageManager: packageManager('pnpm') });
  expect(contents(project)['README.md']).toBe('npm test');
});

test.each([
  [
    {},
    'o/r has no package.json, so it is not a project. Nothing was written.\n' +
      'If the project is in a folder of that repository: owner/repo/folder',
  ],
  [{ 'package.json': '{ not json' }, 'The package.json of o/r is not JSON. Nothing was written.'],
])('refuses a folder that is not a project', (files, message) => {
  const project = temporaryFolder(files);
  expect(() => personalise({ project, ...NAMES, from: 'o/r' })).toThrow(message);
});
