/** What `--add` prints before and after it writes, and what it tells with `--json`. */
import prompts from 'prompts';
import { expect, test } from 'vitest';
import confirmAddition from '../../add/confirm-addition.mjs';
import writeAddition from '../../add/write-addition.mjs';
import { packageManager } from '../../packages/package-managers.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

/** @typedef {import('../../context.mjs').Context} Context */

const NAMES = { module: 'counter', extension: '.ts', className: 'Counter', binding: 'COUNTER' };
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
  names: NAMES,
  main: 'worker/index.ts',
  isTypeless: false,
  isVite: false,
  hasReact: false,
  ...more,
});

const FACTS = {
  className: 'Counter',
  binding: 'COUNTER',
  files: [
    { what: 'changed', path: 'worker/index.ts' },
    { what: 'added', path: 'vendor/lumenize-rpc/dist/client.js' },
    { what: 'added', path: 'vendor/lumenize-rpc/package.json' },
    { what: 'added', path: 'worker/counter.ts' },
  ],
  notes: ['One.', 'Two.'],
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

test('a dry run ends there, and tells the same facts as the addition', async () => {
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

test('without a terminal the user learns the command, with what was given', async () => {
  await expect(confirmAddition(contextWith({ argv: ['my shop', '--add'] }))).rejects.toMatchObject({
    exitCode: 2,
    message:
      'There is no terminal to ask on. Nothing was changed. To apply the changes:\n\n' +
      '  npm create lumenize-rpc@latest "my shop" -- --add --yes\n',
  });
});

const PROJECT = { 'my shop/worker/index.ts': 'a\nb\n', 'my shop/other.ts': 'mine' };

test('writes all of it, and ends with what is left to do', () => {
  const cwd = temporaryFolder(PROJECT);
  const target = `${cwd}/my shop`;
  const more = { ...BY_HAND, typesScript: 'cf', devScript: 'start', isTypeless: true };
  const context = contextWith({ cwd, target, addition: addition(more) });
  expect(writeAddition(context)).toEqual({
    finished: true,
    kept: 'Counter was added. To take it back: git stash --include-untracked',
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
    'Then call it, from call.ts for example, at the address that the last command prints:',
    '',
    "  import { createRpcClient } from 'lumenize-rpc/client';",
    "  import type { Counter } from './worker/counter.ts';",
    '',
    "  const baseUrl = 'http://localhost:8787';",
    "  using counter = createRpcClient<Counter>('COUNTER', 'my-counter', { baseUrl });",
    '  console.log(await counter.increment());',
    '',
    'Run it with: node call.ts',
    'Node then warns that package.json has no "type": "module". The call works without it.',
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

test('with Vite, the first call goes to its address', () => {
  const cwd = temporaryFolder(PROJECT);
  const context = contextWith({
    cwd,
    target: `${cwd}/my shop`,
    addition: addition({ isVite: true }),
  });
  writeAddition(context);
  expect(context.said).toContain("  const baseUrl = 'http://localhost:5173';");
});

test.each([
  ['without src/', {}, 'count.tsx'],
  ['with src/', { 'my shop/src/App.tsx': '' }, 'src/count.tsx'],
])('with React, it shows a component, %s', (_, files, file) => {
  const cwd = temporaryFolder({ ...PROJECT, ...files });
  const more = { isVite: true, hasReact: true };
  const context = contextWith({ cwd, target: `${cwd}/my shop`, addition: addition(more) });
  writeAddition(context);
  expect(context.said.slice(-16)).toEqual([
    `Then show it in a page: write ${file}, and <Count /> in a component of yours:`,
    '',
    "  import { createRpcClient } from 'lumenize-rpc/client';",
    "  import { useLive } from 'lumenize-rpc/react';",
    '',
    '  interface Counter {',
    '    increment(by?: number): number;',
    '    getValue(): number;',
    '  }',
    '',
    "  const counter = createRpcClient<Counter>('COUNTER', 'my-counter');",
    '',
    '  export function Count() {',
    '    const { value } = useLive(counter, (counter) => counter.getValue());',
    '    return <button onClick={() => void counter.increment()}>{value}</button>;',
    '  }',
  ]);
});

test('in the current directory nothing leads there, and wrangler starts without a script', () => {
  const cwd = `${temporaryFolder(PROJECT)}/my shop`;
  const context = contextWith({ cwd, target: cwd, packageManager: packageManager('pnpm') });
  const { result } = writeAddition(context);
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
  expect(context.said.at(-1)).toBe('Run it with: node call.ts');
});

test.each([
  ['changed', 'worker/index.ts'],
  ['created', 'worker/counter.ts'],
])('what was %s meanwhile stays, and so does all else: %s', (what, path) => {
  const cwd = temporaryFolder({ ...PROJECT, [`my shop/${path}`]: 'theirs' });
  const before = contents(cwd);
  expect(() => writeAddition(contextWith({ cwd, target: `${cwd}/my shop` }))).toThrow(
    `${path} was ${what} while the question was open.\nNothing was changed. Run the command again.`,
  );
  expect(contents(cwd)).toEqual(before);
});
