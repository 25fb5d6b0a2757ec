/**
 * Bundles the scripts of the pages into public/. A page that loads `shop.js` gets src/browser/shop.ts. wrangler
 * runs this as the script `build:page`, and in `wrangler dev` again whenever src/ changes. There a bundle is
 * readable and has a source map.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const isDevelopment = process.env['WRANGLER_COMMAND'] === 'dev';
const files = readdirSync('public');
const pages = files.filter((file) => file.endsWith('.html'));
const scripts = new Set(pages.flatMap((page) => scriptsOf(readFileSync(`public/${page}`, 'utf8'))));

// Everything in public/ is deployed.
const maps = files.filter((file) => file.endsWith('.js.map'));
if (!isDevelopment) for (const map of maps) rmSync(`public/${map}`);

try {
  await build({
    entryPoints: Array.from(scripts, (name) => `src/browser/${name}.ts`),
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

/** The names of the scripts that a page loads from its own folder. */
function scriptsOf(html) {
  return Array.from(html.matchAll(/<script\s[^>]*\bsrc="([\w-]+)\.js"/g), ([, name]) => name);
}
