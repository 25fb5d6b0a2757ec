/**
 * `prepack`: makes `dist/`, the contents of the package: the unchanged files of the template and the
 * examples, and the bundled scaffolder. The bundle is not minified, so that users can read it before they
 * run it. docs/decisions/scaffolder.md says why it is a bundle.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { PUBLISHED } from '../scaffolder/own-package.mjs';
import { publishedPath } from '../scaffolder/templates/published-names.mjs';
import { templateFiles } from '../scaffolder/templates/template-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });

const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: ['scaffold', 'counter-call', 'template-fetcher'].map(
    (name) => `scaffolder/${name}.mjs`,
  ),
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  external: ['degit', 'prompts'],
  platform: 'node',
  target: 'node20',
  format: 'esm',
  mainFields: ['module', 'main'],
  legalComments: 'none',
  metafile: true,
});

// The licenses of the bundled packages have to be in every copy of the code.
const bundled = Object.keys(metafile.inputs).flatMap(
  (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
);
const licenses = [...new Set(bundled)].toSorted().map((folder) => {
  const name =
    readdirSync(join(ROOT, folder)).find((file) => /^licen[cs]e/i.test(file)) ?? 'LICENSE';
  const path = `${folder.replace(/^.*node_modules\//, '')}/${name}`;
  return `${path}\n\n${readFileSync(join(ROOT, folder, name), 'utf8').trim()}\n`;
});
writeFileSync(join(ROOT, 'dist/LICENSES.txt'), licenses.join('\n\n'));

// This file checks Node's version. As CommonJS, an old Node can parse it.
copyFileSync(join(ROOT, 'scaffolder/index.mjs'), join(ROOT, 'dist/index.cjs'));

/** Matches the files that the examples have only in this repository: a package, and types for its own checks. */
const OWN = /^(?:node_modules\/|[^/]+$)/;

for (const folder of PUBLISHED) {
  for (const { source, path } of templateFiles(join(ROOT, folder))) {
    if (folder === 'examples' && OWN.test(path)) continue;
    const destination = join(ROOT, 'dist', folder, publishedPath(path));
    mkdirSync(dirname(destination), { recursive: true });
    copyFileSync(source, destination);
  }
}
