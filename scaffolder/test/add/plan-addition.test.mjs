/** What `--add` plans for projects of special kinds. Tests in `../add.test.mjs` run the whole program. */
import { expect, test } from 'vitest';
import planAddition from '../../add/plan-addition.mjs';
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

/**
 * @param {Record<string, string>} [files]
 * @param {Partial<import('../../context.mjs').Context>} [fields]
 */
function planned(files, fields) {
  const cwd = temporaryFolder({
    'package.json': PACKAGE,
    'wrangler.jsonc': '{ "main": "src/index.ts" }',
    'src/index.ts': ENTRY,
    ...files,
  });
  const plan = planAddition(stepContext({ cwd, ...fields }));
  const { addition } = plan;
  if (!addition) throw new Error('nothing is planned');
  return { ...plan, ...addition, cwd };
}

test('what stays as it is is no change', () => {
  const { changed, created, target, cwd, isTypeless, typesScript, devScript } = planned({
    'tsconfig.json': '{}',
  });
  expect([...changed.keys()]).toEqual(['wrangler.jsonc', 'package.json', 'src/index.ts']);
  const own = [...created.keys()].filter((path) => !path.startsWith('vendor/lumenize-rpc/'));
  expect(own).toEqual(['src/counter.ts', 'src/counter.test.ts']);
  expect({ target, isTypeless, typesScript, devScript }).toEqual({
    target: cwd,
    isTypeless: false,
    typesScript: 'types',
    devScript: undefined,
  });
});

test('a name in the configuration is taken', () => {
  const files = { 'wrangler.jsonc': '{ "main": "src/index.ts", "vars": { "COUNTER": "1" } }' };
  const { names, created } = planned(files);
  expect(names.binding).toBe('RPC_COUNTER');
  expect([...created.keys()]).toContain('src/rpc-counter.test.ts');
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

test('all that is created has the line ends of the main file, but for the package', () => {
  const { created } = planned({ 'src/index.ts': ENTRY.replaceAll('\n', '\r\n') });
  for (const [path, text] of created)
    expect(/[^\r]\n/.test(text), path).toBe(path.startsWith('vendor/'));
  for (const [path, text] of planned().created) expect(text.includes('\r'), path).toBe(false);
});

test('the package manager is the one that is given, or that of the lock file', () => {
  const files = { 'bun.lock': '' };
  expect(planned(files).packageManager?.name).toBe('bun');
  const fields = { pm: 'pnpm', packageManager: packageManager('pnpm') };
  expect(planned(files, fields).packageManager?.name).toBe('pnpm');
});

test.each([
  ['2024-04-02', [], true],
  ['2024-04-02', ['rpc'], false],
  ['2024-04-03', [], false],
  [undefined, undefined, false],
])('with the date %s and the flags %j, the flag is added: %s', (date, flags, isAdded) => {
  const configuration = {
    main: 'src/index.ts',
    compatibility_date: date,
    compatibility_flags: flags,
  };
  const { changed, notes } = planned({ 'wrangler.jsonc': JSON.stringify(configuration) });
  const { after = '' } = changed.get('wrangler.jsonc') ?? {};
  const { compatibility_flags: result } = JSON.parse(after);
  expect(result).toEqual(isAdded ? ['rpc'] : flags);
  const isOld = date === '2024-04-02';
  expect(notes.some((note) => note.startsWith('Before compatibility date'))).toBe(isOld);
});

const CHECKS =
  'Your fetch does not check these calls. Until you use onBeforeConnect and onBeforeRequest of ' +
  'routeDORequest, everyone who can reach the Worker can call the object.';

test.each([
  [{}, []],
  [{ env: {} }, []],
  [{ env: { staging: {} } }, ['those that need it: staging.']],
  [{ env: { staging: {}, production: {} } }, ['those that need it: staging, production.']],
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
    ['Tell eslint and prettier to leave out vendor/lumenize-rpc/: it is not yours to edit.'],
  ],
])('with %j, the notes about linters are %j', (devDependencies, expected) => {
  const { notes } = planned({ 'package.json': JSON.stringify({ devDependencies }) });
  expect(notes.filter((note) => note.startsWith('Tell '))).toEqual(expected);
});
