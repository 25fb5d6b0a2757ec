/**
 * Where the arguments of a method may be functions of the client, and what those may answer. A contract
 * says so by `Type.Function`: as an argument, as a property of a `Type.Object` or as the items of a
 * `Type.Array`, at any depth. Imports TypeBox, argument-errors and wire/.
 */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { propertyPath } from '../wire/paths.ts';
import { firstError } from './argument-errors.ts';

/** A place of a method's arguments where a `Type.Function` stands. */
export interface CallbackPlace {
  /** The method. */
  readonly method: string;
  /** The way to it in the method's arguments, such as `[0].onProgress`, or `[1][]` for items. */
  readonly path: string;
  /**
   * @returns what the callback is to have answered
   * @throws RpcError `INVALID_ARGUMENTS` for an answer of another type
   */
  take(answer: unknown): unknown;
}

/** Says what is to stand where a function was passed. */
export type Put = (passed: (...args: never[]) => unknown, place: CallbackPlace) => unknown;

/** Gives a value, or a copy of it with other functions. */
type Bind = (value: unknown, put: Put) => unknown;

/** As much of a schema as leads to functions. */
interface Schema {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  returnType?: TSchema;
}

/** All the places of one method. */
export class CallbackPlaces {
  readonly #places = new Map<string, CallbackPlace>();
  readonly #binds: readonly (Bind | undefined)[];

  /** @param schemas - for which `checkSchema` holds; anything else leads to no function */
  constructor(method: string, schemas: readonly unknown[]) {
    this.#binds = schemas.map((schema, index) =>
      this.#bindOf(method, schema as Schema, `[${index}]`),
    );
  }

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  at(path: string): CallbackPlace | undefined {
    return this.#places.get(path);
  }

  /**
   * Gives arguments whose functions have been replaced. What holds a function is copied, since it may stand
   * in two places, where the function may answer differently.
   *
   * @param args - checked already
   */
  bind(args: readonly unknown[], put: Put): unknown[] {
    return args.map((arg, index) => this.#binds[index]?.(arg, put) ?? arg);
  }

  #bindOf(method: string, schema: Schema, path: string): Bind | undefined {
    const { type, properties, items, returnType } = schema;
    if (type === 'function' && returnType) {
      const place = { method, path, take: takerOf(method, path, returnType) };
      this.#places.set(path, place);
      return (value, put) => (typeof value === 'function' ? put(value as never, place) : value);
    }
    if (type === 'object' && properties) {
      const inner = Object.entries(properties).flatMap(([key, property]) => {
        const bind = this.#bindOf(method, property, path + propertyPath(key));
        return bind ? [{ key, bind }] : [];
      });
      return inner.length > 0 ? (value, put) => bindProperties(value, inner, put) : undefined;
    }
    const bind = type === 'array' && items && this.#bindOf(method, items, `${path}[]`);
    if (!bind) return undefined;
    return (value, put) =>
      Array.isArray(value) ? value.map((item) => bind(item, put) as unknown) : value;
  }
}

function bindProperties(
  value: unknown,
  inner: readonly { key: string; bind: Bind }[],
  put: Put,
): unknown {
  // An argument that is optional.
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const { key, bind } of inner) {
    if (Object.hasOwn(copy, key)) copy[key] = bind(copy[key], put);
  }
  return copy;
}

/** Compiles the schema of a callback's answers. */
function takerOf(method: string, path: string, schema: TSchema): CallbackPlace['take'] {
  // The client's function need not return nothing: nobody looks at it.
  if ((schema as Schema).type === 'void') return () => undefined;
  const validator = Compile(schema);
  const isOptional = '~optional' in schema;
  return (answer) => {
    if ((answer === undefined && isOptional) || validator.Check(answer)) return answer;
    throw firstError(method, validator, answer, `${path}()`, 'the result of the callback at');
  };
}

/**
 * Finds in arguments what stands for a function or a stream.
 *
 * @param isSought - told of everything in them
 * @returns the way to it, or to the map, the set or the error that holds it
 */
export function pathTo(
  args: readonly unknown[],
  isSought: (found: unknown) => boolean,
): string | undefined {
  const seen = new Set<unknown>();
  const search = (value: unknown, path: string): string | undefined => {
    if (isSought(value)) return path;
    if (typeof value !== 'object' || value === null || seen.has(value)) return undefined;
    seen.add(value);
    for (const [step, inner] of partsOf(value)) {
      const found = search(inner, path + step);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(args, '');
}

/** What is in a value, each with the step to it. */
function partsOf(value: object): Iterable<[step: string, inner: unknown]> {
  if (value instanceof Map || value instanceof Set) {
    return [...value.entries()].flat().map((inner) => ['', inner]);
  }
  if (ArrayBuffer.isView(value)) return [];
  // An error's cause and its like are not enumerable.
  return Object.getOwnPropertyNames(value).map((key) => {
    const step = /^\d+$/.test(key) ? `[${key}]` : propertyPath(key);
    return [step, Object.getOwnPropertyDescriptor(value, key)?.value];
  });
}
