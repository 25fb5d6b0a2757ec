/**
 * Tests the contents of bundles. The bundle of a Worker has the features that its contract uses,
 * and no explanations in production. The bundle of a client has only the code that the program
 * imports.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');

interface Case {
  name: string;
  /** The imports of the Worker besides `lumenizeRpcDO` and `routeDORequest`. */
  imports: readonly string[];
  contract: string;
  /** The arguments after the contract. */
  options?: string;
  /** Statements before the class. */
  before?: string;
  /** The folders of features/ from which the bundle has code. */
  features: readonly string[];
}

const CASES: readonly Case[] = [
  { name: 'no feature', imports: ['read'], contract: 'a: [], b: read()', features: [] },
  { name: 'live()', imports: ['live'], contract: 'a: live()', features: ['live', 'subscriptions'] },
  {
    name: 'events(), whose method returns a feed',
    imports: ['events', 'feed'],
    before: 'export const append = (own, event) => feed(own, "a").append(event);',
    contract: 'a: events()',
    features: ['feeds', 'subscriptions'],
  },
  {
    name: 'presence()',
    imports: ['presence'],
    contract: 'a: presence()',
    features: ['presence', 'subscriptions'],
  },
  {
    name: 'stream()',
    imports: ['stream'],
    contract: 'a: stream()',
    features: ['streams', 'subscriptions'],
  },
  {
    name: 'rows()',
    imports: ['rows'],
    contract: 'a: rows("id", [Type.Optional(Type.Integer())])',
    features: ['streams', 'subscriptions'],
  },
  {
    name: 'streamOf()',
    imports: ['streamOf'],
    contract: 'a: [streamOf(Type.String())]',
    features: ['argument-streams'],
  },
  {
    name: 'callback()',
    imports: ['callback'],
    contract: 'a: [callback([Type.String()])]',
    features: ['callbacks'],
  },
  {
    name: 'a class made by capability()',
    imports: ['capability'],
    before: 'const Desk = capability(class DeskImpl {}, [], {});',
    contract: 'a: { returns: Desk }',
    features: ['capabilities'],
  },
  {
    name: 'use: [bytes]',
    imports: ['bytes'],
    contract: 'a: []',
    options: '{ use: [bytes] }',
    features: ['bytes'],
  },
  {
    name: 'onCall: reportCalls(…)',
    imports: ['reportCalls'],
    contract: 'a: []',
    options: '{ onCall: reportCalls(() => {}) }',
    features: ['reports'],
  },
  {
    name: 'use: [tracing]',
    imports: ['tracing'],
    contract: 'a: []',
    options: '{ use: [tracing] }',
    features: ['tracing'],
  },
];

/**
 * The explanations of mistakes, which only development needs. Other files reach them through the
 * file that is left out.
 */
const EXPLANATIONS = readdirSync(join(SOURCES, 'server/diagnostics'))
  .filter((file) => file !== 'explanations.ts')
  .map((file) => `server/diagnostics/${file}`);

/** Returns the number of bytes of each file in a bundle. */
async function sizesIn(
  contents: string,
  external: string[] = [],
  environment: 'production' | 'development' = 'production',
): Promise<[file: string, bytes: number][]> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: SOURCES, loader: 'ts' },
    bundle: true,
    format: 'esm',
    metafile: true,
    write: false,
    minify: true,
    external: ['cloudflare:*', ...external],
    define: { 'process.env.NODE_ENV': JSON.stringify(environment) },
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).map(([file, { bytesInOutput }]): [string, number] => [
      file.replace(/^.*runtime\/src\//, ''),
      bytesInOutput,
    ]),
  );
}

/**
 * Returns the files of which a bundle has at least a statement. The paths of the runtime's files
 * are relative to its sources.
 */
async function filesIn(...bundle: Parameters<typeof sizesIn>): Promise<string[]> {
  return (await sizesIn(...bundle)).flatMap(([file, bytes]) => (bytes > 0 ? [file] : []));
}

function filesInWorker(
  { imports, contract, options = '{}', before = '' }: Case,
  environment: 'production' | 'development',
): Promise<string[]> {
  const contents = `
    import { ${['lumenizeRpcDO', 'routeDORequest', ...imports].join()} } from './server.ts';
    import * as Type from './typebox.ts';
    ${before}
    export const Own = lumenizeRpcDO(class {}, { ${contract} }, ${options});
    export default { fetch: (request, env) => routeDORequest(request, env) };
  `;
  return filesIn(contents, ['typebox', 'typebox/*'], environment);
}

/** Returns the folders of features/ that contain the files. */
function featuresOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) => /^features\/([^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

test.each(CASES)('$name: the bundle has exactly these features', async (one) => {
  const files = await filesInWorker(one, 'production');
  expect(files).toContain('server/calls/frame-run.ts');
  expect(featuresOf(files)).toEqual(one.features);
  // This file only has code that reads or writes binary frames.
  expect(files.includes('wire/bytes.ts')).toBe(one.features.includes('bytes'));
  expect(files.filter((file) => /^client\/|^testing\/|^perf\//.test(file))).toEqual([]);
});

test('a contract that uses all features brings them all', async () => {
  const all: Case = {
    name: 'all',
    imports: [...new Set(CASES.flatMap(({ imports }) => imports))],
    before: CASES.map(({ before = '' }) => before).join('\n'),
    contract: CASES.map(({ contract }, index) => contract.replace('a:', `a${index}:`)).join(),
    options: '{ use: [bytes, tracing], onCall: reportCalls(() => {}) }',
    features: [],
  };
  expect(featuresOf(await filesInWorker(all, 'production'))).toEqual(
    [...new Set(CASES.flatMap(({ features }) => features))].toSorted(),
  );
});

describe('the explanations of mistakes', () => {
  test.each(CASES)('$name: production has none of them', async (one) => {
    const files = await filesInWorker(one, 'production');
    expect(files.filter((file) => EXPLANATIONS.includes(file))).toEqual([]);
  });

  test.each(CASES)('$name: development has them all', async (one) => {
    expect(await filesInWorker(one, 'development')).toEqual(expect.arrayContaining(EXPLANATIONS));
  });
});

test('a Worker contains no code of TypeBox', async () => {
  const contents = `
    import { callback, lumenizeRpcDO } from './server.ts';
    import * as Type from './typebox.ts';
    const own = Type.Object({ names: Type.Array(Type.String()), by: Type.Optional(Type.Integer()) });
    export const Own = lumenizeRpcDO(class {}, { a: [own, callback([Type.Number()])] });
  `;
  const files = await filesIn(contents);
  expect(files).toContain('server/schemas/json-schema.ts');
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
});

test('a Worker contains only the builders that its contracts use', async () => {
  const built = async (schemas: string): Promise<number> => {
    const contents = `import * as Type from './typebox.ts'; export default [${schemas}];`;
    const sizes = await sizesIn(contents);
    expect(sizes.filter(([file, bytes]) => bytes > 0 && file.includes('node_modules'))).toEqual([]);
    return sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  };
  expect(await built('')).toBeLessThan(100);
  expect(await built('Type.Optional(Type.Integer())')).toBeLessThan(600);
  expect(await built('Type.Record(Type.String(), Type.Number())')).toBeLessThan(2_500);
  expect(await built('Type')).toBeLessThan(5_000);
});

/** The import of a program for each feature, and a file that the feature brings. */
const CLIENT_FEATURES = [
  ['callback', 'features/callbacks/client/callback.ts'],
  ['capabilities', 'features/capabilities/client/capabilities.ts'],
  ['stream', 'features/argument-streams/client/stream.ts'],
  ['subscribe', 'features/subscriptions/client/subscribe.ts'],
  ['bytes', 'features/bytes/client/bytes.ts'],
  ['reportCalls', 'features/reports/client/report-calls.ts'],
  ['traceCalls', 'features/tracing/client/trace-calls.ts'],
] as const;

const filesInClient = (imports: string): Promise<string[]> =>
  filesIn(`export { ${imports} } from './client.ts'`);

test('the core of a client brings no feature, no server and no TypeBox', async () => {
  const files = await filesInClient('createRpcClient, withOptions, RpcError');
  expect(files).toContain('client/session.ts');
  expect(files.filter((file) => /^server\/|node_modules/.test(file))).toEqual([]);
  expect(files).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/callbacks|capabilities|streams|subscribe/)]),
  );
});

test('live stores and hooks bring no code of optimistic changes', async () => {
  const own = 'features/live/client/optimistic.ts';
  expect(await filesInClient('liveStore, optimistic')).toContain(own);
  expect(await filesInClient('clientStore, liveStore, subscribe')).not.toContain(own);
  const hooks = (names: string): Promise<string[]> =>
    filesIn(`export { ${names} } from './react.ts'`, ['react']);
  expect(await hooks('useOptimisticLive')).toContain(own);
  expect(await hooks('useConnectionState, useLive, useRpcClient')).not.toContain(own);
});

test.each(CLIENT_FEATURES)(
  '%s of a client brings its own file and no other feature',
  async (name, own) => {
    const files = await filesInClient(`createRpcClient, ${name}`);
    expect(files).toContain(own);
    for (const [other, file] of CLIENT_FEATURES) {
      // Tracing creates spans from reports.
      const isBase = name === 'traceCalls' && other === 'reportCalls';
      if (file !== own && !isBase) expect(files).not.toContain(file);
    }
  },
);

test('the door for TanStack Query brings no library, no server, and at most 5 kB of its own', async () => {
  const sizes = await sizesIn(`export * from './tanstack.ts'`);
  const files = sizes.map(([file]) => file);
  expect(files).toContain('features/live/client/live-store.ts');
  expect(files.filter((file) => /^server\/|node_modules/.test(file))).toEqual([]);
  const own = sizes.filter(([file]) => file.startsWith('tanstack/'));
  expect(own.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(5_000);
  const plain = await filesIn(`export { queryOptions, mutationOptions } from './tanstack.ts'`);
  expect(plain.filter((file) => /follower|subscribe|live-store/.test(file))).toEqual([]);
});

describe('the door for plain HTTP', () => {
  const worker = (routes: string): string => `
    import { lumenizeRpcDO, routeDORequest } from './server.ts';
    import { openApi, routeHttpRequest } from './http.ts';
    import * as Type from './typebox.ts';
    export const Own = lumenizeRpcDO(class {}, { a: [Type.String()] });
    export default { fetch: (request, env) => ${routes} };
  `;
  const external = ['typebox', 'typebox/*'];

  test('is absent from a Worker that does not use it', async () => {
    const files = await filesIn(worker('routeDORequest(request, env)'), external);
    expect(
      files.filter((file) => /^http\/|description\.ts$|client\/reader\.ts$/.test(file)),
    ).toEqual([]);
  });

  test('has at most 17.5 kB', async () => {
    const routes = 'routeHttpRequest(request, env, { classes: { OWN: Own } })';
    const sizes = await sizesIn(worker(routes), external);
    const own = sizes.filter(([file]) => file.startsWith('http/'));
    expect(own.map(([file]) => file)).toContain('http/route.ts');
    expect(own.filter(([file]) => file.startsWith('http/openapi'))).toEqual([]);
    expect(own.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(17_500);
  });

  test('the OpenAPI document adds at most 12 kB', async () => {
    const openapi = '{ generator: openApi }';
    const sizes = await sizesIn(
      worker(`routeHttpRequest(request, env, { classes: { OWN: Own }, openapi: ${openapi} })`),
      external,
    );
    const own = sizes.filter(([file]) => file.startsWith('http/openapi'));
    expect(own.map(([file]) => file)).toContain('http/openapi/components.ts');
    const size = own.reduce((sum, [, bytes]) => sum + bytes, 0);
    expect(size).toBeLessThan(12_000);
  });

  test('MCP comes only by its import, and has at most 6 kB besides the SDK', async () => {
    const classes = 'classes: { OWN: Own }';
    const without = await filesIn(worker(`routeHttpRequest(request, env, { ${classes} })`));
    expect(without.filter((file) => /mcp|modelcontextprotocol/.test(file))).toEqual([]);
    const contents = `
      import { mcp } from './mcp.ts';
      const agents = mcp({ bindings: ['OWN'] });
      ${worker(`routeHttpRequest(request, env, { ${classes}, mcp: agents })`)}
    `;
    const sizes = await sizesIn(contents, external);
    expect(sizes.some(([file]) => file.includes('@modelcontextprotocol/server'))).toBe(true);
    const own = sizes.filter(([file]) => file.startsWith('http/mcp/'));
    expect(own.map(([file]) => file)).toContain('http/mcp/message.ts');
    expect(own.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(6_000);
  });
});
