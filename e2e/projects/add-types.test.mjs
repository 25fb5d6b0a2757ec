/** The files that `--add` writes, and the types of the package, compile with the compiler options of other projects. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projects, write } from '../setup/projects.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';

const { root, env, tsc } = projects({ stopAfter: 'all' });
const PROGRAM = join(REPOSITORY, 'scaffolder/index.mjs');

const PLAIN = {
  target: 'es2022',
  module: 'es2022',
  moduleResolution: 'bundler',
  lib: ['es2022'],
  types: ['@cloudflare/workers-types', '@cloudflare/vitest-plugin/types'],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};
const ENTRY = `export default {
  async fetch(request, env): Promise<Response> {
    return new Response(request.url);
  },
} satisfies ExportedHandler<Cloudflare.Env>;
`;
/** \`wrangler types\` writes this once the object exists. */
const TYPES = `declare namespace Cloudflare {
  interface Env {
    COUNTER: DurableObjectNamespace<InstanceType<typeof import('./src/counter.js').Counter>>;
  }
}
`;
const CALL = `import { createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Counter } from './counter.js';

const counter = createRpcClient<Counter>('COUNTER', 'x', { baseUrl: 'https://example.com' });
export const value: Promise<number> = counter.increment(1);
export const values: AsyncIterable<number> = subscribe(counter).getValue();
// @ts-expect-error The argument is a number.
counter.increment('1');
`;

test.each([
  ['no strict checks', { strict: false }],
  ['an old lib', { target: 'es2021', lib: ['es2021'] }],
  ['exactOptionalPropertyTypes', { exactOptionalPropertyTypes: true }],
  ['the resolution of Node', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['the extension .ts', { allowImportingTsExtensions: true }],
  ['checks of the types in packages', { skipLibCheck: false, lib: ['esnext'] }],
  ['JavaScript', { allowJs: true, checkJs: false }],
  [
    'the checks of a linter',
    { noPropertyAccessFromIndexSignature: true, noUnusedLocals: true, noUnusedParameters: true },
  ],
])('%s', (name, options) => compile(name, options, {}));

test.each([
  ['Zod', { zod: '^4.0.0' }],
  ['Zod 3', { zod: '^3.24.0' }],
  ['Valibot', { valibot: '^1.0.0' }],
  ['ArkType', { arktype: '^2.1.0' }],
])('%s', (name, packages) => compile(name, {}, packages));

/**
 * @param {string} name
 * @param {object} options - the options of the compiler
 * @param {Record<string, string>} packages - packages that the project already has
 */
async function compile(name, options, packages) {
  const folder = join(root, name);
  const devDependencies = { '@cloudflare/vitest-plugin': '*', ...packages };
  const manifest = { type: 'module', devDependencies };
  const compilerOptions = { ...PLAIN, ...options };
  write(join(folder, 'package.json'), JSON.stringify(manifest));
  write(join(folder, 'wrangler.jsonc'), '{ "main": "src/index.ts" }');
  write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  write(join(folder, 'src/index.ts'), ENTRY);
  const args = [PROGRAM, folder, '--add', '--yes'];
  const { out } = await run(process.execPath, args, { cwd: root, env });
  expect(out).not.toContain('yourself:');
  write(join(folder, 'worker-configuration.d.ts'), TYPES);
  write(join(folder, 'src/call.ts'), CALL);
  // The declarations of TanStack Query, an optional peer, name this type of the DOM.
  write(join(folder, 'src/void-function.d.ts'), 'type VoidFunction = () => void;\n');
  linkPackages(folder);
  // npm does not install TypeBox there either.
  if (Object.keys(packages).length > 0) fs.rmSync(join(folder, 'node_modules/typebox'));
  if (name === 'Zod 3') useZod3(folder);
  await tsc(folder);
}

/**
 * Makes a project use version 3 of Zod, which Zod 4 contains as another entry.
 *
 * @param {string} folder - the folder of a project
 */
function useZod3(folder) {
  const zod = join(folder, 'node_modules/zod');
  fs.rmSync(zod);
  write(join(zod, 'package.json'), '{ "name": "zod", "type": "module", "exports": "./index.ts" }');
  const own = join(REPOSITORY, 'node_modules/zod/v3/index.js');
  write(join(zod, 'index.ts'), `export * from '${own}';\n`);
}
