/**
 * The packed package where its users are: wrangler, Vite with Cloudflare's plugin, the vitest plugin, plain Node,
 * browsers, and TypeScript with the settings of several kinds of projects. One installation has what all of them need.
 */
import * as fs from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { startVite } from '../../harness/dev-server.mjs';
import { Runtime } from '../../harness/runtime.ts';
import { write } from '../guides/project.mjs';
import { run } from '../outside.mjs';
import { DOORS, installPackage, temporaryPlace, versionsOf, writeProject } from './place.mjs';

/** Another compiler than the template's, in JavaScript: most projects have it, and its API answers as an editor does. */
const TYPESCRIPT = { typescript: '5.9.3', 'typescript-next': 'npm:typescript@7.0.2' };
const TYPES = { '@types/react': '19.3.0' };

const place = temporaryPlace('package-users');
const { root, env } = place;
const packageFolder = join(root, 'node_modules/lumenize-rpc');

beforeAll(async () => {
  const names = [
    '@cloudflare/vitest-plugin',
    '@cloudflare/workers-types',
    '@types/node',
    'esbuild',
  ];
  await installPackage(place, {
    ...versionsOf('typebox', 'vite', 'vitest', 'wrangler', 'tinybench', 'capnweb', ...names),
    ...TYPESCRIPT,
    ...TYPES,
    react: '19.3.1',
    '@cloudflare/vite-plugin': '1.64.0',
  });
});

/**
 * @param {string} name
 * @returns {string} the folder of a project, which finds what is installed above it
 */
function project(name) {
  const folder = join(root, name);
  writeProject(folder);
  return folder;
}

/** @param {string} baseUrl */
async function callAt(baseUrl) {
  const { createRpcClient, subscribe, RpcError } = await import(
    pathToFileURL(join(packageFolder, 'dist/client.js')).href
  );
  for (const transport of ['http', 'websocket']) {
    const counter = createRpcClient('COUNTER', 'my-counter', { baseUrl, transport });
    await counter.reset();
    expect(await counter.increment(counter.increment())).toBe(2);
    const refused = await counter.increment(-1).catch((/** @type {unknown} */ error) => error);
    expect(refused).toBeInstanceOf(RpcError);
    expect(refused).toMatchObject({ code: 'INVALID_ARGUMENTS', path: '[0]' });
    if (transport === 'websocket') {
      for await (const value of subscribe(counter).getValue()) {
        expect(value).toBe(2);
        break;
      }
    }
    counter[Symbol.dispose]();
  }
}

test('wrangler bundles a Worker, which answers Node from bare workerd', async () => {
  const folder = project('with-wrangler');
  await run('wrangler', ['deploy', '--dry-run', '--outdir', 'out'], { cwd: folder, env });
  const code = fs.readFileSync(join(folder, 'out/index.js'));
  await using runtime = await Runtime.serve({ config: join(folder, 'wrangler.jsonc'), code });
  await callAt(runtime.url);
});

test("Vite with Cloudflare's plugin builds a Worker, and serves it during development", async () => {
  const folder = project('with-vite');
  write(join(folder, 'package.json'), '{ "type": "module", "scripts": { "dev": "vite" } }');
  // The plugin's own copy of workerd is older than the template's.
  const configuration = join(folder, 'wrangler.jsonc');
  const settings = fs.readFileSync(configuration, 'utf8');
  write(
    configuration,
    settings.replace(/"compatibility_date":"[^"]*"/, '"compatibility_date":"2026-10-01"'),
  );
  write(
    join(folder, 'vite.config.ts'),
    `import { cloudflare } from '@cloudflare/vite-plugin';
export default { plugins: [cloudflare({ inspectorPort: false })] };`,
  );
  await run('vite', ['build'], { cwd: folder, env });
  const code = fs.readFileSync(join(folder, 'dist/packaged/index.js'));
  await using runtime = await Runtime.serve({ config: join(folder, 'wrangler.jsonc'), code });
  await callAt(runtime.url);
  const { url } = await startVite(folder, ['run', 'dev'], env);
  await callAt(url);
});

test('a test of the vitest plugin calls an object through lumenize-rpc/testing', async () => {
  const folder = project('with-vitest');
  write(
    join(folder, 'vitest.config.ts'),
    `import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
export default defineConfig({
  plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })],
});`,
  );
  write(
    join(folder, 'test/counter.test.ts'),
    `import * as testing from 'lumenize-rpc/testing';
import * as debug from 'lumenize-rpc/debug';
import * as server from 'lumenize-rpc/server';
import { expect, test } from 'vitest';
import type { Counter } from '../src/counter.ts';

test.each(['websocket', 'http'] as const)('it counts, over %s', async (transport) => {
  using counter = testing.connect<Counter>('COUNTER', transport, { transport });
  expect(await counter.increment()).toBe(1);
  expect(await counter.increment(2)).toBe(3);
});

test('the doors of the Workers runtime can be loaded', () => {
  for (const door of [testing, debug, server]) expect(Object.keys(door)).not.toEqual([]);
});`,
  );
  const { all } = await run('vitest', ['run'], { cwd: folder, env });
  expect(all).toMatch(/Tests .*3 passed/);
});

test('Node imports each door that is not for the Workers runtime alone', async () => {
  const inWorkers = new Set(['server', 'testing']);
  for (const door of DOORS.filter((one) => !inWorkers.has(one))) {
    const code = `const door = await import('lumenize-rpc/${door}');
if (Object.keys(door).length === 0) throw new Error('Empty');`;
    await run('node', ['--input-type=module', '-e', code], { cwd: root, env });
  }
});

describe('a page has nothing of the server, nor of TypeBox', () => {
  const PAGE = `import { createRpcClient, subscribe } from 'lumenize-rpc/client';
const counter = createRpcClient('COUNTER', 'my-counter');
for await (const value of subscribe(counter).getValue()) document.body.textContent = String(value);
`;
  /** @param {readonly string[]} modules - paths of what was bundled */
  const isClean = (modules) => {
    const inPackage = modules.filter((path) => path.includes('lumenize-rpc/dist/'));
    expect(inPackage.length).toBeGreaterThan(1);
    expect(inPackage.filter((path) => /\/(?:server|schemas)[^/]*\.js$/.test(path))).toEqual([]);
    expect(modules.filter((path) => path.includes('typebox'))).toEqual([]);
  };

  test('bundled by esbuild', async () => {
    const folder = join(root, 'page-by-esbuild');
    write(join(folder, 'page.js'), PAGE);
    const args = ['--bundle', '--format=esm', '--outfile=out.js', '--metafile=meta.json'];
    await run('esbuild', ['page.js', ...args], { cwd: folder, env });
    const { inputs } = JSON.parse(fs.readFileSync(join(folder, 'meta.json'), 'utf8'));
    isClean(Object.keys(inputs));
  });

  test('bundled by Vite', async () => {
    const folder = join(root, 'page-by-vite');
    write(join(folder, 'page.js'), PAGE);
    write(join(folder, 'index.html'), '<script type="module" src="/page.js"></script>');
    write(
      join(folder, 'vite.config.js'),
      `import { writeFileSync } from 'node:fs';
export default {
  build: { target: 'es2022' },
  plugins: [{ name: 'modules', generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules));
    writeFileSync('modules.json', JSON.stringify(modules));
  } }],
};`,
    );
    await run('vite', ['build'], { cwd: folder, env });
    isClean(
      JSON.parse(fs.readFileSync(join(folder, 'modules.json'), 'utf8')).map(
        (/** @type {string} */ path) => path.replaceAll(sep, '/'),
      ),
    );
  });
});

/** Compiler options with which users resolve modules. @type {[string, Record<string, unknown>][]} */
const RESOLUTIONS = [
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
];
/** The types of Node and those of Workers exclude each other. What is measured by the door perf is in a Worker. */
const IN_NODE = new Set(['lint']);

/**
 * @param {string} folder
 * @param {string[]} doors
 */
function writeDoors(folder, doors) {
  const text = doors.map((door) => `export * as ${door} from 'lumenize-rpc/${door}';\n`).join('');
  write(join(folder, 'src/doors.ts'), text);
}

const STRICT = {
  target: 'es2024',
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
};

describe.each(['typescript', 'typescript-next'])('%s', (compiler) => {
  /**
   * @param {string} folder
   * @param {Record<string, unknown>} compilerOptions
   */
  async function check(folder, compilerOptions) {
    const text = JSON.stringify({ compilerOptions, include: ['env.d.ts', 'src', 'test'] });
    write(join(folder, 'tsconfig.json'), text);
    const { bin } = JSON.parse(
      fs.readFileSync(join(root, 'node_modules', compiler, 'package.json'), 'utf8'),
    );
    const program = join(root, 'node_modules', compiler, bin.tsc);
    await run('node', [program, '-p', '.'], { cwd: folder, env });
  }

  test.each(RESOLUTIONS)('a Worker and its client, moduleResolution %s', async (name, options) => {
    const folder = project(`types-${compiler}-${name}`);
    writeDoors(
      folder,
      DOORS.filter((door) => !IN_NODE.has(door)),
    );
    const types = ['@cloudflare/workers-types'];
    const workers = { ...STRICT, ...options, lib: ['esnext'], types, jsx: 'react-jsx' };
    await check(folder, { ...workers, skipLibCheck: true });
    // The declarations of the package itself are checked too, and those that it imports.
    await check(folder, { ...workers, skipLibCheck: false });
  });

  test.each(RESOLUTIONS)('the doors for programs in Node, %s', async (name, options) => {
    const folder = join(root, `node-types-${compiler}-${name}`);
    write(join(folder, 'package.json'), '{ "type": "module" }');
    writeDoors(
      folder,
      DOORS.filter((door) => IN_NODE.has(door)),
    );
    await check(folder, { ...STRICT, ...options, types: ['node'], skipLibCheck: false });
  });

  test.each(RESOLUTIONS)('a page without types of Workers, %s', async (name, options) => {
    const folder = join(root, `page-types-${compiler}-${name}`);
    write(join(folder, 'package.json'), '{ "type": "module" }');
    write(
      join(folder, 'src/page.ts'),
      `import { createRpcClient, RpcError, subscribe } from 'lumenize-rpc/client';
interface Counter { increment(by?: number): number; getValue(): number }
const counter = createRpcClient<Counter>('COUNTER', 'my-counter', { baseUrl: location.origin });
export const counted: Promise<number> = counter.increment(counter.getValue());
export const values: AsyncIterable<number> = subscribe(counter).getValue();
export const codeOf = (error: unknown) => (error instanceof RpcError ? error.code : undefined);
// @ts-expect-error: no such method
counter.decrement();
`,
    );
    const lib = ['es2024', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'];
    await check(folder, { ...STRICT, ...options, lib, types: [], skipLibCheck: false });
  });
});

test('an editor shows what is written about a function, its parameters and its options', async () => {
  const folder = project('in-an-editor');
  const { default: ts } = await import(
    pathToFileURL(join(root, 'node_modules/typescript/lib/typescript.js')).href
  );
  const file = join(folder, 'src/shown.ts');
  const text = `import { lumenizeRpcDO } from 'lumenize-rpc/server';
import { createRpcClient, subscribe, type RpcClientOptions } from 'lumenize-rpc/client';
export const options: RpcClientOptions = { baseUrl: '' };
export const all = [lumenizeRpcDO, createRpcClient, subscribe];
`;
  write(file, text);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (/** @type {string} */ path) =>
      fs.existsSync(path) ? ts.ScriptSnapshot.fromString(fs.readFileSync(path, 'utf8')) : undefined,
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => ({
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ESNext,
      strict: true,
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  for (const name of ['lumenizeRpcDO,', 'createRpcClient,', 'subscribe]', 'baseUrl']) {
    const info = service.getQuickInfoAtPosition(file, text.lastIndexOf(name) + 1);
    expect(ts.displayPartsToString(info?.documentation), name).not.toBe('');
    if (name === 'baseUrl') continue;
    const tags = info.tags.map((/** @type {{ name: string }} */ tag) => tag.name);
    expect(tags, name).toEqual(expect.arrayContaining(['param', 'example']));
  }
});
