import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageManager } from '../../packages/package-managers.mjs';
import pinNode from '../../steps/pin-node.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

/**
 * @param {object} manifest
 * @param {string} version
 */
function pin(manifest, version) {
  const project = temporaryFolder({ 'package.json': JSON.stringify(manifest) });
  const context = stepContext({ project });
  const changes = pinNode(context, version);
  const written = JSON.parse(contents(project)['package.json'] ?? '');
  expect(changes).toEqual({ manifest: written });
  return { manifest: written, said: context.said };
}

const own = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

test.each([
  ['20.20.2', '>=22.18', true],
  ['22.17.9', '>=22.18', true],
  ['22.18.0', '>=22.18', false],
  ['24.0.0', '>=22.18', false],
  ['21.9.0', undefined, true],
  ['22.0.0', undefined, false],
  ['18.0.0', '*', false],
])('on Node %s, for a project that needs %s: pinned %s', (version, node, pinned) => {
  const engines = node === undefined ? undefined : { node };
  const result = pin({ engines, devDependencies: { wrangler: '4' } }, version);
  expect(result.manifest.devDependencies).toEqual(
    pinned ? { node: own.devDependencies.node, wrangler: '4' } : { wrangler: '4' },
  );
  expect(result.manifest.allowScripts).toEqual(pinned ? { node: true } : undefined);
  expect(result.said).toEqual(
    pinned
      ? [
          `This machine has Node ${version}, and the project needs ${node ?? '>=22'}: it gets its own ` +
            `Node ${own.devDependencies.node}, as the development dependency "node".`,
        ]
      : [],
  );
});

test("keeps the project's approved install scripts, in order", () => {
  const { manifest } = pin({ allowScripts: { esbuild: true, workerd: true } }, '20.0.0');
  expect(Object.keys(manifest.allowScripts)).toEqual(['esbuild', 'node', 'workerd']);
});

test.each([
  ['yarn', '--ignore-engines true\n'],
  ['npm', undefined],
])('%s is told to run on the Node of the machine: %j', (name, settings) => {
  const project = temporaryFolder({ 'package.json': '{}' });
  pinNode(stepContext({ project, packageManager: packageManager(name) }), '20.0.0');
  expect(contents(project)['.yarnrc']).toBe(settings);
});

test('does not change a project that has its own package "node"', () => {
  const manifest = { devDependencies: { node: '22.0.0' } };
  expect(pin(manifest, '20.0.0')).toEqual({ manifest, said: [] });
});

test('looks at the Node that runs the package manager', () => {
  const manifest = { engines: { node: `>=${process.versions.node}` } };
  const project = temporaryFolder({ 'package.json': JSON.stringify(manifest) });
  const env = { npm_node_execpath: '/no/such/node' };
  pinNode(stepContext({ project, env }));
  expect(JSON.parse(contents(project)['package.json'] ?? '')).toEqual(manifest);

  const folder = temporaryFolder({ node: '#!/bin/sh\ntest "$*" = --version && echo v18.2.1\n' });
  chmodSync(join(folder, 'node'), 0o755);
  const context = stepContext({ project, env: { npm_node_execpath: join(folder, 'node') } });
  pinNode(context);
  expect(context.said).toEqual([expect.stringContaining('This machine has Node 18.2.1, and')]);
});
