/**
 * The general codec, first half: a value as JSON text. A value becomes a list whose first item
 * stands for the value itself and whose further items are the objects in it, each once, so that
 * sharing and cycles are kept:
 *
 *     map = new Map(); map.set('self', map)      [[1],["Map","self",[1]]]
 *
 * Where a value belongs there is text, a number, a boolean or null, as it is; or `[1]`, the item at
 * that index; or `[]`, undefined; or `["NaN"]`, a number that JSON lacks. An item is `{…}`, a plain
 * object; `[[…]]`, an array; or `["Map",…]`, a tag and its parts. Imports errors, paths and tags.
 */
import { RpcError } from './errors.ts';
import { propertyPath } from './paths.ts';
import { checkNesting, isThenable, type Step, type Tag, tagOf, TAGS } from './tags.ts';

/**
 * An item that stands for something which only its ends can resolve: its name, then plain data.
 *
 * - `["Call", id, ...path]`: the result of a call, or what is there when the keys are followed
 * - `["Capability", className, number, ...address]`: an object that is made anew for each call
 * - `["Function", number]`: a function of the client, which the object may call
 * - `["Stream", number]`: a stream, whose items the client sends in messages of their own
 */
export type Reference = readonly [name: string, ...parts: unknown[]];

/** The name of a reference to a call. */
export const CALL = 'Call';

/** The name of a reference to a capability. */
export const CAPABILITY = 'Capability';

/** The name of a reference to a function of the client. */
export const FUNCTION = 'Function';

/** The name of a reference to a stream of the client. */
export const STREAM = 'Stream';

/** Says which values are sent as references. */
export type ReferenceOf = (value: unknown) => Reference | undefined;

/**
 * @param referenceOf - says which values are sent as references, before anything else is looked at
 * @param isLenient - whether to write `undefined` for what no tag stands for, instead of refusing it
 * @returns JSON text
 * @throws RpcError `UNSERIALIZABLE` with the path to the first value that no tag stands for, or
 *   `LIMIT_EXCEEDED` when it is nested deeper than `MAX_NESTING`
 */
export function encodeRich(value: unknown, referenceOf?: ReferenceOf, isLenient = false): string {
  try {
    return new Encoder(referenceOf, isLenient).encode(value);
  } catch (cause) {
    if (cause instanceof RpcError) throw cause;
    throw new RpcError('UNSERIALIZABLE', `Cannot read a value: ${cause}`, { cause });
  }
}

class Encoder {
  /** All but the first. */
  readonly #items: string[] = [];
  readonly #indexes = new Map<unknown, number>();
  readonly #path: Step[] = [];
  readonly #referenceOf: ReferenceOf | undefined;
  readonly #isLenient: boolean;
  #nesting = 0;

  constructor(referenceOf: ReferenceOf | undefined, isLenient: boolean) {
    this.#referenceOf = referenceOf;
    this.#isLenient = isLenient;
  }

  encode(value: unknown): string {
    let text = this.#value(value);
    for (const item of this.#items) text += `,${item}`;
    return `[${text}]`;
  }

  #value(value: unknown): string {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return JSON.stringify(value);
      case 'number':
        if (Object.is(value, -0)) return '["-0"]';
        return Number.isFinite(value) ? String(value) : `["${value}"]`;
      case 'undefined':
        return '[]';
      default:
        return value === null ? 'null' : this.#object(value);
    }
  }

  /** A reference to the item that stands for an object, which is made when it is first met. */
  #object(object: unknown): string {
    let index = this.#indexes.get(object);
    if (index !== undefined) return `[${index}]`;
    const reference = this.#referenceOf?.(object);
    const name = reference ? '' : tagOf(object);
    if (name === undefined) return this.#refuse(object);
    index = this.#items.push('');
    this.#indexes.set(object, index);
    checkNesting(++this.#nesting);
    this.#items[index - 1] = reference ? JSON.stringify(reference) : this.#item(name, object);
    this.#nesting--;
    return `[${index}]`;
  }

  #item(name: string, value: unknown): string {
    if (name === 'Array') return `[[${this.#list(value as unknown[], itself)}]]`;
    if (name === 'Object') return this.#properties(value as Record<string, unknown>);
    const { take, step } = TAGS.get(name) as Tag;
    const parts = take(value as never);
    // Text that JSON need not escape, and too long to look for what to escape.
    if (name === 'ArrayBuffer') return `["${name}","${parts[0]}"]`;
    return `["${name}"${parts.length > 0 ? ',' : ''}${this.#list(parts, step)}]`;
  }

  /** @param step - from the list's owner to the part at an index; none, for what has no path */
  #list(
    values: readonly unknown[],
    step?: (index: number, parts: readonly unknown[]) => Step,
  ): string {
    let text = '';
    for (let index = 0; index < values.length; index++) {
      if (index > 0) text += ',';
      const value = values[index];
      text += step ? this.#at(step(index, values), value) : this.#value(value);
    }
    return text;
  }

  #properties(object: Record<string, unknown>): string {
    let text = '';
    for (const key of Object.keys(object)) {
      text += `${text && ','}${JSON.stringify(key)}:${this.#at(key, object[key])}`;
    }
    return `{${text}}`;
  }

  #at(step: Step, value: unknown): string {
    if (typeof value === 'string' || typeof value === 'number') return this.#value(value);
    this.#path.push(step);
    const text = this.#value(value);
    this.#path.pop();
    return text;
  }

  #refuse(value: unknown): string {
    if (this.#isLenient) return '[]';
    const path = this.#path.map(stepText).join('');
    let message = `Cannot send ${describe(value)} at ${path || 'top'}`;
    if ((value as { body?: unknown }).body) message += ': send its body';
    throw new RpcError('UNSERIALIZABLE', message, { path });
  }
}

function itself(index: number): number {
  return index;
}

function stepText(step: Step): string {
  if (typeof step === 'string') return propertyPath(step);
  if (typeof step === 'number') return `[${step}]`;
  const [key] = step;
  return `.get(${typeof key === 'string' ? JSON.stringify(key) : '...'})`;
}

/** What kind of value it is, and nothing of what is in it. */
export function describe(value: unknown): string {
  if (isThenable(value)) return 'a promise';
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  const { constructor = Object } = Object.getPrototypeOf(value) ?? {};
  const name = constructor.name || Object.prototype.toString.call(value).slice(8, -1);
  return constructor === Object ? 'an odd object' : `an instance of ${name}`;
}
