/** The interfaces of subscriptions and of their kinds, which the registry of subscribers uses. */
import {
  type BoundMethod,
  type CompiledContract,
  type Connection,
  type Feature,
  rejection,
  type Target,
  perObject,
} from '../../../server/feature.ts';
import { RpcError } from '../../../wire/errors.ts';
import type { CallMessage } from '../../../wire/messages.ts';
import type { SubscriptionEnd, Position } from '../wire.ts';

/** The object's state of one subscription. */
export interface Subscription {
  /** The connection of the client; `undefined` while a subscription waits for its client. */
  readonly connection: Connection | undefined;
  /** The client's number of the subscription. */
  readonly subscriptionId: number;
  /** The record that is stored with the connection: the number, the name of the kind, and the data of the kind. */
  readonly state: SubscriptionState;
  /** The token of the capability whose method was subscribed to: see `capabilityTokenOf`. */
  readonly capabilityToken: string | undefined;
  /**
   * Joins the source of its items, such as a feed.
   *
   * @throws RpcError `LIMIT_EXCEEDED` if there is no room
   */
  join?(contract: CompiledContract | undefined): void;
  /** Called when the client has consumed the items up to a number, or for a live value, a number of values. */
  acknowledge(count: number, target: Target): void;
  /** Releases the resources of the subscription. Nothing is sent to the client. */
  stop(): void;
  /** Called when its connection has ended, and the client may come back. A subscription without this is stopped then. */
  leave?(): void;
}

export type SubscriptionState = readonly [subscriptionId: number, kind: string, ...unknown[]];

/** A subscription that outlasts its connection, so that its client can continue it. */
export interface SurvivingSubscription extends Subscription {
  /** Returns whether the subscription can continue after a position; without a position, from its beginning. */
  canResumeAfter(position: Position | undefined): boolean;
  /** Continues over another connection. */
  begin(connection: Connection, event: number): void;
  /** Ends the subscription because its client does not continue it. */
  abandon(): void;
}

/** A subscription that begins. Its call is valid, and its method has not run. */
export interface NewSubscription {
  readonly subscriptionId: number;
  readonly connection: Connection;
  readonly target: Target;
  /** The client's cursor: `null` for the beginning, 0 if an earlier attempt had no reply. */
  readonly cursor: string | 0 | null;
  /** The decoded cursor, if it is a cursor of numbered items. */
  readonly position: Position | undefined;
  /** The call, which can be made again if the kind stores it. The first element is not used. */
  readonly call: CallMessage;
  readonly called: BoundMethod;
  readonly args: unknown[];
  /** Returns whether the client still waits for it to begin. */
  isAwaited(): boolean;
}

/** A kind of subscriptions. */
export interface SubscriptionKind {
  /** The name of the kind in entries of the contract, and in records. */
  readonly name: string;
  /** True if the call is stored with the socket to be made again, so that its size is limited. Default `false`. */
  readonly storesCall?: boolean;
  /**
   * Begins a subscription, and adds it to the subscribers. Throws the reason why it cannot begin.
   *
   * @returns a promise of the function that begins it, if its first position must be fetched
   */
  begin(subscription: NewSubscription): void | Promise<() => void>;
  /** Restores subscriptions from before hibernation. Ends a subscription that cannot continue. */
  restore(
    kept: Iterable<StoredSubscription>,
    instance: object,
  ): Iterable<readonly [StoredSubscription, Subscription | SubscriptionEnd]>;
  /** Returns a subscription that outlasted its connection. */
  find?(
    instance: object,
    connection: Connection,
    subscriptionId: number,
  ): SurvivingSubscription | undefined;
}

/** A record, and the connection that it was stored with. */
export interface StoredSubscription {
  readonly connection: Connection;
  readonly state: SubscriptionState;
}

/** A feature with kinds of subscriptions. */
export interface SubscriptionFeature extends Feature {
  readonly kinds: readonly SubscriptionKind[];
}

/** Returns the kinds of subscriptions of a contract, by name. */
export const kindsOf = /* @__PURE__ */ perObject(
  ({ features }: CompiledContract): ReadonlyMap<string, SubscriptionKind> => {
    const all = features.flatMap(
      (feature) => (feature as Partial<SubscriptionFeature>).kinds ?? [],
    );
    return new Map(all.map((kind) => [kind.name, kind]));
  },
);

/** Returns the error for a subscription that does not fit into the socket's attachment. */
export function attachmentFullError(cause: unknown): RpcError {
  const message =
    'The connection has too many subscriptions, or their arguments are too large: end some, or open another client';
  return new RpcError('LIMIT_EXCEEDED', message, { cause });
}

/**
 * Returns the error for a subscription to a method that returned a value of another kind. This is known only after the
 * method has run.
 *
 * @param problem - the reason why the method cannot be subscribed to
 */
export function methodHasRunError(method: string, problem: string): RpcError {
  return rejection(
    'METHOD_NOT_FOUND',
    `${method} cannot be subscribed to: it ${problem}. The method has run`,
    { maybeExecuted: true },
  );
}

/** Returns the error for a subscriber whose next event or row is no longer known. */
export function cursorExpiredError(): RpcError {
  return new RpcError(
    'CURSOR_EXPIRED',
    'The feed no longer has the events after this cursor: load the state again, and subscribe without a cursor',
  );
}
