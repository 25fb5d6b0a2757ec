/**
 * A login that returns a capability with a feed, in a project of its own: two clients, whose connections are cut and
 * whose runtime is killed between their reports.
 */
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../harness/network-proxy.ts';
import { freePort } from '../../harness/ports.mjs';
import { Runtime } from '../../harness/runtime.ts';
import { run } from '../outside.mjs';
import { apply } from './blocks.mjs';
import { projects } from './project.mjs';

const EXAMPLE = path.join(import.meta.dirname, 'session');
/** What an object needs besides its file. */
const WIRING = [
  ['src/index.ts', 'after the exports', "export { Events } from './events.ts';\n"],
  ['src/index.ts', 'in the list of bindings', "'EVENTS',\n"],
  ['wrangler.jsonc', 'in "bindings"', '{ "name": "EVENTS", "class_name": "Events" },\n'],
  ['wrangler.jsonc', 'in "migrations"', '{ "tag": "v2", "new_sqlite_classes": ["Events"] },\n'],
];

const { env, scaffold, npm } = projects({ stopAfter: 'all' });

/** @type {string} */
let project;
/** @type {Runtime} */
let runtime;

beforeAll(async () => {
  project = await scaffold('recovery');
  cpSync(EXAMPLE, project, { recursive: true });
  for (const [file, place, text = ''] of WIRING) {
    apply({ guide: '', line: 0, language: '', file, place, text }, project);
  }
  await npm(project, 'types');
  runtime = await Runtime.serve({ config: path.join(project, 'wrangler.jsonc') });
});

afterAll(() => runtime?.stop());

test('it compiles, and keeps the conventions', async () => {
  await npm(project, 'typecheck');
  await run('oxlint', ['src/events.ts', 'watch.ts'], { cwd: project, env });
});

test('no event is lost, doubled or out of order, and the sessions go on', async () => {
  /** @type {string[]} */
  const all = [];
  const [ann, bob] = [await join(), await join()];
  for (let round = 0; round < 5; round++) {
    report(ann);
    await runtime.kill();
    report(ann);
    await runtime.start();
    report(ann);
    await expectAllAt(ann, bob);
    // He cannot reconnect before all of this has happened.
    bob.proxy.port = await freePort();
    bob.proxy.cutAll(round % 2 === 0 ? 'reset' : 'close');
    for (let count = 0; count < 3; count++) report(ann);
    await expectAllAt(ann);
    if (round > 2) await runtime.restart();
    bob.proxy.port = runtime.port;
    report(bob);
    await expectAllAt(ann, bob);
  }

  /** @returns a client that has received its own message, so it is subscribed */
  async function join() {
    const client = { ...(await watch()), begins: all.length };
    report(client);
    await expectAllAt(client);
    return client;
  }

  /** Works also while the client is disconnected. @param {Awaited<ReturnType<typeof join>>} client */
  function report(client) {
    const text = `report ${all.length + 1}`;
    all.push(`Ada Lovelace: ${text}`);
    client.report(text);
  }

  /** @param {Awaited<ReturnType<typeof join>>[]} clients */
  async function expectAllAt(...clients) {
    for (const { heard, begins } of clients) await expect.poll(heard).toEqual(all.slice(begins));
  }
});

/** The page's program, on a connection of its own. */
async function watch() {
  const proxy = await new NetworkProxy(runtime.port).listen();
  const child = spawn(process.execPath, ['watch.ts'], {
    cwd: project,
    env: { ...env, BASE_URL: proxy.url },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    proxy.close();
  });
  let out = '';
  child.stdout.on('data', (text) => (out += text));
  return {
    proxy,
    report: (/** @type {string} */ text) => child.stdin.write(`${text}\n`),
    heard: () => out.split('\n').filter(Boolean),
  };
}
