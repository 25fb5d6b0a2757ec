/**
 * The compiled contract, and the record of what a feature adds to the core. The core does calls; everything else comes
 * with what a contract names, and `compileContract` collects the records into tables. See docs/architecture.md.
 */
import type { TSchema } from 'typebox';
import type { CallMessage } from '../../wire/messages.ts';
import type { CodecFeedback, ReferenceOf } from '../../wire/values/rich-encoder.ts';
import type { FrameCodec } from '../base/frame-codec.ts';
import type { PipelinedResults } from '../calls/results/pipelined-results.ts';
import type { Connection as Peer } from '../contract/connection.ts';
import type { Kind } from '../../wire/contract-brand.ts';
import type { Limits } from '../base/limits.ts';
import type { ContractOptions } from './options.ts';

/** Where a reference occurs. */
interface ReferencePlace extends Target {
  readonly caller: unknown;
  /** The call that the reference is an argument of; `undefined` where it cannot last, such as in a POST. */
  readonly scope: Scope | undefined;
}

/** How a feature makes targets of calls besides the object. */
interface Callees {
  /**
   * @param parts - of the callee, after the name of the method
   * @throws RpcError `FORBIDDEN` for a target that does not exist
   */
  make(parts: readonly unknown[], target: Target, caller: unknown): object;
  /** The name of the class of a target. */
  classNameOf(on: object): string;
  /** The methods of a target; `undefined` for a value that is none. */
  methodsOf(on: unknown): ReadonlyMap<string, CompiledMethod> | undefined;
}

/** What a feature knows of one method, from its entry. */
export interface MethodPart {
  /**
   * Arguments are read and validated while the method runs. So a call that is sent again must not run again, even if
   * the entry of the method says that it changes nothing.
   */
  readonly readsLater?: boolean;
  /** What the method returns, if it can only be subscribed to: `a feed`. */
  readonly returned?: string;
  /** Replaces validated arguments by what the method receives. */
  bind?(args: unknown[], on: object, scope: Scope | undefined): unknown[];
}

/** The validator of an argument that is no schema of TypeBox, used like the validator of one. */
export interface ArgumentValidator {
  Check(value: unknown): boolean;
  /** The error for a value that does not fit. */
  error(method: string, value: unknown, path: string): Error;
}

/** Every part is optional. A feature that a contract does not name costs nothing. */
export interface Feature {
  readonly name: string;
  /** The form of the record. Another copy of the package may have another one: see `collect` in feature.ts. */
  readonly version: 1;
  /** What this feature is built on. */
  readonly needs?: readonly Feature[];
  /**
   * By kind, what handles a client's messages that are not calls.
   *
   * @throws RpcError for a malformed message; the rest of the frame is then ignored
   */
  readonly messages?: Readonly<
    Record<string, (message: unknown[], context: MessageContext) => void>
  >;
  /**
   * By tag, what reads a reference in arguments.
   *
   * @throws RpcError `BAD_MESSAGE` for a malformed reference
   */
  readonly references?: Readonly<
    Record<string, (parts: readonly unknown[], place: ReferencePlace) => unknown>
  >;
  /** Selects the parts of results that are sent as references. */
  readonly referenceOf?: ReferenceOf;
  /** Reads and writes binary frames. */
  readonly frames?: FrameCodec;
  /** Calls of methods of something else than the object. */
  readonly callee?: Callees;
  /** Makes the validator of an argument whose schema has the record of this feature, and is not TypeBox's. */
  readonly argument?: (
    schema: object,
    method: string,
    index: number,
  ) => ArgumentValidator | undefined;
  /**
   * Compiles what the feature needs of a method; called for each method of a contract that names the feature.
   *
   * @param validators - of the arguments, among them those that `argument` has made
   * @throws TypeError for an entry that the feature cannot serve
   */
  readonly compile?: (
    method: string,
    entry: FullEntry,
    validators: readonly unknown[],
  ) => MethodPart | undefined;
  /** Before a call waits for the calls whose results it takes. */
  readonly waits?: (call: CallMessage, scope: Scope) => void;
  /** After a call that may have changed the object, and after a connection has opened or ended. */
  readonly changed?: (instance: object) => void;
  /** Before the messages of a connection that hibernated: restores what was kept for it. */
  readonly wakes?: (instance: object, peer: Peer) => void;
  /** After a connection has ended. */
  readonly ended?: (instance: object, peer: Peer, isFinal: boolean) => void;
  /** After a capability was revoked: see `capabilityTokenOf`. */
  readonly revoked?: (instance: object, capabilityToken: string) => void;
}

/** The type of an argument: a schema, a class of capabilities, or a schema of a feature, such as a stream's. */
export type ArgumentSchema = TSchema | CapabilityClass | (Featured & object);

/** A class made by `capability`. */
export type CapabilityClass = new (...args: never[]) => object;

/** Something in a contract that brings a feature: an entry, a schema, or a class. */
export interface Featured {
  readonly '~feature'?: Feature;
}

/** An object and its contract. */
export interface Target {
  instance: object;
  contract: CompiledContract;
}

/** Where a message that is not a call has arrived. */
export interface MessageContext extends Target {
  peer: Peer;
  /** The results that messages of the frame take; `undefined` if they take none. */
  results: PipelinedResults | undefined;
}

/** What one feature keeps for a call. */
export interface ScopePart {
  /**
   * Looks for what no schema has a place for.
   *
   * @throws RpcError `INVALID_ARGUMENTS`
   */
  checkBound?(args: readonly unknown[], method: CompiledMethod): void;
  /**
   * Ends with the call, which has ended or will not run.
   *
   * @returns the messages to send after its answer
   */
  end?(): readonly string[];
}

/** A running call whose arguments can contain references. */
export interface Scope {
  readonly target: Target;
  readonly peer: Peer;
  /** The id of the call. */
  readonly id: number;
  /** What a feature keeps for the call; `undefined` if it has kept nothing yet. */
  find(feature: Feature): ScopePart | undefined;
  keep<Part extends ScopePart>(feature: Feature, part: Part): Part;
}

/** The long form of an entry. */
export interface FullEntry {
  readonly kind: Kind;
  /** What the kind brings. */
  readonly feature: Feature | undefined;
  readonly input: readonly ArgumentSchema[];
  readonly readonly: boolean;
  readonly plain: boolean;
  readonly key: string | undefined;
  readonly returns: readonly CapabilityClass[];
}

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
  /** What its methods bring, and it itself. */
  readonly features: ReadonlySet<Feature>;
}

export interface CompiledMethod {
  readonly name: string;
  /** The method changes nothing, so it can run twice. Always false for a method with a stream argument. */
  readonly readonly: boolean;
  readonly kind: Kind;
  /** Of rows: the property that contains the place of a row. */
  readonly key: string | undefined;
  /** Whether its results are sent as JSON: where the Worker runs locally, after a check. */
  readonly plain: false | 'checked' | 'unchecked';
  /** What its last result needed. */
  readonly feedback: CodecFeedback;
  /** The highest number of arguments. */
  readonly parameters: number;
  /** @throws RpcError `INVALID_ARGUMENTS` with the path to the first invalid value */
  check(args: readonly unknown[]): void;
  /** What features know of it; `undefined` if its entry brings none. */
  readonly parts: ReadonlyMap<Feature, MethodPart> | undefined;
  /** Whether arguments are read and validated while it runs. */
  readonly readsLater: boolean;
  /** What it returns, if it can only be subscribed to. */
  readonly returned: string | undefined;
  /** Replaces validated arguments by what the method receives; `undefined` if they stay as they are. */
  readonly bind: ((args: unknown[], on: object, scope: Scope | undefined) => unknown[]) | undefined;
}

/** A contract in the form that the handlers take, from `compileContract`. */
export interface CompiledContract {
  /** The copy of the package that has compiled it. */
  readonly '~copy': object;
  readonly methods: ReadonlyMap<string, CompiledMethod>;
  readonly limits: Limits;
  readonly hibernate: boolean;
  readonly journal: boolean;
  readonly journalAge: number;
  readonly exposeErrorDetails: boolean;
  readonly onError: ContractOptions['onError'];
  readonly onCall: ContractOptions['onCall'];
  readonly debug: ContractOptions['debug'];
  readonly callbackTimeout: number;
  readonly streamTimeout: number;
  /** What the contract brings. */
  readonly features: readonly Feature[];
  /** Of the features, by kind: what handles messages that are not calls. */
  readonly messages: ReadonlyMap<unknown, NonNullable<Feature['messages']>[string]>;
  /** Of the features, by tag: what reads references. */
  readonly references: ReadonlyMap<unknown, NonNullable<Feature['references']>[string]>;
  readonly referenceOf: ReferenceOf | undefined;
  readonly frames: FrameCodec;
  /** Targets of calls besides the object; `undefined` if there are none. */
  readonly callee: Callees | undefined;
  /** Called after calls that may have changed the object; `undefined` if no feature needs it. */
  readonly changed: ((instance: object) => void) | undefined;
  /** By class name, every capability that can be called or be an argument. */
  readonly capabilities: ReadonlyMap<string, CompiledCapability>;
}
