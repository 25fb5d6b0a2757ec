/** How the search ranks pages. VitePress sends these functions to the browser as text, so they use nothing else. */
import type { DefaultTheme } from 'vitepress';

type Options = NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>;

export const search: Options = {
  options: {
    /** Words of questions that are on every page are left out. */
    processTerm: (term) => {
      const word = term.toLowerCase();
      const isCommon =
        /^(a|an|and|are|can|do|does|for|how|i|in|is|it|my|of|on|or|the|to|what|when|who|with)$/;
      return isCommon.test(word) ? null : word;
    },
  },
  searchOptions: {
    /** In a short word, another letter makes another word: "reach" is not "react". */
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    prefix: (term) => term.length > 2,
    boost: { title: 4, text: 2, titles: 1 },
    /** Pages for users come before pages for contributors. */
    boostDocument: (id) => (/^\/(decisions|project)\//.test(id) ? 0.3 : 1),
  },
};
