/** Tests the contents of the two halves of the performance test: the Worker and Node. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');

async function modulesOf(door: string) {
  const { metafile } = await build({
    absWorkingDir: SOURCES,
    entryPoints: [door],
    bundle: true,
    write: false,
    format: 'esm',
    packages: 'external',
    metafile: true,
    outdir: 'dist',
  });
  const [output] = Object.values(metafile.outputs);
  const imports = (output?.imports ?? []).filter(({ external }) => external);
  const having = (kind: string) =>
    imports.filter((one) => one.kind === kind).map(({ path }) => path);
  return {
    files: Object.keys(metafile.inputs),
    packages: [...new Set(having('import-statement'))].toSorted(),
    whenNeeded: having('dynamic-import'),
  };
}

test('the Worker has no code of Node, of the client, or of the reports', async () => {
  const { files, packages, whenNeeded } = await modulesOf('perf-worker.ts');
  expect(files).toContain('perf/contenders/floors.ts');
  expect(files.filter((file) => /^(client|perf\/(measure|report|run))/.test(file))).toEqual([]);
  expect(packages.filter((name) => !name.startsWith('typebox'))).toEqual(['capnweb']);
  expect(whenNeeded).toEqual([]);
});

test('Node loads a package that a project may lack only when it is used', async () => {
  const { files, packages, whenNeeded } = await modulesOf('perf.ts');
  expect(files).toContain('perf/run.ts');
  expect(files).not.toContain('perf/contenders/worker.ts');
  const others = packages.filter((name) => !/^(node:|typebox)/.test(name));
  expect(others).toEqual([]);
  expect(whenNeeded.toSorted()).toEqual(['capnweb', 'tinybench']);
});

test('if Node imports a name of the Worker, the error says where it belongs', async () => {
  const [standIn, inNode] = await Promise.all([
    import('../../src/perf/contenders/outside-worker.ts'),
    import('../../src/perf.ts'),
  ]);
  expect(Object.keys(inNode)).toEqual(expect.arrayContaining(Object.keys(standIn)));
  const { contenderClasses, contenderWorker } = inNode;
  expect(() => contenderClasses(null as never, null as never)).toThrow('for perf/worker.ts');
  await expect(contenderWorker.fetch(new Request('http://x'), {})).rejects.toThrow(
    'for perf/worker.ts',
  );
});
