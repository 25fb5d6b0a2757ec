/** Bundles a script of this folder as a page loads it. */
import { join } from 'node:path';
import { build } from 'esbuild';
import {
  builtForEsbuild,
  IS_BUILT,
  TESTED_RUNTIME,
} from '../../../harness/runtime/built-runtime.mjs';

export async function bundledScript(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, name)],
    bundle: true,
    write: false,
    keepNames: true,
    format: 'iife',
    target: 'es2022',
    plugins: process.env[TESTED_RUNTIME] === IS_BUILT ? [builtForEsbuild()] : [],
  });
  return outputFiles[0]?.text ?? '';
}
