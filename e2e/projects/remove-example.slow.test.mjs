/** Removes the example as the README says. All checks of the project still pass. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apply } from '../guides/blocks.mjs';
import { sectionOf } from '../guides/sections.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';
import { run } from '../setup/outside.mjs';
import { projects, write } from '../setup/projects.mjs';
import { removeExample } from './removal.mjs';

const { env, npm, scaffoldBare } = projects({ stopAfter: 'each' });

/** Few rounds of one workload. The figures mean nothing. */
const SHORT = ['--rounds', '2', '--only', '10 reads in flight'];

const TEST = `import { connect } from 'lumenize-rpc/testing';
import { expect, test } from 'vitest';
import type { Notes } from '../src/notes.ts';

test('adds a note', async () => {
  using notes = connect<Notes>('NOTES', 'mine');
  expect(await notes.add('Hello')).toMatch(/^[0-9a-f-]{36}$/);
});
`;

test.each([
  ['plain', 'no other object'],
  ['plain', 'an object of its own'],
  ['none', 'an object of its own'],
  ['react', 'an object of its own'],
])('of a project with --ui %s, and %s', async (ui, objects) => {
  const project = await scaffoldBare(`${ui}-${objects.replaceAll(' ', '-')}`, ['--ui', ui]);
  if (ui === 'react') {
    const args = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', args, { cwd: project, env });
  } else linkPackages(project);
  const hasNotes = objects !== 'no other object';
  if (hasNotes) {
    for (const block of sectionOf('Add a Durable Object')) if (block.file) apply(block, project);
    write(join(project, 'test/notes.test.ts'), TEST);
  }

  const items = removeExample(project);
  expect(items.length).toBeGreaterThan(3);
  expect(items.length).toBeLessThanOrEqual(6);
  for (const path of ['src/index.ts', 'wrangler.jsonc', 'package.json'])
    expect(readFileSync(join(project, path), 'utf8')).not.toMatch(/counter/i);
  expect(existsSync(join(project, 'src/counter.ts'))).toBe(false);

  await npm(project, 'types');
  await npm(project, 'typecheck');
  await npm(project, 'lint', '--deny-warnings');
  const { out: tested } = await npm(project, 'test');
  expect(tested.includes('test/notes.test.ts')).toBe(hasNotes);
  const { all } = await npm(project, 'deploy', '--dry-run');
  expect(all).not.toMatch(/WARNING|env\.COUNTER/);
  expect(all.includes('env.NOTES (Notes)')).toBe(hasNotes);
  const { out } = await npm(project, 'perf', ...SHORT);
  expect(out).toContain('10 reads in flight');
});
