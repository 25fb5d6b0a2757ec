/** A schema checks a hole in an array like `undefined`. An accepted hole stays a hole. */
import { beforeEach, describe, expect, test } from 'vitest';
import * as Type from '../../../src/typebox.ts';
import { callback, compileContract, streamOf } from '../../../src/server.ts';
import { thrownBy } from '../../support/messages.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

const numbers = Type.Array(Type.Integer());

/** Each method returns the indexes of the items that it receives. A hole has no index. */
class Taker {
  one(): void {}

  take(list: unknown): string[] {
    return Object.keys(list as object);
  }

  sum(list: number[]): string[] {
    return this.take(list);
  }

  maybe(list: (number | undefined)[]): string[] {
    return this.take(list);
  }

  sumOf(one: { list: number[] }): string[] {
    return this.take(one.list);
  }

  async sums(lists: AsyncIterable<number[]>): Promise<string[][]> {
    const all: string[][] = [];
    for await (const list of lists) all.push(this.take(list));
    return all;
  }

  async all(lists: AsyncIterable<unknown>): Promise<string[][]> {
    const all: string[][] = [];
    for await (const list of lists) all.push(this.take(list));
    return all;
  }

  async ask(ask: () => Promise<number[]>): Promise<string[]> {
    return this.take(await ask());
  }

  async askAny(ask: () => Promise<unknown>): Promise<string[]> {
    return this.take(await ask());
  }
}

const contract = compileContract({
  one: [],
  take: [Type.Unknown()],
  sum: [numbers],
  maybe: [Type.Array(Type.Union([Type.Integer(), Type.Undefined()]))],
  sumOf: [Type.Object({ list: numbers })],
  sums: [streamOf(numbers)],
  all: [streamOf(Type.Unknown())],
  ask: [callback([], numbers)],
  askAny: [callback([], Type.Unknown())],
});

const HOLE = '["Sparse",{"0":7,"2":8},3]';

let raw: RawConnection;

beforeEach(() => {
  raw = openPort(new Taker(), contract);
});

/** Sends a call with one argument, and answers a callback with an array that has a hole. */
async function call(method: string, argument: string, ...more: string[]): Promise<unknown[]> {
  raw.sendMessages(`[1,"${method}","rich",[[[${argument}]],["Function",1],["Stream",1]]]`, ...more);
  const heard = await raw.until(([first]) => first === 1 || first === 'call');
  const asked = heard.find(([kind]) => kind === 'call');
  if (asked) raw.sendMessages(`["return",${asked[1]},"rich",[${HOLE}]]`);
  const answered = asked ? await raw.until(([id]) => id === 1) : heard;
  return answered.find(([id]) => id === 1) as unknown[];
}

/** The messages of a stream whose only item has a hole. */
const STREAM = [`["item",1,1,"rich",[${HOLE}]]`, '["end",1,1]'];

describe('a hole is rejected where `undefined` is', () => {
  test.each([
    ['in an argument', 'sum', HOLE, '[0][1]'],
    ['at the end of an argument', 'sum', '["Sparse",{"0":7},2]', '[0][1]'],
    ['in a part of an argument', 'sumOf', `{"list":${HOLE}}`, '[0].list[1]'],
    ['in an item of an array', 'sums', `[[${HOLE}]]`, '[0][0][1]'],
    ['in a stream as an array', 'sums', `["Sparse",{"1":${HOLE}},2]`, '[0][0]'],
  ])('%s', async (_, method, argument, path) => {
    const thrown = thrownBy(['answer', ...(await call(method, argument))]);
    expect(thrown).toMatchObject({ code: 'INVALID_ARGUMENTS', path });
  });

  test('in an item of a stream', async () => {
    const thrown = thrownBy(['answer', ...(await call('sums', '[2]', ...STREAM))]);
    expect(thrown).toMatchObject({ code: 'INVALID_ARGUMENTS', path: '[0][0][1]' });
  });

  test('in the answer of a callback', async () => {
    const thrown = thrownBy(['answer', ...(await call('ask', '[1]'))]);
    expect(thrown).toMatchObject({ code: 'INVALID_ARGUMENTS', path: '[0]()[1]' });
  });
});

describe('a hole stays a hole where `undefined` is allowed', () => {
  test.each([
    ['by any schema', 'take', HOLE, ['0', '2']],
    ['at the end', 'take', '["Sparse",{"0":7},2]', ['0']],
    ['by the schema of the items', 'maybe', HOLE, ['0', '2']],
    ['in the answer of a callback', 'askAny', '[1]', ['0', '2']],
  ])('%s', async (_, method, argument, indexes) => {
    expect(await call(method, argument)).toEqual([1, indexes]);
  });

  test('in an item of a stream', async () => {
    expect(await call('all', '[2]', ...STREAM)).toEqual([1, [['0', '2']]]);
  });
});
