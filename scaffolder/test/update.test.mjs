/** `--update` as a command, on a project that the program has written. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOf, MANIFEST } from '../update/manifest.mjs';
import { contents, temporaryFolder } from './support/folders.mjs';
import { commitAll } from './support/repository.mjs';
import { runScaffolder } from './support/run-scaffolder.mjs';

test('brings the runtime of a project up to date, and then has nothing to do', async () => {
  const cwd = temporaryFolder();
  await runScaffolder(['app', '--no-install', '--no-git'], { cwd });
  const app = join(cwd, 'app');
  const current = contents(app);
  const [file, text] = ['src/rpc/wire/tags.ts', 'as it was\n'];
  const manifest = JSON.parse(readFileSync(join(app, MANIFEST), 'utf8'));
  manifest.version = '0.0.1';
  manifest.files['wire/tags.ts'] = hashOf(text);
  writeFileSync(join(app, MANIFEST), JSON.stringify(manifest));
  writeFileSync(join(app, file), text);
  commitAll(app);

  // Of a project that stays as it is, nothing is verified.
  const dry = await runScaffolder(['app', '--update', '--dry-run', '--verify'], { cwd });
  expect(dry).toMatchObject({ code: 0, err: '' });
  expect(dry.out).toContain(`  replaced  ${file}\n`);
  expect(dry.out).not.toContain('Verifying');
  const updated = await runScaffolder(['app', '--update'], { cwd });
  expect(updated).toMatchObject({ code: 0, err: '' });
  expect(updated.out).toContain(`  replaced  ${file}\n`);
  expect(contents(app)).toMatchObject(current);
  const again = await runScaffolder(['--update'], { cwd: app });
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toContain('already. Nothing was changed.');
});

test('in a folder that is no project it is wrong usage, and writes nothing', async () => {
  const cwd = temporaryFolder({ 'src/index.ts': '' });
  const before = contents(cwd);
  const outcome = await runScaffolder(['--update'], { cwd });
  expect(outcome).toMatchObject({ code: 2, out: '' });
  expect(outcome.err).toContain('has no src/rpc/manifest.json');
  expect(outcome.err).toContain('npm create lumenize-rpc@latest <directory> -- --update');
  expect(contents(cwd)).toEqual(before);
});

test('with --json it tells the outcome of each file', async () => {
  const cwd = temporaryFolder();
  await runScaffolder(['app', '--no-install', '--no-git'], { cwd });
  const file = join(cwd, 'app', MANIFEST);
  const { version, files } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(
    file,
    JSON.stringify({ version, files: { ...files, 'gone.ts': '0123456789abcdef' } }),
  );
  writeFileSync(join(cwd, 'app/src/rpc/gone.ts'), 'mine\n');
  const { code, out } = await runScaffolder(['app', '--update', '--json'], { cwd });
  expect(code).toBe(3);
  expect(JSON.parse(out)).toEqual({
    ok: false,
    version,
    files: [
      { what: 'conflict', path: 'src/rpc/gone.ts', note: 'kept; the new version does not have it' },
    ],
  });
});
