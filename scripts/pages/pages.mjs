/**
 * `npm run pages`: checks that the generated parts of pages agree with their sources, and that bundles are not larger than
 * their limits. `npm run pages -- --write` writes the generated parts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeChanges } from './changes.mjs';
import { writeFigures } from './figures.mjs';
import { writeLlms } from './llms.mjs';
import { writeReference } from './reference.mjs';
import { writeSizes } from './sizes.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** Pages as they should be, by their paths in the repository. */
export class Pages {
  /** @type {string[]} */
  problems = [];
  /** @type {Map<string, string>} */
  #texts = new Map();

  /** @param {string} path */
  get(path) {
    return this.#texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
  }

  /**
   * @param {string} path
   * @param {string} text
   */
  set(path, text) {
    this.#texts.set(path, text);
  }

  /** @param {string} problem - a problem that somebody has to solve by hand */
  fail(problem) {
    this.problems.push(problem);
  }

  write() {
    for (const [path, text] of this.#texts) writeFileSync(join(ROOT, path), text);
  }

  /** @returns {string[]} the pages whose files have other texts */
  outdated() {
    return [...this.#texts.keys()].filter(
      (path) => readFileSync(join(ROOT, path), 'utf8') !== this.get(path),
    );
  }
}

const pages = new Pages();
for (const part of [writeFigures, writeSizes, writeReference, writeChanges, writeLlms]) {
  console.log(await part(pages));
}
if (process.argv.includes('--write')) pages.write();
for (const path of pages.outdated()) {
  pages.fail(`${path} is out of date: run \`npm run pages -- --write\``);
}
for (const problem of pages.problems) console.error(problem);
if (pages.problems.length > 0) process.exitCode = 1;
