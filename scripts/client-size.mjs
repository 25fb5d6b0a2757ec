/**
 * `npm run size`: measures the browser client in the built package, with both transports and the whole codec, and
 * what each feature adds to it, and compares the sizes with their limits. The README has two of the figures:
 * `npm run size -- --write` writes them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { grouped } from './grouped.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = `${ROOT}README.md`;
/** What the client's bundle must not contain: the modules of the server, and other packages. */
const SERVER_ONLY = /\/(?:server|schemas)[^/]*\.js$|node_modules/;

/** What every page imports. */
const CORE = ['createRpcClient'];
/**
 * What is imported too, by feature, and the most bytes that it may add.
 *
 * @type {Record<string, [name: string, limit: number]>}
 */
const FEATURES = {
  subscribe: ['subscribe', 1_708],
  capabilities: ['capabilities, capabilityAt, tokenOf', 606],
  callbacks: ['callback', 606],
  streams: ['stream', 1_344],
  bytes: ['bytes', 1_150],
  binding: ['bindingTransport', 579],
  port: ['messagePortTransport', 279],
};

const client = await sizeOf(CORE);
/** @type {{ what: string, size: number, limit: number, inReadme: RegExp | undefined }[]} */
const figures = [
  { what: 'The browser client', size: client, limit: 8_450, inReadme: placeOf('client') },
];
for (const [feature, [name, limit]] of Object.entries(FEATURES)) {
  const size = (await sizeOf([...CORE, name])) - client;
  const inReadme = feature === 'subscribe' ? placeOf(feature) : undefined;
  figures.push({ what: feature, size, limit, inReadme });
}

let readme = await readFile(README, 'utf8');
const writes = process.argv.includes('--write');
for (const { what, size, limit, inReadme } of figures) {
  const figure = grouped(size);
  const text = `${what}: ${figure} bytes, minified and gzipped`;
  console.log(text);
  if (inReadme && writes) readme = readme.replace(inReadme, `$1${figure}$3`);
  else if (inReadme && readme.match(inReadme)?.[2] !== figure) {
    fail(`README.md has another figure for it: run \`npm run size -- --write\``);
  }
  if (size > limit) fail(`That is over the limit of ${limit}`);
}
if (writes) await writeFile(README, readme);

/**
 * @param {string[]} names - what a page imports
 * @returns {Promise<number>} the size of its bundle in bytes, minified and gzipped
 */
async function sizeOf(names) {
  const { outputFiles, metafile } = await build({
    // The template's folder has the built package.
    stdin: {
      contents: `export { ${names.join(', ')} } from 'lumenize-rpc/client';`,
      resolveDir: `${ROOT}template`,
    },
    absWorkingDir: ROOT,
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
