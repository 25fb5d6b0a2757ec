/**
 * Bytes beside the text: frames with more than a few bytes are binary. Only who imports this file has it in
 * a bundle. Imports session and wire/.
 */
import {
  BYTES,
  bytesBehind,
  frameOf,
  free,
  readAnyFrame,
  READS_BYTES,
  writeWithBytes,
} from '../wire/bytes.ts';
import { unread } from '../wire/rich-decoder.ts';
import type { Session } from './session.ts';

/**
 * Lets the bytes in arguments and results travel as they are, where there are more than 1 024 in one buffer.
 * Without it they travel as Base64 text, which is larger by a third, and takes both ends longer to write and
 * to read. What the values are does not change.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const files = createRpcClient<Files>('FILES', 'main', { bytes });
 * await files.store('photo', await file.arrayBuffer());
 */
export function bytes(session: Session): void {
  const { make = unread, connection, transport } = session;
  const { changed } = connection.events;
  let isTold = false;
  // Before anything is sent on a connection.
  connection.events.changed = (state, detail) => {
    if (state === 'open') isTold = false;
    changed?.(state, detail);
  };
  connection.read = (frame) => {
    const messages = readAnyFrame(frame);
    // All bytes have been copied out of it.
    if (messages) free(frame);
    return messages;
  };
  session.write = writeWithBytes;
  session.make = (reference, call) =>
    // From its own text only a call knows bytes by a number.
    reference[0] === BYTES && call ? bytesBehind(reference, call.message) : make(reference, call);
  session.send = (messages) => {
    transport.send(frameOf(isTold ? messages : [READS_BYTES, ...messages]));
    // What is sent in one request says nothing of the next.
    isTold = !!transport.isDuplex;
  };
}
