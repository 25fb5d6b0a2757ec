/**
 * The compiled contract, and the record with which a feature extends the core. The core only makes calls. Everything
 * else is a feature, which a contract names. `compileContract` collects the records of features into tables. See
 * docs/architecture.md.
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

/** The target and the call of a reference. */
interface ReferenceContext extends Target {
  readonly caller: unknown;
  /** The call that has the reference as an argument; `undefined` where references cannot last, such as in a POST. */
  readonly resources: CallResources | undefined;
}

/** Makes targets of calls other than the object, such as capabilities. */
interface CallTargets {
  /**
   * @param parts - the parts of the callee after the name of the method
   * @throws RpcError `FORBIDDEN` for a target that does not exist
   */
  make(parts: readonly unknown[], target: Target, caller: unknown): object;
  /** Returns the name of the class of a target. */
  classNameOf(on: object): string;
  /** Returns the methods of a target; `undefined` for a value that is no target. */
  methodsOf(on: unknown): ReadonlyMap<string, CompiledMethod> | undefined;
}

/** The data that a feature compiles from the entry of one method. */
export interface FeatureMethod {
  /**
   * True if arguments are read and validated while the method runs. A call that is sent again must then not run again,
   * even if the entry says that the method changes nothing.
   */
  readonly validatesWhileRunning?: boolean;
  /** The words for the method's result if the method can only be subscribed to, such as `a feed`. */
  readonly subscribableResult?: string;
  /** Replaces validated arguments by the arguments that the method receives. */
  bind?(args: unknown[], on: object, resources: CallResources | undefined): unknown[];
}

/** A call, or a part of a call, that `around` surrounds. */
export interface CallContext {
  /**
   * - `call`: a client's call, from its validation to its encoded answer, also if it is rejected, or answered from the
   *   journal
   * - `subscription`: the start of a client's subscription, until it has begun or was rejected
   * - `native`: a listed method that is called through native Workers RPC, from its validation to its result, and
   *   `alarm`: the alarm of the class; both for a contract with a feature that has the hooks `nativeCalls`
   * - `callback`: a call of a function of a client, until the client has answered
   * - `run`: code of the class inside of a `call` or a `subscription`: a method, a feed's snapshot, the constructor of
   *   a capability
   */
  readonly kind: 'call' | 'subscription' | 'native' | 'alarm' | 'callback' | 'run';
  /**
   * The method of the object or of a capability, or the name of the capability's class; empty for an unlisted method.
   * For a `callback`, it is the method to which the function was passed, and the path of the argument: `load[1]`.
   */
  readonly method: string;
  readonly caller: unknown;
  readonly instance: object;
  /** The id of a `call`, or the number of a `subscription`; absent for other kinds. */
  readonly id?: number;
  /** The client's connection or POST; only present for a `call` and a `subscription`. */
  readonly connection?: Connection;
  /** The time of `performance.now()` when the frame arrived; only present for a `call` and a `subscription`. */
  readonly arrivedAt?: number | undefined;
  /** The bytes of the frame, divided by the number of calls in it; only present for a `call`. */
  readonly bytesIn?: number | undefined;
  /**
   * The data that a message of a feature has for the call or the subscription: see `CallMetadata`; only present for a
   * `call` and a `subscription`.
   */
  readonly metadata?: object | undefined;
  /**
   * Sets the message that is sent before the call, for a `callback`. The function returns the text of a message, or
   * nothing.
   *
   * @param message - called with the number of the call, and the connection that carries it
   */
  readonly announce?: (
    message: (callId: number, connection: Connection) => string | undefined,
  ) => void;
  /**
   * True if the journal has the answer: `run` then returns it even if it is a failure, and no code of the class
   * runs.
   */
  readonly isReplayed?: boolean | undefined;
}

/**
 * Surrounds a call or a part of a call. It must call `run` once, before its first `await`.
 *
 * @param run - returns the encoded answer for `call`, nothing for `subscription`, and otherwise the result of the code;
 *   or a promise of it. It throws or rejects with the error that is sent to the client.
 * @returns the result of the parameter `run`, or a promise of it. Only for the kind `run` can the result be replaced.
 */
export type Around = (call: CallContext, run: () => unknown) => unknown;

/** Receives each frame of a connection. `up` is the direction from the client to the object. */
export type OnFrame = (
  direction: 'up' | 'down',
  frame: Frame,
  connection: Connection,
  instance: object,
) => void;

/** The record of a feature. Most parts are optional. A feature that a contract does not name costs nothing. */
export interface Feature {
  readonly name: string;
  /** The version of this record's form, which can differ in another copy of the package: see `collectFeature`. */
  readonly version: 1;
  /** The features that this feature is built on. */
  readonly needs?: readonly Feature[];
  /**
   * Handlers of a client's messages that are not calls, by the kind of the message.
   *
   * @throws RpcError for a malformed message; the rest of the frame is then ignored
   */
  readonly messages?: Readonly<
    Record<string, (message: unknown[], context: MessageContext) => void>
  >;
  /**
   * Functions that read references in arguments, by the tag of the reference.
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
  /** Makes targets of calls other than the object. */
  readonly targets?: CallTargets;
  /** Makes the validator of an argument whose schema this feature has made, and not TypeBox. */
  readonly argument?: (schema: object, method: string, index: number) => Validator | undefined;
  /**
   * Compiles the data that the feature needs of a method. It is called for each method of a contract that names the
   * feature.
   *
   * @param validators - the validators of the arguments, including the validators that `argument` has made
   * @throws TypeError for an entry that the feature cannot serve
   */
  readonly compile?: (
    method: string,
    entry: MethodDefinition,
    validators: readonly Validator[],
  ) => FeatureMethod | undefined;
  /** Called after `lumenizeRpcDO` has defined a class. It can override methods of the prototype. */
  readonly onDefine?: (prototype: object, contract: CompiledContract) => void;
  /** Called when an object of a class that `lumenizeRpcDO` has defined is constructed. */
  readonly onConstruct?: (instance: object, Class: object) => void;
  /** Surrounds every call, every start of a subscription, and the code of the class in them. */
  readonly around?: Around;
  /**
   * Answers requests other than `…/call`, which come through a router with the option `otherPaths`. If several features
   * can answer a request, the first feature answers.
   *
   * @returns `undefined` for a request that is left to the class
   */
  readonly request?: (request: Request, target: Target) => Response | Promise<Response> | undefined;
  /**
   * Returns the state that the feature holds for an object, for reports: plain data without secrets. It changes
   * nothing.
   */
  readonly inspect?: (instance: object) => Readonly<Record<string, unknown>>;
  /** Called with every frame. Its errors are printed to the console. A binary frame must not be kept. */
  readonly onFrame?: OnFrame;
  /** Called before a call waits for the calls whose results it takes. */
  readonly beforeWait?: (call: CallMessage, resources: CallResources) => void;
  /** Called after a call that may have changed the object, and after a connection has opened or ended. */
  readonly afterChange?: (instance: object) => void;
  /** Called before the messages of a connection that hibernated. It restores the state that was stored for it. */
  readonly onWake?: (instance: object, connection: Connection) => void;
  /** Called after a connection has ended. */
  readonly onDisconnect?: (instance: object, connection: Connection, isFinal: boolean) => void;
  /**
   * Called after a capability was revoked.
   *
   * @param capabilityToken - see `capabilityTokenOf`
   * @param error - the error that the holder of the capability receives
   */
  readonly onRevoke?: (instance: object, capabilityToken: string, error: RpcError) => void;
}

/** The type of an argument: a schema, a class of capabilities, or a schema of a feature, such as a stream's. */
export type ArgumentSchema = Schema | CapabilityClass | (Featured & object);

export type { CapabilityClass };

/** A part of a contract that brings a feature: an entry, a schema, or a class. */
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
  /**
   * Returns a promise that resolves when the calls that the message refers to have ended; `undefined` if all have
   * ended.
   */
  pending(message: CallMessage): Promise<unknown> | undefined;
  /** @param resolve - resolves references of other kinds */
  resolver(message: CallMessage, resolve: Resolve): Resolve;
}

/** The data that messages of features have for calls, by their ids, and for subscriptions, by their negative numbers. */
export interface CallMetadata {
  metadataOf(id: number): object | undefined;
  setMetadata(id: number, metadata: object): void;
}

/** The target and the connection of a message that is not a call. */
export interface MessageContext extends Target {
  connection: Connection;
  /** The results of calls that messages of the frame take; `undefined` if they take none. */
  results: EarlierResults | undefined;
  /** The data that messages of features have for later calls of the frame. */
  frame: CallMetadata;
}

/** An object that a feature keeps for a call. */
export interface CallResource {
  /**
   * Rejects references that no schema allows.
   *
   * @throws RpcError `INVALID_ARGUMENTS`
   */
  checkBound?(args: readonly unknown[], method: CompiledMethod): void;
  /**
   * Called when the call has ended, or will not run.
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
  /** Returns the object that a feature keeps for the call; `undefined` if the feature has kept none yet. */
  find(feature: string): CallResource | undefined;
  add<Resource extends CallResource>(feature: string, resource: Resource): Resource;
}

/** An entry in the form of an object. */
export interface MethodDefinition {
  readonly kind: MethodKind;
  /** The feature that serves methods of the kind; `undefined` for calls. */
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

/** A compiled class of capabilities. */
export interface CompiledCapability {
  /** The name of the class in messages and in the storage. */
  readonly name: string;
  readonly Class: new (object: object, ...address: unknown[]) => object;
  /** A schema for each argument of the constructor after the object. */
  readonly address: readonly ArgumentSchema[];
  /** @throws RpcError `INVALID_ARGUMENTS` for an address that does not match its schemas */
  checkAddress(address: readonly unknown[]): void;
  readonly methods: ReadonlyMap<string, CompiledMethod>;
  /** The capabilities that its methods take and return, and the capabilities of these, by name. */
  readonly capabilities: ReadonlyMap<string, CompiledCapability>;
  /** The features that its methods and the class itself bring. */
  readonly features: ReadonlySet<Feature>;
}

export interface CompiledMethod {
  readonly name: string;
  /** True if the method changes nothing, so it can run twice. Always false for a method with a stream argument. */
  readonly readonly: boolean;
  /**
   * True if the method stores nothing, and may change what is in memory. No answer is stored, and it never runs twice.
   */
  readonly volatile: boolean;
  readonly kind: MethodKind;
  /** The property of a row that contains its place (for `rows`) or identifies it (for `live`). */
  readonly key: string | undefined;
  /** `false` if a result can be of any kind. Otherwise results are sent as JSON, and are `checked` in development. */
  readonly plain: false | 'checked' | 'unchecked';
  /** Remembers whether the last result needed the rich codec. */
  readonly feedback: CodecFeedback;
  /**
   * @param first - the index of the first argument that is not validated yet. Default 0.
   * @returns the arguments that the method receives: the client's arguments, or the values that the schemas returned
   * @throws RpcError `INVALID_ARGUMENTS` with the path to the first invalid value
   */
  validate(args: unknown[], first?: number): unknown[];
  /** The schemas of the arguments. */
  readonly input: readonly ArgumentSchema[];
  /** The classes of the capabilities in the values that the method sends. */
  readonly returns: readonly CapabilityClass[];
  /** The schema of a result, a live value, an event, an item or a row; `undefined` if the entry has none. */
  readonly output: Schema | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /**
   * Checks a result, a live value, an event, an item or a row; `undefined` where the Worker is deployed, and for an
   * entry without `output`.
   *
   * @param index - the index of an item or a row, from 0
   * @throws RpcError `UNSERIALIZABLE` with the path to the first part that does not match `output`
   */
  readonly checkOutput: ((sent: unknown, index?: number) => void) | undefined;
  /**
   * The data that features have compiled of the method, by their names; `undefined` if its entry brings no features.
   */
  readonly features: ReadonlyMap<string, FeatureMethod> | undefined;
  /** True if arguments are read and validated while the method runs. */
  readonly validatesWhileRunning: boolean;
  /** The words for its result if the method can only be subscribed to. */
  readonly subscribableResult: string | undefined;
  /** Replaces validated arguments by the arguments that the method receives; `undefined` if they stay as they are. */
  readonly bind:
    | ((args: unknown[], on: object, resources: CallResources | undefined) => unknown[])
    | undefined;
}

/** A contract in the form that the handlers take, from `compileContract`. */
export interface CompiledContract {
  /** The copy of the package that has compiled the contract. */
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
  readonly features: readonly Feature[];
  /** Handlers of messages that are not calls, by the kind of the message. */
  readonly messages: ReadonlyMap<unknown, NonNullable<Feature['messages']>[string]>;
  /** Functions that read references, by the tag of the reference. */
  readonly references: ReadonlyMap<unknown, NonNullable<Feature['references']>[string]>;
  readonly referenceOf: ReferenceOf | undefined;
  readonly frames: FrameCodec;
  /** Makes targets of calls other than the object; `undefined` if there are none. */
  readonly targets: CallTargets | undefined;
  /** Surrounds calls by the hooks of features in their order, then by `onError`; `undefined` if there are no hooks. */
  readonly around: Around | undefined;
  readonly onFrame: OnFrame | undefined;
  readonly request: Feature['request'];
  /** Called after calls that may have changed the object; `undefined` if no feature needs it. */
  readonly afterChange: ((instance: object) => void) | undefined;
  /** Every class of capabilities that can be called or be an argument, by its name. */
  readonly capabilities: ReadonlyMap<string, CompiledCapability>;
}
