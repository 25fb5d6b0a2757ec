/** The project that the packed package makes and installs: it passes what `--verify` tries. */
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installPacked } from './packed.mjs';
import { git, run } from './outside.mjs';

const PATIENCE = { timeout: 300_000, interval: 100 };

const { root, program, env } = await installPacked();
const project = join(root, 'shop');
const said = (await run(program, ['shop', '--verify'], { cwd: root, env })).out;

test('it is a clean repository with one commit', () => {
  expect(git(['status', '--short'], project)).toBe('');
  expect(git(['rev-list', '--count', 'HEAD'], project).trim()).toBe('1');
});

test.each(['type check', 'tests', 'RPC call', 'wrangler deploy --dry-run'])(
  'it passes its %s',
  (check) => {
    expect(said).toMatch(new RegExp(`^ +\\d+\\.\\d s  ${check}$`, 'm'));
  },
);

// The other signals, with something in wrangler's place: `scaffolder/test/interruption.test.mjs`.
test('SIGINT while the Worker runs to be verified: nothing lives on', async () => {
  const manifest = join(project, 'package.json');
  const text = fs.readFileSync(manifest, 'utf8');
  onTestFinished(() => fs.writeFileSync(manifest, text));
  // Only the call and the deployment are left to verify.
  fs.writeFileSync(manifest, JSON.stringify({ ...JSON.parse(text), scripts: {} }));
  const child = spawn(program, ['--update', '--verify'], { cwd: project, env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await expect.poll(processesOfTheProject, PATIENCE).toContain('workerd');
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  await expect.poll(processesOfTheProject, PATIENCE).toBe('');
});

/** @returns {string} the command lines of what runs from the project's folder */
function processesOfTheProject() {
  const all = execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(join(project, 'node_modules'))).join('\n');
}
