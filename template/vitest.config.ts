/** The tests run in the Workers runtime. */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [cloudflareTest({ wrangler: { configPath: './test/wrangler.jsonc' } })],
  test: {
    include: ['test/**/*.test.ts'],
    // A test that hangs must end; one on a slow machine must not fail.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
