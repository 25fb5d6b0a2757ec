/**
 * The caller of a page in a real browser that has a cookie of the Worker. It is the user of the cookie only if the page
 * has the Worker's own origin, or if the Worker allows credentials.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../../harness/browser.mjs';
import { Runtime } from '../../../harness/runtime.ts';

const COOKIE = 'session=ada';

let runtime: Runtime;
let browser: Browser;
let page: Page;
/** Serves a page on another port. It has another origin and the same site, so that it gets `SameSite` cookies. */
let other: Server;

beforeAll(async () => {
  const main = join(import.meta.dirname, 'credentials-worker.ts');
  runtime = await Runtime.serve({ config: { main, bindings: { WHO: 'Who' } } });
  other = createServer((_, response) => response.end('Another page'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  browser = await launchChromium();
  page = await browser.newPage();
  const [name = '', value = ''] = COOKIE.split('=');
  const cookie = { name, value, url: runtime.url, sameSite: 'Strict' as const };
  await page.context().addCookies([cookie]);
});

afterAll(async () => {
  await browser?.close();
  other?.close();
  await runtime?.stop();
});

/** @returns the caller of the page over a WebSocket, and by POST with credentials */
async function callers(prefix: string): Promise<unknown> {
  const path = `127.0.0.1:${runtime.port}/${prefix}/WHO/one/call`;
  return page.evaluate(
    `Promise.all([
      new Promise((resolve) => {
        const socket = new WebSocket('ws://${path}', 'lumenize-rpc.1');
        socket.onopen = () => socket.send('[[1,"calls"]]');
        socket.onmessage = ({ data }) => { resolve(data); socket.close(); };
        socket.onclose = () => resolve('closed');
      }),
      fetch('http://${path}', {
        method: 'POST',
        body: '[[1,"calls"]]',
        credentials: 'include',
        headers: { 'Content-Type': 'application/json' },
      }).then((response) => response.text(), () => 'kept back by the browser'),
    ])`,
  );
}

const as = (user: string): string => JSON.stringify([[1, user]]);

test("the Worker's own page calls as the user of the cookie", async () => {
  await page.goto(runtime.url);
  for (const prefix of ['open', 'trusting'])
    expect(await callers(prefix)).toEqual([as(COOKIE), as(COOKIE)]);
});

test('a page of another origin calls as nobody, unless credentials are allowed', async () => {
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  expect(await callers('open')).toEqual([as('nobody'), 'kept back by the browser']);
  expect(await callers('trusting')).toEqual([as(COOKIE), as(COOKIE)]);
});
