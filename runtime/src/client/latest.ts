/**
 * Lets a newer call replace an older call of the same method, for example the position of a cursor. A bundle contains
 * this file only if you import it.
 */
import type { RpcError } from '../wire/errors.ts';
import { CALL } from '../wire/values/rich-encoder.ts';
import {
  type Call,
  type Method,
  type Outcome,
  type ResultPart,
  resultPartOf,
  type RpcPromise,
} from './call.ts';
import type { CallOptions } from './options.ts';
import { internalsOf, withOptions } from './proxy.ts';
import type { Session } from './session.ts';

/** A client whose calls can be replaced: a call resolves with `undefined` if a newer call replaces it. */
export type Latest<Client> = {
  readonly [Name in keyof Client]: Client[Name] extends (
    ...args: infer Args
  ) => Promise<infer Result>
    ? (...args: Args) => RpcPromise<Result | undefined>
    : Client[Name];
};

/** The mark of a client that `latest` has returned, among the options of its calls. */
const LATEST = Symbol();

/** An input of a call that waits for the call before. It never arrives, and is removed when that call has ended. */
const NEVER = {} as Call;
/** The number of the input `NEVER`. It is the id of no call. */
const NEVER_ID = -Infinity;

/** The calls of one method that have no outcome. */
interface Calls {
  readonly newest: Call;
  /** A call that was sent before, and whose answer the newest call waits for. */
  readonly before?: Call | undefined;
}

/** The sessions with clients of `latest`. */
const prepared = new WeakSet<Session>();

/**
 * Returns a client that keeps only the newest call of each method: a call replaces an earlier call of the same method
 * that waits to be sent or answered. So calls do not pile up while the client is not connected.
 *
 * - A call that is replaced resolves with `undefined`, at once. It may have run, if it was sent.
 * - A call of a `volatile` method that was on its way when the connection was lost also resolves with `undefined`,
 *   because the object stores no answer for it.
 * - Over HTTP, where a later request can arrive first, a call waits for the answer of the call before.
 * - Any other error rejects the call.
 *
 * The client shares the connection of the client that you pass.
 *
 * @param client - from `createRpcClient` or `withOptions`, or a capability
 * @throws TypeError for a value that is not a client
 * @example
 * const cursor = latest(room);
 * addEventListener('pointermove', ({ x, y }) => void cursor.moveCursor(x, y));
 */
export function latest<Client extends object>(client: Client): Latest<Client> {
  const [session] = internalsOf(client);
  if (!prepared.has(session)) replaceEarlierCalls(session);
  prepared.add(session);
  return withOptions(client, { [LATEST]: true } as CallOptions) as unknown as Latest<Client>;
}

function replaceEarlierCalls(session: Session): void {
  const { call: make, connection } = session;
  /** The calls without an outcome, by their method and target. */
  const calls = new Map<string, Calls>();
  const ended = (key: string, call: Call): void => {
    const { newest, before } = calls.get(key) ?? {};
    if (call === newest) {
      if (before && !before.outcome) calls.set(key, { newest: before });
      else calls.delete(key);
    } else if (newest && call === before) {
      calls.set(key, { newest });
      const inputs = new Map(newest.inputs);
      inputs.delete(NEVER_ID);
      newest.inputs = inputs;
      // Sends the queue.
      session.received([]);
    }
  };
  session.call = (...made) => {
    const [method, , options] = made;
    const key = LATEST in options ? keyOf(method, session) : undefined;
    if (key === undefined) return make.apply(session, made);
    const { newest, before } = calls.get(key) ?? {};
    const earlier = [newest, before].filter((call) => call && !call.outcome) as Call[];
    const awaited = connection.isDuplex ? undefined : earlier.find(({ frame }) => frame);
    for (const call of earlier) if (call !== awaited) session.drop(call);
    const promise = make.apply(session, made);
    const [call] = resultPartOf(promise) as ResultPart;
    if (call.outcome) return promise;
    calls.set(key, { newest: call, before: awaited });
    if (awaited) call.inputs = new Map(call.inputs).set(NEVER_ID, NEVER);
    const { settle } = call;
    call.settle = (outcome) => {
      settle.call(call, isCutOff(outcome) ? { result: undefined } : outcome);
      ended(key, call);
    };
    return promise;
  };
}

/** @returns the method and its target as text; `undefined` for an invalid target, so that the call rejects */
function keyOf(method: Method, session: Session): string | undefined {
  if (typeof method === 'string') return method;
  try {
    const callee = method((value) => {
      const [call, ...path] = resultPartOf(value) ?? [];
      return call ? [CALL, call.id, ...path] : session.referenceOf?.(value);
    });
    return JSON.stringify(callee);
  } catch {
    return undefined;
  }
}

/** Returns whether the connection was lost while a call was on its way. */
function isCutOff(outcome: Outcome): boolean {
  const { code, maybeExecuted } = Object(
    'thrown' in outcome && outcome.thrown,
  ) as Partial<RpcError>;
  return code === 'DISCONNECTED' && maybeExecuted === true;
}
