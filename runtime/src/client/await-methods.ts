/**
 * Lets calls and subscriptions wait for their method: after a deployment, an object can run its old code for a while. A
 * bundle contains this file only if you import it.
 */
import { MISSING, type RpcError } from '../wire/errors.ts';
import { type AnswerMessage, decodeAnswer } from '../wire/messages.ts';
import { type Call, type ResultPart, resultPartOf } from './call.ts';
import type { Session } from './session.ts';
import { Timer } from './timer.ts';

/**
 * The longest time between two attempts, in milliseconds. It is longer than the ten idle seconds after which an object
 * hibernates, because an object takes its new code when it hibernates.
 */
const LONGEST_DELAY = 30_000;

/** The milliseconds from the last attempt of a call to its timeout. */
const LAST_ATTEMPT = 1_000;

/** The time that a subscription waits, in milliseconds. */
const PATIENCE = 600_000;

/** The input of a call that waits. It never arrives, so the call stays in the queue until the input is removed. */
const NEVER = {} as Call;
/** The number of the input `NEVER`. It is the id of no call. */
const NEVER_ID = 0;

/** The wait of a call or a subscription whose method the object lacks. */
interface Wait {
  /** The time of `performance.now()` when the object first said that it lacks the method. */
  readonly since: number;
  /** Begins the next attempt, unless a new connection has begun it. */
  readonly timer: Timer;
}

/**
 * Lets calls and subscriptions wait for a method that the object does not have yet, because it still runs the code of
 * before a deployment. The client asks again on each new connection, and after delays that grow from half a second to
 * 30 seconds.
 *
 * A call is sent again with the same id, so it runs at most once. Later calls do not wait for it, unless they take its
 * result. A second before its `timeout` ends, it rejects with the object's error: `METHOD_NOT_FOUND` or `UNSUPPORTED`.
 * A subscription rejects with that error after ten minutes.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const counter = createRpcClient<Counter>('COUNTER', 'main', { awaitMethods });
 * // By default, an object has the new code five minutes after a deployment at the latest.
 * await withOptions(counter, { timeout: 330_000 }).newMethod();
 */
export function awaitMethods(session: Session): void {
  const { call: make, opened, connection } = session;
  const { read } = connection;
  /** The calls without an outcome, by id. */
  const calls = new Map<unknown, Call>();
  /** The waits, by call or by the number of a subscription. */
  const waits = new Map<unknown, Wait>();
  const end = (of: unknown): void => {
    waits.get(of)?.timer.stop();
    waits.delete(of);
  };
  /** @returns whether there is time for another attempt */
  const wait = (of: unknown, until: number, reason: string, attempt: () => void): boolean => {
    const now = performance.now();
    const { since, timer } = waits.get(of) ?? { since: now, timer: new Timer(attempt) };
    const next = Math.min(now + Math.min(500 + now - since, LONGEST_DELAY), until);
    if (next <= now) return false;
    if (!waits.has(of)) console.warn(`The client waits for a deployment: ${reason}`);
    waits.set(of, { since, timer });
    timer.watch(next);
    return true;
  };
  const waitCall = (call: Call, message: unknown[]): unknown[] => {
    const thrown = missingIn(message);
    const attempt = (): void => {
      release(call);
      // Sends the queue.
      session.received([]);
    };
    if (!thrown || !wait(call, call.deadline - LAST_ATTEMPT, thrown.message, attempt))
      return message;
    call.inputs = new Map(call.inputs).set(NEVER_ID, NEVER);
    // Says that the call has not run.
    return [-call.id];
  };
  const waitSubscription = (message: unknown[]): unknown[] | undefined => {
    const [kind, id, ...tail] = message;
    if (kind === 'value' || kind === 'patch' || kind === 'next') end(id);
    const thrown = kind === 'complete' && missingIn([id, ...tail]);
    const attempt = (): void => {
      // Says that the client has to subscribe again.
      session.received([['complete', -(id as number)]]);
    };
    const until = (waits.get(id)?.since ?? performance.now()) + PATIENCE;
    if (thrown && wait(id, until, thrown.message, attempt)) return undefined;
    return message;
  };
  session.call = (...made) => {
    const promise = make.apply(session, made);
    const [call] = resultPartOf(promise) as ResultPart;
    if (call.outcome) return promise;
    const { onSettled } = call;
    call.onSettled = () => {
      onSettled?.();
      calls.delete(call.id);
      end(call);
    };
    calls.set(call.id, call);
    return promise;
  };
  // Frames are read here before all listeners, since some listeners handle only messages about subscriptions.
  connection.read = (frame) =>
    read(frame)?.flatMap((message) => {
      const call = calls.get(message[0]);
      const other = call ? waitCall(call, message) : waitSubscription(message);
      return other ? [other] : [];
    });
  session.opened = () => {
    // Another version of the object may answer. Subscriptions begin again by themselves.
    for (const { timer } of waits.values()) timer.stop();
    for (const call of calls.values()) release(call);
    opened();
  };
}

/** Lets a call that waits be sent with the next frame. */
function release(call: Call): void {
  const inputs = new Map(call.inputs);
  if (inputs.delete(NEVER_ID)) call.inputs = inputs;
}

/**
 * Returns the error of an object that lacks the method; `undefined` for any other answer. A call that was sent again
 * over a new connection may have run before its method was removed.
 */
function missingIn(answer: unknown[]): RpcError | undefined {
  if (answer[1] !== 'error') return undefined;
  try {
    // The answer is copied, because decoding changes it.
    const copy = JSON.parse(JSON.stringify(answer)) as AnswerMessage;
    const { thrown } = decodeAnswer(copy) as { thrown: RpcError };
    return MISSING.test(thrown.code) && !thrown.maybeExecuted ? thrown : undefined;
  } catch {
    // The session handles an answer that is malformed.
    return undefined;
  }
}
