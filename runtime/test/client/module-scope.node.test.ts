/** Clients that a Worker creates at module scope, in the bare runtime. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../harness/ports.mjs';
import { kill, start } from '../../../harness/guarded-process.mjs';
import { workerd as binary } from '../../../harness/runtime.ts';
import { until } from '../../../harness/waiting.mjs';
import { serve } from '../served/serve.ts';

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-03-01",
  bindings = [(name = "SERVER", text = "SERVER_URL")],
);
`;

const worker = await serve();
let directory: string;
let workerd: ReturnType<typeof start>;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lumenize-rpc-module-scope-'));
  await build({
    entryPoints: [join(import.meta.dirname, 'module-scope-worker.ts')],
    outfile: join(directory, 'worker.js'),
    bundle: true,
    format: 'esm',
    external: ['cloudflare:*'],
  });
  await writeFile(
    join(directory, 'workerd.capnp'),
    CONFIG.replace('SERVER_URL', worker.runtime.url),
  );
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const address = `--socket-addr=http=127.0.0.1:${port}`;
  workerd = start(binary.default, ['serve', address, 'workerd.capnp'], { cwd: directory });
  await until(() =>
    fetch(`${url}/none`).then(
      () => true,
      () => false,
    ),
  );
});

afterAll(async () => {
  if (workerd) await kill(workerd);
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
});

test.each(['http', 'websocket'])(
  'over %s, they serve one request after the other',
  async (kind) => {
    for (const expected of [
      [1, 2],
      [3, 4],
      [5, 6],
    ]) {
      const response = await fetch(`${url}/${kind}`);
      expect(await response.json()).toEqual(expected);
    }
  },
);

test('over http, they serve requests at the same time', async () => {
  const responses = await Promise.all(Array.from({ length: 5 }, () => fetch(`${url}/http`)));
  const results = (await Promise.all(responses.map((response) => response.json()))) as number[][];
  expect(results.flat().toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 10 }, (_, index) => index + 7),
  );
});
