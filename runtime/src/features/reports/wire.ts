/** The fields that the reports of both ends share, so that a program can join them by the client and the id of a call. */
import { isThenable } from '../../wire/values/tags.ts';

/** The fields of a call that has begun, which both ends report. */
export interface StartedCall {
  /** The name of the object, or its id for an object without a name. */
  object: string;
  /** The method of the object or of a capability. In the object's report, it is empty for an unlisted method. */
  method: string;
  /** The number of the call, or of the subscription, which is equal at both ends. It counts from 1 for each client. */
  id?: number;
  /**
   * The first eight characters of the client's id, which are equal at both ends. They distinguish clients, but nobody can
   * act as the client with them.
   */
  client?: string;
}

/** The fields of a call that has ended. */
export interface EndedCall {
  /**
   * The duration in milliseconds, which on Cloudflare does not contain the time of synchronous code in the Worker. The
   * clock advances only while code waits for something outside of the Worker, so the duration of a method without `await`
   * is 0 there.
   */
  duration: number;
  /** `ok`, or the `code` of an `RpcError` such as `INVALID_ARGUMENTS`, or the name of any other error. */
  outcome: string;
  /** The value that was thrown; left out if the outcome is `ok`. */
  error?: unknown;
  /**
   * The bytes that this end has received: the size of the frame, divided by the number of calls or answers in it. It is
   * left out if nothing arrived, and for a subscription.
   */
  bytesIn?: number;
  /** The bytes that this end has sent: the size of the call, or of the answer. */
  bytesOut?: number;
}

/** Called when a call begins. Returns a function that is called when the call has ended, or nothing. */
export type OnCall<Start, Report> = (call: Start) => ((report: Report) => void) | void;

/** Calls a hook of the application. If it throws or rejects, the error is printed to the console. */
export function tell<About, Result>(
  hook: (about: About) => Result,
  about: About,
): Result | undefined {
  try {
    const returned = hook(about);
    if (!isThenable(returned)) return returned;
    void Promise.resolve(returned).catch(console.error);
  } catch (error) {
    console.error(error);
  }
  return undefined;
}
