/**
 * Bundles the scripts of the pages into public/. wrangler runs this as the script `build:page`, and in
 * `wrangler dev` again whenever src/ changes. There a bundle is readable and has a source map.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SCRIPTS = ['app', 'room'];
const isDevelopment = process.env['WRANGLER_COMMAND'] === 'dev';

// Everything in public/ is deployed.
if (!isDevelopment) for (const name of SCRIPTS) rmSync(`public/${name}.js.map`, { force: true });

try {
  await build({
    entryPoints: SCRIPTS.map((name) => `src/browser/${name}.ts`),
    outdir: 'public',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: !isDevelopment,
    sourcemap: isDevelopment,
    // For src/browser/failures.ts: the address of its script, by which wrangler maps stack traces.
    define: {
      SCRIPT_FILE: JSON.stringify(isDevelopment ? pathToFileURL(resolve('public/app.js')) : ''),
    },
    logLevel: 'warning',
  });
} catch {
  // esbuild has printed the errors and where they are.
  process.exitCode = 1;
}
