/**
 * Makes errors for values that cannot be sent, with hints about what to do instead. The hints are on the server, so
 * that no client's bundle contains them.
 */
import type { CompiledMethod } from '../../contract/types.ts';
import type { RpcError } from '../../../wire/errors.ts';
import { explanations } from '../../diagnostics/explanations.ts';
import { isFeed } from '../../base/brands.ts';
import { disposeUnread, isStream } from './iterable-results.ts';
import { rejection } from '../../base/rejection.ts';

/**
 * Checks that a result can be sent as a whole.
 *
 * @throws RpcError `UNSERIALIZABLE` for a feed, and for a stream, after ending it
 */
export function checkNotStreamed(result: unknown, method: string): void {
  if (typeof result !== 'object') return;
  if (isFeed(result)) throw misplaced(`${method} returned a feed: write events([…])`);
  if (!isStream(result)) return;
  disposeUnread(result);
  throw misplaced(`${method} returned a stream: write stream([…])`);
}

function misplaced(problem: string): RpcError {
  return rejection('UNSERIALIZABLE', `${problem} in the contract`, { path: '' });
}

/**
 * Checks that a method can be called.
 *
 * @throws RpcError `UNSERIALIZABLE` for a method that can only be subscribed to
 */
export function checkCallable({ name, subscribableResult }: CompiledMethod): void {
  if (!subscribableResult) return;
  const instead = `for await (const item of subscribe(client).${name}(…))`;
  throw rejection(
    'UNSERIALIZABLE',
    `${name} returns ${subscribableResult}: read it by ${instead}`,
    {
      path: '',
    },
  );
}

/** Adds a hint to an error of the encoder, in development. */
export function addHint(error: unknown): unknown {
  return explanations ? explanations.addHint(error) : error;
}
