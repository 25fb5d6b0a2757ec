/** `vite` serves the page and the Worker, `vite build` builds both. The plugin reads wrangler.jsonc. */
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { cloudflare } from '@cloudflare/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * During a restart there are two servers, because the old server keeps the port until the new server is complete. If
 * wrangler.jsonc changes then, Cloudflare's plugin restarts both, and Vite would end because the port is in use.
 * So a new server waits for its port before it restarts.
 */
const oneRestartAtATime: Plugin = {
  name: 'one-restart-at-a-time',
  configureServer(server) {
    const { httpServer, restart } = server;
    server.restart = async (...args) => {
      if (httpServer && !httpServer.listening) {
        await once(httpServer, 'listening');
        await setImmediate(); // Then the restart that made this server has ended.
      }
      await restart(...args);
    };
  },
};

export default defineConfig({
  plugins: [react(), oneRestartAtATime, cloudflare()],
  // Other clients use this address too, so `npm run dev` fails if the port is taken.
  server: { port: 8787, strictPort: true },
});
