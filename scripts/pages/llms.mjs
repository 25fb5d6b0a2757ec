/** Writes the package's list of its pages for coding assistants. */
import { llmsText } from '../../site/.vitepress/llms.ts';
import { allPages } from '../../site/.vitepress/pages.ts';

const FOLDER = 'runtime/';

/**
 * @param {import('./pages.mjs').Pages} pages
 * @returns {string} a line to print
 */
export function writeLlms(pages) {
  const own = allPages().filter(({ path }) => path.startsWith(FOLDER));
  const text = llmsText(own, ({ path }) => path.slice(FOLDER.length));
  pages.set(`${FOLDER}llms.txt`, text);
  return `${FOLDER}llms.txt lists ${own.length} pages`;
}
