/** Removes the example from a project as its README says. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';

/** Matches a file in a list, or in the phrase that introduces the lines to delete in it. */
const FILE = /`([\w./-]+\.\w+)`/g;

/**
 * The changes that a reader makes in a file, by the words that describe them.
 *
 * @type {[words: RegExp, change: (text: string, name: string) => string][]}
 */
const CHANGES = [
  [/the export of `(\w+)`/, (text, name) => text.replace(line(`export .*\\b${name}\\b`), '')],
  [/`'(\w+)'` in the list/, (text, name) => text.replace(new RegExp(`'${name}'(?:,\\s*)?`), '')],
  [/the lines with `(\w+)`/, (text, name) => text.replaceAll(line(`.*\\b${name}\\b`), '')],
  [
    /the binding `(\w+)`/,
    (text, name) => text.replace(new RegExp(`\\{ "name": "${name}"[^}]*\\}(?:,\\s*)?`), ''),
  ],
  [/`(\w+)` in `exports`/, (text, name) => text.replace(line(`\\s*"${name}": \\{`), '')],
  [
    /`(\w+)` in `cloudflare`/,
    (text, name) => {
      const path = ['cloudflare', 'bindings', name];
      return applyEdits(text, modify(text, path, undefined, {}));
    },
  ],
  [
    /the imports of the measured classes/,
    (text) => text.replaceAll(/^import (?!.*'lumenize-rpc\/perf').*\n/gm, ''),
  ],
  [
    /the arguments of `(\w+)`/,
    (text, name) => text.replace(new RegExp(`= ${name}\\([^]*?\\);$`, 'm'), `= ${name}();`),
  ],
];

/**
 * @param {string} project
 * @returns {string[]} the items of the list
 */
export function removeExample(project) {
  const readme = readFileSync(join(project, 'README.md'), 'utf8');
  const [, section = ''] = /^## Remove the example\n([^]*?)^## /m.exec(readme) ?? [];
  const items = section.match(/^- .*(?:\n {2}.*)*/gm) ?? [];
  for (const item of items) {
    const [files = '', ...changed] = item.replaceAll(/\s+/g, ' ').split(/\bin (?=`[\w/-]+\.\w+`)/);
    for (const [, path = ''] of files.matchAll(FILE)) {
      // This throws if there is no such file.
      statSync(join(project, path));
      rmSync(join(project, path));
    }
    for (const part of changed) change(project, part);
  }
  return items;
}

/**
 * @param {string} project
 * @param {string} words - the words begin with the file, and say what to delete in it
 */
function change(project, words) {
  const [, path = ''] = /`(.*?)`/.exec(words) ?? [];
  const file = join(project, path);
  const phrases = words.slice(path.length + 2).split(/, and /);
  for (const phrase of phrases) {
    const before = readFileSync(file, 'utf8');
    const [pattern, apply] = CHANGES.find(([known]) => known.test(phrase)) ?? [];
    const after = apply?.(before, pattern?.exec(phrase)?.[1] ?? '') ?? before;
    if (after === before) throw new Error(`In ${path}, there is no rule for: ${phrase}`);
    writeFileSync(file, after);
  }
}

/** @param {string} pattern - a pattern for the beginning of a line */
function line(pattern) {
  return new RegExp(`^${pattern}.*\\n`, 'gm');
}
