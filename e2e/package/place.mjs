/**
 * Packs the package lumenize-rpc from the built folder, as it is published, and creates projects outside this
 * repository in which it is installed.
 */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll } from 'vitest';
import { VENDOR } from '../../runtime/build.mjs';
import { readJsonc } from '../../harness/jsonc.mjs';
import { packedIn } from '../../harness/repository.mjs';
import { stopAll } from '../../harness/guarded-process.mjs';
import { write } from '../setup/projects.mjs';
import { outsideEnvironment, REPOSITORY, run } from '../setup/outside.mjs';

export { VENDOR };

/** The manifest of the built package. */
export const MANIFEST = readJson(join(VENDOR, 'package.json'));
/** The doors: the last parts of the names that users import. */
export const DOORS = Object.keys(MANIFEST.exports)
  .filter((name) => name !== './package.json')
  .map((name) => name.replace('./', ''));

const { dependencies, devDependencies } = readJson(join(REPOSITORY, 'template/package.json'));
/** The versions of packages in a created project. @type {Record<string, string>} */
const VERSIONS = { ...dependencies, ...devDependencies };

/**
 * @param {string[]} names - the names of packages that a created project has
 * @returns {Record<string, string>} their versions
 */
export function versionsOf(...names) {
  return Object.fromEntries(names.map((name) => [name, VERSIONS[name] ?? '']));
}

/**
 * Creates a folder that is removed after the tests of the file, when its processes have ended.
 *
 * @param {string} name
 */
export function temporaryPlace(name) {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), `${name}-`)));
  afterAll(async () => {
    await stopAll();
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...outsideEnvironment(root), npm_config_audit: 'false', npm_config_fund: 'false' };
  // The path has the Node of this repository, because npm and its scripts need a recent version.
  const node = join(REPOSITORY, 'node_modules/node/bin');
  env['PATH'] = [join(root, 'node_modules/.bin'), node, env['PATH']].join(delimiter);
  return { root, env };
}

/**
 * @param {{ root: string, env: NodeJS.ProcessEnv }} place
 * @param {string} [folder] - the folder to pack
 * @returns {Promise<{ tarball: string, files: string[] }>} the archive's path, and the files in it
 */
export async function pack({ root, env }, folder = VENDOR) {
  const args = ['pack', '--json', '--pack-destination', root];
  const { out } = await run('npm', args, { cwd: folder, env });
  const { filename, files } = packedIn(out);
  return { tarball: join(root, filename), files: files.map(({ path }) => path) };
}

/**
 * Installs the packed package, and other packages.
 *
 * @param {{ root: string, env: NodeJS.ProcessEnv }} place
 * @param {Record<string, string>} others - versions by name
 * @param {Record<string, string>} overrides - overrides of the versions that these packages require
 */
export async function installPackage(place, others, overrides) {
  const { tarball } = await pack(place);
  const manifest = {
    private: true,
    type: 'module',
    dependencies: { 'lumenize-rpc': `file:${tarball}`, ...others },
    overrides,
    allowScripts: { esbuild: true, workerd: true },
  };
  write(join(place.root, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['install', '--prefer-offline'], { cwd: place.root, env: place.env });
}

const INDEX = `import { routeDORequest } from 'lumenize-rpc/server';
export { Counter } from './counter.ts';

export default {
  async fetch(request, env) {
    const response = await routeDORequest(request, env, { bindings: ['COUNTER'] });
    return response ?? new Response('Not found', { status: 404 });
  },
} satisfies ExportedHandler<Env>;
`;

const CLIENT = `import { createRpcClient, RpcError, subscribe, withOptions } from 'lumenize-rpc/client';
import type { Counter } from './counter.ts';

export function counterAt(baseUrl: string, transport: 'http' | 'websocket' = 'websocket') {
  return createRpcClient<Counter>('COUNTER', 'my-counter', { baseUrl, transport });
}
export type CounterClient = ReturnType<typeof counterAt>;

export async function count(counter: CounterClient): Promise<number> {
  try {
    await withOptions(counter, { timeout: 10_000 }).reset();
    return await counter.increment(counter.increment());
  } catch (error) {
    if (error instanceof RpcError && error.code === 'INVALID_ARGUMENTS') return 0;
    throw error;
  }
}

export async function firstValue(counter: CounterClient): Promise<number | undefined> {
  for await (const value of subscribe(counter).getValue()) return value;
  return undefined;
}

// @ts-expect-error: no such method
export const missing = (counter: CounterClient): unknown => counter.decrement();
// @ts-expect-error: not a number
export const wrong = (counter: CounterClient): unknown => counter.increment('one');
`;

const ENV = `interface Env {
  COUNTER: DurableObjectNamespace<import('./src/counter.ts').Counter>;
}
`;

/**
 * Writes a project: the counter of a created project, a Worker and a client.
 *
 * @param {string} folder
 */
export function writeProject(folder) {
  const template = join(REPOSITORY, 'template');
  const { compatibility_date, compatibility_flags } = /** @type {any} */ (
    readJsonc(join(template, 'wrangler.jsonc'))
  );
  const configuration = {
    name: 'packaged',
    main: 'src/index.ts',
    compatibility_date,
    compatibility_flags,
    durable_objects: { bindings: [{ name: 'COUNTER', class_name: 'Counter' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Counter'] }],
  };
  for (const [path, text] of Object.entries({
    'package.json': JSON.stringify({ private: true, type: 'module' }),
    'wrangler.jsonc': JSON.stringify(configuration),
    'env.d.ts': ENV,
    'src/counter.ts': fs.readFileSync(join(template, 'src/counter.ts'), 'utf8'),
    'src/index.ts': INDEX,
    'src/client.ts': CLIENT,
  })) {
    write(join(folder, path), text);
  }
}

/**
 * @param {string} path
 * @returns {any}
 */
function readJson(path) {
  return JSON.parse(fs.readFileSync(path, 'utf8'));
}
