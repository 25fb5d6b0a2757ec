/** Changes of callbacks, and of streams as arguments. */
import * as Type from '../../../src/typebox.ts';
import { callback, stream as streamArgument } from '../../../src/client.ts';
import { callback as takesCallback, streamOf } from '../../../src/server.ts';
import { type ContractChange, fits, type Version } from '../version.ts';

/**
 * Returns a version whose object calls a function, and whose page passes a function that checks its
 * arguments.
 *
 * @param parameters - the schemas of the arguments
 * @param passed - the arguments that the object passes
 * @param result - the schema of the function's result
 * @param returned - the result of the function
 */
function calls(
  parameters: object[],
  passed: readonly unknown[],
  result?: object,
  ...returned: unknown[]
): Version {
  return {
    contract: { load: [result ? takesCallback(parameters, result) : takesCallback(parameters)] },
    object: {
      async load(report: (...args: unknown[]) => Promise<unknown>) {
        await report(...passed);
      },
    },
    async page({ client }) {
      for (const value of returned.length > 0 ? returned : [undefined]) {
        const problems: unknown[] = [];
        const report = (...args: unknown[]): unknown => {
          try {
            for (const [index, schema] of parameters.entries()) fits(schema, args[index]);
          } catch (error) {
            problems.push(error);
          }
          return value;
        };
        await client['load']!(callback(report));
        if (problems.length > 0) throw problems[0];
      }
    },
  };
}

const integer = Type.Integer();
const number = Type.Number();

function readsStream(items: object, ...values: unknown[]): Version {
  return {
    contract: { upload: [streamOf(items)] },
    object: {
      async upload(list: AsyncIterable<unknown>) {
        let count = 0;
        for await (const _ of list) count++;
        return count;
      },
    },
    page: async ({ client }) => void (await client['upload']!(streamArgument(values))),
  };
}

export const FUNCTIONS: readonly ContractChange[] = [
  {
    name: 'an argument of a callback allows more values',
    old: calls([integer], [1]),
    next: calls([number], [0.5]),
  },
  {
    name: 'an argument of a callback allows fewer values',
    old: calls([number], [0.5]),
    next: calls([integer], [1]),
  },
  {
    name: 'a callback gets one more argument',
    old: calls([integer], [1]),
    next: calls([integer, integer], [1, 2]),
  },
  {
    name: 'a callback has to return something',
    old: calls([], []),
    next: calls([], [], integer, 1),
  },
  {
    name: 'the result of a callback allows more values',
    old: calls([], [], integer, 1),
    next: calls([], [], number, 1, 0.5),
  },
  {
    name: 'a callback no longer has to return something',
    old: calls([], [], integer, 1),
    next: calls([], []),
  },
  {
    name: 'a callback becomes a text',
    old: calls([], []),
    next: { contract: { load: [Type.String()] }, sends: [['load', 'a']] },
  },
  {
    name: 'the items of an argument allow more values',
    old: readsStream(integer, 1),
    next: readsStream(number, 0.5),
  },
  {
    name: 'the items of an argument allow fewer values',
    old: readsStream(number, 0.5),
    next: readsStream(integer, 1),
  },
  {
    name: 'a list becomes a stream',
    old: { contract: { upload: [Type.Array(integer)] }, sends: [['upload', [1, 2]]] },
    next: readsStream(integer, 1),
  },
  {
    name: 'a stream becomes a list',
    old: readsStream(integer, 1),
    next: { contract: { upload: [Type.Array(integer)] }, sends: [['upload', [1, 2]]] },
  },
];
