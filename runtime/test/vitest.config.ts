/**
 * The ending of a file's name says where its tests run:
 *
 * - `.test.ts`: in the Workers runtime.
 * - `.node.test.ts`: in Node, because the file starts processes, such as a bare runtime, or reads files.
 * - `.built.test.ts` and `.built.node.test.ts`: also on the built package, because the file uses only what the package
 *   exports. `npm test` runs it on the sources, and `npm run test:all` on the package.
 * - `.slow.node.test.ts`: in Node, but only by `npm run test:all`.
 * - `.test-d.ts`: in no runtime, because these are tests of types.
 */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { builtForVite, IS_BUILT, TESTED_RUNTIME } from '../../harness/runtime/built-runtime.mjs';
import { memoryFolder } from '../../harness/runtime/memory-folder.mjs';
import { IS_WHOLE } from '../../scripts/tests/whole.mjs';

const IN_NODE = '**/*.node.test.ts';
/**
 * The tests that `npm test` leaves out: repeated tests in other environments, tests of memory under
 * load, and long waits.
 */
const SLOW = '**/*.slow.*';
const BUILT = '**/*.built.*';

/** The test that the projects `built` use the package, and not the sources. */
const IS_OF_PACKAGE = 'package/built.test.ts';

/** The tests that the projects of the sources leave out. */
const NOT_OF_SOURCES = [SLOW, IS_OF_PACKAGE, ...(IS_WHOLE ? [BUILT] : [])];

/** A test that hangs must end, and a test on a slow machine must not fail. */
const PATIENCE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 50_000 } },
};

// The Workers runtime of the tests runs in this process, and keeps its files in this folder.
process.env['TMPDIR'] = memoryFolder();

/** Returns a project in the Workers runtime. */
function inWorkers(
  test: TestProjectInlineConfiguration['test'],
  ...plugins: Plugin[]
): TestProjectInlineConfiguration {
  return {
    plugins: [...plugins, cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })],
    test: {
      // No file leaves state behind for another file.
      isolate: false,
      provide: { isThorough: IS_WHOLE },
      // TypeBox has hundreds of modules.
      deps: { optimizer: { ssr: { enabled: true, include: ['typebox', 'typebox/*'] } } },
      ...PATIENCE,
      ...test,
    },
  };
}

const built: TestProjectInlineConfiguration[] = [
  inWorkers(
    { name: 'built in Workers', include: ['**/*.built.test.ts', IS_OF_PACKAGE] },
    builtForVite(),
  ),
  {
    plugins: [builtForVite()],
    test: {
      name: 'built in Node',
      isolate: false,
      include: ['**/*.built.node.test.ts', IS_OF_PACKAGE],
      env: { [TESTED_RUNTIME]: IS_BUILT },
      ...PATIENCE,
    },
  },
];

export default defineConfig({
  test: {
    name: 'runtime',
    projects: [
      inWorkers({
        name: 'workers',
        include: ['**/*.test.ts'],
        exclude: [IN_NODE, ...NOT_OF_SOURCES],
      }),
      {
        test: {
          name: 'node',
          // Each file stops the server that it started.
          isolate: false,
          include: [IN_NODE],
          exclude: NOT_OF_SOURCES,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'slow',
          isolate: false,
          include: ['**/*.slow.node.test.ts'],
          ...PATIENCE,
          // A test may contain a whole suite that runs in a page.
          testTimeout: 1_200_000,
        },
      },
      ...(IS_WHOLE ? built : []),
      {
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['types/*.test-d.ts'],
            // The repository's own file would include every program.
            tsconfig: './types/tsconfig.json',
          },
        },
      },
    ],
  },
});
