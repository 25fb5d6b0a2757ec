/** Encodes a thrown value as text, whatever the value is. */
import { RpcError } from '../errors.ts';
import { describeKind, encodeRich } from './rich-encoder.ts';
import { tagOf } from './tags.ts';

/**
 * Returns the end of a message that reports a thrown value. An error must always arrive: parts that cannot be sent are
 * left out, and a value that cannot be read is replaced.
 *
 * @param details - `false` leaves out details that not every client may see: see `publicError`
 */
export function encodeThrown(thrown: unknown, details: boolean): string {
  const encode = (value: unknown): string => `,"error",${encodeRich(value, undefined, true)}`;
  try {
    const sendable = isSendable(thrown, details) ? thrown : bareError(thrown);
    return encode(details ? sendable : publicError(sendable));
  } catch {
    // A getter or a proxy trap of the thrown value threw as well.
  }
  try {
    return encode(publicError(bareError(thrown)));
  } catch {
    return encode(publicError(new Error('The method threw a value that cannot be read')));
  }
}

/**
 * Reduces an error to its name, its message and a code such as the codes of Node. An `RpcError` keeps its properties.
 */
export function publicError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  if (thrown instanceof RpcError) {
    return Object.assign(new RpcError(thrown.code, thrown.message), thrown);
  }
  const { name, message, code } = thrown as Error & { code?: unknown };
  const error = Object.assign(new Error(message), { name, stack: undefined });
  return ['string', 'number'].includes(typeof code) ? Object.assign(error, { code }) : error;
}

function isSendable(thrown: unknown, details: boolean): boolean {
  if (thrown === null || !['object', 'function', 'symbol'].includes(typeof thrown)) return true;
  return (details || thrown instanceof Error) && tagOf(thrown) !== undefined;
}

/** Returns the error to send for a thrown value that cannot be sent. */
function bareError(thrown: unknown): Error {
  const { name, message, stack } =
    thrown instanceof Error
      ? thrown
      : {
          name: 'Error',
          message: `The method threw ${describeKind(thrown)}, which cannot be sent`,
        };
  return Object.assign(new Error(message), { name, stack });
}
