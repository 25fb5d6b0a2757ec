import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import showFiles from '../../steps/show-files.mjs';
import { temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

/** @param {Partial<import('../../context.mjs').Context>} fields */
function shown(fields) {
  const staging = temporaryFolder({ 'project/package.json': '{}' });
  const cwd = temporaryFolder();
  const context = stepContext({
    cwd,
    staging,
    project: join(staging, 'project'),
    target: join(cwd, 'MyApp'),
    packageName: 'myapp',
    workerName: 'myapp',
    dryRun: true,
    ...fields,
  });
  mkdirSync(context.target);
  showFiles(context);
  return context.said;
}

test('a dry run tells the names that differ, and all that would run', () => {
  const names = { packageName: 'my_app', workerName: 'my-app', name: 'my_app' };
  expect(shown({ ...names, verify: true })).toEqual([
    'Would write 1 file to MyApp:',
    '  ./  1 file',
    'Package name: my_app. Worker: my-app.',
    'Would run: npm install, git init, git commit, the checks of --verify',
    'Nothing was written.',
  ]);
  expect(shown({})).toContain(
    'Package name: myapp, because only lower-case letters, digits, dashes, dots and underscores are allowed.',
  );
  expect(shown({ git: false, install: false })).not.toContain('Would run');
});
