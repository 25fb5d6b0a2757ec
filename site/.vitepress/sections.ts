/** What the search index has of a page: its sections, with the fields by which `search.ts` ranks them. */

/** What the index has of a section besides its titles. */
interface Text {
  /** The title of the page, for the section at its beginning. */
  page: string;
  /** The first paragraph of the page and its headings, for the same section. */
  about: string;
  /** What the rows of tables name first, such as options. */
  names: string;
  text: string;
  code: string;
}

interface Section {
  anchor: string;
  /** The titles of the page, of the sections around this section, and of the section. */
  titles: string[];
  text: Text;
}

const HEADING = /<h([1-6])[^>]* id="([^"]*)"[^>]*>([^]*?)<\/h\1>/;

/** The sections of a page, each from a heading to the next. */
export function splitIntoSections(html: string): Section[] {
  // The text before the first heading is empty. A heading has four parts: level, anchor, title and the text after it.
  const parts = html.split(HEADING).slice(1);
  const path: string[] = [];
  const sections: Section[] = [];
  for (let at = 0; at < parts.length; at += 4) {
    const [level = '', anchor = '', title = '', content = ''] = parts.slice(at, at + 4);
    path.length = Number(level) - 1;
    path.push(plain(title));
    const code = Array.from(content.matchAll(/<pre[^]*?<\/pre>/g), ([block]) => plain(block));
    sections.push({
      anchor,
      titles: path.filter(Boolean),
      text: {
        page: '',
        about: '',
        names: Array.from(content.matchAll(/<tr>\s*<td><code>(.*?)<\/code>/g), ([, name]) =>
          plain(name ?? ''),
        ).join('\n'),
        text: plain(content.replaceAll(/<div class="language-[^]*?<\/pre>/g, '')),
        code: code.join('\n'),
      },
    });
  }
  const [first, ...others] = sections;
  if (first) {
    const paragraph = plain(/<p>([^]*?)<\/p>/.exec(parts[3] ?? '')?.[1] ?? '');
    first.text.page = first.titles.join('');
    first.text.about = [paragraph, ...others.map(({ titles }) => titles.at(-1))].join('\n');
  }
  return sections;
}

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&ZeroWidthSpace;': '',
};

function plain(html: string): string {
  return html
    .replaceAll(/<a class="header-anchor"[^]*?<\/a>|<button[^]*?<\/button>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#?\w+;/g, (entity) => ENTITIES[entity] ?? ' ')
    .trim();
}
