import { FeedEvent, FeedPage, HasEvents } from "./wire.js";
import "./server.js";
import { ContractOptions, Featured, Feed, FeedReadOptions, Limits } from "./server-core.js";
import { DurableObject } from "cloudflare:workers";
/** The methods that are added. Their names are unlikely to be names of methods of the class. */
interface AddedMethods {
  perfEcho(value: unknown): unknown;
  /** Does what `perfEcho` does. The contract declares its results as plain. */
  perfEchoPlain(value: unknown): unknown;
  perfBook(): string;
  perfEvents(): Feed<unknown>;
  perfAnnounce(event: unknown): void;
}
type ObjectClass<Instance extends DurableObject<unknown> = DurableObject<unknown>> = new (ctx: DurableObjectState, env: never) => Instance;
/** An object of the project, with the added methods. */
type Measured = DurableObject<unknown> & AddedMethods;
type MeasuredClass = ObjectClass<Measured>;
/** The Durable Object class of each contender. */
interface ContenderClasses {
  /** This RPC. */
  Counter: MeasuredClass;
  /** This RPC, with an object that never hibernates. */
  AwakeCounter: MeasuredClass;
  /** This RPC, without its journal. */
  UnjournaledCounter: MeasuredClass;
  /** This RPC, in a class that keeps its own `fetch`. */
  ManualCounter: MeasuredClass;
  /** Cap'n Web. */
  CapnwebCounter: MeasuredClass;
  /** The code by hand, with an object that never hibernates. */
  PlainFloor: MeasuredClass;
  /** The code by hand, with an object that may hibernate. */
  HibernatingFloor: MeasuredClass;
  /** The code by hand, with a POST for each call. */
  PostFloor: MeasuredClass;
}
interface ContenderWorker {
  fetch(request: Request, env: object): Promise<Response>;
}
/**
 * Makes the Durable Object classes of the performance test: one for each contender, all with the methods of the
 * same class. The Worker that is measured exports them, and `perf/wrangler.jsonc` binds them.
 *
 * @param Class - the class that is measured, as `lumenizeRpcDO` returned it. Default: a counter with the methods
 *   `increment` and `getValue`
 * @param options - options in place of the options that `lumenizeRpcDO` received for the class. Options such as
 *   `onCall`, `onError` and `use` are not taken from the class.
 * @throws TypeError for a class that `lumenizeRpcDO` has not returned
 * @example
 * export const { Counter, AwakeCounter, … } = contenderClasses(Orders);
 */
declare function contenderClasses$1(Class?: ObjectClass, options?: ContractOptions): ContenderClasses;
export declare const contenderClasses: typeof contenderClasses$1;
export declare const contenderWorker: ContenderWorker;
/** The calls of one object in a measurement. Makes their arguments, and checks their answers. */
/** A call that has not been made yet. */
interface PreparedCall {
  readonly method: string;
  readonly args: readonly unknown[];
}
/** A call that was answered. */
interface AnsweredCall extends PreparedCall {
  /** The return value of the method; `undefined` if it returns nothing. */
  readonly answer: unknown;
}
/** Checks the answer of one call. It throws, or returns `false`, if the answer is wrong. */
type CheckAnswer = (call: AnsweredCall) => unknown;
/** The arguments of the calls, and the checks of their answers. */
interface MeasuredMethods {
  /**
   * Returns the arguments of a call. Cap'n Web and the code by hand send the arguments in their own form: the code by
   * hand sends JSON. Default: no arguments.
   *
   * @param method - the name of the method
   * @param index - how many calls the object has received before, so that each call can have an id of its own
   */
  readonly argumentsOf?: ((method: string, index: number) => readonly unknown[]) | undefined;
  /**
   * Returns the check of an object's answers. This function is called once for each object, so that the check can count
   * the calls. The check receives each call in order. The order is not known for requests in flight at the same time,
   * and for calls of several clients. If all of these calls return numbers, the calls are sorted by the numbers. If
   * they return nothing, they are checked in the order in which they were sent. Otherwise these calls, and all later
   * calls of the object, are not checked. Default: no answer is checked.
   */
  readonly check?: (() => CheckAnswer) | undefined;
  /**
   * Returns the name of an object that is measured, for a class that accepts only certain names. Each measurement has
   * objects of its own, so the name must contain `id`. Default: `id` alone.
   */
  readonly instance?: ((id: string) => string) | undefined;
}
/** One connection to one object. Every method rejects when the connection is lost. */
interface PerfConnection {
  /** Calls a method of the project. */
  call(method: string, args: readonly unknown[]): Promise<unknown>;
  /** Sends a value to the object, which returns it. */
  echo?(value: unknown): Promise<unknown>;
  /** Does the same as `echo`, by a method whose results the contract declares as plain. */
  echoPlain?(value: unknown): Promise<unknown>;
  /** Books a place in a table, frees it again, and returns it. */
  book?(): Promise<unknown>;
  /** Has an object send an event to this many listeners. Resolves with the number that received it. */
  tell?(listeners: number): Promise<number>;
  close(): void;
  /** True if `echo` takes only JSON and bytes. The data of a rich value is then sent as JSON. */
  readonly isJsonOnly?: boolean | undefined;
}
/** Makes one call, and records the time until its answer. */
type Stopwatch = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;
interface WorkloadOptions {
  /** True if `--quick` leaves it out. Default false. */
  readonly isLong?: boolean | undefined;
  /** The share of the workload in the time, relative to other workloads. Default 1. */
  readonly weight?: number | undefined;
}
interface Workload extends WorkloadOptions {
  readonly name: string;
  /** Number of calls in one round. The time of the round is divided by it. */
  readonly calls: number;
  /** The methods of the project, one for each call. Empty for exchanges that need no method of the project. */
  readonly methods: readonly string[];
  /** True if each round opens a connection, which is then part of its time. */
  readonly isFresh?: boolean | undefined;
  /** True if calls are in flight at the same time, so that requests can overtake each other. */
  readonly isConcurrent?: boolean | undefined;
  /**
   * Makes the calls.
   *
   * @param prepared - the calls of `methods`, with their arguments
   * @returns the answers, in the order of the calls
   */
  run(connection: PerfConnection, time: Stopwatch, prepared: readonly PreparedCall[]): Promise<unknown[]>;
  /** Returns the right answers of exchanges, in order. */
  expect?(connection: PerfConnection): unknown[];
}
/**
 * Makes each call when the one before it has been answered.
 *
 * @param times - how often to call the methods, one after another
 * @param methods - their names
 * @example
 * inSequence('50 mixed pairs', 50, ['increment', 'getValue']);
 */
export declare function inSequence(name: string, times: number, methods: readonly string[], options?: WorkloadOptions): Workload;
/**
 * Makes calls as `inSequence` does, on a new connection. The measured time includes the time to connect.
 *
 * @example
 * fresh('first answer on a fresh connection', 1, ['getValue']);
 */
export declare function fresh(name: string, times: number, methods: readonly string[], options?: WorkloadOptions): Workload;
/**
 * Makes `count` calls at once, and the next calls when all have been answered. It makes at least 100 calls in total.
 *
 * @example
 * inFlight('10 reads in flight', 10, 'getValue');
 */
export declare function inFlight(name: string, count: number, method: string, options?: WorkloadOptions): Workload;
/**
 * Makes one call for each caller, each in its own turn of the event loop, without waiting for answers.
 *
 * @example
 * callers('100 callers, none in the same tick', 100, 'increment');
 */
export declare function callers(name: string, count: number, method: string, options?: WorkloadOptions): Workload;
/**
 * Returns the workloads of one or more methods: one call after another, on a new connection, and at the same time.
 *
 * @param methods - the names of methods, each by the word for its calls in the names of the workloads
 * @example
 * standardWorkloads({ orders: 'order', reads: 'list' }); // '100 orders', '100 reads', '10 orders in flight', …
 */
export declare function standardWorkloads(methods: Readonly<Record<string, string>>): Workload[];
/**
 * Sends a value, which comes back, one call after another.
 *
 * @param count - the number of calls
 * @param asJson - the value for contenders that can send only JSON and bytes. Default: `value`
 * @example
 * echo('10 KiB object, there and back', 10, samples.table);
 */
export declare function echo(name: string, count: number, value: unknown, asJson?: unknown, options?: WorkloadOptions): Workload;
/**
 * Books a place in a table, with an index and an alarm, and frees it again, one call after another.
 *
 * @param count - the number of calls
 * @example
 * bookings('20 bookings, with SQL and an alarm', 20);
 */
export declare function bookings(name: string, count: number, options?: WorkloadOptions): Workload;
/**
 * Lets an object send events to listeners. The object sends an event when all listeners have received the event before
 * it.
 *
 * @param count - the number of events
 * @param listeners - how many connections receive each event
 * @example
 * events('10 events, each heard by 100', 10, 100);
 */
export declare function events(name: string, count: number, listeners: number, options?: WorkloadOptions): Workload;
/** The exchanges that need no method of the project: values of several types, SQL with an alarm, and events. */
export declare const exchanges: readonly Workload[];
/** The options of `runPerf`: the project, and what to measure. */
interface PerfOptions extends MeasuredMethods {
  /**
   * Path of the project's folder. The folder has wrangler's configuration, the configuration of the measured Worker in
   * `perf/wrangler.jsonc`, and PERFORMANCE.md.
   */
  readonly project: string;
  /** The workloads, in the order of the report. */
  readonly workloads: readonly Workload[];
  /** The command line, without the paths of Node and the program. Default: the command line of this process. */
  readonly commandLine?: readonly string[] | undefined;
}
/**
 * Runs the performance test, with the options of the command line, which `--help` lists. It sets `process.exitCode`: 2
 * for a wrong command line, 1 if something failed or is slower than before. See `PerfOptions` for the parameters.
 *
 * @example
 * await runPerf({
 *   project: join(import.meta.dirname, '..'),
 *   argumentsOf: (method, index) => (method === 'order' ? [`order-${index}`, 'tea'] : []),
 *   check: () => ({ method, answer }) => method !== 'order' || answer === 'ok',
 *   workloads: standardWorkloads({ orders: 'order', reads: 'list' }),
 * });
 */
export declare function runPerf({ project, workloads, commandLine, ...measured }: PerfOptions): Promise<void>;
/** The values in `samples`. */
interface Samples {
  /** Rows of a table: 10 KiB of JSON. */
  readonly table: object;
  /** A Map of objects with a Date, and a cycle: each object refers to the whole value. */
  readonly orders: object;
  /** The data as plain JSON. */
  readonly ordersAsJson: object;
  /** 1 MiB of noise, which does not compress. */
  readonly bytes: Uint8Array;
}
/**
 * Values to send in workloads.
 *
 * @example
 * echo('10 KiB object, there and back', 10, samples.table);
 */
export declare const samples: Samples;
export type { AddedMethods, AnsweredCall, CheckAnswer, ContenderClasses, ContenderWorker, ContractOptions, Featured, Feed, FeedEvent, FeedPage, FeedReadOptions, HasEvents, Limits, MeasuredMethods, PerfConnection, PerfOptions, PreparedCall, Samples, Workload, WorkloadOptions };