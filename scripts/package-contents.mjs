/**
 * `prepack`: makes `dist/`, which is what the package has: the template's files as they are, and the
 * scaffolder bundled, but not minified, so that both can be read before they are run.
 * docs/decisions/scaffolder.md has the figures that made the bundle worth a build.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { PUBLISHED_TEMPLATE } from '../scaffolder/own-package.mjs';
import { publishedPath } from '../scaffolder/published-names.mjs';
import { templateFiles } from '../scaffolder/template-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @type {import('esbuild').BuildOptions} */
const options = {
  absWorkingDir: ROOT,
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
};

/**
 * CommonJS, which starts sooner: `import` of `node:fs` sets up its streams, `require` does not. What
 * the program loads late is required late.
 *
 * @type {import('esbuild').BuildOptions}
 */
const program = {
  ...options,
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'location' },
};
const LOCATION = "const location = require('node:url').pathToFileURL(__filename).href;";

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });

await build({
  ...program,
  entryPoints: ['scaffolder/index.mjs'],
  // An old Node must be able to read it, as far as the check of its version.
  target: 'node12',
  plugins: [
    {
      name: 'a file of its own for what an old Node cannot read',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/scaffold\.mjs$/ }, () => ({
          path: './scaffold.cjs',
          external: true,
        })),
    },
  ],
});
await build({ ...program, entryPoints: ['scaffolder/scaffold.mjs'], banner: { js: LOCATION } });

// degit is an ECMAScript module, and so is the client that counter-call.mjs loads from a project.
await build({
  ...options,
  entryPoints: ['scaffolder/template-fetcher.mjs', 'scaffolder/counter-call.mjs'],
  outExtension: { '.js': '.mjs' },
  format: 'esm',
});

for (const { source, path } of templateFiles(join(ROOT, 'template'))) {
  const destination = join(ROOT, PUBLISHED_TEMPLATE, publishedPath(path));
  mkdirSync(dirname(destination), { recursive: true });
  copyFileSync(source, destination);
}
