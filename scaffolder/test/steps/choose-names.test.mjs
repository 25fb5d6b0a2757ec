import prompts from 'prompts';
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

test.each([
  ['~', '/code/My App', '~', 'my-app'],
  ['', '/code/My App', 'my-app', 'my-app'],
])('the answer %j in %s: package %s, Worker %s', async (answer, target, ...names) => {
  prompts.inject([answer]);
  const [packageName, workerName] = names;
  expect(await chooseNames(stepContext({ target, interactive: true }))).toEqual({
    packageName,
    workerName,
  });
});

test('uses the name of the Worker that --worker-name gives', async () => {
  const context = stepContext({ target: '/code/app', workerName: 'api' });
  expect(await chooseNames(context)).toEqual({ packageName: 'app', workerName: 'api' });
});
