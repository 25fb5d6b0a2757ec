/**
 * Tests how results of methods with `plain: true` are sent, and what happens if a result is not
 * plain.
 */
import type { CompiledMethod } from '../../../src/server/contract/types.ts';
import { describe, expect, test } from 'vitest';
import { compileContract, type CompiledContract } from '../../../src/server.ts';
import { decodeAnswer, decodeFrame } from '../../../src/wire/messages.ts';
import type { AnswerMessage } from '../../../src/wire/messages.ts';
import { openPort } from '../../support/open-port.ts';

const contract = compileContract({ give: { input: [], readonly: true, plain: true } });
const deployed: CompiledContract = {
  ...contract,
  methods: new Map([
    ['give', { ...(contract.methods.get('give') as CompiledMethod), plain: 'unchecked' }],
  ]),
};

/** Returns the answer to a call as text. */
function answerOf(result: unknown, of = contract): Promise<string> {
  return openPort({ give: () => result }, of).ask('[1,"give"]');
}

function lateAnswerOf(result: unknown, of = contract): Promise<string> {
  return answerOf(Promise.resolve(result), of);
}

function decoded(answer: string): ReturnType<typeof decodeAnswer> {
  return decodeAnswer(decodeFrame(answer)[0] as AnswerMessage);
}

const cycle: Record<string, unknown> = { name: 'a cycle' };
cycle['self'] = cycle;
const shared = { id: 1 };

class List extends Array<number> {}

describe.each([
  ['locally', contract],
  ['deployed', deployed],
])('%s', (_, of) => {
  test.each<[string, unknown, string]>([
    [
      'rows',
      [{ id: 1, tags: ['a', null] }, { id: -2.5 }],
      '[{"id":1,"tags":["a",null]},{"id":-2.5}]',
    ],
    ['an array of tags', ['Map', 'x', 1], '["Map","x",1]'],
    ['a string', 'rich', '"rich"'],
    ['zero', 0, '0'],
    ['null', null, 'null'],
  ])('%s', async (_name, result, text) => {
    expect(await answerOf(result, of)).toBe(`[[1,${text}]]`);
    expect(await lateAnswerOf(result, of)).toBe(`[[1,${text}]]`);
  });

  test('very many objects, and very deep objects', async () => {
    const many = Array.from({ length: 100_001 }, () => ({}));
    const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) as unknown;
    for (const result of [many, deep]) {
      expect((await answerOf(result, of)) === `[[1,${JSON.stringify(result)}]]`).toBe(true);
    }
  });

  test('nothing', async () => {
    expect(await answerOf(undefined, of)).toBe('[[1]]');
    expect(await lateAnswerOf(undefined, of)).toBe('[[1]]');
  });
});

test.each<[string, unknown, string]>([
  ['a Date', { rows: [{ id: 1 }, { at: new Date(0) }] }, '.rows[1].at'],
  ['a Map', { 'by name': new Map() }, '["by name"]'],
  ['undefined', { note: undefined }, '.note'],
  ['NaN', [1, NaN], '[1]'],
  ['-0', -0, ''],
  ['a bigint', 5n, ''],
  ['a hole', { holes: [1, , 3] }, '.holes[1]'], // oxlint-disable-line no-sparse-arrays -- the test is about the hole
  ['an object that occurs twice', { first: shared, others: [shared] }, '.others[0]'],
  ['a cycle', { cycle }, '.cycle.self'],
  ['a function', { call: () => 1 }, '.call'],
  ['a key with the name __proto__', JSON.parse('{"a":{"__proto__":1}}'), '.a.__proto__'],
  ['an array of a subclass', { list: List.of(1) }, '.list'],
  ['an instance', { url: new URL('https://example.com') }, '.url'],
])('during local development, %s is refused', async (_, result, path) => {
  const message = `The result of give is not plain at ${path || 'top'}: return what JSON represents, or remove plain from the method's contract`;
  const { thrown } = decoded(await answerOf(result)) as { thrown: unknown };
  expect(thrown).toMatchObject({ code: 'UNSERIALIZABLE', message, path });
});

describe('after a deployment, a result that is not plain', () => {
  test.each<[string, unknown, unknown]>([
    ['a Date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['undefined', { note: undefined, id: 1 }, { id: 1 }],
    ['NaN', [NaN, -0], [null, 0]],
    ['an object that occurs twice', [shared, shared], [{ id: 1 }, { id: 1 }]],
    ['a bigint', { id: 5n, at: new Date(0) }, { id: 5n, at: new Date(0) }],
    ['a cycle', cycle, cycle],
  ])('%s', async (_, result, arrives) => {
    expect(decoded(await answerOf(result, deployed))).toEqual({ result: arrives });
    expect(decoded(await lateAnswerOf(result, deployed))).toEqual({ result: arrives });
  });

  test.each<[string, unknown, string]>([
    ['a function', () => 1, 'give: Cannot send a function at top'],
    ['a symbol', Symbol('x'), 'give: Cannot send a symbol at top'],
    ['a cycle with a function', { cycle, call: () => 1 }, 'give: Cannot send a function at .call'],
  ])('%s cannot be sent', async (_, result, message) => {
    expect(decoded(await answerOf(result, deployed))).toMatchObject({
      thrown: { code: 'UNSERIALIZABLE', message },
    });
  });
});

test('a stream is refused as without `plain`', async () => {
  const { thrown } = decoded(await answerOf([1].values())) as { thrown: unknown };
  expect(thrown).toMatchObject({
    code: 'UNSERIALIZABLE',
    message: expect.stringContaining('give returned a stream: write stream([…])'),
  });
});
