/** A script of this folder as a page loads it. */
import { join } from 'node:path';
import { build } from 'esbuild';

export async function bundledScript(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, name)],
    bundle: true,
    write: false,
    keepNames: true,
    format: 'iife',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}
