/**
 * What the entry of a method in a contract may contain, and the capability classes that it may list. Imports
 * TypeBox, callback-places, checked-items, items and nearest.
 */
import type { TSchema } from 'typebox';
import type { CallbackPlaces } from './callback-places.ts';
import type { ItemsPlaces } from './checked-items.ts';
import type { StreamOf } from './items.ts';
import { nearest } from './nearest.ts';

/** The type of an argument: a schema, a class of capabilities, or a stream. */
export type ArgumentSchema = TSchema | CapabilityClass | StreamOf;

/** A class made by `capability`. */
export type CapabilityClass = new (...args: never[]) => object;

/** A method's entry: a schema for each argument, or an object with these schemas and other properties. */
type MethodContract = readonly ArgumentSchema[] | LongEntry;

interface LongEntry {
  /** A schema for each argument. */
  readonly input: readonly ArgumentSchema[];
  /**
   * The method changes nothing. It is not journaled, and can run again after a lost connection. Default
   * false.
   */
  readonly readonly?: boolean;
  /**
   * The method is a live value: subscribers get its result, and each change of it. It must be `readonly` and
   * must not return a promise. It runs again after each turn that ran a method which is not `readonly`.
   * Default false.
   */
  readonly live?: boolean;
  /**
   * The property that contains the place of a row in the order. The method returns rows, is `readonly`, and runs
   * again for each page. Its last parameter is optional: the place after which to continue.
   */
  readonly cursor?: string;
  /** The classes of the capabilities that the result contains. */
  readonly returns?: CapabilityClass | readonly CapabilityClass[];
  /**
   * Every result is plain: JSON represents it exactly, and no object occurs in it twice. So the answers to calls
   * are sent without a check of the result. Where the Worker runs locally, the check remains, and rejects with
   * `UNSERIALIZABLE`. Elsewhere a result that is not plain arrives as `JSON.parse(JSON.stringify(result))`. Default
   * false.
   */
  readonly plain?: boolean;
}

export type Contract = Record<string, MethodContract>;

/** A class of capabilities, ready for use. */
export interface CompiledCapability {
  /** The name of the class in messages and in the storage. */
  readonly name: string;
  readonly Class: new (object: object, ...address: unknown[]) => object;
  /** @throws RpcError `INVALID_ARGUMENTS` for an address that does not match its schemas */
  checkAddress(address: readonly unknown[]): void;
  readonly methods: ReadonlyMap<string, CompiledMethod>;
  /** By name, the capabilities that its methods take and return, and the ones that these lead to. */
  readonly capabilities: ReadonlyMap<string, CompiledCapability>;
}

export interface CompiledMethod {
  readonly name: string;
  /** The method changes nothing, so it can run twice. Always false for a method with a stream argument. */
  readonly readonly: boolean;
  /** The method is a live value. */
  readonly live: boolean;
  /** The property that contains the place of a row. */
  readonly cursor: string | undefined;
  /** Whether its results are sent as JSON: where the Worker runs locally, after a check. */
  readonly plain: false | 'checked' | 'unchecked';
  /** The highest number of arguments. */
  readonly parameters: number;
  /** @throws RpcError `INVALID_ARGUMENTS` with the path to the first invalid value */
  check(args: readonly unknown[]): void;
  /** The places where its arguments may be functions; `undefined` if there are none. */
  readonly callbacks: CallbackPlaces | undefined;
  /** Its stream arguments; `undefined` if there are none. */
  readonly items: ItemsPlaces | undefined;
}

/** By class, what `capability` has compiled. */
const compiledCapabilities = new WeakMap<CapabilityClass, CompiledCapability>();

export function rememberCapability(Class: CapabilityClass, compiled: CompiledCapability): void {
  compiledCapabilities.set(Class, compiled);
}

/** @param Class - a class made by `capability`: see `isCapability` */
export function compiledCapability(Class: CapabilityClass): CompiledCapability {
  return compiledCapabilities.get(Class) as CompiledCapability;
}

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

const KEYS = ['input', 'readonly', 'live', 'cursor', 'returns', 'plain'];

const EXPECTED =
  'write [Type.Integer()], a schema for each parameter, or { input: [], readonly: true }';

export interface FullEntry extends Required<Omit<LongEntry, 'cursor'>> {
  readonly cursor: string | undefined;
  readonly returns: readonly CapabilityClass[];
}

/**
 * Returns the long form of an entry.
 *
 * @throws TypeError for a wrong value, or a key that would be ignored
 */
export function longEntry(method: string, entry: unknown): FullEntry {
  const { input, readonly, live, cursor, returns, plain, ...others } = (
    Array.isArray(entry) ? { input: entry } : Object(entry)
  ) as Record<string, unknown>;
  const fail = (problem: string): never => {
    throw new TypeError(`The contract's entry for ${method} ${problem}`);
  };
  const [other] = Object.keys(others);
  const meant = other && nearest(other, KEYS);
  if (meant) fail(`has an unknown key ${other}: did you mean ${meant}?`);
  if (!Array.isArray(input)) return fail(`has no list of schemas: ${EXPECTED}`);
  if (other)
    fail(
      `has an unknown key ${other}: the keys are ${KEYS.slice(0, -1).join(', ')} and ${KEYS.at(-1)}`,
    );
  for (const [key, value] of Object.entries({ readonly, live, plain })) {
    if (![true, false, undefined].includes(value as boolean)) {
      fail(`has a ${key} of ${value}: write true or false`);
    }
  }
  if (live && !readonly) fail('is live and not readonly: write readonly: true beside it');
  if (cursor !== undefined) checkCursor(input, fail, { readonly, live, cursor });
  const classes = returns === undefined ? [] : [returns].flat();
  if (!classes.every(isCapability)) fail('has a returns that is not a class made by capability()');
  if (plain && classes.length > 0) fail('has both plain and returns: remove one');
  if (plain && cursor !== undefined)
    fail('has both plain and cursor: remove plain, which is for calls');
  return {
    input,
    readonly: readonly === true,
    live: live === true,
    cursor: cursor as string | undefined,
    returns: classes as CapabilityClass[],
    plain: plain === true,
  };
}

/** Checks an entry with `cursor`. The rows are checked when the method returns them. */
function checkCursor(
  input: readonly unknown[],
  fail: (problem: string) => never,
  { readonly, live, cursor }: Record<string, unknown>,
): void {
  if (typeof cursor !== 'string')
    fail('has a cursor that is not a string: write the name of a property of the rows');
  if (live) fail('has both cursor and live: remove one');
  if (!readonly) fail('has a cursor and is not readonly: write readonly: true beside it');
  const last = input.at(-1);
  if (!last || !('~optional' in (last as object))) {
    fail('has a cursor, so its last parameter must be optional: wrap its schema in Type.Optional');
  }
}
