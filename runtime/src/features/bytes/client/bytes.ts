/**
 * Sends large buffers as bytes, in binary frames. A bundle contains this file only if you import it.
 */
import { BYTES, bufferOf, READS_BYTES, readAndFree, writeWithBytes } from '../../../wire/bytes.ts';
import { frameOf, type EncodedMessage, asText } from '../../../wire/encoded-message.ts';
import { wholeFrame } from '../../../wire/pieces.ts';
import { unreadableReference } from '../../../wire/values/rich-decoder.ts';
import type { Session } from '../../../client/session.ts';

/**
 * Sends buffers of more than 1 024 bytes as bytes, in arguments and results, if the object has `use: [bytes]`. Otherwise
 * they are sent as Base64 text, which is 33 % larger and slower to write and to read. The received values are equal.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const files = createRpcClient<Files>('FILES', 'main', { bytes });
 * await files.store('photo', await file.arrayBuffer());
 */
export function bytes(session: Session): void {
  const { resolve = unreadableReference, changed, connection, transport } = session;
  /** True if the object reads binary frames; `undefined` until its answer has arrived on this connection. */
  let isRead: boolean | undefined;
  /** The messages of the frames that wait for this answer: the first frame with bytes, and all frames after it. */
  let waiting: (readonly EncodedMessage[])[] = [];
  // `changed` is called before anything is sent on a connection.
  session.changed = (state, detail) => {
    if (state === 'open') {
      isRead = undefined;
      waiting = [];
    }
    changed?.(state, detail);
  };
  connection.read = (arrived) => {
    const messages = readAndFree(wholeFrame(arrived));
    if (!messages) return undefined;
    const answer = messages.find(([kind]) => kind === 'bytes');
    // Over HTTP, the object may have been restarted or deployed between two requests.
    if (answer || !transport.isDuplex) isRead = answer && answer.length === 1;
    if (isRead !== undefined) for (const held of waiting.splice(0)) session.send(held);
    return messages;
  };
  session.write = (encode, referenceOf) =>
    isRead === false ? encode(referenceOf) : writeWithBytes(encode, referenceOf);
  session.resolve = (reference, call) =>
    // Only the text of a call still has references to bytes. Messages that arrive have the bytes themselves.
    reference[0] === BYTES && call ? bufferOf(reference, call.message) : resolve(reference, call);
  session.send = (messages) => {
    const isUnknown = isRead === undefined;
    const waits =
      isUnknown && (waiting.length > 0 || messages.some((message) => typeof message !== 'string'));
    if (waits && waiting.push(messages) > 1) return;
    const now = waits ? [] : isRead ? messages : messages.map(asText);
    // Over HTTP, each request has to contain `["bytes"]`.
    transport.send(frameOf(isUnknown || !transport.isDuplex ? [READS_BYTES, ...now] : now));
  };
}
