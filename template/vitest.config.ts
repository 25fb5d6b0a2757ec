/** The tests run in the Workers runtime. */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })],
  test: {
    include: ['test/**/*.test.ts'],
    // A project may have no tests after its example was removed.
    passWithNoTests: true,
    // TypeBox has hundreds of modules, which every test file would load one by one.
    deps: { optimizer: { ssr: { enabled: true, include: ['typebox', 'typebox/*'] } } },
    // Modules from Vitest's cache have no source maps, so a failure would show the wrong line.
    fsModuleCache: false,
    // A failure shows the line in the test, not the line in the package.
    onStackTrace: (_error, { file }) => !file.includes('/lumenize-rpc/dist/'),
    // These limits end a test that hangs, but not a test on a slow machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 50_000 } },
  },
});
