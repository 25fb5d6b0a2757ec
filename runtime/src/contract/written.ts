/**
 * The file of a project's contracts: what its classes promised to their callers when it was written. An imported JSON
 * file has these types.
 */
/** A JSON Schema as it is in the file: without titles and descriptions, which are no promise. */
export type WrittenSchema = boolean | { readonly [keyword: string]: unknown };

/** The keyword that counts checks and transforms that are code, and other parts that JSON Schema does not show. */
export const REFINED = 'refined';

/** The keyword of a schema whose library makes no JSON Schema. Its value is the name of the library. */
export const UNREADABLE = 'unreadable';

/** One argument of a method, or of the constructor of a capability. */
export interface WrittenArgument {
  /** True if callers may leave the argument out. */
  readonly optional?: boolean | undefined;
  /** The schema of the values, or of the items if the argument is a stream. */
  readonly schema?: WrittenSchema | undefined;
  /** True if the argument is a stream. */
  readonly stream?: boolean | undefined;
  /** The class of the capability, if the argument is a capability. */
  readonly capability?: string | undefined;
}

/** One method. */
export interface WrittenMethod {
  /** `call`, `live`, `events`, `stream`, `rows` or `presence`; `read` or `volatile` for a call with such an entry. */
  readonly kind: string;
  /** The arguments that clients send, without the place of rows, which the runtime sets. */
  readonly input: readonly WrittenArgument[];
  /** The schema of a result, a live value, an event, an item or a row. It is left out if the entry has no `output`. */
  readonly output?: WrittenSchema | undefined;
  /** The classes of the capabilities that the method sends. */
  readonly returns?: readonly string[] | undefined;
  /** The property that contains the place of a row, for `rows`, or that identifies a row, for `live`. */
  readonly key?: string | undefined;
}

/** Methods by their names. */
export type WrittenMethods = Readonly<Record<string, WrittenMethod>>;

/** One class of capabilities. */
export interface WrittenCapability {
  /** The arguments of the constructor after the object, which identify a capability that somebody keeps. */
  readonly address: readonly WrittenArgument[];
  readonly methods: WrittenMethods;
}

/** The contract of one class. */
export interface ClassContract {
  /** The bindings by which clients name the class. */
  readonly bindings?: readonly string[] | undefined;
  readonly methods: WrittenMethods;
  /** All classes of capabilities that the methods take or return, and the classes that these capabilities lead to. */
  readonly capabilities?: Readonly<Record<string, WrittenCapability>> | undefined;
}

/** The contracts of a project's classes by their names. */
export type ClassContracts = Readonly<Record<string, ClassContract>>;

/** The content of the file. */
export interface ContractFile {
  readonly classes: ClassContracts;
  /** The changes that may break something, as the program names them, until the file is written again. */
  readonly allowed?: readonly string[] | undefined;
}
