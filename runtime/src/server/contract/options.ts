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
  onError?: ((error: unknown, call: { method: string }) => unknown) | undefined;
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
