/**
 * Tests entries with `output`, `title` and `description`: the compiled method has them, and results
 * are checked.
 */
import * as Type from '../../../src/typebox.ts';
import { describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/server.ts';
import { decodeAnswer, decodeFrame } from '../../../src/wire/messages.ts';
import type { AnswerMessage } from '../../../src/wire/messages.ts';
import { openPort } from '../../support/open-port.ts';

const Order = Type.Object({ id: Type.Integer(), items: Type.Array(Type.String()) });
const Name = Type.String();

const contract = compileContract({
  order: { input: [Name], output: Order, title: 'Order', description: 'Reads an order.' },
  plainOrder: { input: [], output: Order, plain: true },
  names: { input: [Name] },
});

async function answerOf(method: string, result: unknown): Promise<object> {
  const methods = { order: () => result, plainOrder: () => result, names: () => result };
  const call = method === 'plainOrder' ? `[1,"${method}"]` : `[1,"${method}",["a"]]`;
  const answer = await openPort(methods, contract).ask(call);
  return decodeAnswer(decodeFrame(answer)[0] as AnswerMessage);
}

test('a compiled method keeps its schemas, its title and its description', () => {
  expect(contract.methods.get('order')).toMatchObject({
    input: [Name],
    output: Order,
    title: 'Order',
    description: 'Reads an order.',
  });
  expect(contract.methods.get('names')).toMatchObject({
    input: [Name],
    output: undefined,
    checkOutput: undefined,
  });
});

describe.each(['order', 'plainOrder'])('the result of %s', (method) => {
  test.each([
    { id: 1, items: [] },
    { id: 2, items: ['tea'], note: 'more' },
  ])('that matches is sent: %j', async (result) => {
    expect(await answerOf(method, result)).toEqual({ result });
  });

  test.each([
    [undefined, '', 'it must be object, got undefined'],
    [{ id: 1 }, '.items', '.items is required'],
    [{ id: 1, items: ['tea', 5] }, '.items[1]', '.items[1] must be string, got 5'],
  ])('that does not match is rejected: %j', async (result, path, message) => {
    for (const given of [result, Promise.resolve(result)]) {
      expect(await answerOf(method, given)).toMatchObject({
        thrown: {
          code: 'UNSERIALIZABLE',
          path,
          message: `The result of ${method} does not match its output schema: ${message}`,
        },
      });
    }
  });
});

test('a result without an output schema is not checked', async () => {
  expect(await answerOf('names', 5)).toEqual({ result: 5 });
});

test.each([
  [{ input: [], output: 5 }, 'output is not a schema'],
  [{ input: [], output: { type: 'strin' } }, 'unknown type strin'],
  [{ input: [], title: 5 }, 'has a title that is not text'],
  [{ input: [], description: [] }, 'has a description that is not text'],
])('a contract refuses %j', (entry, problem) => {
  expect(() => compileContract({ order: entry } as never)).toThrow(problem);
});
