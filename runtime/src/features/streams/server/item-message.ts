/** Encodes the items of streams and rows as messages. */
import { addHint, type Target, rejection } from '../../../server/feature.ts';
import type { Encode, EncodedMessage } from '../../../wire/encoded-message.ts';
import type { RpcError } from '../../../wire/errors.ts';
import { encodeTail } from '../../../wire/messages.ts';
import { encodeNext } from '../../subscriptions/wire.ts';

/** The subscription that an item belongs to. */
export interface StreamContext {
  readonly subscriptionId: number;
  readonly method: string;
  readonly target: Target;
}

/**
 * Encodes an item of a stream as a message.
 *
 * @param index - the index of the item, from 0
 * @throws RpcError `UNSERIALIZABLE` with the path from the stream to the value that cannot be sent
 */
export function encodeStreamItem(
  item: unknown,
  index: number,
  { subscriptionId, method }: StreamContext,
  write: (encode: Encode) => EncodedMessage,
): EncodedMessage {
  try {
    return write((referenceOf) =>
      encodeNext(subscriptionId, index + 1, encodeTail(item, referenceOf)),
    );
  } catch (error) {
    if ((error as RpcError).code !== 'UNSERIALIZABLE') throw error;
    const { message, path = '' } = addHint(error) as RpcError;
    const problem = `${method}: item [${index}]: ${message}`;
    throw rejection('UNSERIALIZABLE', problem, { path: `[${index}]${path}` });
  }
}
