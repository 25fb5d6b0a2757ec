/**
 * Deletes a feature: its folder, and the lines of the doors that name it. The rest compiles. An object and a client of
 * the rest do calls, with validation, exactly once, and over lost connections.
 */
import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { RawConnection } from '../../runtime/test/support/raw-connection.ts';
import { Runtime } from '../../harness/runtime.ts';
import { write } from '../setup/projects.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';
import { temporaryPlace } from './place.mjs';

const place = temporaryPlace('without-feature');
const SOURCES = join(REPOSITORY, 'runtime/src');
const FEATURES = fs.readdirSync(join(SOURCES, 'features')).toSorted();
/** The features that are built on another feature, and are deleted with it. */
const BUILT_ON = /** @type {Record<string, string[]>} */ ({
  subscriptions: ['feeds', 'live', 'presence', 'relay', 'streams'],
  feeds: ['relay'],
  live: ['presence', 'relay'],
  reports: ['tracing'],
});

/** Without this feature, the rest also runs as during development. */
const WITH_CHECKS = 'debug';

/** Returns true for files that must not need a feature. */
const isCore = (/** @type {string} */ path) => /^(?:wire|client|server)\//.test(path);
const isDoor = (/** @type {string} */ path) => !path.includes('/');

/** Matches a statement that imports or exports from a file. Group 1 is the file. */
const FROM = /^(?:import|export)\s[^;'"]*?from\s'(\.[^']+)';\n/gm;

/**
 * @param {string} root - the folder of the sources
 * @returns {string[]} paths relative to it
 */
function filesIn(root) {
  const found = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  return found.filter((path) => /\.[jt]s$/.test(path)).toSorted();
}

/**
 * Deletes folders of features, their lines in the doors, and everything outside of the core that is built on them: the
 * performance test, the hooks for React and the code that collects for tests.
 *
 * @param {string} root - the folder of the sources
 * @param {string[]} features
 */
function deleteFeatures(root, features) {
  for (const name of features) fs.rmSync(join(root, 'features', name), { recursive: true });
  for (let before = 0; before !== (before = filesIn(root).length);) {
    for (const path of filesIn(root)) {
      const file = join(root, path);
      const text = fs.readFileSync(file, 'utf8');
      const isGone = (/** @type {string} */ from) => !fs.existsSync(resolve(dirname(file), from));
      const left = text.replace(FROM, (line, from) => (isGone(from) ? '' : line));
      if (left === text) continue;
      if (isCore(path) || path.startsWith('features/')) {
        throw new Error(`${path} needs ${features.join()}`);
      }
      // A door with code of its own belongs to the feature.
      if (
        isDoor(path) &&
        left
          .replace(FROM, '')
          .replace(/\/\*[\s\S]*?\*\//g, '')
          .trim() === ''
      ) {
        fs.writeFileSync(file, left.includes(' from ') ? left : 'export {};\n');
      } else fs.rmSync(file);
    }
  }
}

const WORKER = `
import { DurableObject } from 'cloudflare:workers';
import * as Type from './src/typebox.ts';
import { lumenizeRpcDO, read, routeDORequest } from './src/server.ts';

class CounterImpl extends DurableObject {
  add(amount) {
    this.ctx.storage.kv.put('count', this.count() + amount);
    return this.count();
  }
  count() {
    return this.ctx.storage.kv.get('count') ?? 0;
  }
}

export const Counter = lumenizeRpcDO(CounterImpl, {
  add: [Type.Integer({ maximum: 10 })],
  count: read(),
});

export default {
  async fetch(request, env) {
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
`;

const CONFIG = JSON.stringify({
  name: 'without-feature',
  main: 'worker.ts',
  durable_objects: { bindings: [{ name: 'COUNTER', class_name: 'Counter' }] },
});

/**
 * @param {string} copy - a copy of runtime/
 * @param {string} main
 * @param {string} environment
 */
async function bundle(copy, main, environment) {
  const { outputFiles } = await build({
    entryPoints: [join(copy, main)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    keepNames: true,
    external: ['cloudflare:*', 'node:*'],
    define: { 'process.env.NODE_ENV': JSON.stringify(environment) },
  });
  return /** @type {Uint8Array} */ (outputFiles[0]?.contents);
}

describe.each(FEATURES)('without features/%s', (feature) => {
  const copy = join(place.root, feature, 'runtime');
  const gone = [feature, ...(BUILT_ON[feature] ?? [])];

  test('the rest compiles', async () => {
    const root = join(copy, 'src');
    fs.cpSync(SOURCES, root, { recursive: true });
    fs.symlinkSync(join(REPOSITORY, 'node_modules'), join(place.root, feature, 'node_modules'));
    const { extends: base, ...settings } = JSON.parse(
      fs.readFileSync(join(REPOSITORY, 'runtime/tsconfig.json'), 'utf8'),
    );
    const whole = join(REPOSITORY, 'runtime', base);
    write(join(copy, 'tsconfig.json'), JSON.stringify({ extends: whole, ...settings }));
    deleteFeatures(root, gone);
    const before = filesIn(SOURCES);
    const after = new Set(filesIn(root));
    const lost = before.filter((path) => !after.has(path));
    expect(lost.filter(isCore)).toEqual([]);
    expect(new Set(lost.flatMap((path) => /^features\/([^/]+)/.exec(path)?.[1] ?? []))).toEqual(
      new Set(gone),
    );
    for (const door of ['server.ts', 'client.ts', 'testing.ts']) expect(after).toContain(door);
    const compiler = join(REPOSITORY, 'node_modules/.bin/tsc');
    const args = ['-p', '.', '--noEmit', '--singleThreaded'];
    const { all } = await run(compiler, args, { cwd: copy, env: place.env });
    expect(all).toBe('');
  });

  test.each(feature === WITH_CHECKS ? ['production', 'development'] : ['production'])(
    'an object and a client do calls, for %s',
    async (environment) => {
      write(join(copy, 'worker.ts'), WORKER);
      const config = join(copy, 'wrangler.jsonc');
      write(config, CONFIG);
      const code = await bundle(copy, 'worker.ts', environment);
      const door = join(copy, `client-${environment}.mjs`);
      fs.writeFileSync(door, await bundle(copy, 'src/client.ts', environment));
      const { createRpcClient } = await import(/* @vite-ignore */ pathToFileURL(door).href);
      await using runtime = await Runtime.serve({ config, code });
      const options = { baseUrl: runtime.url, reconnect: { minDelay: 10, maxDelay: 50 } };
      using counter = createRpcClient('COUNTER', 'x', options);
      using posting = createRpcClient('COUNTER', 'x', { ...options, transport: 'http' });

      // Both calls are in one frame, and one takes the result of another.
      expect(await Promise.all([counter.add(1), counter.add(counter.add(1))])).toEqual([1, 4]);
      expect(await posting.count()).toBe(4);
      await expect(counter.add('1')).rejects.toMatchObject({
        code: 'INVALID_ARGUMENTS',
        path: '[0]',
      });
      await expect(counter.subtract(1)).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });

      // A call that is sent again over another connection runs once.
      const url = `${runtime.url}/__rpc/COUNTER/x/call`;
      const protocols = ['lumenize-rpc.1', 'lumenize-rpc-client.the-same-client'];
      for (const frame of ['[[1,"add",[1]]]', '[["resent",1],[1,"add",[1]]]']) {
        using raw = await RawConnection.socket(new WebSocket(url.replace('http', 'ws'), protocols));
        raw.send(frame);
        expect(await raw.next()).toBe('[[1,5]]');
      }

      // The stored data outlasts the process, and the client connects again.
      await runtime.restart();
      expect(await counter.add(1)).toBe(6);
      expect(await posting.count()).toBe(6);
    },
  );
});
