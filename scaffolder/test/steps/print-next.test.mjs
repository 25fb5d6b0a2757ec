import { expect, test } from 'vitest';
import { packageManagerOf } from '../../package-managers.mjs';
import printNext from '../../steps/print-next.mjs';
import { stepContext } from '../support/step-context.mjs';

const MADE = { cwd: '/code', target: '/code/app', packageName: 'app', workerName: 'app' };

/** @param {Partial<import('../../context.mjs').Context>} fields */
function printed(fields) {
  const context = stepContext({ ...MADE, ...fields });
  printNext(context);
  return context.said.join('\n');
}

test('ends with the commands to type', () => {
  expect(printed({ installed: true })).toBe(`
app is in app. Next:

  cd app
  npm run dev     run it on this machine
  npm test        run its tests
  npm run perf    measure it
  npm run deploy  put it on Cloudflare`);
});

test('begins with the installation when that is still to do', () => {
  const packageManager = packageManagerOf({ npm_config_user_agent: 'pnpm/11.0.0' });
  expect(printed({ installed: false, packageManager })).toContain(
    '  cd app\n  pnpm install     install its dependencies\n  pnpm run dev ',
  );
});

test.each([
  ['/code', 'is in this directory.', undefined],
  ['/code/a b', 'is in a b.', 'cd "a b"'],
  ['/elsewhere/app', 'is in ../elsewhere/app.', 'cd ../elsewhere/app'],
  ['/code/ünï', 'is in ünï.', 'cd ünï'],
])('names the way to %s', (target, sentence, command) => {
  const text = printed({ target });
  expect(text).toContain(sentence);
  if (command) expect(text).toContain(`  ${command}\n`);
  else expect(text).not.toContain('cd ');
});

test('names the Worker where it differs', () => {
  expect(printed({ packageName: '@acme/app', workerName: 'app' })).toContain(
    '@acme/app, Worker app is in app.',
  );
});
