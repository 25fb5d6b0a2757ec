/** Tests commands that the program runs: their results, and how they are stopped. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../child-process.mjs';
import { temporaryFolder } from './support/folders.mjs';
import { isRunning } from './support/processes.mjs';

/**
 * @param {string} script
 * @param {{ command?: string, undo?: (() => unknown)[] }} [options]
 */
function run(script, { command = 'sh', undo = [] } = {}) {
  const cwd = temporaryFolder();
  const context = { undo };
  const options = { cwd, env: process.env };
  return { context, cwd, ended: runCommand(context, command, ['-c', script], options) };
}

test.each([
  ['both outputs, without blank lines around them', 'echo; echo a; echo; exit 0', 0, 'a'],
  ['the exit code', 'echo b >&2; exit 7', 7, 'b'],
  ['a code for a signal', 'echo c; kill -9 $$', 1, 'c'],
  ['an input that is empty', 'cat; echo d', 0, 'd'],
])('gives back %s', async (_, script, code, output) => {
  expect(await run(script).ended).toEqual({ code, output });
});

test('gives back 127 and the cause for a command that cannot be started', async () => {
  const { context, ended } = run('', { command: '/no/such/command' });
  expect(await ended).toEqual({ code: 127, output: expect.stringContaining('ENOENT') });
  expect(context.undo).toEqual([]);
  // There is nothing to stop.
  const second = run('', { command: '/no/such/command' });
  await second.context.undo[0]?.();
});

test('a running command can be stopped with its child processes, and then never resolves', async () => {
  const other = () => {};
  const running = run('sleep 600 & echo $! > pid; mv pid started; wait', { undo: [other] });
  const started = join(running.cwd, 'started');
  await expect.poll(() => existsSync(started), { timeout: 50_000 }).toBe(true);
  const pid = Number(readFileSync(started, 'utf8'));
  const [first, stop] = running.context.undo;
  expect(first).toBe(other);
  let isGivenBack = false;
  void running.ended.then(() => (isGivenBack = true));
  await stop?.();
  await expect.poll(() => isRunning(pid), { timeout: 50_000 }).toBe(false);
  await expect.poll(() => running.context.undo, { timeout: 50_000 }).toEqual([other]);
  expect(isGivenBack).toBe(false);
});
