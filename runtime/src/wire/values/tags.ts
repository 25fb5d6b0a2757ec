/**
 * The types of objects that can be sent, besides plain objects and arrays. Each type has an entry that encodes and
 * decodes its values. The list is closed: a received name can select nothing else. To add a type, add an entry.
 */
import { fillError, createError, errorParts } from './error-codec.ts';
import {
  requireObject,
  forEachPair,
  malformed,
  requireNumber,
  requireText,
} from './part-checks.ts';
import { builtInName, isObjectPrototype } from './plain.ts';

/** One step of a path: a property name, an index, or the key of a Map entry, wrapped in an array. */
export type Step = string | number | [key: unknown];

/** Encodes and decodes the values of one type. */
export interface Tag {
  /** Returns the parts of a value: strings, numbers, or any other values that can be sent. */
  take(value: never): unknown[];
  /**
   * Creates a value. If the tag has a `fill`, only the strings and numbers among the parts have been decoded so far.
   *
   * @param unchecked - present in the object, for a value that a client sent
   */
  make(parts: never, unchecked?: Unchecked): unknown;
  /** Adds the parts that can refer back to the value. */
  fill?(value: never, parts: never, unchecked?: Unchecked): void;
  /** The path step to the part at an index, for error messages. Without `step`, the path ends at the value. */
  step?(index: number, parts: readonly unknown[]): Step;
}

/** A value that a client sent, while it is decoded. No schema has accepted it yet, so it must not cost much. */
export interface Unchecked {
  /** The tags that are used in place of `TAGS`. */
  readonly tags: ReadonlyMap<string, Tag>;
  /** The objects whose contents are made once the value is accepted. */
  readonly late: object[];
  /** The arrays with holes. */
  readonly sparse: Set<unknown[]>;
  /** True if an object may occur twice in the value, or in itself. */
  isShared: boolean;
}

interface Pairs {
  forEach(act: (value: unknown, key: unknown) => void): void;
}

/** The maximum length of a JavaScript array. */
const MAX_LENGTH = 2 ** 32 - 1;

type View = DataView | (ArrayBufferView & { length: number });
type ViewClass = new (buffer: ArrayBuffer, offset: number, length: number) => View;

/** The tags by the type's name in `Object.prototype.toString`, or by a name that `tagOf` chooses itself. */
export const TAGS = new Map<string, Tag>(
  Object.entries({
    BigInt: textTag(BigInt),
    /** The numbers that JSON lacks. */
    Number: textTag(Number),
    Boxed: {
      take: (value: object) => [value.valueOf()],
      make([primitive]: [unknown]) {
        return typeof primitive === 'object' ? malformed() : Object(primitive);
      },
    },
    Date: {
      take: (date: Date) => [date.getTime()],
      make: (parts: [number]) => new Date(requireNumber(parts[0])),
    },
    RegExp: {
      take: ({ source, flags }: RegExp) => [source, flags],
      make: ([source, flags]: [string, string]) =>
        new RegExp(requireText(source), requireText(flags)),
    },
    URL: textTag((href) => new URL(href)),
    URLSearchParams: textTag((query) => new URLSearchParams(query)),
    Headers: {
      take: flattened,
      make: () => new Headers(),
      fill(headers: Headers, parts: unknown[]) {
        forEachPair(parts, (name, value) => headers.append(requireText(name), requireText(value)));
      },
    },
    Map: {
      take: flattened,
      make: () => new Map(),
      fill(map: Map<unknown, unknown>, parts: unknown[]) {
        forEachPair(parts, (key, value) => map.set(key, value));
      },
      step: (index: number, parts: unknown[]) => [parts[index - (index % 2)]],
    },
    Set: {
      take: (set: Set<unknown>) => [...set],
      make: () => new Set(),
      fill(set: Set<unknown>, parts: unknown[]) {
        parts.forEach((member) => set.add(member));
      },
    },
    /** An array with holes. */
    Sparse: {
      take: (array: unknown[]) => [{ ...array }, array.length],
      make([items, length]: [object, number]) {
        requireObject(items);
        // V8 reserves no memory for the holes of an array of this length, not even after the length shrinks.
        const array = Array<unknown>(MAX_LENGTH);
        array.length = requireNumber(length);
        return array;
      },
      fill(array: unknown[], [items]: [Record<number, unknown>]) {
        // Other properties of an array are left out. A name such as `push` would change how the array works.
        for (const key in items) if (/^\d+$/.test(key)) array[key] = items[key];
      },
    },
    /** An object without a prototype. */
    Null: {
      take: (object: object) => [{ ...object }],
      make([properties]: [unknown]) {
        requireObject(properties);
        return Object.create(null) as object;
      },
      fill: assignProperties,
    },
    Error: {
      take: errorParts,
      make: createError,
      fill: fillError,
    },
  }),
);

const ARRAYS =
  'Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float16 Float32 Float64 BigInt64 BigUint64';

addView('DataView');
for (const kind of ARRAYS.split(' ')) addView(`${kind}Array`);

/** Returns the tag of a type whose values can be created from their text alone. */
function textTag(make: (written: string) => unknown): Tag {
  return {
    // The only zero that arrives here is -0.
    take: (value: unknown) => [value === 0 ? '-0' : String(value)],
    make: (parts: [string]) => make(requireText(parts[0])),
  };
}

function assignProperties(value: object, [properties]: [object]): void {
  Object.assign(value, properties);
}

/**
 * Returns the keys and values in one list. It does not iterate, because iterating creates several objects for each
 * pair, in code that is not optimized.
 */
function flattened(pairs: Pairs): unknown[] {
  const parts: unknown[] = [];
  pairs.forEach((value, key) => parts.push(key, value));
  return parts;
}

/**
 * Returns the tag of a value, or `Object` or `Array`; `undefined` for a value that cannot be sent.
 *
 * @param value - an object, a function, a symbol or a bigint
 */
export function tagOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return 'BigInt';
  if (Array.isArray(value)) return hasHoles(value) ? 'Sparse' : 'Array';
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || isObjectPrototype(prototype)) {
    if (Object.hasOwn(value as object, '__proto__') || isThenable(value)) return undefined;
    return prototype ? 'Object' : 'Null';
  }
  // A shortcut for the most common type: `toString` is slower.
  if (prototype === Date.prototype) return 'Date';
  const name = builtInName(value);
  if (name === 'DOMException') return 'Error';
  if (typeof value === 'object' && /^(Number|String|Boolean|BigInt)$/.test(name)) return 'Boxed';
  return name === 'ArrayBuffer' || TAGS.has(name) ? name : undefined;
}

/**
 * Returns whether an array in the text can represent another value than itself. All tags begin with a capital letter,
 * so they sort before `[`, the character after Z.
 */
export function isMarked(array: unknown[]): boolean {
  const first = array[0];
  return array.length < 2 || (typeof first === 'string' && first < '[');
}

/** Returns whether a value is a thenable: `await` replaces it with another value. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined | null)?.then === 'function';
}

function hasHoles(array: unknown[]): boolean {
  for (let index = 0; index < array.length; index++) if (!(index in array)) return true;
  return false;
}

/** @param name - the name of a class in the table above, never a name from the wire */
function addView(name: string): void {
  TAGS.set(name, {
    take(view: View) {
      const { buffer, byteOffset, byteLength } = view;
      const isWhole = byteLength === buffer.byteLength;
      // The rest of the buffer can be unrelated data: Node allocates small buffers from a shared pool.
      const shown = isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
      return [shown, 0, 'length' in view ? view.length : byteLength];
    },
    make([buffer, offset, length]: [ArrayBuffer, number, number]) {
      // A number instead of a buffer would allocate that many elements.
      if (!(buffer instanceof ArrayBuffer)) return malformed();
      // The constructor call throws in an engine that lacks the class.
      const classes = globalThis as unknown as Record<string, ViewClass>;
      return new (classes[name] as ViewClass)(buffer, requireNumber(offset), requireNumber(length));
    },
  });
}

/** The maximum depth of objects within objects, so that neither end overflows its stack. */
export const MAX_NESTING = 1_000;
