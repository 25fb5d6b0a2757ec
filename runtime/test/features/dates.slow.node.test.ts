/**
 * Runs the tests of all features with the oldest compatibility date that the package supports. `npm test` runs them
 * with the date of the template, which is nearly the newest.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { COMPATIBILITY_DATE } from '../../../harness/runtime/worker-bundle.ts';
import { OLDEST } from '../calls/dates.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Native Workers RPC keeps the class of an error only from 2026-04-21 on, as the page on transports says. */
const NOT_NATIVE = '^(?!.*native Workers RPC)';

test(`all features work at ${OLDEST}`, async () => {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [vitest, 'run', '--project=runtime (node)', 'runtime/test/features', '-t', NOT_NATIVE],
    { cwd: ROOT, env: { ...process.env, [COMPATIBILITY_DATE]: OLDEST }, maxBuffer: 2 ** 26 },
  );
  expect(stdout).toMatch(/\d{3,} passed, 0 failed/);
});
