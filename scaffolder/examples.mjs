/** Reads the examples that a project can get when it is created, or later. Each is a folder of this package with an `example.json`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { similarTo } from './arguments/did-you-mean.mjs';
import { ownFolder } from './own-package.mjs';
import { templateFiles } from './templates/template-files.mjs';

/**
 * @typedef {object} DurableObject
 * @property {string} module - the file name of its module, without extension
 * @property {string} class
 * @property {string} binding
 * @property {boolean} [internal] - true if clients cannot reach the object
 */

/**
 * @typedef {object} Bucket
 * @property {string} binding
 * @property {string} name
 */

/**
 * @typedef {object} Example - the content of its `example.json`, and its name
 * @property {string} name
 * @property {string} summary
 * @property {DurableObject[]} objects
 * @property {string} [page] - the address of its page
 * @property {string} [component] - the component that its module in `src/ui/` exports
 * @property {'react'} [ui] - the only page of a project for which the example has a page
 * @property {Bucket[]} [buckets] - its R2 buckets
 * @property {import('./add/entry/hooks.mjs').Hook} [hook] - its hook of `routeDORequest`
 * @property {Record<string, string>} [scripts] - the scripts of package.json
 * @property {string[]} [notes] - sentences for the user
 */

/** The counter is an example, too. Every new project has its object. */
export const COUNTER = 'counter';

/** This example has no object. It adds a route for the classes that the project has. */
export const HTTP = 'http';

/** The examples by name, in alphabetical order. @type {Readonly<Record<string, Example>>} */
export const EXAMPLES = Object.fromEntries(
  readdirSync(ownFolder('examples'))
    .filter((name) => existsSync(join(ownFolder('examples'), name, 'example.json')))
    .toSorted()
    .map((name) => [name, { name, ...JSON.parse(textIn(`examples/${name}/example.json`)) }]),
);

/**
 * @param {string} word - a mistyped name, or a name of an object of an example
 * @param {readonly string[]} names - the names of examples
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
