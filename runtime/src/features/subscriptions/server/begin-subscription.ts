/** Starts or resumes a subscription: finds its kind and its position, and checks that it is allowed. */
import {
  type Connection,
  type EarlierResults,
  outcomeOf,
  prepareReusedCall,
  rejection,
  reportCall,
  resolvedCallee,
  resolverOf,
  type Target,
  weightOf,
} from '../../../server/feature.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import { type CallMessage, checkCall } from '../../../wire/messages.ts';
import { decodeCursor, encodeComplete, type Position } from '../wire.ts';
import { subscribersOf } from './subscribers.ts';
import { type NewSubscription, kindsOf, type SurvivingSubscription } from './subscription.ts';

/** Largest call that the socket's attachment may contain, in characters. An attachment has at most 16 KiB. */
const MAX_CALL_SIZE = 12_000;

/** Subscriptions that wait for the call whose result they are made on, by the client's numbers. */
const waitingOfPeers = new WeakMap<Connection, Map<number, object>>();

/** Cancels a subscription that waits. */
export function cancelPending(connection: Connection, subscriptionId: number): void {
  waitingOfPeers.get(connection)?.delete(subscriptionId);
}

/** A subscription of a client that outlasted its connection. */
export function survivingSubscription(
  { instance, contract }: Target,
  connection: Connection,
  subscriptionId: number,
): SurvivingSubscription | undefined {
  for (const kind of kindsOf(contract).values()) {
    const found = kind.find?.(instance, connection, subscriptionId);
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
  connection: Connection,
  results: EarlierResults | undefined,
): void {
  const subscriptionId = number as number;
  const call = [subscriptionId, ...rest];
  const { contract } = target;
  const start = performance.now();
  const subscribers = subscribersOf(target.instance);
  const position = typeof cursor === 'string' ? decodeCursor(cursor) : undefined;
  const orEnd = (run: () => void): void => {
    try {
      run();
    } catch (thrown) {
      reportCall(contract, call[1], start, outcomeOf(thrown));
      connection.countRejection();
      connection.storeState();
      connection.send(
        encodeComplete(subscriptionId, { thrown, details: contract.exposeErrorDetails }),
      );
    }
  };
  const known = survivingSubscription(target, connection, subscriptionId);
  // Without a cursor, the client starts another one under the same number.
  if (known && cursor !== null && known.canResumeAfter(position)) {
    // Not by `Subscribers.remove`, which would end it. `resume` adds it again.
    connection.subscriptions.delete(subscriptionId);
    return orEnd(() => {
      resume(known, position, () => admit(call, cursor, target, connection), target, connection);
    });
  }
  subscribers.remove(connection, subscriptionId);
  known?.abandon();
  const begin = (made: CallMessage): void => {
    const context = {
      subscriptionId,
      connection,
      target,
      cursor: cursor as NewSubscription['cursor'],
      position,
    };
    const later = beginWith(made, context, results);
    if (later) return wait(made, later);
    reportCall(contract, made[1], start, 'ok');
  };
  /** Waits for what the subscription begins with. */
  const wait = (made: CallMessage, later: Promise<() => void>): void => {
    const weight = weightOf(made);
    connection.admitInFlight(weight);
    connection.inFlightSize += weight;
    const token = {};
    waitingOfPeers.set(
      connection,
      (waitingOfPeers.get(connection) ?? new Map()).set(subscriptionId, token),
    );
    const next = (run: () => void): void => {
      connection.inFlightSize -= weight;
      const waiting = waitingOfPeers.get(connection);
      if (waiting?.get(subscriptionId) !== token || connection.isClosed) return;
      waiting.delete(subscriptionId);
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
    const made = admit(call, cursor, target, connection);
    if (results?.isMissing(made)) return connection.send(encodeComplete(-subscriptionId));
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
  connection: Connection,
): CallMessage {
  // The call has no id of its own. Every call that it refers to must have a lower id.
  const call = [Number.MAX_SAFE_INTEGER, ...rest];
  if (!connection.mayCall()) limitExceeded('callsPerSecond', limits.callsPerSecond);
  const waiting = waitingOfPeers.get(connection)?.size ?? 0;
  if (connection.subscriptions.size + waiting >= limits.subscriptions) {
    limitExceeded('subscriptions', limits.subscriptions);
  }
  checkCall(call);
  if (![null, 0].includes(cursor as null) && typeof cursor !== 'string') {
    throw rejection('BAD_MESSAGE', 'A cursor must be a string, null or 0');
  }
  return call;
}

function resume(
  known: SurvivingSubscription,
  position: Position | undefined,
  check: () => void,
  target: Target,
  connection: Connection,
): void {
  try {
    check();
    // Makes the capability again whose method was subscribed to, because its constructor may check access.
    const { capabilityToken } = known;
    if (capabilityToken !== undefined) {
      target.contract.targets?.make(
        JSON.parse(capabilityToken) as unknown[],
        target,
        connection.caller,
      );
    }
  } catch (error) {
    // The client's loop ends with the error, so nobody reads it any more.
    known.abandon();
    throw error;
  }
  subscribersOf(target.instance).add(known, connection);
  known.begin(connection, position?.event ?? 0);
}

function beginWith(
  made: CallMessage,
  context: Omit<NewSubscription, 'call' | 'called' | 'args'>,
  results: EarlierResults | undefined,
): void | Promise<() => void> {
  const { subscriptionId, connection, target } = context;
  const { contract } = target;
  const [, callee, ...args] = made;
  const resolve = resolverOf(made, target, connection.caller, results);
  const call = [subscriptionId, resolvedCallee(callee, contract, resolve), ...args] as CallMessage;
  const prepared = prepareReusedCall(call, target, connection.caller);
  const { name, kind } = prepared.called.method;
  const found = kindsOf(contract).get(kind);
  if (!found) {
    const instead = 'Write live([…]), events([…]), stream([…]) or rows(key, […]) in the contract';
    throw rejection(
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
