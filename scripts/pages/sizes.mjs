/**
 * Measures the size of the browser client in the built package, with both transports and the whole codec, and the bytes
 * that each feature adds. Each size has a limit, and the README has two of the sizes.
 */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { grouped } from './markdown.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = 'README.md';
const IN_README = ['client', 'subscribe'];
/** Matches modules that the client's bundle must not contain: the modules of the server, and other packages. */
const SERVER_ONLY = /\/(?:server|schemas)[^/]*\.js$|node_modules/;

/** The names that every page imports. */
const CORE = ['createRpcClient'];
/**
 * The names that a page imports for each feature, and the maximum of bytes that the feature may add.
 *
 * @type {Record<string, [name: string, limit: number]>}
 */
const FEATURES = {
  subscribe: ['subscribe', 2_330],
  presence: ['presence', 3_120],
  capabilities: ['capabilities, capabilityAt, tokenOf', 685],
  callbacks: ['callback', 705],
  streams: ['stream', 1_344],
  bytes: ['bytes', 1_170],
  awaiting: ['awaitMethods', 625],
  latest: ['latest', 510],
  reports: ['reportCalls', 1_050],
  optimistic: ['liveStore, optimistic', 3_670],
  tracing: ['traceCalls, openTelemetry', 2_500],
  binding: ['bindingTransport', 579],
  port: ['messagePortTransport', 295],
};

/**
 * @param {import('./pages.mjs').Pages} pages
 * @returns {Promise<string>} a line to print
 */
export async function writeSizes(pages) {
  const client = await sizeOf(CORE);
  const added = Object.entries(FEATURES).map(async ([feature, [names, limit]]) => {
    const size = (await sizeOf([...CORE, names])) - client;
    return { what: feature, size, limit };
  });
  const figures = [{ what: 'client', size: client, limit: 9_000 }, ...(await Promise.all(added))];
  for (const { what, size, limit } of figures) {
    if (size > limit) pages.fail(`${what}: ${size} bytes, over the limit of ${limit}`);
  }
  for (const name of IN_README) {
    const figure = grouped(figures.find(({ what }) => what === name)?.size ?? 0);
    const place = new RegExp(`(?<=<!-- ${name}-size -->)[\\d\\s]+(?= bytes)`);
    if (!place.test(pages.get(README))) pages.fail(`${README} has no place for ${name}-size`);
    pages.set(README, pages.get(README).replace(place, figure));
  }
  const sizes = figures.map(({ what, size }) => `${what} ${grouped(size)}`).join(', ');
  return `Bytes, minified and gzipped: ${sizes}`;
}

/**
 * @param {string[]} names - the names that a page imports
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
  if (strays.length > 0) throw new Error(`The client's bundle holds ${strays.join(', ')}`);
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
