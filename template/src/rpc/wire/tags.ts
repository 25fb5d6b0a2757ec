/**
 * The types of objects that can cross the wire, beside plain objects and arrays. Each has an entry
 * that says how to take a value apart and how to put it together. The list is closed: no name that
 * arrives selects anything else. To add a type, add an entry. Imports base64, error-codec, limits
 * and parts.
 */
import { fromBase64, toBase64 } from './base64.ts';
import { type ErrorParts, fillError, makeError, takeError } from './error-codec.ts';
import { exceeded } from './limits.ts';
import { checkProperties, forPairs, malformed, number, text } from './parts.ts';

/** A property's key, an index, or for what a Map holds its key in an array. */
export type Step = string | number | [key: unknown];

/** A value's parts are text, numbers, or any values that can cross themselves. */
export interface Tag {
  take(value: never): unknown[];
  /** Makes the value. Where there is a `fill`, only parts that are text or numbers are there yet. */
  make(parts: never): unknown;
  /** Adds the parts that may lead back to the value. */
  fill?(value: never, parts: never): void;
  /** The way to the part at an index, for error messages; without it, the way to the value. */
  step?(index: number, parts: readonly unknown[]): Step;
}

/** How long an array can be. */
const MAX_LENGTH = 2 ** 32 - 1;

type View = DataView | (ArrayBufferView & { length: number });
type ViewClass = new (buffer: ArrayBuffer, offset: number, length: number) => View;

const VIEWS =
  'Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float16 Float32 Float64 BigInt64 BigUint64'
    .split(' ')
    .map((kind) => `${kind}Array`);

/** By what `Object.prototype.toString` calls the type. */
export const TAGS = new Map<string, Tag>(
  Object.entries({
    BigInt: textTag(BigInt),
    Boxed: {
      take: (value: object) => [value.valueOf()],
      make([primitive]: [unknown]) {
        return typeof primitive === 'object' ? malformed() : Object(primitive);
      },
    },
    Date: {
      take: (date: Date) => [date.getTime()],
      make: ([time]: [number]) => new Date(number(time)),
    },
    RegExp: {
      take: ({ source, flags }: RegExp) => [source, flags],
      make: ([source, flags]: [string, string]) => new RegExp(text(source), text(flags)),
    },
    URL: textTag((href) => new URL(href)),
    URLSearchParams: textTag((query) => new URLSearchParams(query)),
    Headers: {
      take: flattened,
      make: () => new Headers(),
      fill(headers: Headers, parts: unknown[]) {
        forPairs(parts, (name, value) => headers.append(text(name), text(value)));
      },
    },
    ArrayBuffer: {
      take: (buffer: ArrayBuffer) => [toBase64(buffer)],
      make: ([bytes]: [string]) => fromBase64(text(bytes)),
    },
    Map: {
      take: flattened,
      make: () => new Map(),
      fill(map: Map<unknown, unknown>, parts: unknown[]) {
        forPairs(parts, (key, value) => map.set(key, value));
      },
      step: (index: number, parts: unknown[]) => [parts[index - (index % 2)]],
    },
    Set: {
      take: (set: Set<unknown>) => [...set],
      make: () => new Set(),
      fill(set: Set<unknown>, parts: unknown[]) {
        for (const member of parts) set.add(member);
      },
    },
    /** An array with holes. */
    Sparse: {
      take: (array: unknown[]) => [array.length, ...flattened(Object.entries(array))],
      make([length]: [number]) {
        const array: unknown[] = [];
        // From so many holes on, V8 reserves no memory for them, and it keeps to that.
        array.length = MAX_LENGTH;
        array.length = number(length);
        return array;
      },
      fill(array: unknown[], [, ...parts]: unknown[]) {
        forPairs(parts, (key, value) => {
          const index = Number(text(key));
          if (String(index >>> 0) !== key || index >= array.length) malformed();
          array[index] = value;
        });
      },
      // The length comes first, then each index before its item.
      step: (index: number, parts: unknown[]) => (index % 2 ? index : Number(parts[index - 1])),
    },
    /** An object without a prototype. */
    Null: {
      take: (object: object) => [{ ...object }],
      make([properties]: [unknown]) {
        checkProperties(properties);
        return Object.create(null) as object;
      },
      fill: (object: object, [properties]: [object]) => Object.assign(object, properties),
    },
    Error: {
      take: takeError,
      make: (parts: ErrorParts) => makeError(parts),
      fill: (error: Error, parts: ErrorParts) => fillError(error, parts),
    },
    ...Object.fromEntries(['DataView', ...VIEWS].map((name) => [name, viewTag(name)])),
  }),
);

/** Of what text says all about. */
function textTag(make: (written: string) => unknown): Tag {
  return {
    take: (value: unknown) => [String(value)],
    make: ([written]: [string]) => make(text(written)),
  };
}

function flattened(pairs: Iterable<[unknown, unknown]>): unknown[] {
  const parts: unknown[] = [];
  for (const [key, value] of pairs) parts.push(key, value);
  return parts;
}

/**
 * A value's tag, `Object` or `Array`; `undefined` for what cannot cross.
 *
 * @param value - an object, a function, a symbol or a bigint
 */
export function tagOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return 'BigInt';
  if (Array.isArray(value)) return hasHoles(value) ? 'Sparse' : 'Array';
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) {
    if (Object.hasOwn(value as object, '__proto__') || isThenable(value)) return undefined;
    return prototype ? 'Object' : 'Null';
  }
  // The name of the commonest takes some time.
  if (value instanceof Date) return 'Date';
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (name === 'DOMException') return 'Error';
  if (/^(Number|String|Boolean|BigInt)$/.test(name)) return 'Boxed';
  return TAGS.has(name) ? name : undefined;
}

/** Whether a value can be awaited, and so stands for another. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined | null)?.then === 'function';
}

function hasHoles(array: unknown[]): boolean {
  for (let index = 0; index < array.length; index++) if (!(index in array)) return true;
  return false;
}

/** @param name - from the list above, never from the wire */
function viewTag(name: string): Tag {
  const Class = (globalThis as unknown as Record<string, ViewClass>)[name];
  return {
    take(view: View) {
      const { buffer, byteOffset, byteLength } = view;
      const isWhole = byteLength === buffer.byteLength;
      // The bytes around those that it shows may be anybody's: Node cuts small buffers out of a pool.
      const shown = isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
      return [shown, 0, 'length' in view ? view.length : byteLength];
    },
    make([buffer, offset, length]: [ArrayBuffer, number, number]) {
      // A number in the place of the buffer would ask for that many bytes.
      if (!(buffer instanceof ArrayBuffer)) return malformed();
      // An engine that lacks the class makes none.
      return new (Class as ViewClass)(buffer, number(offset), number(length));
    },
  };
}

/** How deep objects may be in objects, so that neither end runs out of stack. */
const MAX_NESTING = 1_000;

/** @throws RpcError `LIMIT_EXCEEDED` */
export function checkNesting(levels: number): void {
  if (levels > MAX_NESTING) exceeded('nesting', MAX_NESTING);
}
