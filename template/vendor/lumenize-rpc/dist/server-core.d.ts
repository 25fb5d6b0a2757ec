import { CallMessage, CodecFeedback, Encode, EncodedMessage, EncodingOptions, EndedCall, FeedPage, Frame, FrameCodec, HasContract, HasEvents, IsCapability, IsFeed, IsOneSignature, MethodKind, Mismatch, OnCall, PortLike, ReferenceOf, ReservedName, Resolve, RichObject, RpcError, StartedCall, StreamItem } from "./wire.js";
// @ts-ignore -- TypeBox is optional.
import { Static as Static$1 } from "typebox";
import { DurableObject } from "cloudflare:workers";
/** A call beyond a limit rejects with `LIMIT_EXCEEDED` and does not run, unless the limit says something else. */
export interface Limits {
  /**
   * Characters of text in one frame, and bytes beside them. Checked before the frame is parsed; of a POST,
   * while its body is read. Default 4 194 304 (4 MiB).
   */
  frameSize: number;
  /**
   * Calls and other messages in one frame. Up to four others at the beginning of the frame do not count. Checked
   * before the first call runs. Default 5 000.
   */
  callsPerFrame: number;
  /**
   * Calls of one connection that are running, including aborted ones. Checked before each call. Default
   * 10 000.
   */
  callsInFlight: number;
  /**
   * Bytes that the object holds for one client: frames and bodies that arrive, arguments of calls that run or wait,
   * items of streams, and what is sent and not acknowledged. A parsed value counts 24 bytes beside its characters.
   * Beyond it, further calls of the client are rejected before they run, and a frame or body that arrives is dropped.
   * Over a connection, the rest of a frame waits instead if the answers before it are not read. A single result may be
   * larger. Default 8 388 608 (8 MiB).
   */
  memoryPerClient: number;
  /**
   * Bytes that the object holds for all clients together. Beyond it, the client that holds most is closed with 1013,
   * after which it connects again; a POST gets status 503. Default 16 777 216 (16 MiB).
   */
  memoryPerObject: number;
  /**
   * Calls of one connection in a second; each POST is a connection of its own. As many can come at once. Checked
   * before each call. A call that has begun and is sent again after a lost connection is answered all the same.
   * Default no limit.
   */
  callsPerSecond: number;
  /**
   * Rejected messages of one client, such as wrong arguments; beyond the limit, its connection is closed with 4429,
   * and its requests get status 429 until it has had none rejected for a minute. Each call that runs subtracts one, an
   * unreadable frame adds ten, and a message that becomes no frame adds one. Checked before each message; the rest of
   * the frame is rejected, too. A client is known by its owner and its id. When the clients of one owner, or those
   * without an owner, exceed the limit together in a minute, each of them may have 100; beyond twice the
   * limit fewer and fewer, but always ten. From 100 on, a client's frames wait until frames of others have been
   * handled. Default 10 000.
   */
  refusals: number;
  /**
   * WebSockets of one object at a time; beyond the limit, an upgrade is answered with status 503. A client that
   * connects again replaces its own. Checked at each upgrade. Default no limit.
   */
  connections: number;
  /** Subscriptions of one connection at a time. Checked at each subscription. Default 32. */
  subscriptions: number;
  /**
   * Different calls of `live` methods that an object keeps current at a time; beyond the limit, one of the client
   * with the most ends. It ends with `LIMIT_EXCEEDED`, if no other client follows it, and unless the new one's client
   * would then have as many. Equal calls count once. Checked at each subscription. Default 1 000.
   */
  liveCalls: number;
  /**
   * Streams in the memory of one object at a time; beyond the limit, one that its client has left ends. It is the
   * oldest of the same client, or one of the client with the most, or the oldest of all. Rows are no streams here.
   * Checked at each stream. Default 1 000.
   */
  streams: number;
  /**
   * Calls of one connection's callbacks that wait for answers; beyond the limit, the callback's promise rejects.
   * Checked at each call. Default 1 000.
   */
  callbacks: number;
  /**
   * Streams among the arguments of the running calls of one connection. Each holds up to 2 MiB that its method has
   * not read. Checked at each stream. Default 32.
   */
  argumentStreams: number;
  /** Arguments of one call. Checked when they are decoded. Default 32. */
  argumentCount: number;
  /**
   * Nesting depth of objects in the arguments of one call. Checked when they are decoded, before they are
   * validated. Default 100.
   */
  valueDepth: number;
  /**
   * Objects, primitives and array holes in the arguments of one call; of the holes, there may be 2 000. Checked when
   * they are decoded, before they are validated. Default 100 000.
   */
  valueCount: number;
}
type MemoryLimits = Pick<Limits, 'memoryPerClient' | 'memoryPerObject'>;
/** A connection of a client, or a POST. */
interface MemoryHolder {
  readonly owner: string | undefined;
  readonly client: string | undefined;
  /** Closes the connection, and so releases what is kept for it. */
  giveWay(): void;
}
/** What an object holds for all of its clients. */
declare class ObjectMemory {
  limits: MemoryLimits;
  /** In bytes. */
  held: number;
  readonly clients: Map<unknown, ClientMemory>;
  /** The account of the client that has a connection. */
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
/** What an object holds for one client, over all of its connections. */
declare class ClientMemory {
  #private;
  /** In bytes. */
  held: number;
  readonly key: unknown;
  readonly holders: Set<MemoryHolder>;
  constructor(object: ObjectMemory, key: unknown);
  /** Whether further calls of the client have to be rejected. */
  get isFull(): boolean;
  /** What is released if the client is closed; 0 for a client without a connection. */
  get releasable(): number;
  /**
   * Adds bytes that can still be refused.
   *
   * @throws RpcError `LIMIT_EXCEEDED` beyond `memoryPerClient`; and beyond `memoryPerObject`, if the client is the one
   *   that holds most, which is then closed
   */
  admit(bytes: number): void;
  /** Adds bytes that exist already, such as an answer. */
  add(bytes: number): void;
  /** Marks bytes that stay when the connection is closed: arguments of a call that runs or waits. */
  pin(bytes: number): void;
  release(bytes: number): void;
  /** Ends the part of a connection that has ended. */
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
  /** Whether the client still waits for the answer. */
  isAwaited: boolean;
}
interface Connection {
  readonly caller: unknown;
  readonly owner: string | undefined;
  readonly client: string | undefined;
  readonly running: Map<number, RunningCall>;
  /** The account of what the object holds for the client. */
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
/** The classes that `capability` has made, and what it has compiled for each. */
/** A class made by `capability`. */
type CapabilityClass = new (...args: never[]) => object;
/** A schema of TypeBox, or another JSON Schema. As in TypeBox, the type says nothing of it. */
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
    /** It has no value at run time. */
    readonly types?: {
      readonly input: Input;
      readonly output: Output;
    } | undefined;
  };
}
/** What a schema of another library found. */
type StandardResult<Output> = {
  readonly value: Output;
  readonly issues?: undefined;
} | {
  readonly issues: readonly StandardIssue[];
};
/** A problem of a value. */
interface StandardIssue {
  readonly message: string;
  /** Where the problem is. */
  readonly path?: readonly (PropertyKey | {
    readonly key: PropertyKey;
  })[] | undefined;
}
/** A schema: of TypeBox, or of a library that implements Standard Schema. */
type Schema$1 = TSchema$1 | StandardSchema;
/** The types of a schema of another library. */
type TypesOf<Of extends StandardSchema> = NonNullable<Of['~standard']['types']>;
/** What a schema takes. */
type InputOf<Of> = Of extends StandardSchema ? TypesOf<Of>['input'] : Of extends TSchema$1 ? Static$2<Of> : never;
/** What a schema returns: for one of TypeBox, what it takes. */
type OutputOf<Of> = Of extends StandardSchema ? TypesOf<Of>['output'] : Of extends TSchema$1 ? Static$2<Of> : never;
/** A problem of a value. */
interface Issue {
  /** Where the problem is, from the value on, such as `.items[2].sku`; empty for the whole value. */
  readonly path: string;
  /** What is wrong, after the path in a sentence, such as `must be string, got 1`. */
  readonly message: string;
}
/** What a validator found: the value to use, or at least one issue. */
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
interface FeatureMethod {
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
interface CallContext {
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
  /** Whether the journal has the answer: `run` then returns it even if it is a failure, and no code of the class runs. */
  readonly isReplayed?: boolean;
}
/**
 * Surrounds a call or a part of one. It must call `run` once, before its first `await`.
 *
 * @param run - returns the encoded answer for `call`, nothing for `subscription`, and otherwise the result of the code;
 *   or a promise. Throws or rejects with what is sent to the client.
 * @returns what `run` has returned, or a promise of it. Only for `run` can it be replaced.
 */
type Around = (call: CallContext, run: () => unknown) => unknown;
/** Receives each frame of a connection: `up` is from the client to the object. */
type OnFrame = (direction: 'up' | 'down', frame: Frame, connection: Connection, instance: object) => void;
/** Every part is optional. A feature that a contract does not name costs nothing. */
interface Feature {
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
  readonly messages?: Readonly<Record<string, (message: unknown[], context: MessageContext) => void>>;
  /**
   * By tag, what reads a reference in arguments.
   *
   * @throws RpcError `BAD_MESSAGE` for a malformed reference
   */
  readonly references?: Readonly<Record<string, (parts: readonly unknown[], context: ReferenceContext) => unknown>>;
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
  readonly compile?: (method: string, entry: MethodDefinition, validators: readonly Validator[]) => FeatureMethod | undefined;
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
type ArgumentSchema = Schema$1 | CapabilityClass | (Featured & object);
/** Something in a contract that brings a feature: an entry, a schema, or a class. */
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
  /** Whether the result of a call that the message refers to is no longer known. */
  isMissing(message: CallMessage): boolean;
  /** Resolves when the calls that the message refers to have ended; `undefined` if all have. */
  pending(message: CallMessage): Promise<unknown> | undefined;
  /** @param resolve - resolves references of other kinds */
  resolver(message: CallMessage, resolve: Resolve): Resolve;
}
/** Where a message that is not a call has arrived. */
interface MessageContext extends Target {
  connection: Connection;
  /** The results that messages of the frame take; `undefined` if they take none. */
  results: EarlierResults | undefined;
}
/** What one feature keeps for a call. */
interface CallResource {
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
interface CallResources {
  readonly target: Target;
  readonly connection: Connection;
  /** The id of the call. */
  readonly id: number;
  /** What a feature keeps for the call; `undefined` if it has kept nothing yet. */
  find(feature: string): CallResource | undefined;
  add<Resource extends CallResource>(feature: string, resource: Resource): Resource;
}
/** The long form of an entry. */
interface MethodDefinition {
  readonly kind: MethodKind;
  /** What the kind brings. */
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
/** A class of capabilities, ready for use. */
interface CompiledCapability {
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
interface CompiledMethod {
  readonly name: string;
  /** The method changes nothing, so it can run twice. Always false for a method with a stream argument. */
  readonly readonly: boolean;
  /** The method may change what is in memory, and stores nothing: no answer is stored, and it never runs twice. */
  readonly volatile: boolean;
  readonly kind: MethodKind;
  /** Of rows: the property that contains the place of a row. Of a live value: the property that names a row. */
  readonly key: string | undefined;
  /** Whether its results are sent as JSON: where the Worker runs locally, after a check. */
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
  readonly output: Schema$1 | undefined;
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
  /** Whether arguments are read and validated while it runs. */
  readonly validatesWhileRunning: boolean;
  /** What it returns, if it can only be subscribed to. */
  readonly subscribableResult: string | undefined;
  /** Replaces validated arguments by what the method receives; `undefined` if they stay as they are. */
  readonly bind: ((args: unknown[], on: object, resources: CallResources | undefined) => unknown[]) | undefined;
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
/**
 * A method's entry: a schema for each argument, an object with these schemas and other properties, or what `read`,
 * `volatile`, `internal`, `live`, `events`, `stream` and `rows` return.
 */
type ListedMethod = readonly ArgumentSchema[] | LongEntry | InternalEntry | MethodEntry;
/** A call, with all that can be said of it. */
interface LongEntry {
  /** A schema for each argument. */
  readonly input: readonly ArgumentSchema[];
  /** The method changes nothing, so it is not journaled, and can run again after a lost connection. Default false. */
  readonly readonly?: boolean | undefined;
  /**
   * The method may change what is in memory, and stores nothing, so it is not journaled. A call that was on its way
   * when the connection was lost rejects with `DISCONNECTED`, and never runs twice. Default false.
   */
  readonly volatile?: boolean | undefined;
  /** The classes of the capabilities that the result contains. */
  readonly returns?: CapabilityClass | readonly CapabilityClass[] | undefined;
  /**
   * Sends results without a check, because each is plain: JSON represents it exactly, and no object occurs in it
   * twice. Where the Worker runs locally, the check remains, and rejects with `UNSERIALIZABLE`. Elsewhere a result
   * that is not plain arrives as `JSON.parse(JSON.stringify(result))`. Default false.
   */
  readonly plain?: boolean | undefined;
  /**
   * The schema of the result, which documents it. Where the Worker runs locally, each result is checked, and one that
   * does not match rejects with `UNSERIALIZABLE`. Default: none.
   */
  readonly output?: Schema$1 | undefined;
  /** A name for people, for documentation that is made from the contract. Default: none. */
  readonly title?: string | undefined;
  /** What the method does, for documentation that is made from the contract. Default: none. */
  readonly description?: string | undefined;
}
export type Contract = Record<string, ListedMethod>;
type Schemas$1 = readonly ArgumentSchema[];
/** A class of capabilities, or several. */
type Returns = CapabilityClass | readonly CapabilityClass[] | undefined;
/** The schema of what a method sends; `undefined` for an entry without one. */
type Output = Schema$1 | undefined;
/** What a helper returns. A plain record, so that two copies of the package understand each other. */
export interface MethodEntry<Of extends Exclude<MethodKind, 'call'> = Exclude<MethodKind, 'call'>, Input extends Schemas$1 = Schemas$1, Class extends Returns = Returns, Sent extends Output = Output> extends Featured {
  readonly '~entry': Of;
  readonly input: Input;
  readonly readonly: boolean;
  readonly returns: Class;
  readonly output: Sent;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Of rows: the property that contains the place of a row. Of a live value: the property that names a row. */
  readonly key?: string | undefined;
}
/** What `read` returns: the long form of an entry. */
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
  /** The classes of the capabilities in what the method sends. */
  readonly returns?: Class | undefined;
  /**
   * The schema of what the method sends, which documents it: the result of `read`, a value of `live`, an event, an item
   * of a stream, or a row. Where the Worker runs locally, each of these is checked, and what does not match is not sent:
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
  /** What the method does, for documentation that is made from the contract. Default: none. */
  readonly description?: string | undefined;
}
/**
 * The entry of a method that changes nothing. It is not journaled, and can run again after a lost connection.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the result; `output`, the schema of the result; `title`;
 *   `description`
 * @returns the same as `{ ...options, input, readonly: true }`
 * @example
 * history: read([Type.Integer({ minimum: 1, maximum: 100 })]),
 */
export declare function read<const Input extends Schemas$1 = readonly [], const Class extends Returns = undefined, Sent extends Output = undefined>(schemas?: Input, options?: MethodOptions<Class, Sent>): ReadEntry<NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>>;
/** What `volatile` returns: the long form of an entry. */
export interface VolatileEntry<Input extends Schemas$1 = Schemas$1, Class extends Returns = Returns, Sent extends Output = Output> {
  readonly input: Input;
  readonly volatile: true;
  readonly returns: Class;
  readonly output: Sent;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}
/**
 * The entry of a method that may change what is in memory, and stores nothing: the position of a cursor, or that
 * somebody types. It is not journaled, so a call writes no row. If the connection is lost while a call is on its way,
 * the call rejects with `DISCONNECTED` and `maybeExecuted: true`, and never runs twice. With `latest` of
 * `lumenize-rpc/client`, only the newest call counts.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the result; `output`, the schema of the result; `title`;
 *   `description`
 * @returns the same as `{ ...options, input, volatile: true }`
 * @example
 * moveCursor: volatile([Type.Number(), Type.Number()]),
 */
export declare function volatile<const Input extends Schemas$1 = readonly [], const Class extends Returns = undefined, Sent extends Output = undefined>(schemas?: Input, options?: MethodOptions<Class, Sent>): VolatileEntry<NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>>;
/** What `internal` returns. */
export interface InternalEntry<Input extends Schemas$1 = Schemas$1> {
  readonly input: Input;
  readonly internal: true;
}
/**
 * The entry of a method that other objects and Workers call through native Workers RPC, and no client can call. Its
 * arguments are checked, as those of the other methods are. After it, live values are computed again.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @returns the same as `{ input, internal: true }`
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
 * The methods that a contract can list. It gives the keys of a contract the declarations of the methods: an editor
 * completes them, leads from a key to the method, and renames both.
 */
type Listable<Instance> = { readonly [Name in keyof Instance as Name extends ReservedName ? never : Name]?: unknown; };
/** The entries that match the methods of `Instance`. Any other entry becomes a `Mismatch` with the reason. */
type CheckedContract<Instance, Entries> = { [Name in keyof Entries]: Name extends Exclude<keyof Instance, ReservedName> ? Instance[Name] extends ((...args: infer Parameters) => infer Result) ? Entries[Name] extends ((...args: never[]) => unknown) ? Mismatch<'call the helper: write live(), with parentheses'> : IsOneSignature<Instance[Name], Parameters, Result> extends true ? CheckedKind<Entries[Name], Parameters, Result> : Mismatch<'the method is generic or overloaded: write one signature without type parameters'> : Mismatch<'not a method of the class'> : Mismatch<Name extends ReservedName ? 'a reserved name' : 'not a method of the class'>; };
/** The kind of each method that a contract lists. By `infer`, the compiler prints the kinds, and not all schemas. */
type EntryKindsOf<Entries> = { readonly [Name in keyof Entries]: KindWithInput<Entries[Name]>; } extends (infer Kinds) ? Kinds : never;
/** The kind of an entry, with what clients pass in place of what the method takes. */
type KindWithInput<Entry> = SchemasOf<Entry> extends (infer Schemas extends readonly unknown[]) ? true extends HoldsStandard<Schemas[number]> ? PassedByIndex<Schemas> extends (infer Input) ? [keyof Input] extends [never] ? KindOf<Entry> : {
  readonly kind: KindOf<Entry>;
  readonly input: Input;
} : never : KindOf<Entry> : KindOf<Entry>;
type SchemasOf<Entry> = Entry extends readonly unknown[] ? Entry : Entry extends {
  readonly input: infer Input;
} ? Input : undefined;
/**
 * By index, what clients pass for the schemas whose value the method receives is another one, or that allow to leave the
 * argument out. For any other schema, clients pass what the method takes.
 */
type PassedByIndex<Schemas> = { readonly [Index in Extract<keyof Schemas, `${number}`> as IsPassedAsTaken<Schemas[Index]> extends true ? never : Index]: Passed<Schemas[Index]>; };
type IsPassedAsTaken<Schema> = true extends HoldsStandard<Schema> ? [Passed<Schema>, Given<Schema>] extends [Given<Schema>, Passed<Schema>] ? undefined extends Passed<Schema> ? false : true : false : true;
/** Whether a schema is of another library than TypeBox, or holds one: as that of items, or in a callback. */
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
/** What to write instead of an entry whose method returns something else; `never` if the kind is right. */
type WrongKind<Of extends MethodKind, Result> = unknown extends Result ? Of extends 'rows' ? NoRows : never : IsFeed<Awaited<Result>> extends true ? Of extends 'events' ? IsFeed<Result> extends true ? never : 'events is for methods that return the feed, not a promise' : 'the method returns a feed: write events([…])' : [StreamItem<Result>] extends [never] ? WrongWhole<Of, Result> : Of extends 'stream' | 'rows' ? never : 'the method returns a stream: write stream([…])';
/** The same, for a result that is sent as a whole. */
type WrongWhole<Of extends MethodKind, Result> = Of extends 'rows' ? NoRows : Of extends 'events' ? 'events is for methods that return a feed: feed(this, name)' : Of extends 'stream' ? unknown extends Awaited<Result> ? never : 'stream is for methods that return a generator, an iterator or a ReadableStream' : Of extends 'live' ? MayBePromise<Result> extends true ? 'live is for methods that return the value, not a promise' : never : Of extends 'presence' ? MayBePromise<Result> extends true ? 'presence is for methods that return what others see, not a promise' : never : never;
type NoRows = 'rows is for methods that return rows: Iterable<Row> or AsyncIterable<Row>, not an array';
/** The problem with an entry whose method returns a capability; `never` if there is none. */
type CheckedReturns<Entry, Result> = Awaited<Result> extends IsCapability ? unknown extends Result ? never : Awaited<Result> extends InstanceType<ReturnedBy<Entry>> ? never : Mismatch<KindOf<Entry> extends 'live' ? 'the method returns a capability: write live([…], { returns: Class }), with its class' : 'the method returns a capability: write { input: [], returns: Class }, with its class'> : never;
/** Checks what a helper has returned. A mistake in a part of it becomes the mistake of the entry. */
type CheckedHelped<Entry, Input, Parameters extends unknown[], Result> = (Entry extends {
  readonly key: infer Key extends string;
} ? KindOf<Entry> extends 'live' ? WrongRowKey<Key, RowOf<Result>> : WrongKey<Key, Input, Parameters, Result> : never) | WrongOutput<Entry, Result> | (Input extends readonly ArgumentSchema[] ? MismatchIn<CheckedInput<Input, Parameters>> : Mismatch<'a list with a schema for each parameter'>) extends (infer Problem) ? [Problem] extends [never] ? Entry : Problem : never;
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
type WrongRowKey<Key extends string, Row> = unknown extends Row ? never : [Row] extends [never] ? Mismatch<'key is for methods that return a list of rows, or lists of rows by name'> : [Row] extends [{ readonly [Name in Key]: string | number | bigint; }] ? never : Key extends keyof Row ? Mismatch<'the key of a row must be a string, a number or a bigint'> : Mismatch<{
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
/** The problem with the output schema of what a helper has returned; `never` if there is none. */
type WrongOutput<Entry, Result> = Entry extends {
  readonly '~entry': infer Of extends MethodKind;
  readonly output: infer Schema;
} ? Schema extends undefined ? never : Extract<CheckedOutput<Schema, SentBy<Of, Result>, Of>, Mismatch<unknown>> : never;
/** What a method of a kind sends: an event, an item, a row or a value; `never` where the compiler cannot know it. */
type SentBy<Of extends MethodKind, Result> = Of extends 'events' ? unknown extends Result ? never : Result extends HasEvents<infer Event> ? Event : never : Of extends 'stream' | 'rows' ? StreamItem<Result> : Of extends 'presence' ? Exclude<Result, undefined> : Result;
/** Checks that an output schema allows what a method of a kind sends. */
type CheckedOutput<Schema, Sent, Of extends MethodKind> = Schema extends undefined ? Schema : Schema extends object ? [Sent] extends [InputOf<Schema>] ? Schema : Mismatch<OutputMismatch<InputOf<Schema>, Sent>[Of]> : Mismatch<'a schema, such as Type.String()'>;
/** By kind, what does not fit. */
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
/** The place of a row, as the runtime passes it: a schema of another library than TypeBox can make another value of it. */
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
/** Checks a schema of another library than TypeBox: a method receives what it returns. */
type CheckedStandard<Schema extends StandardSchema, Parameter, Optional, Made> = Schema extends {
  '~optional': true;
} ? Mismatch<'Type.Optional is for schemas of TypeBox: use the optional() of your library'> : [Made] extends [Parameter] ? Optional extends true ? undefined extends InputOf<Schema> ? Schema : Mismatch<'the parameter is optional: make its schema optional, too'> : Schema : [Parameter] extends [AsyncIterable<unknown>] ? Mismatch<'the parameter is a stream: write streamOf(schema)'> : Mismatch<{
  schemaReturns: Made;
  methodTakes: Parameter;
}>;
/** Whether the project has `strictNullChecks`. Without them, the compiler takes every parameter for an optional one. */
type IsStrict = undefined extends 'text' ? false : true;
type CheckedStream<Schema, Item, Parameter> = AsyncIterable<Item> extends Parameter ? Schema : [Parameter] extends [AsyncIterable<infer Taken>] ? [Item] extends [Taken] ? Mismatch<'the parameter must be an AsyncIterable, not a ReadableStream'> : Mismatch<{
  itemsAre: Item;
  methodTakes: Parameter;
}> : Mismatch<'streamOf() is for a parameter that is an AsyncIterable'>;
type CheckedValue<Schema, Parameter, Optional> = IsBare<Schema> extends true ? Mismatch<'a function is a callback: write callback([…], result)'> : CheckedSchema<Schema, Parameter, Optional>;
/** Whether a schema is, or holds, a function that `callback` has not made. */
type IsBare<Schema> = Schema extends TFunction ? Schema extends IsCallback ? false : true : Schema extends TArray<infer Items> ? IsBare<Items> : Schema extends TObject$1<infer Properties> ? true extends { [Name in keyof Properties]: IsBare<Properties[Name]>; }[keyof Properties] ? true : false : false;
type CheckedSchema<Schema, Parameter, Optional> = Schema extends TSchema$1 ? Given<Schema> extends Parameter ? Schema extends {
  '~optional': true;
} ? Optional extends true ? Schema : Mismatch<'Type.Optional on a parameter that is required'> : Optional extends true ? undefined extends Static$2<Schema> ? Schema : Mismatch<'the parameter is optional: wrap its schema in Type.Optional'> : Schema : HoldsFunction<Schema> extends true ? Passed<Schema> extends Parameter ? Mismatch<'a callback returns a promise: write (…) => Promise<…>, or (…) => void'> : Mismatch<{
  schemaAllows: Given<Schema>;
  methodTakes: Parameter;
}> : [Parameter] extends [AsyncIterable<unknown>] ? Mismatch<'the parameter is a stream: write streamOf(schema)'> : Mismatch<SchemaMismatch<Schema, Parameter>> : never;
/** What does not fit: a schema, or a value in its place. */
type SchemaMismatch<Schema extends TSchema$1, Parameter> = Schema extends ((...args: never[]) => unknown) | {
  readonly string: (...args: never[]) => unknown;
} ? 'not a schema: call what makes one, such as z.string()' : Schema extends Readonly<Record<string, StandardSchema>> ? 'an object of schemas: write z.object({ … }), or that of your library' : {
  schemaAllows: Static$2<Schema>;
  methodTakes: Parameter;
};
/** What a method receives for a schema. For a function, this is a callback that calls the client's function. */
type Given<Schema> = AtEnd<Schema, 'object'>;
/** What a client passes for a schema: for a stream, one that can also be a list. */
type Passed<Schema> = AtEnd<Schema, 'client'>;
/** The type of a schema's value at one end. */
type AtEnd<Schema, End extends 'client' | 'object'> = HoldsFunction<Schema> extends true ? Schema extends TFunction<TSchema$1[], infer Result> ? (...args: CallbackArgs<Schema>) => End extends 'object' ? Promise<OutputOf<Result>> : InputOf<Result> : Schema extends TArray<infer Items> ? AtEnd<Items, End>[] : Schema extends TObject$1<infer Properties> ? { [Name in keyof Static$2<Schema>]: Name extends keyof Properties ? AtEnd<Properties[Name], End> : never; } : DataAtEnd<Schema, End> : Schema extends StreamOf<infer Items> ? AsyncIterable<DataAtEnd<Items, End>> : DataAtEnd<Schema, End>;
/** The same, for a schema that holds neither functions nor streams. */
type DataAtEnd<Schema, End> = End extends 'object' ? OutputOf<Schema> : InputOf<Schema>;
/** What a method passes to a callback: the values are sent as they are. */
type CallbackArgs<Schema extends TFunction> = Schema extends TFunction<infer Parameters, TSchema$1> ? Parameters extends [] ? [] : true extends HoldsStandard<Parameters[number]> ? { [Index in keyof Parameters]: InputOf<Parameters[Index]>; } : Static$2<TFunction<Parameters, TVoid>> extends ((...args: infer Args) => unknown) ? Args : never : never;
/** Whether the values of a schema contain functions. */
type HoldsFunction<Schema> = Schema extends StandardSchema ? false : Schema extends TFunction ? true : Schema extends TArray<infer Items> ? HoldsFunction<Items> : Schema extends TObject$1<infer Properties> ? true extends { [Name in keyof Properties]: HoldsFunction<Properties[Name]>; }[keyof Properties] ? true : false : false;
/** The type, with `never` for what JSON lacks. */
type Plain<Type> = Type extends string | number | boolean | null | undefined ? Type : Type extends RichObject | bigint | symbol | ((...args: never[]) => unknown) ? never : Type extends object ? { [Name in keyof Type]: Plain<Type[Name]>; } : Type;
/** Whether a result is a promise in some cases. The compiler cannot know it of `any` and `unknown`. */
type MayBePromise<Result> = unknown extends Result ? false : [Extract<Result, PromiseLike<unknown>>] extends [never] ? false : true;
/** A class of which an instance can be made in some way. */
type AnyClass = abstract new (...args: never[]) => object;
/**
 * The class that `lumenizeRpcDO` or `capability` returns: it has the constructor and the statics of the class that was
 * passed, and its instances carry the kinds of the methods to their clients. You write this type only where the
 * compiler cannot infer it, as with `isolatedDeclarations`.
 *
 * @example
 * type Kinds = { increment: 'call'; getValue: 'live' };
 * export const Counter: RpcClass<typeof CounterImpl, Kinds> = lumenizeRpcDO(CounterImpl, contract);
 */
export type RpcClass<Class extends AnyClass, Kinds, Brand = unknown> = {
  new (...args: ConstructorParameters<Class>): InstanceType<Class> & HasContract<Kinds> & Brand;
} & { [Static in keyof Class]: Class[Static]; };
/**
 * The instances of a class that `lumenizeRpcDO` or `capability` has returned. It is `InstanceType`, but the compiler
 * and editors show the name of your type: `RpcClient<Counter>`.
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
   * Stores answers in SQLite, so that a call which arrives twice runs once. Without it, a call whose connection is
   * lost rejects with `DISCONNECTED`. It costs one written row for each turn that ends calls of methods which are not
   * `readonly`. Default true.
   */
  journal?: boolean | undefined;
  /**
   * How long the object remembers a client after its last call, in milliseconds. A call whose first attempt
   * is older than half of that runs only if the client is remembered. Default 3 600 000.
   */
  journalAge?: number | undefined;
  /**
   * Sends a thrown error with its stack, its cause and its properties; with `false`, only its name, message and
   * `code`. A `code` is sent if it is a string or a number. An `RpcError` always keeps its properties. Default true in
   * `wrangler dev`, in Vite's development server and in Vitest; otherwise false.
   */
  exposeErrorDetails?: boolean | undefined;
  /**
   * Called with each error that a method throws, which its result replaces unless that is `undefined`. If it throws,
   * the console shows that error, and the client gets an error without details.
   */
  onError?: ((error: unknown, call: {
    method: string;
  }) => unknown) | undefined;
  /**
   * Reports each call when it begins and when it has ended: `reportCalls(…)` of `lumenize-rpc/server`. Default: no
   * reports.
   */
  onCall?: Featured | undefined;
  /**
   * Features that no entry of the contract brings: `bytes` of `lumenize-rpc/server` sends large buffers as they are,
   * and `debug` of `lumenize-rpc/debug` shows calls and frames on the console. Default: none.
   */
  use?: readonly Featured[] | undefined;
  /**
   * How long the object waits for a callback's answer, in milliseconds, before its promise rejects with `TIMEOUT`.
   * The object stays awake meanwhile. Default 30 000.
   */
  callbackTimeout?: number | undefined;
  /**
   * How long a stream waits in memory for a client that does not read it, or a method for the next item of an
   * argument, in milliseconds. Then the stream ends, and the method's loop rejects with `TIMEOUT`. The object stays
   * awake meanwhile. Default 60 000.
   */
  streamTimeout?: number | undefined;
}
/**
 * Names the caller of all calls that a request, or the socket that it opens, carries.
 *
 * @param request - the request that a hook of `routeDORequest` received
 * @param caller - JSON data, stored with the socket: at most 4 000 characters together with `identity`, so
 *   2 000 without one
 * @param identity - text that stays the same when the same user connects again. Default: the JSON text of
 *   `caller`. Pass it if `caller` contains something that changes, such as the expiry of a token. A client that
 *   connects again with another identity is rejected with `FORBIDDEN`. Visitors may share an identity, such as
 *   `guest`: none of them is barred for the rejected messages of another.
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
 * Call this before the first `await` of a method: afterwards another call may be running.
 *
 * @returns the caller; `undefined` for native Workers RPC, or if no hook named a caller
 * @example
 * rename(name: string) { const { user } = currentCaller<{ user: string }>() ?? refuse(); … }
 */
export declare function currentCaller<Caller>(): Caller | undefined;
/**
 * Returns the token of a callback or a capability: text that you can store. You can take the token of a
 * callback until the call that passed it ends. This keeps the callback until `dropCallback`. Its token contains
 * the secret id of its client, so do not send it to other clients.
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
 * Returns the name of a relay for `getByName`. A client cannot name this object, so only the Worker leads to it.
 *
 * @param origin - the name of the object that the relay copies; it is no relay itself
 * @param region - where the relay is, such as `EU`: letters, digits, `-` and `_`
 * @param index - distinguishes the relays of a region: 0 or a positive integer
 * @throws RangeError for a name that is empty or a relay's, and for a region or an index that is not valid
 * @example
 * env.MATCH_RELAY.getByName(relayName('final', 'EU', 0), { locationHint: 'weur' });
 */
export declare function relayName(origin: string, region: string, index: number): string;
/**
 * Returns the name of the object that a relay copies.
 *
 * @param relay - the name of the relay: `this.ctx.id.name`
 * @throws RangeError for a name that is not from `relayName`
 * @example
 * readonly #match = relay<Match>(this, () => this.env.MATCH.getByName(originOf(this.ctx.id.name)));
 */
export declare function originOf(relay: string | undefined): string;
/** A class that `lumenizeRpcDO` has returned. */
export type ClassWithContract = abstract new (...args: never[]) => HasContract<unknown>;
/** What a contract says of one method. */
interface MethodDescription {
  readonly name: string;
  readonly kind: MethodKind;
  /** The method changes nothing. */
  readonly readonly: boolean;
  /** The method changes only what is in memory, so no answer is stored. */
  readonly volatile: boolean;
  /** The schemas of the arguments. */
  readonly input: readonly ArgumentSchema[];
  /** The classes of the capabilities in what the method sends. */
  readonly returns: readonly CapabilityClass[];
  /** The schema of a result, a live value, an event, an item or a row; `undefined` if the entry has none. */
  readonly output: Schema$1 | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
}
/** What a contract says. */
export interface ContractDescription {
  readonly methods: ReadonlyMap<string, MethodDescription>;
  readonly limits: Pick<Limits, 'frameSize'>;
  /** Whether answers are stored, so that a call which arrives twice runs once. */
  readonly journal: boolean;
}
/** Which other origins may call, and whether with cookies (`credentials`, default false). */
export interface CorsOptions {
  /** The origins that may call, such as `https://example.com`, or a function that decides. */
  origin: readonly string[] | ((origin: string, request: Request) => boolean);
  /**
   * Allows requests with cookies and logins, which the router otherwise removes from what another origin sends. That
   * is what a browser sends by itself, with a WebSocket upgrade too: `Cookie`, an `Authorization` of the schemes
   * Basic, Digest, Negotiate and NTLM, and the headers of Cloudflare Access. Tokens in `protocols` and `headers`
   * arrive. Default false.
   */
  credentials?: boolean | undefined;
}
/** `false`: only the Worker's own pages, and callers that are not browsers. `true`: any page. */
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
   * What `routeHttpRequest` of `lumenize-rpc/http` has as `classes`: other paths than `…/call` of these bindings are
   * left to it. Default: none.
   */
  classes?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Which other origins may call, by POST and by WebSocket; a page of any other gets status 403. It can read the
   * reason, and the console of the Worker shows once how to allow the origin. Default: no other origin.
   *
   * @example
   * cors: { origin: ['https://example.com'] }
   */
  cors?: Cors | undefined;
  /**
   * Called before a WebSocket upgrade reaches the object and wakes it: returns a `Response` to reject it, or a
   * `Request` to replace it.
   */
  onBeforeConnect?: Hook | undefined;
  /** Like `onBeforeConnect`, for every other request. */
  onBeforeRequest?: Hook | undefined;
  /**
   * Chooses another object for a WebSocket than the one that the path names, such as a relay of it. Gets the request
   * that `onBeforeConnect` has passed on. Choose by a list of your own: whatever name a client invents, it is called with.
   * Default: the object that the path names.
   *
   * @example
   * connectTo: (_, { instance }) =>
   *   instance === 'lobby' ? env.RELAY.getByName(relayName(instance, 'EU', 0)) : undefined
   */
  connectTo?: ((request: Request, route: Route) => FetchTarget | undefined) | undefined;
  /**
   * Near which region an object is created, or a function that says so for each request that the hooks have passed on.
   * Objects that exist stay where they are. Default: near the client that reaches the object first.
   *
   * @example
   * locationHint: (request, { instance }) => (instance.startsWith('eu-') ? 'weur' : undefined)
   */
  locationHint?: Choice<DurableObjectLocationHint> | undefined;
  /**
   * Where an object runs and stores its data, or a function that says so for each request that the hooks have passed
   * on. The same name with another jurisdiction is another object. Without effect where the Worker runs locally.
   * Default: no restriction.
   *
   * @example
   * jurisdiction: 'eu'
   */
  jurisdiction?: Choice<DurableObjectJurisdiction> | undefined;
}
/** A value for every object, or a function that returns the value for the object of a request. */
type Choice<Value> = Value | ((request: Request, route: Route) => Value | undefined);
/** What gets a request: a stub. */
export interface FetchTarget {
  fetch(request: Request): Promise<Response>;
}
/**
 * Routes `{prefix}/{binding}/{instance}/call` to a Durable Object.
 *
 * The binding is looked up as written, and then in the usual spellings: `my-counter` finds `MY_COUNTER` and
 * `MyCounter`. An instance of 64 hex characters is an id, anything else a name.
 *
 * @param request - the request that the Worker received
 * @param env - the Worker's bindings
 * @returns the object's response; `undefined` if the path is not under the prefix or names none of the
 *   bindings; 400 if the instance is missing, malformed or a name of the library; 403 for a page of another origin; 404 for a path
 *   that is not `…/call`; 500 if two bindings match or a function among the options throws. In `wrangler dev`
 *   and in Vitest, 404 with the reason for a client that names no binding. It never throws because of what a
 *   client sent.
 * @example
 * return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
 */
export declare function routeDORequest(request: Request, env: object, options?: RouteOptions): Promise<Response | undefined>;
/**
 * Sends and receives buffers of more than 1 024 bytes as bytes, to and from clients with the option `bytes`.
 * Without it, they are sent as Base64 text, which is a third larger and takes both ends longer to write and to read.
 * The values are the same.
 *
 * @example
 * export const Files = lumenizeRpcDO(FilesImpl, contract, { use: [bytes] });
 */
export declare const bytes: Featured;
type AnyFunction = (...args: never[]) => unknown;
/**
 * Returns a kept callback by its token. You can call it in any later call or alarm, also after hibernation and
 * restarts. Its promise rejects with `DISCONNECTED` while the client is away. It rejects with `CLOSED` if the
 * client no longer has the function, for example after `dropCallback`. The current contract validates the result;
 * if it no longer has the callback, the promise rejects with `METHOD_NOT_FOUND`.
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
 * Stops keeping a callback. Its client, if connected, forgets the function, unless another token of it is kept.
 * Call this when you delete the token from the storage. It has no effect on a callback that is not kept.
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
 * Declares that the client passes a function, which the method can call. The method gets a function that returns a
 * promise. The client passes `callback(fn)`. What the function returns is validated when it arrives; if it does not
 * fit, the promise rejects with `INVALID_ARGUMENTS`.
 *
 * @param parameters - a schema for each argument that the function takes, for its type: of TypeBox, or of a library that
 *   implements Standard Schema. Default: none.
 * @param result - the schema of what it returns. Default `Type.Void()`: what it returns is ignored.
 * @returns a schema: for an argument, a property of a `Type.Object`, or the items of a `Type.Array`, at any depth
 * @example
 * load(csv: string, onProgress: (percent: number) => void): void { … }
 * // In the contract:
 * load: [Type.String(), callback([Type.Number()])],
 */
export declare function callback<Parameters extends Schema$1[] = [], Result extends Schema$1 = TVoid>(parameters?: [...Parameters], result?: Result): CallbackSchema<Parameters, Result>;
/** `Address`, if it has a schema for each argument of the constructor after the object. */
type CheckedAddress<Class extends CapabilityClass, Address extends readonly ArgumentSchema[]> = ConstructorParameters<Class> extends [unknown, ...infer Parameters] ? CheckedInput<Address, Parameters, 'address'> : CheckedInput<Address, [], 'address'>;
/**
 * Makes a class of capabilities: objects that a method returns to a client, which can then call their methods.
 * Whoever holds a capability can use it from any connection, and pass it on. Each call creates it again from its
 * class and its address, and the runtime keeps nothing in memory between calls. So a capability works after
 * hibernation, restarts and deployments, until you revoke it.
 *
 * @param Class - a class whose constructor takes the Durable Object, then plain data: the address. The constructor
 *   can reject a caller by throwing. In messages and in the storage, the class has its name without `Impl` at the
 *   end. If you rename the class, existing capabilities stop working.
 * @param address - a schema for each argument of the constructor after the object. It only checks: the constructor
 *   gets the address as it is, since the address identifies the capability
 * @param contract - the methods that can be called, as for `lumenizeRpcDO`
 * @returns a subclass. List it in a contract under `returns`, or as the schema of an argument.
 * @throws TypeError for the same mistakes as `compileContract`, and for a name that is not a method of the class
 * @example
 * export const Session = capability(SessionImpl, [Type.String()], {
 *   balance: read(),
 *   transfer: [Type.String(), Type.Integer({ minimum: 1 })],
 * });
 */
export declare function capability<Class extends CapabilityClass, const Address extends readonly Schema$1[], const Entries extends object>(Class: Class, address: Address & CheckedAddress<Class, Address>, contract: Entries & CheckedContract<InstanceType<Class>, Entries> & Listable<InstanceType<Class>>): RpcClass<Class, EntryKindsOf<Entries>, IsCapability>;
/**
 * Revokes a capability for everybody who holds it. Later calls reject with `FORBIDDEN`, and subscriptions through
 * it end with that error. If a method returns a capability with the same address later, it is a new one.
 *
 * @param instance - the object
 * @param revoked - an instance of the capability with the same address
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
 * @param isMeant - returns whether to end the connections of a caller. The caller is the one that a hook named with
 *   `withCaller`, or `undefined`.
 * @returns the number of ended connections
 * @example
 * bar(user: string): void { closeClients<Caller>(this, (caller) => caller?.user === user); }
 */
export declare function closeClients<Caller>(instance: object, isMeant: (caller: Caller | undefined) => boolean): number;
/**
 * The callers of all connections that are open, for example to show who is in a room. A live method that calls this
 * runs again when a connection opens or ends. A client that is gone without closing its connection is listed until the
 * runtime notices, which can take minutes.
 *
 * @param instance - the object
 * @returns for each connection the caller that a hook named with `withCaller`, or `undefined`. A user with two tabs is
 *   there twice.
 * @example
 * present(): string[] { return [...new Set(connectedCallers<Caller>(this).map((caller) => caller?.user ?? 'guest'))]; }
 */
export declare function connectedCallers<Caller>(instance: object): (Caller | undefined)[];
/**
 * Compiles a contract. Call it at module scope, so that a mistake in it is found when the Worker starts.
 *
 * @param contract - for each method a list of schemas, of TypeBox or a library with Standard Schema; what `read`,
 *   `volatile`, `internal`, `live`, `events`, `stream` or `rows` returns; or
 *   `{ input, readonly, volatile, plain, returns, output, title, description }`
 * @returns what `handleRpcRequest`, `handleRpcMessage` and `handleRpcClose` take
 * @throws TypeError for a contract that is malformed, such as a reserved method name, or a limit that would limit
 *   nothing, or a schema with a keyword, a type or a format that would not be checked. A bundle for development or tests
 *   says what to write, and also refuses an unknown key, which would be ignored.
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
 * @param contract - the methods that clients can call, with a schema for each argument: of TypeBox, or of a library that
 *   implements Standard Schema, such as Zod, Valibot or ArkType
 * @param options - limits, hibernation, the treatment of errors, and others
 * @returns a subclass with the same name and statics. Its listed methods also check their
 *   arguments when called through native Workers RPC, and throw `INVALID_ARGUMENTS`.
 * @throws TypeError for an invalid contract, for example with a name that is reserved or is not a method. In
 *   `wrangler dev` the class is defined anyway. Each of its calls rejects with that error until you correct the
 *   mistake.
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, { increment: [Type.Optional(Type.Integer())] });
 * export type Counter = RpcObject<typeof Counter>;
 */
export declare function lumenizeRpcDO<Class extends DurableObjectClass, const Entries extends object>(Class: Class, contract: Entries & CheckedContract<InstanceType<Class>, Entries> & Listable<InstanceType<Class>>, options?: ContractOptions): RpcClass<Class, EntryKindsOf<Entries>>;
/** The options of `feed`. */
export interface FeedOptions<Event> {
  /**
   * How many of the newest events are stored, for clients that were disconnected. Default 1 000.
   */
  keep?: number | undefined;
  /** How many events are sent to a subscriber before it has read the first of them. Default 64. */
  window?: number | undefined;
  /**
   * Returns one event that replaces all earlier ones, which a subscriber without a cursor, or with an expired one,
   * gets first. In it, `currentCaller()` returns the subscriber. Without the option, a subscriber without a cursor
   * begins with the next event, and one with an expired cursor rejects with `CURSOR_EXPIRED`. Default:
   * `CURSOR_EXPIRED` for an expired cursor.
   */
  snapshot?: (() => Event) | undefined;
  /**
   * Holds the events in the memory of the object, and writes no row: for what only those who are there need. A subscriber
   * that was away gets the events that are still in memory. If some are missing, it goes on with the next event, or with
   * `snapshot`, and the option `onGap` of `subscribe` is called once. Subscriptions survive hibernation, and the events do
   * not. They are sent even if a transaction is rolled back. Default `false`.
   */
  volatile?: boolean | undefined;
}
/** Which events `read` returns. */
export interface FeedReadOptions {
  /** Return events before this cursor. Default: the end of the feed. */
  before?: string | undefined;
  /** Return the events that follow this cursor, beginning with the next one. Default: the newest events. */
  after?: string | undefined;
  /** How many events to return at most. Default 50. */
  limit?: number | undefined;
}
/** A numbered log of events. A subscriber gets each event once and in order. */
export interface Feed<Event> extends HasEvents<Event> {
  /**
   * Adds events. Subscribers get them at the end of the turn, and of the asynchronous transaction if one is open. The
   * events are stored together with the method's other writes. If these are rolled back, the events are too.
   *
   * @throws RpcError `LIMIT_EXCEEDED` for an event of more than 65 536 characters of JSON and bytes; `UNSERIALIZABLE`
   *   for one that cannot be sent or, where the Worker runs locally, does not match `output` in the contract. Then no
   *   event is added.
   */
  append(...events: Event[]): void;
  /**
   * The current end of the feed, for the option `after` of `subscribe`. A method can return it together with the
   * state that it has read. The client then gets the events after that state.
   */
  readonly cursor: string;
  /**
   * Returns events that are stored: the newest ones, those before a cursor, or those after one. A method can return them,
   * so that a client reads older events page by page, and subscribes after the newest page without a gap. An event that
   * was appended in the same method is among them.
   *
   * A cursor is a position between two events. For older events, pass the `before` of a page. Events that the feed has
   * dropped, because it keeps its newest `keep` events, are like events that were never there: `before` is left out.
   *
   * @param options - `before` and `after`, cursors; `limit`, a number of events, 50 by default
   * @returns the events with their cursors, the oldest first. There are fewer than `limit` if they would have more than
   *   1 000 000 characters of JSON. Its `before` and `after` then continue with the others.
   * @throws RpcError `CURSOR_EXPIRED` for a cursor of events that are gone, because a transaction was rolled back, or the
   *   storage was emptied or restored; for an `after` of which the next event was dropped; and for text that is no cursor
   *   of this feed. RangeError for a `limit` that is not a positive integer.
   * @example
   * history(before?: string): FeedPage<Message> { return this.messages().read({ before }); }
   * // In the contract:
   * history: read([Type.Optional(Type.String({ maxLength: 100 }))]),
   */
  read(options?: FeedReadOptions): FeedPage<Event>;
}
/**
 * Returns a feed of an object: a log in the object's storage. Clients subscribe to it through a method that
 * returns the feed, and that the contract lists by `events`. The object stores nothing about its subscribers.
 *
 * @param instance - the object
 * @param name - distinguishes the feeds of an object; at most 500 characters when URI-encoded
 * @param options - must be the same for every use of the name
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
 * The entry of a method that returns a feed, from `feed(this, name)`. It changes nothing. Clients subscribe to its
 * events.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the events; `output`, the schema of an event; `title`;
 *   `description`
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
 * Handles the closing of a socket if `handleRpcRequest` accepted it. Call it for an error of a socket too, with the
 * code 1006: no closing follows.
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
   * The property that names a row, for a method that returns a list of rows, or lists of rows by name: an object or a
   * `Map`. Subscribers are then sent the rows that have changed, and a row that has not changed stays the same object.
   * It is a string, a number or a bigint, and no two rows of a list have the same. Where the Worker runs locally, a row
   * without it rejects with `UNSERIALIZABLE`. Default: each change sends the whole value.
   */
  readonly key?: Key | undefined;
}
/** What `live` returns. */
export interface LiveEntry<Key extends string | undefined = string | undefined, Input extends Schemas$1 = Schemas$1, Class extends Returns = Returns, Sent extends Output = Output> extends MethodEntry<'live', Input, Class, Sent> {
  readonly key: Key;
}
/**
 * Reports that live values may have changed, outside of a call of a contract's method: in an alarm or in the
 * class's own `fetch`. An asynchronous method needs it only to send a change before the method ends. Values that
 * have changed are sent at the end of the turn.
 *
 * @param instance - the object
 * @example
 * override alarm(): void { this.ctx.storage.kv.delete('topic'); changed(this); }
 */
export declare function changed(instance: object): void;
/**
 * The entry of a live value: subscribers get the result of the method, and each change of it. The method changes
 * nothing and returns the value, not a promise. It can be called, too. It runs again after each turn that ran a method
 * which may have changed the object.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `key`, the property that names a row of a list, so that only changed rows are sent; `returns`, the
 *   capability classes in the value; `output`, the schema of a value; `title`; `description`
 * @example
 * topic: live(),
 * cards: live([], { key: 'id' }),
 */
export declare function live<const Input extends Schemas$1 = readonly [], const Class extends Returns = undefined, Sent extends Output = undefined, const Key extends string | undefined = undefined>(schemas?: Input, options?: LiveEntryOptions<Class, Sent, Key>): LiveEntry<NoInfer<Key>, NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>>;
/**
 * The entry of a presence: what each client says of itself, such as a cursor or that somebody types, is seen by the others
 * within a frame of a display, and gone when the client is. Nothing is stored in the object's storage. Clients take part by
 * `presence(client, …)`, or by `usePresence` in React, and can only watch by `subscribe(client)`.
 *
 * The method gets what a client says, and returns what the others see of it; `undefined` if they see nothing. It changes
 * nothing and returns the value, not a promise. In it, `currentCaller()` returns who the client is. It runs without
 * arguments when a client begins that has said nothing. What it throws ends the client's subscription, so it can refuse
 * those who may not watch. What the others see is at most 4 000 characters of JSON.
 *
 * @param schemas - an optional schema for each argument. Default: none.
 * @param options - `output`, the schema of what the others see; `title`; `description`
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
   * The method changes nothing, so it may run again if the connection was lost before the first item arrived.
   * Otherwise it runs once for each loop. Default false.
   */
  readonly readonly?: boolean | undefined;
}
/** What `rows` returns. */
export interface RowsEntry<Key extends string, Input extends Schemas$1 = Schemas$1, Class extends Returns = Returns, Sent extends Output = Output> extends MethodEntry<'rows', Input, Class, Sent> {
  readonly key: Key;
}
/**
 * The entry of a method that returns a stream: a generator, an iterator, a `ReadableStream`, or a promise of one.
 * Clients subscribe to its items. The stream is in the object's memory, so it is not begun again after it was lost:
 * the loop then rejects with `DISCONNECTED`.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the items; `output`, the schema of an item; `title`;
 *   `description`; `readonly`
 * @example
 * digits: stream([Type.Integer({ minimum: 1, maximum: 10_000 })]),
 */
export declare function stream<const Input extends Schemas$1 = readonly [], const Class extends Returns = undefined, Sent extends Output = undefined>(schemas?: Input, options?: StreamEntryOptions<Class, Sent>): MethodEntry<'stream', NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>>;
/**
 * The entry of a method that returns rows in an order, such as the cursor of a query. It changes nothing, and runs
 * again for each page of rows. Its last parameter is optional: the place after which to continue, which the runtime
 * sets.
 *
 * @param key - the property of a row that is its place in the order: a string or a number
 * @param schemas - a schema for each argument. That of the last parameter is wrapped in `Type.Optional`, or accepts
 *   `undefined`.
 * @param options - `returns`, the capability classes in the rows; `output`, the schema of a row; `title`;
 *   `description`
 * @example
 * seats: rows('place', [Type.Optional(Type.String())]),
 */
export declare function rows<const Key extends string, const Input extends Schemas$1, const Class extends Returns = undefined, Sent extends Output = undefined>(key: Key, schemas: Input, options?: MethodOptions<Class, Sent>): RowsEntry<Key, Input, NoInfer<Class>, NoInfer<Sent>>;
/** Migrates an object's tables to the schema that the code expects. */
/**
 * Runs the migrations, a list of SQL statements, that an object has not run yet: all of them, or none if one fails.
 * Call it in the constructor, because an object may wake with any earlier version of its tables. How many have run is
 * stored under the key `schema_version`.
 *
 * @param storage - of the object, which has SQLite: `"storage": "sqlite"` in the Wrangler configuration's `exports`
 * @param migrations - statements, in order. Never change a migration after a deployment; add another one.
 * @throws the error of the statement that failed; nothing has changed then
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
   * What `currentCaller()` returns for calls over the port: JSON data of at most 2 000 characters. Default
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
 * Serves an object to the other end of a port, which uses `messagePortTransport`: an
 * iframe, a web worker, a worker thread, or a test without a network. Calls, validation, limits, live values,
 * feeds, capabilities and callbacks work as over a WebSocket. There is no journal, because a port loses
 * nothing.
 *
 * @param port - a port of a `MessageChannel`, or any object with the same methods
 * @param instance - a Durable Object, or an object of any class. Without a `ctx`, its feeds and the numbers
 *   of its capabilities are in memory, and last as long as the object.
 * @param contract - from `compileContract`
 * @returns an object whose `close` ends the connection. In browsers, a port does not report that the program
 *   at its other end has ended. Call `close` then, or its subscriptions and callbacks stay.
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
   * - `call`: a call of a client, over a WebSocket, HTTP or a port
   * - `subscription`: the start of a subscription of a client, until it has begun or was rejected
   * - `native`: a call through native Workers RPC
   * - `alarm`: the alarm of the class
   */
  kind: 'call' | 'subscription' | 'native' | 'alarm';
  /** What the option `callerName` returned. */
  caller?: string;
  /** Whether the call has arrived before, so that the journal has its answer, and no method runs. */
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
 * Reports each call of an object when it begins and when it has ended: calls and subscriptions of clients, rejected
 * ones too, calls through native Workers RPC, and the alarm of the class. The report of a subscription ends when it has
 * begun. A method that the class itself calls is a part of the call, and has no report.
 *
 * @param onCall - called when a call begins. The function that it returns is called with the report when the call has
 *   ended, before the answer is sent. If one of them throws or rejects, the console shows the error, and nothing else
 *   changes.
 * @returns what the option `onCall` of `lumenizeRpcDO` takes
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, {
 *   onCall: reportCalls(() => (report) => console.log(JSON.stringify(report))),
 * });
 */
export declare function reportCalls<Caller = unknown>(onCall: OnCall<CallStart, CallReport>, { callerName }?: CallReportOptions<Caller>): Featured;
/**
 * Declares that an argument is a stream. The method gets an `AsyncIterable`. The client passes `stream(iterable)`, an
 * array or a set. Each item is validated when the method reads it. If an item is invalid, the method's loop throws
 * `INVALID_ARGUMENTS`.
 *
 * @param schema - the schema of each item: of TypeBox, or of a library that implements Standard Schema
 * @returns the contract's entry for the argument; it cannot be used inside another schema
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