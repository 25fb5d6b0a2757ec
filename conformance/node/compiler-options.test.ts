/** The runtime compiles with the compiler options of other projects: `--add` copies it into them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');

test.each<[string, object]>([
  ['no strict checks, the default of TypeScript 5', { strict: false }],
  ['exactOptionalPropertyTypes', { exactOptionalPropertyTypes: true }],
  ['the oldest lib that --add leaves as it is', { lib: ['es2023'], target: 'es2023' }],
  [
    'the checks of a linter',
    { noPropertyAccessFromIndexSignature: true, noUnusedLocals: true, noUnusedParameters: true },
  ],
])('%s', (_, compilerOptions) => {
  const folder = mkdtempSync(join(tmpdir(), 'compiler-options-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const template = join(REPOSITORY, 'template');
  const configuration = {
    extends: join(template, 'tsconfig.json'),
    compilerOptions,
    include: ['worker-configuration.d.ts', 'src/rpc', 'src/counter.ts'].map((path) =>
      join(template, path),
    ),
    exclude: [],
  };
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'tsconfig.json');
  writeFileSync(file, JSON.stringify(configuration));
  const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '--singleThreaded', '--pretty', 'false', '-p', file];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: template, encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
