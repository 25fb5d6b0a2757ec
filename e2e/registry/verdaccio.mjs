/** A package registry on this machine: it keeps this package, and passes on everything else. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../harness/ports.mjs';
import { start } from '../../harness/guarded-process.mjs';
import { run } from '../outside.mjs';

const PROGRAM = join(import.meta.dirname, 'node_modules/verdaccio/bin/verdaccio');

/**
 * @param {string} folder - for what it keeps
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
 * Publishes a package to it.
 *
 * @param {string} registry
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options - where the package is
 */
export async function publish(registry, options) {
  // Anyone may, but npm wants a token to send.
  const token = `--//${new URL(registry).host}/:_authToken=anyone`;
  await run('npm', ['publish', '--registry', registry, '--access', 'public', token], options);
}

/**
 * A mirror of npm may lack the binaries of other platforms. yarn never fetches those either, but
 * wants to know that they exist; so empty packages stand for what is missing.
 *
 * @param {string} registry
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options - a folder with a project's package.json
 */
export async function fillGaps(registry, { cwd, env }) {
  await run('npm', ['install', '--package-lock-only', '--registry', registry], { cwd, env });
  const { packages } = JSON.parse(fs.readFileSync(join(cwd, 'package-lock.json'), 'utf8'));
  /** @type {Record<string, string>[]} */
  const optional = Object.values(packages).map(
    ({ optionalDependencies = {} }) => optionalDependencies,
  );
  const wanted = new Map(
    optional
      .flatMap(Object.entries)
      .map(([name, version]) => [`${name}@${version}`, { name, version }]),
  );
  for (const [id, { name, version }] of wanted) {
    const answer = await fetch(new URL(name.replace('/', '%2f'), registry));
    /** @type {any} */
    const found = answer.ok ? await answer.json() : { versions: {} };
    if (!/^\d/.test(version) || version in found.versions) continue;
    const stub = join(cwd, 'stubs', encodeURIComponent(id));
    fs.mkdirSync(stub, { recursive: true });
    fs.writeFileSync(join(stub, 'package.json'), JSON.stringify({ name, version, os: ['none'] }));
    await publish(registry, { cwd: stub, env });
  }
}

/**
 * @param {string} folder
 * @param {string} upstream
 */
function configuration(folder, upstream) {
  return JSON.stringify({
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream, cache: true, timeout: '2m' } },
    packages: {
      'create-lumenize-rpc': { access: '$all', publish: '$all' },
      '**': { access: '$all', publish: '$all', proxy: 'upstream' },
    },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  });
}
