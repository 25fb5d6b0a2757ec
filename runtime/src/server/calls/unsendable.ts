/**
 * Errors for values that cannot be sent, with hints about what to do instead. The hints are on the server, so
 * that no client's bundle contains them.
 */
import type { Said, Write } from '../../wire/bytes.ts';
import { RpcError } from '../../wire/errors.ts';
import { encodeRest } from '../../wire/messages.ts';
import { encodeNext } from '../../features/subscriptions/wire.ts';
import type { CompiledContract } from '../contract/contract.ts';
import type { CompiledMethod } from '../contract/contract-entry.ts';
import { isFeed, RETURNED } from '../contract/kinds.ts';
import { refusal } from './refusal.ts';
import { referencesOf } from '../../features/capabilities/seals.ts';
import { dismiss, isStream } from '../../features/streams/stream-source.ts';

/** Hints, by patterns of the encoder's messages. */
const HINTS: [RegExp, string][] = [
  [/send its body$/, ' as the stream that the method returns, or send its text: await it.text()'],
  [
    /an instance of (ReadableStream|\w*Generator) /,
    ': return the stream itself, from a method that the contract lists by stream([…]), or collect its items in an array',
  ],
  // The class of `feed.ts`.
  [
    /an instance of FeedOfObject /,
    ': return the feed itself, from a method that the contract lists by events([…])',
  ],
];

/**
 * Checks that a result can be sent as a whole.
 *
 * @throws RpcError `UNSERIALIZABLE` for a feed, and for a stream, after ending it
 */
export function checkWhole(result: unknown, method: string): void {
  if (typeof result !== 'object') return;
  if (isFeed(result)) throw misplaced(`${method} returned a feed: write events([…])`);
  if (!isStream(result)) return;
  dismiss(result);
  throw misplaced(`${method} returned a stream: write stream([…])`);
}

function misplaced(problem: string): RpcError {
  return refusal('UNSERIALIZABLE', `${problem} in the contract`, { path: '' });
}

/**
 * Checks that a method can be called.
 *
 * @throws RpcError `UNSERIALIZABLE` for a method that can only be subscribed to
 */
export function checkCallable({ name, kind }: CompiledMethod): void {
  const returned = RETURNED[kind];
  if (!returned) return;
  const instead = `for await (const item of subscribe(client).${name}(…))`;
  throw refusal('UNSERIALIZABLE', `${name} returns ${returned}: read it by ${instead}`, {
    path: '',
  });
}

/** Adds a hint to an error of the encoder. Other errors stay as they are. */
export function withHint(error: unknown): unknown {
  try {
    const { code, message, path } = error as Partial<RpcError>;
    const hint = code === 'UNSERIALIZABLE' && HINTS.find(([pattern]) => pattern.test(`${message}`));
    if (hint) return refusal('UNSERIALIZABLE', `${message}${hint[1]}`, { path });
  } catch {
    // A method may throw any value, such as `undefined` or an object whose properties cannot be read.
  }
  return error;
}

/** The subscription that an item belongs to. */
export interface Reading {
  readonly n: number;
  readonly method: string;
  readonly contract: CompiledContract;
}

/**
 * Encodes an item of a stream as a message.
 *
 * @param index - index of the item, from 0
 * @throws RpcError `UNSERIALIZABLE` with the path from the stream to the value that cannot be sent
 */
export function encodeItem(
  item: unknown,
  index: number,
  { n, method, contract }: Reading,
  write: Write,
): Said {
  try {
    return write((of) => encodeNext(n, index + 1, encodeRest(item, of)), referencesOf(contract));
  } catch (error) {
    if ((error as RpcError).code !== 'UNSERIALIZABLE') throw error;
    const { message, path = '' } = withHint(error) as RpcError;
    const problem = `${method}: item [${index}]: ${message}`;
    throw refusal('UNSERIALIZABLE', problem, { path: `[${index}]${path}` });
  }
}
