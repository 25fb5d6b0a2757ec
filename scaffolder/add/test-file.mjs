/** A test of the Durable Object, for projects whose tests run in the Workers runtime. */
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

const SPEC = /\.spec\.[cm]?tsx?$/;
const FOLDERS = ['test', 'tests', '__tests__'];

/**
 * @param {string} project
 * @param {string} sources - the Durable Object's folder, relative to the project
 * @param {import('./entry/entry.mjs').Names} names
 * @param {string} module - the module that exports the bindings
 * @returns {{ path: string, text: string }}
 */
export function testFile(project, sources, names, module) {
  const folder = FOLDERS.find((name) => existsSync(join(project, name))) ?? sources;
  const isSpec = readdirSync(join(project, folder)).some((name) => SPEC.test(name));
  const path = posix.join(folder, `${names.module}.${isSpec ? 'spec' : 'test'}.ts`);
  const way = posix.relative(folder, sources);
  return {
    path,
    text: textOf(way.startsWith('.') ? way : `./${way}`.replace(/\/$/, ''), names, module),
  };
}

/**
 * @param {string} sources
 * @param {import('./entry/entry.mjs').Names} names
 * @param {string} bindings - the module that exports the bindings
 */
function textOf(sources, { module, extension, className, binding }, bindings) {
  return `/** Tests of ${className}: calls by native Workers RPC, and by a client. */
import { env } from '${bindings}';
import { createRpcClient } from 'lumenize-rpc/client';
import { routeDORequest } from 'lumenize-rpc/server';
import { expect, test } from 'vitest';
import type { ${className} } from '${sources}/${module}${extension}';

const fetchObject = (async (input, init) => {
  const response = await routeDORequest(new Request(input, init), env, { prefix: '/__rpc' });
  return response ?? new Response('Not found', { status: 404 });
}) as typeof fetch;

function connect(name: string) {
  return createRpcClient<${className}>('${binding}', name, {
    baseUrl: 'https://example.com',
    transport: 'http',
    fetch: fetchObject,
  });
}

test('counts, whoever calls', async () => {
  const counter = connect('counts');
  expect(await counter.increment()).toBe(1);
  expect(await counter.increment(5)).toBe(6);
  expect(await env.${binding}.getByName('counts').getValue()).toBe(6);
  await counter.reset();
  expect(await counter.getValue()).toBe(0);
});

test('refuses what the contract does not allow', async () => {
  const counter = connect('refuses');
  await expect(counter.increment(0)).rejects.toMatchObject({
    name: 'RpcError',
    code: 'INVALID_ARGUMENTS',
    path: '[0]',
  });
  expect(await counter.getValue()).toBe(0);
});
`;
}
