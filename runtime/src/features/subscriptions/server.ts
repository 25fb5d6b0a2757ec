/** Handles clients' messages about subscriptions: `subscribe`, `ack` and `unsubscribe`. */
import { hasBytes } from '../../wire/encoded-message.ts';
import { isId } from '../../wire/messages.ts';
import { refusal } from '../../server/base/refusal.ts';
import type { MessageContext } from '../../server/contract/compiled.ts';
import { beginSubscription, cancelPending, survivingSubscription } from './begin-subscription.ts';
import { subscribersOf } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

/** @throws RpcError `BAD_MESSAGE` for a malformed message; the rest of the frame is then ignored */
export function handleSubscriptionMessage(message: unknown[], context: MessageContext): void {
  const { instance, contract, peer, results } = context;
  const target = { instance, contract };
  const [kind, n, count] = message;
  if (!isId(n))
    throw refusal('BAD_MESSAGE', 'The number of a subscription must be a positive integer');
  if (!peer.isConnection) {
    throw refusal('BAD_MESSAGE', 'Subscriptions need a WebSocket: a POST gets one response');
  }
  // The call is stored with the socket, and compared with other calls, as text.
  if (hasBytes(message)) {
    throw refusal('BAD_MESSAGE', 'Bytes in the arguments of a subscription must be sent as text');
  }
  // Restores the subscriptions from before hibernation.
  const subscribers = subscribersOf(instance);
  if (kind === 'ack') {
    if (!isId(count))
      throw refusal('BAD_MESSAGE', 'The number in an acknowledgement must be a positive integer');
    // A subscription that has ended meanwhile is not an error.
    return (peer.subscriptions.get(n) as Subscription | undefined)?.acknowledge(count, target);
  }
  cancelPending(peer, n);
  if (kind === 'subscribe') return beginSubscription(message, target, peer, results);
  if (peer.subscriptions.has(n)) {
    subscribers.remove(peer, n);
    peer.keepSubscriptions();
    // One that the client left while it was disconnected.
  } else survivingSubscription(target, peer, n)?.stop();
}
