/** Debug output of a client. */
import type { Transport } from '../../../client/transport.ts';
import { wholeFrame } from '../../../wire/pieces.ts';
import { FrameLog } from '../wire/frame-log.ts';

/**
 * Shows on the console what a client does: its connection, each frame, and each call with its outcome and its
 * duration. This includes arguments and results, up to 200 characters of each.
 *
 * @returns a transport that uses the given transport and shows its frames
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 */
export function debug(transport: Transport, binding: string, instance: string): Transport {
  const log = new FrameLog(`${binding}/${instance} client`);
  return {
    address: transport.address,
    since: transport.since,
    clientId: transport.clientId,
    get isDuplex() {
      return transport.isDuplex ?? false;
    },
    isCongested: () => transport.isCongested?.() ?? false,
    connect(events) {
      log.note('connects');
      transport.connect({
        ...events,
        opened() {
          log.note('is connected');
          events.opened();
        },
        received(arrived) {
          const frame = wholeFrame(arrived);
          log.down(frame);
          return events.received(frame);
        },
        lost(error, isRefusal, unread) {
          log.clear();
          log.note(`${isRefusal ? 'is refused' : 'lost the connection'}: ${error.message}`);
          events.lost(error, isRefusal, unread);
        },
      });
    },
    send(frame) {
      log.up(frame);
      transport.send(frame);
    },
    close() {
      log.clear();
      log.note('closes');
      transport.close();
    },
  };
}
