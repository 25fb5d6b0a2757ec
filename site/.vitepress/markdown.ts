/**
 * Changes Markdown for the site: links between files become links between pages, and diagrams become pictures when the
 * site is built. So one text works in the repository, in the package and in the site.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownOptions } from 'vitepress';
import { addressOf, allPages, REPOSITORY } from './pages.ts';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** The folder of the site that has the texts of linked files that are no pages. */
export const SOURCE = 'source';

/** Linked files that are no pages. They are copied when the site is built. */
export const linkedFiles = new Set<string>();

export function extendMarkdown(markdown: MarkdownIt): void {
  const pathsByAddress = new Map(allPages().map(({ path, address }) => [address, path]));

  markdown.core.ruler.push('links-between-files', ({ tokens, env }) => {
    const known = (env.relativePath as string).replace(/\.md$/, '');
    const file = known === 'index' ? 'site/index.md' : (pathsByAddress.get(known) ?? `${known}.md`);
    for (const token of tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href && !/^([a-z]+:|[#/])/.test(href)) {
        const target = targetOf(file, href);
        token.attrSet('href', target);
        // VitePress and its router do not change such a link.
        if (target.startsWith(`/${SOURCE}/`)) token.attrSet('target', '_self');
      }
      if (token.type.startsWith('html_'))
        token.content = token.content.replaceAll(/\b(src|srcset)="(?=\w)(?!https?:)/g, '$1="./');
    }
  });

  // A cell without text is no heading of its column.
  markdown.core.ruler.push('empty-headings-of-tables', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const [content, end] = tokens.slice(index + 1, index + 3);
      if (token.type === 'th_open' && end && content?.content === '') token.tag = end.tag = 'td';
    }
  });

  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    return token?.info.trim() === 'mermaid'
      ? diagram(token.content)
      : (fence?.(tokens, index, ...rest) ?? '');
  };
}

/** Returns the target of a link in the site: a page, or the text of a file. */
function targetOf(file: string, href: string): string {
  const [path = '', anchor] = href.split('#');
  const inRepository = join(dirname(file), path).replace(
    /^template\/node_modules\/lumenize-rpc\//,
    'runtime/',
  );
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const address = addressOf(inRepository);
  if (!existsSync(join(REPOSITORY, inRepository)))
    throw new Error(`${file} links to ${href}, which does not exist`);
  if (address) return `/${address}${hash}`;
  if (inRepository === 'site/index.md') return '/';
  linkedFiles.add(inRepository);
  return `/${SOURCE}/${inRepository}`;
}

/** Returns a picture in the colours of the page, light or dark. */
function diagram(text: string): string {
  const svg = renderMermaidSVG(text, {
    bg: 'var(--vp-c-bg)',
    fg: 'var(--vp-c-text-1)',
    accent: 'var(--vp-c-brand-1)',
    muted: 'var(--vp-c-text-2)',
    font: 'inherit',
    padding: 8,
    transparent: true,
  }).replaceAll(/@import url\([^)]*\);/g, '');
  const participants = Array.from(
    text.matchAll(/^ *participant (?:\w+ as )?(.+)$/gm),
    ([, name]) => name,
  );
  const label = escape(`Messages between ${participants.join(', ')}`);
  // The SVG has a style element, which a template of Vue cannot have.
  return `<div class="diagram" role="img" tabindex="0" aria-label="${label}" v-html="${escape(JSON.stringify(svg))}"></div>\n`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
