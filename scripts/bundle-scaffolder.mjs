/**
 * `prepack`: bundles the scaffolder into `dist/`, which is what the package has in place of
 * `scaffolder/`. docs/decisions/scaffolder.md has the figures that made it worth a build.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = `${root}/dist`;

// The names of chunks change with what is in them.
rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['scaffolder/index.mjs', 'scaffolder/template-fetcher.mjs'],
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // Keeps late what the program loads late.
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
});
