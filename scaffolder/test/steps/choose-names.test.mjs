import { expect, test } from 'vitest';
import chooseNames from '../../steps/choose-names.mjs';

test.each([
  [undefined, '/work/my-app', 'my-app', 'my-app'],
  [undefined, '/work/My App', 'my-app', 'my-app'],
  [undefined, '/work/日本', 'my-app', 'my-app'],
  [undefined, '/', 'my-app', 'my-app'],
  [undefined, '/work/a.b', 'a.b', 'a-b'],
  ['@acme/api', '/work/my-app', '@acme/api', 'api'],
])('--name %s in %s: package %s, Worker %s', (name, target, packageName, workerName) => {
  expect(chooseNames({ name, target })).toEqual({ packageName, workerName });
});
