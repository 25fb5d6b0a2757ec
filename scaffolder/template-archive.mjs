/**
 * The template as the published package carries it: all of its files in one, which is smaller and
 * keeps npm from leaving out or renaming some of them. docs/decisions/scaffolder.md has the figures.
 *
 * The format is Brotli over a line of JSON, the path and the size of each file, and after it the bytes
 * of the files one after another.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { templateFiles } from './template-files.mjs';

/** Where it is in the package. */
export const ARCHIVE = 'dist/template.br';

/**
 * @param {string} folder - the template
 * @returns {Buffer}
 */
export function packTemplate(folder) {
  const files = templateFiles(folder).map(({ source, path }) => ({
    path,
    bytes: readFileSync(source),
  }));
  const index = JSON.stringify(files.map(({ path, bytes }) => [path, bytes.length]));
  const all = Buffer.concat([Buffer.from(`${index}\n`), ...files.map(({ bytes }) => bytes)]);
  const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS } = constants;
  return brotliCompressSync(all, { params: { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS } });
}

/**
 * @param {string} archive
 * @param {string} folder - where to write the files
 */
export function unpackTemplate(archive, folder) {
  const all = brotliDecompressSync(readFileSync(archive));
  let start = all.indexOf('\n') + 1;
  const made = new Set();
  for (const [path, size] of JSON.parse(all.toString('utf8', 0, start))) {
    const file = join(folder, path);
    const parent = dirname(file);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    writeFileSync(file, all.subarray(start, start + size));
    start += size;
  }
}
