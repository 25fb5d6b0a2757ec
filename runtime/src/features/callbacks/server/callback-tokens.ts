/** Finds and drops callbacks by their tokens: see `tokenOf`. */
import { connectionOfClient, contractOf, defineToken } from '../../../server/feature.ts';
import { isId, isString } from '../../../wire/messages.ts';
import {
  type AnyFunction,
  type CallbackToken,
  keepOrDropMessage,
  callsKeepingCallbacks,
} from './callback-arguments.ts';
import { callClient, callbackError } from './callback-calls.ts';
import { callbackParameterAt } from './callback-schemas.ts';

/**
 * Returns a kept callback by its token. You can call it in any later call or alarm, also after hibernation and
 * restarts. Its result is validated by the current contract. The promise that it returns can reject with an `RpcError`:
 *
 * - `DISCONNECTED` while the client is not connected
 * - `CLOSED` if the client no longer has the function, for example after `dropCallback`
 * - `METHOD_NOT_FOUND` if the contract no longer has the callback
 *
 * @param instance - the object
 * @param token - from `tokenOf`
 * @returns the callback
 * @throws TypeError for text that is not the token of a callback
 * @example
 * override async alarm(): Promise<void> {
 *   const ask = callbackAt<(text: string) => Promise<boolean>>(this, this.ctx.storage.kv.get('ask'));
 *   if (await ask('Low on stock')) this.reorder();
 * }
 */
export function callbackAt<Callback extends AnyFunction>(
  instance: object,
  token: string,
): (...args: Parameters<Callback>) => Promise<Awaited<ReturnType<Callback>>> {
  const { client, owner, functionId, on, method, path } = parse(token);
  const callback = (...args: unknown[]): Promise<unknown> =>
    callClient(instance, { method, path }, () => {
      const contract = contractOf(instance);
      const methods =
        on === undefined ? contract?.methods : contract?.capabilities.get(on)?.methods;
      const parameter = callbackParameterAt(methods?.get(method), path);
      if (contract && parameter) {
        return {
          connection: connectionOfClient(instance, client, owner),
          functionId,
          parameter,
          args,
          contract,
        };
      }
      throw callbackError(
        { method, path },
        'METHOD_NOT_FOUND',
        'is no longer in the contract',
        false,
      );
    });
  defineToken(callback, () => token);
  return callback as ReturnType<typeof callbackAt<Callback>>;
}

/**
 * Stops keeping a callback. If its client is connected, the client forgets the function, unless the object keeps
 * another token of the function. Call this when you delete the token from the storage. It has no effect on a callback
 * that is not kept.
 *
 * @param instance - the object
 * @param token - from `tokenOf`
 * @throws TypeError for text that is not the token of a callback
 * @example
 * offAlert(): void { dropCallback(this, this.ctx.storage.kv.get('ask')); }
 */
export function dropCallback(instance: object, token: string): void {
  const parsed = parse(token);
  for (const functions of callsKeepingCallbacks.get(instance) ?? []) functions.drop(parsed);
  connectionOfClient(instance, parsed.client, parsed.owner)?.queue(
    keepOrDropMessage('drop', parsed),
  );
}

function parse(token: string): CallbackToken {
  let parsed: Partial<CallbackToken> | null = null;
  try {
    parsed = JSON.parse(token);
  } catch {
    // The error is thrown below, as for JSON that is not a token.
  }
  const { client, functionId, method, path } = parsed ?? {};
  if ([client, method, path].every(isString) && isId(functionId)) return parsed as CallbackToken;
  throw new TypeError(
    'This text is not the token of a callback: pass the result of tokenOf(callback)',
  );
}
