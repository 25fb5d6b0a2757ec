import { expect, test } from 'vitest';
import allowBuilds from '../../steps/allow-builds.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';

test('Yarn builds what the project allows, and keeps what it was told', () => {
  const project = temporaryFolder({ 'package.json': '{}' });
  const manifest = {
    name: 'x',
    allowScripts: { esbuild: true, node: true, telemetry: false },
    dependenciesMeta: { sharp: { built: true } },
  };
  const expected = {
    ...manifest,
    dependenciesMeta: {
      sharp: { built: true },
      esbuild: { built: true },
      node: { built: true },
    },
  };
  expect(allowBuilds({ project, manifest })).toEqual({ manifest: expected });
  expect(JSON.parse(contents(project)['package.json'] ?? '')).toEqual(expected);
});

test('a project that allows nothing stays as it is', () => {
  const project = temporaryFolder({ 'package.json': '{ }' });
  expect(allowBuilds({ project, manifest: {} })).toBeUndefined();
  expect(contents(project)['package.json']).toBe('{ }');
});
