/**
 * What runs in the Workers runtime; what needs Node, because it starts processes or reads files; the
 * life of connections, from Node against a runtime that is killed and started; and types. `npm test`
 * leaves the project `slow` out.
 */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { builtForVite, IS_BUILT, TESTED_RUNTIME } from '../../harness/runtime/built-runtime.mjs';
import { memoryFolder } from '../../harness/runtime/memory-folder.mjs';

const NODE_TESTS = ['{browser,node,lint,perf}/*.test.ts'];
const CONNECTION_TESTS = [
  'connection/*.test.ts',
  'features/{bytes,callbacks,capabilities,relay,streams,subscriptions,uploads}/*.test.ts',
];
/** Much again from elsewhere, or how much memory much takes: `npm run test:slow` has them. */
const SLOW = [
  '{browser,node}/calls-other-ways.test.ts',
  'browser/old-page.test.ts',
  'node/costs.test.ts',
  'connection/memory.test.ts',
  'features/{callbacks,subscriptions}/memory.test.ts',
  'features/streams/hibernation.test.ts',
  'features/uploads/away.test.ts',
];

/** Much again, in the Workers runtime: these too. */
const SLOW_IN_WORKERS = ['hostile/arguments-by-post.test.ts'];

/** Of these `npm test` runs a part, as `support/effort.ts` says. */
const THOROUGH = [
  'calls/workers.test.ts',
  'features/debug/debug.test.ts',
  'features/feeds/server/feed-log.test.ts',
  'server/journal/call-ids.test.ts',
  'wire/{bytes,fuzz,property,subscriptions}.test.ts',
];

/**
 * On the built package, once: calls over every transport, values, subscriptions and streams, from Workers and Node. The
 * other tests are of single sources, or start programs that import them.
 */
const BUILT_IN_WORKERS = [
  '{built,calls,hostile,patterns,transports}/*.test.ts',
  'features/debug/*.test.ts',
];
const BUILT_IN_NODE = [
  'built/*.test.ts',
  'browser/calls.test.ts',
  'node/{base64,buffers,calls,exchange,peers,ports,production}.test.ts',
  'features/subscriptions/{feeds,live}.test.ts',
  'features/streams/{kinds,rows}.test.ts',
  'features/bytes/values.test.ts',
  'features/callbacks/calls.test.ts',
  'features/capabilities/use.test.ts',
  'features/uploads/items.test.ts',
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
      // TypeBox is hundreds of modules.
      deps: { optimizer: { ssr: { enabled: true, include: ['typebox', 'typebox/*'] } } },
      ...PATIENCE,
      ...test,
    },
  };
}

export default defineConfig({
  test: {
    name: 'runtime',
    projects: [
      inWorkers({
        name: 'workers',
        include: ['**/*.test.ts'],
        exclude: ['built/**', ...NODE_TESTS, ...CONNECTION_TESTS, ...SLOW_IN_WORKERS],
      }),
      inWorkers({
        name: 'slow',
        include: [...THOROUGH, ...SLOW_IN_WORKERS],
        provide: { isThorough: true },
      }),
      inWorkers(
        {
          name: 'slow, built in Workers',
          include: BUILT_IN_WORKERS,
          exclude: SLOW_IN_WORKERS,
        },
        builtForVite(),
      ),
      {
        plugins: [builtForVite()],
        test: {
          name: 'slow, built in Node',
          isolate: false,
          include: BUILT_IN_NODE,
          exclude: SLOW,
          env: { [TESTED_RUNTIME]: IS_BUILT },
          ...PATIENCE,
        },
      },
      { test: { name: 'node', isolate: false, include: NODE_TESTS, exclude: SLOW, ...PATIENCE } },
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
      {
        test: {
          name: 'connection',
          // Each file stops the server that it started.
          isolate: false,
          include: CONNECTION_TESTS,
          exclude: SLOW,
          ...PATIENCE,
        },
      },
    ],
  },
});
