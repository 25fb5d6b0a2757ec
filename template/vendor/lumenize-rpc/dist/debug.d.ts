import { Featured } from "./server-core.js";
import { ObservedSockets, SocketEvent, SocketFrame, Transport, TransportEvents, WebSocketClass, WebSocketLike, observeSockets } from "./client-core.js";
import { DebugValue, LogOptions, RpcError } from "./wire.js";
/** The options of `debugOnDemand`. */
interface DebugOnDemandOptions<Caller> extends LogOptions {
  /**
   * Returns the value to print in place of a value, or `undefined` to print what is printed by default. Values are the
   * arguments of a call, its result or its error, an event, and the text of a frame. Default: values are not printed,
   * and of an error only the name and the `code`.
   */
  redact?: LogOptions['redact'];
  /** Returns a name for the caller that a hook named with `withCaller`, for the option `caller` of `debugFor`. */
  callerName?: ((caller: Caller | undefined) => string | undefined) | undefined;
}
/** The options of `debugFor`. */
interface DebugForOptions {
  /** The time to print, in minutes: more than 0 and at most 1 440. With 0, the output ends now. */
  minutes: number;
  /**
   * The beginning of the id of the only client to show, such as `client` in a report. Default: all clients are shown.
   */
  client?: string | undefined;
  /** The name of the only caller to show, as `callerName` returns it. Default: all callers are shown. */
  caller?: string | undefined;
}
/**
 * Lets `debugFor` show what the clients of one object do, in production too. Nothing is printed until `debugFor` is
 * called.
 *
 * @param options - `redact` and `callerName`; and `print`, which prints a line, by default with `console.log`
 * @returns the feature for the option `use`
 * @example
 * export const Room = lumenizeRpcDO(RoomImpl, contract, {
 *   use: [debugOnDemand({ redact: (value, { kind }) => (kind === 'arguments' ? value : undefined) })],
 * });
 */
export declare function debugOnDemand<Caller = unknown>({ redact, callerName, print }?: DebugOnDemandOptions<Caller>): Featured;
/**
 * Prints frames and calls of one object for a limited time, of all its clients or of one client or caller. The output
 * continues after the object has hibernated, and ends by itself. Call it in a method that only you can call, because
 * arguments and results may be secrets, if `redact` shows them.
 *
 * @param instance - the object, whose class has `use: [debugOnDemand()]`
 * @param options - `minutes`, `client` and `caller`
 * @throws RangeError for a number of minutes that is not from 0 to 1 440; TypeError for a class without `debugOnDemand`,
 *   and for `caller` without `callerName`
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
  /** The number of its running calls. */
  calls: number;
  /** The number of its subscriptions, by kind: `live`, `events`, `stream`, `rows` or `presence`. */
  subscriptions: Record<string, number>;
}
/** A report of the data that an object holds. */
interface ObjectReport {
  /** The name of the object's class. */
  class: string;
  /** The name of the object, or its id. */
  object: string;
  /** The open connections: their number, and a list of the first hundred. */
  connections: {
    count: number;
    list: ConnectionReport[];
  };
  /** The bytes that the object holds in memory for its clients, and `limits.memoryPerObject`. */
  memory: {
    held: number;
    limit: number;
    /** The hundred accounts that hold most. An account without `client` is held for all clients together. */
    clients: {
      client?: string;
      held: number;
    }[];
  };
  /** The number of clients that the journal has stored, counted up to 1 000; `undefined` without a journal. */
  journal: {
    clients: number;
  } | undefined;
  /** The data that features hold, by name: `feeds`, `capabilities`, `debugUntil`. */
  features: Record<string, unknown>;
}
/**
 * Returns a report of the data that an object holds: connections and their subscriptions, memory by client, journal,
 * feeds and capabilities. It changes nothing. The report contains no arguments, results, tokens or whole client ids. It
 * contains the names of feeds, classes and callers, so return it only to callers who may see them.
 *
 * @param instance - the object
 * @param options - `callerName`, which names callers in the report
 * @returns the report
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
 * @param report - the result of `inspect`
 * @param print - prints a line. Default `console.log`.
 * @example
 * printReport(inspect(this));
 */
export declare function printReport(report: ObjectReport, print?: (line: string) => void): void;
/** The function that the option `debug` of a client takes. */
type DebugClient = (transport: Transport, binding: string, instance: string) => Transport;
/**
 * Shows on the console what a client, or the clients of an object, do: connections, each frame, and each call with its
 * outcome and its duration. This includes arguments and results, up to 200 characters of each.
 *
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [debug] });
 */
export declare const debug: DebugClient & Featured;
export { type ConnectionReport, type DebugForOptions, type DebugOnDemandOptions, type DebugValue, type Featured, type InspectOptions, type LogOptions, type ObjectReport, type ObservedSockets, type RpcError, type SocketEvent, type SocketFrame, type Transport, type TransportEvents, type WebSocketClass, type WebSocketLike, observeSockets };