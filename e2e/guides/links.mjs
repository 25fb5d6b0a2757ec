/** Checks that the links of the guides lead to existing files and headings. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { slugify } from '../../site/.vitepress/slugify.ts';
import { REPOSITORY } from '../setup/outside.mjs';

const LINK = /\]\(([^)\s]+)\)|^\[\w+\]: (\S+)$|(?:src|srcset)="([^"]+)"/gm;

/**
 * @param {string} guide
 * @returns {{ guide: string, link: string }[]} its links inside the repository
 */
export function linksOf(guide) {
  const source = readFileSync(join(REPOSITORY, guide), 'utf8').replaceAll(
    /^```[\s\S]*?^```$/gm,
    '',
  );
  const links = Array.from(
    source.matchAll(LINK),
    ([, inText, below, image]) => inText ?? below ?? image,
  );
  return links
    .filter((link) => link !== undefined && !/^https?:/.test(link))
    .map((link) => ({ guide, link: link ?? '' }));
}

/**
 * @param {string} link
 * @param {string} guide
 * @returns {boolean}
 */
export function leadsSomewhere(link, guide) {
  const [path = '', anchor] = link.split('#');
  const target = path ? join(REPOSITORY, dirname(guide), inSources(path)) : join(REPOSITORY, guide);
  if (!existsSync(target)) return false;
  if (!anchor) return true;
  const headings = readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading = '']) => slugify(heading)).includes(anchor);
}

/**
 * Returns the source of a path. Every project has the pages of the package, which this repository builds from another
 * folder.
 *
 * @param {string} path
 */
function inSources(path) {
  return path.replace(/^node_modules\/lumenize-rpc\//, '../runtime/');
}
