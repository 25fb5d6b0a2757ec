/** Runs `compilers.test.mjs` with the compilers before TypeScript 7. */
import { beforeAll, describe, test } from 'vitest';
import { projects } from '../setup/projects.mjs';
import { compile, OPTIONS, projectOfAll } from './compilers.mjs';

const place = projects({ stopAfter: 'all' });
/** @type {string} */
let project;

beforeAll(async () => {
  project = await projectOfAll(place);
});

describe.each(/** @type {const} */ ([5, 6]))('TypeScript %i', (version) => {
  test.each(Object.keys(OPTIONS))('%s', async (name) => {
    await compile(project, name, version, place.env);
  });
});
