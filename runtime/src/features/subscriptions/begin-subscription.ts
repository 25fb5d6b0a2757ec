/** Starts or resumes a subscription: finds its kind and its position, and checks that it is allowed. */
import { limitExceeded } from '../../wire/limits.ts';
import { type CallMessage, checkCall } from '../../wire/messages.ts';
import { decodeCursor, encodeComplete, type Position } from './wire.ts';
import { weightOf } from '../../server/calls/arguments.ts';
import { outcomeOf, reportCall } from '../../server/calls/call-reports.ts';
import { resolvedCallee, resolverOf } from '../../server/calls/callee.ts';
import { prepareCopy } from '../../server/calls/invocation.ts';
import { refusal } from '../../server/base/refusal.ts';
import type { PipelinedResults } from '../../server/calls/results/pipelined-results.ts';
import type { Target } from '../../server/contract/compiled.ts';
import type { Connection as Peer } from '../../server/contract/connection.ts';
import { subscribersOf } from './subscribers.ts';
import { type NewSubscription, kindsOf, type SurvivingSubscription } from './subscription.ts';

/** Largest call that the socket's attachment may contain, in characters. An attachment has at most 16 KiB. */
const MAX_CALL_SIZE = 12_000;

/** Subscriptions that wait for the call whose result they are made on, by the client's numbers. */
const waitingOfPeers = new WeakMap<Peer, Map<number, object>>();

/** Cancels a subscription that waits. */
export function cancelPending(peer: Peer, n: number): void {
  waitingOfPeers.get(peer)?.delete(n);
}

/** A subscription of a client that outlasted its connection. */
export function survivingSubscription(
  { instance, contract }: Target,
  peer: Peer,
  n: number,
): SurvivingSubscription | undefined {
  for (const kind of kindsOf(contract).values()) {
    const found = kind.find?.(instance, peer, n);
    if (found) return found;
  }
  return undefined;
}

/**
 * Subscribes, or ends the subscription with an error.
 *
 * @param message - a `subscribe` message with a valid number
 * @param results - the results that calls of the frame refer to, if there are any
 */
export function beginSubscription(
  [, number, cursor, ...rest]: unknown[],
  target: Target,
  peer: Peer,
  results: PipelinedResults | undefined,
): void {
  const n = number as number;
  const call = [n, ...rest];
  const { contract } = target;
  const start = performance.now();
  const subscribers = subscribersOf(target.instance);
  const position = typeof cursor === 'string' ? decodeCursor(cursor) : undefined;
  const orEnd = (run: () => void): void => {
    try {
      run();
    } catch (thrown) {
      reportCall(contract, call[1], start, outcomeOf(thrown));
      peer.countRefusal();
      peer.keepSubscriptions();
      peer.push(encodeComplete(n, { thrown, details: contract.exposeErrorDetails }));
    }
  };
  const known = survivingSubscription(target, peer, n);
  // Without a cursor, the client starts another one under the same number.
  if (known && cursor !== null && known.canResumeAfter(position)) {
    // Not by `Subscribers.remove`, which would end it. `resume` adds it again.
    peer.subscriptions.delete(n);
    return orEnd(() => {
      resume(known, position, () => admit(call, cursor, target, peer), target, peer);
    });
  }
  subscribers.remove(peer, n);
  known?.abandon();
  const begin = (made: CallMessage): void => {
    const context = { n, peer, target, cursor: cursor as NewSubscription['cursor'], position };
    const later = beginWith(made, context, results);
    if (later) return wait(made, later);
    reportCall(contract, made[1], start, 'ok');
  };
  /** Waits for what the subscription begins with. */
  const wait = (made: CallMessage, later: Promise<() => void>): void => {
    const weight = weightOf(made);
    peer.admitInFlight(weight);
    peer.inFlightSize += weight;
    const token = {};
    waitingOfPeers.set(peer, (waitingOfPeers.get(peer) ?? new Map()).set(n, token));
    const next = (run: () => void): void => {
      peer.inFlightSize -= weight;
      const waiting = waitingOfPeers.get(peer);
      if (waiting?.get(n) !== token || peer.isClosed) return;
      waiting.delete(n);
      orEnd(run);
    };
    void (async () => {
      const [settled] = await Promise.allSettled([later]);
      next(() => {
        if (settled.status === 'rejected') throw settled.reason;
        settled.value();
      });
    })();
  };
  orEnd(() => {
    const made = admit(call, cursor, target, peer);
    if (results?.isMissing(made)) return peer.push(encodeComplete(-n));
    const pending = results?.pending(made);
    if (pending)
      wait(
        made,
        pending.then(() => () => begin(made)),
      );
    else begin(made);
  });
}

/** @throws RpcError for a message that is malformed or exceeds a limit */
function admit(
  [, ...rest]: unknown[],
  cursor: unknown,
  { contract: { limits } }: Target,
  peer: Peer,
): CallMessage {
  // The call has no id of its own. Every call that it refers to must have a lower id.
  const call = [Number.MAX_SAFE_INTEGER, ...rest];
  if (!peer.mayCall()) limitExceeded('callsPerSecond', limits.callsPerSecond);
  const waiting = waitingOfPeers.get(peer)?.size ?? 0;
  if (peer.subscriptions.size + waiting >= limits.subscriptions) {
    limitExceeded('subscriptions', limits.subscriptions);
  }
  checkCall(call);
  if (![null, 0].includes(cursor as null) && typeof cursor !== 'string') {
    throw refusal('BAD_MESSAGE', 'A cursor must be a string, null or 0');
  }
  return call;
}

function resume(
  known: SurvivingSubscription,
  position: Position | undefined,
  check: () => void,
  target: Target,
  peer: Peer,
): void {
  try {
    check();
    // Makes the capability again whose method was subscribed to, because its constructor may check access.
    const { capabilityToken } = known;
    if (capabilityToken !== undefined) {
      target.contract.callee?.make(JSON.parse(capabilityToken) as unknown[], target, peer.caller);
    }
  } catch (error) {
    // The client's loop ends with the error, so nobody reads it any more.
    known.abandon();
    throw error;
  }
  subscribersOf(target.instance).add(known, peer);
  known.begin(peer, position?.event ?? 0);
}

function beginWith(
  made: CallMessage,
  context: Omit<NewSubscription, 'call' | 'called' | 'args'>,
  results: PipelinedResults | undefined,
): void | Promise<() => void> {
  const { n, peer, target } = context;
  const { contract } = target;
  const [, callee, ...args] = made;
  const resolve = resolverOf(made, target, peer.caller, results);
  const call = [n, resolvedCallee(callee, contract, resolve), ...args] as CallMessage;
  const prepared = prepareCopy(call, target, peer.caller);
  const { name, kind } = prepared.called.method;
  const found = kindsOf(contract).get(kind);
  if (!found) {
    const instead = 'Write live([…]), events([…]), stream([…]) or rows(key, […]) in the contract';
    throw refusal(
      'METHOD_NOT_FOUND',
      `${name} cannot be subscribed to: the contract lists it as a call. ${instead}`,
    );
  }
  return found.begin({ ...context, call, ...prepared });
}

/** @throws RpcError `LIMIT_EXCEEDED` for a call that is too large for the socket's attachment */
export function checkCallSize(call: CallMessage): void {
  if (JSON.stringify(call).length > MAX_CALL_SIZE) {
    limitExceeded('the size of the call of a subscription', MAX_CALL_SIZE);
  }
}
