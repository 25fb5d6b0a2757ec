import { Featured } from "./server-core.js";
import { ObservedSockets, SocketEvent, SocketFrame, Transport, TransportEvents, WebSocketClass, WebSocketLike, observeSockets } from "./client-core.js";
import { RpcError } from "./wire.js";
/** What is about to be printed. */
interface DebugValue {
  /** `frame` is the text of a frame. */
  kind: 'arguments' | 'result' | 'error' | 'event' | 'frame';
  /** The method, as far as it is known; empty for a frame. */
  method: string;
}
/** How a log is written. */
interface LogOptions {
  /** Prints a line. Default `console.log`. */
  print?: ((line: string) => void) | undefined;
  /** Returns what is printed in place of a value. Default: the value. */
  redact?: ((value: unknown, what: DebugValue) => unknown) | undefined;
}
/** The options of `debugOnDemand`. */
interface DebugOnDemandOptions<Caller> extends LogOptions {
  /**
   * Returns what is printed in place of a value: the arguments of a call, its result or its error, an event, or the text
   * of a frame. Default: no value is printed, and of errors only the name and the `code`.
   */
  redact?: LogOptions['redact'];
  /** Names the caller that a hook named with `withCaller`, for the option `caller` of `debugFor`. */
  callerName?: ((caller: Caller | undefined) => string | undefined) | undefined;
}
/** The options of `debugFor`. */
interface DebugForOptions {
  /** For how many minutes: more than 0 and at most 1 440; with 0, the output ends now. */
  minutes: number;
  /** Shows only the client whose id begins with this text, such as `client` in a report. Default: all clients. */
  client?: string | undefined;
  /** Shows only the caller with this name, as `callerName` returns it. Default: all callers. */
  caller?: string | undefined;
}
/**
 * Lets `debugFor` show what the clients of one object do, in production too. Until then nothing is printed.
 *
 * @param options - `redact` and `callerName`; and `print`, which prints a line, by default with `console.log`
 * @example
 * export const Room = lumenizeRpcDO(RoomImpl, contract, {
 *   use: [debugOnDemand({ redact: (value, { kind }) => (kind === 'error' ? value : undefined) })],
 * });
 */
export declare function debugOnDemand<Caller = unknown>({ redact, callerName, print }?: DebugOnDemandOptions<Caller>): Featured;
/**
 * Prints frames and calls of one object for a limited time: of all its clients, or of one client or caller. It goes on
 * after the object has hibernated, and ends by itself. Call it in a method that only you can call: arguments and results
 * may be secrets, if `redact` shows them.
 *
 * @param instance - the object, whose class has `use: [debugOnDemand()]`
 * @throws RangeError for another number of minutes; TypeError for a class without `debugOnDemand`, and for `caller`
 *   without `callerName`
 * @example
 * debug(minutes: number, user?: string): void {
 *   if (currentCaller<Caller>()?.role !== 'operator') throw new Error('Only operators may do this');
 *   debugFor(this, { minutes, caller: user });
 * }
 */
export declare function debugFor(instance: object, { minutes, client, caller }: DebugForOptions): void;
/** The options of `inspect`. */
interface InspectOptions<Caller> {
  /** Names the caller that a hook named with `withCaller`. Default: the report has no callers. */
  callerName?: ((caller: Caller | undefined) => string | undefined) | undefined;
}
/** A connection in a report. */
interface ConnectionReport {
  /** The first eight characters of the client's id. */
  client?: string;
  caller?: string;
  /** How many of its calls are running. */
  calls: number;
  /** How many subscriptions it has, by kind: `live`, `events`, `stream` or `rows`. */
  subscriptions: Record<string, number>;
}
/** What an object holds. */
interface ObjectReport {
  /** The name of the object's class. */
  class: string;
  /** The name of the object, or its id. */
  object: string;
  /** The open connections: how many there are, and a list of the first hundred. */
  connections: {
    count: number;
    list: ConnectionReport[];
  };
  /** The bytes that the object holds in memory for its clients, and `limits.memoryPerObject`. */
  memory: {
    held: number;
    limit: number;
    /** The hundred that hold most. One without `client` is held for all clients together. */
    clients: {
      client?: string;
      held: number;
    }[];
  };
  /** How many clients the journal has stored, counted up to 1 000; `undefined` without a journal. */
  journal: {
    clients: number;
  } | undefined;
  /** What the features hold, by name: `feeds`, `capabilities`, `debugUntil`. */
  features: Record<string, unknown>;
}
/**
 * Says what an object holds: connections and their subscriptions, memory by client, journal, feeds and capabilities. It
 * changes nothing, and has no arguments, results, tokens or whole client ids. Names of feeds, classes and callers are in
 * it, so return it only to those who may see them.
 *
 * @param instance - the object
 * @throws TypeError for an object without a contract
 * @example
 * inspect(): ObjectReport {
 *   if (currentCaller<Caller>()?.role !== 'operator') throw new Error('Only operators may do this');
 *   return inspect<Caller>(this, { callerName: (caller) => caller?.user });
 * }
 */
export declare function inspect<Caller = unknown>(instance: object, { callerName }?: InspectOptions<Caller>): ObjectReport;
/**
 * Prints a report of `inspect`, in a few lines.
 *
 * @param print - prints a line. Default `console.log`.
 * @example
 * printReport(inspect(this));
 */
export declare function printReport(report: ObjectReport, print?: (line: string) => void): void;
/** What the option `debug` of a client takes. */
type DebugClient = (transport: Transport, binding: string, instance: string) => Transport;
/**
 * Shows on the console what a client, or the clients of an object, do: connections, each frame, each call with how
 * it ended and how long that took. This includes arguments and results, up to 200 characters of each.
 *
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [debug] });
 */
export declare const debug: DebugClient & Featured;
export { type ConnectionReport, type DebugForOptions, type DebugOnDemandOptions, type DebugValue, type Featured, type InspectOptions, type LogOptions, type ObjectReport, type ObservedSockets, type RpcError, type SocketEvent, type SocketFrame, type Transport, type TransportEvents, type WebSocketClass, type WebSocketLike, observeSockets };