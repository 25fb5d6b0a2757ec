/**
 * What a contract may say of a method, and the classes of capabilities that it may name. Imports TypeBox,
 * callback-places, checked-items, items and keywords.
 */
import type { TSchema } from 'typebox';
import type { CallbackPlaces } from './callback-places.ts';
import type { ItemsPlaces } from './checked-items.ts';
import type { StreamOf } from './items.ts';
import { nearest } from './keywords.ts';

/** What an argument must be: what a schema says, a capability of a class, or a stream. */
export type ArgumentSchema = TSchema | CapabilityClass | StreamOf;

/** What `capability` returns. */
export type CapabilityClass = new (...args: never[]) => object;

/** A method's entry: a schema for each argument, or those with what else is to be said of it. */
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
   * The property of a row that gives its place in the order. The method returns rows, is `readonly`, and runs
   * again for each page. Its last parameter is optional: the place after which to continue.
   */
  readonly cursor?: string;
  /** The classes of the capabilities that the result contains. */
  readonly returns?: CapabilityClass | readonly CapabilityClass[];
}

export type Contract = Record<string, MethodContract>;

/** A class of capabilities, ready for use. */
export interface CompiledCapability {
  /** As it stands on the wire and in the storage. */
  readonly name: string;
  readonly Class: new (object: object, ...address: unknown[]) => object;
  /** @throws RpcError `INVALID_ARGUMENTS` for what is no return address */
  checkAddress(address: readonly unknown[]): void;
  readonly methods: ReadonlyMap<string, CompiledMethod>;
  /** Those that its methods take and return, and in turn theirs. */
  readonly capabilities: ReadonlyMap<string, CompiledCapability>;
}

export interface CompiledMethod {
  readonly name: string;
  /** Changes nothing, so running it twice does no harm. Never of one that is given a stream. */
  readonly readonly: boolean;
  /** Has a value that can be subscribed to. */
  readonly live: boolean;
  /** The property of each row that says where to go on. */
  readonly cursor: string | undefined;
  /** How many arguments it takes at most. */
  readonly parameters: number;
  /** @throws RpcError `INVALID_ARGUMENTS` with the path to the first argument that does not fit */
  check(args: readonly unknown[]): void;
  /** Where its arguments may be functions; `undefined` for nowhere. */
  readonly callbacks: CallbackPlaces | undefined;
  /** Which of its arguments are streams; `undefined` for none. */
  readonly items: ItemsPlaces | undefined;
}

/** What `capability` has compiled. */
const compiledCapabilities = new WeakMap<CapabilityClass, CompiledCapability>();

export function rememberCapability(Class: CapabilityClass, compiled: CompiledCapability): void {
  compiledCapabilities.set(Class, compiled);
}

/** @param Class - for which `isCapability` holds */
export function compiledCapability(Class: CapabilityClass): CompiledCapability {
  return compiledCapabilities.get(Class) as CompiledCapability;
}

export function isCapability(schema: unknown): schema is CapabilityClass {
  return compiledCapabilities.has(schema as CapabilityClass);
}

const EXPECTED =
  'write [Type.Integer()], a schema for each parameter, or { input: [], readonly: true }';

export interface FullEntry extends Required<Omit<LongEntry, 'cursor'>> {
  readonly cursor: string | undefined;
  readonly returns: readonly CapabilityClass[];
}

/** An entry in its long form, with nothing in it that would be ignored. */
export function longEntry(method: string, entry: unknown): FullEntry {
  const { input, readonly, live, cursor, returns, ...others } = (
    Array.isArray(entry) ? { input: entry } : Object(entry)
  ) as Record<string, unknown>;
  const fail = (problem: string): never => {
    throw new TypeError(`The contract's entry for ${method} ${problem}`);
  };
  const [other] = Object.keys(others);
  const meant = other && nearest(other, ['input', 'readonly', 'live', 'cursor', 'returns']);
  if (meant) fail(`has an unknown key ${other}: did you mean ${meant}?`);
  if (!Array.isArray(input)) return fail(`has no list of schemas: ${EXPECTED}`);
  if (other)
    fail(`has an unknown key ${other}: the keys are input, readonly, live, cursor and returns`);
  for (const [key, value] of Object.entries({ readonly, live })) {
    if (![true, false, undefined].includes(value as boolean)) {
      fail(`has a ${key} of ${value}: write true or false`);
    }
  }
  if (live && !readonly) fail('is live and not readonly: write readonly: true beside it');
  if (cursor !== undefined) checkCursor(input, fail, { readonly, live, cursor });
  const classes = returns === undefined ? [] : [returns].flat();
  if (!classes.every(isCapability)) fail('has a returns that is not a class made by capability()');
  return {
    input,
    readonly: readonly === true,
    live: live === true,
    cursor: cursor as string | undefined,
    returns: classes as CapabilityClass[],
  };
}

/** What the compiler cannot be asked at run time: the rows themselves are looked at when they are there. */
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
  if (!last || isCapability(last) || !('~optional' in (last as object))) {
    fail('has a cursor, so its last parameter must be optional: wrap its schema in Type.Optional');
  }
}
