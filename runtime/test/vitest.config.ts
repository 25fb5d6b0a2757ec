/**
 * A test runs in the Workers runtime. One whose name ends in `.node.test.ts` runs in Node: it starts processes, such as
 * a bare runtime that is killed and started again, or reads files. One in `.test-d.ts` is of types.
 *
 * `npm test` runs the sources. `npm run test:all` runs more of each file, the slow ones, and on the built package what
 * can run on both: no file twice.
 */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { builtForVite, IS_BUILT, TESTED_RUNTIME } from '../../harness/runtime/built-runtime.mjs';
import { memoryFolder } from '../../harness/runtime/memory-folder.mjs';
import { IS_WHOLE } from '../../scripts/tests/whole.mjs';
import { SLOW } from './slow.mjs';

const NODE_TESTS = ['**/*.node.test.ts'];

/**
 * What can run on the built package: calls over every transport, values, subscriptions and streams, from Workers and
 * Node. The other tests are of single sources, or start programs that import them.
 */
const ONLY_BUILT = ['package/built.test.ts'];
const BUILT_IN_WORKERS = [
  ...ONLY_BUILT,
  '{calls,patterns}/*.test.ts',
  'features/{binding,debug,port}/*.test.ts',
];
const BUILT_IN_NODE = [
  ...ONLY_BUILT,
  'browser/calls.node.test.ts',
  'calls/from-node.node.test.ts',
  'package/{exchange,peers,production}.node.test.ts',
  'wire/{base64,buffers}.node.test.ts',
  'features/feeds/feeds.node.test.ts',
  'features/live/live.node.test.ts',
  'features/port/threads.node.test.ts',
  'features/streams/{kinds,rows}.node.test.ts',
  'features/bytes/values.node.test.ts',
  'features/callbacks/calls.node.test.ts',
  'features/capabilities/use.node.test.ts',
  'features/uploads/items.node.test.ts',
];

/** A test that hangs must end; one on a slow machine must not fail. */
const PATIENCE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 50_000 } },
};

// The Workers runtime of the tests runs in this process, and has its files there.
process.env['TMPDIR'] = memoryFolder();

/** A project in the Workers runtime. */
function inWorkers(
  test: TestProjectInlineConfiguration['test'],
  ...plugins: Plugin[]
): TestProjectInlineConfiguration {
  return {
    plugins: [...plugins, cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })],
    test: {
      // No file leaves anything behind for another.
      isolate: false,
      provide: { isThorough: IS_WHOLE },
      // TypeBox is hundreds of modules.
      deps: { optimizer: { ssr: { enabled: true, include: ['typebox', 'typebox/*'] } } },
      ...PATIENCE,
      ...test,
    },
  };
}

const built: TestProjectInlineConfiguration[] = [
  inWorkers(
    { name: 'built in Workers', include: BUILT_IN_WORKERS, exclude: NODE_TESTS },
    builtForVite(),
  ),
  {
    plugins: [builtForVite()],
    test: {
      name: 'built in Node',
      isolate: false,
      include: BUILT_IN_NODE,
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
        exclude: [...NODE_TESTS, ...(IS_WHOLE ? BUILT_IN_WORKERS : ONLY_BUILT)],
      }),
      {
        test: {
          name: 'node',
          // Each file stops the server that it started.
          isolate: false,
          include: NODE_TESTS,
          exclude: [...SLOW, ...(IS_WHOLE ? BUILT_IN_NODE : ONLY_BUILT)],
          ...PATIENCE,
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
            // Not the repository's, which would have it look at everything.
            tsconfig: './types/tsconfig.json',
          },
        },
      },
    ],
  },
});
