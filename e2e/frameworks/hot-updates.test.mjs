/** Tests the recipe for a client outside of components. A real Vite development server updates it in Chromium. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createServer } from 'vite';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { blocksOf, GUIDES } from '../guides/blocks.mjs';
import { REPOSITORY } from '../setup/outside.mjs';
import { write } from '../setup/projects.mjs';
import { servedRooms } from './rooms.mjs';

const rooms = servedRooms();
const browser = sharedBrowser();

test('six saves of a module that closes its client leave one socket', async () => {
  const recipe = blocksOf(`${GUIDES}frameworks.md`).find(({ text }) => text.includes('dispose'));
  const page = `import { createRpcClient } from 'lumenize-rpc/client';
${recipe?.text}
counter.getValue().then((value) => (document.body.textContent = \`\${value} of version \${version}\`));
`;
  const root = mkdtempSync(join(tmpdir(), 'hot-updates-'));
  mkdirSync(join(root, 'src'));
  const save = (/** @type {number} */ version) =>
    write(join(root, 'src/page.js'), page.replace('{version}', `{${version}}`));
  write(join(root, 'index.html'), '<body><script type="module" src="/src/page.js"></script>');
  save(0);
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    cacheDir: join(root, '.vite'),
    resolve: { alias: { 'lumenize-rpc/client': join(REPOSITORY, 'runtime/src/client.ts') } },
    server: {
      host: '127.0.0.1',
      port: 0,
      fs: { strict: false },
      proxy: { '/__rpc': { target: rooms.url(), ws: true } },
    },
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });
  await server.listen();
  const tab = await browser.newPage();
  onTestFinished(() => tab.close());
  const sockets = { opened: 0, open: 0 };
  tab.on('websocket', (socket) => {
    if (!socket.url().includes('/__rpc/')) return;
    sockets.opened++;
    sockets.open++;
    socket.on('close', () => sockets.open--);
  });
  await tab.goto(server.resolvedUrls?.local[0] ?? '');
  await expect.poll(() => tab.textContent('body')).toBe('0 of version 0');
  for (let version = 1; version <= 6; version++) {
    save(version);
    await expect.poll(() => tab.textContent('body')).toBe(`0 of version ${version}`);
  }
  await expect.poll(() => sockets).toEqual({ opened: 7, open: 1 });
});
