/** `llms.txt`: what there is to read, for coding assistants. The package has one, and the site has one. */
import { groupTitle, type Page } from './pages.ts';

const HEAD = `# lumenize-rpc

> Typed calls and live data for Cloudflare Durable Objects that hibernate, resume, and are safe to retry.
`;

/** The text that lists pages in their groups, each with its first sentence. */
export function llmsText(pages: readonly Page[], linkTo: (page: Page) => string): string {
  const groups = Map.groupBy(pages, ({ group }) => group);
  const lists = Array.from(groups, ([group, listed]) => {
    const lines = listed.map((page) => `- [${page.title}](${linkTo(page)}): ${page.summary}\n`);
    return `\n## ${groupTitle(group)}\n\n${lines.join('')}`;
  });
  return `${HEAD}${lists.join('')}`;
}
