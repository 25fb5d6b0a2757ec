/**
 * Tests the requirements of a "Deploy to Cloudflare" button for its folder, according to
 * https://developers.cloudflare.com/workers/platform/deploy-buttons/: an independent project, values for every binding,
 * and descriptions for the form.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { templateFiles } from '../../scaffolder/templates/template-files.mjs';

const TEMPLATE = fileURLToPath(new URL('../../template', import.meta.url));
const SECRETS = ['.dev.vars.example', '.env.example'].filter((name) =>
  existsSync(join(TEMPLATE, name)),
);

/** @param {string} path */
const read = (path) => readFileSync(join(TEMPLATE, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const configuration = read('wrangler.jsonc');

/** The names in the form: bindings and variables of wrangler's configuration, and the secrets. */
const bindings = [
  ...(/interface __BaseEnv_Env \{([^}]*)\}/.exec(read('worker-configuration.d.ts'))?.[1] ?? '')
    .split('\n')
    .flatMap((line) => /^\s*(\w+)\??:/.exec(line)?.[1] ?? []),
  ...SECRETS.flatMap((name) => [...read(name).matchAll(/^(\w+)=/gm)].map(([, key]) => key)),
];

test('the template describes itself and the products that it uses', () => {
  expect(manifest.description).toMatch(/\w+/);
  expect(manifest.cloudflare.label).toMatch(/\w+/);
  expect(manifest.cloudflare.products).toEqual(['Workers', 'Durable Objects']);
});

test('exactly the bindings and secrets have a description', () => {
  expect(bindings).toContain('COUNTER');
  const described = Object.entries(manifest.cloudflare.bindings);
  expect(described.map(([name]) => name).toSorted()).toEqual(bindings.toSorted());
  for (const [name, { description }] of described) expect(description, name).toMatch(/\w+ \w+/);
});

test('every value of the configuration is present', () => {
  expect(configuration).not.toMatch(/""|<[A-Z_]+>|TODO|TBD|your-/i);
  expect(manifest.scripts.deploy).toBe('wrangler deploy');
});

test('an example of secrets exists only if the project has secrets', () => {
  const asked = /"secrets?"\s*:/.test(configuration);
  expect(SECRETS.length > 0).toBe(asked);
});

test('it depends on nothing outside its folder', () => {
  const ranges = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  // A dependency is a package in the folder, or a version.
  expect(ranges.filter((range) => !/^(?:\d|file:vendor\/)/.test(range))).toEqual([]);
  // The paths in the code of the guide are relative to other folders.
  const files = templateFiles(TEMPLATE).filter(({ path }) => !path.endsWith('.md'));
  const leaving = files.flatMap(({ path }) =>
    [...read(path).matchAll(/['"](\.\.?\/[^'"\s]*)['"]/g)]
      .map(([, reference = '']) => normalize(join(dirname(path), reference)))
      .filter((target) => target.startsWith('..'))
      .map((target) => `${path}: ${target}`),
  );
  expect(leaving).toEqual([]);
  // The folder contains no link, which could lead out of it.
  const modes = execFileSync('git', ['ls-files', '--stage', '.'], {
    cwd: TEMPLATE,
    encoding: 'utf8',
  });
  expect(modes).not.toMatch(/^1[26]0000/m);
});
