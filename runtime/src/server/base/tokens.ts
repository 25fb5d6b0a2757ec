/** Tokens: with them, a class keeps a function of a client, or a capability, after the call ends. */

/** The method of what has a token. It is the same in every copy of the package. */
const TOKEN = Symbol.for('lumenize-rpc.token');

/** Gives a value, or all with a prototype, a token. */
export function defineToken(value: object, token: (this: object) => string | undefined): void {
  Object.defineProperty(value, TOKEN, { value: token });
}

/**
 * Returns the token of a callback or a capability: text that you can store. You can take the token of a
 * callback until the call that passed it ends. This keeps the callback until `dropCallback`. Its token contains
 * the secret id of its client, so do not send it to other clients.
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
