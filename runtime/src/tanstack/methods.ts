/** Makes options for the methods of a client, and keys, which name a client and a method. */
import type { CallOptions } from '../client/options.ts';
import { internalsOf, withOptions } from '../client/proxy.ts';
import type { Nothing } from '../features/subscriptions/client/selector.ts';
import type { ClientOf } from '../wire/brands.ts';

/** A method of a client, and its arguments. */
export interface MethodCall {
  readonly client: ClientOf<unknown> | Nothing;
  readonly method: string;
  readonly args: unknown[];
}

/**
 * Returns an object whose methods return the options that are made of their names and arguments.
 *
 * @throws TypeError for a value that is not a client
 */
export function methodsOf<Made>(
  client: ClientOf<unknown> | Nothing,
  make: (call: MethodCall) => unknown,
): Made {
  if (client) internalsOf(client);
  return new Proxy({} as Made & object, {
    // The proxy is not a promise, and has no symbols.
    get: (_, method) =>
      typeof method === 'symbol' || method === 'then'
        ? undefined
        : (...args: unknown[]) => make({ client, method, args: withoutLast(args) }),
  });
}

/** The texts that keys of capabilities contain in place of the tokens, which are secrets. */
const capabilities = new WeakMap<object, string>();

/**
 * Returns a key that begins with the client. Clients of the same object have the same keys, also in another program, so
 * that a page continues with the data that a server has loaded. A capability has a key of its own as long as it exists.
 *
 * @throws TypeError for a value that is not a client
 */
export function keyOf(client: ClientOf<unknown> | Nothing, ...rest: unknown[]): readonly unknown[] {
  if (!client) return [null, null, ...rest];
  const [{ object }, , , calleeOf] = internalsOf(client);
  if (!calleeOf) return [...object, ...rest];
  const id = capabilities.get(client) ?? crypto.getRandomValues(new Uint32Array(3)).join('-');
  capabilities.set(client, id);
  return [...object, { capability: id }, ...rest];
}

/**
 * Calls the method.
 *
 * @throws TypeError if there is no client
 */
export async function callMethod(
  { client, method, args }: MethodCall,
  options: CallOptions = {},
): Promise<unknown> {
  if (!client)
    throw new TypeError(
      `Cannot call ${method}: the options were made without a client, before useRpcClient has returned it`,
    );
  const methods = withOptions(client, options) as Record<string, (...args: unknown[]) => unknown>;
  return methods[method]?.(...withoutLast(args));
}

/** Removes trailing arguments that are `undefined`, which are optional arguments that were left out. */
function withoutLast(args: unknown[]): unknown[] {
  let { length } = args;
  while (length > 0 && args[length - 1] === undefined) length--;
  return args.slice(0, length);
}
