import { expect, test } from 'vitest';
import { packageManager, packageManagerOf } from '../../packages/package-managers.mjs';

test.each([
  [undefined, 'npm create lumenize-rpc@latest app -- --yes', 'npm test', 'npm run deploy'],
  [
    'npm/11.0.0 node/v24.0.0',
    'npm create lumenize-rpc@latest app -- --yes',
    'npm test',
    'npm run deploy',
  ],
  [
    'pnpm/11.0.0 npm/? node/v24',
    'pnpm create lumenize-rpc app --yes',
    'pnpm run test',
    'pnpm run deploy',
  ],
  [
    'yarn/1.22.0 npm/? node/v24',
    'yarn create lumenize-rpc app --yes',
    'yarn run test',
    'yarn run deploy',
  ],
  [
    'bun/1.3.0 npm/? node/v24',
    'bun create lumenize-rpc app --yes',
    'bun run test',
    'bun run deploy',
  ],
  ['cnpm/9.0.0', 'npm create lumenize-rpc@latest app -- --yes', 'npm test', 'npm run deploy'],
])('spells its commands for %s', (agent, create, runTest, runDeploy) => {
  const manager = packageManagerOf(agent === undefined ? {} : { npm_config_user_agent: agent });
  expect(manager.create('app', '--yes')).toBe(create);
  expect(manager.run('test')).toBe(runTest);
  expect(manager.run('deploy')).toBe(runDeploy);
});

test.each([
  ['npm', 'npm install', 'npm install', 'npx', ['install', '--no-audit', '--no-fund']],
  ['pnpm', 'pnpm install', 'pnpm add', 'pnpm exec', ['install']],
  ['yarn', 'yarn install', 'yarn add', 'yarn run', ['install']],
  ['bun', 'bun install', 'bun add', 'bunx', ['install']],
])('%s installs, adds and runs packages', (name, install, add, exec, installArguments) => {
  expect(packageManager(name)).toMatchObject({ name, install, add, exec, installArguments });
});

test('a command without options has no dashes', () => {
  expect(packageManager('npm').create('app')).toBe('npm create lumenize-rpc@latest app');
  expect(packageManager('npm').create()).toBe('npm create lumenize-rpc@latest');
});
