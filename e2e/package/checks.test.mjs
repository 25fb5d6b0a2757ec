/** Checks the built package without a project: its manifest, its files, and the graph of its modules. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { REPOSITORY, run } from '../setup/outside.mjs';
import { DOORS, MANIFEST, pack, temporaryPlace, VENDOR } from './place.mjs';

const place = temporaryPlace('package-checks');
const { tarball, files } = await pack(place);
const PROGRAMS = join(REPOSITORY, 'node_modules/.bin');

test('publint reports nothing', async () => {
  const { all } = await run(join(PROGRAMS, 'publint'), ['run', tarball, '--strict'], {
    cwd: place.root,
    env: place.env,
  });
  expect(all).toContain('All good!');
});

test('it has the files that it names, at most 58 files besides its pages, and no path of one machine', () => {
  const named = Object.values(MANIFEST.exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  for (const path of named) expect(files, path).toContain(path.replace('./', ''));
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
  const isPage = (/** @type {string} */ path) =>
    /^(?:docs\/(?:guides\/)?[\w-]+\.md|skills\/lumenize-rpc\/SKILL\.md|llms\.txt)$/.test(path);
  const others = files.filter((path) => !isPage(path));
  expect(others.length).toBeLessThanOrEqual(58);
  expect(others.filter((path) => !/^dist\/[\w-]+(?:\.d\.ts|\.js)$/.test(path))).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ]);
  const pages = globSync('{llms.txt,{docs,skills}/**/*.md}', { cwd: join(REPOSITORY, 'runtime') });
  expect(files.filter(isPage).toSorted()).toEqual(pages.toSorted());
  for (const path of files) {
    expect(readFileSync(join(VENDOR, path), 'utf8'), path).not.toContain(REPOSITORY);
  }
});

test('it installs nothing, and all of its peers are optional', () => {
  expect(MANIFEST).not.toHaveProperty('dependencies');
  expect(MANIFEST).not.toHaveProperty('devDependencies');
  expect(MANIFEST.sideEffects).toBe(false);
  const isOptional = (/** @type {string} */ name) => MANIFEST.peerDependenciesMeta[name]?.optional;
  expect(Object.keys(MANIFEST.peerDependencies).filter((name) => !isOptional(name))).toEqual([]);
});

/**
 * @param {string} door
 * @returns {Promise<Map<string, string[]>>} the modules of the package behind a door, each with its imports
 */
async function graphOf(door) {
  const { types: _, ...byCondition } = MANIFEST.exports[`./${door}`];
  return graphFrom(Object.values(byCondition));
}

/** @param {string[]} entries - paths in the package */
async function graphFrom(entries) {
  const { metafile } = await build({
    entryPoints: entries.map((path) => join(VENDOR, path)),
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
    outdir: place.root,
    absWorkingDir: VENDOR,
    logLevel: 'error',
    // Only modules of the package are followed.
    plugins: [
      {
        name: 'others',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' ? undefined : { path, external: true },
          ),
      },
    ],
  });
  return new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => [
      path,
      imports.filter(({ external }) => !external).map((one) => one.path),
    ]),
  );
}

/**
 * @param {Map<string, string[]>} graph
 * @returns {string[] | undefined} modules of which each imports the next, and the last is the first
 */
function cycleIn(graph) {
  /** @type {Set<string>} */
  const done = new Set();
  /**
   * @param {string} module
   * @param {string[]} path
   * @returns {string[] | undefined}
   */
  function visit(module, path) {
    if (path.includes(module)) return [...path.slice(path.indexOf(module)), module];
    if (done.has(module)) return undefined;
    for (const next of graph.get(module) ?? []) {
      const cycle = visit(next, [...path, module]);
      if (cycle) return cycle;
    }
    done.add(module);
    return undefined;
  }
  return [...graph.keys()].map((module) => visit(module, [])).find(Boolean);
}

test('the search finds a cycle', () => {
  const graph = new Map([
    ['a', ['b', 'c']],
    ['b', ['c']],
    ['c', ['b']],
  ]);
  expect(cycleIn(graph)).toEqual(['b', 'c', 'b']);
});

test.each(DOORS)('no module behind the door %s imports itself through others', async (door) => {
  expect(cycleIn(await graphOf(door))).toBeUndefined();
});

test('client and server share only the modules of the wire', async () => {
  const [client, server] = await Promise.all(['client', 'server'].map(graphOf));
  const names = (/** @type {Map<string, unknown> | undefined} */ graph) =>
    [...(graph?.keys() ?? [])].map((path) => basename(path));
  expect(names(client).filter((name) => /^(?:server|schemas)/.test(name))).toEqual([]);
  expect(names(server).filter((name) => name.startsWith('client'))).toEqual([]);
});

test('a program that only observes sockets has no debug output, and no code of an object', async () => {
  const { metafile } = await build({
    stdin: {
      contents: `export { observeSockets } from './dist/debug.js';`,
      resolveDir: VENDOR,
    },
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const [output] = Object.values(metafile.outputs);
  const used = Object.entries(output?.inputs ?? {}).filter(
    ([, { bytesInOutput }]) => bytesInOutput,
  );
  expect(used.map(([path]) => basename(path)).toSorted()).toEqual(['debug-sockets.js', 'wire.js']);
});

/**
 * @param {string} entry - an entry of a contract
 * @param {boolean} minify
 * @returns {Promise<string>} the bundle of a Worker with that contract, for production
 */
async function workerWith(entry, minify) {
  const contents = `
    import { events, live, lumenizeRpcDO, routeDORequest } from './dist/server.js';
    export const Room = lumenizeRpcDO(class { topic() {} }, { topic: ${entry} });
    export default { fetch: (request, env) => routeDORequest(request, env) };
  `;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: VENDOR },
    bundle: true,
    format: 'esm',
    minify,
    write: false,
    external: ['cloudflare:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}

// Statements with an effect at the top level of a module would keep a feature in the bundle.
test.each([
  ['[]', [], 91_400],
  ['live()', ['LiveCalls', 'Subscribers'], 105_500],
])('the bundle of an object with %s has no other feature', async (entry, own, limit) => {
  const text = await workerWith(entry, false);
  const classes =
    'ArgumentStream CallbackArguments CallbackCalls FeedLog FeedOfObject LiveCalls OpenStream RowsSubscription Subscribers';
  expect(
    classes
      .split(' ')
      .filter((name) => text.includes(`class ${name} `) || text.includes(`var ${name} `)),
  ).toEqual(own);
  expect((await workerWith(entry, true)).length).toBeLessThan(limit);
});

test('each file of the package is behind a door, or behind a program of the package', async () => {
  const programs = Object.values(MANIFEST.bin);
  const graphs = await Promise.all([...DOORS.map(graphOf), graphFrom(programs)]);
  const reached = new Set(graphs.flatMap((graph) => Array.from(graph.keys())));
  const all = Array.from(reached, (path) => readFileSync(join(VENDOR, path), 'utf8')).join('');
  const others = files.filter((path) => path.endsWith('.js') && !reached.has(path));
  expect(
    others.filter(
      (path) => !all.includes(`'./${basename(path)}'`) && !all.includes(`"./${basename(path)}"`),
    ),
  ).toEqual([]);
});

test('the code is readable: neither minified nor mapped, and with its comments', () => {
  for (const path of files.filter((file) => file.endsWith('.js'))) {
    const text = readFileSync(join(VENDOR, path), 'utf8');
    expect(text, path).not.toContain('sourceMappingURL');
    const code = text.split('\n').filter((line) => !/^(?:import|export) /.test(line));
    expect(Math.max(...code.map(({ length }) => length)), path).toBeLessThan(500);
    // The modules of doors only export other modules.
    if (code.some((line) => line)) expect(text, path).toContain('/**');
  }
});
