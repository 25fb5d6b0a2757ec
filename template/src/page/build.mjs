/**
 * Bundles the scripts of the pages into public/: src/browser/shop.ts becomes public/shop.js if no other script
 * imports it, or if a page names it. wrangler runs this as the script `build:page`, and in `wrangler dev` again
 * whenever src/ changes. There a bundle is readable and has a source map.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const command = process.env['WRANGLER_COMMAND'];
const isDevelopment = command === 'dev';

// `wrangler types` runs the build too. It must not replace the scripts that a running `wrangler dev` serves.
if (command !== 'types') await bundle();

async function bundle() {
  const files = readdirSync('public');
  // Everything in public/ is deployed.
  const maps = files.filter((file) => file.endsWith('.js.map'));
  if (!isDevelopment) for (const map of maps) rmSync(`public/${map}`);

  const sources = readdirSync('src/browser').filter((file) => /(?<!\.d)\.ts$/.test(file));
  try {
    const { metafile, outputFiles } = await build({
      entryPoints: sources.map((file) => `src/browser/${file}`),
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
      metafile: true,
      write: false,
    });
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    const imported = new Set(imports.map(({ path }) => path));
    const pages = files.filter((file) => file.endsWith('.html'));
    const html = pages.map((page) => readFileSync(`public/${page}`, 'utf8')).join('\n');
    for (const { path, contents } of outputFiles) {
      const name = basename(path).replace(/\.js(\.map)?$/, '');
      const isScript = !imported.has(`src/browser/${name}.ts`) || html.includes(`${name}.js`);
      if (isScript) writeFileSync(path, contents);
      else rmSync(path, { force: true });
    }
  } catch (error) {
    // esbuild has printed its errors and where they are.
    if (!error.errors) throw error;
    // `wrangler dev` would print the failed process beside them, and serves the last bundle anyway.
    if (!isDevelopment) process.exitCode = 1;
  }
}
