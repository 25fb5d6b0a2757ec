/** The options of `lumenizeRpcDO` and `compileContract`. */
import type { Limits } from '../base/limits.ts';
import type { Featured } from './types.ts';

/** A call that has ended: its duration, its outcome and its sizes. */
export interface CallReport {
  /** The method of the object or of a capability; empty for one that the contract does not list. */
  method: string;
  /**
   * Milliseconds from the arrival of the call to its answer; on Cloudflare 0 for a method without `await`. The clock
   * does not advance there while code runs.
   */
  duration: number;
  /** `ok`; or the `code` of an `RpcError`, such as `INVALID_ARGUMENTS`; or the name of any other error. */
  outcome: string;
  /** The bytes of the call's frame, divided by the number of calls in it. Left out for a subscription. */
  bytesIn?: number;
  /** The bytes of the answer. Left out for a subscription. */
  bytesOut?: number;
}

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
   * Called after each call, and when a subscription has begun, for metrics. This includes rejected calls. It excludes
   * native Workers RPC, and calls that are answered from the journal. If the function throws or rejects, the console
   * shows the error, and nothing else changes.
   */
  onCall?: ((call: CallReport) => void) | undefined;
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
