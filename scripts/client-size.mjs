/**
 * `npm run size`: measures the browser client, both transports and the whole codec included, and
 * compares it with the figure that the README prints. `npm run size -- --write` puts the measured
 * figure there.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LIMIT = 8_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = `${ROOT}README.md`;
const FIGURE = /(<!-- client-size -->)([\d\s]+)( bytes)/;
/** Folders and packages of which nothing may end in a page. */
const SERVER_ONLY = /src\/rpc\/server|node_modules/;

const { outputFiles, metafile } = await build({
  entryPoints: [`${ROOT}template/src/rpc/client.ts`],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  metafile: true,
  write: false,
});
const strays = Object.keys(metafile.inputs).filter((file) => SERVER_ONLY.test(file));
const size = gzipSync(outputFiles[0].contents, { level: 9 }).length;
const figure = String(size).replace(/\B(?=(\d{3})+$)/g, ' ');
const readme = await readFile(README, 'utf8');
const printed = readme.match(FIGURE)?.[2];

if (process.argv.includes('--write')) {
  await writeFile(README, readme.replace(FIGURE, `$1${figure}$3`));
} else if (printed !== figure) {
  fail(`README.md says ${printed} bytes: run \`npm run size -- --write\``);
}
if (size > LIMIT) fail(`over the limit of ${LIMIT} bytes`);
if (strays.length > 0) fail(`holds ${strays.join(', ')}`);
console.log(`The browser client is ${figure} bytes, minified and gzipped.`);

/** @param {string} problem */
function fail(problem) {
  console.error(`The browser client is ${figure} bytes, minified and gzipped: ${problem}`);
  process.exit(1);
}
