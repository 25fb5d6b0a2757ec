/** A capability outlives the process that got it, and the code that returned it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tokenOf } from '../../../src/features/capabilities/client/capabilities.ts';
import { failureOf } from '../../support/failure-of.ts';
import { serve } from './serve.ts';

const worker = await serve();
const run = promisify(execFile);

test('100 capabilities work in another process, from their tokens', async () => {
  using bank = worker.connect('shared');
  const users = Array.from({ length: 100 }, (_, index) => `user ${index}`);
  const texts = await Promise.all(
    users.map(async (user) => tokenOf(await bank.login(`token of ${user}`))),
  );
  const program = join(import.meta.dirname, 'holder-process.ts');
  const given = [worker.runtime.url, 'shared', JSON.stringify(texts)];
  const { stdout } = await run(process.execPath, ['--no-warnings', program, ...given]);
  expect(JSON.parse(stdout)).toEqual(users.map(() => 99));
});

test('100 capabilities work after a deployment, with the methods and schemas of the new code', async () => {
  using bank = worker.connect('deployed');
  const users = Array.from({ length: 100 }, (_, index) => `user ${index}`);
  const sessions = await Promise.all(users.map((user) => bank.login(`token of ${user}`)));
  const long = await bank.login('token of somebody else');
  await Promise.all(sessions.map((session) => session.transfer('bank', 1)));
  const main = join(import.meta.dirname, 'next-worker.ts');
  await worker.runtime.deploy({ config: { main, bindings: { BANK: 'Bank' } } });
  expect(await Promise.all(sessions.map((session) => session.balance()))).toEqual(
    users.map(() => 99),
  );
  const [first] = sessions as unknown as { greeting(): Promise<string> }[];
  expect(await first?.greeting()).toBe('Hello user 0');
  expect(await failureOf(Promise.resolve(sessions[0]?.transfer('bank', 1)))).toMatchObject({
    code: 'METHOD_NOT_FOUND',
  });
  // The new schemas do not allow an address of this length.
  expect(await failureOf(long.balance())).toMatchObject({ code: 'FORBIDDEN' });
});
