import { CallMessage, CodecFeedback, Encode, EncodedMessage, EncodingOptions, EndedCall, FeedPage, Frame, FrameCodec, HasContract, HasEvents, IsCapability, IsFeed, IsOneSignature, MethodKind, Mismatch, OnCall, PortLike, ReferenceOf, ReservedName, Resolve, RichObject, RpcError, StartedCall, StreamItem, Tracer } from "./wire.js";
// @ts-ignore -- TypeBox is optional.
import { Static as Static$1 } from "typebox";
import { DurableObject } from "cloudflare:workers";
/** A call beyond a limit rejects with `LIMIT_EXCEEDED` and does not run, unless the limit's description says otherwise. */
export interface Limits {
  /**
   * Size of one frame: its characters of text, plus the bytes that a binary frame carries beside the text. Checked
   * before the frame is parsed. The body of a POST is checked while it is read. Default 4 194 304 (4 MiB).
   */
  frameSize: number;
  /**
   * Calls and other messages in one frame. Up to five messages at the beginning of the frame that are not calls do not
   * count. Checked before the first call runs. Default 5 000.
   */
  callsPerFrame: number;
  /**
   * Calls of one connection that are running, including aborted calls whose method has not ended. Checked before each
   * call. Default 10 000.
   */
  callsInFlight: number;
  /**
   * Bytes that the object holds for one client: frames and bodies that arrive, arguments of calls that run or wait,
   * items of streams, and messages that are sent and not acknowledged. Each parsed value counts its characters and 24
   * bytes. Beyond the limit, further calls of the client are rejected before they run, and a frame or body that arrives
   * is dropped. If the client of a connection does not read its answers, the rest of its frame waits instead. A single
   * result may be larger than the limit. Default 8 388 608 (8 MiB).
   */
  memoryPerClient: number;
  /**
   * Bytes that the object holds for all clients together. Beyond the limit, the connection of the client that holds most
   * is closed with the code 1013, after which the client connects again. A POST is answered with status 503. Default
   * 16 777 216 (16 MiB).
   */
  memoryPerObject: number;
  /**
   * Calls of one connection in a second. A client may send all calls of a second at once. Each POST counts as a
   * connection of its own. Checked before each call, but not for a call that has begun and is sent again after a lost
   * connection. Default no limit.
   */
  callsPerSecond: number;
  /**
   * Rejected messages of one client, such as calls with wrong arguments. A client is known by its owner and its id.
   * Beyond the limit, its connection is closed with the code 4429, and its requests are answered with status 429, until
   * none of its messages has been rejected for a minute. Checked before each message; beyond the limit, the rest of the
   * frame is rejected, too.
   *
   * - Each rejected message adds one, and an unreadable frame adds ten. Each call that runs subtracts one.
   * - If the clients of one owner, or all clients without an owner, together exceed the limit within a minute, each of
   *   them is allowed only 100. Beyond twice the limit, each client is allowed even fewer, but at least ten.
   * - The frames of a client with 100 or more rejected messages wait until frames of other clients have been handled.
   *
   * Default 10 000.
   */
  refusals: number;
  /**
   * WebSockets of one object at a time. Beyond the limit, an upgrade is answered with status 503. A client that
   * connects again replaces its own connection, which does not count. Checked at each upgrade. Default no limit.
   */
  connections: number;
  /** Subscriptions of one connection at a time. Checked at each subscription. Default 32. */
  subscriptions: number;
  /**
   * Different calls of `live` methods that an object keeps current at a time. Equal calls count once. To make room, the
   * client with the most live calls loses a live call that no other client follows: its subscription ends with
   * `LIMIT_EXCEEDED`. If the new client would then have as many live calls, its own subscription is rejected instead.
   * Checked at each subscription. Default 1 000.
   */
  liveCalls: number;
  /**
   * Streams in the memory of one object at a time. Subscriptions to `rows` do not count. Beyond the limit, a stream
   * ends whose client has left it: first the oldest stream of the client that begins a stream, then a stream of the
   * client with the most streams, then the oldest stream of all. Checked at each stream. Default 1 000.
   */
  streams: number;
  /**
   * Calls of one connection's callbacks that wait for answers. Beyond the limit, the promise that the callback returns
   * rejects. Checked at each call. Default 1 000.
   */
  callbacks: number;
  /**
   * Streams among the arguments of the running calls of one connection. Each holds up to 2 MiB that its method has
   * not read. Checked at each stream. Default 32.
   */
  argumentStreams: number;
  /** Number of arguments of one call. Checked when they are decoded. Default 32. */
  argumentCount: number;
  /**
   * Nesting depth of objects in the arguments of one call. Checked when they are decoded, before they are
   * validated. Default 100.
   */
  valueDepth: number;
  /**
   * Objects, primitives and array holes in the arguments of one call, of which at most 2 000 may be holes. Checked when
   * the arguments are decoded, before they are validated. Default 100 000.
   */
  valueCount: number;
}
type MemoryLimits = Pick<Limits, 'memoryPerClient' | 'memoryPerObject'>;
/** A connection of a client, or a POST. */
interface MemoryHolder {
  readonly owner: string | undefined;
  readonly client: string | undefined;
  /** Closes the connection, which releases the bytes that are kept for it. */
  giveWay(): void;
}
/** The account of an object, with the bytes that it holds for all of its clients. */
declare class ObjectMemory {
  limits: MemoryLimits;
  /** The bytes that are held. */
  held: number;
  readonly clients: Map<unknown, ClientMemory>;
  /** Returns the account of the client that has the connection. */
  of(holder: MemoryHolder): ClientMemory;
  forget(memory: ClientMemory): void;
  /**
   * Closes the clients that hold most until there is room.
   *
   * @param asking - the client that needs the room
   * @returns `false` if the asking client is the one that holds most
   */
  makeRoom(bytes: number, asking: ClientMemory): boolean;
}
/** The account of a client: the bytes that the object holds for it, over all of its connections. */
declare class ClientMemory {
  #private;
  /** The bytes that are held. */
  held: number;
  readonly key: unknown;
  readonly holders: Set<MemoryHolder>;
  constructor(object: ObjectMemory, key: unknown);
  /** True if further calls of the client have to be rejected. */
  get isFull(): boolean;
  /** The bytes that are released if the client is closed; 0 for a client without a connection. */
  get releasable(): number;
  /**
   * Adds bytes that can still be refused.
   *
   * @throws RpcError `LIMIT_EXCEEDED` beyond `memoryPerClient`; also beyond `memoryPerObject` if no client holds more
   *   than this client, which is then closed
   */
  admit(bytes: number): void;
  /** Adds bytes that exist already, such as an answer. */
  add(bytes: number): void;
  /** Marks bytes that stay when the connection is closed: arguments of a call that runs or waits. */
  pin(bytes: number): void;
  release(bytes: number): void;
  /** Releases what the account holds for a connection that has ended. */
  leave(holder: MemoryHolder): void;
  giveWay(): void;
}
/** A client's subscription; `state` is the form that can be stored. */
interface StorableSubscription {
  readonly state: readonly unknown[];
}
/** The subscriptions of a connection, by the client's numbers. */
type Subscriptions<Subscription extends StorableSubscription = StorableSubscription> = Map<number, Subscription> & {
  /** Records of the subscriptions from before hibernation that have not been restored. */
  stored: readonly StorableSubscription['state'][];
  /** The records to store. */
  readonly records: readonly StorableSubscription['state'][];
};
interface RunningCall {
  readonly answer: Promise<EncodedMessage>;
  /** True if the client still waits for the answer. */
  isAwaited: boolean;
}
interface Connection {
  readonly caller: unknown;
  readonly owner: string | undefined;
  readonly client: string | undefined;
  readonly running: Map<number, RunningCall>;
  /** The account of the bytes that the object holds for the client. */
  readonly memory: ClientMemory;
  readonly subscriptions: Subscriptions;
  limits: Limits;
  readsBytes: boolean;
  readonly isClosed: boolean;
  readonly isFull: boolean;
  readonly isConnection: boolean;
  readonly isOpen: boolean;
  queue(message: EncodedMessage): void;
  send(message: EncodedMessage): void;
  encode(encode: Encode, writing: EncodingOptions): EncodedMessage;
  close(code: number, reason: string): void;
  storeState(): void;
  countRejection(count?: number): void;
  countCall(): void;
  holdInFlight(bytes: number, isRunning?: boolean): () => void;
  mayCall(): boolean;
  rejectFrame(error: unknown): void;
}
/** The classes that `capability` has made, and the compiled form of each class. */
/** A class made by `capability`. */
type CapabilityClass = new (...args: never[]) => object;
/** A schema of TypeBox, or another JSON Schema. As in TypeBox, the type does not describe the schema. */
type TSchema$1 = {};
/** The type of the values that a schema allows. */
type Static$2<Schema extends TSchema$1> = Static$1<Schema>;
interface TFunction<Parameters extends TSchema$1[] = TSchema$1[], Result extends TSchema$1 = TSchema$1> {
  '~kind': 'Function';
  type: 'function';
  parameters: Parameters;
  returnType: Result;
}
interface TArray<Items extends TSchema$1 = TSchema$1> {
  '~kind': 'Array';
  type: 'array';
  items: Items;
}
interface TObject$1<Properties extends object = object> {
  '~kind': 'Object';
  type: 'object';
  properties: Properties;
}
interface TVoid {
  '~kind': 'Void';
  type: 'void';
}
/** A schema of any library that implements Standard Schema. Its check has to be synchronous. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** @returns the value to use, or the problems of the value */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Carries the types for the compiler. It has no value at run time. */
    readonly types?: {
      readonly input: Input;
      readonly output: Output;
    } | undefined;
  };
}
/** The result of a check by a schema of another library. */
type StandardResult<Output> = {
  readonly value: Output;
  readonly issues?: undefined;
} | {
  readonly issues: readonly StandardIssue[];
};
/** A problem that a schema has found in a value. */
interface StandardIssue {
  readonly message: string;
  /** The path to the part of the value that has the problem. */
  readonly path?: readonly (PropertyKey | {
    readonly key: PropertyKey;
  })[] | undefined;
}
/** A schema: of TypeBox, or of a library that implements Standard Schema. */
type Schema$1 = TSchema$1 | StandardSchema;
/** The types of a schema of another library. */
type TypesOf<Of extends StandardSchema> = NonNullable<Of['~standard']['types']>;
/** The type of the values that a schema takes. */
type InputOf<Of> = Of extends StandardSchema ? TypesOf<Of>['input'] : Of extends TSchema$1 ? Static$2<Of> : never;
/** The type of the values that a schema returns. A schema of TypeBox returns the value that it takes. */
type OutputOf<Of> = Of extends StandardSchema ? TypesOf<Of>['output'] : Of extends TSchema$1 ? Static$2<Of> : never;
/** A problem that a validator has found in a value. */
interface Issue {
  /** The path from the value to the problem, such as `.items[2].sku`; empty for the whole value. */
  readonly path: string;
  /** The problem in words that follow the path in a sentence, such as `must be string, got 1`. */
  readonly message: string;
}
/** The result of a validator: the value to use, or at least one issue. */
type Validation = {
  readonly value: unknown;
  readonly issues?: undefined;
} | {
  readonly issues: readonly [Issue, ...Issue[]];
};
/** Checks values of one schema. */
interface Validator {
  /** The title of the schema, for messages. */
  readonly title?: string | undefined;
  validate(value: unknown): Validation;
}
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
interface FeatureMethod {
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
interface CallContext {
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
  readonly announce?: (message: (callId: number, connection: Connection) => string | undefined) => void;
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
type Around = (call: CallContext, run: () => unknown) => unknown;
/** Receives each frame of a connection. `up` is the direction from the client to the object. */
type OnFrame = (direction: 'up' | 'down', frame: Frame, connection: Connection, instance: object) => void;
/** The record of a feature. Most parts are optional. A feature that a contract does not name costs nothing. */
interface Feature {
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
  readonly messages?: Readonly<Record<string, (message: unknown[], context: MessageContext) => void>>;
  /**
   * Functions that read references in arguments, by the tag of the reference.
   *
   * @throws RpcError `BAD_MESSAGE` for a malformed reference
   */
  readonly references?: Readonly<Record<string, (parts: readonly unknown[], context: ReferenceContext) => unknown>>;
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
  readonly compile?: (method: string, entry: MethodDefinition, validators: readonly Validator[]) => FeatureMethod | undefined;
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
type ArgumentSchema = Schema$1 | CapabilityClass | (Featured & object);
/** A part of a contract that brings a feature: an entry, a schema, or a class. */
export interface Featured {
  readonly '~feature'?: Feature;
}
/** An object and its contract. */
interface Target {
  instance: object;
  contract: CompiledContract;
}
/** The results of the calls that a message refers to. */
interface EarlierResults {
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
interface CallMetadata {
  metadataOf(id: number): object | undefined;
  setMetadata(id: number, metadata: object): void;
}
/** The target and the connection of a message that is not a call. */
interface MessageContext extends Target {
  connection: Connection;
  /** The results of calls that messages of the frame take; `undefined` if they take none. */
  results: EarlierResults | undefined;
  /** The data that messages of features have for later calls of the frame. */
  frame: CallMetadata;
}
/** An object that a feature keeps for a call. */
interface CallResource {
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
interface CallResources {
  readonly target: Target;
  readonly connection: Connection;
  /** The id of the call. */
  readonly id: number;
  /** Returns the object that a feature keeps for the call; `undefined` if the feature has kept none yet. */
  find(feature: string): CallResource | undefined;
  add<Resource extends CallResource>(feature: string, resource: Resource): Resource;
}
/** An entry in the form of an object. */
interface MethodDefinition {
  readonly kind: MethodKind;
  /** The feature that serves methods of the kind; `undefined` for calls. */
  readonly feature: Feature | undefined;
  readonly input: readonly ArgumentSchema[];
  readonly readonly: boolean;
  readonly volatile: boolean;
  readonly plain: boolean;
  readonly key: string | undefined;
  readonly returns: readonly CapabilityClass[];
  readonly output: Schema$1 | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
}
/** A compiled class of capabilities. */
interface CompiledCapability {
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
interface CompiledMethod {
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
  readonly output: Schema$1 | undefined;
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
  readonly bind: ((args: unknown[], on: object, resources: CallResources | undefined) => unknown[]) | undefined;
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
  readonly output?: Schema$1 | undefined;
  /** A name for people, for documentation that is made from the contract. Default: none. */
  readonly title?: string | undefined;
  /** A description of the method, for documentation that is made from the contract. Default: none. */
  readonly description?: string | undefined;
}
export type Contract = Record<string, ListedMethod>;
type Schemas$1 = readonly ArgumentSchema[];
/** A class of capabilities, or several. */
type Returns = CapabilityClass | readonly CapabilityClass[] | undefined;
/** The schema of the values that a method sends; `undefined` for an entry without `output`. */
type Output = Schema$1 | undefined;
/**
 * The entry that a function of a feature returns, such as `live`. It is a plain record, so that two copies of the
 * package understand each other.
 */
export interface MethodEntry<Of extends Exclude<MethodKind, 'call'> = Exclude<MethodKind, 'call'>, Input extends Schemas$1 = Schemas$1, Class extends Returns = Returns, Sent extends Output = Output> extends Featured {
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
export interface ReadEntry<Input extends Schemas$1 = Schemas$1, Class extends Returns = Returns, Sent extends Output = Output> {
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
export declare function read<const Input extends Schemas$1 = readonly [], const Class extends Returns = undefined, Sent extends Output = undefined>(schemas?: Input, options?: MethodOptions<Class, Sent>): ReadEntry<NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>>;
/** The entry that `volatile` returns. */
export interface VolatileEntry<Input extends Schemas$1 = Schemas$1, Class extends Returns = Returns, Sent extends Output = Output> {
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
export declare function volatile<const Input extends Schemas$1 = readonly [], const Class extends Returns = undefined, Sent extends Output = undefined>(schemas?: Input, options?: MethodOptions<Class, Sent>): VolatileEntry<NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>>;
/** The entry that `internal` returns. */
export interface InternalEntry<Input extends Schemas$1 = Schemas$1> {
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
export declare function internal<const Input extends Schemas$1 = readonly []>(schemas?: Input): InternalEntry<NoInfer<Input>>;
/** An argument that is a stream: see `streamOf`. */
export interface StreamOf<Items extends Schema$1 = Schema$1> {
  /** The schema of each item. */
  readonly '~streamOf': Items;
}
/** The schema of a function: see `callback`. */
export interface IsCallback {
  readonly '~callback': true;
}
/**
 * The methods that a contract can list. With this type, an editor completes the keys of a contract, leads from a key to
 * the method, and renames both.
 */
type Listable<Instance> = { readonly [Name in keyof Instance as Name extends ReservedName ? never : Name]?: unknown; };
/** The entries that match the methods of `Instance`. Any other entry becomes a `Mismatch` with the reason. */
type CheckedContract<Instance, Entries> = { [Name in keyof Entries]: Name extends Exclude<keyof Instance, ReservedName> ? Instance[Name] extends ((...args: infer Parameters) => infer Result) ? Entries[Name] extends ((...args: never[]) => unknown) ? Mismatch<'call the helper: write live(), with parentheses'> : IsOneSignature<Instance[Name], Parameters, Result> extends true ? CheckedKind<Entries[Name], Parameters, Result> : Mismatch<'the method is generic or overloaded: write one signature without type parameters'> : Mismatch<'not a method of the class'> : Mismatch<Name extends ReservedName ? 'a reserved name' : 'not a method of the class'>; };
/**
 * The kind of each method that a contract lists. Because of `infer`, the compiler prints the kinds, not all schemas.
 */
type EntryKindsOf<Entries> = { readonly [Name in keyof Entries]: KindWithInput<Entries[Name]>; } extends (infer Kinds) ? Kinds : never;
/** The kind of an entry, with the types of the arguments that clients pass. */
type KindWithInput<Entry> = SchemasOf<Entry> extends (infer Schemas extends readonly unknown[]) ? true extends HoldsStandard<Schemas[number]> ? PassedByIndex<Schemas> extends (infer Input) ? [keyof Input] extends [never] ? KindOf<Entry> : {
  readonly kind: KindOf<Entry>;
  readonly input: Input;
} : never : KindOf<Entry> : KindOf<Entry>;
type SchemasOf<Entry> = Entry extends readonly unknown[] ? Entry : Entry extends {
  readonly input: infer Input;
} ? Input : undefined;
/**
 * The type that clients pass, by index, for each schema that changes the value or makes the argument optional. For any
 * other schema, clients pass the type of the method's parameter.
 */
type PassedByIndex<Schemas> = { readonly [Index in Extract<keyof Schemas, `${number}`> as IsPassedAsTaken<Schemas[Index]> extends true ? never : Index]: Passed<Schemas[Index]>; };
type IsPassedAsTaken<Schema> = true extends HoldsStandard<Schema> ? [Passed<Schema>, Given<Schema>] extends [Given<Schema>, Passed<Schema>] ? undefined extends Passed<Schema> ? false : true : false : true;
/**
 * Tells whether a schema is of another library than TypeBox, or contains such a schema: as the schema of items, or in a
 * callback.
 */
type HoldsStandard<Schema> = Schema extends StandardSchema ? true : Schema extends StreamOf<infer Items> ? HoldsStandard<Items> : HoldsFunction<Schema> extends true ? Schema extends TFunction<infer Parameters, infer Result> ? HoldsStandard<Parameters[number] | Result> : Schema extends TArray<infer Items> ? HoldsStandard<Items> : Schema extends TObject$1<infer Properties> ? HoldsStandard<Properties[keyof Properties]> : false : false;
type KindOf<Entry> = Entry extends {
  readonly internal: true;
} ? 'internal' : Entry extends {
  readonly '~entry': infer Of;
} ? Extract<Of, MethodKind> : 'call';
/** Checks the kind of an entry by the result type of its method, then the rest of the entry. */
type CheckedKind<Entry, Parameters extends unknown[], Result> = Entry extends {
  readonly internal: true;
} ? CheckedInternal<Entry, Parameters> : CheckedForClients<Entry, KindOf<Entry> & MethodKind, Parameters, Result>;
/** Checks an entry of `internal`: native Workers RPC decides what its method may return. */
type CheckedInternal<Entry, Parameters extends unknown[]> = { [Key in keyof Entry]: Key extends 'input' ? Entry[Key] extends readonly ArgumentSchema[] ? CheckedInput<Entry[Key], Parameters> : Mismatch<'a list with a schema for each parameter'> : Key extends 'internal' ? Entry[Key] : Mismatch<'the keys of an internal entry are input and internal'>; };
type CheckedForClients<Entry, Of extends MethodKind, Parameters extends unknown[], Result> = [WrongKind<Of, Result>] extends [never] ? CheckedReturns<Entry, Result> extends (infer Problem) ? [Problem] extends [never] ? Entry extends {
  readonly '~entry': MethodKind;
  readonly input: infer Input;
} ? CheckedHelped<Entry, Input, Parameters, Result> : CheckedEntry<Entry, Parameters, Result> : Problem : never : Mismatch<WrongKind<Of, Result>>;
/** The entry to write if the method returns a result of another kind; `never` if the kind is right. */
type WrongKind<Of extends MethodKind, Result> = unknown extends Result ? Of extends 'rows' ? NoRows : never : IsFeed<Awaited<Result>> extends true ? Of extends 'events' ? IsFeed<Result> extends true ? never : 'events is for methods that return the feed, not a promise' : 'the method returns a feed: write events([…])' : [StreamItem<Result>] extends [never] ? WrongWhole<Of, Result> : Of extends 'stream' | 'rows' ? never : 'the method returns a stream: write stream([…])';
/** The entry to write if the method returns a result that is sent as a whole. */
type WrongWhole<Of extends MethodKind, Result> = Of extends 'rows' ? NoRows : Of extends 'events' ? 'events is for methods that return a feed: feed(this, name)' : Of extends 'stream' ? unknown extends Awaited<Result> ? never : 'stream is for methods that return a generator, an iterator or a ReadableStream' : Of extends 'live' ? MayBePromise<Result> extends true ? 'live is for methods that return the value, not a promise' : never : Of extends 'presence' ? MayBePromise<Result> extends true ? 'presence is for methods that return what others see, not a promise' : never : never;
type NoRows = 'rows is for methods that return rows: Iterable<Row> or AsyncIterable<Row>, not an array';
/** The problem with an entry whose method returns a capability; `never` if there is none. */
type CheckedReturns<Entry, Result> = Awaited<Result> extends IsCapability ? unknown extends Result ? never : Awaited<Result> extends InstanceType<ReturnedBy<Entry>> ? never : Mismatch<KindOf<Entry> extends 'live' ? 'the method returns a capability: write live([…], { returns: Class }), with its class' : 'the method returns a capability: write { input: [], returns: Class }, with its class'> : never;
/** Checks an entry that a helper such as `live` has returned. A mistake in a part becomes the mistake of the entry. */
type CheckedHelped<Entry, Input, Parameters extends unknown[], Result> = (Entry extends {
  readonly key: infer Key;
} ? Key extends undefined ? never : KindOf<Entry> extends 'live' ? WrongRowKey<Key, RowOf<Result>> : WrongKey<Key, Input, Parameters, Result> : never) | WrongOutput<Entry, Result> | (Input extends readonly ArgumentSchema[] ? MismatchIn<CheckedInput<Input, Parameters>> : Mismatch<'a list with a schema for each parameter'>) extends (infer Problem) ? [Problem] extends [never] ? Entry : Problem : never;
type MismatchIn<Checked> = Checked extends Mismatch<unknown> ? Checked : Checked extends readonly unknown[] ? Extract<Checked[number], Mismatch<unknown>> : never;
/** The problem with the key of rows, whose type the last parameter has to accept; `never` if there is none. */
type WrongKey<Key, Input, Parameters extends unknown[], Result> = Key extends keyof StreamItem<Result> ? StreamItem<Result>[Key] extends string | number ? Parameters extends [...unknown[], unknown] ? Mismatch<'the last parameter is the place of a row: make it optional'> : StreamItem<Result>[Key] extends PlaceOf<Input, Parameters> ? never : Mismatch<{
  keyIs: StreamItem<Result>[Key];
  lastParameterTakes: PlaceOf<Input, Parameters>;
}> : Mismatch<'the key of rows must be a string or a number'> : Mismatch<{
  key: 'a property of the rows';
  rowsHave: keyof StreamItem<Result>;
}>;
/** The rows of a list, or of lists by name; `never` for any other value. */
type RowOf<Value> = unknown extends Value ? unknown : Value extends readonly (infer Row)[] ? Row : Value extends ReadonlyMap<unknown, infer Lists> ? RowOfLists<Lists> : Value extends RichObject ? never : Value extends object ? RowOfLists<Exclude<Value[keyof Value], undefined>> : never;
type RowOfLists<Lists> = [Lists] extends [readonly (infer Row)[]] ? Row : never;
/** The problem with the key of a live value; `never` if there is none. */
type WrongRowKey<Key, Row> = unknown extends Row ? never : [Row] extends [never] ? Mismatch<'key is for methods that return a list of rows, or lists of rows by name'> : [Row] extends [{ readonly [Name in Key & string]: string | number | bigint; }] ? never : Key extends keyof Row ? Mismatch<'the key of a row must be a string, a number or a bigint'> : Mismatch<{
  key: 'a property of the rows';
  rowsHave: keyof Row;
}>;
/** The classes that an entry lists under `returns`. */
type ReturnedBy<Entry> = Entry extends {
  returns: infer Class;
} ? Class extends readonly (infer Each)[] ? CapabilitiesIn<Each> : CapabilitiesIn<Class> : never;
type CapabilitiesIn<Class> = Class extends CapabilityClass ? InstanceType<Class> extends IsCapability ? Class : never : never;
type CheckedEntry<Entry, Parameters extends unknown[], Result> = Entry extends readonly ArgumentSchema[] ? CheckedInput<Entry, Parameters> : Entry extends {
  readonly input: readonly ArgumentSchema[];
} ? CheckedLongEntry<Entry, Parameters, Result> : [MeantBy<keyof Entry>] extends [never] ? Mismatch<'write [Type.Integer()], a schema for each parameter, or a helper such as read([…]) or live([…])'> : CheckedLongEntry<Entry, Parameters, Result>;
type CheckedLongEntry<Entry, Parameters extends unknown[], Result> = { [Key in keyof Entry]: Key extends 'input' ? Entry[Key] extends readonly ArgumentSchema[] ? CheckedInput<Entry[Key], Parameters> : Mismatch<'a list with a schema for each parameter'> : Key extends 'plain' ? CheckedPlain<Entry[Key], Awaited<Result>> : Key extends 'readonly' | 'volatile' ? Entry[Key] extends boolean | undefined ? Entry[Key] : Mismatch<'true or false'> : Key extends 'returns' ? Entry[Key] extends undefined ? Entry[Key] : [ReturnedBy<Entry>] extends [never] ? Mismatch<'a class made by capability(), or a list of them'> : Entry[Key] : Key extends 'output' ? CheckedOutput<Entry[Key], Awaited<Result>, 'call'> : Key extends 'title' | 'description' ? Entry[Key] extends string | undefined ? Entry[Key] : Mismatch<'text'> : Mismatch<`unknown key: ${[MeantBy<Key>] extends [never] ? 'the keys are input, readonly, volatile, returns, plain, output, title and description' : `did you mean ${MeantBy<Key>}?`}`>; };
/** The problem with the output schema of an entry that a helper has returned; `never` if there is none. */
type WrongOutput<Entry, Result> = Entry extends {
  readonly '~entry': infer Of extends MethodKind;
  readonly output: infer Schema;
} ? Schema extends undefined ? never : Extract<CheckedOutput<Schema, SentBy<Of, Result>, Of>, Mismatch<unknown>> : never;
/**
 * The type that a method of a kind sends: an event, an item, a row or a value; `never` if the compiler cannot know it.
 */
type SentBy<Of extends MethodKind, Result> = Of extends 'events' ? unknown extends Result ? never : Result extends HasEvents<infer Event> ? Event : never : Of extends 'stream' | 'rows' ? StreamItem<Result> : Of extends 'presence' ? Exclude<Result, undefined> : Result;
/** Checks that an output schema allows the values that a method of a kind sends. */
type CheckedOutput<Schema, Sent, Of extends MethodKind> = Schema extends undefined ? Schema : Schema extends object ? [Sent] extends [InputOf<Schema>] ? Schema : Mismatch<OutputMismatch<InputOf<Schema>, Sent>[Of]> : Mismatch<'a schema, such as Type.String()'>;
/** The error for an output schema that does not fit, by the kind of the method. */
interface OutputMismatch<Allowed, Sent> {
  call: {
    outputAllows: Allowed;
    methodReturns: Sent;
  };
  live: {
    outputAllows: Allowed;
    methodReturns: Sent;
  };
  events: {
    outputAllows: Allowed;
    eventsAre: Sent;
  };
  stream: {
    outputAllows: Allowed;
    itemsAre: Sent;
  };
  rows: {
    outputAllows: Allowed;
    rowsAre: Sent;
  };
  presence: {
    outputAllows: Allowed;
    methodReturns: Sent;
  };
}
/** Checks that JSON represents the results of a method with `plain: true`. */
type CheckedPlain<Flag, Result> = Flag extends true ? [Result] extends [Plain<Result>] ? true : Mismatch<'plain is for results that JSON represents: no Date, Map, Set, bigint, bytes or method'> : Flag extends boolean | undefined ? Flag : Mismatch<'true or false'>;
/**
 * The type of a row's place, as the runtime passes it. A schema of another library than TypeBox can change the value.
 */
type PlaceOf<Input, Parameters extends unknown[]> = Input extends readonly [...unknown[], infer Last extends StandardSchema] ? InputOf<Last> : LastOf<Parameters>;
/** The type of the last parameter; `never` if there are no parameters. */
type LastOf<Parameters extends unknown[]> = Required<Parameters> extends [...unknown[], infer Last] ? Last : never;
/** The correct spelling of a misspelled key; `never` for any other key. */
type MeantBy<Key> = Key extends 'input' | 'readonly' | 'volatile' | 'returns' | 'plain' | 'output' | 'title' | 'description' ? never : Key extends string ? Lowercase<Key> extends 'readonly' ? 'readonly' : Lowercase<Key> extends 'volatile' ? 'volatile' : Lowercase<Key> extends `input${string}` ? 'input' : Lowercase<Key> extends `return${string}` ? 'returns' : Lowercase<Key> extends 'plain' ? 'plain' : never : never;
/**
 * Checks a list of schemas.
 *
 * @template For - `address` for the address of a capability, which its schemas do not change
 */
type CheckedInput<Input extends readonly ArgumentSchema[], Parameters extends unknown[], For extends 'method' | 'address' = 'method'> = number extends Parameters['length'] ? Mismatch<'a rest parameter can have no schema: take an array instead'> : Input['length'] extends Required<Parameters>['length'] ? { [Index in keyof Input]: Index extends keyof Parameters ? CheckedArgument<Input[Index], Parameters[Index], undefined extends Parameters[Index] ? true : false, For> : never; } : Mismatch<{
  schemas: Input['length'];
  parametersOfTheMethod: Required<Parameters>['length'];
}>;
type CheckedArgument<Schema, Parameter, Optional, For> = Schema extends CapabilityClass ? InstanceType<Schema> extends Parameter ? Schema : Mismatch<{
  capability: InstanceType<Schema>;
  methodTakes: Parameter;
}> : Schema extends StreamOf<infer Item> ? [Optional, IsStrict] extends [true, true] ? Mismatch<'a stream cannot be optional: callers can pass an empty array'> : CheckedStream<Schema, OutputOf<Item>, Parameter> : Schema extends StandardSchema ? CheckedStandard<Schema, Parameter, Optional, For extends 'method' ? OutputOf<Schema> : InputOf<Schema>> : CheckedValue<Schema, Parameter, Optional>;
/** Checks a schema of another library than TypeBox. The method receives the value that the schema returns. */
type CheckedStandard<Schema extends StandardSchema, Parameter, Optional, Made> = Schema extends {
  '~optional': true;
} ? Mismatch<'Type.Optional is for schemas of TypeBox: use the optional() of your library'> : [Made] extends [Parameter] ? Optional extends true ? undefined extends InputOf<Schema> ? Schema : Mismatch<'the parameter is optional: make its schema optional, too'> : Schema : [Parameter] extends [AsyncIterable<unknown>] ? Mismatch<'the parameter is a stream: write streamOf(schema)'> : Mismatch<{
  schemaReturns: Made;
  methodTakes: Parameter;
}>;
/**
 * Tells whether the project has `strictNullChecks`. Without them, the compiler takes every parameter for an optional
 * parameter.
 */
type IsStrict = undefined extends 'text' ? false : true;
type CheckedStream<Schema, Item, Parameter> = AsyncIterable<Item> extends Parameter ? Schema : [Parameter] extends [AsyncIterable<infer Taken>] ? [Item] extends [Taken] ? Mismatch<'the parameter must be an AsyncIterable, not a ReadableStream'> : Mismatch<{
  itemsAre: Item;
  methodTakes: Parameter;
}> : Mismatch<'streamOf() is for a parameter that is an AsyncIterable'>;
type CheckedValue<Schema, Parameter, Optional> = IsBare<Schema> extends true ? Mismatch<'a function is a callback: write callback([…], result)'> : CheckedSchema<Schema, Parameter, Optional>;
/** Tells whether a schema is, or holds, a function that `callback` has not made. */
type IsBare<Schema> = Schema extends TFunction ? Schema extends IsCallback ? false : true : Schema extends TArray<infer Items> ? IsBare<Items> : Schema extends TObject$1<infer Properties> ? true extends { [Name in keyof Properties]: IsBare<Properties[Name]>; }[keyof Properties] ? true : false : false;
type CheckedSchema<Schema, Parameter, Optional> = Schema extends TSchema$1 ? Given<Schema> extends Parameter ? Schema extends {
  '~optional': true;
} ? Optional extends true ? Schema : Mismatch<'Type.Optional on a parameter that is required'> : Optional extends true ? undefined extends Static$2<Schema> ? Schema : Mismatch<'the parameter is optional: wrap its schema in Type.Optional'> : Schema : HoldsFunction<Schema> extends true ? Passed<Schema> extends Parameter ? Mismatch<'a callback returns a promise: write (…) => Promise<…>, or (…) => void'> : Mismatch<{
  schemaAllows: Given<Schema>;
  methodTakes: Parameter;
}> : [Parameter] extends [AsyncIterable<unknown>] ? Mismatch<'the parameter is a stream: write streamOf(schema)'> : Mismatch<SchemaMismatch<Schema, Parameter>> : never;
/** The error for a schema that does not fit, or for a value that is no schema. */
type SchemaMismatch<Schema extends TSchema$1, Parameter> = Schema extends ((...args: never[]) => unknown) | {
  readonly string: (...args: never[]) => unknown;
} ? 'not a schema: call the function that makes a schema, such as z.string()' : Schema extends Readonly<Record<string, StandardSchema>> ? 'an object of schemas: write z.object({ … }), or the function of your library' : {
  schemaAllows: Static$2<Schema>;
  methodTakes: Parameter;
};
/**
 * The type that a method receives for a schema. For a function, this is a callback that calls the client's function.
 */
type Given<Schema> = AtEnd<Schema, 'object'>;
/** The type that a client passes for a schema. For a stream, this can also be a list. */
type Passed<Schema> = AtEnd<Schema, 'client'>;
/** The type of a schema's value at one end. */
type AtEnd<Schema, End extends 'client' | 'object'> = HoldsFunction<Schema> extends true ? Schema extends TFunction<TSchema$1[], infer Result> ? (...args: CallbackArgs<Schema>) => End extends 'object' ? Promise<OutputOf<Result>> : InputOf<Result> : Schema extends TArray<infer Items> ? AtEnd<Items, End>[] : Schema extends TObject$1<infer Properties> ? { [Name in keyof Static$2<Schema>]: Name extends keyof Properties ? AtEnd<Properties[Name], End> : never; } : DataAtEnd<Schema, End> : Schema extends StreamOf<infer Items> ? AsyncIterable<DataAtEnd<Items, End>> : DataAtEnd<Schema, End>;
/** The type of a schema's value at one end, for a schema without functions and streams. */
type DataAtEnd<Schema, End> = End extends 'object' ? OutputOf<Schema> : InputOf<Schema>;
/** The types of the arguments that a method passes to a callback. The values are sent as they are. */
type CallbackArgs<Schema extends TFunction> = Schema extends TFunction<infer Parameters, TSchema$1> ? Parameters extends [] ? [] : true extends HoldsStandard<Parameters[number]> ? { [Index in keyof Parameters]: InputOf<Parameters[Index]>; } : Static$2<TFunction<Parameters, TVoid>> extends ((...args: infer Args) => unknown) ? Args : never : never;
/** Tells whether the values of a schema contain functions. */
type HoldsFunction<Schema> = Schema extends StandardSchema ? false : Schema extends TFunction ? true : Schema extends TArray<infer Items> ? HoldsFunction<Items> : Schema extends TObject$1<infer Properties> ? true extends { [Name in keyof Properties]: HoldsFunction<Properties[Name]>; }[keyof Properties] ? true : false : false;
/** The type, with `never` in place of each part that JSON cannot represent. */
type Plain<Type> = Type extends string | number | boolean | null | undefined ? Type : Type extends RichObject | bigint | symbol | ((...args: never[]) => unknown) ? never : Type extends object ? { [Name in keyof Type]: Plain<Type[Name]>; } : Type;
/** Tells whether a result is a promise in some cases. The compiler cannot know this for `any` and `unknown`. */
type MayBePromise<Result> = unknown extends Result ? false : [Extract<Result, PromiseLike<unknown>>] extends [never] ? false : true;
type AnyClass = abstract new (...args: never[]) => object;
/**
 * The class that `lumenizeRpcDO` or `capability` returns. It has the constructor and the statics of the class that was
 * passed, and its instances carry the kinds of the methods to the types of their clients. You write this type only where
 * the compiler cannot infer it, for example with `isolatedDeclarations`.
 *
 * @example
 * type Kinds = { increment: 'call'; getValue: 'live' };
 * export const Counter: RpcClass<typeof CounterImpl, Kinds> = lumenizeRpcDO(CounterImpl, contract);
 */
export type RpcClass<Class extends AnyClass, Kinds, Brand = unknown> = {
  new (...args: ConstructorParameters<Class>): InstanceType<Class> & HasContract<Kinds> & Brand;
} & { [Static in keyof Class]: Class[Static]; };
/**
 * The type of the instances of a class that `lumenizeRpcDO` or `capability` has returned. It is `InstanceType`, but with
 * it the compiler and editors show the name of your type: `RpcClient<Counter>`.
 *
 * @example
 * export type Counter = RpcObject<typeof Counter>;
 */
export type RpcObject<Class extends AnyClass> = InstanceType<Class> & {};
/** The options of a class with a contract. */
export interface ContractOptions {
  /** Replaces some of the default limits. */
  limits?: { [Name in keyof Limits]?: Limits[Name] | undefined; } | undefined;
  /** Uses hibernating WebSockets, so that an idle object costs nothing. Default true. */
  hibernate?: boolean | undefined;
  /**
   * Stores answers in SQLite, so that a call which arrives twice runs once. Answers of `readonly` and `volatile`
   * methods are not stored. The answers of one turn of the object cost one written row. With `false`, a call whose
   * connection is lost rejects with `DISCONNECTED`. Default true.
   */
  journal?: boolean | undefined;
  /**
   * The time that the object remembers a client after its last call, in milliseconds. A call that was first sent more
   * than half of this time ago runs only if the object still remembers the client. Default 3 600 000 (an hour).
   */
  journalAge?: number | undefined;
  /**
   * Sends a thrown error to the client with its stack, its cause and its properties. With `false`, the client receives
   * only the error's name, its message, and its `code` if that is a string or a number. An `RpcError` always keeps its
   * properties. Default true in `wrangler dev`, in Vite's development server and in Vitest; otherwise false.
   */
  exposeErrorDetails?: boolean | undefined;
  /**
   * Called with each error that a method throws. Return another error to send to the client in its place, or
   * `undefined` to send the thrown error. If the function itself throws, the console shows that error, and the client
   * receives an error without details. Default: thrown errors are sent as they are.
   */
  onError?: ((error: unknown, call: {
    method: string;
  }) => unknown) | undefined;
  /**
   * Reports each call when it begins and when it has ended. Pass the result of `reportCalls(…)` of
   * `lumenize-rpc/server`. Default: no reports.
   */
  onCall?: Featured | undefined;
  /**
   * Features that serve the whole class, so that no entry of the contract names them. `bytes` of `lumenize-rpc/server`
   * sends large buffers as bytes, without Base64. `debug` of `lumenize-rpc/debug` shows calls and frames on the
   * console. Default: none.
   */
  use?: readonly Featured[] | undefined;
  /**
   * The time that the object waits for a callback's answer, in milliseconds. Then the promise that the callback has
   * returned rejects with `TIMEOUT`. The object stays awake while it waits. Default 30 000.
   */
  callbackTimeout?: number | undefined;
  /**
   * The time that an idle stream stays in memory, in milliseconds. It applies to a stream that the client does not
   * read, and to a method that waits for the next item of a stream argument. Then the stream ends, and the loop of the
   * method rejects with `TIMEOUT`. The object stays awake while it waits. Default 60 000.
   */
  streamTimeout?: number | undefined;
}
/**
 * Names the caller of all calls that a request, or the socket that it opens, carries.
 *
 * @param request - the request that a hook of `routeDORequest` received
 * @param caller - JSON data, stored with the socket. Its text and `identity` together have at most 4 000 characters.
 *   Without `identity`, the text of `caller` counts twice, so it has at most 2 000.
 * @param identity - text that stays unchanged when a user connects again. Default: the JSON text of `caller`. Pass it if
 *   `caller` contains something that changes, such as the expiry of a token. A client that connects again with another
 *   identity is rejected with `FORBIDDEN`. Visitors may share an identity, such as `guest`. A visitor is then not barred
 *   for the rejected messages of another visitor.
 * @returns the request to return from the hook
 * @throws RangeError for a caller that is too large
 * @example
 * onBeforeConnect: async (request) => {
 *   const { user, expires } = await claimsOf(request);
 *   return withCaller(request, { user, expires }, user);
 * }
 */
export declare function withCaller(request: Request, caller: unknown, identity?: string): Request;
/**
 * Returns the caller of the running method, as a hook named it with `withCaller`.
 *
 * Call this before the first `await` of a method, because another call may be running afterwards.
 *
 * @returns the caller; `undefined` for native Workers RPC, or if no hook named a caller
 * @example
 * rename(name: string) { const { user } = currentCaller<{ user: string }>() ?? refuse(); … }
 */
export declare function currentCaller<Caller>(): Caller | undefined;
/**
 * Returns the token of a callback or a capability, which is text that you can store. Take the token of a callback
 * before the call that passed the callback ends. The callback then stays usable until `dropCallback`. The token of a
 * callback contains the secret id of its client, so do not send it to other clients.
 *
 * @param value - a function that a client passed, or a capability of the contract
 * @returns the token
 * @throws TypeError for anything else; RpcError `CLOSED` for a callback whose call has ended
 * @example
 * onAlert(ask: (text: string) => Promise<boolean>): void {
 *   this.ctx.storage.kv.put('ask', tokenOf(ask));
 * }
 */
export declare function tokenOf(value: object): string;
/**
 * Returns the name of a relay for `getByName`. A client cannot name this object, so only the Worker can choose it.
 *
 * @param origin - the name of the object that the relay copies, which must not be a relay
 * @param region - the region of the relay, such as `EU`: letters, digits, `-` and `_`
 * @param index - the number of the relay among the relays of the region: 0 or a positive integer
 * @returns the name of the relay
 * @throws RangeError for a name that is empty or the name of a relay, and for an invalid region or index
 * @example
 * env.MATCH_RELAY.getByName(relayName('final', 'EU', 0), { locationHint: 'weur' });
 */
export declare function relayName(origin: string, region: string, index: number): string;
/**
 * Returns the name of the object that a relay copies.
 *
 * @param relay - the name of the relay: `this.ctx.id.name`
 * @returns the name of the object that the relay copies
 * @throws RangeError for a name that is not from `relayName`
 * @example
 * readonly #match = relay<Match>(this, () => this.env.MATCH.getByName(originOf(this.ctx.id.name)));
 */
export declare function originOf(relay: string | undefined): string;
/** A class that `lumenizeRpcDO` has returned. */
export type ClassWithContract = abstract new (...args: never[]) => HasContract<unknown>;
interface MethodDescription {
  readonly name: string;
  readonly kind: MethodKind;
  /** True if the method changes nothing. */
  readonly readonly: boolean;
  /** True if the method changes only data in memory, so no answer is stored. */
  readonly volatile: boolean;
  /** The schemas of the arguments. */
  readonly input: readonly ArgumentSchema[];
  /** The classes of the capabilities in the values that the method sends. */
  readonly returns: readonly CapabilityClass[];
  /** The schema of a result, a live value, an event, an item or a row; `undefined` if the entry has none. */
  readonly output: Schema$1 | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
}
export interface ContractDescription {
  readonly methods: ReadonlyMap<string, MethodDescription>;
  readonly limits: Pick<Limits, 'frameSize'>;
  /** True if answers are stored, so that a call which arrives twice runs once. */
  readonly journal: boolean;
  /** The handlers of features' messages, by the kind of the message. */
  readonly messages: Pick<ReadonlyMap<unknown, unknown>, 'has'>;
}
/** Says which other origins may call, and whether with cookies (`credentials`, default false). */
export interface CorsOptions {
  /** The origins that may call, such as `https://example.com`, or a function that decides. */
  origin: readonly string[] | ((origin: string, request: Request) => boolean);
  /**
   * Allows requests of other origins with cookies and logins. With `false`, the router removes these from the requests of
   * other origins. They are the headers that a browser sends by itself, with a WebSocket upgrade too: `Cookie`, an
   * `Authorization` of the schemes Basic, Digest, Negotiate and NTLM, and the headers of Cloudflare Access. Tokens in
   * `protocols` and `headers` always arrive. Default false.
   */
  credentials?: boolean | undefined;
}
/** `false` allows only the Worker's own pages, and callers that are not browsers. `true` allows any page. */
export type Cors = boolean | CorsOptions;
/** The target of a request. */
export interface Route {
  /** The binding's name in `env`. Empty for the OpenAPI document, which belongs to no object. */
  binding: string;
  /** The object's name, or its id as 64 hex characters. Empty for the OpenAPI document. */
  instance: string;
}
/**
 * Rejects a request by returning a `Response`, replaces it by returning a `Request`, or passes it on by
 * returning nothing.
 */
export type Hook = (request: Request, route: Route) => Response | Request | void | Promise<Response | Request | void>;
/** The options of `routeDORequest`. */
export interface RouteOptions {
  /** The path before the binding, with or without slashes at its ends. Default: `/__rpc`. */
  prefix?: string | undefined;
  /** The bindings that clients can reach, by their names in `env`. Default: every Durable Object binding. */
  bindings?: readonly string[] | undefined;
  /**
   * Also forwards paths other than `…/call`, for a class with its own `fetch`, or with a feature that answers requests.
   * Default false.
   */
  otherPaths?: boolean | undefined;
  /**
   * The option `classes` of `routeHttpRequest` of `lumenize-rpc/http`. Paths other than `…/call` of these bindings are
   * left to `routeHttpRequest`. Default: none.
   */
  classes?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The other origins that may call, by POST and by WebSocket. A page of any other origin gets status 403 with the
   * reason, and the console of the Worker shows once how to allow the origin. Default: no other origin.
   *
   * @example
   * cors: { origin: ['https://example.com'] }
   */
  cors?: Cors | undefined;
  /**
   * Called before a WebSocket upgrade reaches the object and wakes it. It returns a `Response` to reject the upgrade, or a
   * `Request` to replace it.
   */
  onBeforeConnect?: Hook | undefined;
  /** Called before every request that is not an upgrade, as `onBeforeConnect` is before an upgrade. */
  onBeforeRequest?: Hook | undefined;
  /**
   * Chooses the object for a WebSocket, if it is not the object that the path names, such as a relay of that object. It
   * receives the request that `onBeforeConnect` has passed on. It is called with any name that a client invents, so
   * compare the name with a list of your own. Default: the object that the path names.
   *
   * @example
   * connectTo: (_, { instance }) =>
   *   instance === 'lobby' ? env.RELAY.getByName(relayName(instance, 'EU', 0)) : undefined
   */
  connectTo?: ((request: Request, route: Route) => FetchTarget | undefined) | undefined;
  /**
   * The region near which an object is created, or a function that returns it for each request that the hooks have passed
   * on. Objects that exist stay where they are. Default: near the client that reaches the object first.
   *
   * @example
   * locationHint: (request, { instance }) => (instance.startsWith('eu-') ? 'weur' : undefined)
   */
  locationHint?: Choice<DurableObjectLocationHint> | undefined;
  /**
   * The jurisdiction in which an object runs and stores its data, or a function that returns it for each request that the
   * hooks have passed on. A name with another jurisdiction names another object. This option has no effect where the
   * Worker runs locally. Default: no restriction.
   *
   * @example
   * jurisdiction: 'eu'
   */
  jurisdiction?: Choice<DurableObjectJurisdiction> | undefined;
}
/** A value for every object, or a function that returns the value for the object of a request. */
type Choice<Value> = Value | ((request: Request, route: Route) => Value | undefined);
/** The stub that receives a request. */
export interface FetchTarget {
  fetch(request: Request): Promise<Response>;
}
/**
 * Routes `{prefix}/{binding}/{instance}/call` to a Durable Object.
 *
 * The binding is looked up as written, and then in the usual spellings: `my-counter` finds `MY_COUNTER` and
 * `MyCounter`. An instance of 64 hex characters is an id. Any other instance is a name.
 *
 * @param request - the request that the Worker received
 * @param env - the Worker's bindings
 * @param options - hooks, the bindings that clients can reach, `cors` and others: see `RouteOptions`. Default: none.
 * @returns the object's response; `undefined` if the path is not under the prefix or names none of the bindings. The
 *   router itself responds with these statuses, and never throws because of a client's request:
 *
 *   - 400 if the instance is missing, malformed or reserved for the runtime
 *   - 403 for a page of another origin
 *   - 404 for a path that is not `…/call`; in `wrangler dev` and in Vitest also for a client that names no binding, with
 *     the reason
 *   - 500 if two bindings match, or a function among the options throws
 * @example
 * return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
 */
export declare function routeDORequest(request: Request, env: object, options?: RouteOptions): Promise<Response | undefined>;
/**
 * Sends and receives buffers of more than 1 024 bytes as bytes, to and from clients with the option `bytes`.
 * Without it, they are sent as Base64 text, which is 33 % larger and slower to write and to read. The received values
 * are equal.
 *
 * @example
 * export const Files = lumenizeRpcDO(FilesImpl, contract, { use: [bytes] });
 */
export declare const bytes: Featured;
type AnyFunction = (...args: never[]) => unknown;
/**
 * Returns a kept callback by its token. You can call it in any later call or alarm, also after hibernation and
 * restarts. Its result is validated by the current contract. The promise that it returns can reject with an `RpcError`:
 *
 * - `DISCONNECTED` while the client is not connected
 * - `CLOSED` if the client no longer has the function, for example after `dropCallback`
 * - `METHOD_NOT_FOUND` if the contract no longer has the callback
 *
 * @param instance - the object
 * @param token - from `tokenOf`
 * @returns the callback
 * @throws TypeError for text that is not the token of a callback
 * @example
 * override async alarm(): Promise<void> {
 *   const ask = callbackAt<(text: string) => Promise<boolean>>(this, this.ctx.storage.kv.get('ask'));
 *   if (await ask('Low on stock')) this.reorder();
 * }
 */
export declare function callbackAt<Callback extends AnyFunction>(instance: object, token: string): (...args: Parameters<Callback>) => Promise<Awaited<ReturnType<Callback>>>;
/**
 * Stops keeping a callback. If its client is connected, the client forgets the function, unless the object keeps
 * another token of the function. Call this when you delete the token from the storage. It has no effect on a callback
 * that is not kept.
 *
 * @param instance - the object
 * @param token - from `tokenOf`
 * @throws TypeError for text that is not the token of a callback
 * @example
 * offAlert(): void { dropCallback(this, this.ctx.storage.kv.get('ask')); }
 */
export declare function dropCallback(instance: object, token: string): void;
/** The schema of a function. Its mark is a property, so that two copies of the package understand each other. */
export interface CallbackSchema<Parameters extends Schema$1[] = Schema$1[], Result extends Schema$1 = Schema$1> extends IsCallback {
  '~kind': 'Function';
  type: 'function';
  parameters: Parameters;
  returnType: Result;
}
/**
 * Declares that the client passes a function, which the method can call. The method receives a function that returns a
 * promise. The client passes `callback(fn)`. The result of the client's function is validated when it arrives. If it does
 * not match its schema, the promise rejects with `INVALID_ARGUMENTS`.
 *
 * @param parameters - a schema for each argument that the function takes. The schemas only give the types of the
 *   arguments, and are of TypeBox, or of a library that implements Standard Schema. Default: none.
 * @param result - the schema of the function's result. Default `Type.Void()`, with which the result is ignored.
 * @returns a schema for an argument, for a property of a `Type.Object`, or for the items of a `Type.Array`, at any depth
 * @example
 * load(csv: string, onProgress: (percent: number) => void): void { … }
 * // In the contract:
 * load: [Type.String(), callback([Type.Number()])],
 */
export declare function callback<Parameters extends Schema$1[] = [], Result extends Schema$1 = TVoid>(parameters?: [...Parameters], result?: Result): CallbackSchema<Parameters, Result>;
/** `Address`, if it has a schema for each argument of the constructor after the object. */
type CheckedAddress<Class extends CapabilityClass, Address extends readonly ArgumentSchema[]> = ConstructorParameters<Class> extends [unknown, ...infer Parameters] ? CheckedInput<Address, Parameters, 'address'> : CheckedInput<Address, [], 'address'>;
/**
 * Makes a class of capabilities. A capability is an object that a method returns to a client, which can then call the
 * methods of the capability. The client can use it from any connection, and pass it on to others. Each call creates the
 * capability again from its class and its address, and the runtime keeps nothing in memory between calls. So a capability
 * works after hibernation, restarts and deployments, until you revoke it.
 *
 * @param Class - a class whose constructor takes the Durable Object, then the address, which is plain data. The
 *   constructor can reject a caller by throwing. In messages and in the storage, the class has its name without `Impl` at
 *   the end. If you rename the class, existing capabilities stop working.
 * @param address - a schema for each argument of the constructor after the object. The schemas only check the address.
 *   The constructor receives it unchanged, since the address identifies the capability.
 * @param contract - the methods that can be called, as for `lumenizeRpcDO`
 * @returns a subclass. List it in a contract under `returns`, or as the schema of an argument.
 * @throws TypeError for the mistakes that `compileContract` rejects, and for a name that is not a method of the class
 * @example
 * export const Session = capability(SessionImpl, [Type.String()], {
 *   balance: read(),
 *   transfer: [Type.String(), Type.Integer({ minimum: 1 })],
 * });
 */
export declare function capability<Class extends CapabilityClass, const Address extends readonly Schema$1[], const Entries extends object>(Class: Class, address: Address & CheckedAddress<Class, Address>, contract: Entries & CheckedContract<InstanceType<Class>, Entries> & Listable<InstanceType<Class>>): RpcClass<Class, EntryKindsOf<Entries>, IsCapability>;
/**
 * Revokes a capability for everybody who holds it. Later calls reject with `FORBIDDEN`, and subscriptions through
 * it end with that error. If a method later returns a capability with the same address, that is a new capability.
 *
 * @param instance - the object
 * @param revoked - an instance of the capability, with the address to revoke
 * @throws TypeError for a value that is not a capability of the object
 * @example
 * logout(): void { revoke(this.#bank, this); }
 */
export declare function revoke(instance: object, revoked: object): void;
/**
 * Ends the connections of some callers, for example when a user signs out everywhere or is banned. Their calls and
 * subscriptions reject with `FORBIDDEN`, and their clients do not connect again by themselves. Your hook
 * `onBeforeConnect` decides whether they can connect again.
 *
 * @param instance - the object
 * @param isMeant - returns whether to end the connections of a caller. It receives the caller that a hook named with
 *   `withCaller`, or `undefined` if no hook named a caller.
 * @returns the number of ended connections
 * @example
 * bar(user: string): void { closeClients<Caller>(this, (caller) => caller?.user === user); }
 */
export declare function closeClients<Caller>(instance: object, isMeant: (caller: Caller | undefined) => boolean): number;
/**
 * Returns the callers of all open connections, for example to show who is in a room. A live method that calls this runs
 * again when a connection opens or ends. A client that disappears without closing its connection is listed until the
 * runtime notices, which can take minutes.
 *
 * @param instance - the object
 * @returns the caller of each connection, as a hook named it with `withCaller`; `undefined` for a connection without a
 *   named caller. A user with two tabs is listed twice.
 * @example
 * present(): string[] { return [...new Set(connectedCallers<Caller>(this).map((caller) => caller?.user ?? 'guest'))]; }
 */
export declare function connectedCallers<Caller>(instance: object): (Caller | undefined)[];
/**
 * Compiles a contract. Call it at module scope, so that a mistake in it is found when the Worker starts.
 *
 * @param contract - an entry for each method. An entry is a list of schemas (of TypeBox, or of a library with Standard
 *   Schema), the result of `read`, `volatile`, `internal`, `live`, `events`, `stream` or `rows`, or an object
 *   `{ input, readonly, volatile, plain, returns, output, title, description }`.
 * @param options - limits, hibernation, the journal and others, as for `lumenizeRpcDO`: see `ContractOptions`. Default:
 *   none.
 * @returns the compiled contract for `handleRpcRequest`, `handleRpcMessage` and `handleRpcClose`
 * @throws TypeError for a malformed contract: for example a reserved method name, a limit that would limit nothing, or a
 *   schema with a keyword, a type or a format that would not be checked. In a bundle for development or tests, the error
 *   says what to write, and an unknown key is an error, too.
 * @example
 * const contract = compileContract({ increment: [Type.Optional(Type.Integer())] });
 */
export declare function compileContract(contract: Contract, options?: ContractOptions): CompiledContract;
type DurableObjectClass = new (ctx: DurableObjectState, env: never) => DurableObject<unknown>;
/**
 * Adds RPC to a Durable Object class.
 *
 * @param Class - a Durable Object class; its own `fetch` and WebSocket handlers still receive
 *   everything that is not RPC
 * @param contract - the methods that clients can call, with a schema for each argument. The schemas are of TypeBox, or of
 *   a library that implements Standard Schema, such as Zod, Valibot or ArkType.
 * @param options - see `ContractOptions`: limits, hibernation, the journal, the treatment of errors, and more
 * @returns a subclass with the same name and statics. Its listed methods also check their
 *   arguments when called through native Workers RPC, and throw `INVALID_ARGUMENTS`.
 * @throws TypeError for an invalid contract, for example for a name that is reserved, or that is not a method of the
 *   class. In `wrangler dev` the class is defined anyway, and each of its calls rejects with this error until you correct
 *   the mistake.
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, { increment: [Type.Optional(Type.Integer())] });
 * export type Counter = RpcObject<typeof Counter>;
 */
export declare function lumenizeRpcDO<Class extends DurableObjectClass, const Entries extends object>(Class: Class, contract: Entries & CheckedContract<InstanceType<Class>, Entries> & Listable<InstanceType<Class>>, options?: ContractOptions): RpcClass<Class, EntryKindsOf<Entries>>;
/** The options of `feed`. */
export interface FeedOptions<Event> {
  /**
   * Number of the newest events that are stored, for clients that were disconnected. Default 1 000.
   */
  keep?: number | undefined;
  /** Number of events that are sent to a subscriber before it has read the first of them. Default 64. */
  window?: number | undefined;
  /**
   * Returns one event that replaces all earlier events. A subscriber receives it first, if it has no cursor or an expired
   * cursor. In this function, `currentCaller()` returns the subscriber. Default: a subscriber without a cursor begins
   * with the next event, and a subscription with an expired cursor rejects with `CURSOR_EXPIRED`.
   */
  snapshot?: (() => Event) | undefined;
  /**
   * Holds the events only in the memory of the object, and writes no row. Use it for events that only connected clients
   * need. A subscriber that was away gets the events that are still in memory. If some are missing, it continues with the
   * next event, or with `snapshot`, and the option `onGap` of `subscribe` is called once. Subscriptions survive
   * hibernation, but events do not. Events are sent even if a transaction is rolled back. Default `false`.
   */
  volatile?: boolean | undefined;
}
/** The options of `read`, which choose the events. */
export interface FeedReadOptions {
  /** Cursor before which to read. Default: the end of the feed. */
  before?: string | undefined;
  /** Cursor after which to read, beginning with the next event. Default: the newest events are read. */
  after?: string | undefined;
  /** Maximum number of events to return. Default 50. */
  limit?: number | undefined;
}
/** A numbered log of events. A subscriber receives each event once and in order. */
export interface Feed<Event> extends HasEvents<Event> {
  /**
   * Adds events. Subscribers receive them at the end of the turn, or at the end of an asynchronous transaction if one
   * is open. The events are stored together with the method's other writes. If the writes are rolled back, so are the
   * events.
   *
   * @param events - values that can be sent
   * @throws RpcError `LIMIT_EXCEEDED` for an event of more than 65 536 characters of JSON and bytes; `UNSERIALIZABLE`
   *   for an event that cannot be sent or, where the Worker runs locally, does not match `output` in the contract. After
   *   an error, none of the events is added.
   */
  append(...events: Event[]): void;
  /**
   * The current end of the feed, for the option `after` of `subscribe`. A method can return it together with the
   * state that it has read. With it, the client subscribes to the events after that state.
   */
  readonly cursor: string;
  /**
   * Returns stored events: the newest events, events before a cursor, or events after a cursor. A method can return them,
   * so that a client reads older events page by page, and subscribes after the newest page without a gap. Events that
   * the running method has appended are included.
   *
   * A cursor is a position between two events. For older events, pass the `before` of a page. A page without `before` has
   * the oldest event that the feed has kept.
   *
   * @param options - `before` and `after`, cursors; `limit`, a number of events, 50 by default
   * @returns the events with their cursors, the oldest first. There are fewer than `limit` if they would have more than
   *   1 000 000 characters of JSON. The `before` and `after` of the page then continue with the other events.
   * @throws RpcError `CURSOR_EXPIRED` for a cursor of events that are gone, because a transaction was rolled back, or the
   *   storage was emptied or restored; for an `after` whose next event was dropped; and for text that is no cursor of this
   *   feed. RangeError for a `limit` that is not a positive integer.
   * @example
   * history(before?: string): FeedPage<Message> { return this.messages().read({ before }); }
   * // In the contract:
   * history: read([Type.Optional(Type.String({ maxLength: 100 }))]),
   */
  read(options?: FeedReadOptions): FeedPage<Event>;
}
/**
 * Returns a feed of an object, which is a log of events in the object's storage. Clients subscribe to it through a method
 * that returns the feed, and that the contract lists by `events`. The storage has no data of the subscribers.
 *
 * @param instance - the object
 * @param name - the name of the feed in the object; at most 500 characters when URI-encoded
 * @param options - `keep`, a number of events; `window`, a number of events; `snapshot`. They must be equal wherever the
 *   name is used.
 * @returns the feed
 * @throws TypeError for a name that is empty or too long; RangeError for an option that is not a positive integer
 * @example
 * messages(): Feed<Message> { return feed(this, 'messages'); }
 * post(text: string): void { this.messages().append({ text }); }
 * // In the contract:
 * messages: events(),
 */
export declare function feed<Event>(instance: object, name: string, options?: FeedOptions<Event>): Feed<Event>;
/**
 * The entry of a method that returns a feed, from `feed(this, name)`. The method changes nothing. Clients subscribe to the
 * events of the feed.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the events; `output`, the schema of an event; `title`;
 *   `description`
 * @returns the entry
 * @example
 * messages: events(),
 */
export declare function events<const Input extends Schemas$1 = readonly [], const Class extends Returns = undefined, Sent extends Output = undefined>(schemas?: Input, options?: MethodOptions<Class, Sent>): MethodEntry<'events', NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>>;
/**
 * Answers a request if it is RPC. The path of an RPC request ends in `/call`. The request is a WebSocket upgrade
 * that offers the subprotocol `lumenize-rpc.1`, or a POST of a frame.
 *
 * @param request - the request that the object's `fetch` received
 * @param instance - the object whose methods are called
 * @param contract - from `compileContract`
 * @returns the response; `undefined` if the request is not RPC, so the class must handle it
 * @example
 * async fetch(request: Request) {
 *   return (await handleRpcRequest(request, this, contract)) ?? new Response('mine');
 * }
 */
export declare function handleRpcRequest(request: Request, instance: object, contract: CompiledContract): Response | Promise<Response> | undefined;
/**
 * Handles a WebSocket message if `handleRpcRequest` accepted its socket.
 *
 * @returns whether the message was RPC; if not, the class must handle it
 * @example
 * webSocketMessage(ws: WebSocket, message: string | ArrayBuffer) {
 *   if (!handleRpcMessage(ws, message, this, contract)) this.onChat(ws, message);
 * }
 */
export declare function handleRpcMessage(ws: WebSocket, message: string | ArrayBuffer, instance: object, contract: CompiledContract): boolean;
/**
 * Handles the closing of a socket if `handleRpcRequest` accepted the socket. Call it for an error of a socket too, with
 * the code 1006, because no `webSocketClose` follows an error.
 *
 * @returns whether the socket was RPC; if not, the class must handle it
 * @example
 * webSocketClose(ws: WebSocket, code: number, reason: string) {
 *   if (!handleRpcClose(ws, code, reason, this, contract)) this.onLeave(ws);
 * }
 * webSocketError(ws: WebSocket, error: unknown) {
 *   if (!handleRpcClose(ws, 1006, String(error), this, contract)) this.onLeave(ws);
 * }
 */
export declare function handleRpcClose(ws: WebSocket, code: number, _reason: string, instance: object, contract: CompiledContract): boolean;
/** The options of `live`. */
export interface LiveEntryOptions<Class extends Returns = Returns, Sent extends Output = Output, Key extends string | undefined = string | undefined> extends MethodOptions<Class, Sent> {
  /**
   * The property that identifies a row, for a method that returns a list of rows, or an object or a `Map` of lists of
   * rows. Only the rows that have changed are then sent, and a row that has not changed stays the same object for the
   * subscriber. The property is a string, a number or a bigint, and each row of a list has its own. Where the Worker runs
   * locally, a row without it rejects with `UNSERIALIZABLE`. Default: each change sends the whole value.
   */
  readonly key?: Key | undefined;
}
/** The entry that `live` returns. */
export interface LiveEntry<Key extends string | undefined = string | undefined, Input extends Schemas$1 = Schemas$1, Class extends Returns = Returns, Sent extends Output = Output> extends MethodEntry<'live', Input, Class, Sent> {
  readonly key: Key;
}
/**
 * Reports that live values may have changed outside of a call of a contract's method, for example in an alarm or in the
 * class's own `fetch`. An asynchronous method needs it only to send a change before the method ends. Values that
 * have changed are sent at the end of the turn.
 *
 * @param instance - the object
 * @example
 * override alarm(): void { this.ctx.storage.kv.delete('topic'); changed(this); }
 */
export declare function changed(instance: object): void;
/**
 * The entry of a method whose result is a live value. Subscribers receive the result of the method, and each change of
 * it. The method changes nothing and returns the value, not a promise. Clients can call it, too. It runs again after each
 * turn that ran a method which may have changed the object.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `key`, the property that identifies a row of a list, so that only changed rows are sent; `returns`,
 *   the capability classes in the value; `output`, the schema of a value; `title`; `description`
 * @returns the entry
 * @example
 * topic: live(),
 * cards: live([], { key: 'id' }),
 */
export declare function live<const Input extends Schemas$1 = readonly [], const Class extends Returns = undefined, Sent extends Output = undefined, const Key extends string | undefined = undefined>(schemas?: Input, options?: LiveEntryOptions<Class, Sent, Key>): LiveEntry<NoInfer<Key>, NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>>;
/**
 * The entry of a presence, which shows data of each connected client to the others, such as the position of a cursor, or
 * that somebody is typing. The others see a change within about 16 ms, and the data is gone when the client disconnects.
 * Nothing is stored in the object's storage. Clients take part with `presence(client, …)`, or with `usePresence` in React.
 * With `subscribe(client)`, a client only watches.
 *
 * The method receives the data of a client, and returns the value that the other clients see; `undefined` if they see
 * nothing. It changes nothing and returns the value, not a promise. In it, `currentCaller()` returns the caller of the
 * client. It runs without arguments for a client that begins without data. If it throws, the client's subscription ends
 * with that error, so it can refuse clients that may not watch. The value has at most 4 000 characters of JSON.
 *
 * @param schemas - an optional schema for each argument. Default: none.
 * @param options - `output`, the schema of the value that the others see; `title`; `description`
 * @returns the entry
 * @throws TypeError when the class is defined, if an argument is not optional
 * @example
 * cursors(at?: { x: number; y: number }) { return at && { ...at, user: currentCaller<Caller>()?.user }; }
 * // In the contract:
 * cursors: presence([Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() }))]),
 */
export declare function presence<const Input extends Schemas$1 = readonly [], Sent extends Output = undefined>(schemas?: Input, options?: Omit<MethodOptions<undefined, Sent>, 'returns'>): MethodEntry<'presence', NoInfer<Input>, undefined, NoInfer<Sent>>;
/** The options of `stream`. */
export interface StreamEntryOptions<Class extends Returns = Returns, Sent extends Output = Output> extends MethodOptions<Class, Sent> {
  /**
   * True if the method changes nothing, so that it may run again if the connection was lost before the first item
   * arrived. With `false`, it runs once for each loop. Default false.
   */
  readonly readonly?: boolean | undefined;
}
/** The entry that `rows` returns. */
export interface RowsEntry<Key extends string, Input extends Schemas$1 = Schemas$1, Class extends Returns = Returns, Sent extends Output = Output> extends MethodEntry<'rows', Input, Class, Sent> {
  readonly key: Key;
}
/**
 * The entry of a method that returns a stream: a generator, an iterator, a `ReadableStream`, or a promise of one.
 * Clients subscribe to its items. The stream is in the object's memory. If it is lost because the object was stopped, it
 * does not begin again, and the loop rejects with `DISCONNECTED`.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the items; `output`, the schema of an item; `title`;
 *   `description`; `readonly`, true if the method changes nothing
 * @returns the entry
 * @example
 * digits: stream([Type.Integer({ minimum: 1, maximum: 10_000 })]),
 */
export declare function stream<const Input extends Schemas$1 = readonly [], const Class extends Returns = undefined, Sent extends Output = undefined>(schemas?: Input, options?: StreamEntryOptions<Class, Sent>): MethodEntry<'stream', NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>>;
/**
 * The entry of a method that returns rows in an order, such as the cursor of a query. The method changes nothing, and
 * runs again for each page of rows. Its last parameter is optional. The runtime sets it to the place after which to
 * continue.
 *
 * @param key - the property of a row that is its place in the order: a string or a number
 * @param schemas - a schema for each argument. The schema of the last parameter is wrapped in `Type.Optional`, or accepts
 *   `undefined`.
 * @param options - `returns`, the capability classes in the rows; `output`, the schema of a row; `title`;
 *   `description`
 * @returns the entry
 * @example
 * seats: rows('place', [Type.Optional(Type.String())]),
 */
export declare function rows<const Key extends string, const Input extends Schemas$1, const Class extends Returns = undefined, Sent extends Output = undefined>(key: Key, schemas: Input, options?: MethodOptions<Class, Sent>): RowsEntry<Key, Input, NoInfer<Class>, NoInfer<Sent>>;
/** Migrates an object's tables to the schema that the code expects. */
/**
 * Runs the migrations that an object has not run yet. If a migration fails, none of them takes effect. Call it in the
 * constructor, because an object may wake with any earlier version of its tables. The number of migrations that have run
 * is stored under the key `schema_version`.
 *
 * @param storage - the storage of an object with SQLite: `"storage": "sqlite"` in the Wrangler configuration's `exports`
 * @param migrations - texts with one or more SQL statements, in order. Never change a migration after a deployment. Add
 *   another migration instead.
 * @throws the error of the statement that failed
 * @example
 * constructor(ctx: DurableObjectState, env: Env) {
 *   super(ctx, env);
 *   migrate(ctx.storage, ['CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT) STRICT']);
 * }
 */
export declare function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void;
/** The options of `servePort`. */
export interface ServePortOptions {
  /**
   * The caller that `currentCaller()` returns for calls over the port: JSON data of at most 2 000 characters. Default
   * `undefined`.
   */
  caller?: unknown;
}
/** A port that is served until it is closed, here or at the other end. */
export interface ServedPort {
  /** Closes the port. Calls that have no answer yet reject with `DISCONNECTED`. */
  close(): void;
}
/**
 * Serves an object to the other end of a port, where the client uses `messagePortTransport`. The other end can be an
 * iframe, a web worker, a worker thread, or a test without a network. Calls, validation, limits, live values, feeds,
 * capabilities and callbacks work as over a WebSocket. There is no journal, because a port loses no messages.
 *
 * @param port - a port of a `MessageChannel`, or any object with its methods
 * @param instance - a Durable Object, or an object of any class. Without a `ctx`, its feeds and the numbers
 *   of its capabilities are in memory, and last as long as the object.
 * @param contract - from `compileContract`
 * @param options - `caller`, the caller that `currentCaller()` returns. Default: none.
 * @returns an object whose `close` ends the connection. In browsers, a port does not report that the program at its
 *   other end has ended. Call `close` then, or the subscriptions and callbacks of that program stay in memory.
 * @throws TypeError if the contract lists something that is not a method; RangeError for a caller that is too
 *   large
 * @example
 * const compiled = compileContract({ increment: [Type.Optional(Type.Integer())] });
 * addEventListener('message', ({ ports: [port] }) => servePort(port, new Counter(), compiled));
 */
export declare function servePort(port: PortLike, instance: object, contract: CompiledContract, { caller }?: ServePortOptions): ServedPort;
/** A call that an object has begun. */
export interface CallStart extends StartedCall {
  /** The name of the object's class. */
  class: string;
  /**
   * `call`: a call of a client, over a WebSocket, HTTP or a port; `subscription`: the start of a subscription of a client,
   * until it has begun or was rejected; `native`: a call through native Workers RPC; `alarm`: the alarm of the class.
   */
  kind: 'call' | 'subscription' | 'native' | 'alarm';
  /** The name that the option `callerName` returned. */
  caller?: string;
  /** True if the call has arrived before, so that the journal has its answer, and no method runs. */
  replayed?: true;
}
/** A call of an object that has ended. */
export interface CallReport extends CallStart, EndedCall {}
/** The options of `reportCalls`. */
export interface CallReportOptions<Caller> {
  /**
   * Names the caller in reports, for example by the user's id. Its parameter is the caller that a hook named with
   * `withCaller`, or `undefined`. Default: reports have no caller.
   */
  callerName?: ((caller: Caller | undefined) => string | undefined) | undefined;
}
/**
 * Reports each call of an object when it begins and when it has ended. It reports calls and subscriptions of clients,
 * including rejected ones, calls through native Workers RPC, and the alarm of the class. The report of a subscription ends
 * when the subscription has begun. A method that the class itself calls is a part of the call, and has no report.
 *
 * @param onCall - called when a call begins. The function that it returns is called with the report when the call has
 *   ended, before the answer is sent. If one of them throws or rejects, the console shows the error, and nothing else
 *   changes.
 * @returns the value of the option `onCall` of `lumenizeRpcDO`
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, {
 *   onCall: reportCalls(() => (report) => console.log(JSON.stringify(report))),
 * });
 */
export declare function reportCalls<Caller = unknown>(onCall: OnCall<CallStart, CallReport>, { callerName }?: CallReportOptions<Caller>): Featured;
/**
 * Makes a span of each call of an object: of calls and subscriptions of clients, also if they are rejected, of calls
 * through native Workers RPC, of calls of callbacks, and of the alarm of the class. The span of a subscription ends
 * when the subscription has begun. A call that arrives again after a lost connection has one span. If the client has
 * the option `tracing`, the parent is the span of the client.
 *
 * @param tracer - starts spans: `openTelemetry(api)`, or a function of your own. If it throws, the console shows the
 *   error, and the call runs without a span.
 * @returns a feature for the option `use` of `lumenizeRpcDO`
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [traceCalls(openTelemetry(api))] });
 */
export declare function traceCalls(tracer: Tracer): Featured;
/**
 * Makes a span of each call in the platform's own tracing, if the Worker has `observability.traces.enabled`. The span
 * has a name such as `Counter.increment`. The platform accepts no parent from another program, so the span of the
 * client is in the attribute `traceparent`. `traceCalls` lists the calls that have a span.
 *
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [tracing] });
 */
export declare const tracing: Featured;
/**
 * Declares that an argument is a stream. The method receives an `AsyncIterable`. The client passes `stream(iterable)`, an
 * array or a set. Each item is validated when the method reads it. If an item is invalid, the method's loop throws
 * `INVALID_ARGUMENTS`.
 *
 * @param schema - the schema of each item: of TypeBox, or of a library that implements Standard Schema
 * @returns the schema of the argument in the contract. It cannot be used inside another schema.
 * @example
 * async upload(name: string, lines: AsyncIterable<string>): Promise<number> {
 *   let count = 0;
 *   for await (const line of lines) this.#add(name, ++count, line);
 *   return count;
 * }
 * // In the contract:
 * upload: [Type.String(), streamOf(Type.String({ maxLength: 10_000 }))],
 */
export declare function streamOf<Items extends Schema$1>(schema: Items): StreamOf<Items> & Featured;
export {};