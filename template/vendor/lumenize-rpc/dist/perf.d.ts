import { HasEvents } from "./wire.js";
import "./server.js";
import { CallReport, CheckedContract, ContractOptions, Featured, Feed, Limits } from "./server-core.js";
import "typebox";
import { DurableObject } from "cloudflare:workers";
/** The methods that are added. Their names are such that no class has them already. */
interface AddedMethods {
  perfEcho(value: unknown): unknown;
  /** As `perfEcho`, with results that are declared as plain. */
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
  /** By hand, with an object that never hibernates. */
  PlainFloor: MeasuredClass;
  /** By hand, with an object that may hibernate. */
  HibernatingFloor: MeasuredClass;
  /** By hand, with a POST for each call. */
  PostFloor: MeasuredClass;
}
interface ContenderWorker {
  fetch(request: Request, env: object): Promise<Response>;
}
/**
 * Makes the Durable Object classes of the performance test: one for each contender, all with the methods of the
 * same class. The Worker that is measured exports them, and `perf/wrangler.jsonc` binds them.
 *
 * @param Class - the class whose methods are measured. Default: a counter with the methods `increment` and `getValue`
 * @param contract - the methods that the workloads call
 * @param options - for the classes of this RPC, as of `lumenizeRpcDO`
 * @throws TypeError for an invalid contract, as `lumenizeRpcDO` does
 * @example
 * export const { Counter, AwakeCounter, … } = contenderClasses(CounterImpl, { increment: [Type.Integer()] });
 */
declare function contenderClasses$1(): ContenderClasses;
declare function contenderClasses$1<Class extends ObjectClass, const Entries extends object>(Class: Class, contract: Entries & CheckedContract<InstanceType<Class>, Entries>, options?: ContractOptions): ContenderClasses;
export declare const contenderClasses: typeof contenderClasses$1;
export declare const contenderWorker: ContenderWorker;
/** One connection to one object. Every method rejects when the connection is lost. */
interface CounterConnection {
  /** Adds to the object's number, 1 by default, and returns the sum. */
  increment(by?: number): Promise<number>;
  /** Returns the object's number. */
  getValue(): Promise<number>;
  /** Sends a value to the object, which returns it. */
  echo?(value: unknown): Promise<unknown>;
  /** As `echo`, by a method whose results the contract declares as plain. */
  echoPlain?(value: unknown): Promise<unknown>;
  /** Books a place in a table, frees it again, and returns it. */
  book?(): Promise<unknown>;
  /** Has an object send an event to this many listeners. Resolves with the number that received it. */
  tell?(listeners: number): Promise<number>;
  /** Calls any other method. */
  call?(method: string, args: readonly unknown[]): Promise<unknown>;
  close(): void;
  /** Whether `echo` takes only JSON and bytes. The data of a rich value is then sent as JSON. */
  readonly isJsonOnly?: boolean;
}
/** Makes one call, and records the time until its answer. */
type Stopwatch = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;
interface WorkloadOptions {
  /** Whether `--quick` leaves it out. Default false. */
  readonly isLong?: boolean | undefined;
  /** Its share of the time, relative to other workloads. Default 1. */
  readonly weight?: number | undefined;
}
interface Workload extends WorkloadOptions {
  readonly name: string;
  /** Number of calls in one round. The time of the round is divided by it. */
  readonly calls: number;
  /** How many of them are increments of one. Default 0. */
  readonly increments?: number | undefined;
  /** Whether each round opens a connection, which is then part of its time. */
  readonly isFresh?: boolean | undefined;
  /** Makes the calls; returns their answers in order. */
  run(counter: CounterConnection, time: Stopwatch): Promise<unknown[]>;
  /**
   * Returns the right answers, in order. Answers beyond these are not checked.
   *
   * @param value - the counter's value before the workload
   */
  expect(value: number, counter: CounterConnection): unknown[];
}
/** The methods of the measured class that workloads call without arguments. */
interface MethodNames {
  /** Adds its argument, or 1, to a number that is 0 at first, and returns the sum. */
  readonly increment: string;
  /** Returns the number. */
  readonly read: string;
}
/** A call of one of the two, without arguments. */
type Operation = 'increment' | 'read';
/**
 * Makes each call when the one before it has been answered.
 *
 * @param times - how often to make the operations, one after another
 * @example
 * inSequence('50 mixed pairs', 50, ['increment', 'read']);
 */
export declare function inSequence(name: string, times: number, operations: readonly Operation[], options?: WorkloadOptions): Workload;
/**
 * As `inSequence`, on a new connection, which is part of the time.
 *
 * @example
 * fresh('first answer on a fresh connection', 1, ['read']);
 */
export declare function fresh(name: string, times: number, operations: readonly Operation[], options?: WorkloadOptions): Workload;
/**
 * Makes `count` calls at once, and the next ones when all have been answered; at least 100 in total.
 *
 * @example
 * inFlight('10 reads in flight', 10, 'read');
 */
export declare function inFlight(name: string, count: number, operation: Operation, options?: WorkloadOptions): Workload;
/**
 * Makes one increment for each caller, each in its own turn of the event loop, without waiting for answers.
 *
 * @example
 * callers('100 callers, none in the same tick', 100);
 */
export declare function callers(name: string, count: number, options?: WorkloadOptions): Workload;
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
 * Has an object send events to listeners, each event when all have received the one before it.
 *
 * @param count - the number of events
 * @param listeners - how many connections receive each event
 * @example
 * events('10 events, each heard by 100', 10, 100);
 */
export declare function events(name: string, count: number, listeners: number, options?: WorkloadOptions): Workload;
/**
 * Calls a method of the project, one call after another. The method must not change the number that `read` returns.
 *
 * @param count - the number of calls
 * @param method - its name, which the contract in `perf/worker.ts` lists. Over some contenders, arguments and
 *   results travel as JSON
 * @param args - the arguments of each call. Default: none
 * @param answer - the right answer to each call. Default: answers are not checked
 * @example
 * calls('20 orders', 20, 'order', ['tea'], { total: 1 });
 */
export declare function calls(name: string, count: number, method: string, args?: readonly unknown[], answer?: unknown, options?: WorkloadOptions): Workload;
/** What `runPerf` measures. */
interface PerfOptions extends MethodNames {
  /**
   * Path of the project's folder. It has wrangler's configuration, that of the measured Worker in
   * `perf/wrangler.jsonc`, and PERFORMANCE.md.
   */
  readonly project: string;
  /** The workloads, in the order of the report. */
  readonly workloads: readonly Workload[];
  /** The command line, without the paths of Node and the program. Default: that of this process. */
  readonly args?: readonly string[] | undefined;
}
/**
 * Runs the performance test, as the command line says: `--help` lists what it can say. It sets `process.exitCode`:
 * 2 for a wrong command line, 1 if something failed or is slower than before.
 *
 * @example
 * await runPerf({
 *   project: join(import.meta.dirname, '..'),
 *   increment: 'increment',
 *   read: 'getValue',
 *   workloads: [inSequence('100 reads', 100, ['read'])],
 * });
 */
export declare function runPerf({ project, workloads, args, ...names }: PerfOptions): Promise<void>;
/** The values. */
interface Samples {
  /** Rows of a table: 10 KiB of JSON. */
  readonly table: object;
  /** A Map of objects with a Date, and a cycle: each object refers to the whole value. */
  readonly orders: object;
  /** The same data as plain JSON. */
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
export type { AddedMethods, CallReport, ContenderClasses, ContenderWorker, ContractOptions, CounterConnection, Featured, Feed, HasEvents, Limits, MethodNames, Operation, PerfOptions, Samples, Workload, WorkloadOptions };