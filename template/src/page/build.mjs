/**
 * Bundles the scripts of the pages into public/: src/page/shop.ts becomes public/shop.js, unless a script beside it
 * imports it. wrangler runs this as `npm run build:page`, and in `wrangler dev` again whenever src/ changes.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';

const command = process.env['WRANGLER_COMMAND'];
const isDevelopment = command === 'dev';

const files = globSync('src/page/*.ts');
const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
const imported = new Set(code.match(/(?<=['"]\.\/)[\w-]+(?=(\.ts)?['"])/g));

// `wrangler types` runs this program, too, and must not replace the scripts that a running `wrangler dev` serves.
if (command !== 'types') {
  await build({
    entryPoints: files.filter((file) => !imported.has(basename(file, '.ts'))),
    outdir: 'public',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: !isDevelopment,
    sourcemap: isDevelopment && 'inline',
  }).catch((error) => {
    // esbuild has printed its own errors already.
    if (!error.errors) throw error;
    // In development, an exit code would only add a message of `wrangler dev`, which goes on serving the last bundle.
    if (!isDevelopment) process.exitCode = 1;
  });
}
