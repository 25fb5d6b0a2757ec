/** `vite` serves the page and the Worker, `vite build` builds both. The plugin reads wrangler.jsonc. */
import { cloudflare } from '@cloudflare/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react(), cloudflare()],
  // Other clients use this address too, so `npm run dev` fails if the port is taken.
  server: { port: 8787, strictPort: true },
});
