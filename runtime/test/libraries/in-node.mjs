/** The rows of `promises.node.test.ts` that run only in Node, and the script of its page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual, types } from 'node:util';
import { build } from 'esbuild';
import { expect as jestExpect } from 'expect';
import { compile } from 'svelte/compiler';
import { expect } from 'vitest';

/** @type {Record<string, import('./served.ts').Row>} */
export const IN_NODE = {
  'the console of Node': async ({ getValue }) => {
    const call = getValue();
    const before = inspect(call);
    const found = await call;
    return (
      types.isPromise(call) &&
      before === 'Promise { <pending> }' &&
      inspect(call) === 'Promise { 5 }' && [found]
    );
  },
  'the assertions of Node': async ({ getValue }) => {
    const call = getValue();
    return isDeepStrictEqual(call, call) && !isDeepStrictEqual(call, getValue()) && [await call];
  },
  'expect of Vitest': async ({ getValue }) => {
    const call = getValue();
    await expect(call).resolves.toBe(5);
    expect({ call }).toEqual({ call });
    expect(call).not.toEqual({});
    expect(() => expect(call).toEqual({ a: 1 })).toThrow('Promise');
    return [await call];
  },
  'expect of Jest': async ({ getValue }) => {
    const call = getValue();
    await jestExpect(call).resolves.toBe(5);
    jestExpect({ call }).toEqual({ call });
    jestExpect(call).not.toEqual({});
    expect(() => jestExpect(call).toEqual({ a: 1 })).toThrow('Promise');
    return [await call];
  },
};

/** @returns {Promise<string>} */
export async function bundledPage() {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page.mjs')],
    bundle: true,
    write: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    external: ['cloudflare:workers'],
    plugins: [
      {
        name: 'svelte',
        setup({ onLoad }) {
          onLoad({ filter: /\.svelte$/ }, ({ path }) => ({
            contents: compile(readFileSync(path, 'utf8'), { filename: path, dev: true }).js.code,
            loader: 'js',
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}
