import { expect, test } from 'vitest';
import chooseNames from '../../steps/choose-names.mjs';
import { stepContext } from '../support/step-context.mjs';

test.each([
  [undefined, '/code/my-app', 'my-app', 'my-app'],
  [undefined, '/code/My App', 'my-app', 'my-app'],
  [undefined, '/code/日本', 'my-app', 'my-app'],
  [undefined, '/', 'my-app', 'my-app'],
  [undefined, '/code/a.b', 'a.b', 'a-b'],
  ['@acme/api', '/code/my-app', '@acme/api', 'api'],
])('--name %s in %s: package %s, Worker %s', async (name, target, packageName, workerName) => {
  expect(await chooseNames(stepContext({ target, ...(name && { name }) }))).toEqual({
    packageName,
    workerName,
  });
});
