/** Tests that wrangler can read a configuration after an object was added, at the top level and in environments. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import planAddition from '../../add/plan-addition.mjs';
import { decoded } from '../../add/text/file-text.mjs';
import { temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

const LIVE = '{ "type": "durable-object", "storage": "sqlite" }';
const BINDING = 'durable_objects.bindings = [{ name = "A", class_name = "A" }]\n';
const CLASS = 'type = "durable-object"\nstorage = "sqlite"\n';
const MIGRATION = 'tag = "v1"\nnew_sqlite_classes = ["A"]\n';
const JSON_MIGRATIONS = '"migrations": [{ "tag": "v1", "new_sqlite_classes": ["A"] }]';

test.each([
  ['nothing', 'wrangler.jsonc', '{ ', 'exports', []],
  ['exports', 'wrangler.jsonc', `{ "exports": { "A": ${LIVE} }, `, 'exports', []],
  ['migrations', 'wrangler.jsonc', `{ ${JSON_MIGRATIONS}, `, 'migrations', []],
  [
    'exports of entry points, with migrations',
    'wrangler.jsonc',
    `{ "exports": { "default": { "type": "worker" } }, ${JSON_MIGRATIONS}, `,
    'migrations',
    [],
  ],
  [
    'exports, and environments',
    'wrangler.jsonc',
    `{ "exports": { "A": ${LIVE} }, "env": { "own": { "exports": { "A": ${LIVE} } }, "none": {} }, `,
    'exports',
    ['own'],
  ],
  [
    'an environment with migrations',
    'wrangler.jsonc',
    `{ "env": { "own": { ${JSON_MIGRATIONS} }, "none": {} }, `,
    'migrations',
    ['own'],
  ],
  [
    'an environment with exports',
    'wrangler.jsonc',
    `{ "env": { "own": { "exports": { "A": ${LIVE} } }, "none": {} }, `,
    'exports',
    ['own'],
  ],
  ['TOML, nothing', 'wrangler.toml', '', 'exports', []],
  ['TOML, tables', 'wrangler.toml', `${BINDING}[exports.A]\n${CLASS}`, 'exports', []],
  ['TOML, an inline table', 'wrangler.toml', 'exports = {}\n', 'exports', []],
  ['TOML, one table', 'wrangler.toml', `[exports]\nA.type = "worker"\n`, 'exports', []],
  [
    'TOML, dotted keys',
    'wrangler.toml',
    'exports.A.type = "durable-object"\nexports.A.storage = "sqlite"\n',
    'exports',
    [],
  ],
  [
    'TOML, environments with exports',
    'wrangler.toml',
    `[exports.A]\n${CLASS}[env.own.exports.A]\n${CLASS}[env.none]\nvars.X = "1"\n`,
    'exports',
    ['own'],
  ],
  [
    'TOML, environments with migrations',
    'wrangler.toml',
    `[[migrations]]\n${MIGRATION}[[env.own.migrations]]\n${MIGRATION}[env.none]\nvars.X = "1"\n`,
    'migrations',
    ['own'],
  ],
])('%s', (_, file, text, form, own) => {
  const before = file.endsWith('.toml')
    ? `name = "shop"\nmain = "index.ts"\ncompatibility_date = "2026-10-01"\n${text}`
    : `${text}"name": "shop", "main": "index.ts", "compatibility_date": "2026-10-01" }`;
  const cwd = temporaryFolder({
    'package.json': '{}',
    'index.ts': 'export default { fetch() { return new Response(); } };',
    [file]: before,
  });
  const { addition } = planAddition(stepContext({ cwd, add: ['counter'] }));
  writeFileSync(join(cwd, file), decoded(addition?.changed.get(file)?.after ?? ''));
  for (const env of [undefined, ...(before.includes('none') ? ['none', 'own'] : [])]) {
    // wrangler throws if it refuses the file.
    const config = join(cwd, file);
    const read = unstable_readConfig({ config, ...(env && { env }) }, { hideWarnings: true });
    const isThere = form === 'exports' ? 'Counter' in read.exports : inMigrations(read.migrations);
    expect([env, isThere]).toEqual([env, !own.some((name) => name === env)]);
    expect(form === 'exports' ? read.migrations : Object.values(read.exports)).toEqual(
      form === 'exports' || !before.includes('worker') ? [] : [{ type: 'worker' }],
    );
  }
});

/** @param {{ new_sqlite_classes?: string[] }[]} migrations */
function inMigrations(migrations) {
  return migrations.some(({ new_sqlite_classes: classes }) => classes?.includes('Counter'));
}
