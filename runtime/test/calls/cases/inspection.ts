/** Programs inspect a client or a call without calling it: nothing is sent. */
import type { Case } from '../case.ts';
import type { Caller } from '../caller.ts';
import { check, equal, rejects } from '../check.ts';

type Look = [name: string, look: (value: object, caller: Caller) => unknown];

const looks: Look[] = [
  ['a console', (value, { platform }) => platform.inspect(value)],
  ['a console, within an object', (value, { platform }) => platform.inspect({ list: [value] })],
  ['JSON.stringify', (value) => JSON.stringify({ value })],
  ['String', (value) => attempt(() => String(value))],
  ['a template literal', (value) => attempt(() => `${value}`)],
  ['typeof', (value) => typeof value],
  ['Object.keys', (value) => Object.keys(value)],
  ['a spread', (value) => ({ ...value })],
  ['for in', (value) => Object.entries(value)],
  ['Object.prototype.toString', (value) => Object.prototype.toString.call(value)],
  ['instanceof', (value) => value instanceof Error || value instanceof Promise],
  ['Array.isArray', (value) => Array.isArray(value)],
  ['structuredClone', (value) => attempt(() => structuredClone(value))],
  ['symbols', (value) => symbols.map((symbol) => (value as Record<symbol, unknown>)[symbol])],
  ['a Map, as key', (value) => new Map([[value, 1]]).get(value)],
];

const symbols = [
  Symbol.iterator,
  Symbol.asyncIterator,
  Symbol.toPrimitive,
  Symbol.toStringTag,
  Symbol.for('nodejs.util.inspect.custom'),
  Symbol('unknown'),
];

class Money {
  amount = 5;
}

const unsendable: [name: string, make: (client: object) => unknown][] = [
  ['a client', (client) => client],
  ['a function', () => () => {}],
  ['a method of a client', (client) => (client as { add: unknown }).add],
  ['a symbol', () => Symbol('x')],
  ['an instance of a class', () => new Money()],
  ['a promise that is not a call', () => Promise.resolve(1)],
  ['a WeakMap', () => new WeakMap()],
  ['a stream', () => new ReadableStream()],
];

export const inspection: Case[] = [
  ...looks.flatMap(([name, look]): Case[] => [
    {
      name: `${name} inspects a client`,
      async run(caller) {
        const { client, traffic } = caller.connect();
        look(client, caller);
        await new Promise((resolve) => setTimeout(resolve, 0));
        equal(await client.add(1, 1), 2);
        look(client, caller);
        equal(traffic.up, [[[1, 'add', [1, 1]]]]);
      },
    },
    {
      name: `${name} inspects a call and a part of a call`,
      async run(caller) {
        const { client, traffic } = caller.connect();
        const call = client.profile();
        for (const value of [call, call.address.city]) look(value, caller);
        equal(await call.address.city, 'London');
        for (const value of [call, call.address.city]) look(value, caller);
        equal(traffic.up, [[[1, 'profile']]]);
      },
    },
  ]),
  {
    name: 'a client turns into a string like any other object',
    async run(caller) {
      const { client } = caller.connect();
      equal(`${client as unknown as string}`, '[object Object]');
      equal(JSON.stringify({ client }), '{"client":{}}');
    },
  },
  {
    name: 'a method can be read from its client and called later',
    async run(caller) {
      const { add } = caller.connect().client;
      equal(await add(1, 1), 2);
    },
  },
  ...unsendable.flatMap(([name, make]) =>
    ['[0]', '[0].a[1].b', '[0].get("key")'].map((path): Case => ({
      name: `${name} at ${path} is refused before it is sent, and the other calls go through`,
      async run(caller) {
        const { client, traffic } = caller.connect();
        const value = make(client);
        const argument =
          path === '[0]' ? value : path.includes('get') ? new Map([['key', value]]) : within(value);
        const before = client.map('before');
        const refused = rejects(client.map(argument), { name: 'RpcError', code: 'UNSERIALIZABLE' });
        const after = client.map('after');
        equal(await Promise.all([before, after]), ['before', 'after']);
        const { path: at } = (await refused) as { path: string };
        check(at.startsWith(path), `The path is ${at}`);
        equal(traffic.up.flat().length, 2);
      },
    })),
  ),
];

function within(b: unknown): unknown {
  return { a: [0, { b }] };
}

/**
 * Some inspections throw, as for any object without a string form. The test only counts what is
 * sent.
 */
function attempt(look: () => unknown): unknown {
  try {
    return look();
  } catch {
    return undefined;
  }
}
