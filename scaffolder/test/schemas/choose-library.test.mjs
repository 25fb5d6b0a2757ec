/** Tests the choice of the schema library for an example, and the note to the user. */
import { describe, expect, test } from 'vitest';
import { chooseLibrary } from '../../schemas/choose-library.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const TO_CHOOSE = 'To choose another library: --schemas zod|valibot|arktype|typebox';

/**
 * @param {Record<string, string>} packages
 * @param {{ wanted?: string, installed?: Record<string, string> }} [options]
 */
function choose(packages, { wanted, installed = {} } = {}) {
  const files = Object.entries(installed).map(([name, version]) => [
    `node_modules/${name}/package.json`,
    JSON.stringify({ version }),
  ]);
  const project = temporaryFolder(Object.fromEntries(files));
  return chooseLibrary(project, JSON.stringify({ devDependencies: packages }), wanted);
}

test.each([
  [{}, 'typebox'],
  [{ typebox: '^1.4.0' }, 'typebox'],
  [{ zod: '^4.0.0' }, 'zod'],
  [{ zod: '~3.24.1' }, 'zod'],
  [{ zod: 'catalog:' }, 'zod'],
  [{ valibot: '^1.0.0' }, 'valibot'],
  [{ valibot: 'latest' }, 'valibot'],
  [{ arktype: '2.1.0' }, 'arktype'],
  // If there are several, the order of the list decides.
  [{ arktype: '^2.1.0', valibot: '^1.0.0' }, 'valibot'],
  [{ arktype: '^2.1.0', zod: '^4.0.0', valibot: '^1.0.0' }, 'zod'],
  [{ typebox: '^1.4.0', zod: '^4.0.0' }, 'zod'],
  // This version does not implement Standard Schema.
  [{ zod: '^3.23.8' }, 'typebox'],
  [{ zod: '^3.23.8', arktype: '^2.1.0' }, 'arktype'],
  [{ valibot: '^0.42.0' }, 'typebox'],
  [{ arktype: '2.0.4' }, 'typebox'],
])('of %j, %s', (packages, name) => {
  expect(choose(/** @type {Record<string, string>} */ (packages))).toMatchObject({ name });
});

test.each([
  ['^4.0.0', undefined, false],
  ['^3.24.0', undefined, true],
  ['^3.23.8', '3.25.76', true],
  ['*', '3.25.76', true],
  ['*', '4.1.0', false],
  ['*', undefined, false],
])('zod %s, of which %s is installed, is version 3: %s', (range, version, isZod3) => {
  /** @type {Record<string, string>} */
  const installed = version ? { zod: version } : {};
  expect(choose({ zod: range }, { installed })).toMatchObject({ name: 'zod', isZod3 });
  expect(choose({ zod: range }, { installed, wanted: 'zod' })).toMatchObject({ isZod3, notes: [] });
});

test('an installed version decides, also if the range has newer versions', () => {
  const installed = { zod: '3.23.8' };
  expect(choose({ zod: '^3.0.0' }, { installed })).toMatchObject({ name: 'typebox' });
});

describe('prints a note to the user', () => {
  test.each([
    [{}, []],
    [{ typebox: '1' }, []],
    [{ zod: '4' }, [`The schemas are written with Zod, which the project has. ${TO_CHOOSE}`]],
    [
      { typebox: '1', arktype: '2.1', valibot: '1' },
      [`The schemas are written with Valibot, which the project has. ${TO_CHOOSE}`],
    ],
    [
      { zod: '^3.23.8' },
      [
        'The project has zod ^3.23.8, and Zod has Standard Schema from 3.24 on. ' +
          'The schemas are written with TypeBox. To use zod, update zod to 3.24 or later.',
      ],
    ],
  ])('of %j: %j', (packages, notes) => {
    expect(choose(/** @type {Record<string, string>} */ (packages)).notes).toEqual(notes);
  });
});

test.each(['typebox', 'zod', 'valibot', 'arktype'])('the user can choose %s', (wanted) => {
  expect(choose({ zod: '4', valibot: '0.42.1' }, { wanted: 'arktype' }).notes).toEqual([]);
  expect(choose({}, { wanted })).toEqual({ name: wanted, isZod3: false, notes: [] });
});

test('refuses a library of --schemas whose version is too old', () => {
  const refused = () => choose({ zod: '~3.23.0' }, { wanted: 'zod' });
  expect(refused).toThrow(
    'The project has zod ~3.23.0, and Zod has Standard Schema from 3.24 on.\nNothing was changed. ' +
      'To use zod, update zod to 3.24 or later. To use another library, name it by --schemas.',
  );
  expect(refused).toThrow(expect.objectContaining({ exitCode: 3 }));
});
