/** Binary frames, in which buffers are sent as bytes after the text of a frame. */
import { type Featured, badMessage } from '../../server/feature.ts';
import {
  packMessage,
  READS_BYTES,
  restoreMessage,
  splitBuffers,
  readAndFree,
  withBytes,
} from '../../wire/bytes.ts';

/**
 * Sends and receives buffers of more than 1 024 bytes as bytes, to and from clients with the option `bytes`.
 * Without it, they are sent as Base64 text, which is 33 % larger and slower to write and to read. The received values
 * are equal.
 *
 * @example
 * export const Files = lumenizeRpcDO(FilesImpl, contract, { use: [bytes] });
 */
export const bytes: Featured = {
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
      bytes(message, { connection }) {
        if (message.length > 1)
          badMessage('A message "bytes" with lengths must be followed by bytes');
        connection.readsBytes = true;
        connection.storeState();
        connection.send(READS_BYTES);
      },
    },
  },
};
