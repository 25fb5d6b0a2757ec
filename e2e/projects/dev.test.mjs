/** The terminal output of `npm run dev` for mistakes that a browser does not show. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { stopAll } from '../../harness/guarded-process.mjs';

const TEMPLATE = path.resolve(import.meta.dirname, '../../template');

/** @type {string} */
let storage;
/** @type {string} */
let url;
let log = '';

beforeAll(async () => {
  storage = await mkdtemp(path.join(tmpdir(), 'lumenize-rpc-dev-'));
  const { server, ...started } = await startDevServer(TEMPLATE, ['--persist-to', storage]);
  ({ url } = started);
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (text) => (log += text));
});

afterAll(async () => {
  await stopAll();
  await rm(storage, { recursive: true, force: true });
});

test('names the option that a page of another origin needs, once', async () => {
  const call = `${url}/__rpc/COUNTER/a/call`;
  const headers = { 'Content-Type': 'application/json' };
  /** @param {string} Origin */
  const post = (Origin) =>
    fetch(call, { method: 'POST', headers: { ...headers, Origin }, body: '[[1,"getValue"]]' });
  for (let round = 0; round < 3; round++) {
    expect((await post('http://localhost:5173')).status).toBe(403);
  }
  expect((await post('http://localhost:5174')).status).toBe(403);
  const advice = (/** @type {number} */ port) => `cors: { origin: ['http://localhost:${port}'] }`;
  await expect.poll(() => log).toContain(advice(5174));
  expect(log.split(advice(5173))).toHaveLength(2);
});

test('a client of a binding that does not exist learns which exist', async () => {
  const headers = { 'lumenize-rpc-client': 'x', 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/__rpc/COUNTERS/a/call`, { method: 'POST', headers });
  expect(await response.text()).toMatch(/^No Durable Object binding is named COUNTERS: .*COUNTER/);
});
