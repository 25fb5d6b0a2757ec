/** What a bundle of the client contains: nothing that a program does not import. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');

/** What a program imports for each feature, and the file that the feature brings. */
const FEATURES = [
  ['callback', 'features/callbacks/client.ts'],
  ['capabilities', 'features/capabilities/client.ts'],
  ['stream', 'features/uploads/client.ts'],
  ['subscribe', 'features/subscriptions/client.ts'],
  ['bytes', 'features/bytes/client.ts'],
] as const;

/** The files of which a bundle has at least a statement. */
async function filesIn(imports: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: `export { ${imports} } from './client.ts'`, resolveDir: SOURCES },
    bundle: true,
    format: 'esm',
    metafile: true,
    write: false,
    treeShaking: true,
    minify: true,
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file.replace(/^.*runtime\/src\//, '')] : [],
    ),
  );
}

test('the core brings no feature, no server and no TypeBox', async () => {
  const files = await filesIn('createRpcClient, withOptions, RpcError');
  expect(files).toContain('client/session.ts');
  expect(files.filter((file) => /^server\/|node_modules/.test(file))).toEqual([]);
  expect(files).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/callbacks|capabilities|streams|subscribe/)]),
  );
});

test.each(FEATURES)('%s brings its own file and no other feature', async (name, own) => {
  const files = await filesIn(`createRpcClient, ${name}`);
  expect(files).toContain(own);
  for (const [, file] of FEATURES) if (file !== own) expect(files).not.toContain(file);
});
