/**
 * Tests bundles in which `NODE_ENV` is `development`. esbuild creates such a bundle by default, and
 * wrangler if the shell has the variable. After a deployment, such a bundle reveals nothing to
 * clients.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { Runtime } from '../../../harness/runtime.ts';
import { until } from '../../../harness/waiting.mjs';
import { CLIENT_ID, PROBE } from '../../src/wire/messages.ts';

const FOLDER = import.meta.dirname;
/** The text with which the Worker itself answers. */
const OWN = 'Not here';
const CONFIG = join(FOLDER, 'production.jsonc');

/** `esbuild --bundle --format=esm`. */
async function byEsbuild(main: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, main)],
    bundle: true,
    format: 'esm',
    external: ['cloudflare:*'],
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** Builds the bundle that `wrangler deploy` uploads from a shell with `NODE_ENV=development`. */
async function byWrangler(main: string): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'lumenize-rpc-production-'));
  try {
    const args = [
      'deploy',
      join(FOLDER, main),
      '--config',
      CONFIG,
      '--dry-run',
      '--outdir',
      folder,
    ];
    const env = { ...process.env, NODE_ENV: 'development', WRANGLER_SEND_METRICS: 'false' };
    const wrangler = join(FOLDER, '../../../node_modules/.bin/wrangler');
    await promisify(execFile)(wrangler, args, { env });
    return await readFile(join(folder, main.replace('.ts', '.js')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe.each([
  ['esbuild', byEsbuild],
  ['wrangler', byWrangler],
])('a bundle of %s', (_, bundle) => {
  test('reveals no names to a client', async () => {
    const code = await bundle('production-worker.ts');
    expect(new TextDecoder().decode(code)).not.toMatch(/\bprocess\.env\b/);
    await using runtime = await Runtime.serve({ config: CONFIG, code });
    const post = (path: string, more: object): Promise<string> =>
      new Promise((resolve, reject) => {
        const headers = { 'Content-Type': 'application/json', ...more };
        const sent = request(runtime.url + path, { method: 'POST', headers }, (response) =>
          resolve(text(response)),
        );
        sent.on('error', reject).end('[[1,"one"]]');
      });
    for (const Host of ['shop.example.com', '127.0.0.1', 'localhost:8787']) {
      expect(await post('/__rpc/ONE/a/call', { Host })).toBe('[[1,1]]');
      for (const headers of [{ [PROBE]: '' }, { [CLIENT_ID]: 'x' }])
        for (const binding of ['SECRET', 'NONE'])
          expect(await post(`/__rpc/${binding}/a/call`, { Host, ...headers })).toBe(OWN);
    }
  });

  test('does not start if the contract has a mistake', async () => {
    const code = await bundle('mistaken-worker.ts');
    const started = async (): Promise<void> => {
      await using runtime = await Runtime.serve({ config: CONFIG, code });
      // workerd listens before it runs the code, and ends when the code throws.
      const response = await fetch(runtime.url).catch(() => undefined);
      if (response?.ok === false && (await response.text()) === OWN) return;
      await until(async () => runtime.check().then(() => false));
    };
    await expect(started).rejects.toThrow(
      'The contract lists missing, which is not a method of the class',
    );
  });
});
