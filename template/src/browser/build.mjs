/**
 * Bundles the page's script into public/app.js. wrangler runs this as the script `build:page`, and in
 * `wrangler dev` again whenever src/ changes. There the bundle is readable and has a source map.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SCRIPT = 'public/app.js';
const isDevelopment = process.env['WRANGLER_COMMAND'] === 'dev';

// Whatever is in public/ is deployed.
if (!isDevelopment) rmSync(`${SCRIPT}.map`, { force: true });

try {
  await build({
    entryPoints: ['src/browser/app.ts'],
    outfile: SCRIPT,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: !isDevelopment,
    sourcemap: isDevelopment,
    // For src/browser/failures.ts: where the script lies, whose places wrangler maps then.
    define: { SCRIPT_FILE: JSON.stringify(isDevelopment ? pathToFileURL(resolve(SCRIPT)) : '') },
    logLevel: 'warning',
  });
} catch {
  // esbuild has printed what is wrong, and where.
  process.exitCode = 1;
}
