/** The site, by VitePress. Its pages are the Markdown files of the repository, at their places: `pages.ts`. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitepress';
import { extendMarkdown, linkedFiles, SOURCE } from './markdown.ts';
import { addressOf, EXCLUDED, REPOSITORY, sidebar } from './pages.ts';
import { slugify } from './slugify.ts';

export default defineConfig({
  title: 'lumenize-rpc',
  description:
    'Typed calls and live data for Durable Objects that hibernate, resume, and are safe to retry',
  lang: 'en',
  srcDir: '..',
  srcExclude: EXCLUDED,
  rewrites: (path) =>
    path === 'site/index.md' ? 'index.md' : `${addressOf(path) ?? path.replace(/\.md$/, '')}.md`,
  cleanUrls: true,
  // Addresses of a program that the reader has started.
  ignoreDeadLinks: 'localhostLinks',
  // A page would load the pages of all links that are in view.
  router: { prefetchLinks: false },
  markdown: {
    anchor: { slugify },
    config: extendMarkdown,
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/start/overview' },
      { text: 'Features', link: '/features/overview' },
      { text: 'Reference', link: '/reference/options-and-limits' },
      { text: 'Comparison', link: '/start/comparison' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  buildEnd({ outDir }) {
    for (const path of linkedFiles) {
      const target = join(outDir, SOURCE, path);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(REPOSITORY, path), target, { recursive: true });
    }
    writeFileSync(
      join(outDir, '_headers'),
      `/${SOURCE}/*\n  Content-Type: text/plain; charset=utf-8\n/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n`,
    );
  },
});
