/** Changes of the schemas of results, live values, events, items and rows. */
import * as Type from '../../../src/typebox.ts';
import { events, live, read, rows, stream } from '../../../src/server.ts';
import type { ContractChange, Version } from '../version.ts';

const Plain = Type.Object({ text: Type.String() });
const Signed = Type.Object({ text: Type.String(), by: Type.String() });
const Maybe = Type.Object({ text: Type.String(), by: Type.Optional(Type.String()) });
const plain = { text: 'a' };
const signed = { text: 'a', by: 'Ada' };

/**
 * Returns a version whose read returns at most three values in turns. Its page calls it once for
 * each value.
 */
function returns(output: object | undefined, ...values: unknown[]): Version {
  return {
    contract: { get: output ? read([], { output }) : read() },
    answers: { get: values },
    sends: [['get'], ['get'], ['get']],
  };
}

function publishes(output: object, ...values: unknown[]): Version {
  return {
    contract: { news: events([], { output }) },
    answers: { news: values },
    follows: [['news']],
  };
}

const literals = (...names: string[]): object =>
  Type.Union(names.map((name) => Type.Literal(name)));

export const RESULTS: readonly ContractChange[] = [
  {
    name: 'a result gets a property',
    old: returns(Plain, plain),
    next: returns(Signed, signed),
  },
  {
    name: 'a result loses a property',
    old: returns(Signed, signed),
    next: returns(Plain, plain),
  },
  {
    name: 'a result gets an optional property',
    old: returns(Plain, plain),
    next: returns(Maybe, plain, signed),
  },
  {
    name: 'a result may be null',
    old: returns(Plain, plain),
    next: returns(Type.Union([Plain, Type.Null()]), plain, null),
  },
  {
    name: 'a literal is added to a result',
    old: returns(literals('a', 'b'), 'a', 'b'),
    next: returns(literals('a', 'b', 'c'), 'a', 'b', 'c'),
  },
  {
    name: 'a literal is removed from a result',
    old: returns(literals('a', 'b', 'c'), 'a', 'b', 'c'),
    next: returns(literals('a', 'b'), 'a', 'b'),
  },
  {
    name: 'the type of a result changes',
    old: returns(Type.Integer(), 1),
    next: returns(Type.String(), 'a'),
  },
  {
    name: 'a result gets a schema',
    old: returns(undefined, plain),
    next: returns(Plain, plain),
  },
  {
    name: 'a live value gets a property',
    old: {
      contract: { now: live([], { output: Plain }) },
      answers: { now: [plain] },
      follows: [['now']],
    },
    next: {
      contract: { now: live([], { output: Signed }) },
      answers: { now: [signed] },
      follows: [['now']],
    },
  },
  {
    name: 'an item of a stream may be a fraction',
    old: {
      contract: { count: stream([], { output: Type.Integer() }) },
      answers: { count: [1, 2] },
      follows: [['count']],
    },
    next: {
      contract: { count: stream([], { output: Type.Number() }) },
      answers: { count: [1, 0.5] },
      follows: [['count']],
    },
  },
  {
    name: 'a row gets a property',
    old: {
      contract: {
        list: rows('text', [Type.Optional(Type.String())], { output: Plain }),
      },
      answers: { list: [plain] },
      follows: [['list']],
    },
    next: {
      contract: {
        list: rows('text', [Type.Optional(Type.String())], { output: Signed }),
      },
      answers: { list: [signed] },
      follows: [['list']],
    },
  },
  {
    name: 'an event gets a property',
    old: publishes(Plain, plain),
    next: publishes(Signed, signed),
  },
  {
    name: 'an event gets an optional property',
    old: publishes(Plain, plain),
    next: publishes(Maybe, plain, signed),
  },
  {
    name: 'an event loses a property',
    old: publishes(Signed, signed),
    next: publishes(Plain, plain),
  },
  {
    name: 'a type of events is added',
    old: publishes(literals('opened'), 'opened'),
    next: publishes(literals('opened', 'closed'), 'opened', 'closed'),
  },
  {
    name: 'a type of events is removed',
    old: publishes(literals('opened', 'closed'), 'opened', 'closed'),
    next: publishes(literals('opened'), 'opened'),
  },
  {
    name: 'the type of events changes',
    old: publishes(Type.String(), 'a'),
    next: publishes(Plain, plain),
  },
];
