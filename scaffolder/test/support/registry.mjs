/** Registries for the real npm: one with a single package, and none at all. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PUBLISHED_TEMPLATE } from '../../own-package.mjs';
import { temporaryFolder } from './folders.mjs';

/** @param {string} url */
const npmSettings = (url) => ({ npm_config_registry: url, npm_config_cache: temporaryFolder() });

/** @returns {Record<string, string>} environment; no server listens on port 9, for discarded data */
export function closedRegistry() {
  return { ...npmSettings('http://127.0.0.1:9/'), npm_config_fetch_retry_mintimeout: '1' };
}

/**
 * @param {string} name
 * @param {string} version
 * @param {Record<string, string>} files - of the package's template, by path
 * @returns {Promise<{ env: Record<string, string> }>}
 */
export async function registryWith(name, version, files) {
  const published = Object.entries(files).map(([path, text]) => [
    `${PUBLISHED_TEMPLATE}/${path}`,
    text,
  ]);
  const folder = temporaryFolder({
    'package.json': JSON.stringify({ name, version }),
    ...Object.fromEntries(published),
  });
  execFileSync('npm', ['pack', '--silent'], { cwd: folder });
  const tarball = readFileSync(join(folder, `${name}-${version}.tgz`));
  const server = createServer((request, response) => {
    if (request.url === '/package.tgz') return response.end(tarball);
    if (request.url !== `/${name}`) return response.writeHead(404).end();
    const dist = { tarball: `http://${request.headers.host}/package.tgz` };
    const versions = { [version]: { name, version, dist } };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { env: npmSettings(`http://127.0.0.1:${port}/`) };
}
