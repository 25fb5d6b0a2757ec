/**
 * Tests `--schemas` as a command, and projects that have a schema library: the written schemas, and the dependencies.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contents, temporaryFolder } from './support/folders.mjs';
import { runScaffolder } from './support/run-scaffolder.mjs';

const WORKER = {
  'package.json': '{ "dependencies": {} }',
  'wrangler.jsonc': '{ "main": "src/index.ts" }',
  'src/index.ts': 'export default { fetch: () => new Response() };\n',
};
const OFFLINE = ['--no-install', '--no-git'];

/** The import and the contract of the counter in each library. */
const COUNTERS = {
  typebox: ['typebox', '[Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))]'],
  zod: ["import * as z from 'zod';", '[z.int().min(1).max(1_000_000).optional()]'],
  valibot: [
    "import * as v from 'valibot';",
    '[v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)))]',
  ],
  arktype: [
    "import { type } from 'arktype';",
    "[type('1 <= number.integer <= 1000000 | undefined')]",
  ],
};
const NAMES = Object.keys(COUNTERS);

/** @param {string} folder */
function libraries(folder) {
  const { dependencies, devDependencies } = JSON.parse(contents(folder)['package.json'] ?? '');
  return NAMES.filter((name) => ({ ...dependencies, ...devDependencies })[name] !== undefined);
}

/** @param {Record<string, string>} packages */
const withPackages = (packages) =>
  temporaryFolder({ ...WORKER, 'package.json': JSON.stringify({ dependencies: packages }) });

describe.each(Object.entries(COUNTERS))('with %s', (name, [imported = '', contract = '']) => {
  const isOther = name !== 'typebox';

  test('the counter is added to a Worker that lacks the library, which it then depends on', async () => {
    const cwd = temporaryFolder(WORKER);
    const args = ['--add', '--schemas', name, '--json'];
    const dry = JSON.parse((await runScaffolder([...args, '--dry-run'], { cwd })).out);
    expect(contents(cwd)).toEqual(contents(temporaryFolder(WORKER)));
    const { code, out } = await runScaffolder([...args, '--yes'], { cwd });
    expect(code).toBe(0);
    const done = JSON.parse(out);
    expect(done).toMatchObject({ schemas: name, files: dry.files, notes: dry.notes });
    expect(done.notes.join()).not.toContain('schemas');
    const counter = contents(cwd)['src/counter.ts'];
    expect(counter).toContain(imported);
    expect(counter).toContain(`  increment: ${contract},\n`);
    expect(libraries(cwd)).toEqual([name]);
    const again = await runScaffolder([...args, '--yes'], { cwd });
    expect(again.code).toBe(3);
  });

  test('it is also added to a Worker that has the runtime', async () => {
    const cwd = withPackages({ 'lumenize-rpc': '^1.0.0', ...(!isOther && { typebox: '^1.4.0' }) });
    const { out } = await runScaffolder(['--add', '--schemas', name, '--yes', '--json'], { cwd });
    expect(libraries(cwd)).toEqual([name]);
    expect(JSON.parse(out).next.includes('npm install')).toBe(isOther);
  });

  test('a new project has the library alone, in all of its texts', async () => {
    const cwd = temporaryFolder();
    const args = ['app', '--schemas', name, '--example', 'room,bank', ...OFFLINE, '--json'];
    const { code, out } = await runScaffolder(args, { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(out).notes.join()).not.toContain('schemas');
    expect(libraries(join(cwd, 'app'))).toEqual([name]);
    const own = Object.entries(contents(join(cwd, 'app'))).filter(
      ([path]) => !path.startsWith('vendor/'),
    );
    const others = own.filter(([, text]) => /typebox|\bType\.[A-Z]/i.test(text));
    expect(others.length > 0).toBe(!isOther);
    if (isOther) expect(own.filter(([, text]) => text.includes(imported))).toHaveLength(4);
  });
});

test.each([
  [{ zod: '^4.0.0' }, 'zod', 'Note: The schemas are written with Zod, which the project has.'],
  [
    { arktype: '^2.1.0', valibot: '^1.0.0' },
    'valibot',
    'Note: The schemas are written with Valibot',
  ],
  [
    { zod: '^3.23.8' },
    'typebox',
    'Note: The project has zod ^3.23.8, and Zod has Standard Schema from 3.24 on. The schemas are written with TypeBox',
  ],
])('a Worker with %j gets a counter with %s', async (packages, name, note) => {
  const cwd = withPackages(/** @type {Record<string, string>} */ (packages));
  const { out } = await runScaffolder(['--add', '--yes'], { cwd });
  expect(out).toContain(note);
  expect(contents(cwd)['src/counter.ts']).toContain(COUNTERS[/** @type {'zod'} */ (name)][1]);
});

test('a second example uses the schema library of the first', async () => {
  const cwd = withPackages({ valibot: '^1.0.0' });
  for (const name of ['counter', 'room']) {
    const { code } = await runScaffolder(['--add', name, '--yes'], { cwd });
    expect(code).toBe(0);
    expect(contents(cwd)[`src/${name}.ts`]).toContain(COUNTERS.valibot[0]);
  }
});

test('writes schemas in the syntax of Zod 3', async () => {
  const cwd = withPackages({ zod: '~3.24.1' });
  await runScaffolder(['--add', 'bank', '--yes'], { cwd });
  const bank = contents(cwd)['src/bank.ts'];
  expect(bank).toContain('const token = z.string().uuid();\n');
  expect(bank).toContain('const amount = z.number().int().min(1).max(1_000_000);\n');
});

test.each([
  [['--add', '--schemas', 'zood'], 2, "'zood' is not. Did you mean zod?"],
  [['--add', '--schemas'], 2, '--schemas needs a value: --schemas zod|valibot|arktype|typebox'],
  [['app', '--from', './x', '--schemas', 'zod'], 2, '--schemas changes the packaged template'],
  [['--add', '--validator', 'zod'], 2, 'Did you mean --schemas?'],
  [['--add', '--schemas', 'zod', '--yes'], 3, 'To use zod, update zod to 3.24 or later.'],
])('%j is refused, and nothing changes', async (args, code, message) => {
  const cwd = withPackages({ zod: '3.22.4' });
  const before = contents(cwd);
  const outcome = await runScaffolder(args, { cwd });
  expect(outcome).toMatchObject({ code, out: '', err: expect.stringContaining(message) });
  expect(contents(cwd)).toEqual(before);
});
