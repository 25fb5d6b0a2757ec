/** What the reports of both ends have in common, so that a program can join them by the client and the id of a call. */
import { RpcError } from '../../wire/errors.ts';
import { isThenable } from '../../wire/values/tags.ts';

/** A call that has begun, as far as both ends know it. */
export interface StartedCall {
  /** The name of the object, or its id for an object without a name. */
  object: string;
  /** The method of the object or of a capability; in the object empty for a method that the contract does not list. */
  method: string;
  /** The number of the call, or of the subscription, which is the same at both ends. The client's first is 1. */
  id?: number;
  /**
   * The first eight characters of the client's id, which are the same at both ends. They tell clients apart, and do not
   * suffice to act as the client.
   */
  client?: string;
}

/** How a call has ended. */
export interface EndedCall {
  /**
   * Milliseconds. On Cloudflare the clock advances only while code waits for something outside, so it is 0 there for a
   * method without `await`.
   */
  duration: number;
  /** `ok`; or the `code` of an `RpcError`, such as `INVALID_ARGUMENTS`; or the name of any other error. */
  outcome: string;
  /** What was thrown; left out if the outcome is `ok`. */
  error?: unknown;
  /**
   * The bytes that this end has received: the size of the frame, divided by the number of the calls or the answers in
   * it. Left out if nothing arrived, and for a subscription.
   */
  bytesIn?: number;
  /** The bytes that this end has sent: the size of the call, or of the answer. */
  bytesOut?: number;
}

/** Called when a call begins. Returns a function that is called when the call has ended, or nothing. */
export type OnCall<Start, Report> = (call: Start) => ((report: Report) => void) | void;

/** Calls a hook of the application. Its error, and that of a promise that it returns, is printed to the console. */
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

/** The outcome of a call that threw a value. */
export function outcomeOf(thrown: unknown): string {
  try {
    if (thrown instanceof RpcError) return thrown.code;
    return thrown instanceof Error ? thrown.name : 'Error';
  } catch {
    // A proxy that was thrown can throw from any of its traps.
    return 'Error';
  }
}
