/**
 * Handles clients' messages about subscriptions: `subscribe`, `ack` and `unsubscribe`.
 */
import type { Target, MessageContext } from '../../server/contract/compiled.ts';
import { hasBytes } from '../../wire/bytes-as-text.ts';
import { isId } from '../../wire/messages.ts';
import { Beginning, giveUpBeginning } from './beginning.ts';
import { OpenStream } from '../streams/open-stream.ts';
import type { Peer } from '../../server/connections/peer.ts';
import { refusal } from '../../server/calls/refusal.ts';
import { RowsSubscription } from '../streams/row-pages.ts';
import { streamsOf } from '../streams/streams.ts';
import { subscribersOf } from './subscribers.ts';
import { FeedSubscription, LiveSubscription, tooLarge } from './subscription.ts';

/**
 * Handles a message about a subscription.
 *
 * @throws RpcError `BAD_MESSAGE` for a malformed message; the rest of the frame is then ignored
 */
export function hearSubscriber(message: unknown[], context: MessageContext): void {
  const { peer, results, ...target } = context;
  const [kind, n, detail] = message;
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
  const subscribers = subscribersOf(target.instance);
  if (kind === 'ack') acknowledge(target, peer, n, detail);
  else {
    giveUpBeginning(peer, n);
    if (kind === 'subscribe') new Beginning(message, target, peer, results).run();
    else if (peer.subscriptions.has(n)) {
      subscribers.remove(peer, n);
      peer.keepSubscriptions();
    } else {
      // A stream that the client left while it was disconnected.
      const stream = streamsOf(target.instance).find(peer, n);
      stream?.stop(refusal('ABORTED', 'The client stopped reading'));
    }
  }
}

function acknowledge(target: Target, peer: Peer, n: number, count: unknown): void {
  if (!isId(count))
    throw refusal('BAD_MESSAGE', 'The number in an acknowledgement must be a positive integer');
  // A subscription that has ended meanwhile is not an error.
  const one = peer.subscriptions.get(n);
  if (one instanceof OpenStream) return one.acknowledge(count);
  if (one instanceof RowsSubscription) return one.acknowledge(count, target);
  if (one instanceof LiveSubscription) {
    if (!one.acknowledge(count)) return;
  } else if (one instanceof FeedSubscription) {
    if (count <= one.acknowledged || count > one.sent) return;
    one.acknowledged = count;
  } else return;
  const subscribers = subscribersOf(target.instance);
  try {
    peer.keepSubscriptions();
  } catch (error) {
    // The number of the event now takes more bytes.
    return subscribers.end(peer, n, { thrown: tooLarge(error) });
  }
  subscribers.refresh(one);
}
