/**
 * How the search ranks pages. The title of a page, its first paragraph and its headings say what the page is about, and so
 * count more than its text. Code counts less. VitePress sends the functions of `options` and `searchOptions` to the browser
 * as text, so they use nothing else.
 */
import type { DefaultTheme } from 'vitepress';
import { splitIntoSections } from './sections.ts';

type Options = NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>;

export const search: Options & { options: { fields: string[] } } = {
  _splitIntoSections: (_path, html) =>
    // The type wants a text. `extractField` takes its parts.
    splitIntoSections(html) as unknown as { anchor: string; titles: string[]; text: string }[],
  options: {
    fields: ['page', 'about', 'title', 'titles', 'names', 'text', 'code'],
    extractField: (section, field) =>
      /^(page|about|names|text|code)$/.test(field) ? section.text[field] : section[field],
    /**
     * A code such as `CURSOR_EXPIRED` is one word, so that it is not found for "cursor" before the pages about cursors.
     * "real-time" is found as "realtime", too, and "Next.js" as "nextjs".
     */
    tokenize: (text) => {
      const joined = text.match(/\p{L}+(-\p{L}+)+|\p{L}+\.js\b/gu) ?? [];
      return [...text.split(/[^\p{L}\p{N}_]+/u), ...joined.map((word) => word.replace(/\W/g, ''))];
    },
    /**
     * Words of questions that are on every page are left out. A plural and its singular are one word, and so are
     * "test" and "testing", "migrate" and "migration", "auth" and "authentication".
     */
    processTerm: (term) => {
      const word = term.toLowerCase();
      const isCommon =
        /^(a|an|and|are|as|be|by|can|do|does|for|from|how|i|in|is|it|my|of|on|or|per|the|to|what|when|where|which|who|why|with|you)$/;
      if (isCommon.test(word)) return null;
      return word
        .replace(/(?<=..)ies$/, 'y')
        .replace(/(?<=..[^su])s$/, '')
        .replace(/(?<=.{4})ing$/, '')
        .replace(/(?<=.{5})(e|ion)$/, '')
        .replace(/^auth(enticat|ori[sz]).*/, 'auth');
    },
  },
  searchOptions: {
    /** In a short word, another letter makes another word: "reach" is not "react". */
    fuzzy: (term) => (term.length > 5 ? 1 : false),
    prefix: (term) => term.length > 2,
    weights: { prefix: 0.2, fuzzy: 0.2 },
    boost: { page: 4, about: 4, title: 3.2, names: 1.5, text: 1, titles: 1, code: 0.3 },
    /** Guides come before the list of all options and the protocol, and pages for users before pages for contributors. */
    boostDocument: (id) => {
      if (/^\/(decisions|project)\//.test(id)) return 0.2;
      return /^\/reference\/(options|protocol)/.test(id) ? 0.6 : 1;
    },
  },
};
