/**
 * What the entry of a method in a contract may contain, and the capability classes that it may list.
 */
import type { CompiledCapability, FullEntry, ArgumentSchema, CapabilityClass } from './compiled.ts';
import { featureOf } from './feature.ts';
import type { Kind } from '../../wire/contract-brand.ts';
import { ENTRY } from './marks.ts';
import type { MethodEntry } from './method-entries.ts';
import { explanations } from '../explanations.ts';

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

/** The problem with a class of another copy, whose instances this copy does not know. */
export const FOREIGN =
  'that is a capability of another copy of lumenize-rpc: install one copy for both (npm ls lumenize-rpc)';

/** Whether another copy of the package has made a class of capabilities. */
export function isForeignCapability(schema: unknown): boolean {
  return typeof schema === 'function' && CAPABILITY_CLASS in schema && !isCapability(schema);
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

const KEYS = ['input', 'readonly', 'returns', 'plain'];

const EXPECTED =
  'write [Type.Integer()], a schema for each parameter, or a helper such as read([…]) or live([…])';

/**
 * Returns the long form of an entry.
 *
 * @throws TypeError for a wrong value, or a key that would be ignored
 */
export function longEntry(method: string, entry: unknown): FullEntry {
  const fail = (problem: string): never => {
    throw new TypeError(`The contract's entry for ${method} ${problem}`);
  };
  const fields = (Array.isArray(entry) ? { input: entry } : Object(entry)) as Fields;
  if (ENTRY in fields) return helped(fields, fail);
  const { input, readonly, returns, plain, ...others } = fields;
  const [other] = Object.keys(others);
  const meant = other && explanations?.nearest(other, KEYS);
  if (meant) fail(`has an unknown key ${other}: did you mean ${meant}?`);
  checkInput(input, fail);
  if (other)
    fail(
      `has an unknown key ${other}: the keys are ${KEYS.slice(0, -1).join(', ')} and ${KEYS.at(-1)}`,
    );
  for (const [key, value] of Object.entries({ readonly, plain })) checkFlag(key, value, fail);
  const classes = classesOf(returns, fail);
  if (plain && classes.length > 0) fail('has both plain and returns: remove one');
  return {
    kind: 'call',
    feature: undefined,
    input,
    readonly: readonly === true,
    key: undefined,
    returns: classes,
    plain: plain === true,
  };
}

type Fields = Record<string, unknown>;

type Fail = (problem: string) => never;

/** The long form of what a helper has returned. */
function helped(fields: Fields, fail: Fail): FullEntry {
  const { [ENTRY]: kind, input, readonly, key, returns } = fields;
  const feature = featureOf(fields);
  if (!feature) {
    fail(`is of a kind ${String(kind)}: it is from another version of lumenize-rpc. Install one`);
  }
  checkInput(input, fail);
  checkFlag('readonly', readonly, fail);
  return {
    kind: kind as Kind,
    feature,
    input,
    readonly: readonly === true,
    key: key as string | undefined,
    returns: classesOf(returns, fail),
    plain: false,
  };
}

function checkInput(input: unknown, fail: Fail): asserts input is ArgumentSchema[] {
  if (!Array.isArray(input)) fail(`has no list of schemas: ${EXPECTED}`);
}

function checkFlag(key: string, value: unknown, fail: Fail): void {
  if ([true, false, undefined].includes(value as boolean)) return;
  fail(`has a ${key} of ${String(value)}: write true or false`);
}

function classesOf(returns: unknown, fail: Fail): CapabilityClass[] {
  const classes = returns === undefined ? [] : [returns].flat();
  if (classes.some(isForeignCapability)) fail(`has a returns ${FOREIGN}`);
  if (!classes.every(isCapability)) fail('has a returns that is not a class made by capability()');
  return classes as CapabilityClass[];
}
