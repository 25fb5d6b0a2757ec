/**
 * The subscribers of an object, to subscriptions of all kinds. They are restored after hibernation. The object's storage
 * has no data of them, so nothing has to be deleted there.
 */
import {
  checkCopy,
  type CompiledContract,
  type Connection,
  contractOf,
  followTransactions,
  hibernatingConnectionsOf,
  openConnectionsOf,
  type Subscriptions,
} from '../../../server/feature.ts';
import { RpcError } from '../../../wire/errors.ts';
import { encodeEnd, type SubscriptionEnd } from '../wire.ts';
import {
  type StoredSubscription,
  kindsOf,
  type Subscription,
  type SubscriptionKind,
  type SubscriptionState,
  attachmentFullError,
} from './subscription.ts';

const subscribers = new WeakMap<object, Subscribers>();

export function subscribersOf(instance: object): Subscribers {
  let found = subscribers.get(instance);
  if (!found) {
    checkCopy(instance);
    found = new Subscribers(instance);
    subscribers.set(instance, found);
  }
  found.restoreAll();
  return found;
}

/**
 * Removes the subscriptions of a connection that has ended. Some kinds wait for the client to come back.
 *
 * @param isFinal - whether the client will not come back
 */
export function endSubscriptionsOf(
  instance: object,
  connection: Connection,
  isFinal = false,
): void {
  const found = subscribers.get(instance);
  if (!found) return;
  const mayComeBack = !isFinal && connection.client !== undefined;
  const subscriptions = connection.subscriptions as Subscriptions<Subscription>;
  for (const [subscriptionId, subscription] of subscriptions) {
    if (subscription.leave && mayComeBack) {
      subscriptions.delete(subscriptionId);
      subscription.leave();
    } else found.remove(connection, subscriptionId);
  }
}

export class Subscribers {
  readonly #instance: object;
  /** The kinds whose subscriptions have been restored. */
  readonly #restored = new Set<SubscriptionKind>();
  #isRestored = false;

  constructor(instance: object) {
    this.#instance = instance;
    // `lumenizeRpcDO` has done this already, but a class that calls the handlers itself has not.
    followTransactions(instance);
  }

  get #contract(): CompiledContract | undefined {
    return contractOf(this.#instance);
  }

  /**
   * Restores all subscriptions as soon as the contract of the object is known. A class that calls the handlers itself may
   * use a feed before that. Subscriptions to methods that a deployment has removed from the contract are dropped.
   */
  restoreAll(): void {
    if (this.#isRestored) return;
    const contract = this.#contract;
    if (!contract) return;
    this.#isRestored = true;
    for (const kind of kindsOf(contract).values()) this.restore(kind);
    for (const connection of hibernatingConnectionsOf(this.#instance)) {
      if (connection.subscriptions.stored.length === 0) continue;
      connection.subscriptions.stored = [];
      connection.storeState();
    }
  }

  /** Restores the subscriptions of a kind, once. */
  restore(kind: SubscriptionKind): void {
    if (this.#restored.has(kind)) return;
    this.#restored.add(kind);
    const kept: StoredSubscription[] = [];
    for (const connection of hibernatingConnectionsOf(this.#instance)) {
      const records = connection.subscriptions.stored as readonly SubscriptionState[];
      const own = records.filter(([, name]) => name === kind.name);
      if (own.length === 0) continue;
      connection.subscriptions.stored = records.filter(([, name]) => name !== kind.name);
      for (const state of own) kept.push({ connection, state });
    }
    const changed = new Set<Connection>();
    for (const [{ connection, state }, result] of kind.restore(kept, this.#instance)) {
      const [subscriptionId] = state;
      if ('subscriptionId' in result) {
        connection.subscriptions.set(subscriptionId, result);
        result.join?.(this.#contract);
      } else {
        this.#complete(connection, subscriptionId, result);
        changed.add(connection);
      }
    }
    for (const connection of changed) connection.storeState();
  }

  /** @throws RpcError `LIMIT_EXCEEDED`; then nothing has been added */
  add(subscription: Subscription, connection: Connection): void {
    const { subscriptionId } = subscription;
    connection.subscriptions.set(subscriptionId, subscription);
    try {
      subscription.join?.(this.#contract);
      connection.storeState();
    } catch (error) {
      this.remove(connection, subscriptionId);
      throw error instanceof RpcError ? error : attachmentFullError(error);
    }
  }

  remove(connection: Connection, subscriptionId: number): void {
    const subscription = connection.subscriptions.get(subscriptionId) as Subscription | undefined;
    connection.subscriptions.delete(subscriptionId);
    subscription?.stop();
  }

  /**
   * Stores the changed subscription with the connection.
   *
   * @returns whether the subscription fits into the attachment of the socket; if not, it has ended
   */
  storeState(connection: Connection, subscriptionId: number): boolean {
    try {
      connection.storeState();
      return true;
    } catch (error) {
      this.end(connection, subscriptionId, { thrown: attachmentFullError(error) });
      return false;
    }
  }

  /** Ends a subscription, and sends the end to the client, with its error if there is one. */
  end(connection: Connection, subscriptionId: number, end: SubscriptionEnd): void {
    this.remove(connection, subscriptionId);
    this.#complete(connection, subscriptionId, end);
    try {
      connection.storeState();
    } catch (error) {
      // Other subscriptions of the connection have grown since they were stored. Outdated records would be restored, so
      // all subscriptions of the connection are removed.
      for (const left of connection.subscriptions.keys()) {
        this.remove(connection, left);
        this.#complete(connection, left, { thrown: attachmentFullError(error) });
      }
      connection.storeState();
    }
  }

  #complete(connection: Connection, subscriptionId: number, end: SubscriptionEnd): void {
    const details = this.#contract?.exposeErrorDetails ?? false;
    connection.send(encodeEnd(subscriptionId, end, details));
  }

  /** Ends the subscriptions through a capability that has been revoked. */
  revoked(capabilityToken: string, thrown: RpcError): void {
    for (const connection of openConnectionsOf(this.#instance)) {
      const subscriptions = connection.subscriptions as Subscriptions<Subscription>;
      for (const subscription of subscriptions.values()) {
        if (subscription.capabilityToken === capabilityToken)
          this.end(connection, subscription.subscriptionId, { thrown });
      }
    }
  }
}
