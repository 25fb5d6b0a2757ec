import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageManagerOf } from '../../packages/package-managers.mjs';
import install from '../../steps/install.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

const MANIFEST = '{ "name": "x", "devDependencies": { "y": "file:./y" } }';
const FILES = { 'package.json': MANIFEST, 'y/package.json': '{ "name": "y", "version": "1.0.0" }' };

test('installs development dependencies too, whatever NODE_ENV is', async () => {
  const target = temporaryFolder(FILES);
  const env = { ...process.env, NODE_ENV: 'production' };
  const context = stepContext({ target, env });
  expect(await install(context)).toEqual({ installed: true });
  expect(Object.keys(contents(target))).toContain('node_modules/.package-lock.json');
  expect(context.said).toEqual(['Installing with npm']);
  expect(context.undo).toEqual([]);
});

test.each([
  ['generated', 'node -e 0', { installed: true }],
  [
    'not generated',
    'node -e "process.exit(3)"',
    {
      installed: true,
      exitCode: 1,
      failure: {
        code: 'TYPES_FAILED',
        exitCode: 1,
        message: expect.stringMatching(/^npm run types failed with exit code 3\./),
      },
    },
  ],
])('with examples, the types of the bindings are %s then', async (_, types, expected) => {
  const manifest = JSON.stringify({ ...JSON.parse(MANIFEST), scripts: { types } });
  const target = temporaryFolder({ ...FILES, 'package.json': manifest });
  expect(await install(stepContext({ target, example: ['room'] }))).toEqual(expected);
  expect(Object.keys(contents(target))).toContain('node_modules/.package-lock.json');
});

test.each([
  ['npm', { node: '24.21.0' }, 'install --no-audit --no-fund --loglevel=error\n'],
  ['npm', {}, 'install --no-audit --no-fund\n'],
  ['pnpm', { node: '24.21.0' }, 'install\n'],
])('%s with %j warns of no engine that it brings', async (name, devDependencies, expected) => {
  const target = temporaryFolder({
    ...FILES,
    [`bin/${name}`]: '#!/bin/sh\necho "$@" > arguments\n',
  });
  chmodSync(join(target, 'bin', name), 0o755);
  const env = { ...process.env, PATH: `${join(target, 'bin')}:${process.env['PATH']}` };
  const packageManager = packageManagerOf({ npm_config_user_agent: `${name}/11.0.0` });
  const context = stepContext({
    target,
    env,
    manifest: { devDependencies },
    packageManager,
  });
  expect(await install(context)).toEqual({ installed: true });
  expect(contents(target)['arguments']).toBe(expected);
});

test('a failure is reported and leaves the project', async () => {
  const target = temporaryFolder({ 'package.json': '{ "dependencies": { "y": "file:./no" } ' });
  const context = stepContext({ target });
  expect(await install(context)).toEqual({
    installed: false,
    exitCode: 1,
    failure: { code: 'INSTALL_FAILED', exitCode: 1, message: context.said.at(-1) },
  });
  expect(context.said.at(-1)).toContain('npm install failed with exit code');
  expect(Object.keys(contents(target))).toContain('package.json');
});

test('a missing package manager is a failure, too', async () => {
  const packageManager = packageManagerOf({ npm_config_user_agent: 'bun/1.0.0' });
  const env = { PATH: temporaryFolder() };
  const context = stepContext({ target: temporaryFolder(FILES), packageManager, env });
  expect(await install(context)).toEqual({
    installed: false,
    exitCode: 1,
    failure: { code: 'INSTALL_FAILED', exitCode: 1, message: context.said.at(-1) },
  });
  expect(context.said.at(-1)).toContain('bun install failed with exit code 127.');
});

test.each([
  ['https://registry.yarnpkg.com', ''],
  ['http://127.0.0.1:1/', 'http://127.0.0.1:1/'],
])(
  'if Yarn Classic reports the registry %s, the installation gets %j',
  async (registry, expected) => {
    const target = temporaryFolder({
      ...FILES,
      'bin/yarn': '#!/bin/sh\nprintf %s "$npm_config_registry" > told\n',
    });
    chmodSync(join(target, 'bin/yarn'), 0o755);
    const packageManager = packageManagerOf({ npm_config_user_agent: 'yarn/1.22.22' });
    const env = { PATH: join(target, 'bin'), npm_config_registry: registry };
    const context = stepContext({ target, packageManager, env });
    expect(await install(context)).toEqual({ installed: true });
    expect(contents(target)['told']).toBe(expected);
  },
);
