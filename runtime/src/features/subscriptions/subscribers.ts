/**
 * The subscribers of an object, whatever they subscribe to: restored after hibernation, and ended. Nothing is in the
 * object's storage, so nothing has to be deleted there.
 */
import { RpcError } from '../../wire/errors.ts';
import { encodeEnd, type SubscriptionEnd } from './wire.ts';
import { unknownCapabilityError } from '../../server/calls/callee.ts';
import { followTransactions } from '../../server/base/turns.ts';
import type { CompiledContract } from '../../server/contract/compiled.ts';
import { checkCopy, contractOf } from '../../server/contract/contract-of.ts';
import type { Connection as Peer } from '../../server/contract/connection.ts';
import { connectedPeersOf, hibernatingPeersOf } from '../../server/connections/sockets.ts';
import {
  type StoredSubscription,
  kindsOf,
  type Subscription,
  type SubscriptionKind,
  type SubscriptionRecord,
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
 * Removes the subscriptions of a connection that has ended. Some wait for the client.
 *
 * @param isFinal - whether the client will not come back
 */
export function endSubscriptionsOf(instance: object, peer: Peer, isFinal = false): void {
  const found = subscribers.get(instance);
  if (!found) return;
  const mayComeBack = !isFinal && peer.client !== undefined;
  for (const [n, one] of peer.subscriptions as Map<number, Subscription>) {
    if (one.leave && mayComeBack) {
      peer.subscriptions.delete(n);
      one.leave();
    } else found.remove(peer, n);
  }
}

export class Subscribers {
  readonly #instance: object;
  /** The kinds whose subscriptions have been restored. */
  readonly #restored = new Set<SubscriptionKind>();
  #isRestored = false;

  constructor(instance: object) {
    this.#instance = instance;
    // `lumenizeRpcDO` does it earlier.
    followTransactions(instance);
  }

  get #contract(): CompiledContract | undefined {
    return contractOf(this.#instance);
  }

  /**
   * Restores all subscriptions, as soon as the contract of the object is known: a class that calls the handlers itself
   * may use a feed before. What a deployment has removed from the contract is dropped.
   */
  restoreAll(): void {
    if (this.#isRestored) return;
    const contract = this.#contract;
    if (!contract) return;
    this.#isRestored = true;
    for (const kind of kindsOf(contract).values()) this.restore(kind);
    for (const peer of hibernatingPeersOf(this.#instance)) {
      if (peer.kept.length === 0) continue;
      peer.kept = [];
      peer.keepSubscriptions();
    }
  }

  /** Restores the subscriptions of a kind, once. */
  restore(kind: SubscriptionKind): void {
    if (this.#restored.has(kind)) return;
    this.#restored.add(kind);
    const kept: StoredSubscription[] = [];
    for (const peer of hibernatingPeersOf(this.#instance)) {
      const records = peer.kept as readonly SubscriptionRecord[];
      const own = records.filter(([, name]) => name === kind.name);
      if (own.length === 0) continue;
      peer.kept = records.filter(([, name]) => name !== kind.name);
      for (const record of own) kept.push({ peer, record });
    }
    const changed = new Set<Peer>();
    for (const [{ peer, record }, result] of kind.restore(kept, this.#instance)) {
      const [n] = record;
      if ('n' in result) {
        peer.subscriptions.set(n, result);
        result.join?.(this.#contract);
      } else {
        this.#complete(peer, n, result);
        changed.add(peer);
      }
    }
    for (const peer of changed) peer.keepSubscriptions();
  }

  /** @throws RpcError `LIMIT_EXCEEDED`; then nothing has been added */
  add(subscription: Subscription, peer: Peer): void {
    const { n } = subscription;
    peer.subscriptions.set(n, subscription);
    try {
      subscription.join?.(this.#contract);
      peer.keepSubscriptions();
    } catch (error) {
      this.remove(peer, n);
      throw error instanceof RpcError ? error : attachmentFullError(error);
    }
  }

  remove(peer: Peer, n: number): void {
    const one = peer.subscriptions.get(n) as Subscription | undefined;
    peer.subscriptions.delete(n);
    one?.stop();
  }

  /**
   * Stores the changed subscription with the connection.
   *
   * @returns whether it fits; if not, the subscription has ended
   */
  keep(peer: Peer, n: number): boolean {
    try {
      peer.keepSubscriptions();
      return true;
    } catch (error) {
      this.end(peer, n, { thrown: attachmentFullError(error) });
      return false;
    }
  }

  /** Ends a subscription, and sends the end to the client, with its error if there is one. */
  end(peer: Peer, n: number, end: SubscriptionEnd): void {
    this.remove(peer, n);
    this.#complete(peer, n, end);
    try {
      peer.keepSubscriptions();
    } catch (error) {
      // Other subscriptions of the connection have grown since they were stored. What is stored would be restored, so
      // nothing may be left of it.
      for (const left of peer.subscriptions.keys()) {
        this.remove(peer, left);
        this.#complete(peer, left, { thrown: attachmentFullError(error) });
      }
      peer.keepSubscriptions();
    }
  }

  #complete(peer: Peer, n: number, end: SubscriptionEnd): void {
    const details = this.#contract?.exposeErrorDetails ?? false;
    peer.push(encodeEnd(n, end, details));
  }

  /** Ends the subscriptions through a capability that has been revoked. */
  revoked(capabilityToken: string): void {
    for (const peer of connectedPeersOf(this.#instance)) {
      for (const one of (peer.subscriptions as Map<number, Subscription>).values()) {
        if (one.capabilityToken === capabilityToken)
          this.end(peer, one.n, { thrown: unknownCapabilityError() });
      }
    }
  }
}
