/**
 * The errors that a method may throw. Both sides have the table: the object throws an entry, and
 * the suite compares the error that arrives with the entry of the caller's side.
 */
import { RpcError } from '../../src/wire/errors.ts';

class Shortage extends Error {
  override name = 'Shortage';
  sku = 'A-1';
  missing = 3n;
}

class Unnamed extends RangeError {}

function cyclic(): Error {
  const error = new Error('its own cause');
  error.cause = error;
  return error;
}

/** Thrown values, each with its class on the caller's side. */
const failures: [name: string, create: () => unknown, Class?: new (...args: never[]) => unknown][] =
  [
    ['Error', () => new Error('plain'), Error],
    ['EvalError', () => new EvalError('eval'), EvalError],
    ['RangeError', () => new RangeError('range'), RangeError],
    ['ReferenceError', () => new ReferenceError('reference'), ReferenceError],
    ['SyntaxError', () => new SyntaxError('syntax'), SyntaxError],
    ['TypeError', () => new TypeError('type'), TypeError],
    ['URIError', () => new URIError('uri'), URIError],
    ['an empty message', () => new Error(''), Error],
    ['a class of its own', () => new Shortage('too few'), Error],
    ['a subclass without a name', () => new Unnamed('far'), RangeError],
    ['RpcError', () => new RpcError('FORBIDDEN', 'not yours', { path: '[0]' }), RpcError],
    ['own properties', () => Object.assign(new Error('own'), ownProperties()), Error],
    ['a cause', () => new Error('outer', { cause: new TypeError('inner') }), Error],
    ['a cause of a cause', () => new Error('1', { cause: new Error('2', { cause: '3' }) }), Error],
    ['a cause of undefined', () => new Error('cause', { cause: undefined }), Error],
    ['itself as its cause', cyclic, Error],
    ['AggregateError', () => new AggregateError([new URIError('one'), 2], 'both'), AggregateError],
    ['DOMException', () => new DOMException('gone', 'AbortError'), DOMException],
    ['undefined', () => undefined],
    ['null', () => null],
    ['0', () => 0],
    ['NaN', () => Number.NaN],
    ['false', () => false],
    ['an empty string', () => ''],
    ['a string', () => 'error'],
    ['a bigint', () => 7n],
    ['an object', () => ({ code: 'E_CUSTOM', nested: { list: [1, undefined] } })],
    ['an array', () => ['error', 1]],
    ['a Map', () => new Map([[1, new Set(['a'])]])],
  ];

function ownProperties(): object {
  return { code: 'E_STOCK', status: 409, when: new Date(0), nested: { set: new Set([1]) } };
}

export { failures };

function refuseToBeRead(): never {
  throw new Error('It has been read');
}

/** Values that do not arrive unchanged. */
const oddFailures: Record<string, () => unknown> = {
  'a function': () => () => {},
  'a function among its properties': () =>
    Object.assign(new Error('kept'), { code: 'KEPT', callback: () => {} }),
  'an object as its code': () => Object.assign(new Error('code'), { code: { secret: 1 } }),
  'a getter that throws': () =>
    Object.defineProperty(new Error('getter'), 'more', { get: refuseToBeRead, enumerable: true }),
  'a name that throws': () =>
    Object.defineProperty(new Error('x'), 'name', { get: refuseToBeRead }),
  'a proxy that throws': () =>
    new Proxy({}, { get: refuseToBeRead, getPrototypeOf: refuseToBeRead, ownKeys: refuseToBeRead }),
};

export function failureNamed(name: string): unknown {
  const odd = oddFailures[name];
  if (odd) return odd();
  const failure = failures.find(([known]) => known === name);
  if (!failure) throw new Error(`The table has no failure named ${name}`);
  return failure[1]();
}
