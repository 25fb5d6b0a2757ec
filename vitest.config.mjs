/**
 * All tests. `npm test` runs every project without `slow` in its name, and `npm run test:all` those too, and more of the
 * others: CONTRIBUTING.md has a table of both.
 */
import { tmpdir } from 'node:os';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { configDefaults, defineConfig } from 'vitest/config';
import { memoryFolderForPrograms } from './harness/runtime/memory-folder.mjs';
import { compileCache } from './scripts/tests/compile-cache.mjs';

const MINUTES = 60_000;

// tsc and esbuild are programs in Go. tsc without garbage collection takes three quarters of the CPU time, and as
// much memory. esbuild runs as long as the tests, and so has a limit. Programs in Node are compiled once.
Object.assign(process.env, { GOGC: 'off', GOMEMLIMIT: '1GiB' }, compileCache());

/** The name of a file says that it takes long, or needs a package registry, and that few changes can break it. */
const SLOW = '**/*.slow.*';

/** Projects by the hundred, of small files: on a disk they take twice the time. */
const inMemory = { TMPDIR: memoryFolderForPrograms() };
/** Other than for the tests in the Workers runtime: many projects are installed there. */
const onDisk = { TMPDIR: tmpdir() };

const whole = {
  testTimeout: 20 * MINUTES,
  hookTimeout: 20 * MINUTES,
  expect: { poll: { timeout: 5 * MINUTES } },
};

export default defineConfig({
  test: {
    reporters: ['default', './scripts/tests/closing-line-reporter.mjs'],
    projects: [
      {
        extends: './template/vitest.config.ts',
        root: './template',
        // No file leaves anything behind for another.
        test: { name: 'template', isolate: false },
      },
      {
        // In the Worker of the runtime's tests, which has them all.
        root: './examples',
        plugins: [cloudflareTest({ wrangler: { configPath: '../runtime/test/wrangler.jsonc' } })],
        test: {
          name: 'examples',
          include: ['*/test/*.test.ts'],
          // It needs a route, so `e2e/examples/http.slow.test.mjs` runs it.
          exclude: [...configDefaults.exclude, 'http/**'],
          isolate: false,
          deps: { optimizer: { ssr: { enabled: true, include: ['typebox', 'typebox/*'] } } },
          ...whole,
        },
      },
      'runtime/test',
      {
        test: {
          name: 'scaffolder',
          include: ['scaffolder/test/**/*.test.mjs'],
          globalSetup: 'scaffolder/test/support/bundle.mjs',
          testTimeout: 3 * MINUTES,
          hookTimeout: 3 * MINUTES,
          env: inMemory,
          // Many small files, none of which leaves anything behind.
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.mjs'],
          exclude: [...configDefaults.exclude, SLOW],
          env: inMemory,
          ...whole,
        },
      },
      {
        // Vitest runs the projects in the order of their names. This one is followed by short files, which fill the time
        // in which its last files wait. Each file stops what it started.
        test: {
          name: 'e2e slow',
          include: ['e2e/**/*.slow.test.mjs'],
          isolate: false,
          env: onDisk,
          ...whole,
        },
      },
    ],
  },
});
