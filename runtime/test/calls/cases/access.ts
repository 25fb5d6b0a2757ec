/** A client can call only the methods that the contract lists, whatever name it sends. */
import { encodeCall } from '../../../src/wire/messages.ts';
import { CALL } from '../../../src/wire/values/rich-encoder.ts';
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';

const forbidden = `
  ctx env constructor __proto__ prototype toString valueOf toJSON hasOwnProperty isPrototypeOf
  __defineGetter__ then close dup connect fetch alarm webSocketMessage webSocketClose
  webSocketError _private #note unlisted hidden missing ctx.storage RUN`.split(/\s+/);

export const access: Case[] = [
  {
    name: 'names that the contract does not list are answered with METHOD_NOT_FOUND',
    async run(caller) {
      const { client } = caller.connect();
      const calls = [...forbidden, ' run', 'run\0'].map((name, index) => [index + 1, name, []]);
      const answers = await caller.exchange(JSON.stringify(calls));
      for (const [id, name] of calls) {
        const [, form, flat] = answers.find(([answered]) => answered === id) ?? [];
        const what = `${JSON.stringify(name)} is answered ${JSON.stringify([form, flat])}`;
        check(form === 'error' && JSON.stringify(flat).includes('METHOD_NOT_FOUND'), what);
      }
      equal(await client.runs(), []);
    },
  },
  {
    name: 'a client cannot call a property that the contract does not list',
    async run(caller) {
      const { client } = caller.connect();
      const odd = client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
      const names = ['ctx', 'env', 'fetch', 'alarm', '_private', 'unlisted', 'hidden', 'prototype'];
      await Promise.all(
        names.map((name) => rejects(odd[name]?.() as never, { code: 'METHOD_NOT_FOUND' })),
      );
      equal(await client.runs(), []);
    },
  },
  {
    name: 'a name in a reference selects own data properties only',
    async run(caller) {
      for (const key of ['constructor', '__proto__', 'toString']) {
        const frame = `[[1,"profile"],${callWithResultOf(2, 1, key)}]`;
        const [, [, ...rest] = []] = await caller.exchange(frame);
        equal(rest, []);
      }
    },
  },
  {
    name: 'a reference to a call that does not come earlier is refused',
    async run(caller) {
      for (const id of [2, 3, 9, -1, 0]) {
        const frame = `[[1,"map",[1]],${callWithResultOf(2, id)},[3,"map",[3]]]`;
        const answers = await caller.exchange(frame);
        equal(
          answers.map(([number, form]) => [number, form]),
          [
            [1, 1],
            [2, 'error'],
            [3, 3],
          ],
        );
        check(JSON.stringify(answers[1]).includes('BAD_MESSAGE'), JSON.stringify(answers[1]));
      }
    },
  },
  {
    name: 'arguments that are not an array are refused',
    async run(caller) {
      const { client } = caller.connect();
      for (const args of ['{}', '"x"', '5', 'null', '{"length":1}']) {
        const [[id, form] = []] = await caller.exchange(`[[7,"run",${args}]]`);
        equal([id, form], [7, 'error']);
      }
      equal(await client.runs(), []);
    },
  },
  {
    name: 'properties named __proto__ do not reach a method',
    async run(caller) {
      const { client } = caller.connect();
      const [[, form] = []] = await caller.exchange('[[1,"run",["x",{"__proto__":{"a":1}}]]]');
      equal(form, 'error');
      equal(await client.runs(), []);
      equal(({} as { a?: number }).a, undefined);
    },
  },
];

/**
 * Returns the text of a call of `map`. Its argument is the result of another call, or a property of
 * that result.
 */
function callWithResultOf(id: number, input: number, ...path: string[]): string {
  const result = Symbol('the result');
  return encodeCall(id, 'map', [result], (value) =>
    value === result ? [CALL, input, ...path] : undefined,
  );
}
