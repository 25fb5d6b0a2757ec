/**
 * Installs and checks a project with `--ui react`, and runs its page in a real browser. `use-live.test.mjs` tests the
 * hooks.
 */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startVite } from '../../harness/dev-server.mjs';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { apply } from '../guides/blocks.mjs';
import { clientOf, projects, write } from '../setup/projects.mjs';
import { sectionOf } from '../guides/sections.mjs';
import { run } from '../setup/outside.mjs';

/** @typedef {import('playwright-core').Page} Page */

const place = projects({ stopAfter: 'all' });
const browser = sharedBrowser();
/** @type {string} */
let project;
/** @type {Awaited<ReturnType<typeof startVite>>} */
let dev;

beforeAll(async () => {
  project = await place.scaffoldBare('react', ['--ui', 'react', '--example', 'room']);
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', args, { cwd: project, env: place.env });
  await place.npm(project, 'types');
  followReadme();
});

test('Vite, wrangler and the tests share one Workers runtime', () => {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  for (const name of ['miniflare', 'workerd', 'wrangler']) {
    const copies = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`));
    expect(copies).toEqual([`node_modules/${name}`]);
  }
});

test('the checks pass, and a deployment includes the page', async () => {
  const { all } = await place.npm(project, 'deploy', '--dry-run');
  expect(all).toContain('env.COUNTER (Counter)');
  expect(all).toMatch(/Read \d+ files from the assets directory .*dist\/client/);
  expect(all).not.toContain('WARNING');
  expect(existsSync(join(project, 'dist/client/index.html'))).toBe(true);
  // The check follows the build, because it also compares the generated types, which the build must not change.
  await place.npm(project, 'typecheck');
  await place.npm(project, 'lint', '--deny-warnings');
  await place.npm(project, 'test', 'test/counter.test.ts');
});

test('the built page counts', async () => {
  const { url: built } = await startVite(project, ['exec', 'vite', 'preview'], place.env);
  const page = await open(built);
  await page.getByRole('button', { name: 'Increment' }).click();
  await expect.poll(() => value(page)).toBe('1');
  // The policy allows only the built scripts.
  const { headers } = await fetch(built);
  expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  await page.evaluate(`(() => {
    const element = document.createElement('script');
    element.append('ran = 1');
    document.body.append(element);
  })()`);
  expect(await page.evaluate('typeof ran')).toBe('undefined');
  await page.close();
});

test('two pages show one value, and each press counts once', async () => {
  const [one, other] = [await open(), await open()];
  await one.getByRole('button', { name: 'Reset' }).click();
  for (const page of [one, other]) await expect.poll(() => value(page)).toBe('0');
  await one.getByRole('button', { name: 'Increment' }).click();
  for (const page of [one, other]) await expect.poll(() => value(page)).toBe('1');
  await other.getByLabel('Number to add').fill('1200');
  await other.getByRole('button', { name: 'Add' }).click();
  for (const page of [one, other]) await expect.poll(() => value(page)).toBe('1,201');
  await one.getByLabel('Number to add').fill('1.5');
  await one.getByRole('button', { name: 'Add' }).click();
  await expect.poll(() => problem(one)).toContain('increment: argument [0] must be integer');
  await one.getByRole('button', { name: 'Increment' }).click();
  await expect.poll(() => problem(one)).toBe('');
  await expect.poll(() => value(other)).toBe('1,202');
});

test('strict mode, which mounts every component twice, subscribes once', async () => {
  const page = await browser.newPage();
  const sent = sentBy(page);
  await page.goto(await served());
  await expect.poll(() => value(page)).not.toBe('…');
  await expect.poll(() => page.getByText(/^\d+ here$/).count()).toBe(1);
  await page.getByRole('button', { name: 'Increment' }).click();
  const methods = ['getValue', 'messages', 'getTopic', 'countPresent', 'increment'];
  await expect.poll(() => timesIn(sent.frames, methods)).toEqual([1, 1, 1, 1, 1]);
  expect(sent.sockets).toHaveLength(2);
  await page.close();
});

test('each page shows the messages of the other, and a new topic at once', async () => {
  const [ada, bob] = [await open(), await open()];
  await ada.getByLabel('Your name').fill('Ada');
  await say(ada, 'hello');
  await say(bob, 'hello yourself');
  const said = ['Ada (guest): hello', 'Somebody (guest): hello yourself'];
  for (const page of [ada, bob]) await expect.poll(() => heardBy(page)).toEqual(said);
  await bob.getByLabel('Another topic').fill('Tea');
  await bob.getByRole('button', { name: 'Set topic' }).click();
  for (const page of [ada, bob]) {
    await expect.poll(() => page.getByRole('heading', { name: 'Topic: Tea' }).count()).toBe(1);
  }
  await say(ada, '');
  await expect
    .poll(() => problem(ada))
    .toContain('say: argument [0] must have at least 1 character, got 0');
});

test('the component of the README shows the live value, counts, and shows an error', async () => {
  const page = await browser.newPage();
  /** @type {Error[]} */
  const unhandled = [];
  page.on('pageerror', (error) => unhandled.push(error));
  await page.goto(`${await served()}/shop.html`);
  const shown = () => page.locator('output').textContent();
  await expect.poll(shown).not.toBe('');
  const before = Number(await shown());
  await page.getByRole('button', { name: 'Buy' }).click();
  await expect.poll(shown).toBe(`${before + 1}`);
  const { createRpcClient } = await clientOf(project);
  using counter = createRpcClient('COUNTER', 'demo', { baseUrl: await served() });
  await counter.reset();
  await Promise.all(Array.from({ length: 1_000 }, () => counter.increment(1_000_000)));
  await page.getByRole('button', { name: 'Buy' }).click();
  await expect.poll(() => problem(page)).toContain('The counter holds 1000000000 at most');
  await counter.reset();
  await expect.poll(shown).toBe('0');
  expect(unhandled).toEqual([]);
  await page.close();
});

test.each(['clients.ts', 'counter.tsx', 'room.tsx', 'status.tsx', 'main.tsx'])(
  'six saves of src/ui/%s leave one socket to each object',
  async (name) => {
    const file = join(project, 'src/ui', name);
    const source = readFileSync(file, 'utf8');
    onTestFinished(() => saveAtOnce(file, source));
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    let sockets = 0;
    // A page that reloads ends its sockets without an event.
    page.on('framenavigated', () => (sockets = 0));
    page.on('websocket', (socket) => {
      if (!socket.url().includes('/__rpc/')) return;
      sockets++;
      socket.on('close', () => sockets--);
    });
    await page.goto(await served());
    const here = page.getByText(/^\d+ here$/);
    await expect.poll(() => here.count()).toBe(1);
    // Pages of the tests above may be connected, too.
    const present = await here.textContent();
    for (let save = 1; save <= 6; save++) {
      const saved = `${source}\nObject.assign(globalThis, { saved: ${save} });\n`;
      saveAtOnce(file, saved);
      let asked = 0;
      await expect
        .poll(() => {
          // Vite does not tell a page of a save while the page loads.
          if (++asked % 100 === 0) saveAtOnce(file, saved);
          return page.evaluate('globalThis.saved').catch(String);
        })
        .toBe(save);
      await expect.poll(() => page.getByText('Connection: open').count()).toBe(2);
    }
    await expect.poll(() => sockets).toBe(2);
    await expect.poll(() => here.textContent()).toBe(present);
  },
);

const LOOKS = /** @type {const} */ ([
  [320, 'light'],
  [1280, 'dark'],
]);

test.each(LOOKS)('the page is accessible, %i pixels wide, %s', async (width, colorScheme) => {
  const page = await open(await served(), { viewport: { width, height: 800 }, colorScheme });
  await page.evaluate(axe.source);
  expect((await page.evaluate('axe.run()')).violations).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await page.close();
});

// This test is the last, because it changes the Worker.
test('the server goes on when another object is added while it restarts', async () => {
  const baseUrl = await served();
  let log = '';
  for (const stream of [dev.server.stdout, dev.server.stderr]) {
    stream?.on('data', (chunk) => (log += chunk));
  }
  const files = sectionOf('Add a Durable Object').filter(({ file }) => file);
  const settings = files.filter(({ file }) => file === 'wrangler.jsonc');
  for (const block of files) if (!settings.includes(block)) apply(block, project);
  await expect.poll(() => log).toContain('Worker exports have changed. Restarting dev server.');
  for (const block of settings) apply(block, project);
  const path = join(project, 'wrangler.jsonc');
  // The file is saved again and again. Some saves come while the new server exists and the old server has the port.
  const save = () => {
    write(path, `${readFileSync(path, 'utf8')}\n`);
    return log;
  };
  await expect.poll(save, { interval: 1_000 }).toContain('server restarted.');
  const { createRpcClient } = await clientOf(project);
  using notes = createRpcClient('NOTES', 'my-notes', { baseUrl });
  const add = () => notes.add('Hello').catch(String);
  await expect.poll(add).toMatch(/^[0-9a-f-]{36}$/);
  expect(dev.server.exitCode).toBe(null);
});

/**
 * Replaces a file at once, as editors do, because Vite would read a half-written file.
 *
 * @param {string} file
 * @param {string} text
 */
function saveAtOnce(file, text) {
  const written = join(project, 'node_modules/.saved');
  write(written, text);
  renameSync(written, file);
}

/** Adds the component of the README's section "From a page", and a page that shows it. */
function followReadme() {
  const readme = readFileSync(join(project, 'README.md'), 'utf8');
  const [, file = '', component = ''] = /^```tsx\n\/\/ (.*)\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  expect(file).toBe('src/ui/shop.tsx');
  write(join(project, file), component);
  write(join(project, 'shop.html'), '<script type="module" src="/src/ui/shop-page.tsx"></script>');
  write(join(project, 'src/ui/shop-page.tsx'), SHOP_PAGE);
}

/** @returns {Promise<string>} the address of `npm run dev` */
async function served() {
  dev ??= await startVite(project, ['run', 'dev'], place.env);
  return dev.url;
}

/**
 * @param {string} [address]
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @returns {Promise<Page>} a connected page
 */
async function open(address, options) {
  const page = await browser.newPage(options);
  await page.goto(address ?? (await served()));
  await expect.poll(() => page.getByText('Connection: open').count()).toBe(2);
  await expect.poll(() => value(page)).not.toBe('…');
  return page;
}

/** @param {Page} page */
const value = (page) => page.getByLabel('Value').textContent();

/** @param {Page} page */
const problem = async (page) => (await page.getByRole('alert').allTextContents()).join('');

/** @param {Page} page */
const heardBy = (page) => page.getByRole('log').locator('li').allTextContents();

/**
 * @param {Page} page
 * @param {string} text
 */
async function say(page, text) {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Say it' }).click();
}

/**
 * @param {Page} page
 * @returns {{ sockets: string[], frames: string[] }} sockets and frames of the page to objects, from now on
 */
function sentBy(page) {
  const sent = { sockets: /** @type {string[]} */ ([]), frames: /** @type {string[]} */ ([]) };
  page.on('websocket', (socket) => {
    if (!socket.url().includes('/__rpc/')) return;
    sent.sockets.push(socket.url());
    socket.on('framesent', ({ payload }) => sent.frames.push(String(payload)));
  });
  return sent;
}

/**
 * @param {string[]} frames
 * @param {string[]} words
 */
function timesIn(frames, words) {
  return words.map((word) => frames.join('\n').split(`"${word}"`).length - 1);
}

const SHOP_PAGE = `import { createRoot } from 'react-dom/client';
import { Shop } from './shop.tsx';

createRoot(document.body.appendChild(document.createElement('div'))).render(<Shop />);
`;
