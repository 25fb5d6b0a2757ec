/**
 * Sessions and events that go on: two clients, whose connections are cut and whose runtime is killed between their
 * reports.
 */
import { spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../harness/network-proxy.ts';
import { freePort } from '../../harness/ports.mjs';
import { Runtime } from '../../harness/runtime.ts';
import { run } from '../outside.mjs';
import { addObject } from './blocks.mjs';
import { projects } from './project.mjs';

/** What a project gets, by where it goes: an object, and a program that uses it. */
const FILES = { 'src/events.ts': 'events.ts', 'watch.ts': 'watch.ts' };

const { env, scaffold, npm } = projects({ stopAfter: 'all' });

/** @type {string} */
let project;
/** @type {Runtime} */
let runtime;

beforeAll(async () => {
  project = await scaffold('recovery');
  for (const [to, from] of Object.entries(FILES)) {
    copyFileSync(path.join(import.meta.dirname, 'session', from), path.join(project, to));
  }
  addObject(project, 'Events', './events.ts');
  await npm(project, 'types');
  runtime = await Runtime.serve({ config: path.join(project, 'wrangler.jsonc') });
});

afterAll(() => runtime?.stop());

test('they pass the checks of a project', async () => {
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
