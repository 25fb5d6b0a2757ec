/**
 * The hook of the page with React, in a page of Chromium. The object is in the same page, behind a port.
 * `e2e/react.test.mjs` runs the whole project.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../harness/browser.mjs';
import { projects, write } from './guides/project.mjs';
import { REPOSITORY } from './outside.mjs';
import { pageOf } from './shared-value.mjs';

const place = projects({ stopAfter: 'all' });
/** @type {import('playwright-core').Browser} */
let browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

test('a component subscribes while it is mounted, also in strict mode', async () => {
  const page = await browser.newPage();
  await page.setContent('<!doctype html><title>useLive</title>');
  await page.addScriptTag({ content: await bundle(PAGE) });
  const shown = () => page.locator('output').allTextContents();
  const sent = async (/** @type {string} */ kind) =>
    (await page.evaluate('sent.join()')).split(`["${kind}"`).length - 1;
  const left = () => sent('unsubscribe');
  await expect.poll(shown).toEqual(['0', '0']);
  expect(await left()).toBe(0);
  await page.getByRole('button', { name: 'Fewer' }).click();
  await expect.poll(left).toBe(1);
  await page.getByRole('button', { name: 'Increment' }).click();
  await expect.poll(shown).toEqual(['1']);
  await page.getByRole('button', { name: 'Fewer' }).click();
  await expect.poll(left).toBe(2);
  expect(await sent('subscribe')).toBe(2);
  await page.close();
});

/** @param {string} page */
async function bundle(page) {
  const project = await place.scaffoldBare('live', ['--ui', 'react']);
  write(join(project, 'src/ui/page.tsx'), page);
  const { outputFiles } = await build({
    entryPoints: [join(project, 'src/ui/page.tsx')],
    bundle: true,
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
    nodePaths: [join(REPOSITORY, 'node_modules')],
  });
  return outputFiles[0]?.text ?? '';
}

/** Two components with one subscription, and buttons that unmount them and change the value. */
const PAGE = pageOf(`import { messagePortTransport } from '../rpc/client/port.ts';
import { compileContract, live, servePort } from '../rpc/server.ts';

class Counter {
  #value = 0;

  increment(): void {
    this.#value++;
  }

  getValue(): number {
    return this.#value;
  }
}

const contract = compileContract({
  increment: [],
  getValue: live(),
});
const { port1, port2 } = new MessageChannel();
servePort(port2, new Counter(), contract);
const transport = messagePortTransport(port1);
const sent: unknown[] = Object.assign(globalThis, { sent: [] }).sent;
const counter = createRpcClient<Counter>('COUNTER', 'live', {
  transport: {
    ...transport,
    send(frame) {
      sent.push(frame);
      transport.send(frame);
    },
  },
});`);
