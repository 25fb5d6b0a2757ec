/**
 * `npm run build`: builds the package lumenize-rpc into `template/vendor/lumenize-rpc`. The same sources give the
 * same bytes. `npm run build -- --check` only compares.
 */
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const RUNTIME = fileURLToPath(new URL('.', import.meta.url));
export const VENDOR = fileURLToPath(new URL('../template/vendor/lumenize-rpc/', import.meta.url));

/** The doors: one entry for each in the exports map of package.json. */
const DOORS = {
  client: 'src/client.ts',
  server: 'src/server.ts',
  http: 'src/http.ts',
  mcp: 'src/mcp.ts',
  relay: 'src/relay.ts',
  react: 'src/react.ts',
  tanstack: 'src/tanstack.ts',
  testing: 'src/testing.ts',
  typebox: 'src/typebox.ts',
  lint: 'src/lint/index.js',
  debug: 'src/debug.ts',
  perf: 'src/perf.ts',
};

/** Modules beside the doors that are not reached by an import. */
const PROGRAMS = {
  // The exports map names this module: the door perf in a Worker.
  'perf-worker': 'src/perf-worker.ts',
  // The door perf starts this module as a process of its own.
  'perf-runtime-process': 'src/perf/run/runtime-process.ts',
  // `bin` of package.json names this module: the command line `lumenize-rpc`.
  'contract-program': 'src/contract/program/main.ts',
  // The command line runs this module in the Worker whose contracts it writes.
  'contract-describe': 'src/contract/describe.ts',
};

/** The packages that users of this package install themselves. */
const EXTERNAL = [
  /^cloudflare:/,
  /^node:/,
  /^typebox/,
  /^vite/,
  '@modelcontextprotocol/server',
  '@tanstack/query-core',
  'react',
  'tinybench',
  'capnweb',
  'wrangler',
];

/**
 * Matches the modules that the lint rules share with objects: the check of schemas and its imports, without the
 * compiler of schemas.
 */
const SCHEMAS = 'schemas';

/**
 * The modules beside the doors, by the sources that they contain; the first that fits counts. A bundler may leave out a
 * module whole, whether or not each of its statements can be left out.
 *
 * @type {[name: string, sources: RegExp][]}
 */
const MODULES = [
  ['client-subscribe', /\/features\/subscriptions\/client\//],
  ...[
    'bytes',
    'callbacks',
    'capabilities',
    'argument-streams',
    'presence',
    'reports',
    'tracing',
  ].map(
    (name) =>
      /** @type {[string, RegExp]} */ ([`client-${name}`, new RegExp(`/features/${name}/client/`)]),
  ),
  ...['binding', 'message-port'].map(
    (name) =>
      /** @type {[string, RegExp]} */ ([
        `client-${name}`,
        new RegExp(`/client/transports/${name}\\.ts$`),
      ]),
  ),
  ['client-optimistic', /\/features\/live\/client\/optimistic\.ts$/],
  [
    'client-stores',
    /\/(client\/(store|client-store|connection-state)|features\/(live|feeds)\/client\/\w+-store)\.ts$/,
  ],
  // It has a side effect, so a bundle must be able to leave out the file.
  ['tracing-platform', /\/features\/tracing\/server\//],
  ['debug-sockets', /\/debug\/client\/sockets\.ts$/],
  ['wire', /\/src\/wire\/|\/features\/(?:[\w-]+\/wire\.ts$|tracing\/wire\/)/],
  ['client-core', /\/src\/client\//],
  ['builders', /\/src\/typebox\//],
  ['wrangler', /\/src\/wrangler\//],
  ['http-schemas', /\/http\/(parameters|values|openapi\/source-schemas)\.ts$/],
  [SCHEMAS, /\/server\/diagnostics\/keywords\.ts$/],
  ['server-core', /\/src\/(server\/|features\/(?!debug|relay))/],
];

/**
 * The modules of types, which no bundler has to leave out. Their names end with `.d`, before the extension.
 *
 * @type {[name: string, sources: RegExp][]}
 */
const TYPES = [
  ['wire.d', /\/src\/wire\/|\/features\/[\w-]+\/wire[./]/],
  ['client-core.d', /\/src\/client\/|\/features\/[\w-]+\/client\//],
  ['server-core.d', /\/src\/(server\/|features\/(?!debug|relay))/],
];

/** @param {[name: string, sources: RegExp]} module */
function group([name, test]) {
  return { name, test, includeDependenciesRecursively: name === SCHEMAS };
}

/** @param {string} folder - where to write the package; what it contains is removed */
export async function buildPackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  /** @type {import('tsdown').InlineConfig} */
  const options = {
    config: false,
    cwd: RUNTIME,
    outDir: join(folder, 'dist'),
    clean: false,
    platform: 'neutral',
    target: 'es2024',
    hash: false,
    logLevel: 'error',
    deps: { neverBundle: EXTERNAL },
  };
  await build({
    ...options,
    entry: { ...DOORS, ...PROGRAMS },
    dts: false,
    outputOptions: { codeSplitting: { groups: MODULES.map(group) }, minifyInternalExports: false },
  });
  await build({
    ...options,
    entry: DOORS,
    dts: { emitDtsOnly: true },
    outputOptions: { codeSplitting: { groups: TYPES.map(group) }, minifyInternalExports: false },
  });
  for (const [name] of MODULES) {
    if (!existsSync(join(folder, `dist/${name}.js`))) {
      throw new Error(`No source fits the module ${name}: mend MODULES in runtime/build.mjs`);
    }
  }
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(join(RUNTIME, 'package.json'), 'utf8'));
  permitNoTypeBox(join(folder, 'dist/server-core.d.ts'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const page of globSync('{README.md,llms.txt,docs/**/*.md,skills/**/*.md}', {
    cwd: RUNTIME,
  })) {
    cpSync(join(RUNTIME, page), join(folder, page));
  }
  cpSync(join(RUNTIME, '../LICENSE'), join(folder, 'LICENSE'));
}

/**
 * Lets declarations compile in a project without TypeBox: they import a type that is then `any`. The bundler leaves out the
 * comment that says so in the source.
 *
 * @param {string} file
 */
function permitNoTypeBox(file) {
  const text = readFileSync(file, 'utf8');
  const imported = /^import \{ Static(?: as \S+)? \} from "typebox";$/m;
  if (!imported.test(text)) throw new Error(`${file} has to import Static alone from TypeBox`);
  writeFileSync(file, text.replace(imported, '// @ts-ignore -- TypeBox is optional.\n$&'));
}

/**
 * @param {string} folder
 * @returns {Map<string, string>} the texts of the files in it, by path
 */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((file) => join(file.parentPath, file.name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const folder = mkdtempSync(join(tmpdir(), 'lumenize-rpc-'));
    await buildPackage(folder);
    const [built, vendored] = [filesIn(folder), filesIn(VENDOR)];
    rmSync(folder, { recursive: true });
    const paths = [...new Set([...built.keys(), ...vendored.keys()])];
    const stale = paths.filter((path) => built.get(path) !== vendored.get(path));
    if (stale.length > 0) {
      console.error(
        `template/vendor/lumenize-rpc is not what runtime/ gives. Run \`npm run build\`, and commit it.\n` +
          stale.map((path) => `  ${path}\n`).join(''),
      );
      process.exitCode = 1;
    }
  } else await buildPackage(VENDOR);
}
