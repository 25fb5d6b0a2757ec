/** Bundles a page of a framework, with the sources of the runtime in place of the package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compile, compileModule } from 'svelte/compiler';
import { compileScript, parse } from 'vue/compiler-sfc';
import { REPOSITORY } from '../setup/outside.mjs';

/**
 * @param {string} script - the page's script, in TypeScript with JSX
 * @param {{ folder?: string | undefined, platform?: 'browser' | 'node' }} [options] - the folder of the files that it
 *   imports, and whether it is a page or a program for Node, in CommonJS
 * @returns {Promise<string>} the bundle
 */
export async function bundle(script, { folder = REPOSITORY, platform = 'browser' } = {}) {
  const doors = ['client', 'react', 'server', 'tanstack', 'typebox'].map((door) => [
    `lumenize-rpc/${door}`,
    join(REPOSITORY, `runtime/src/${door}.ts`),
  ]);
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: folder, loader: 'tsx' },
    bundle: true,
    write: false,
    logLevel: 'error',
    jsx: 'automatic',
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    alias: Object.fromEntries(doors),
    // These are for files outside of the repository.
    nodePaths: [join(REPOSITORY, 'node_modules')],
    platform,
    external: ['cloudflare:workers'],
    plugins: [svelte, vue],
  });
  return outputFiles[0]?.text ?? '';
}

/** @type {import('esbuild').Plugin} */
const svelte = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const { js, warnings } = compile(source, { filename: path, dev: true });
      return { contents: js.code, warnings: warnings.map(({ message: text }) => ({ text })) };
    });
    // Packages have modules that use runes.
    onLoad({ filter: /\.svelte\.js$/ }, async ({ path }) => {
      const { js } = compileModule(await readFile(path, 'utf8'), { filename: path, dev: true });
      return { contents: js.code };
    });
  },
};

/** @type {import('esbuild').Plugin} */
const vue = {
  name: 'vue',
  setup({ onLoad }) {
    onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const { descriptor } = parse(await readFile(path, 'utf8'), { filename: path });
      const { content } = compileScript(descriptor, { id: path, inlineTemplate: true });
      return { contents: content, loader: 'ts' };
    });
  },
};
