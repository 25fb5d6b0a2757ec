/** Connects all loops of one client to its session and its connection. */
import { limitExceeded, FRAME_SIZE } from '../../../wire/limits.ts';
import { copyOfError } from '../../../client/failures.ts';
import type { Reader, ReaderConnection } from './reader.ts';
import type { Session } from '../../../client/session.ts';

/** The kinds of messages about subscriptions. */
export const OURS = new Set<unknown>([
  'subscribed',
  'next',
  'window',
  'gap',
  'epoch',
  'value',
  'patch',
  'complete',
]);

function makeReaders(session: Session): ReaderConnection {
  const { resolve, connection, opened, received, rejectAll, isAwaiting } = session;
  const readers = new Map<unknown, Reader>();
  let last = 0;
  /**
   * The messages that end subscriptions, from a time without a connection. They are sent later, since the object keeps
   * streams.
   */
  const untold: string[] = [];
  const tell = (message: string): boolean => {
    if (!connection.isDuplex) return false;
    session.send([message]);
    return true;
  };
  session.isAwaiting = () => readers.size > 0 || isAwaiting();
  session.opened = () => {
    untold.splice(0).forEach(tell);
    // Subscriptions are sent before calls, so that loops get the effects of these calls. A subscription to
    // the result of a call is sent after the call.
    const later = [...readers.values()].filter((reader) => !reader.begin(false));
    opened();
    for (const reader of later) reader.begin();
  };
  session.rejectAll = (error, onlySent, first) => {
    // It is unknown which frame the object could not read, so all loops that wait for an answer are rejected.
    for (const reader of readers.values()) {
      // Each loop gets its own error, since code that catches an error can change it.
      if (!onlySent || !reader.isBegun) reader.stop({ thrown: copyOfError(error) });
    }
    rejectAll(error, onlySent, first);
  };
  session.received = async (messages) => {
    const ours: unknown[][] = [];
    received(messages.filter((message) => !OURS.has(message[0]) || !ours.push(message)));
    // Code that awaits a call continues before a loop gets the effects of the call.
    for (let turn = 0; turn < 5; turn++) await undefined;
    for (const message of ours) {
      const [, id] = message;
      // The number is negative if the client has to subscribe again.
      readers.get(typeof id === 'number' && Math.abs(id))?.receive(message);
    }
  };
  return {
    resolve,
    tell,
    add(reader) {
      readers.set(++last, reader);
      return last;
    },
    begin(message) {
      // The frame adds two brackets. The object would reject a larger frame, and with it all calls on their way.
      if (message.length + 2 > FRAME_SIZE) limitExceeded('frameSize', FRAME_SIZE);
      const isSent = tell(message);
      connection.open();
      return isSent;
    },
    leave({ subscriptionId, cursor }) {
      const message = `["unsubscribe",${subscriptionId}]`;
      // A reader that has subscribed has a cursor.
      if (readers.delete(subscriptionId) && !tell(message) && cursor !== undefined)
        untold.push(message);
    },
  };
}

export function readersOf(session: Session): ReaderConnection {
  return (session.subscriptions ??= makeReaders(session)) as ReaderConnection;
}
