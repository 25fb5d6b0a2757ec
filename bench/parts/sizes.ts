/**
 * Measures the size of each client in a browser, and of the template's Worker: bundled, minified and gzipped by the
 * same esbuild in the same run.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import { SIZE, THIS_RPC, WORKER_BUNDLE } from '../results/names.ts';
import type { Row } from '../results/rows.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The imports of a page that calls methods, by contender. */
const clients: Record<string, string> = {
  [THIS_RPC]: `export { createRpcClient } from '${ROOT}/runtime/src/client.ts';`,
  "Cap'n Web": "export { newWebSocketRpcSession } from 'capnweb';",
  'rpc.do': "export { connectDO } from 'rpc.do';",
  'tRPC, batch link': "export { createTRPCClient, httpBatchLink } from '@trpc/client';",
  'Comlink, JSON on a WebSocket': "export { wrap } from 'comlink';",
};

export async function measureSizes(): Promise<Row[]> {
  const sizes = Object.entries(clients).map(([name, contents]) =>
    sizeOf(`client of ${name}`, {
      stdin: { contents, resolveDir: import.meta.dirname },
      platform: 'browser',
    }),
  );
  const worker = sizeOf(WORKER_BUNDLE, {
    entryPoints: [join(ROOT, 'template/src/index.ts')],
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return (await Promise.all([...sizes, worker])).flat();
}

async function sizeOf(who: string, options: BuildOptions): Promise<Row[]> {
  const { outputFiles } = await build({
    ...options,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const [output] = outputFiles ?? [];
  if (!output) throw new Error(`esbuild made no bundle of ${who}`);
  const gzipped = gzipSync(output.contents, { level: 9 }).length;
  return [
    { what: 'minified', who, value: output.contents.length, unit: 'bytes' },
    { what: SIZE, who, value: gzipped, unit: 'bytes' },
  ];
}
