/**
 * Runs a package registry on this machine. verdaccio stores both packages of this repository, and all others come from
 * the registry of npm's configuration. The binaries of other platforms are placeholders: Yarn Classic downloads and
 * unpacks all of them, which are two gigabytes, and a mirror of npm may lack some.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../../harness/ports.mjs';
import { start } from '../../harness/guarded-process.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';

const PROGRAM = join(import.meta.dirname, 'node_modules/verdaccio/bin/verdaccio');
const OWN = new Set(['create-lumenize-rpc', 'lumenize-rpc']);

/** Matches the address of an archive in metadata, up to its name. */
const ARCHIVES = /("tarball": *")[^"]*\/-\//g;

/**
 * The entry of a package in a lock file of npm.
 *
 * @typedef {{ version?: string, optionalDependencies?: Record<string, string> }} Locked
 */

export class Registry {
  /** The versions of binaries for other platforms, by name. @type {Map<string, string[]>} */
  #placeholders = new Map(notInstalled().map((name) => [name, []]));
  #server = createServer((request, response) => {
    // The package managers try again after this status.
    this.#answer(request, response).catch(() => response.writeHead(502).end());
  });
  /** The address of verdaccio. */
  #store = '';
  #upstream = '';

  /**
   * @param {string} folder - the folder for its files
   * @param {NodeJS.ProcessEnv} env
   */
  async start(folder, env) {
    fs.mkdirSync(folder);
    const { out } = await run('npm', ['config', 'get', 'registry'], { cwd: folder, env });
    this.#upstream = out.trim().replace(/\/?$/, '/');
    this.#store = await startVerdaccio(folder, env);
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /**
   * Redirects requests for archives. Passes metadata on, because npm refuses archives that metadata places elsewhere.
   *
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  async #answer({ url = '/', headers }, response) {
    const path = url.slice(1);
    const [name = '', archive] = decodeURIComponent(path).split('/-/');
    const versions = this.#placeholders.get(name);
    if (versions) {
      response.statusCode = versions.length > 0 && !archive ? 200 : 404;
      return response.end(JSON.stringify(placeholder(name, versions, this.url)));
    }
    const location = new URL(path, OWN.has(name) ? this.#store : this.#upstream).href;
    if (archive) return response.writeHead(302, { location }).end();
    const answer = await fetch(location, { headers: { accept: headers.accept ?? '*/*' } });
    const text = await answer.text();
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    return response.end(text.replaceAll(ARCHIVES, `$1${this.url}${name}/-/`));
  }

  get url() {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  }

  /**
   * @param {NodeJS.ProcessEnv} env
   * @param {string} folder - the folder for a file of settings
   * @returns {NodeJS.ProcessEnv} the environment with which npm publishes to it
   */
  publisher(env, folder) {
    const settings = join(folder, 'publisher.npmrc');
    // verdaccio needs no token, but npm requires one.
    const token = `//${new URL(this.#store).host}/:_authToken=anyone`;
    fs.writeFileSync(settings, `registry=${this.#store}\n${token}\n`);
    return { ...env, npm_config_userconfig: settings };
  }

  /**
   * Adds placeholders for the binaries of other platforms that npm has not found. npm installs a project without them,
   * and yarn does not.
   *
   * @param {string} lock - path of the lock file of a project that npm has installed from this registry
   */
  fillGaps(lock) {
    const packages = packagesIn(lock);
    const found = new Set(
      Object.entries(packages).map(([path, { version }]) => {
        const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
        return `${name}@${version}`;
      }),
    );
    for (const [name, versions] of binariesIn(packages)) {
      if (versions.every((version) => found.has(`${name}@${version}`))) continue;
      this.#placeholders.set(name, versions);
    }
  }

  stop() {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/**
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} its address
 */
async function startVerdaccio(folder, env) {
  fs.writeFileSync(join(folder, 'config.yaml'), configuration(folder));
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

/** @param {string} folder */
function configuration(folder) {
  return JSON.stringify({
    storage: join(folder, 'storage'),
    packages: Object.fromEntries(
      Array.from(OWN, (name) => [name, { access: '$all', publish: '$all' }]),
    ),
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  });
}

/**
 * @param {string} name
 * @param {string[]} versions
 * @param {string} registry
 * @returns {object} the metadata of packages for a platform that does not exist
 */
function placeholder(name, versions, registry) {
  const described = versions.map((version) => {
    const dist = {
      shasum: createHash('sha1').digest('hex'),
      integrity: `sha512-${createHash('sha512').digest('base64')}`,
      // Yarn Classic goes on if there is no archive at this address.
      tarball: new URL(`${name}/-/${name}-${version}.tgz`, registry).href,
    };
    return [version, { name, version, os: ['none'], dist }];
  });
  const latest = versions.at(-1);
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(described) };
}

/** @returns {string[]} the binaries that npm has not installed in this repository */
function notInstalled() {
  const packages = packagesIn(join(REPOSITORY, 'package-lock.json'));
  const there = Object.keys(packages).filter((path) => fs.existsSync(join(REPOSITORY, path)));
  const names = binariesIn(packages).map(([name]) => name);
  return names.filter((name) => !there.some((path) => path.endsWith(`node_modules/${name}`)));
}

/**
 * @param {Record<string, Locked>} packages
 * @returns {[name: string, versions: string[]][]} the optional packages whose versions are exact
 */
function binariesIn(packages) {
  /** @type {Map<string, string[]>} */
  const all = new Map();
  for (const { optionalDependencies = {} } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      all.set(name, [...(all.get(name) ?? []), version]);
    }
  }
  return [...all].filter(([, versions]) => versions.every((version) => /^\d/.test(version)));
}

/**
 * @param {string} lock
 * @returns {Record<string, Locked>} by path
 */
function packagesIn(lock) {
  return JSON.parse(fs.readFileSync(lock, 'utf8')).packages;
}
