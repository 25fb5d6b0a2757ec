import { defineConfig } from 'vitest/config';

const MINUTES = 60_000;

export default defineConfig({
  test: {
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
    projects: [
      'template',
      'conformance',
      {
        test: {
          name: 'scaffolder',
          include: ['scaffolder/test/**/*.test.mjs'],
          testTimeout: MINUTES,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.mjs'],
          testTimeout: 10 * MINUTES,
          hookTimeout: 10 * MINUTES,
          expect: { poll: { timeout: 5 * MINUTES } },
          fileParallelism: false,
        },
      },
    ],
  },
});
