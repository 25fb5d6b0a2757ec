/** Handles clients' messages about subscriptions: `subscribe`, `ack` and `unsubscribe`. */
import { type MessageContext, badMessage } from '../../../server/feature.ts';
import { hasBytes } from '../../../wire/encoded-message.ts';
import { isId } from '../../../wire/messages.ts';
import { beginSubscription, cancelPending, survivingSubscription } from './begin-subscription.ts';
import { subscribersOf } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

/** @throws RpcError `BAD_MESSAGE` for a malformed message; the rest of the frame is then ignored */
export function handleSubscriptionMessage(message: unknown[], context: MessageContext): void {
  const { instance, contract, connection, results, frame } = context;
  const target = { instance, contract };
  const [kind, subscriptionId, count] = message;
  if (!isId(subscriptionId)) badMessage('The number of a subscription must be a positive integer');
  if (!connection.isConnection) {
    badMessage('Subscriptions need a WebSocket: a POST gets one response');
  }
  // The call is stored with the socket and compared with other calls as text, so it must not contain bytes.
  if (hasBytes(message)) {
    badMessage('Bytes in the arguments of a subscription must be sent as text');
  }
  // Restores the subscriptions from before hibernation.
  const subscribers = subscribersOf(instance);
  if (kind === 'ack') {
    if (!isId(count)) badMessage('The number in an acknowledgement must be a positive integer');
    // The subscription may have ended while the message was on its way, which is not an error.
    return (connection.subscriptions.get(subscriptionId) as Subscription | undefined)?.acknowledge(
      count,
      target,
    );
  }
  cancelPending(connection, subscriptionId);
  if (kind === 'subscribe') {
    const metadata = frame.metadataOf(-subscriptionId);
    return beginSubscription(message, target, connection, results, metadata);
  }
  if (connection.subscriptions.has(subscriptionId)) {
    subscribers.remove(connection, subscriptionId);
    connection.storeState();
    // The client ends a subscription that it has left while it was disconnected.
  } else survivingSubscription(target, connection, subscriptionId)?.stop();
}
