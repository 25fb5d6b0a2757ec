/**
 * Bytes after the text: frames with large buffers are binary. A bundle contains this file only if you import it.
 */
import {
  BYTES,
  bytesBehind,
  frameOf,
  free,
  readAnyFrame,
  READS_BYTES,
  wholeOf,
  writeWithBytes,
} from '../../wire/bytes.ts';
import { unread } from '../../wire/rich-decoder.ts';
import type { Session } from '../../client/session.ts';

/**
 * Sends buffers of more than 1 024 bytes as bytes, in arguments and results. Without this option they are sent
 * as Base64 text, which is a third larger and takes both ends longer to write and to read. The values are the
 * same.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const files = createRpcClient<Files>('FILES', 'main', { bytes });
 * await files.store('photo', await file.arrayBuffer());
 */
export function bytes(session: Session): void {
  const { make = unread, changed, connection, transport } = session;
  let isTold = false;
  // Called before anything is sent on a connection.
  session.changed = (state, detail) => {
    if (state === 'open') isTold = false;
    changed?.(state, detail);
  };
  connection.read = (arrived) => {
    const frame = wholeOf(arrived);
    const messages = readAnyFrame(frame);
    // The messages have copies of all bytes.
    if (messages) free(frame);
    return messages;
  };
  session.write = writeWithBytes;
  session.make = (reference, call) =>
    // Only the text of a call still has references to bytes. Messages that arrive have the bytes themselves.
    reference[0] === BYTES && call ? bytesBehind(reference, call.message) : make(reference, call);
  session.send = (messages) => {
    transport.send(frameOf(isTold ? messages : [READS_BYTES, ...messages]));
    // Over HTTP, each request has to contain `["bytes"]`.
    isTold = !!transport.isDuplex;
  };
}
