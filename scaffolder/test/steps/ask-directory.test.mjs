import prompts from 'prompts';
import { expect, test } from 'vitest';
import askDirectory from '../../steps/ask-directory.mjs';
import { stepContext } from '../support/step-context.mjs';

test('takes the default with --yes', async () => {
  expect(await askDirectory(stepContext({ yes: true }))).toEqual({ directory: 'my-app' });
});

test('without a terminal it says which command to run', async () => {
  const asked = askDirectory(stepContext({ argv: ['--no-git', '--from', 'a b'] }));
  await expect(asked).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(
      'npm create lumenize-rpc@latest my-app -- --no-git --from "a b"\n',
    ),
  });
});

test.each([
  ['shop', 'shop'],
  [' shop ', 'shop'],
  ['', 'my-app'],
])('takes the answer %j as %s', async (answer, directory) => {
  prompts.inject([answer]);
  expect(await askDirectory(stepContext({ interactive: true }))).toEqual({ directory });
});

test('cancelling is an interruption', async () => {
  // The library handles an injected error as it handles Ctrl+C.
  prompts.inject([new Error('cancelled')]);
  const asked = askDirectory(stepContext({ interactive: true }));
  await expect(asked).rejects.toMatchObject({ exitCode: 130 });
});
