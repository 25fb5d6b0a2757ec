/**
 * `prepack`: makes `dist/`, the contents of the package: the unchanged files of the template and its
 * overlays, and the bundled scaffolder. The bundle is not minified, so that users can read it before they
 * run it. docs/decisions/scaffolder.md has the figures that justify the bundle.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { PUBLISHED_OVERLAYS, PUBLISHED_TEMPLATE } from '../scaffolder/own-package.mjs';
import { publishedPath } from '../scaffolder/published-names.mjs';
import { templateFiles } from '../scaffolder/template-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** @type {import('esbuild').BuildOptions} */
const options = {
  absWorkingDir: ROOT,
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
};

/** A plain scaffold does not need these modules. They are loaded on the first call, for a fast start. */
const PARSERS = './parsers.cjs';
const CALLED_LATE = new Set(['node:child_process', 'node:tty', 'prompts', PARSERS]);

/**
 * Replaces the imports of each module that is not bundled by one `require`.
 *
 * @type {import('esbuild').Plugin}
 */
const required = {
  name: 'required modules',
  setup({ onResolve, onLoad }) {
    const sources = globSync('scaffolder/{*,add/*,steps/*}.mjs', { cwd: ROOT })
      .map((path) => readFileSync(join(ROOT, path), 'utf8'))
      .join('');
    onResolve({ filter: /^(node:|prompts$|\.\/parsers\.cjs$)/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'required' } : { path, external: true },
    );
    // It belongs to every scaffold, unlike the parsers.
    onResolve({ filter: /^ignore$/ }, () => ({ path: resolve('ignore') }));
    onResolve({ filter: /\/parsers\.mjs$/ }, () => ({ path: PARSERS, namespace: 'required' }));
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => {
      const load = `require('${path}')`;
      if (path === 'prompts') return { contents: `export default (all) => ${load}(all);` };
      const source = path === PARSERS ? './parsers.mjs' : path;
      const imports = new RegExp(String.raw`^import \{([^}]*)\} from '${source}'`, 'gm');
      const lists = Array.from(sources.matchAll(imports), ([, list]) => list);
      const names = [...new Set(lists.join().match(/\w+/g))];
      if (!CALLED_LATE.has(path)) {
        return { contents: `export const { ${names.join(', ')} } = ${load};` };
      }
      const late = names.map((name) => `${name} = (...all) => ${load}.${name}(...all)`);
      return { contents: `export const ${late.join()};` };
    });
  },
};

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });

// An old Node must be able to parse this file, because it checks Node's version.
const start = readFileSync(join(ROOT, 'scaffolder/index.mjs'), 'utf8');
mkdirSync(join(ROOT, 'dist'));
writeFileSync(
  join(ROOT, 'dist/index.cjs'),
  start.replaceAll(/import\('(.*)\.mjs'\)/g, "require('$1.cjs')"),
  { mode: 0o755 },
);

/**
 * The licenses require their text in every copy of the code.
 *
 * @param {string[]} paths - in node_modules
 * @returns {string} a comment
 */
function licenses(paths) {
  const texts = paths.map(
    (path) => `${path}\n\n${readFileSync(join(ROOT, 'node_modules', path), 'utf8').trim()}`,
  );
  return `/*\n${texts.join('\n\n')}\n*/`;
}

// CommonJS starts faster: `import` of `node:fs` sets up its streams, and `require` does not.
await build({
  ...options,
  entryPoints: ['scaffolder/scaffold.mjs'],
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  define: { 'import.meta.url': 'location' },
  banner: {
    js: `${licenses(['ignore/LICENSE-MIT'])}
const location = require('node:url').pathToFileURL(__filename).href;`,
  },
  plugins: [required],
});

await build({
  ...options,
  entryPoints: ['scaffolder/add/parsers.mjs'],
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  packages: 'bundle',
  mainFields: ['module', 'main'],
  legalComments: 'none',
  banner: {
    js: licenses([
      'jsonc-parser/LICENSE.md',
      'toml-eslint-parser/LICENSE',
      'eslint-visitor-keys/LICENSE',
    ]),
  },
});

// degit is an ECMAScript module, and so is the client that counter-call.mjs loads from a project.
await build({
  ...options,
  entryPoints: ['scaffolder/template-fetcher.mjs', 'scaffolder/counter-call.mjs'],
  outExtension: { '.js': '.mjs' },
  format: 'esm',
});

for (const [from, to] of [
  ['template', PUBLISHED_TEMPLATE],
  ['overlays', PUBLISHED_OVERLAYS],
]) {
  for (const { source, path } of templateFiles(join(ROOT, from))) {
    const destination = join(ROOT, to, publishedPath(path));
    mkdirSync(dirname(destination), { recursive: true });
    copyFileSync(source, destination);
  }
}
