/**
 * `prepack`: bundles the scaffolder and packs the template into `dist/`, which is what the package
 * has in place of `scaffolder/` and `template/`. docs/decisions/scaffolder.md has the figures that
 * made it worth a build.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ARCHIVE, packTemplate } from '../scaffolder/template-archive.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @type {import('esbuild').BuildOptions} */
const options = {
  absWorkingDir: ROOT,
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  platform: 'node',
  minify: true,
};

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });

// CommonJS, which starts sooner: `import` of `node:fs` sets up its streams, `require` does not. What
// the program loads late is required late.
await build({
  ...options,
  entryPoints: ['scaffolder/index.mjs'],
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  define: { 'import.meta.url': 'location' },
  banner: { js: "const location = require('url').pathToFileURL(__filename).href;" },
  // An old Node must be able to read it as far as the check of its version.
  target: 'node12',
});

// degit is an ECMAScript module, and so is the client that counter-call.mjs loads from a project.
await build({
  ...options,
  entryPoints: ['scaffolder/template-fetcher.mjs', 'scaffolder/counter-call.mjs'],
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  target: 'node20',
});

writeFileSync(join(ROOT, ARCHIVE), packTemplate(join(ROOT, 'template')));
