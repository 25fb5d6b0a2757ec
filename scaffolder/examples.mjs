/** The examples, which a project can get when it is created or later: folders of this package that describe themselves. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { similarTo } from './arguments/did-you-mean.mjs';
import { ownFolder } from './own-package.mjs';
import { templateFiles } from './templates/template-files.mjs';

/**
 * @typedef {object} DurableObject
 * @property {string} module - file name of its module, without extension
 * @property {string} class
 * @property {string} binding
 * @property {boolean} [internal] - whether clients do not reach it
 */

/**
 * @typedef {object} Bucket
 * @property {string} binding
 * @property {string} name
 */

/**
 * @typedef {object} Example - what its `example.json` says, and its name
 * @property {string} name
 * @property {string} summary
 * @property {DurableObject[]} objects
 * @property {string} [page] - address of its page
 * @property {string} [component] - what its module in `src/ui/` exports
 * @property {'react'} [ui] - the only page of a project for which it has one
 * @property {Bucket[]} [buckets] - of R2
 * @property {import('./add/entry/hooks.mjs').Hook} [hook] - of `routeDORequest`
 * @property {Record<string, string>} [scripts] - of package.json
 * @property {string[]} [notes] - sentences for the user
 */

/** Also an example, whose object every new project has. */
export const COUNTER = 'counter';

/** It has no object: it adds a route for the classes that are there. */
export const HTTP = 'http';

/** By name, in alphabetical order. @type {Readonly<Record<string, Example>>} */
export const EXAMPLES = Object.fromEntries(
  readdirSync(ownFolder('examples'))
    .filter((name) => existsSync(join(ownFolder('examples'), name, 'example.json')))
    .toSorted()
    .map((name) => [name, { name, ...JSON.parse(textIn(`examples/${name}/example.json`)) }]),
);

/**
 * @param {string} word - a mistyped name, or a name of an object of an example
 * @param {readonly string[]} names - of examples
 * @returns {string | undefined} the name of the example that was meant
 */
export function exampleMeantBy(word, names) {
  const near = similarTo(word, names);
  if (near) return near;
  const ofObjects = names.flatMap((name) =>
    (EXAMPLES[name]?.objects ?? []).flatMap((object) =>
      [object.class, object.binding, object.module].map((one) => ({ one, name })),
    ),
  );
  const object = similarTo(
    word,
    ofObjects.map(({ one }) => one),
  );
  return ofObjects.find(({ one }) => one === object)?.name;
}

/**
 * @param {readonly string[]} names
 * @returns {string} a line for each example
 */
export function listing(names) {
  const width = Math.max(...names.map(({ length }) => length));
  return names.map((name) => `  ${name.padEnd(width)}  ${EXAMPLES[name]?.summary}`).join('\n');
}

/**
 * @param {Example} example
 * @returns {Map<string, string>} locations of its files, by path in the example
 */
export function filesOf({ name, objects }) {
  const own = templateFiles(ownFolder(`examples/${name}`)).map(
    ({ path, source }) => /** @type {const} */ ([path, source]),
  );
  if (name !== COUNTER) return new Map(own);
  const shared = objects.flatMap(({ module }) => [`src/${module}.ts`, `test/${module}.test.ts`]);
  return new Map([
    ...own,
    ...shared.map((path) => /** @type {const} */ ([path, join(ownFolder('template'), path)])),
  ]);
}

/** @param {string} path */
function textIn(path) {
  return readFileSync(ownFolder(path), 'utf8');
}
