/** Tests `--add` as a command on different kinds of projects: all existing text stays, byte for byte. */
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SHAPES } from './add/shapes.mjs';
import { contents, temporaryFolder } from './support/folders.mjs';
import { runScaffolder } from './support/run-scaffolder.mjs';
import { onTerminal } from './support/terminal.mjs';

const TEMPLATE = ownFiles();
const PACKAGE = /^(?:.*\/)?vendor\/lumenize-rpc\//;
const PRELOAD = new URL('support/injected-failure.mjs', import.meta.url).href;

/**
 * @param {string} at - the end of a path
 * @param {string} failure - an error's code, or a signal
 */
const failing = (at, failure) => ({
  NODE_OPTIONS: `--import ${PRELOAD}`,
  FAIL_AT: at,
  FAIL_WITH: failure,
});

/** The template's files in the package, by path. */
function ownFiles() {
  const folder = fileURLToPath(new URL('../../dist/template', import.meta.url));
  return contents(folder);
}

/** @param {string} folder */
function files(folder) {
  return Object.fromEntries(
    Object.entries(contents(folder)).filter(([path]) => !path.endsWith('/')),
  );
}

/** @param {string} folder */
function otherFiles(folder) {
  return Object.fromEntries(Object.entries(files(folder)).filter(([path]) => !PACKAGE.test(path)));
}

/** A byte order mark, which some editors on Windows write, and which npm, wrangler and TypeScript accept. */
const MARK = '\uFEFF';

describe.each(Object.entries(SHAPES))('%s', (_, shape) => {
  const { before, folder = '.', created, after, byHand, note } = shape;

  test('gets the package and an object, and everything else stays', async () => {
    const cwd = temporaryFolder(before);
    const outcome = await runScaffolder([folder, '--add', '--yes'], { cwd });
    expect(outcome).toMatchObject({ code: 0, err: '' });
    const present = Object.entries(otherFiles(cwd));
    const isNew = (/** @type {string} */ path) => !(path in before);
    expect(present.map(([path]) => path).filter(isNew)).toEqual(created);
    const kept = present.filter(([path]) => !isNew(path));
    expect(Object.fromEntries(kept)).toEqual({ ...before, ...after });
    expect(outcome.out).toContain(byHand ?? note ?? 'Next:');
    expect(outcome.out.includes('yourself:')).toBe(byHand !== undefined);

    const added = contents(join(cwd, folder));
    const vendored = Object.entries(TEMPLATE).filter(([path]) => PACKAGE.test(path));
    expect(vendored.length).toBeGreaterThan(10);
    for (const [path, text] of vendored) expect(added[path], path).toBe(text);
    // The changed and the new files, without the package.
    expect(created.length + Object.keys(after).length).toBeLessThanOrEqual(6);
  });

  test('gets the same if its files begin with a byte order mark, which stays first', async () => {
    const marked = Object.fromEntries(
      Object.entries(before).map(([path, text]) => [path, MARK + text]),
    );
    const [plain, own] = [temporaryFolder(before), temporaryFolder(marked)];
    const expected = await runScaffolder([folder, '--add', '--yes'], { cwd: plain });
    expect(await runScaffolder([folder, '--add', '--yes'], { cwd: own })).toEqual(expected);
    const all = Object.entries(files(plain)).map(([path, text]) => [
      path,
      path in before ? MARK + text : text,
    ]);
    expect(files(own)).toEqual(Object.fromEntries(all));
  });

  test('refuses the same example a second time, but adds another example', async () => {
    const cwd = temporaryFolder(before);
    await runScaffolder([folder, '--add', '--yes'], { cwd });
    const added = files(cwd);
    const again = await runScaffolder([folder, '--add', '--yes'], { cwd });
    expect(again).toMatchObject({ code: 3, out: '' });
    expect(again.err).toContain(
      'has lumenize-rpc and the example counter already.\nNothing was changed. To update ',
    );
    expect(again.err).toMatch(/To add another example: .* --add <name>\n/);
    expect(files(cwd)).toEqual(added);
    const room = await runScaffolder(['--add', 'room', folder, '--yes'], { cwd });
    expect(room).toMatchObject({ code: 0, err: '' });
    expect(room.out.includes('yourself:')).toBe(byHand !== undefined);
    const [now, main] = [files(cwd), Object.keys(after).find((path) => path.endsWith('index.ts'))];
    const source = now[main ?? ''] ?? '';
    const isChanged = (/** @type {string} */ path) => now[path] !== added[path];
    const changed = Object.keys(added)
      .filter(isChanged)
      .map((path) => path.replace(/.*\//, ''));
    expect(changed.toSorted()).toEqual(['index.ts', expect.stringMatching(/^wrangler\./)]);
    const fresh = Object.keys(now).filter((path) => !(path in added));
    expect(fresh).toEqual(created.map((path) => path.replace(/(?:rpc-)?counter/, 'room')));
    expect(source.match(/\bexport \{ Room \}/g)).toHaveLength(1);
    if (!byHand) expect(source).toMatch(/bindings: \[(['"])(?:RPC_)?COUNTER\1, \1ROOM\1\]/);
    for (const path of fresh) expect(/[^\r]\n/.test(now[path] ?? '')).toBe(!source.includes('\r'));
    const twice = await runScaffolder(['--add=room', folder, '--yes'], { cwd });
    expect(twice).toMatchObject({
      code: 3,
      err: expect.stringContaining('the example room already'),
    });
    expect(files(cwd)).toEqual(now);
  });

  test.each([
    ['no space for the last file', 'ounter.ts', 'ENOSPC'],
    ['no permission in the middle', 'package.json', 'EACCES'],
  ])('%s leaves everything unchanged', async (__, at, failure) => {
    const cwd = temporaryFolder(before);
    const env = failing(at, failure);
    const outcome = await runScaffolder([folder, '--add', '--yes'], { cwd, env });
    expect(outcome.code).toBe(1);
    expect(outcome.err).toContain(`Failed: ${failure}: injected`);
    expect(outcome.err).toContain('\nNothing was changed.\n');
    expect(contents(cwd)).toEqual(contents(temporaryFolder(before)));
  });
});

const SHAPE = Object.values(SHAPES)[0]?.before ?? {};

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s during the writing undoes only the additions, and says so', async (signal, code) => {
  // The project has no git, and contains files of the user.
  const cwd = temporaryFolder({ ...SHAPE, 'src/mine.ts': 'mine', 'vendor/other.txt': 'mine' });
  const before = contents(cwd);
  const env = failing('package.json', signal);
  const outcome = await runScaffolder(['--add', 'room', '--yes'], { cwd, env });
  expect(outcome.code).toBe(code);
  expect(outcome.out).not.toContain('Next:');
  expect(outcome.err).toBe(
    'Interrupted.\nThese changes were undone: wrangler.toml, package.json, src/index.ts, ' +
      'vendor/lumenize-rpc/, src/room.ts\nNothing was changed.\n',
  );
  expect(contents(cwd)).toEqual(before);
});

test('names the changes that cannot be undone after a signal, and all files that were written', async () => {
  const cwd = temporaryFolder(SHAPE);
  const env = { ...failing('package.json', 'SIGINT'), HELD: 'wrangler\\.toml$' };
  const outcome = await runScaffolder(['--add', '--yes'], { cwd, env });
  expect(outcome.code).toBe(130);
  expect(outcome.err).toContain('Interrupted.\nThis could not be undone: EBUSY');
  expect(outcome.err).toContain('\nWritten before the failure: wrangler.toml, package.json, ');
  expect(outcome.err).not.toContain('Nothing was changed');
});

test("adds the template's object, with free names", async () => {
  const counter = (TEMPLATE['src/counter.ts'] ?? '').replace('DurableObject<Env>', 'DurableObject');
  const cwd = temporaryFolder(SHAPE);
  await runScaffolder(['--add', '--yes'], { cwd });
  expect(contents(cwd)['src/counter.ts']).toBe(counter);
  const taken = temporaryFolder({ ...SHAPE, 'src/counter.ts': 'mine' });
  await runScaffolder(['--add', '--yes'], { cwd: taken });
  expect(contents(taken)['src/counter.ts']).toBe('mine');
  expect(contents(taken)['src/rpc-counter.ts']).toBe(counter.replaceAll('Counter', 'RpcCounter'));
});

test.each([
  [
    'no configuration',
    { 'package.json': '{}' },
    2,
    'has no wrangler.jsonc, wrangler.json or wrangler.toml.',
  ],
  ['no package.json', { 'wrangler.toml': 'main = "a.ts"' }, 2, 'but no package.json'],
  ['no main file', { ...SHAPE, 'wrangler.toml': 'name = "x"' }, 2, 'wrangler.toml has no "main"'],
  [
    'a main file that does not exist',
    { ...SHAPE, 'wrangler.toml': 'main = "a.ts"' },
    2,
    'is a.ts, and there is no such file',
  ],
  [
    'a main file outside',
    { ...SHAPE, 'wrangler.toml': 'main = "../a.ts"' },
    2,
    'which is outside the project',
  ],
  [
    'JavaScript',
    { ...SHAPE, 'wrangler.toml': 'main = "a.js"', 'a.js': 'export default {}' },
    2,
    'the runtime needs TypeScript',
  ],
  ['a script', { ...SHAPE, 'src/index.ts': "addEventListener('fetch', f);" }, 2, 'has no export'],
  [
    'a configuration that is not TOML',
    { ...SHAPE, 'wrangler.toml': 'main = ' },
    3,
    'wrangler.toml is not valid TOML',
  ],
  [
    'a configuration that is not JSON',
    { ...SHAPE, 'wrangler.jsonc': '{' },
    3,
    'wrangler.jsonc is not valid JSON',
  ],
  [
    'a package.json that is not JSON',
    { ...SHAPE, 'package.json': '{' },
    3,
    'package.json is not valid JSON',
  ],
  [
    'another vendor/lumenize-rpc',
    { ...SHAPE, 'vendor/lumenize-rpc/mine.ts': '' },
    3,
    'vendor/lumenize-rpc/ exists, and package.json does not depend on it.',
  ],
  [
    'another major version',
    { ...SHAPE, 'package.json': '{ "dependencies": { "typebox": "^2.0.0" } }' },
    3,
    'has typebox ^2.0.0',
  ],
  [
    'bindings that are not a list',
    { ...SHAPE, 'wrangler.toml': 'main = "src/index.ts"\ndurable_objects = { bindings = 1 }\n' },
    3,
    'wrangler.toml cannot be extended.',
  ],
  [
    'an inline table without bindings',
    { ...SHAPE, 'wrangler.toml': 'main = "src/index.ts"\ndurable_objects = {}\n' },
    3,
    'Add this yourself:\n  [[durable_objects.bindings]]\n  name = "COUNTER"\n  class_name = "Counter"',
  ],
  [
    'a test with the same name',
    {
      ...SHAPE,
      'package.json': '{ "devDependencies": { "@cloudflare/vitest-plugin": "^1.0.0" } }',
      'src/counter.test.ts': '',
    },
    3,
    'src/counter.test.ts exists already.\nNothing was changed. Rename it and try again.',
  ],
  [
    'all names taken',
    { ...SHAPE, 'src/counter.ts': '', 'src/rpc-counter.ts': '' },
    3,
    'The project uses counter.ts and rpc-counter.ts already, and the example needs a name that is free.',
  ],
])('%s is refused, and nothing changes', async (_, before, code, message) => {
  const cwd = temporaryFolder(/** @type {Record<string, string>} */ (before));
  const found = contents(cwd);
  const outcome = await runScaffolder(['--add', '--yes'], { cwd });
  expect(outcome).toMatchObject({ code, out: '' });
  expect(outcome.err).toContain(message);
  expect(outcome.err).not.toMatch(/^ {4}at /m);
  expect(contents(cwd)).toEqual(found);
});

test.each(['package.json', 'src'])('refuses a link in place of %s', async (path) => {
  const cwd = temporaryFolder({ ...SHAPE });
  renameSync(join(cwd, path), join(cwd, 'elsewhere'));
  symlinkSync('elsewhere', join(cwd, path));
  const outcome = await runScaffolder(['--add', '--yes'], { cwd });
  expect(outcome).toMatchObject({ code: 3, out: '' });
  expect(outcome.err).toContain(`${path} is a link.\nNothing was changed.`);
});

test.each([
  [['--add', '--merge'], '--add cannot be combined with --merge.'],
  [['--add', '--example', 'room'], '--example is for a new project. For this one: --add room'],
  [['--add', 'rom'], 'Did you mean: --add room\n'],
  [['--add=rom'], "'rom' is not. Did you mean room?\n  bank "],
  [['--add', '--verify'], '--verify needs the dependencies'],
])('%j is wrong usage', async (args, message) => {
  const outcome = await runScaffolder(args, { cwd: temporaryFolder(SHAPE) });
  expect(outcome).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
});

test.each([
  ['wrangler', '^3.60.3', 'wrangler ^3.60.3 is too old for the runtime: update it.'],
  ['typescript', '~4.9.5', 'typescript ~4.9.5 is too old'],
])('%s %s is reported as too old', async (name, range, note) => {
  const manifest = JSON.stringify({ devDependencies: { [name]: range } });
  const cwd = temporaryFolder({ ...SHAPE, 'package.json': manifest });
  const outcome = await runScaffolder(['--add', '--dry-run'], { cwd });
  expect(outcome.out).toContain(`Note: ${note}`);
});

test.each([
  ['@cloudflare/vitest-plugin', 'src/counter.test.ts', './counter'],
  ['@cloudflare/vitest-pool-workers', 'tests/counter.test.ts', '../src/counter'],
])('the test of the template, for %s, goes to %s', async (name, path, way) => {
  const manifest = JSON.stringify({ devDependencies: { [name]: '*' } });
  /** @type {Record<string, string>} */
  const others = path.startsWith('tests/') ? { 'tests/index.test.ts': '' } : {};
  const cwd = temporaryFolder({ ...SHAPE, ...others, 'package.json': manifest });
  await runScaffolder(['--add', '--yes'], { cwd });
  expect(contents(cwd)[path]).toBe(
    TEMPLATE['test/counter.test.ts']?.replace("'../src/counter.ts'", `'${way}'`),
  );
});

test.each([
  { '@cloudflare/vitest-pool-workers': '^0.16.0' },
  { '@cloudflare/vitest-plugin': '^1.0.0', wrangler: '^3.0.0' },
])('no test is added if %j could not run it', async (devDependencies) => {
  const cwd = temporaryFolder({ ...SHAPE, 'package.json': JSON.stringify({ devDependencies }) });
  await runScaffolder(['--add', '--yes'], { cwd });
  expect(Object.keys(contents(cwd)).filter((path) => path.includes('.test.'))).toEqual([]);
});

test('an example is refused if the project uses its name for something else, and nothing changes', async () => {
  const cwd = temporaryFolder({ ...SHAPE, 'src/bank.ts': 'mine' });
  const before = contents(cwd);
  const outcome = await runScaffolder(['--add', 'room,bank', '--yes'], { cwd });
  expect(outcome).toMatchObject({ code: 3, out: '' });
  expect(outcome.err).toContain(
    'The project uses bank.ts already, and the example needs a name that is free.\nNothing was changed.',
  );
  expect(contents(cwd)).toEqual(before);
});

test('with --json it reports its changes as one object', async () => {
  const cwd = temporaryFolder({ ...SHAPE });
  const { code, out } = await runScaffolder(['--add', '--yes', '--json'], { cwd });
  expect(code).toBe(0);
  const result = JSON.parse(out);
  expect(result).toMatchObject({
    ok: true,
    directory: cwd,
    examples: ['counter'],
    objects: [{ module: 'counter', class: 'Counter', binding: 'COUNTER' }],
  });
  expect(result.files).toContainEqual({ what: 'changed', path: 'wrangler.toml' });
  expect(result.files).toContainEqual({ what: 'added', path: 'src/counter.ts' });
  expect(result.next).toEqual(['npm install', 'npm run types', 'npm run dev']);
});

test.each([
  ['y', true, 0, 'Next:'],
  // The key Enter.
  ['\r', true, 0, 'Next:'],
  ['n', false, 0, 'Nothing was changed.'],
  ['\u0003', false, 130, 'Cancelled. Nothing was written.'],
])('on a terminal it asks: %j', async (answer, isAdded, code, text) => {
  const cwd = temporaryFolder({ ...SHAPE });
  const terminal = onTerminal(['--add'], { cwd });
  await terminal.shows('Apply these changes?');
  terminal.type(answer);
  expect(await terminal.ended).toBe(code);
  expect('vendor/' in contents(cwd)).toBe(isAdded);
  expect(terminal.output()).toContain(text);
  expect(terminal.output().includes('Nothing was')).toBe(!isAdded);
});

test.each([
  ['changed', 'package.json'],
  ['created', 'src/counter.ts'],
])('a file that is %s while the question is open is not overwritten', async (what, path) => {
  const cwd = temporaryFolder({ ...SHAPE });
  const terminal = onTerminal(['--add'], { cwd });
  await terminal.shows('Apply these changes?');
  writeFileSync(join(cwd, path), '{}');
  terminal.type('y');
  expect(await terminal.ended).toBe(3);
  expect(terminal.output()).toContain(`${path} was ${what} while the question was open.`);
  expect(terminal.output()).toContain('Nothing was changed. Run the command again.');
  expect(contents(cwd)).toEqual(contents(temporaryFolder({ ...SHAPE, [path]: '{}' })));
});
