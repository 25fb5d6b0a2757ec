/** Queries that call a method, and the keys of all queries. */
import type { Methods, Received, Resolved } from '../client/client-types.ts';
import type { Nothing } from '../features/subscriptions/client/selector.ts';
import type { ClientOf, MethodName, PassedArgs } from '../wire/brands.ts';
import { encodeArgs } from '../wire/messages.ts';
import { callMethod, keyOf, type MethodCall, methodsOf } from './methods.ts';
import { retry } from './retries.ts';
import type { QueryData, RpcQueryOptions } from './types.ts';

/** The options of a query, for each method. A method that cannot be called is a property whose type says why. */
export type Queries<Target> = {
  readonly [Name in keyof Target as MethodName<Target, Name>]: Name extends keyof Methods<Target>
    ? Methods<Target>[Name] extends (...args: never[]) => unknown
      ? Target[Name] extends (...args: infer Args) => infer Result
        ? (
            ...args: PassedArgs<Target, Name, Args>
          ) => RpcQueryOptions<QueryData<Received<Resolved<Result>>>>
        : never
      : Methods<Target>[Name]
    : never;
};

/**
 * Returns the methods of a client, as options of queries: for `useQuery`, `createQuery`, `prefetchQuery` and all other
 * functions that take query options. Add options of your own by spreading: `{ ...queryOptions(room).getTopic(),
 * staleTime: 5_000 }`.
 *
 * Choose methods that only read: a query runs whenever TanStack Query decides. The type of a client does not know which
 * methods read. If the query is cancelled, or its last component leaves, the call is aborted.
 *
 * A query tries again after `DISCONNECTED` and `UNAVAILABLE`, at most three times, and not on a server. After all other
 * errors it fails at once: the client has tried already, or another attempt would fail in the same way.
 *
 * @param client - from `createRpcClient` or `useRpcClient`, or a capability; or nothing, `null`, `undefined` or
 *   `false`, as long as there is no client: the query is disabled then. `withOptions` sets the timeout of its calls.
 * @returns methods. A method throws an `RpcError` with the code `UNSERIALIZABLE` for arguments that cannot be sent as
 *   values, such as streams.
 * @throws TypeError for a value that is not a client
 * @example
 * const { data } = useQuery(queryOptions(counter).getValue());
 */
export function queryOptions<Target>(client: ClientOf<Target> | Nothing): Queries<Target> {
  return methodsOf(client, (call) => optionsOf(call, (context) => callOnce(call, context.signal)));
}

/**
 * Returns a key to invalidate all queries of a client, or all queries of one of its methods. The key of one query is in
 * its options: `queryOptions(room).getTopic().queryKey`.
 *
 * @param client - as in `queryOptions`
 * @param method - the name of a method. Default: all methods of the object, for all clients of the object.
 * @throws TypeError for a value that is not a client
 * @example
 * await queryClient.invalidateQueries({ queryKey: queryKey(room, 'getScore') });
 */
export function queryKey<Target>(
  client: ClientOf<Target> | Nothing,
  method?: keyof Queries<Target> & string,
): readonly unknown[] {
  return keyOf(client, ...(method === undefined ? [] : [method]));
}

/**
 * Returns the options that all queries have.
 *
 * @param read - the function of the query
 * @param suffix - the end of the key, after the arguments
 */
export function optionsOf(
  { client, method, args }: MethodCall,
  read: RpcQueryOptions<unknown>['queryFn'],
  ...suffix: unknown[]
): RpcQueryOptions<unknown> {
  // The key has the arguments in the form in which they are sent: JSON that differs for different values. Plain
  // arguments stay as they are.
  const encoded = JSON.parse(`[${encodeArgs(args).slice(1)}]`) as unknown[];
  return {
    queryKey: keyOf(client, method, ...encoded, ...suffix) as RpcQueryOptions<unknown>['queryKey'],
    queryFn: read,
    retry,
    enabled: !!client,
  };
}

/** Calls the method. @returns its result as data */
export async function callOnce(call: MethodCall, signal: AbortSignal): Promise<unknown> {
  return dataOf(await callMethod(call, { signal }));
}

/** Returns the data for a cache, which cannot hold `undefined`. */
export function dataOf(result: unknown): unknown {
  return result ?? null;
}
