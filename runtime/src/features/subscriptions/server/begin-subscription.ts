/** Starts or resumes a subscription: finds its kind and its position, and checks that it is allowed. */
import {
  type CompiledContract,
  type CompiledMethod,
  type Connection,
  type MessageContext,
  independentCall,
  prepareReusedCall,
  badMessage,
  rejection,
  surround,
  weightOf,
  type Target,
} from '../../../server/feature.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import { type CallMessage, checkCall } from '../../../wire/messages.ts';
import { decodeCursor, encodeComplete, type Position } from '../wire.ts';
import { subscribersOf } from './subscribers.ts';
import {
  type NewSubscription,
  kindsOf,
  type SubscriptionKind,
  type SurvivingSubscription,
} from './subscription.ts';

/** The maximum size of a call in the socket's attachment, in characters. An attachment has at most 16 KiB. */
const MAX_CALL_SIZE = 12_000;

/** Subscriptions that wait for the call whose result has their method, by the client's numbers. */
const waitingOn = new WeakMap<Connection, Map<number, object>>();

/** Cancels a subscription that waits. */
export function cancelPending(connection: Connection, subscriptionId: number): void {
  waitingOn.get(connection)?.delete(subscriptionId);
}

/** Returns a subscription of a client that outlasted its connection. */
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
 * @param metadata - the metadata that the frame has for the subscription
 */
export function beginSubscription(
  message: unknown[],
  target: Target,
  connection: Connection,
  results: MessageContext['results'],
  metadata: object | undefined,
): void {
  new SubscriptionStart(message, target, connection, results, metadata).run();
}

/** A `subscribe` message on its way to a subscription. */
class SubscriptionStart {
  readonly #subscriptionId: number;
  readonly #cursor: unknown;
  readonly #position: Position | undefined;
  /** The call has no id of its own. Every call that it refers to must have a lower id. */
  readonly #call: unknown[];
  readonly #target: Target;
  readonly #connection: Connection;
  readonly #results: MessageContext['results'];
  readonly #metadata: object | undefined;
  readonly #arrivedAt = performance.now();
  /** Identifies this start among the starts that wait. */
  #token: object | undefined;

  constructor(
    [, subscriptionId, cursor, ...call]: unknown[],
    target: Target,
    connection: Connection,
    results: MessageContext['results'],
    metadata: object | undefined,
  ) {
    this.#subscriptionId = subscriptionId as number;
    this.#cursor = cursor;
    this.#position = decodeCursor(cursor);
    this.#call = [Number.MAX_SAFE_INTEGER, ...call];
    this.#target = target;
    this.#connection = connection;
    this.#results = results;
    this.#metadata = metadata;
  }

  run(): void {
    const results = this.#results;
    let call: CallMessage;
    try {
      if (this.#hasResumed()) return;
      call = this.#admitted();
      if (results?.isMissing(call)) {
        return this.#connection.send(encodeComplete(-this.#subscriptionId));
      }
    } catch (thrown) {
      return this.#start(() => {
        throw thrown;
      });
    }
    this.#start(() => {
      const pending = results?.pending(call);
      if (!pending) return this.#begin(call);
      return this.#wait(call, pending, () => {
        // The call has ended, so the subscription can wait again for another promise.
        this.#token = undefined;
        return this.#begin(call);
      });
    });
  }

  /** @param run - begins the subscription; throws the reason why it may not begin */
  #start(run: () => void | Promise<void>): void {
    const callee = this.#call[1];
    const about = { arrivedAt: this.#arrivedAt, metadata: this.#metadata };
    try {
      const begun = surround(
        'subscription',
        this.#subscriptionId,
        callee,
        this.#target,
        this.#connection,
        about,
        run,
      );
      if (begun) void begun.catch((thrown: unknown) => this.#end(thrown));
    } catch (thrown) {
      this.#end(thrown);
    }
  }

  #end(thrown: unknown): void {
    const { exposeErrorDetails: details } = this.#target.contract;
    this.#connection.countRejection();
    this.#connection.storeState();
    this.#connection.send(encodeComplete(this.#subscriptionId, { thrown, details }));
  }

  /**
   * Continues a subscription that outlasted its connection, or ends it.
   *
   * @throws RpcError for a subscription that may not continue
   */
  #hasResumed(): boolean {
    const connection = this.#connection;
    const known = survivingSubscription(this.#target, connection, this.#subscriptionId);
    // Without a cursor, the client starts another subscription under this number.
    if (!known || this.#cursor === null || !known.canResumeAfter(this.#position)) {
      subscribersOf(this.#target.instance).remove(connection, this.#subscriptionId);
      known?.abandon();
      return false;
    }
    // `Subscribers.remove` would end the subscription, which is added again below.
    connection.subscriptions.delete(this.#subscriptionId);
    try {
      this.#admitted();
      // The capability whose method was subscribed to is created again, because its constructor may check access.
      const { capabilityToken } = known;
      if (capabilityToken !== undefined) {
        const address = JSON.parse(capabilityToken) as unknown[];
        this.#target.contract.targets?.make(address, this.#target, connection.caller);
      }
    } catch (error) {
      // The client's loop ends with the error, so nobody reads it any more.
      known.abandon();
      throw error;
    }
    subscribersOf(this.#target.instance).add(known, connection);
    known.begin(connection, this.#position?.event ?? 0);
    return true;
  }

  /** @throws RpcError for a message that is malformed or exceeds a limit */
  #admitted(): CallMessage {
    const call = this.#call;
    const cursor = this.#cursor;
    const connection = this.#connection;
    const { limits } = this.#target.contract;
    if (!connection.mayCall()) limitExceeded('callsPerSecond', limits.callsPerSecond);
    const waiting = waitingOn.get(connection)?.size ?? 0;
    if (connection.subscriptions.size + waiting >= limits.subscriptions) {
      limitExceeded('subscriptions', limits.subscriptions);
    }
    checkCall(call);
    if (![null, 0].includes(cursor as null) && typeof cursor !== 'string') {
      badMessage('A cursor must be a string, null or 0');
    }
    return call;
  }

  #begin(call: CallMessage): void | Promise<void> {
    const target = this.#target;
    const connection = this.#connection;
    const { caller } = connection;
    const [, ...independent] = independentCall(call, target, caller, this.#results);
    const own = [this.#subscriptionId, ...independent] as CallMessage;
    const prepared = prepareReusedCall(own, target, caller, (method) => {
      const { storesCall = false } = kindOf(method, target.contract);
      if (storesCall) checkCallSize(own);
      return storesCall;
    });
    const later = kindOf(prepared.called.method, target.contract).begin({
      subscriptionId: this.#subscriptionId,
      connection,
      target,
      cursor: this.#cursor as NewSubscription['cursor'],
      position: this.#position,
      call: own,
      ...prepared,
      isAwaited: () => this.#isAwaited(),
    });
    return later && this.#wait(call, later, (begin) => begin());
  }

  #isAwaited(): boolean {
    const token = waitingOn.get(this.#connection)?.get(this.#subscriptionId);
    return token === this.#token && !this.#connection.isClosed;
  }

  /**
   * Waits for the promise that the subscription needs to begin.
   *
   * @param begin - called afterwards, unless the subscription was cancelled; its start then never ends
   */
  async #wait<Awaited>(
    call: CallMessage,
    awaited: Promise<Awaited>,
    begin: (awaited: Awaited) => void | Promise<void>,
  ): Promise<void> {
    const connection = this.#connection;
    const release = connection.holdInFlight(weightOf(call));
    const waiting = waitingOn.get(connection) ?? new Map<number, object>();
    waitingOn.set(connection, waiting.set(this.#subscriptionId, (this.#token = {})));
    const [settled] = await Promise.allSettled([awaited]);
    release();
    if (!this.#isAwaited()) return new Promise(() => {});
    waiting.delete(this.#subscriptionId);
    if (settled.status === 'rejected') throw settled.reason;
    return begin(settled.value);
  }
}

/** @throws RpcError `METHOD_NOT_FOUND` for a method that cannot be subscribed to */
function kindOf({ name, kind }: CompiledMethod, contract: CompiledContract): SubscriptionKind {
  const found = kindsOf(contract).get(kind);
  if (found) return found;
  const instead = 'Write live([…]), events([…]), stream([…]) or rows(key, […]) in the contract';
  throw rejection(
    'METHOD_NOT_FOUND',
    `${name} cannot be subscribed to: the contract lists it as a call. ${instead}`,
  );
}

/** @throws RpcError `LIMIT_EXCEEDED` for a call that is too large for the socket's attachment */
function checkCallSize(call: CallMessage): void {
  if (JSON.stringify(call).length > MAX_CALL_SIZE) {
    limitExceeded('the size of the call of a subscription', MAX_CALL_SIZE);
  }
}
