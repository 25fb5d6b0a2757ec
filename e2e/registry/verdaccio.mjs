/** A package registry on this machine: it stores this package, and forwards requests for all others. */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../harness/ports.mjs';
import { start } from '../../harness/guarded-process.mjs';
import { run } from '../outside.mjs';

const PROGRAM = join(import.meta.dirname, 'node_modules/verdaccio/bin/verdaccio');

/**
 * @param {string} folder - for its files
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} its address
 */
export async function startRegistry(folder, env) {
  fs.mkdirSync(folder);
  const upstream = (await run('npm', ['config', 'get', 'registry'], { cwd: folder, env })).out;
  fs.writeFileSync(join(folder, 'config.yaml'), configuration(folder, upstream.trim()));
  const address = `127.0.0.1:${await freePort()}`;
  const args = [PROGRAM, '--config', join(folder, 'config.yaml'), '--listen', address];
  const server = start(process.execPath, args, { cwd: folder, env, output: 'pipe' });
  let log = '';
  return new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (chunk) => {
        log += chunk;
        if (log.includes(`http://${address}/`)) resolve(`http://${address}/`);
      });
    }
    server.once('exit', (code) => reject(new Error(`verdaccio ended with ${code}:\n${log}`)));
  });
}

/**
 * Publishes a package to the registry.
 *
 * @param {string} registry
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options - where the package is
 */
export async function publish(registry, options) {
  // The registry needs no token, but npm requires one.
  const token = `--//${new URL(registry).host}/:_authToken=anyone`;
  await run('npm', ['publish', '--registry', registry, '--access', 'public', token], options);
}

/**
 * A mirror of npm may lack the binaries of other platforms. yarn does not download these binaries, but checks that
 * they exist. So this publishes empty packages for the missing ones.
 *
 * @param {string} registry
 * @param {string} lock - path of the lock file of a project that npm has installed from this registry
 */
export async function fillGaps(registry, lock) {
  const { packages } = JSON.parse(fs.readFileSync(lock, 'utf8'));
  /** The packages that npm has found there, for all platforms. */
  const locked = new Set(
    Object.entries(packages).map(([path, { version }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `${name}@${version}`;
    }),
  );
  /** @type {Record<string, string>[]} */
  const optional = Object.values(packages).map(
    ({ optionalDependencies = {} }) => optionalDependencies,
  );
  const missing = new Set(
    optional
      .flatMap(Object.entries)
      .map(([name, version]) => `${name}@${version}`)
      .filter((id) => !locked.has(id)),
  );
  const byName = Map.groupBy(missing, (id) => id.slice(0, id.lastIndexOf('@')));
  await Promise.all(
    Array.from(byName, async ([name, ids]) => {
      const answer = await fetch(addressOf(name, registry));
      /** @type {any} */
      const found = answer.ok ? await answer.json() : { versions: {} };
      for (const id of ids) {
        const version = id.slice(name.length + 1);
        if (!/^\d/.test(version) || version in found.versions) continue;
        await publishStub(registry, name, version);
      }
    }),
  );
}

/**
 * @param {string} name
 * @param {string} registry
 */
function addressOf(name, registry) {
  return new URL(name.replace('/', '%2f'), registry);
}

/**
 * Publishes an empty package by a request like npm's. The program npm would take a second for each of dozens.
 *
 * @param {string} registry
 * @param {string} name
 * @param {string} version
 */
async function publishStub(registry, name, version) {
  const file = `${name}-${version}.tgz`;
  // No program unpacks the archive.
  const archive = Buffer.from(file);
  const dist = {
    shasum: createHash('sha1').update(archive).digest('hex'),
    integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}`,
    tarball: new URL(`${name}/-/${file}`, registry).href,
  };
  const document = {
    _id: name,
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { name, version, os: ['none'], dist } },
    _attachments: {
      [file]: {
        content_type: 'application/octet-stream',
        data: archive.toString('base64'),
        length: archive.length,
      },
    },
  };
  const answer = await fetch(addressOf(name, registry), {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(document),
  });
  if (!answer.ok) throw new Error(`${name}@${version}: ${answer.status} ${await answer.text()}`);
}

/**
 * @param {string} folder
 * @param {string} upstream
 */
function configuration(folder, upstream) {
  return JSON.stringify({
    storage: join(folder, 'storage'),
    // The default is 2 minutes. After that, verdaccio would fetch all metadata again.
    uplinks: { upstream: { url: upstream, cache: true, timeout: '2m', maxage: '1h' } },
    packages: {
      'create-lumenize-rpc': { access: '$all', publish: '$all' },
      '**': { access: '$all', publish: '$all', proxy: 'upstream' },
    },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  });
}
