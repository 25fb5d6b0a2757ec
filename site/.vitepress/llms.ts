/** Makes `llms.txt`, the list of pages for coding assistants. The package and the site each have a list. */
import { groupTitle, type Page } from './pages.ts';

const HEAD = `# lumenize-rpc

> Typed calls and live data for Cloudflare Durable Objects that hibernate, resume, and are safe to retry.
`;

/** Returns the list of pages in their groups. Each page has its first sentence. */
export function llmsText(pages: readonly Page[], linkTo: (page: Page) => string): string {
  const groups = Map.groupBy(pages, ({ group }) => group);
  const lists = Array.from(groups, ([group, listed]) => {
    const lines = listed.map((page) => `- [${page.title}](${linkTo(page)}): ${page.summary}\n`);
    return `\n## ${groupTitle(group)}\n\n${lines.join('')}`;
  });
  return `${HEAD}${lists.join('')}`;
}
