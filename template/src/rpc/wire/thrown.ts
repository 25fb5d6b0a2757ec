/** What was thrown, as text: an error must arrive, whatever it is. Imports errors, rich-encoder and tags. */
import { RpcError } from './errors.ts';
import { describe, encodeRich } from './rich-encoder.ts';
import { tagOf } from './tags.ts';

/**
 * What a message ends with that says what was thrown. An error must arrive, so what it carries and
 * cannot cross is left out, and what cannot be read is replaced.
 *
 * @param details - false leaves out what is not for everyone: see `publicError`
 */
export function encodeThrown(thrown: unknown, details: boolean): string {
  const encode = (value: unknown): string => `,"error",${encodeRich(value, undefined, true)}`;
  try {
    const sendable = isSendable(thrown, details) ? thrown : bareError(thrown);
    return encode(details ? sendable : publicError(sendable));
  } catch {
    // A getter or a trap of the thrown value throws in its turn.
  }
  try {
    return encode(publicError(bareError(thrown)));
  } catch {
    return encode(publicError(new Error('The method threw a value that cannot be read')));
  }
}

/** The name, the message, and a code as those of Node are; of what the runtime reports, all it says. */
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

/** What remains of a thrown value that cannot be sent. */
function bareError(thrown: unknown): Error {
  const { name, message, stack } =
    thrown instanceof Error
      ? thrown
      : { name: 'Error', message: `The method threw ${describe(thrown)}, which cannot be sent` };
  return Object.assign(new Error(message), { name, stack });
}
