/** `vite` serves the page and the Worker, `vite build` builds both. The plugin reads wrangler.jsonc. */
import { cloudflare } from '@cloudflare/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react(), cloudflare()],
  // Callers have the address too: if the port is taken, `npm run dev` fails and does not move on.
  server: { port: 8787, strictPort: true },
});
