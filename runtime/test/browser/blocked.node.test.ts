/**
 * In a real browser, a page may not connect, because its Content Security Policy blocks WebSockets or all requests.
 * Also, the upgrade of a page of another origin fails although the page has a cookie.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../../harness/browser.mjs';
import { Runtime } from '../../../harness/runtime.ts';
import { bundledScript } from './bundled-script.ts';

let runtime: Runtime;
let browser: Browser;
/** Serves a page whose policy is in its query. */
let pages: Server;
let script: string;

beforeAll(async () => {
  const main = join(import.meta.dirname, 'credentials-worker.ts');
  runtime = await Runtime.serve({ config: { main, bindings: { COUNTER: 'Who' } } });
  script = await bundledScript('client-page.ts');
  pages = createServer(({ url = '' }, response) => {
    const policy = new URL(url, 'http://page').searchParams.get('policy');
    if (policy) response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Content-Type', 'text/html').end('<title>A page</title>');
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  pages?.close();
  await runtime?.stop();
});

async function pageWith(policy = ''): Promise<Page> {
  const page = await browser.newPage();
  const { port } = pages.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/?policy=${encodeURIComponent(policy)}`);
  // The policy could block a script tag, so the script is evaluated.
  await page.evaluate(script);
  return page;
}

/** @returns the code and the message with which a call rejects */
async function failure(page: Page, options: object): Promise<{ code: string; message: string }> {
  return page.evaluate(`failureOf(${JSON.stringify(options)})`);
}

describe('a Content Security Policy', () => {
  test('that blocks only WebSockets is named with its directive', async () => {
    const page = await pageWith(`connect-src ${runtime.url}`);
    const options = { baseUrl: runtime.url, prefix: '/trusting' };
    expect(await failure(page, options)).toEqual({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(
        /^The server answered 426: .*Content Security Policy \(connect-src\).*transport: 'http'/,
      ),
    });
    await page.close();
  });

  test.each(['websocket', 'http'])(
    'that blocks all requests is named, over %s',
    async (transport) => {
      const page = await pageWith("connect-src 'none'");
      const options = { baseUrl: runtime.url, transport };
      expect(await failure(page, options)).toEqual({
        code: 'DISCONNECTED',
        message: expect.stringMatching(/^TypeError: Failed to fetch \(.*Content Security Policy/),
      });
      await page.close();
    },
  );
});

test('a page of another origin asks with the cookies of its upgrade', async () => {
  const asked: [cookie: string | undefined, isUpgrade: boolean][] = [];
  const gate = createServer(({ method, headers }, response) => {
    response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '');
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Allow-Headers', 'content-type, lumenize-rpc-probe');
    if (method === 'OPTIONS') return void response.end();
    asked.push([headers.cookie, false]);
    response.writeHead(403).end('no entry');
  });
  gate.on('upgrade', ({ headers }, socket: Socket) => {
    asked.push([headers.cookie, true]);
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  const page = await pageWith();
  const cookie = { name: 'session', value: 'ada', url: baseUrl, sameSite: 'Strict' as const };
  await page.context().addCookies([cookie]);
  expect(await failure(page, { baseUrl })).toMatchObject({ code: 'FORBIDDEN' });
  expect(asked).toEqual([
    ['session=ada', true],
    ['session=ada', false],
  ]);
  await page.close();
  gate.close();
});

test.each(['closed', 'open', 'trusting'])(
  'the router lets a page of another origin read why its upgrade failed: /%s',
  async (prefix) => {
    const page = await pageWith(`connect-src ${runtime.url}`);
    const options = { baseUrl: runtime.url, prefix: `/${prefix}` };
    const isForbidden = prefix === 'closed';
    expect(await failure(page, options)).toMatchObject({
      code: isForbidden ? 'FORBIDDEN' : 'UNAVAILABLE',
    });
    await page.close();
  },
);
