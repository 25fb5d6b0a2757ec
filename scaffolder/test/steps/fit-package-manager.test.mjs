import { expect, test } from 'vitest';
import { packageManager } from '../../packages/package-managers.mjs';
import fitPackageManager from '../../steps/fit-package-manager.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

const YARN = { packageManager: packageManager('yarn') };

test('Yarn may build the packages that the project allows, and keeps its settings', () => {
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
  expect(fitPackageManager({ ...YARN, project, manifest })).toEqual({ manifest: expected });
  expect(JSON.parse(contents(project)['package.json'] ?? '')).toEqual(expected);
});

test('a project that allows nothing stays as it is', () => {
  const project = temporaryFolder({ 'package.json': '{ }' });
  expect(fitPackageManager({ ...YARN, project, manifest: {} })).toBeUndefined();
  expect(contents(project)['package.json']).toBe('{ }');
});

test.each([
  ['npm', undefined, []],
  ['bun', undefined, []],
  ['pnpm', undefined, ['pnpm-workspace.yaml']],
  ['yarn', undefined, ['.yarnrc.yml']],
  ['npm', './mine', ['.yarnrc.yml', 'pnpm-workspace.yaml']],
])('for %s, of the template %s stay %j', (name, from, expected) => {
  const project = temporaryFolder({ '.yarnrc.yml': '', 'pnpm-workspace.yaml': '' });
  const manifest = { allowScripts: {} };
  fitPackageManager({
    project,
    manifest,
    packageManager: packageManager(name),
    ...(from && { from }),
  });
  expect(Object.keys(contents(project))).toEqual(expected);
});

test('a project that is only listed has no manifest', () => {
  const context = stepContext({ ...YARN, project: temporaryFolder({}) });
  const listed = { ...context, manifest: /** @type {any} */ (undefined) };
  expect(fitPackageManager(listed)).toBeUndefined();
});
