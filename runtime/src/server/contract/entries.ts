/**
 * The entries of a contract: the properties that an entry may have, and the functions `read`, `volatile` and
 * `internal`, which return entries. The functions of features, such as `live`, make their entries with `methodEntry`.
 */
import type {
  ArgumentSchema,
  CompiledCapability,
  Feature,
  Featured,
  MethodDefinition,
} from './types.ts';
import { type CapabilityClass, rememberedCapability } from '../base/capability-classes.ts';
import { featureOf } from './feature.ts';
import type { Schema } from '../base/standard-schema.ts';
import type { MethodKind } from '../../wire/brands.ts';
import { METHOD_KIND } from '../base/brands.ts';

/**
 * A method's entry: a schema for each argument, an object with these schemas and other properties, or the result of
 * `read`, `volatile`, `internal` or a function of a feature, such as `live`.
 */
type ListedMethod = readonly ArgumentSchema[] | LongEntry | InternalEntry | MethodEntry;

/** The entry of a method that is called, as an object with all properties that an entry can have. */
interface LongEntry {
  /** A schema for each argument. */
  readonly input: readonly ArgumentSchema[];
  /**
   * True if the method changes nothing. Its answers are not stored, and it can run again after a lost connection.
   * Default false.
   */
  readonly readonly?: boolean | undefined;
  /**
   * True if the method stores nothing, although it may change data in memory. Its answers are not stored. A call that
   * was on its way when the connection was lost rejects with `DISCONNECTED`, and never runs twice. Default false.
   */
  readonly volatile?: boolean | undefined;
  /** The classes of the capabilities that the result contains. */
  readonly returns?: CapabilityClass | readonly CapabilityClass[] | undefined;
  /**
   * True if all results are plain: JSON represents them exactly, and no object occurs twice in a result. Results are
   * then sent without a check, which is faster. Where the Worker runs locally, the check remains, and a result that is
   * not plain rejects with `UNSERIALIZABLE`. In a deployed Worker, such a result arrives as
   * `JSON.parse(JSON.stringify(result))`. Default false.
   */
  readonly plain?: boolean | undefined;
  /**
   * The schema of the result, which documents it. Where the Worker runs locally, each result is checked, and a result
   * that does not match rejects with `UNSERIALIZABLE`. Default: none.
   */
  readonly output?: Schema | undefined;
  /** A name for people, for documentation that is made from the contract. Default: none. */
  readonly title?: string | undefined;
  /** A description of the method, for documentation that is made from the contract. Default: none. */
  readonly description?: string | undefined;
}

export type Contract = Record<string, ListedMethod>;

export type Schemas = readonly ArgumentSchema[];

/** A class of capabilities, or several. */
export type Returns = CapabilityClass | readonly CapabilityClass[] | undefined;

/** The schema of the values that a method sends; `undefined` for an entry without `output`. */
export type Output = Schema | undefined;

/**
 * The entry that a function of a feature returns, such as `live`. It is a plain record, so that two copies of the
 * package understand each other.
 */
export interface MethodEntry<
  Of extends Exclude<MethodKind, 'call'> = Exclude<MethodKind, 'call'>,
  Input extends Schemas = Schemas,
  Class extends Returns = Returns,
  Sent extends Output = Output,
> extends Featured {
  readonly '~entry': Of;
  readonly input: Input;
  readonly readonly: boolean;
  readonly returns: Class;
  readonly output: Sent;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The property of a row that contains its place (for `rows`) or identifies it (for `live`). */
  readonly key?: string | undefined;
}

/** The entry that `read` returns. */
export interface ReadEntry<
  Input extends Schemas = Schemas,
  Class extends Returns = Returns,
  Sent extends Output = Output,
> {
  readonly input: Input;
  readonly readonly: true;
  readonly returns: Class;
  readonly output: Sent;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** The options of an entry. */
export interface MethodOptions<Class extends Returns = Returns, Sent extends Output = Output> {
  /** The classes of the capabilities in the values that the method sends. */
  readonly returns?: Class | undefined;
  /**
   * The schema of the values that the method sends, for documentation: the result of `read`, a value of `live`, an
   * event, an item of a stream, or a row. Where the Worker runs locally, each value is checked, and a value that does
   * not match is not sent:
   *
   * - A result rejects the call with `UNSERIALIZABLE`.
   * - A value, an item or a row rejects the loop with `UNSERIALIZABLE`, and so does the snapshot of a feed.
   * - For an event, `append` throws `UNSERIALIZABLE` in the method that publishes the event. The check of a feed begins
   *   when the method of the entry first returns it, as in `this.news().append(event)`.
   *
   * Default: none.
   */
  readonly output?: Sent | undefined;
  /** A name for people, for documentation that is made from the contract. Default: none. */
  readonly title?: string | undefined;
  /** A description of the method, for documentation that is made from the contract. Default: none. */
  readonly description?: string | undefined;
}

/**
 * The entry of a method that changes nothing. Its answers are not stored, and it can run again after a lost connection.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the result; `output`, the schema of the result; `title`;
 *   `description`
 * @returns the entry `{ ...options, input, readonly: true }`
 * @example
 * history: read([Type.Integer({ minimum: 1, maximum: 100 })]),
 */
export function read<
  const Input extends Schemas = readonly [],
  const Class extends Returns = undefined,
  Sent extends Output = undefined,
>(
  schemas: Input = [] as Schemas as Input,
  options?: MethodOptions<Class, Sent>,
): ReadEntry<NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>> {
  return { ...callEntry(schemas, options), readonly: true };
}

/** The entry that `volatile` returns. */
export interface VolatileEntry<
  Input extends Schemas = Schemas,
  Class extends Returns = Returns,
  Sent extends Output = Output,
> {
  readonly input: Input;
  readonly volatile: true;
  readonly returns: Class;
  readonly output: Sent;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * The entry of a method that may change data in memory, and stores nothing. Use it for the position of a cursor, or to
 * show that somebody is typing. Its answers are not stored, so a call writes no row. If the connection is lost while a
 * call is on its way, the call rejects with `DISCONNECTED` and `maybeExecuted: true`, and never runs twice. With
 * `latest` of `lumenize-rpc/client`, only the newest call counts.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the result; `output`, the schema of the result; `title`;
 *   `description`
 * @returns the entry `{ ...options, input, volatile: true }`
 * @example
 * moveCursor: volatile([Type.Number(), Type.Number()]),
 */
export function volatile<
  const Input extends Schemas = readonly [],
  const Class extends Returns = undefined,
  Sent extends Output = undefined,
>(
  schemas: Input = [] as Schemas as Input,
  options?: MethodOptions<Class, Sent>,
): VolatileEntry<NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>> {
  return { ...callEntry(schemas, options), volatile: true };
}

/** Returns the properties that the entries of `read` and `volatile` share. */
function callEntry<Input extends Schemas, Class extends Returns, Sent extends Output>(
  input: Input,
  options?: MethodOptions<Class, Sent>,
) {
  const { returns, output } = options ?? {};
  return { ...options, input, returns: returns as Class, output: output as Sent };
}

/** The entry that `internal` returns. */
export interface InternalEntry<Input extends Schemas = Schemas> {
  readonly input: Input;
  readonly internal: true;
}

/**
 * The entry of a method that only other objects and Workers can call, through native Workers RPC. Clients cannot call
 * it. Its arguments are checked as in other methods, and live values are computed again after it.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @returns the entry `{ input, internal: true }`
 * @example
 * report: internal([Type.String(), Type.Integer()]),
 */
export function internal<const Input extends Schemas = readonly []>(
  schemas: Input = [] as Schemas as Input,
): InternalEntry<NoInfer<Input>> {
  return { input: schemas, internal: true };
}

/**
 * Makes the entry that a function of a feature returns, such as `live`.
 *
 * @param feature - the feature that serves methods of this kind
 */
export function methodEntry<
  Of extends Exclude<MethodKind, 'call'>,
  Input extends Schemas,
  Class extends Returns,
  Sent extends Output,
>(
  kind: Of,
  feature: Feature,
  isReadonly: boolean,
  input: Input,
  { returns, output, title, description }: MethodOptions<Class, Sent> = {},
): MethodEntry<Of, Input, Class, Sent> {
  return {
    '~entry': kind,
    '~feature': feature,
    input,
    readonly: isReadonly,
    returns: returns as Class,
    output: output as Sent,
    title,
    description,
  };
}

/** Returns the compiled form of a class of capabilities; `undefined` for any other value. */
export function compiledCapability(value: unknown): CompiledCapability | undefined {
  return rememberedCapability(value as CapabilityClass) as CompiledCapability | undefined;
}

/**
 * Returns the long form of an entry.
 *
 * @throws TypeError for an entry without a list of schemas
 */
export function methodDefinition(method: string, entry: unknown): MethodDefinition {
  const fields = Object(entry) as Fields;
  const { [METHOD_KIND]: kind = 'call', input = entry, readonly, key, returns, plain } = fields;
  const { output, title, description } = fields;
  if (!Array.isArray(input))
    throw new TypeError(`The contract's entry for ${method} has no list of schemas`);
  const classes = returns === undefined ? [] : [returns].flat();
  return {
    kind: kind as MethodKind,
    feature: featureOf(fields),
    input: input as ArgumentSchema[],
    readonly: readonly === true,
    volatile: fields['volatile'] === true,
    key: key as string | undefined,
    returns: classes as CapabilityClass[],
    output: output as Schema | undefined,
    title: title as string | undefined,
    description: description as string | undefined,
    // JSON would show a capability's fields.
    plain: plain === true && classes.length === 0,
  };
}

type Fields = Record<string, unknown>;
