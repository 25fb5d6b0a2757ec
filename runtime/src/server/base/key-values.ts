/**
 * Storage of feeds and capabilities: the key-value storage of a Durable Object, or memory for an object that has no
 * storage.
 */
import { perObject } from './per-object.ts';

/** The part of `ctx.storage.kv` that features use. */
export interface KeyValues {
  get<Value>(key: string): Value | undefined;
  put(key: string, value: unknown): void;
  delete(key: string): boolean;
  /** Returns entries in the order of their keys. */
  list<Value>(options: KeyRange): Iterable<[key: string, value: Value]>;
}

export interface KeyRange {
  prefix: string;
  start?: string;
  end?: string;
  reverse?: boolean;
  limit?: number;
}

const memoryOf = /* @__PURE__ */ perObject((): KeyValues => new MemoryValues());

/** @param instance - a Durable Object, or an object of any other class */
export function kvOf(instance: object): KeyValues {
  const { ctx } = instance as { ctx?: { storage?: { kv?: KeyValues } } };
  if (ctx) return (ctx as { storage: { kv: KeyValues } }).storage.kv;
  return memoryOf(instance);
}

/** A key-value storage in memory. */
export class MemoryValues implements KeyValues {
  readonly #values = new Map<string, unknown>();

  get<Value>(key: string): Value | undefined {
    return this.#values.get(key) as Value | undefined;
  }

  put(key: string, value: unknown): void {
    this.#values.set(key, value);
  }

  delete(key: string): boolean {
    return this.#values.delete(key);
  }

  list<Value>({ prefix, start = '', end, reverse, limit }: KeyRange): [string, Value][] {
    const isMeant = (key: string): boolean =>
      key.startsWith(prefix) && key >= start && (end === undefined || key < end);
    const keys = [...this.#values.keys()].filter(isMeant).toSorted();
    const inOrder = reverse ? keys.toReversed() : keys;
    return inOrder.slice(0, limit).map((key) => [key, this.#values.get(key) as Value]);
  }
}
