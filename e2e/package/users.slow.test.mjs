/**
 * Uses the packed package in wrangler, Vite with Cloudflare's plugin, plain Node, browsers, and TypeScript with the
 * settings of several kinds of projects. One installation has the packages for all of them.
 */
import * as fs from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { startVite } from '../../harness/dev-server.mjs';
import { Runtime } from '../../harness/runtime.ts';
import { write } from '../setup/projects.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';
import { DOORS, installPackage, temporaryPlace, versionsOf, writeProject } from './place.mjs';

/** A compiler in JavaScript, unlike the template's. Most projects have it, and its API answers as an editor does. */
const TYPESCRIPT = { typescript: '5.9.3' };
/** The packages of a created project with the React page. */
const WITH_REACT = JSON.parse(
  fs.readFileSync(join(REPOSITORY, 'examples/ui/react/overlay.json'), 'utf8'),
)['package.json'];

/** The packages with which the package itself is developed. */
const { devDependencies: DEVELOPED } = JSON.parse(
  fs.readFileSync(join(REPOSITORY, 'runtime/package.json'), 'utf8'),
);

const place = temporaryPlace('package-users');
const { root, env } = place;
const packageFolder = join(root, 'node_modules/lumenize-rpc');

beforeAll(async () => {
  const names = [
    'typebox',
    'esbuild',
    'vite',
    'wrangler',
    'tinybench',
    'capnweb',
    '@modelcontextprotocol/server',
  ];

  const { dependencies, devDependencies, overrides } = WITH_REACT;
  const others = {
    ...versionsOf(...names, '@cloudflare/workers-types'),
    ...TYPESCRIPT,
    '@tanstack/query-core': DEVELOPED['@tanstack/query-core'],
    react: dependencies.react,
    '@types/react': devDependencies['@types/react'],
    '@cloudflare/vite-plugin': devDependencies['@cloudflare/vite-plugin'],
  };
  // Without these overrides, Vite would have another Workers runtime.
  await installPackage(place, others, overrides);
});

/**
 * @param {string} name
 * @returns {string} the folder of a project, which finds the packages installed above it
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

test("Vite with Cloudflare's plugin serves a Worker during development", async () => {
  const folder = project('with-vite');
  write(join(folder, 'package.json'), '{ "type": "module", "scripts": { "dev": "vite" } }');
  write(
    join(folder, 'vite.config.ts'),
    `import { cloudflare } from '@cloudflare/vite-plugin';
export default { plugins: [cloudflare({ inspectorPort: false })] };`,
  );
  const { url } = await startVite(folder, ['run', 'dev'], env);
  await callAt(url);
});

test('Node imports each door that is not only for the Workers runtime', async () => {
  const inWorkers = new Set(['server', 'testing']);
  for (const door of DOORS.filter((one) => !inWorkers.has(one))) {
    const code = `const door = await import('lumenize-rpc/${door}');
if (Object.keys(door).length === 0) throw new Error('Empty');`;
    await run('node', ['--input-type=module', '-e', code], { cwd: root, env });
  }
});

describe('a page has no code of the server, nor of TypeBox', () => {
  const PAGE = `import { createRpcClient, subscribe } from 'lumenize-rpc/client';
const counter = createRpcClient('COUNTER', 'my-counter');
for await (const value of subscribe(counter).getValue()) document.body.textContent = String(value);
`;
  /** @param {readonly string[]} modules - the paths of bundled modules */
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

const STRICT = {
  target: 'es2024',
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
};

/**
 * Compilers, each with one of the ways in which users resolve modules. A created project has the last compiler with the
 * first way.
 *
 * @type {[name: string, resolution: Record<string, unknown>, check: (folder: string) => Promise<unknown>][]}
 */
const COMPILERS = [
  ['TypeScript 5.9', { module: 'esnext', moduleResolution: 'bundler' }, checkOwn],
  ['TypeScript 7', { module: 'nodenext', moduleResolution: 'nodenext' }, checkAll],
];

/**
 * Checks by the API, because a check of the declarations of TypeBox and of Workers takes ten times as long.
 *
 * @param {string} folder
 */
async function checkOwn(folder) {
  const ts = await typescript();
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  const isOwn = (/** @type {{ fileName: string }} */ { fileName }) =>
    fileName.startsWith(folder) || fileName.includes('/lumenize-rpc/dist/');
  const own = program.getSourceFiles().filter(isOwn);
  expect(own.length).toBeGreaterThan(fileNames.length);
  const problems = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((/** @type {unknown} */ file) => program.getSyntacticDiagnostics(file)),
    ...own.flatMap((/** @type {unknown} */ file) => program.getSemanticDiagnostics(file)),
  ];
  const host = {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: String,
    getNewLine: () => '\n',
  };
  expect(ts.formatDiagnostics(problems, host)).toBe('');
}

/** @param {string} folder */
function checkAll(folder) {
  return run(join(REPOSITORY, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder, env });
}

/** Returns the installed compiler in JavaScript. */
async function typescript() {
  const path = join(root, 'node_modules/typescript/lib/typescript.js');
  return (await import(pathToFileURL(path).href)).default;
}

describe.each(COMPILERS)('%s', (compiler, resolution, check) => {
  /**
   * @param {string} folder
   * @param {Record<string, unknown>} options
   */
  function configure(folder, options) {
    // The options include the declarations of the package itself.
    const compilerOptions = { ...STRICT, ...resolution, ...options, skipLibCheck: false };
    const text = JSON.stringify({ compilerOptions, include: ['env.d.ts', 'src'] });
    write(join(folder, 'tsconfig.json'), text);
  }

  test('a Worker, its client and each door', async () => {
    const folder = project(`types, ${compiler}`);
    const doors = DOORS.map((door) => `export * as ${door} from 'lumenize-rpc/${door}';\n`);
    write(join(folder, 'src/doors.ts'), doors.join(''));
    // The declarations of TanStack Query name this type of the DOM.
    write(join(folder, 'src/void-function.d.ts'), 'type VoidFunction = () => void;');
    const types = ['@cloudflare/workers-types'];
    configure(folder, { lib: ['esnext'], types, jsx: 'react-jsx' });
    await check(folder);
  });

  test('a page without types of Workers', async () => {
    const folder = join(root, `page, ${compiler}`);
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
    configure(folder, { lib, types: [] });
    await check(folder);
  });
});

test('an editor shows the comments on a function, its parameters and its options', async () => {
  const folder = project('in-an-editor');
  const ts = await typescript();
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
