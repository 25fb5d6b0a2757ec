/** Tests the choice of names that a project does not have yet. */
import { expect, test } from 'vitest';
import { chooseNames } from '../../add/names.mjs';
import { EXAMPLES } from '../../examples.mjs';
import { temporaryFolder } from '../support/folders.mjs';

/**
 * @param {string} name - of an example
 * @param {Record<string, string>} files
 * @param {string} [main]
 * @param {object} [configuration]
 * @param {string} [advice]
 */
function chosen(name, files, main = '', configuration = {}, advice = undefined) {
  const example = EXAMPLES[name];
  if (!example) throw new Error(`there is no example ${name}`);
  return chooseNames(example, temporaryFolder(files), main, configuration, advice);
}

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
])('if the project has %s', (_, files, main, configuration, binding) => {
  const { objects } = chosen('counter', files, main, configuration);
  expect(objects).toEqual([expect.objectContaining({ binding })]);
});

test("texts and files get the counter's names in the project", () => {
  const { renamed, renamedFile } = chosen('counter', { 'counter.ts': '' });
  expect(renamed('env.COUNTER; class CounterImpl; Counter; Counters; counter')).toBe(
    'env.RPC_COUNTER; class RpcCounterImpl; RpcCounter; Counters; counter',
  );
  expect(['counter.test.ts', 'shard.ts'].map(renamedFile)).toEqual([
    'rpc-counter.test.ts',
    'shard.ts',
  ]);
});

test.each([
  ['counter', { 'counter.ts': '', 'rpc-counter.ts': '' }, '', 'counter.ts and rpc-counter.ts'],
  ['room', { 'room.ts': '' }, '', 'room.ts'],
  ['room', {}, 'export class Room {}', 'Room'],
  ['meter', {}, 'env.METER', 'METER'],
])('%s is refused where its names are taken by %j %j', (name, files, main, taken) => {
  const refused = () => chosen(name, files, main);
  expect(refused).toThrow(
    `The project uses ${taken} already, and the example needs a name that is free.\nNothing was changed. Rename `,
  );
  expect(refused).toThrow(expect.objectContaining({ exitCode: 3 }));
});

test.each([
  ['counter', { 'counter.ts': 'lumenizeRpcDO(A, {})' }, 'counter'],
  ['counter', { 'counter.ts': '', 'rpc-counter.ts': 'lumenizeRpcDO(A, {})' }, 'counter'],
  ['room', { 'room.ts': 'lumenizeRpcDO(A, {})' }, 'room'],
])('a project that has %s already, in %j, gets the advice', (name, files, example) => {
  expect(() => chosen(name, files, '', {}, 'Well.')).toThrow(
    `The project has lumenize-rpc and the example ${example} already.\nNothing was changed. Well.`,
  );
});

test('without a counter, a project that has the runtime gets one with free names', () => {
  const { objects } = chosen('counter', { 'counter.ts': 'mine' }, '', {}, 'Well.');
  expect(objects).toEqual([{ module: 'rpc-counter', class: 'RpcCounter', binding: 'RPC_COUNTER' }]);
});
