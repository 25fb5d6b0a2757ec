/**
 * Runs the chat of the page on capabilities in a project of its own. The connections of two members are cut and their
 * runtime is killed between their messages. Neither member loses its session or a message.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../harness/network-proxy.ts';
import { freePort } from '../../harness/ports.mjs';
import { Runtime } from '../../harness/runtime.ts';
import { run } from '../setup/outside.mjs';
import { addObject, apply } from './blocks.mjs';
import { projects, write } from '../setup/projects.mjs';
import { features } from './sections.mjs';

const CHAT = features.filter(({ file }) => file === 'src/chat.ts');

/** Says each line of its input, and prints the messages of all members. */
const WATCH = `import { createInterface } from 'node:readline';
import { capabilities, createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Chat } from './src/chat.ts';

const baseUrl = process.env['BASE_URL'] ?? 'http://localhost:8787';
const chat = createRpcClient<Chat>('CHAT', 'main', { baseUrl, capabilities });
const ada = await chat.login('ada', 'open sesame');

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => ada.say(line).catch(console.error));
for await (const message of subscribe(ada).messages()) console.log(message);
`;

const { env, scaffold, npm } = projects({ stopAfter: 'all' });

/** @type {string} */
let project;
/** @type {Runtime} */
let runtime;

beforeAll(async () => {
  project = await scaffold('recovery');
  for (const block of CHAT) apply(block, project);
  write(path.join(project, 'watch.ts'), WATCH);
  addObject(project, 'Chat', './chat.ts');
  await npm(project, 'types');
  runtime = await Runtime.serve({ config: path.join(project, 'wrangler.jsonc') });
});

afterAll(() => runtime?.stop());

test('the project compiles, and no lint rule reports', async () => {
  await npm(project, 'typecheck');
  await run('oxlint', ['src/chat.ts', 'watch.ts'], { cwd: project, env });
});

test('no message is lost, doubled or out of order, and the sessions go on', async () => {
  /** @type {string[]} */
  const all = [];
  const [ann, bob] = [await join(), await join()];
  for (let round = 0; round < 5; round++) {
    say(ann);
    await runtime.kill();
    say(ann);
    await runtime.start();
    say(ann);
    await expectAllAt(ann, bob);
    // Bob cannot reconnect before all of this has happened.
    bob.proxy.port = await freePort();
    bob.proxy.cutAll(round % 2 === 0 ? 'reset' : 'close');
    for (let count = 0; count < 3; count++) say(ann);
    await expectAllAt(ann);
    if (round > 2) await runtime.restart();
    bob.proxy.port = runtime.port;
    say(bob);
    await expectAllAt(ann, bob);
  }

  /** @returns a client that has received its own message, so it is subscribed */
  async function join() {
    const client = { ...(await watch()), begins: all.length };
    say(client);
    await expectAllAt(client);
    return client;
  }

  /** Says a text, also while the client is disconnected. @param {Awaited<ReturnType<typeof join>>} client */
  function say(client) {
    const text = `message ${all.length + 1}`;
    all.push(`ada: ${text}`);
    client.say(text);
  }

  /** @param {Awaited<ReturnType<typeof join>>[]} clients */
  async function expectAllAt(...clients) {
    for (const { heard, begins } of clients) await expect.poll(heard).toEqual(all.slice(begins));
  }
});

/** Starts the program, behind a proxy that serves only this program. */
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
    say: (/** @type {string} */ text) => child.stdin.write(`${text}\n`),
    heard: () => out.split('\n').filter(Boolean),
  };
}
