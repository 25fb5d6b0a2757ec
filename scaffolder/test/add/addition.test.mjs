/** Tests of the lines that `--add` prints before and after it writes, and of its result with `--json`. */
import prompts from 'prompts';
import { expect, test } from 'vitest';
import confirmAddition from '../../add/confirm-addition.mjs';
import reportAddition from '../../add/report-addition.mjs';
import writeAddition from '../../add/write-addition.mjs';
import { packageManager } from '../../packages/package-managers.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

/** @typedef {import('../../context.mjs').Context} Context */

const COUNTER = { module: 'counter', class: 'Counter', binding: 'COUNTER' };
const FIRST_USE = ['Then call it:', '', '  call();'];
const BY_HAND = { byHand: 'import a;\n\nuse(a);', reason: 'it is too long' };

/**
 * @param {Partial<Context['addition']>} [more]
 * @returns {Context['addition']}
 */
const addition = (more) => ({
  created: new Map([
    ['vendor/lumenize-rpc/dist/client.js', 'new'],
    ['vendor/lumenize-rpc/package.json', 'new'],
    ['worker/counter.ts', 'new'],
  ]),
  changed: new Map([['worker/index.ts', { before: 'a\nb\n', after: 'a\n\nc\n' }]]),
  notes: ['One.', 'Two.'],
  examples: ['counter'],
  objects: [COUNTER],
  main: 'worker/index.ts',
  needsInstallation: true,
  schemas: 'typebox',
  firstUse: FIRST_USE,
  ...more,
});

const FACTS = {
  examples: ['counter'],
  objects: [COUNTER],
  files: [
    { what: 'changed', path: 'worker/index.ts' },
    { what: 'added', path: 'vendor/lumenize-rpc/dist/client.js' },
    { what: 'added', path: 'vendor/lumenize-rpc/package.json' },
    { what: 'added', path: 'worker/counter.ts' },
  ],
  notes: ['One.', 'Two.'],
  schemas: 'typebox',
};

/** @param {Partial<Context>} [fields] */
const contextWith = (fields) =>
  stepContext({ cwd: '/code', target: '/code/my shop', addition: addition(), ...fields });

test('shows each file and line, and with --yes asks nothing', async () => {
  const context = contextWith({ yes: true });
  expect(await confirmAddition(context)).toEqual({});
  const shown = [
    '  new      vendor/lumenize-rpc/ (the package, 2 files)',
    '  new      worker/counter.ts',
    '  changed  worker/index.ts',
    '    - b',
    '    +',
    '    + c',
  ];
  const notes = ['Note: One.', 'Note: Two.'];
  expect(context.said).toEqual(['To be added to my shop:', ...shown, ...notes]);
  const second = contextWith({ cwd: '/code/my shop', addition: addition(BY_HAND), yes: true });
  await confirmAddition(second);
  expect(second.said).toEqual([
    'To be added to this directory:',
    ...shown,
    '  by hand  worker/index.ts: it is too long',
    '      import a;',
    '',
    '      use(a);',
    ...notes,
  ]);
});

test('a dry run writes nothing, and reports the same facts as the addition', async () => {
  const dry = contextWith({ dryRun: true, addition: addition(BY_HAND) });
  expect(await confirmAddition(dry)).toEqual({
    finished: true,
    result: { dryRun: true, directory: '/code/my shop', ...FACTS, byHand: BY_HAND.byHand },
  });
  expect(dry.said.at(-1)).toBe('Nothing was written.');
});

test.each([
  [true, {}],
  [false, { finished: true }],
])('the answer %s decides', async (answer, changes) => {
  prompts.inject([answer]);
  const context = contextWith({ interactive: true });
  expect(await confirmAddition(context)).toEqual(changes);
  expect(context.said.at(-1)).toBe(answer ? 'Note: Two.' : 'Nothing was changed.');
});

test('without a terminal, prints the command with the given arguments', async () => {
  await expect(confirmAddition(contextWith({ argv: ['my shop', '--add'] }))).rejects.toMatchObject({
    exitCode: 2,
    message:
      'There is no terminal to ask on. Nothing was changed. To apply the changes:\n\n' +
      '  npm create lumenize-rpc@latest "my shop" -- --add --yes\n',
  });
});

const PROJECT = { 'my shop/worker/index.ts': 'a\nb\n', 'my shop/other.ts': 'mine' };

test('writes all changes, and prints the next commands at the end', () => {
  const cwd = temporaryFolder(PROJECT);
  const target = `${cwd}/my shop`;
  const more = { ...BY_HAND, typesScript: 'cf', devScript: 'start' };
  const context = contextWith({ cwd, target, addition: addition(more) });
  Object.assign(context, writeAddition(context));
  expect(context.written).toEqual(['worker/index.ts', 'vendor/lumenize-rpc/', 'worker/counter.ts']);
  expect(context.said).toEqual([]);
  expect(reportAddition(context)).toEqual({
    finished: true,
    undo: [],
    written: [],
    kept: expect.any(Function),
    result: {
      directory: target,
      ...FACTS,
      byHand: BY_HAND.byHand,
      next: ['cd "my shop"', 'npm install', 'npm run cf', 'npm run start'],
    },
  });
  expect(context.said).toEqual([
    '',
    'Counter was added to my shop.',
    '',
    'Add these lines to worker/index.ts yourself:',
    '',
    '  import a;',
    '',
    '  use(a);',
    '',
    'Next:',
    '',
    '  cd "my shop"',
    '  npm install',
    '  npm run cf',
    '  npm run start',
    '',
    ...FIRST_USE,
  ]);
  expect(contents(target)).toEqual({
    'other.ts': 'mine',
    'vendor/': '',
    'vendor/lumenize-rpc/': '',
    'vendor/lumenize-rpc/dist/': '',
    'vendor/lumenize-rpc/dist/client.js': 'new',
    'vendor/lumenize-rpc/package.json': 'new',
    'worker/': '',
    'worker/counter.ts': 'new',
    'worker/index.ts': 'a\n\nc\n',
  });
});

test('needs no installation if the project has the runtime, and names several objects', () => {
  const cwd = temporaryFolder(PROJECT);
  const objects = [COUNTER, { module: 'room', class: 'Room', binding: 'ROOM' }];
  const more = { objects, needsInstallation: false, typesScript: 'types' };
  const context = contextWith({ cwd, target: `${cwd}/my shop`, addition: addition(more) });
  Object.assign(context, writeAddition(context));
  expect(reportAddition(context)).toMatchObject({
    result: { objects, next: ['cd "my shop"', 'npm run types', 'npx wrangler dev'] },
  });
  expect(context.said).toContain('Counter and Room were added to my shop.');
});

test('in the current directory, prints no cd, and starts wrangler directly if there is no script', () => {
  const cwd = `${temporaryFolder(PROJECT)}/my shop`;
  const context = contextWith({ cwd, target: cwd, packageManager: packageManager('pnpm') });
  Object.assign(context, writeAddition(context));
  const { result } = reportAddition(context);
  expect(result).toMatchObject({ next: ['pnpm install', 'pnpm exec wrangler dev'] });
  expect(context.said.slice(0, 7)).toEqual([
    '',
    'Counter was added to this directory.',
    '',
    'Next:',
    '',
    '  pnpm install',
    '  pnpm exec wrangler dev',
  ]);
  expect(context.said.at(-1)).toBe(FIRST_USE.at(-1));
});

test.each([
  ['changed', 'worker/index.ts'],
  ['created', 'worker/counter.ts'],
])('a file that was %s meanwhile stays, and so does everything else: %s', (what, path) => {
  const cwd = temporaryFolder({ ...PROJECT, [`my shop/${path}`]: 'theirs' });
  const before = contents(cwd);
  expect(() => writeAddition(contextWith({ cwd, target: `${cwd}/my shop` }))).toThrow(
    `${path} was ${what} while the question was open.\nNothing was changed. Run the command again.`,
  );
  expect(contents(cwd)).toEqual(before);
});
