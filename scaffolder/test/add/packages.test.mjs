/** The file with the types of the bindings, which the script of the project writes. */
import { expect, test } from 'vitest';
import { withPackages } from '../../add/packages.mjs';

/** @param {Record<string, object>} manifest */
const typesFile = (manifest) => withPackages(JSON.stringify(manifest), {}).typesFile;

test.each([
  [undefined, 'worker-configuration.d.ts'],
  ['wrangler types', 'worker-configuration.d.ts'],
  ['wrangler types --env-interface CloudflareBindings', 'worker-configuration.d.ts'],
  ['wrangler types ./src/env.d.ts --strict-vars false && tsc', 'src/env.d.ts'],
  ['wrangler types && tsc env.d.ts', 'worker-configuration.d.ts'],
])('the command %s writes %s', (command, file) => {
  expect(typesFile({ scripts: command ? { cf: command } : {} })).toBe(file);
});

test('types of the runtime that clash with those of a package are left out', () => {
  const devDependencies = { '@cloudflare/workers-types': '4' };
  expect(typesFile({ devDependencies })).toBe('worker-configuration.d.ts');
  expect(typesFile({ devDependencies, scripts: { cf: 'wrangler types' } })).toBeUndefined();
  const cf = 'wrangler types --include-runtime=false';
  expect(typesFile({ devDependencies, scripts: { cf } })).toBe('worker-configuration.d.ts');
});
