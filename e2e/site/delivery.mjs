/** What the Worker serves: no link is dead, error codes have addresses, and the site can be deployed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HTTP_STATUS } from '../../runtime/src/wire/status.ts';
import { REPOSITORY, run } from '../setup/outside.mjs';
import { builtPages, SITE } from './built-site.mjs';

/** @param {() => string} url - of the site */
export function testDelivery(url) {
  test('each link leads to a page that exists, and to a section of it', async () => {
    const pages = builtPages();
    /** @type {Map<string, Promise<number>>} */
    const statuses = new Map();
    const statusOf = (/** @type {string} */ path) => {
      const known = statuses.get(path) ?? fetch(url() + path).then(({ status }) => status);
      statuses.set(path, known);
      return known;
    };
    /** @type {string[]} */
    const dead = [];
    for (const [path, html] of pages) {
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^[a-z]+:/.test(href)) continue;
        const { pathname, hash } = new URL(href, `http://site${path}`);
        const target = pages.get(pathname);
        const exists = target
          ? !hash || target.includes(` id="${decodeURIComponent(hash.slice(1))}"`)
          : (await statusOf(pathname)) === 200;
        if (!exists) dead.push(`${path}: ${href}`);
      }
    }
    expect(pages.size).toBeGreaterThan(60);
    expect(dead).toEqual([]);
  });

  test.each(Object.keys(HTTP_STATUS))('/errors/%s leads to a section', async (code) => {
    const response = await fetch(`${url()}/errors/${code}`, { redirect: 'manual' });
    const [path = '', anchor] = (response.headers.get('location') ?? '').split('#');
    expect(response.status).toBe(302);
    expect(builtPages().get(path)).toContain(`<h2 id="${anchor}"`);
  });

  test('llms.txt lists pages that exist', async () => {
    const text = await (await fetch(`${url()}/llms.txt`)).text();
    const links = Array.from(text.matchAll(/\]\((\/[^)]+)\)/g), ([, link = '']) => link);
    expect(links.length).toBeGreaterThan(60);
    expect(links.filter((link) => !builtPages().has(link))).toEqual([]);
  });

  test('a file that is no page is shown as text', async () => {
    const response = await fetch(`${url()}/source/examples/meter/src/meter.ts`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toContain('lumenizeRpcDO');
  });

  test('an address without a page is answered by 404', async () => {
    const response = await fetch(`${url()}/nothing`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<!DOCTYPE html>');
  });

  test('wrangler deploys it', async () => {
    const wrangler = join(REPOSITORY, 'node_modules/.bin/wrangler');
    const { all } = await run(wrangler, ['deploy', '--dry-run'], { cwd: SITE, env: process.env });
    expect(all).toContain('--dry-run: exiting now.');
    expect(all).toMatch(/Read \d{2,} files from the assets directory/);
  });
}
