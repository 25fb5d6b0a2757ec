/** The options of `lumenizeRpcDO` and `compileContract`. */
import type { Limits } from '../base/limits.ts';
import type { Featured } from './types.ts';

/** The options of a class with a contract. */
export interface ContractOptions {
  /** Replaces some of the default limits. */
  limits?: { [Name in keyof Limits]?: Limits[Name] | undefined } | undefined;
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
  onError?: ((error: unknown, call: { method: string }) => unknown) | undefined;
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
