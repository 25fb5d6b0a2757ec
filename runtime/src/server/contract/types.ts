/**
 * The compiled contract, and the record of what a feature adds to the core. The core does calls; everything else comes
 * with what a contract names, and `compileContract` collects the records into tables. See docs/architecture.md.
 */
import type { RpcError } from '../../wire/errors.ts';
import type { CallMessage } from '../../wire/messages.ts';
import type { Resolve } from '../../wire/values/rich-decoder.ts';
import type { CodecFeedback, ReferenceOf } from '../../wire/values/rich-encoder.ts';
import type { FrameCodec } from '../../wire/frame-codec.ts';
import type { Frame } from '../../wire/messages.ts';
import type { Connection } from './connection.ts';
import type { MethodKind } from '../../wire/brands.ts';
import type { CapabilityClass } from '../base/capability-classes.ts';
import type { Schema } from '../base/standard-schema.ts';
import type { Validator } from '../schemas/validator.ts';
import type { Limits } from '../base/limits.ts';

/** Where a reference occurs. */
interface ReferenceContext extends Target {
  readonly caller: unknown;
  /** The call that the reference is an argument of; `undefined` where it cannot last, such as in a POST. */
  readonly resources: CallResources | undefined;
}

/** How a feature makes targets of calls besides the object. */
interface CallTargets {
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
export interface FeatureMethod {
  /**
   * Arguments are read and validated while the method runs. So a call that is sent again must not run again, even if
   * the entry of the method says that it changes nothing.
   */
  readonly validatesWhileRunning?: boolean;
  /** What the method returns, if it can only be subscribed to: `a feed`. */
  readonly subscribableResult?: string;
  /** Replaces validated arguments by what the method receives. */
  bind?(args: unknown[], on: object, resources: CallResources | undefined): unknown[];
}

/** A call, or a part of one, that `around` surrounds. */
export interface CallContext {
  /**
   * - `call`: a client's call, from its validation to its encoded answer, also if it is rejected, or answered from the
   *   journal
   * - `subscription`: the start of a client's subscription, until it has begun or was rejected
   * - `native`: a listed method that is called through native Workers RPC, from its validation to its result, and
   *   `alarm`: the alarm of the class; both for a contract with a feature that calls `surroundNativeCalls`
   * - `run`: code of the class inside of a `call` or a `subscription`: a method, a feed's snapshot, the constructor of
   *   a capability
   */
  readonly kind: 'call' | 'subscription' | 'native' | 'alarm' | 'run';
  /** The method of the object or of a capability, or the name of the capability's class; empty for an unlisted one. */
  readonly method: string;
  readonly caller: unknown;
  readonly instance: object;
  /** The id of the call, or the number of the subscription; only of these. */
  readonly id?: number;
  /** The client's connection or POST; only of a `call` and a `subscription`. */
  readonly connection?: Connection;
  /** When the frame arrived, in the time of `performance.now()`; only of a `call` and a `subscription`. */
  readonly arrivedAt?: number;
  /** The bytes of the frame, divided by the number of calls in it; only of a `call`. */
  readonly bytesIn?: number;
  /**
   * True if the journal has the answer: `run` then returns it even if it is a failure, and no code of the class
   * runs.
   */
  readonly isReplayed?: boolean;
}

/**
 * Surrounds a call or a part of one. It must call `run` once, before its first `await`.
 *
 * @param run - returns the encoded answer for `call`, nothing for `subscription`, and otherwise the result of the code;
 *   or a promise. Throws or rejects with what is sent to the client.
 * @returns what `run` has returned, or a promise of it. Only for `run` can it be replaced.
 */
export type Around = (call: CallContext, run: () => unknown) => unknown;

/** Receives each frame of a connection: `up` is from the client to the object. */
export type OnFrame = (
  direction: 'up' | 'down',
  frame: Frame,
  connection: Connection,
  instance: object,
) => void;

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
    Record<string, (parts: readonly unknown[], context: ReferenceContext) => unknown>
  >;
  /** Selects the parts of results that are sent as references. */
  readonly referenceOf?: ReferenceOf;
  /** Reads and writes binary frames. */
  readonly frames?: FrameCodec;
  /** Calls of methods of something else than the object. */
  readonly targets?: CallTargets;
  /** Makes the validator of an argument whose schema has the record of this feature, and is not TypeBox's. */
  readonly argument?: (schema: object, method: string, index: number) => Validator | undefined;
  /**
   * Compiles what the feature needs of a method; called for each method of a contract that names the feature.
   *
   * @param validators - of the arguments, among them those that `argument` has made
   * @throws TypeError for an entry that the feature cannot serve
   */
  readonly compile?: (
    method: string,
    entry: MethodDefinition,
    validators: readonly Validator[],
  ) => FeatureMethod | undefined;
  /** After `lumenizeRpcDO` has defined a class: can override methods of its prototype. */
  readonly onDefine?: (prototype: object, contract: CompiledContract) => void;
  /** Surrounds every call, every start of a subscription, and the code of the class in them. */
  readonly around?: Around;
  /**
   * Answers requests other than `…/call`, which come through a router with the option `otherPaths`. Of several
   * features, the first one answers.
   *
   * @returns `undefined` for a request that is left to the class
   */
  readonly request?: (request: Request, target: Target) => Response | Promise<Response> | undefined;
  /** What the feature holds for an object, for reports: plain data without secrets. It must not change the object. */
  readonly inspect?: (instance: object) => Readonly<Record<string, unknown>>;
  /** Called with every frame. Its errors are printed to the console. A binary frame must not be kept. */
  readonly onFrame?: OnFrame;
  /** Before a call waits for the calls whose results it takes. */
  readonly beforeWait?: (call: CallMessage, resources: CallResources) => void;
  /** After a call that may have changed the object, and after a connection has opened or ended. */
  readonly afterChange?: (instance: object) => void;
  /** Before the messages of a connection that hibernated: restores what was kept for it. */
  readonly onWake?: (instance: object, connection: Connection) => void;
  /** After a connection has ended. */
  readonly onDisconnect?: (instance: object, connection: Connection, isFinal: boolean) => void;
  /**
   * After a capability was revoked.
   *
   * @param capabilityToken - see `capabilityTokenOf`
   * @param error - what its holder is told
   */
  readonly onRevoke?: (instance: object, capabilityToken: string, error: RpcError) => void;
}

/** The type of an argument: a schema, a class of capabilities, or a schema of a feature, such as a stream's. */
export type ArgumentSchema = Schema | CapabilityClass | (Featured & object);

export type { CapabilityClass };

/** Something in a contract that brings a feature: an entry, a schema, or a class. */
export interface Featured {
  readonly '~feature'?: Feature;
}

/** An object and its contract. */
export interface Target {
  instance: object;
  contract: CompiledContract;
}

/** The results of the calls that a message refers to. */
export interface EarlierResults {
  /** Returns whether the result of a call that the message refers to is no longer known. */
  isMissing(message: CallMessage): boolean;
  /** Resolves when the calls that the message refers to have ended; `undefined` if all have. */
  pending(message: CallMessage): Promise<unknown> | undefined;
  /** @param resolve - resolves references of other kinds */
  resolver(message: CallMessage, resolve: Resolve): Resolve;
}

/** Where a message that is not a call has arrived. */
export interface MessageContext extends Target {
  connection: Connection;
  /** The results that messages of the frame take; `undefined` if they take none. */
  results: EarlierResults | undefined;
}

/** What one feature keeps for a call. */
export interface CallResource {
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
export interface CallResources {
  readonly target: Target;
  readonly connection: Connection;
  /** The id of the call. */
  readonly id: number;
  /** What a feature keeps for the call; `undefined` if it has kept nothing yet. */
  find(feature: string): CallResource | undefined;
  add<Resource extends CallResource>(feature: string, resource: Resource): Resource;
}

/** The long form of an entry. */
export interface MethodDefinition {
  readonly kind: MethodKind;
  /** What the kind brings. */
  readonly feature: Feature | undefined;
  readonly input: readonly ArgumentSchema[];
  readonly readonly: boolean;
  readonly volatile: boolean;
  readonly plain: boolean;
  readonly key: string | undefined;
  readonly returns: readonly CapabilityClass[];
  readonly output: Schema | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
}

/** A class of capabilities, ready for use. */
export interface CompiledCapability {
  /** The name of the class in messages and in the storage. */
  readonly name: string;
  readonly Class: new (object: object, ...address: unknown[]) => object;
  /** A schema for each argument of the constructor after the object. */
  readonly address: readonly ArgumentSchema[];
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
  /** The method may change what is in memory, and stores nothing: no answer is stored, and it never runs twice. */
  readonly volatile: boolean;
  readonly kind: MethodKind;
  /** Of rows: the property that contains the place of a row. Of a live value: the property that names a row. */
  readonly key: string | undefined;
  /** True if its results are sent as JSON: where the Worker runs locally, after a check. */
  readonly plain: false | 'checked' | 'unchecked';
  /** What its last result needed. */
  readonly feedback: CodecFeedback;
  /**
   * @param first - the index of the first argument that is not validated yet. Default 0.
   * @returns what the method receives: the arguments, or what their schemas returned for them
   * @throws RpcError `INVALID_ARGUMENTS` with the path to the first invalid value
   */
  validate(args: unknown[], first?: number): unknown[];
  /** The schemas of the arguments. */
  readonly input: readonly ArgumentSchema[];
  /** The classes of the capabilities in what the method sends. */
  readonly returns: readonly CapabilityClass[];
  /** The schema of a result, a live value, an event, an item or a row; `undefined` if the entry has none. */
  readonly output: Schema | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /**
   * Checks a result, a live value, an event, an item or a row; `undefined` where the Worker is deployed, and for an
   * entry without `output`.
   *
   * @param index - of an item or a row, from 0
   * @throws RpcError `UNSERIALIZABLE` with the path to the first part that does not match `output`
   */
  readonly checkOutput: ((sent: unknown, index?: number) => void) | undefined;
  /** What features know of it, by their names; `undefined` if its entry brings none. */
  readonly features: ReadonlyMap<string, FeatureMethod> | undefined;
  /** True if arguments are read and validated while it runs. */
  readonly validatesWhileRunning: boolean;
  /** What it returns, if it can only be subscribed to. */
  readonly subscribableResult: string | undefined;
  /** Replaces validated arguments by what the method receives; `undefined` if they stay as they are. */
  readonly bind:
    | ((args: unknown[], on: object, resources: CallResources | undefined) => unknown[])
    | undefined;
}

/** A contract in the form that the handlers take, from `compileContract`. */
export interface CompiledContract {
  /** The copy of the package that has compiled it. */
  readonly '~copy': object;
  readonly methods: ReadonlyMap<string, CompiledMethod>;
  /** The methods that no client can call. */
  readonly internal: ReadonlyMap<string, CompiledMethod>;
  readonly limits: Limits;
  readonly hibernate: boolean;
  readonly journal: boolean;
  readonly journalAge: number;
  readonly exposeErrorDetails: boolean;
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
  readonly targets: CallTargets | undefined;
  /** What surrounds calls: the features in their order, then `onError`; `undefined` without any. */
  readonly around: Around | undefined;
  readonly onFrame: OnFrame | undefined;
  readonly request: Feature['request'];
  /** Called after calls that may have changed the object; `undefined` if no feature needs it. */
  readonly afterChange: ((instance: object) => void) | undefined;
  /** By class name, every capability that can be called or be an argument. */
  readonly capabilities: ReadonlyMap<string, CompiledCapability>;
}
