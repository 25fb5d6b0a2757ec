/** Mutations that call a method. */
import type { Methods, Received, Resolved } from '../client/client-types.ts';
import type { Nothing } from '../features/subscriptions/client/selector.ts';
import type { ClientOf, MethodName, PassedArgs } from '../wire/brands.ts';
import { callMethod, keyOf, methodsOf } from './methods.ts';
import type { RpcMutationOptions } from './types.ts';

/**
 * The variables that are passed to `mutate`: an array of arguments, or a single argument that is not an array. They can
 * be left out if the method needs no argument.
 */
export type Variables<Args extends unknown[]> =
  | Args
  | ([] extends Args ? void : never)
  | (Args extends [(infer First)?, ...infer Rest]
      ? [] extends Rest
        ? SingleVariable<First>
        : never
      : never);

/** An argument that differs from an array of arguments; `never` for any other argument. */
type SingleVariable<Only> = unknown extends Only
  ? never
  : [Extract<Only, readonly unknown[]>] extends [never]
    ? Only
    : never;

/** The options of a mutation, for each method. A method that cannot be called is a property whose type says why. */
export type Mutations<Target> = {
  readonly [Name in keyof Target as MethodName<Target, Name>]: Name extends keyof Methods<Target>
    ? Methods<Target>[Name] extends (...args: never[]) => unknown
      ? Target[Name] extends (...args: infer Args) => infer Result
        ? () => RpcMutationOptions<
            Received<Resolved<Result>>,
            Variables<PassedArgs<Target, Name, Args>>
          >
        : never
      : Methods<Target>[Name]
    : never;
};

/**
 * Returns the methods of a client, as options of mutations. The variables of a mutation are the arguments of the method:
 * `mutate(5)` for one argument, and `mutate([card, column])` for several. An argument that is an array itself is passed
 * in an array: `mutate([[1, 2]])`.
 *
 * A mutation makes one call, and the client ensures that the call runs at most once. TanStack Query does not try again,
 * because another attempt would be another call.
 *
 * @param client - as in `queryOptions`. Without a client, the mutation rejects with a TypeError.
 * @throws TypeError for a value that is not a client
 * @example
 * const { mutate } = useMutation(mutationOptions(counter).increment());
 * mutate(5);
 */
export function mutationOptions<Target>(client: ClientOf<Target> | Nothing): Mutations<Target> {
  return methodsOf(client, ({ method }): RpcMutationOptions<unknown, unknown> => ({
    mutationKey: keyOf(client, method),
    mutationFn: (variables) => {
      const args = Array.isArray(variables) ? variables : [variables];
      return callMethod({ client, method, args });
    },
    retry: () => false,
  }));
}
