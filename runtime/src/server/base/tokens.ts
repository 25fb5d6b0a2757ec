/** Tokens, with which a class keeps a function of a client, or a capability, after the call has ended. */

/** The key of the method that returns a value's token. It is the same symbol in every copy of the package. */
const TOKEN = Symbol.for('lumenize-rpc.token');

/** Gives a token to a value, or to all objects with a prototype. */
export function defineToken(value: object, token: (this: object) => string | undefined): void {
  Object.defineProperty(value, TOKEN, { value: token });
}

/**
 * Returns the token of a callback or a capability, which is text that you can store. Take the token of a callback
 * before the call that passed the callback ends. The callback then stays usable until `dropCallback`. The token of a
 * callback contains the secret id of its client, so do not send it to other clients.
 *
 * @param value - a function that a client passed, or a capability of the contract
 * @returns the token
 * @throws TypeError for anything else; RpcError `CLOSED` for a callback whose call has ended
 * @example
 * onAlert(ask: (text: string) => Promise<boolean>): void {
 *   this.ctx.storage.kv.put('ask', tokenOf(ask));
 * }
 */
export function tokenOf(value: object): string {
  const token = (value as { [TOKEN]?: () => string | undefined } | null)?.[TOKEN]?.();
  if (token !== undefined) return token;
  throw new TypeError(
    'tokenOf() takes a function that a client passed, or a capability of the contract',
  );
}
