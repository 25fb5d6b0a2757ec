/** Chooses the library for the schemas of an example: the library that `--schemas` names, or a library of the project. */
import { conflict } from '../console/failure.mjs';
import { ownManifest } from '../own-package.mjs';
import { isBefore, packagesOf, versionOf } from '../packages/versions.mjs';

/**
 * @typedef {object} Library
 * @property {string} title
 * @property {import('../packages/versions.mjs').Version} [oldest] - the first version with Standard Schema, the interface
 *   through which the runtime uses schemas
 */

/** The library of the template and of the examples. */
export const TYPEBOX = 'typebox';

/**
 * The libraries, the preferred library first. TypeBox is the last, because the project may have it from the template.
 *
 * @type {Readonly<Record<string, Library>>}
 */
export const LIBRARIES = {
  zod: { title: 'Zod', oldest: [3, 24] },
  valibot: { title: 'Valibot', oldest: [1, 0] },
  arktype: { title: 'ArkType', oldest: [2, 1] },
  [TYPEBOX]: { title: 'TypeBox' },
};

const NAMES = Object.keys(LIBRARIES);

/**
 * @param {string} name - the name of a library
 * @returns {string | undefined} the version for a project that does not have the library, with which this repository is
 *   tested; undefined for TypeBox, which the template has
 */
export function versionFor(name) {
  return name === TYPEBOX ? undefined : ownManifest().devDependencies[name];
}

/**
 * @typedef {object} Choice
 * @property {string} name
 * @property {boolean} isZod3 - whether the library is Zod, and the project has version 3
 * @property {string[]} notes - texts for the user
 */

/**
 * @param {string} project
 * @param {string} text - the text of its package.json
 * @param {string} [wanted] - the name of the library that the user wants
 * @returns {Choice}
 * @throws a conflict if the user wants a library whose version in the project is too old
 */
export function chooseLibrary(project, text, wanted) {
  const present = packagesOf(text);
  const there = NAMES.flatMap((name) => {
    const range = present[name];
    return range === undefined ? [] : [{ name, range, version: versionOf(project, name, range) }];
  });
  const old = there.flatMap(({ name, range, version }) => {
    const { oldest, title = '' } = LIBRARIES[name] ?? {};
    if (!oldest || !version || !isBefore(version, oldest)) return [];
    const since = oldest.join('.');
    const problem = `The project has ${name} ${range}, and ${title} has Standard Schema from ${since} on.`;
    return [{ name, problem, advice: `update ${name} to ${since} or later` }];
  });
  const unfit = old.find(({ name }) => name === wanted);
  if (unfit) {
    const advice = `To use ${unfit.name}, ${unfit.advice}. To use another library, name it by --schemas.`;
    throw conflict(unfit.problem, advice);
  }
  const fit = there.filter(({ name }) => !old.some((one) => one.name === name));
  const name = wanted ?? fit[0]?.name ?? TYPEBOX;
  const isZod3 = name === 'zod' && there.some((one) => one.name === name && one.version?.[0] === 3);
  if (wanted) return { name, isZod3, notes: [] };
  const title = LIBRARIES[name]?.title;
  const own = `The schemas are written with ${title}, which the project has. To choose another library: --schemas ${NAMES.join('|')}`;
  return {
    name,
    isZod3,
    notes: [
      ...(fit.some((one) => one.name !== TYPEBOX) ? [own] : []),
      ...old.map(
        ({ name: other, problem, advice }) =>
          `${problem} The schemas are written with ${title}. To use ${other}, ${advice}.`,
      ),
    ],
  };
}
