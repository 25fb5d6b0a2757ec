/** The options of a class with a contract. */
import type { CallReport } from '../calls/call-reports.ts';
import type { BinaryFrames } from '../calls/frames.ts';
import type { Peer } from '../connections/peer.ts';
import type { PeerLog } from '../connections/peer-log.ts';
import type { Limits } from './limits.ts';

export interface ContractOptions {
  /** Replaces some of the default limits. */
  limits?: Partial<Limits>;
  /** Uses hibernating WebSockets, so that an idle object costs nothing. Default true. */
  hibernate?: boolean;
  /**
   * Stores answers in SQLite, so that a call which arrives twice runs once. This costs one written row for
   * each turn that ends calls of methods which are not `readonly`. Without it, a call whose connection is
   * lost rejects with `DISCONNECTED`. Default true.
   */
  journal?: boolean;
  /**
   * How long the object remembers a client after its last call, in milliseconds. A call whose first attempt
   * is older than half of that runs only if the client is remembered. Default 3 600 000: an hour.
   */
  journalAge?: number;
  /**
   * Sends a thrown error with its stack, its cause and its properties. With `false`, the client gets its
   * name, its message, and its `code` if that is a string or a number. Default true.
   */
  exposeErrorDetails?: boolean;
  /**
   * Called with each error that a method throws. Its result replaces the error, unless that is `undefined`.
   * If it throws, the console shows that error, and the client gets an error without details.
   */
  onError?: (error: unknown, call: { method: string }) => unknown;
  /**
   * Called after each call, for metrics. This includes rejected calls, and subscriptions that begin. It excludes
   * native Workers RPC, and calls that are answered from the journal. If the function throws or rejects, the
   * console shows the error, and nothing else changes. Default: no function.
   */
  onCall?: (call: CallReport) => void;
  /**
   * Sends buffers as they are, to and from clients with the option of the same name. Use `bytes` of
   * `lumenize-rpc/server`. Default: as Base64 text.
   */
  bytes?: BinaryFrames;
  /**
   * Shows calls, times and frames on the console. Use `debug` of `lumenize-rpc/debug`, or a function that makes
   * a log for a connection. Default: no output.
   */
  debug?: (peer: Peer, instance: object) => PeerLog;
  /**
   * How long the object waits for a callback's answer, in milliseconds. Then the callback's promise rejects
   * with `TIMEOUT`. The object stays awake meanwhile. Default 30 000.
   */
  callbackTimeout?: number;
  /**
   * How long a stream waits in memory for a client that does not read it, in milliseconds; and how long a method waits
   * for the next item of a stream among its arguments, which then rejects with `TIMEOUT`. Then the stream ends. The
   * object stays awake meanwhile. Default 60 000.
   */
  streamTimeout?: number;
}
