/** The places of a contract that may have functions, and the error if a function is elsewhere. */
import * as Type from '../../../src/typebox.ts';
import { expect, test } from 'vitest';
import { callbackParameterAt } from '../../../src/features/callbacks/server/callback-schemas.ts';
import { callback, compileContract } from '../../../src/server.ts';

const ask = callback([Type.String()], Type.Boolean());

/** Returns the paths at which the method has a callback. */
function placesOf(schema: Type.TSchema, paths: readonly string[]): string[] {
  const method = compileContract({ method: [Type.String(), schema] }).methods.get('method');
  return paths.filter((path) => callbackParameterAt(method, path));
}

test.each<[string, Type.TSchema, string]>([
  ['an argument', ask, '[1]'],
  ['an optional argument', Type.Optional(ask), '[1]'],
  ['a property', Type.Object({ 'on ask': Type.Optional(ask) }), '[1]["on ask"]'],
  ['an item', Type.Array(ask), '[1][]'],
  [
    'a deep item',
    Type.Object({ a: Type.Array(Type.Object({ b: Type.Array(Type.Array(ask)) })) }),
    '[1].a[].b[][]',
  ],
])('%s is found', (_, schema, path) => {
  expect(placesOf(schema, [path, '[0]', `${path}[]`, ''])).toEqual([path]);
});

test('a contract without functions brings no feature', () => {
  const { methods } = compileContract({ method: [Type.Object({ a: Type.Array(Type.Any()) })] });
  expect(methods.get('method')?.features).toBeUndefined();
});

test.each<[string, Type.TSchema, string]>([
  ['a union', Type.Union([ask, Type.Null()]), '[0].anyOf[0]'],
  ['an intersection', Type.Intersect([Type.Object({ ask })]), '[0].allOf[0].properties.ask'],
  ['a record', Type.Record(Type.String(), ask), '[0].patternProperties'],
  ['a tuple', Type.Tuple([ask]), '[0].items[0]'],
  [
    'further properties',
    Type.Object({}, { additionalProperties: ask }),
    '[0].additionalProperties',
  ],
  ['the contained item of an array', Type.Array(Type.Any(), { contains: ask }), '[0].contains'],
  ['the arguments of a callback', callback([ask], Type.Void()), '[0].parameters[0]'],
  ['the answer of a callback', callback([], ask), '[0].returnType'],
  ['a nullable schema', { ...ask, type: ['function', 'null'] } as Type.TSchema, '[0]'],
  [
    'a nullable object',
    { type: ['object', 'null'], properties: { ask } } as Type.TSchema,
    '[0].properties.ask',
  ],
])('a callback in %s is rejected, and the error says where it can be', (_, schema, path) => {
  expect(() => compileContract({ method: [schema] })).toThrow(
    expect.objectContaining({
      name: 'TypeError',
      message: expect.stringMatching(
        /has a callback\(\) in an unsupported place: make it an argument, a property of a Type\.Object, or the items of a Type\.Array$/,
      ),
    }),
  );
  expect(() => compileContract({ method: [schema] })).toThrow(`method: argument ${path}`);
});

test.each<[string, Type.TSchema, string]>([
  ['a bare Type.Function', Type.Function([Type.String()], Type.Boolean()), '[0]'],
  [
    'a function schema without a result',
    { type: 'function', parameters: [] } as Type.TSchema,
    '[0]',
  ],
  [
    'a function schema in an object',
    Type.Object({ ask: Type.Function([], Type.Void()) }),
    '[0].properties.ask',
  ],
])('%s is rejected, and the error says what to write', (_, schema, path) => {
  expect(() => compileContract({ method: [schema] })).toThrow(
    new TypeError(
      `method: argument ${path} has a bare Type.Function: write callback([Type.String()], Type.Boolean())`,
    ),
  );
});
