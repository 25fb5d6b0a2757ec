/** The tests run in the Workers runtime. */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })],
  test: {
    include: ['test/**/*.test.ts'],
    // A project may have none, when its example is removed.
    passWithNoTests: true,
    // TypeBox is hundreds of modules, which every file would load one by one.
    deps: { optimizer: { ssr: { enabled: true, include: ['typebox', 'typebox/*'] } } },
    // From Vitest's cache, modules come without source maps: a failure would show another line.
    fsModuleCache: false,
    // A failure shows the line of the test, not of the package.
    onStackTrace: (_error, { file }) => !file.includes('/lumenize-rpc/dist/'),
    // A test that hangs must end; one on a slow machine must not fail.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 50_000 } },
  },
});
