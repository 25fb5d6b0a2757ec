/**
 * `npm run size`: measures the browser client, with both transports and the whole codec, and what each
 * optional module adds. It compares the sizes with the figures in the README. `npm run size -- --write`
 * writes the measured figures to the README.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { grouped } from './grouped.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = `${ROOT}README.md`;
/** Folders and packages that the client's bundle must not contain. */
const SERVER_ONLY = /src\/rpc\/server|node_modules/;

const client = await sizeOf("export * from './client.ts';");
/** Most bytes that each module may add. See docs/decisions/{binary-frames,capabilities,client-size,streams}.md. */
const MODULES = {
  subscribe: 1_635,
  capabilities: 600,
  callbacks: 586,
  streams: 1_310,
  bytes: 940,
  binding: 565,
  port: 275,
};
const figures = [
  { what: 'The browser client', size: client, limit: 8_300, place: placeOf('client') },
];
for (const [name, limit] of Object.entries(MODULES)) {
  const both = await sizeOf(`export * from './client.ts'; export * from './client/${name}.ts';`);
  figures.push({ what: name, size: both - client, limit, place: placeOf(name) });
}

let readme = await readFile(README, 'utf8');
const writes = process.argv.includes('--write');
for (const { what, size, limit, place } of figures) {
  const figure = grouped(size);
  const text = `${what}: ${figure} bytes, minified and gzipped`;
  console.log(text);
  if (writes) readme = readme.replace(place, `$1${figure}$3`);
  else if (readme.match(place)?.[2] !== figure) {
    fail(`README.md has another figure for it: run \`npm run size -- --write\``);
  }
  if (size > limit) fail(`That is over the limit of ${limit}`);
}
if (writes) await writeFile(README, readme);

/**
 * @param {string} contents - of a module in the runtime's folder
 * @returns {Promise<number>} its size in bytes, minified and gzipped
 */
async function sizeOf(contents) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: `${ROOT}runtime/src` },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    write: false,
  });
  const strays = Object.keys(metafile.inputs).filter((file) => SERVER_ONLY.test(file));
  if (strays.length > 0) fail(`The bundle holds ${strays.join(', ')}`);
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

/**
 * @param {string} name
 * @returns {RegExp} matches the place of a figure in the README
 */
function placeOf(name) {
  return new RegExp(`(<!-- ${name}-size -->)([\\d\\s]+)( bytes)`);
}

/** @param {string} problem */
function fail(problem) {
  console.error(problem);
  process.exitCode = 1;
}
