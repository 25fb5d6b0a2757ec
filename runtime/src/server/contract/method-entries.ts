/** The entries of a contract that say what a method is: `read`, and what the helpers of features return. */
import type { ArgumentSchema, CapabilityClass, Feature, Featured } from './compiled.ts';
import type { Kind } from '../../wire/contract-brand.ts';

export type Schemas = readonly ArgumentSchema[];

/** A class of capabilities, or several. */
export type Returns = CapabilityClass | readonly CapabilityClass[] | undefined;

/** What a helper returns. A plain record, so that two copies of the package understand each other. */
export interface MethodEntry<
  Of extends Exclude<Kind, 'call'> = Exclude<Kind, 'call'>,
  Input extends Schemas = Schemas,
  Class extends Returns = Returns,
> extends Featured {
  readonly '~entry': Of;
  readonly input: Input;
  readonly readonly: boolean;
  readonly returns: Class;
  /** Of rows: the property that contains the place of a row. */
  readonly key?: string;
}

/** What `read` returns: the long form of an entry. */
export interface ReadEntry<Input extends Schemas = Schemas> {
  readonly input: Input;
  readonly readonly: true;
}

/** The options of an entry. */
export interface EntryOptions<Class extends Returns = Returns> {
  /** The classes of the capabilities in what the method sends. */
  readonly returns?: Class;
}

/**
 * The entry of a method that changes nothing. It is not journaled, and can run again after a lost connection.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @returns the same as `{ input, readonly: true }`
 * @example
 * history: read([Type.Integer({ minimum: 1, maximum: 100 })]),
 */
export function read(): ReadEntry<readonly []>;
export function read<const Input extends Schemas>(schemas: Input): ReadEntry<Input>;
export function read(schemas: Schemas = []): ReadEntry {
  return { input: schemas, readonly: true };
}

/**
 * The entry that a helper returns.
 *
 * @param feature - what the kind brings
 */
export function entry<
  Of extends Exclude<Kind, 'call'>,
  Input extends Schemas,
  Class extends Returns,
>(
  kind: Of,
  feature: Feature,
  isReadonly: boolean,
  input: Input,
  { returns }: EntryOptions<Class> = {},
): MethodEntry<Of, Input, Class> {
  return {
    '~entry': kind,
    '~feature': feature,
    input,
    readonly: isReadonly,
    returns: returns as Class,
  };
}
