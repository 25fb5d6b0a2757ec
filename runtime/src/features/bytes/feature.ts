/** Binary frames: buffers are sent as they are, after the text of a frame. */
import type { BinaryFrames } from '../../server/base/frame-codec.ts';
import type { Featured } from '../../server/contract/compiled.ts';
import { refusal } from '../../server/base/refusal.ts';
import {
  packMessage,
  READS_BYTES,
  restoreMessage,
  splitBuffers,
  readAndFree,
  withBytes,
} from '../../wire/bytes.ts';

/**
 * Sends and receives buffers of more than 1 024 bytes as bytes, to and from clients with the option of the same name.
 * Without it, they are sent as Base64 text, which is a third larger and takes both ends longer to write and to read.
 * The values are the same.
 *
 * @example
 * export const Files = lumenizeRpcDO(FilesImpl, { store: [Type.String(), buffer] }, { bytes });
 */
export const bytes: Featured & BinaryFrames = {
  '~feature': {
    name: 'bytes',
    version: 1,
    frames: {
      read: readAndFree,
      split: splitBuffers,
      pack: packMessage,
      withBytes,
      restore: restoreMessage,
    },
    messages: {
      bytes(message, { peer }) {
        if (message.length > 1) throw refusal('BAD_MESSAGE', 'The lengths of no bytes');
        peer.readsBytes = true;
        peer.keepSubscriptions();
        peer.push(READS_BYTES);
      },
    },
  },
};
