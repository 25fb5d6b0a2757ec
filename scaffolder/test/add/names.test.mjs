/** Names that a project does not have yet. */
import { expect, test } from 'vitest';
import { chooseNames, freeTag } from '../../add/names.mjs';
import { temporaryFolder } from '../support/folders.mjs';

test.each([
  ['nothing', {}, '', {}, 'COUNTER'],
  ['a file', { 'counter.ts': '' }, '', {}, 'RPC_COUNTER'],
  ['a file that an import may take instead', { 'counter.tsx': '' }, '', {}, 'RPC_COUNTER'],
  ['a test', { 'counter.test.ts': '' }, '', {}, 'COUNTER'],
  ['a class of the main file', {}, 'class Counter {}', {}, 'RPC_COUNTER'],
  ['the class behind it', {}, 'class CounterImpl {}', {}, 'RPC_COUNTER'],
  ['a class of a migration', {}, '', { migrations: [{ deleted: ['Counter'] }] }, 'RPC_COUNTER'],
  ['a binding', {}, '', { kv_namespaces: [{ binding: 'COUNTER' }] }, 'RPC_COUNTER'],
  ['a variable', {}, '', { vars: { COUNTER: '1' } }, 'RPC_COUNTER'],
  ['a longer word', {}, 'class MyCounter {}', { vars: { MY_COUNTER: '1' } }, 'COUNTER'],
])('where there is %s', (_, files, main, configuration, binding) => {
  expect(chooseNames(temporaryFolder(files), main, configuration)).toMatchObject({ binding });
});

test.each([
  [undefined, 'v1'],
  [[], 'v1'],
  [['v1', 'v2'], 'v3'],
  [['v2', 'v1'], 'v3'],
  [['2026-009'], '2026-010'],
  [['first'], 'lumenize-rpc-1'],
  [['lumenize-rpc-1', 'first'], 'lumenize-rpc-2'],
])('after the migrations %j comes %s', (tags, next) => {
  expect(freeTag(tags?.map((tag) => ({ tag })))).toBe(next);
});
