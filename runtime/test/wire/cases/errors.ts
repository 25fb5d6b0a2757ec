/** Errors that a method returns or throws. */
import { RpcError } from '../../../src/wire/errors.ts';
import type { Case } from './case.ts';
import { twice } from './structures.ts';

class NotFound extends Error {
  override name = 'NotFound';
  readonly table = 'users';
  readonly ids = new Set([1, 2]);
}

class Unnamed extends RangeError {}

class Invalid extends AggregateError {
  override name = 'Invalid';
}

/**
 * Returns the error that arrives for an error of a custom class: it has a built-in class, and is
 * equal otherwise.
 */
function arrivesAs(create: (message: string) => Error): (sent: Error) => Error {
  return (sent) => {
    const { name, stack } = sent;
    return Object.assign(create(sent.message), sent, { name, stack });
  };
}

function circular<Value extends Error>(error: Value, properties: (error: Value) => object): Value {
  return Object.assign(error, properties(error));
}

const BUILT_IN = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

export const errorCases: Case[] = [
  ...[Error, ...BUILT_IN].map((Class) => ({
    name: `${Class.name}`,
    value: () => new Class(`a message of ${Class.name}`),
  })),
  { name: 'an Error without a message', value: () => new Error() },
  { name: 'an Error with an odd message', value: () => new Error('"\n\uD800</script>') },
  {
    name: 'an Error with its own stack',
    value: () => Object.assign(new Error('a'), { stack: '' }),
  },
  {
    name: 'an Error without a stack',
    value: () => Object.defineProperty(new TypeError('a'), 'stack', { value: undefined }),
    arrives: () => Object.assign(new TypeError('a'), { stack: 'TypeError: a' }),
  },
  {
    name: 'an Error with its own __proto__',
    value: () =>
      Object.defineProperty(Object.assign(new Error('a'), { stack: 'S' }), '__proto__', {
        value: { a: 1 },
        enumerable: true,
      }),
    arrives: () => Object.assign(new Error('a'), { stack: 'S' }),
  },
  {
    name: 'an Error as it is written',
    value: () => Object.assign(new RangeError('far'), { stack: 'S', limit: 3 }),
    wire: '[1,"rich",[["Error","RangeError","RangeError","far","S",{"limit":3}]]]',
  },
  {
    name: 'an Error with a name',
    value: () => Object.assign(new Error('a'), { name: 'Odd name' }),
  },
  ...['AggregateError', 'DOMException', 'RpcError'].map((name) => ({
    name: `an Error that only has the name ${name}`,
    value: () => Object.assign(new Error('a'), { name }),
  })),
  { name: 'an Error with an empty name', value: () => Object.assign(new Error('a'), { name: '' }) },
  {
    name: 'an Error of a custom class',
    value: () => new NotFound('no'),
    arrives: arrivesAs((message) => new Error(message)),
  },
  {
    name: 'an Error of a class without a name of its own',
    value: () => new Unnamed('no'),
    arrives: arrivesAs((message) => new RangeError(message)),
  },
  {
    name: 'an Error with a cause',
    value: () => new Error('outer', { cause: new TypeError('inner') }),
  },
  { name: 'an Error whose cause is undefined', value: () => new Error('a', { cause: undefined }) },
  { name: 'an Error whose cause is null', value: () => new Error('a', { cause: null }) },
  {
    name: 'an Error whose cause is not an Error',
    value: () => new Error('a', { cause: { code: 7n } }),
  },
  {
    name: 'a chain of causes',
    value: () =>
      Array.from({ length: 10 }).reduce<Error | undefined>(
        (cause, _, index) => new Error(`level ${index}`, { cause }),
        undefined,
      ),
  },
  {
    name: 'an Error that is its own cause',
    value: () => circular(new Error('a'), (cause) => ({ cause })),
  },
  {
    name: 'two Errors that are the cause of each other',
    value: () => circular(new Error('a'), (cause) => ({ cause: new TypeError('b', { cause }) })),
  },
  {
    name: 'an Error with properties of every type',
    value: () =>
      Object.assign(new Error('a'), {
        code: 'E_CODE',
        status: 404,
        at: new Date(0),
        details: new Map([[{}, new Uint8Array(2)]]),
        nothing: undefined,
        zero: -0,
      }),
  },
  {
    name: 'an Error with properties that have the names of its encoded parts',
    value: () =>
      Object.assign(new Error('a'), { type: 'x', own: [1], constructor: 2, toString: 'y' }),
  },
  {
    name: 'an Error with a property named errors',
    value: () => Object.assign(new Error('invalid'), { errors: [{ path: '/a' }] }),
  },
  {
    name: 'an Error in its own property',
    value: () => circular(new Error('a'), (self) => ({ self })),
  },
  {
    name: 'a named Error in its own property',
    value: () =>
      circular(Object.assign(new Error('a'), { name: 'Odd' }), (self) => ({ self: [self] })),
  },
  {
    name: 'an Error that occurs twice',
    value: () => twice(new Error('a')),
  },
  {
    name: 'an AggregateError',
    value: () =>
      new AggregateError([new TypeError('a'), 'no error', { n: 1n }], 'many', { cause: 1 }),
  },
  { name: 'an empty AggregateError', value: () => new AggregateError([]) },
  {
    name: 'an AggregateError in itself',
    value: () => {
      const error = new AggregateError([], 'a');
      error.errors.push(error, new Error('b', { cause: error }));
      return error;
    },
  },
  {
    name: 'an AggregateError of a custom class',
    value: () => new Invalid([new Error('a')], 'many'),
    arrives: (sent: Invalid) =>
      arrivesAs((message) => new AggregateError(sent.errors, message))(sent),
  },
  { name: 'a DOMException', value: () => new DOMException('gone', 'AbortError') },
  {
    name: 'a DOMException as it is written',
    value: () =>
      Object.defineProperty(new DOMException('no', 'SyntaxError'), 'stack', { value: 'S' }),
    wire: '[1,"rich",[["Error","DOMException","SyntaxError","no","S",{}]]]',
  },
  { name: 'a DOMException without a name', value: () => new DOMException('gone') },
  {
    name: 'a DOMException in its own property',
    value: () => circular(new DOMException('gone', 'DataCloneError'), (self) => ({ self })),
  },
  { name: 'the reason of an abort', value: () => AbortSignal.abort().reason },
  {
    name: 'an RpcError',
    value: () => {
      const error = new RpcError('INVALID_ARGUMENTS', 'no', {
        path: '[0].a',
        cause: new Error('b'),
      });
      // The error arrives without a stack.
      return Object.defineProperty(error, 'stack', { value: 'RpcError: no', enumerable: false });
    },
  },
];
