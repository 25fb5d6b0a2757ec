import prompts from 'prompts';
import { expect, test } from 'vitest';
import askUi from '../../steps/ask-ui.mjs';
import { stepContext } from '../support/step-context.mjs';

test.each(['plain', 'react'])('takes the answer %s', async (ui) => {
  prompts.inject([ui]);
  expect(await askUi(stepContext({ interactive: true }))).toEqual({ ui });
});

test.each([
  ['nobody is there', { interactive: false }],
  ['--yes', { interactive: true, yes: true }],
  ['--dry-run', { interactive: true, dryRun: true }],
])('takes the default: %s', async (_, fields) => {
  expect(await askUi(stepContext(fields))).toEqual({ ui: 'plain' });
});

test('cancelling is an interruption', async () => {
  // The library handles an injected error as it handles Ctrl+C.
  prompts.inject([new Error('cancelled')]);
  await expect(askUi(stepContext({ interactive: true }))).rejects.toMatchObject({ exitCode: 130 });
});
