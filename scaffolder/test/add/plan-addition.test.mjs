/** Tests of the plan for projects of special kinds. Tests in `../add.test.mjs` run the whole program. */
import { expect, test } from 'vitest';
import planAddition from '../../add/plan-addition.mjs';
import { valueOf } from '../../add/text/jsonc.mjs';
import { packageManager } from '../../packages/package-managers.mjs';
import { temporaryFolder } from '../support/folders.mjs';
import { git } from '../support/repository.mjs';
import { stepContext } from '../support/step-context.mjs';

const ENTRY = `export default {
  async fetch(request, env) {
    return new Response('no');
  },
} satisfies ExportedHandler<Env>;
`;
const PACKAGE = JSON.stringify({
  type: 'module',
  scripts: { types: 'wrangler types' },
  dependencies: { typebox: '1.4.3' },
  devDependencies: { '@cloudflare/vitest-plugin': '*' },
});

const CONFIGURATION = '{ "main": "src/index.ts", "migrations": [] }';

/**
 * @param {Record<string, string>} [files]
 * @param {Partial<import('../../context.mjs').Context>} [fields]
 */
function planned(files, fields) {
  const cwd = temporaryFolder({
    'package.json': PACKAGE,
    ...(files?.['wrangler.toml'] ? {} : { 'wrangler.jsonc': CONFIGURATION }),
    'src/index.ts': ENTRY,
    ...files,
  });
  const plan = planAddition(stepContext({ cwd, add: ['counter'], ...fields }));
  const { addition } = plan;
  if (!addition) throw new Error('nothing is planned');
  return { ...plan, ...addition, cwd };
}

test('a file that stays unchanged does not count as a change', () => {
  const { changed, created, target, cwd, typesScript, devScript } = planned({
    'tsconfig.json': '{}',
  });
  expect([...changed.keys()]).toEqual(['wrangler.jsonc', 'package.json', 'src/index.ts']);
  const own = [...created.keys()].filter((path) => !path.startsWith('vendor/lumenize-rpc/'));
  expect(own).toEqual(['src/counter.ts', 'src/counter.test.ts']);
  expect({ target, typesScript, devScript }).toEqual({
    target: cwd,
    typesScript: 'types',
    devScript: undefined,
  });
});

test('a name in the configuration is taken', () => {
  const files = { 'wrangler.jsonc': '{ "main": "src/index.ts", "vars": { "COUNTER": "1" } }' };
  const { objects, created } = planned(files);
  expect(objects).toEqual([expect.objectContaining({ binding: 'RPC_COUNTER' })]);
  const text = created.get('src/rpc-counter.test.ts') ?? '';
  expect(text).toContain("import type { RpcCounter } from './rpc-counter';");
  expect(text).toContain("connect<RpcCounter>('RPC_COUNTER', ");
  expect(text).not.toMatch(/\bCounter\b|\bCOUNTER\b/);
});

test('in a module with tags, the route is inserted by hand', () => {
  const files = {
    'wrangler.jsonc': '{ "main": "./src/index.tsx" }',
    'src/index.tsx': ENTRY.replace("'no'", 'page(<p><b>a</b></p>)'),
  };
  expect(planned(files)).toMatchObject({
    main: 'src/index.tsx',
    byHand: expect.stringContaining('routeDORequest'),
    reason: 'this program cannot read all of it',
  });
});

test('all new files except the package have the line ends of the main file', () => {
  const { created } = planned({ 'src/index.ts': ENTRY.replaceAll('\n', '\r\n') });
  for (const [path, text] of created)
    expect(/[^\r]\n/.test(text), path).toBe(path.startsWith('vendor/'));
  for (const [path, text] of planned().created) expect(text.includes('\r'), path).toBe(false);
});

test('uses the package manager of --pm, or else of the lock file', () => {
  const files = { 'bun.lock': '' };
  expect(planned(files).packageManager?.name).toBe('bun');
  const fields = { pm: 'pnpm', packageManager: packageManager('pnpm') };
  expect(planned(files, fields).packageManager?.name).toBe('pnpm');
});

test.each([
  ['2024-09-25', true],
  ['2024-09-26', false],
  [undefined, false],
])('with the compatibility date %s, whether it is refused: %s', (date, isRefused) => {
  const configuration = { main: 'src/index.ts', compatibility_date: date };
  const plan = () => planned({ 'wrangler.jsonc': JSON.stringify(configuration) });
  const message =
    'wrangler.jsonc has the compatibility date 2024-09-25, and lumenize-rpc needs 2024-09-26 or later.';
  if (isRefused) expect(plan).toThrow(message);
  else expect(plan().changed.get('wrangler.jsonc')?.after).not.toContain('compatibility_flags');
});

const CHECKS =
  'Your fetch does not check these calls. Until you use onBeforeConnect and onBeforeRequest of ' +
  'routeDORequest, everyone who can reach the Worker can call the object.';

test.each([
  [{}, []],
  [{ env: {} }, []],
  [{ env: { staging: {} } }, ['the environments that need it: staging.']],
  [
    { env: { staging: {}, production: {} } },
    ['the environments that need it: staging, production.'],
  ],
])('the notes on %j: %j', (more, ends) => {
  const { notes } = planned({
    'tsconfig.json': '{}',
    'wrangler.jsonc': JSON.stringify({ main: 'src/index.ts', ...more }),
  });
  const start = 'Environments do not inherit bindings. Add COUNTER (class Counter) to ';
  expect(notes).toEqual([CHECKS, ...ends.map((end) => start + end)]);
});

test.each([
  ['dist\n*.js\n', []],
  ['vendor/\n', ['vendor']],
  ['/vendor/*\n', ['vendor']],
  ['vendor/\n!/vendor/\n!/vendor/lumenize-rpc/\n', []],
])(
  'git has all of the package, or the user learns what is missing: .gitignore %j',
  (text, left) => {
    const { created, notes } = planned({ '.git/HEAD': '', '.gitignore': text });
    const about = notes.filter((note) => note.startsWith('A .gitignore leaves out vendor/'));
    expect(about).toHaveLength(left.length);
    const project = temporaryFolder({ ...Object.fromEntries(created), '.gitignore': text });
    git(project, 'init', '--quiet');
    git(project, 'add', '--all');
    const paths = git(project, 'ls-files').trim().split('\n');
    const missing = [...created.keys()].filter((path) => !paths.includes(path));
    expect(missing.some((path) => path.startsWith('vendor/'))).toBe(left.length > 0);
  },
);

test.each([
  ["import { a } from './a.js';", './counter.js'],
  ["import { a } from './a.ts';", './counter.ts'],
  ['', './counter'],
])('after %j, the object is imported as %s', (imports, path) => {
  const { changed, created } = planned({ 'src/index.ts': `${imports}\n${ENTRY}` });
  expect(changed.get('src/index.ts')?.after).toContain(`export { Counter } from '${path}';`);
  expect(created.get('src/counter.test.ts')).toContain(`import type { Counter } from '${path}';`);
});

test.each([
  [{}, []],
  [
    { prettier: '3', eslint: '9' },
    ['Tell eslint and prettier to leave out vendor/lumenize-rpc/, because it is a built package.'],
  ],
])('with %j, the notes about linters are %j', (devDependencies, expected) => {
  const { notes } = planned({ 'package.json': JSON.stringify({ devDependencies }) });
  expect(notes.filter((note) => note.startsWith('Tell '))).toEqual(expected);
});

const IN_WORKERS = { 'package.json': PACKAGE, 'test/index.spec.ts': '' };
const ROOM = { add: ['room'] };

test('another project gets only the object and the test of an example', () => {
  const { created, changed, objects, notes } = planned(IN_WORKERS, ROOM);
  const own = [...created.keys()].filter((path) => !path.startsWith('vendor/'));
  expect(own).toEqual(['src/room.ts', 'test/room.spec.ts']);
  const [object = '', ofObject = ''] = own.map((path) => created.get(path));
  expect(object).toContain('extends DurableObject {');
  expect(object).toContain('env: Cloudflare.Env)');
  expect(ofObject).toContain("import type { Room } from '../src/room';");
  expect(objects).toEqual([{ module: 'room', class: 'Room', binding: 'ROOM' }]);
  expect(changed.get('src/index.ts')?.after).toContain("bindings: ['ROOM'] }");
  expect(notes.join('\n')).not.toContain('page of room');
});

test('several examples have one migration, and each object its binding and export', () => {
  const { changed } = planned({}, { add: ['room', 'meter'] });
  const { durable_objects, migrations } = JSON.parse(changed.get('wrangler.jsonc')?.after ?? '');
  expect(durable_objects.bindings).toEqual([
    { name: 'ROOM', class_name: 'Room' },
    { name: 'METER', class_name: 'Meter' },
    { name: 'METER_SHARD', class_name: 'MeterShard' },
  ]);
  expect(migrations).toEqual([{ tag: 'v1', new_sqlite_classes: ['Room', 'Meter', 'MeterShard'] }]);
  const { after = '' } = changed.get('src/index.ts') ?? {};
  expect(after).toContain(
    "\n\nexport { Room } from './room';\nexport { Meter } from './meter';\nexport { MeterShard } from './meter-shard';\n\n",
  );
  expect(after).toContain("bindings: ['ROOM', 'METER', 'METER_SHARD'] }");
});

/** The declaration of a class in `exports`. */
const LIVE = { type: 'durable-object', storage: 'sqlite' };

test.each([
  ['no wrangler', {}, undefined, true],
  ['a range with only newer versions', { wrangler: '^4.107.0' }, undefined, true],
  ['the newest', { wrangler: 'latest' }, undefined, true],
  ['a range that begins with an older version', { wrangler: '^4.20.0' }, undefined, false],
  ['a range of a catalog', { wrangler: 'catalog:' }, undefined, false],
  ['an installed version that is newer', { wrangler: '^4.20.0' }, '4.150.0', true],
  ['an installed version that is older', { wrangler: '^4.107.0' }, '4.106.0', false],
  ['the next major version', { wrangler: '^5' }, undefined, true],
  ['an old plugin', { '@cloudflare/vite-plugin': '1.42.4', wrangler: '4.156.2' }, undefined, false],
  ['an old plugin', { '@cloudflare/vitest-pool-workers': '^0.17.0' }, undefined, false],
  ['current plugins', { '@cloudflare/vite-plugin': '1.43.0' }, undefined, true],
])(
  'a configuration without classes: %s, %j, installed %s',
  (_, devDependencies, installed, isNew) => {
    const { changed } = planned({
      'wrangler.jsonc': '{ "main": "src/index.ts" }',
      'package.json': JSON.stringify({ devDependencies }),
      ...(installed && {
        'node_modules/wrangler/package.json': JSON.stringify({ version: installed }),
      }),
    });
    const { exports, migrations } = JSON.parse(changed.get('wrangler.jsonc')?.after ?? '');
    expect(exports).toEqual(isNew ? { Counter: LIVE } : undefined);
    expect(migrations).toEqual(
      isNew ? undefined : [{ tag: 'v1', new_sqlite_classes: ['Counter'] }],
    );
  },
);

test('an environment with declarations of its own gets a note that names it, and what to add', () => {
  const declared = { migrations: [{ tag: 'v7', new_sqlite_classes: ['A'] }] };
  const value = { main: 'src/index.ts', ...declared, env: { staging: declared, preview: {} } };
  const { notes } = planned({ 'wrangler.jsonc': JSON.stringify(value) });
  expect(notes).toContain(
    'The environment staging has its own "migrations", so it does not inherit the new classes. ' +
      'If it needs the binding, add:\n' +
      '  env.staging.migrations: {"tag":"v8","new_sqlite_classes":["Counter"]}',
  );
  expect(notes.join('\n')).not.toContain('The environment preview');
  const toml = `main = "src/index.ts"
[exports.A]
type = "durable-object"
storage = "sqlite"
[env.staging.exports.A]
type = "durable-object"
storage = "sqlite"
`;
  const second = planned({ 'wrangler.toml': toml });
  expect(second.notes).toContain(
    'The environment staging has its own "exports", so it does not inherit the new classes. ' +
      'If it needs the binding, add:\n' +
      '  [env.staging.exports.Counter]\n  type = "durable-object"\n  storage = "sqlite"',
  );
});

const WITH_RUNTIME = {
  'package.json': JSON.stringify({
    type: 'module',
    scripts: { types: 'wrangler types' },
    dependencies: { 'lumenize-rpc': 'file:vendor/lumenize-rpc' },
    devDependencies: { '@cloudflare/vitest-plugin': '*' },
  }),
  'vendor/lumenize-rpc/package.json': '{}',
  'wrangler.jsonc':
    '{ "main": "src/index.ts", "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Counter"] }] }',
  'src/counter.ts': 'export const Counter = lumenizeRpcDO(A, {});',
  'src/index.ts': `import { routeDORequest } from 'lumenize-rpc/server';

export { Counter } from './counter.ts';

export default {
  async fetch(request, env) {
    return (await routeDORequest(request, env, { bindings: ['COUNTER'] })) ?? new Response('no');
  },
} satisfies ExportedHandler<Env>;
`,
};

test('a project that has the runtime keeps it, and its package.json', () => {
  const { changed, created, byHand, needsInstallation, notes } = planned(WITH_RUNTIME, ROOM);
  expect([...created.keys()]).toEqual(['src/room.ts', 'src/room.test.ts']);
  expect(changed.get('src/index.ts')?.after).toBe(
    WITH_RUNTIME['src/index.ts']
      .replace("counter.ts';\n", "counter.ts';\nexport { Room } from './room.ts';\n")
      .replace("['COUNTER']", "['COUNTER', 'ROOM']"),
  );
  expect(changed.has('package.json')).toBe(false);
  expect({ byHand, needsInstallation }).toEqual({ byHand: undefined, needsInstallation: false });
  expect(notes.some((note) => note.includes('does not check these calls'))).toBe(false);
});

/** Projects of this program, by the files that identify them. */
const OURS = { ...WITH_RUNTIME, 'tsconfig.node.json': '{ "include": ["perf", "*.ts"] }' };
const PLAIN = { ...OURS, 'src/page/build.mjs': '' };
const REACT = { ...OURS, 'src/ui/main.tsx': '', 'src/ui/clients.ts': '' };

/** This configuration comes from Vite's templates. */
const OF_VITE = { ...WITH_RUNTIME, 'tsconfig.node.json': '{ "include": ["vite.config.ts"] }' };

test.each([
  ['none', true, OURS, [], undefined],
  [
    'plain',
    true,
    PLAIN,
    ['src/page/room.ts', 'public/room.css', 'public/room.html'],
    'The page of room is http://localhost:8787/room.',
  ],
  [
    'React',
    true,
    REACT,
    ['src/ui/room.css', 'src/ui/room.tsx'],
    "To show room, in src/ui/main.tsx: import { RoomPanel } from './room.tsx', and write <RoomPanel />.",
  ],
  ['not ours', false, OF_VITE, [], undefined],
])(
  'the parts of an example for pages are for projects with such a page: %s',
  (_, isOurs, files, pages, note) => {
    const { created, notes } = planned(files, ROOM);
    const expected = ['src/room.ts', 'src/room.test.ts', ...pages];
    expect([...created.keys()].toSorted()).toEqual(expected.toSorted());
    expect(created.get('src/room.ts')?.includes('DurableObject<Env>')).toBe(isOurs);
    expect(notes.filter((one) => /page of|To show/.test(one))).toEqual(note ? [note] : []);
  },
);

test('an example adds its bucket and its hook, and says where its page is', () => {
  const config = '{ "name": "x", "main": "src/index.ts", "env": { "staging": {} } }';
  const { changed, notes } = planned({ ...PLAIN, 'wrangler.jsonc': config }, { add: ['board'] });
  expect(valueOf(changed.get('wrangler.jsonc')?.after ?? '')).toMatchObject({
    r2_buckets: [{ binding: 'BOARD_FILES', bucket_name: 'board-files' }],
  });
  expect(changed.get('src/index.ts')?.after).toContain('onBeforeConnect: nameCaller');
  expect(notes).toContain(
    'Environments do not inherit bindings. Add BOARD (class Board), BOARD_FILES (R2 bucket board-files) to the environments that need it: staging.',
  );
  expect(notes).toContain(
    'The page of board is in React, and only projects that were created with --ui react get it.',
  );
});

test('only projects of this program get the program of an example and its script', () => {
  const { created, changed, notes } = planned(OURS, { add: ['bank'] });
  expect(created.get('two-customers.ts')).toContain("from './src/bank.ts';");
  const { scripts } = JSON.parse(changed.get('package.json')?.after ?? '');
  expect(scripts).toEqual({ types: 'wrangler types', bank: 'node two-customers.ts' });
  expect(notes).toContain('With the Worker running, try bank: npm run bank');
  const other = planned(WITH_RUNTIME, { add: ['bank'] });
  expect(other.created.has('two-customers.ts')).toBe(false);
  expect(other.changed.has('package.json')).toBe(false);
});

test.each([
  [
    '^0.16.0',
    '2026-10-01',
    [],
    'this version of @cloudflare/vitest-pool-workers cannot run it. Update to @cloudflare/vitest-plugin.',
  ],
  [
    '^0.23.0',
    '2025-11-16',
    [],
    'it needs a compatibility date of 2025-11-17 or later, or the flag "enable_ctx_exports".',
  ],
  ['^0.23.0', '2025-11-16', ['enable_ctx_exports'], undefined],
  ['^0.23.0', '2025-11-17', [], undefined],
])(
  'with the plugin %s, the date %s and the flags %j, why there is no test: %s',
  (range, date, flags, why) => {
    const { created, notes } = planned({
      'package.json': JSON.stringify({
        devDependencies: { '@cloudflare/vitest-pool-workers': range },
      }),
      'wrangler.jsonc': JSON.stringify({
        main: 'src/index.ts',
        compatibility_date: date,
        compatibility_flags: flags,
      }),
    });
    expect(created.has('src/counter.test.ts')).toBe(why === undefined);
    const about = notes.filter((note) => note.startsWith('No test is added: '));
    expect(about).toEqual(why ? [`No test is added: ${why}`] : []);
  },
);

test.each([
  ['Node', {}, {}, "  const baseUrl = 'http://localhost:8787';", true],
  [
    'Vite',
    {},
    { '@cloudflare/vite-plugin': '1' },
    "  const baseUrl = 'http://localhost:5173';",
    true,
  ],
  [
    'our React project',
    REACT,
    { '@cloudflare/vite-plugin': '1', react: '19' },
    "  const baseUrl = 'http://localhost:8787';",
    false,
  ],
])('the first call is for %s', (_, files, devDependencies, line, isTypeless) => {
  const manifest = {
    ...(isTypeless ? {} : { type: 'module' }),
    dependencies: { 'lumenize-rpc': '1' },
    devDependencies,
  };
  const { firstUse } = planned(
    { ...WITH_RUNTIME, ...files, 'package.json': JSON.stringify(manifest) },
    ROOM,
  );
  expect(firstUse).toContain(line);
  expect(firstUse).toContain("  import type { Room } from './src/room.ts';");
  expect(firstUse).toContain('Run it with Node 22.18 or later: node call.ts');
  expect(firstUse.at(-1)?.startsWith('Node then warns')).toBe(isTypeless);
});

test.each([
  [
    'counter',
    'src/count.tsx',
    '<Count />',
    "    const counter = useRpcClient<Counter>('COUNTER', 'my-counter');",
  ],
  ['room', 'src/topic.tsx', '<Topic />', "    const room = useRpcClient<Room>('ROOM', 'lobby');"],
])('with React, %s begins with a component', (name, file, tag, line) => {
  const manifest = JSON.stringify({ dependencies: { react: '19' } });
  const { firstUse } = planned({ 'package.json': manifest }, { add: [name] });
  expect(firstUse[0]).toBe(
    `Then show it in a page: write ${file}, and ${tag} in a component of yours:`,
  );
  expect(firstUse).toContain(line);
  expect(firstUse.join('\n')).not.toContain('call.ts');
});

test.each([
  ['npm', 'Run it with: npx node call.ts'],
  ['pnpm', 'Run it with: pnpm exec node call.ts'],
])('a project with a Node of its own runs the first call on it: %s', (manager, line) => {
  const manifest = JSON.stringify({ type: 'module', devDependencies: { node: '24.21.0' } });
  const { firstUse } = planned(
    { 'package.json': manifest },
    { packageManager: packageManager(manager) },
  );
  expect(firstUse.at(-1)).toBe(line);
});

test('shows the first call without changing its characters', () => {
  const { firstUse } = planned({}, { add: ['digits'] });
  expect(firstUse).toContain('  /** Prints ten digits of π, each when it arrives. */');
});

test('with React, an example without a component has a call', () => {
  const manifest = JSON.stringify({ dependencies: { react: '19' } });
  const { firstUse } = planned({ 'package.json': manifest }, { add: ['meter'] });
  expect(firstUse).toContain('Run it with Node 22.18 or later: node call.ts');
});

test('a test is not added if its types would be wrong', () => {
  const files = { ...IN_WORKERS, 'tsconfig.json': '{ "compilerOptions": { "strict": false } }' };
  const { created, notes } = planned(files);
  expect([...created.keys()].some((path) => path.startsWith('test/'))).toBe(false);
  expect(notes).toContain('No test is added: its types need "strict" in tsconfig.json.');
});
