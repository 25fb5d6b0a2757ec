/** Tests the template's lint rules in the real linter with the template's configuration. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BUILDERS } from '../../src/lint/rules/no-type-engine.js';
import * as offered from '../../src/typebox.ts';
import { cases } from './cases.ts';
import { fixed, lint, lintTexts, type Report } from './linted.ts';

const TEMPLATE = join(import.meta.dirname, '../../../template');
const OBJECTS = join(import.meta.dirname, 'objects');

const files = Object.entries(cases).flatMap(([group, texts], at) =>
  Object.entries(texts).map(([title, text], number) => ({
    group,
    title,
    text,
    // Plain JavaScript in the old style needs the extension `js`.
    path: `${at}-${number}.${title.includes('JavaScript') ? 'js' : 'ts'}`,
  })),
);
/** The reports of the cases. */
let reports: Map<string, Report[]>;

const notObjects = new Set(['bystander.ts', 'rows.js']);
const objects = readdirSync(OBJECTS).filter((path) => !notObjects.has(path));
/** The reports of each object after a method with a timer was added. */
let broken: Map<string, Report[]>;

beforeAll(() => {
  // All files share one run, because the start of the linter takes most of the time.
  const found = lintTexts([
    ...files.map(({ path, text }): [string, string] => [path, text]),
    ...objects.map((path): [string, string] => [join('broken', path), withTimer(path)]),
  ]);
  reports = new Map(files.map(({ path }) => [path, found.get(path) ?? []]));
  broken = new Map(objects.map((path) => [path, found.get(join('broken', path)) ?? []]));
});

/**
 * Returns the code of an object with a method added before the last closing brace of its last
 * class.
 */
function withTimer(path: string): string {
  const text = readFileSync(join(OBJECTS, path), 'utf8');
  const end = text.lastIndexOf('\n}\n');
  const at = path === 'agent.ts' ? text.indexOf('\n  private static') : end;
  return `${text.slice(0, at)}\n  tick() { setInterval(() => {}, 1000); }${text.slice(at)}`;
}

describe.each(Object.keys(cases))('%s', (name) => {
  const inGroup = files.filter(({ group }) => group === name);
  test.each(inGroup)('$title', ({ path, text }) => {
    const found = (reports.get(path) ?? []).map(({ line, rule }) => `${line} ${rule}`);
    const marked = text
      .split('\n')
      .flatMap((line, index) =>
        (line.split('//! ')[1] ?? '').split(' ').flatMap((rule) => rule && `${index + 1} ${rule}`),
      )
      .filter(Boolean);
    expect(found).toEqual(marked);
  });
});

describe('the storage that the Wrangler configuration gives a class', () => {
  const object = `import { DurableObject } from 'cloudflare:workers';
    export class Old extends DurableObject {
      async a() { return this.ctx.storage.get('a'); }
      b() { return this.ctx.storage.sql.exec('SELECT 1').one(); }
      c() { return this.ctx.storage.kv.get('c'); }
    }`;
  const jsonc = (kind: string): string =>
    `{ "migrations": [ // { "new_classes": ["Old"] }\n { "tag": "v1", "${kind}": ["Other", "Old"] } ] }`;

  const declared = (name: string, storage: string): string =>
    `{ "exports": { "${name}": { "type": "durable-object", "storage": "${storage}" }, }, /* , */ }`;

  test.each([
    ['wrangler.jsonc', jsonc('new_classes'), ['4 no-missing-sqlite', '5 no-missing-sqlite']],
    ['wrangler.jsonc', jsonc('new_sqlite_classes'), ['3 no-async-storage']],
    [
      'wrangler.toml',
      '[[migrations]]\n# new_sqlite_classes = ["Old"]\nnew_classes = ["Old"]\n',
      ['4 no-missing-sqlite', '5 no-missing-sqlite'],
    ],
    ['wrangler.toml', '# new_classes = ["Old"]\n', ['3 no-async-storage']],
  ])('%s: %s', (name, config, expected) => {
    const found = lintTexts([
      [name, config],
      ['src/old.ts', object],
    ]).get('src/old.ts')!;
    expect(found.map(({ line, rule }) => `${line} ${rule}`)).toEqual(expected);
    for (const { message } of found) expect(message).toContain('new_sqlite_classes');
  });

  /** A wrapped class that uses both kinds of storage. */
  const wrapped = `import { DurableObject } from 'cloudflare:workers';
    import { instrument } from './instrument.ts';
    class Impl extends DurableObject {
      async a() { return this.ctx.storage.get('a'); }
      b() { return this.ctx.storage.kv.get('b'); }
    }
    const Wrapped = instrument(Impl);
    export { Wrapped as Old };`;

  test.each([
    ['new_classes, under the exported name', jsonc('new_classes'), ['5 no-missing-sqlite']],
    ['new_sqlite_classes', jsonc('new_sqlite_classes'), ['4 no-async-storage']],
    [
      'renamed_classes',
      '{ "migrations": [{ "renamed_classes": [{ "from": "Young", "to": "Old" }] }] }',
      ['4 no-async-storage'],
    ],
    [
      'other classes, with SQLite',
      jsonc('new_sqlite_classes').replaceAll('Old', 'New'),
      ['4 no-async-storage'],
    ],
    ['other classes, without SQLite', jsonc('new_classes').replaceAll('Old', 'New'), []],
    [
      'other classes, in bindings',
      '{ "durable_objects": { "bindings": [{ "class_name": "Other" }] } }',
      [],
    ],
    [
      'renamed_classes, of a class without SQLite',
      '{ "migrations": [{ "new_classes": ["Young"] }, { "renamed_classes": [{ "from": "Young", "to": "Old" }] }] }',
      ['5 no-missing-sqlite'],
    ],
    ['exports, without SQLite', declared('Old', 'legacy-kv'), ['5 no-missing-sqlite']],
    ['exports, with SQLite', declared('Old', 'sqlite'), ['4 no-async-storage']],
    ['exports of other classes, with SQLite', declared('New', 'sqlite'), ['4 no-async-storage']],
    ['exports of other classes, without SQLite', declared('New', 'legacy-kv'), []],
    [
      'exports of an environment, without SQLite',
      `{ "env": { "staging": ${declared('Old', 'legacy-kv')} } }`,
      ['5 no-missing-sqlite'],
    ],
    [
      'exports of entry points',
      '{ "exports": { "Old": { "type": "worker" } } }',
      ['4 no-async-storage'],
    ],
    ['no class', '{ "name": "old" }', ['4 no-async-storage']],
  ])('of a class when the configuration has %s', (_, config, expected) => {
    const found = lintTexts([
      ['wrangler.jsonc', config],
      ['src/old.ts', wrapped],
    ]).get('src/old.ts');
    expect(found?.map(({ line, rule }) => `${line} ${rule}`) ?? []).toEqual(expected);
  });
});

describe('a class that the Wrangler configuration binds', () => {
  const object = `import { DurableObject } from 'cloudflare:workers';
    import { lumenizeRpcDO } from './rpc/server.ts';
    class ShopImpl extends DurableObject { open() { return true; } }
    export const Shop = lumenizeRpcDO(ShopImpl, { open: [] });`;
  const jsonc = (binding: string, migration: string): string =>
    `{ "durable_objects": { "bindings": [{ "name": "SHOP", "class_name": "Shop"${binding} }] },
      // "new_sqlite_classes": ["Shop"]
      ${migration} }`;
  const migrated = '"migrations": [{ "tag": "v1", "new_sqlite_classes": ["Other", "Shop"] }]';
  const forgotten = '"migrations": [{ "tag": "v1", "new_sqlite_classes": ["Other"] }]';
  const complete = jsonc('', migrated);
  const incomplete = jsonc('', forgotten);
  const boundInToml = '[[durable_objects.bindings]]\nname = "SHOP"\nclass_name = "Shop"\n';
  const toml = `${boundInToml}[[migrations]]\n`;
  const sqlite = 'type = "durable-object"\nstorage = "sqlite"\n';
  const exporting = (name: string, more: string): string =>
    `"exports": { "${name}": { "type": "durable-object", ${more} } }`;

  test.each([
    ['and creates in a migration', { 'wrangler.jsonc': complete }, undefined],
    ['and no migration creates', { 'wrangler.jsonc': incomplete }, 'wrangler.jsonc'],
    [
      'and creates in a migration of the configuration that wrangler reads first',
      { 'wrangler.json': complete, 'wrangler.jsonc': incomplete },
      undefined,
    ],
    [
      'and an empty list of migrations',
      { 'wrangler.json': jsonc('', '"migrations": []') },
      'wrangler.json',
    ],
    [
      'and no list of migrations',
      { 'wrangler.json': jsonc('', '"migrations_dir": "a"') },
      undefined,
    ],
    [
      'and no migration of the tests creates',
      { 'wrangler.jsonc': complete, 'test/wrangler.jsonc': incomplete },
      'test/wrangler.jsonc',
    ],
    [
      'in TOML, and no migration creates',
      { 'wrangler.toml': `${toml}tag = "v1"\n` },
      'wrangler.toml',
    ],
    [
      'in TOML, and creates in a migration',
      { 'wrangler.toml': `${toml}new_sqlite_classes = ["Shop"]\n` },
      undefined,
    ],
    [
      'and renames from another class',
      {
        'wrangler.jsonc': jsonc(
          '',
          '"migrations": [{ "renamed_classes": [{ "from": "Stall", "to": "Shop" }] }]',
        ),
      },
      undefined,
    ],
    [
      'and another Worker has',
      { 'wrangler.jsonc': jsonc(', "script_name": "a"', forgotten) },
      undefined,
    ],
    [
      'and exports',
      { 'wrangler.jsonc': jsonc('', exporting('Shop', '"storage": "sqlite"')) },
      undefined,
    ],
    [
      'and exports as a class that another Worker transfers',
      { 'wrangler.jsonc': jsonc('', exporting('Shop', '"state": "expecting-transfer"')) },
      undefined,
    ],
    [
      'and exports as deleted',
      { 'wrangler.jsonc': jsonc('', exporting('Shop', '"state": "deleted"')) },
      'wrangler.jsonc',
    ],
    [
      'and does not export, beside other classes',
      { 'wrangler.jsonc': jsonc('', exporting('Other', '"storage": "sqlite"')) },
      'wrangler.jsonc',
    ],
    [
      'and does not export, beside entry points',
      { 'wrangler.jsonc': jsonc('', '"exports": { "default": { "type": "worker" } }') },
      undefined,
    ],
    [
      'and creates in a migration, beside exports of entry points',
      {
        'wrangler.jsonc': jsonc('', `"exports": { "default": { "type": "worker" } }, ${migrated}`),
      },
      undefined,
    ],
    [
      'and deletes in a migration',
      {
        'wrangler.jsonc': jsonc('', migrated.replace(/]$/, ', { "deleted_classes": ["Shop"] }]')),
      },
      'wrangler.jsonc',
    ],
    [
      'in TOML, and exports',
      { 'wrangler.toml': `${boundInToml}[exports.Shop]\n${sqlite}` },
      undefined,
    ],
    [
      'in TOML, and exports in one table',
      {
        'wrangler.toml': `${boundInToml}[exports]\nShop = { type = "durable-object", storage = "sqlite" }\n`,
      },
      undefined,
    ],
    [
      'in TOML, and does not export',
      { 'wrangler.toml': `${boundInToml}[exports.Other] # [exports.Shop]\n${sqlite}` },
      'wrangler.toml',
    ],
    [
      'in an environment that inherits its migration',
      { 'wrangler.jsonc': `{ "env": { "a": ${jsonc('', '')} }, ${migrated} }` },
      undefined,
    ],
    [
      'in an environment that inherits other migrations',
      { 'wrangler.jsonc': `{ "env": { "a": ${jsonc('', '')} }, ${forgotten} }` },
      'wrangler.jsonc',
      ' in the environment a',
    ],
    [
      'in an environment with exports of its own',
      {
        'wrangler.jsonc': `{ "env": { "a": ${jsonc('', exporting('Other', '"storage": "sqlite"'))} },
          ${exporting('Shop', '"storage": "sqlite"')} }`,
      },
      'wrangler.jsonc',
      ' in the environment a',
    ],
    [
      'in TOML, in an environment with migrations of its own',
      {
        'wrangler.toml': `[[migrations]]\nnew_sqlite_classes = ["Shop"]\n[env.a]
durable_objects = { bindings = [{ name = "SHOP", class_name = "Shop" }] }
[[env.a.migrations]]\ntag = "v1"\nnew_sqlite_classes = [\n  "Other", # "Shop"\n]\n`,
      },
      'wrangler.toml',
      ' in the environment a',
    ],
    ['and the configuration cannot be read', { 'wrangler.toml': `${toml} = 1\n` }, undefined],
  ])('%s', (_, configs, config, place = '') => {
    const found = lintTexts([...Object.entries(configs), ['src/shop.ts', object]]);
    const reported = (found.get('src/shop.ts') ?? []).map(
      ({ line, rule, message }) => `${line} ${rule}: ${message.split(',')[0]}`,
    );
    expect(reported).toEqual(config ? [`3 no-missing-sqlite: ${config} binds 'Shop'${place}`] : []);
  });
});

test.each([
  ['Shpo', 'Shop', 'It has Shpo: did you mean that?'],
  ['Other', 'Shop', 'Add to exports: "Shop": { "type": "durable-object", "storage": "sqlite" }.'],
])('the report names the exported class %s if %s is bound', (declared, bound, advice) => {
  const config = {
    durable_objects: { bindings: [{ name: 'A', class_name: bound }] },
    exports: { [declared]: { type: 'durable-object', storage: 'sqlite' } },
  };
  const object = `import { DurableObject } from 'cloudflare:workers';
    export class Shop extends DurableObject {}`;
  const found = lintTexts([
    ['wrangler.jsonc', JSON.stringify(config)],
    ['src/shop.ts', object],
  ]).get('src/shop.ts');
  expect(found?.[0]?.message).toContain(`so every call to it fails. ${advice}`);
});

test('an expensive import, an unlisted method and an unstored field are warnings, and everything else is an error', () => {
  const severities = [...reports.values()]
    .flat()
    .map(({ rule, severity }) => `${rule} ${severity}`);
  expect([...new Set(severities)].toSorted()).toEqual([
    'no-async-storage error',
    'no-guessable-id error',
    'no-idle-async error',
    'no-lost-socket error',
    'no-lost-update error',
    'no-missing-await error',
    'no-missing-method error',
    'no-shared-client error',
    'no-timer error',
    'no-type-engine warning',
    'no-unknown-keyword error',
    'no-unlisted-method warning',
    'no-unstored-field warning',
  ]);
});

test('no-type-engine knows the builders of the runtime', () => {
  expect([...BUILDERS].toSorted()).toEqual(Object.keys(offered).toSorted());
});

test('each report says what to do, and links to a section of the guide', () => {
  const guide = readFileSync(join(TEMPLATE, 'AGENTS.md'), 'utf8');
  const anchors = [...guide.matchAll(/^## (.+)$/gm)].map(([, title]) =>
    title!.toLowerCase().replaceAll(' ', '-'),
  );
  for (const { message } of [...reports.values()].flat()) {
    const [, instead, anchor] =
      /\. ((?:Create|Use|Keep|Import|Read|Remove|Return|List|Write) .+)\. See AGENTS\.md#(.+)\.$/s.exec(
        message,
      ) ?? [];
    expect(instead, message).toBeTruthy();
    expect(anchors, message).toContain(anchor);
  }
});

test.each([
  ["import { Type as T } from 'typebox';", "import * as T from 'lumenize-rpc/typebox';"],
  ["import Type from 'typebox';", "import * as Type from 'lumenize-rpc/typebox';"],
  [
    "import { Null, type Static } from 'typebox';",
    "import { Null, type Static } from 'lumenize-rpc/typebox';",
  ],
  // The correct code takes two imports, so there is no fix.
  ["import Type, { type TSchema } from 'typebox';", undefined],
])('the fix of %s', (before, after = before) => {
  const use = '\nexport const schemas = [T.Null(), Type.Null(), Null()];\n';
  expect(fixed(before + use)).toBe(after + use);
});

describe('no rule reports', () => {
  test('the template, Durable Objects as projects write them, or code without Durable Objects', () => {
    expect([...lint(TEMPLATE, OBJECTS)]).toEqual([]);
  });

  test('at least ten objects, in which a rule does report an added timer', () => {
    expect(objects.length).toBeGreaterThan(10);
    for (const path of objects)
      expect(
        broken.get(path)?.map(({ rule }) => rule),
        path,
      ).toContain('no-timer');
  });
});
