/**
 * Measures the size of each client in a browser, and of the template's Worker: bundled, minified and gzipped by the
 * same esbuild in the same run.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';

/** Sizes in bytes. */
interface Size {
  name: string;
  minified: number;
  gzipped: number;
}

export interface Sizes {
  clients: Size[];
  worker: Size;
}

const ROOT = join(import.meta.dirname, '..');

/** The imports of a page that makes the calls of the comparison. */
const clients: Record<string, string> = {
  'this RPC': `export { createRpcClient } from '${ROOT}/runtime/src/client.ts';`,
  "Cap'n Web": "export { newWebSocketRpcSession } from 'capnweb';",
  'rpc.do': "export { connectDO } from 'rpc.do';",
  'tRPC, batch link': "export { createTRPCClient, httpBatchLink } from '@trpc/client';",
  'Comlink, JSON on a WebSocket': "export { wrap } from 'comlink';",
};

export async function measureSizes(): Promise<Sizes> {
  const sizes = Object.entries(clients).map(([name, contents]) =>
    sizeOf(name, { stdin: { contents, resolveDir: import.meta.dirname }, platform: 'browser' }),
  );
  const worker = sizeOf("the template's worker", {
    entryPoints: [join(ROOT, 'template/src/index.ts')],
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
  });
  return { clients: await Promise.all(sizes), worker: await worker };
}

async function sizeOf(name: string, options: BuildOptions): Promise<Size> {
  const { outputFiles } = await build({
    ...options,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const [output] = outputFiles ?? [];
  if (!output) throw new Error(`esbuild made no bundle of ${name}`);
  const gzipped = gzipSync(output.contents, { level: 9 }).length;
  return { name, minified: output.contents.length, gzipped };
}
