/**
 * Compares sent and received values exactly: classes, holes, -0, the bytes of views, and identity.
 * An object that occurs twice must still be one object, and two objects must still be two.
 */

/**
 * @returns the path and the kind of the first difference, or `undefined` if the values are equal
 * @example expect(difference(sent, received)).toBeUndefined();
 */
export function difference(sent: unknown, received: unknown): string | undefined {
  return new Comparison().of(sent, received, '');
}

class Comparison {
  /**
   * The objects that correspond to each other, in both directions, because two sent objects must
   * not arrive as one.
   */
  readonly #counterparts = new Map<object, object>();
  readonly #originals = new Map<object, object>();

  of(sent: unknown, received: unknown, path: string): string | undefined {
    if (!isObject(sent) || !isObject(received)) {
      return Object.is(sent, received) ? undefined : differs(path, sent, received);
    }
    if (this.#counterparts.has(sent) || this.#originals.has(received)) {
      const isKept =
        this.#counterparts.get(sent) === received && this.#originals.get(received) === sent;
      return isKept ? undefined : `${path || 'the top'}: shared differently`;
    }
    this.#counterparts.set(sent, received);
    this.#originals.set(received, sent);
    if (Object.getPrototypeOf(sent) !== Object.getPrototypeOf(received)) {
      return differs(path, classOf(sent), classOf(received), 'class');
    }
    return this.#all(partsOf(asSent(sent)), partsOf(asSent(received)), path);
  }

  #all(sent: Part[], received: Part[], path: string): string | undefined {
    if (sent.length !== received.length) {
      return differs(path, sent.map(nameOf), received.map(nameOf), 'parts');
    }
    for (const [index, [name, value]] of sent.entries()) {
      const [receivedName, receivedValue] = received[index] as Part;
      if (name !== receivedName) return differs(path, name, receivedName, 'part');
      const found = this.of(value, receivedValue, path + name);
      if (found) return found;
    }
    return undefined;
  }
}

/**
 * Returns the form in which an object is sent. A view of a part of its buffer sends only its own
 * bytes, and arrives with a buffer of its own.
 */
function asSent(value: object): object {
  if (!ArrayBuffer.isView(value) || value.byteLength === value.buffer.byteLength) return value;
  const { buffer, byteOffset, byteLength } = value;
  const Class = value.constructor as new (buffer: ArrayBufferLike) => object;
  return new Class(buffer.slice(byteOffset, byteOffset + byteLength));
}

/** A part of an object, and its step in a path. */
type Part = [name: string, value: unknown];

/** Returns everything that an object consists of besides its class, in order. */
function partsOf(object: object): Part[] {
  if (object instanceof Error) return errorParts(object);
  if (ArrayBuffer.isView(object)) return viewParts(object);
  if (object instanceof ArrayBuffer) return [['bytes', new Uint8Array(object).join()]];
  if (object instanceof Map) {
    return [...object].flatMap(([key, value], index): Part[] => [
      [`.key(${index})`, key],
      [`.value(${index})`, value],
    ]);
  }
  if (object instanceof Set) return [...object].map((item, index) => [`.item(${index})`, item]);
  if (object instanceof Headers) return [['.entries()', JSON.stringify([...object])]];
  if (object instanceof URL || object instanceof URLSearchParams) {
    return [['.toString()', object.toString()]];
  }
  if (object instanceof RegExp) {
    return [...valuesOf(object, ['source', 'flags', 'lastIndex'])];
  }
  if (object instanceof Date || isBoxed(object)) return [['.valueOf()', object.valueOf()]];
  const parts = ownParts(object);
  return Array.isArray(object) ? [['.length', object.length], ...parts] : parts;
}

function ownParts(object: object, except: string[] = []): Part[] {
  return Object.entries(object)
    .filter(([key]) => !except.includes(key))
    .map(([key, value]): Part => [`[${JSON.stringify(key)}]`, value]);
}

/** The class of an error decides which of its fields are enumerable. */
function errorParts(error: Error): Part[] {
  const fields = ['name', 'message', 'stack', 'cause'];
  if (error instanceof AggregateError) fields.push('errors');
  if (error instanceof DOMException) fields.push('code');
  return [
    ...valuesOf(error, fields),
    ['has a cause', Object.hasOwn(error, 'cause')],
    ...ownParts(error, fields),
  ];
}

function viewParts(view: ArrayBufferView): Part[] {
  return valuesOf(view, ['byteOffset', 'byteLength', 'buffer']);
}

function valuesOf(object: object, names: string[]): Part[] {
  return names.map((name) => [`.${name}`, (object as Record<string, unknown>)[name]]);
}

function isBoxed(object: object): boolean {
  return [Number, String, Boolean, BigInt].some((Class) => object instanceof Class);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function classOf(object: object): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  return isObject(prototype) ? prototype.constructor.name : 'null';
}

function nameOf([name]: Part): string {
  return name;
}

function differs(path: string, sent: unknown, received: unknown, what = 'value'): string {
  return `${path || 'the top'}: sent ${what} ${show(sent)}, received ${show(received)}`;
}

/** Formats a value shortly, with -0, bigints and symbols told apart. */
function show(value: unknown): string {
  if (isObject(value)) return Array.isArray(value) ? `[${value.join(' ')}]` : classOf(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 200));
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Empties the stack of every error in a value, and returns the value. */
export function withoutStacks(value: unknown, seen = new Set<unknown>()): unknown {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value;
  seen.add(value);
  if (value instanceof Error) {
    Reflect.defineProperty(value, 'stack', { value: '', enumerable: false, configurable: true });
    for (const part of [value.cause, ...((value as AggregateError).errors ?? [])]) {
      withoutStacks(part, seen);
    }
  }
  if (value instanceof Map) for (const entry of value) withoutStacks(entry, seen);
  else if (value instanceof Set) for (const item of value) withoutStacks(item, seen);
  else if (!ArrayBuffer.isView(value)) {
    for (const part of Object.values(value)) withoutStacks(part, seen);
  }
  return value;
}
