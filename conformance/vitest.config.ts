/**
 * Two projects: what runs in the Workers runtime, and what needs Node, because it starts processes
 * or reads files.
 */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

const NODE_TESTS = ['node/*.test.ts'];

/** A test that hangs must end; one on a slow machine must not fail. */
const PATIENCE = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })],
        test: { name: 'workers', include: ['**/*.test.ts'], exclude: NODE_TESTS, ...PATIENCE },
      },
      { test: { name: 'node', include: NODE_TESTS, ...PATIENCE } },
    ],
  },
});
