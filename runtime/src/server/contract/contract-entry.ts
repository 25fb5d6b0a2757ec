/**
 * What the entry of a method in a contract may contain, and the capability classes that it may list.
 */
import type { CompiledCapability, FullEntry, ArgumentSchema, CapabilityClass } from './compiled.ts';
import { featureOf } from './feature.ts';
import type { Kind } from '../../wire/contract-brand.ts';
import { ENTRY } from './marks.ts';
import type { MethodEntry } from './method-entries.ts';

/**
 * A method's entry: a schema for each argument, an object with these schemas and other properties, or what `read`,
 * `live`, `events`, `stream` and `rows` return.
 */
type ListedMethod = readonly ArgumentSchema[] | LongEntry | MethodEntry;

/** A call, with all that can be said of it. */
interface LongEntry {
  /** A schema for each argument. */
  readonly input: readonly ArgumentSchema[];
  /** The method changes nothing, so it is not journaled, and can run again after a lost connection. Default false. */
  readonly readonly?: boolean;
  /** The classes of the capabilities that the result contains. */
  readonly returns?: CapabilityClass | readonly CapabilityClass[];
  /**
   * Sends results without a check, because each is plain: JSON represents it exactly, and no object occurs in it
   * twice. Where the Worker runs locally, the check remains, and rejects with `UNSERIALIZABLE`. Elsewhere a result
   * that is not plain arrives as `JSON.parse(JSON.stringify(result))`. Default false.
   */
  readonly plain?: boolean;
}

export type Contract = Record<string, ListedMethod>;

/** By class, what `capability` has compiled. */
const compiledCapabilities = new WeakMap<CapabilityClass, CompiledCapability>();

export function rememberCapability(Class: CapabilityClass, compiled: CompiledCapability): void {
  compiledCapabilities.set(Class, compiled);
}

/** @param Class - a class made by `capability`: see `isCapability` */
export function compiledCapability(Class: CapabilityClass): CompiledCapability {
  return compiledCapabilities.get(Class) as CompiledCapability;
}

/** The mark of the classes that `capability` has made, in any copy of the package. */
export const CAPABILITY_CLASS = Symbol.for('lumenize-rpc.capability');

export function isCapability(schema: unknown): schema is CapabilityClass {
  return compiledCapabilities.has(schema as CapabilityClass);
}

/** Names that the runtime calls. No method can have one. */
export const RUNTIME_NAMES =
  'fetch alarm webSocketMessage webSocketClose webSocketError connect dup ctx env';

/** Names that have another meaning on a client or a promise. No method can have one. */
export const CLIENT_NAMES = 'then catch finally close reconnect toJSON';

/** The reserved names that the compiler rejects: not those of every object, such as `toString`. */
export type ReservedName = WordsOf<typeof RUNTIME_NAMES | typeof CLIENT_NAMES>;

type WordsOf<Text> = Text extends `${infer Word} ${infer Rest}` ? Word | WordsOf<Rest> : Text;

/**
 * Returns the long form of an entry.
 *
 * @throws TypeError for an entry without a list of schemas
 */
export function longEntry(method: string, entry: unknown): FullEntry {
  const fields = Object(entry) as Fields;
  const { [ENTRY]: kind = 'call', input = entry, readonly, key, returns, plain } = fields;
  if (!Array.isArray(input)) throw new TypeError(`The contract's entry for ${method} has no list`);
  const classes = returns === undefined ? [] : [returns].flat();
  return {
    kind: kind as Kind,
    feature: featureOf(fields),
    input: input as ArgumentSchema[],
    readonly: readonly === true,
    key: key as string | undefined,
    returns: classes as CapabilityClass[],
    // JSON would show a capability's fields.
    plain: plain === true && classes.length === 0,
  };
}

type Fields = Record<string, unknown>;
