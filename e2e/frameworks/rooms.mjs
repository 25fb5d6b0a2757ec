/** Opens pages whose clients call the rooms of a real Worker, in Chromium. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { Runtime } from '../../harness/runtime.ts';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { REPOSITORY } from '../setup/outside.mjs';
import { bundle } from './bundle.mjs';

// The import is dynamic, because the types of the runtime are checked separately.
const { createRpcClient } = await import(join(REPOSITORY, 'runtime/src/client.ts'));

/** Serves the rooms for the tests of the calling file. */
export function servedRooms() {
  const browser = sharedBrowser();
  /** @type {Runtime} */
  let runtime;
  beforeAll(async () => {
    const main = join(import.meta.dirname, 'rooms-worker.ts');
    runtime = await Runtime.serve({
      config: { main, bindings: { ROOM: 'Room', COUNTER: 'Counter' } },
    });
  });
  afterAll(() => runtime.stop());

  return {
    url: () => runtime.url,

    /**
     * @param {string} name
     * @returns {any} a client of a room
     */
    client: (name) => createRpcClient('ROOM', name, { baseUrl: runtime.url }),

    /**
     * Opens a page of the Worker's origin with a script.
     *
     * @param {string} script
     * @param {{ path?: string, folder?: string, hasClock?: boolean, proxy?: { url: string } }} [options] - the page's
     *   path, the folder of the files that it imports, whether the test moves the page's clock, and a proxy between the
     *   page and the Worker, which may lose connections
     */
    async open(script, { path = '/', folder, hasClock = false, proxy } = {}) {
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      if (hasClock) await page.clock.install();
      /** @type {string[]} */
      const errors = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (!proxy && ['error', 'warning'].includes(message.type())) errors.push(message.text());
      });
      const sockets = { opened: 0, open: 0 };
      page.on('websocket', (socket) => {
        sockets.opened++;
        sockets.open++;
        socket.on('close', () => sockets.open--);
      });
      await page.goto((proxy?.url ?? runtime.url) + path);
      if (hasClock) await page.clock.pauseAt(Date.now() + 3_600_000);
      await page.addScriptTag({ content: await bundle(script, { folder }) });
      return {
        page,
        sockets,
        shown: async () => {
          expect(errors).toEqual([]);
          return page.locator('output').allTextContents();
        },
        // A click of the mouse would wait for frames, which do not come while the clock stands still.
        press: (/** @type {string} */ name) =>
          page
            .getByRole('button', { name, exact: true })
            .evaluate((button) =>
              /** @type {{ click(): void }} */ (/** @type {unknown} */ (button)).click(),
            ),
      };
    },
  };
}
