/**
 * Tests the types of the options for TanStack Query, in each of its frameworks. Nothing here runs:
 * a test fails when it does not compile.
 */
import { QueryClient, QueryObserver } from '@tanstack/query-core';
import * as react from '@tanstack/react-query';
import * as solid from '@tanstack/solid-query';
import * as svelte from '@tanstack/svelte-query';
import * as vue from '@tanstack/vue-query';
import { describe, expectTypeOf, test } from 'vitest';
import { createRpcClient, type HasContract, type RpcClient } from '../../src/client.ts';
import {
  feedOptions,
  liveOptions,
  mutationOptions,
  type QueryError,
  queryKey,
  queryOptions,
} from '../../src/tanstack.ts';
import type { Counter } from '../../../template/src/counter.ts';
import type { Room, RoomEvent } from '../../../examples/room/src/room.ts';

const counter = createRpcClient<Counter>('COUNTER', 'types');
const room = createRpcClient<Room>('ROOM', 'types');
const perhaps = undefined as RpcClient<Counter> | undefined;

/** A class without a contract. */
interface Plain {
  topic(): string | undefined;
  clear(): void;
  anything(): unknown;
  add(one: string, other?: number): Promise<number>;
  sum(numbers: number[]): number;
  text(text: string): Date;
  times(): AsyncGenerator<number>;
}
const plain = createRpcClient<Plain>('PLAIN', 'types');

/** A class whose contract has rows. */
interface Hall extends HasContract<{ seats: 'rows' }> {
  seats(after?: string): Iterable<{ place: string }>;
}
const hall = createRpcClient<Hall>('HALL', 'types');

describe('React', () => {
  test('data and errors', () => {
    const query = () => react.useQuery(queryOptions(counter).getValue());
    expectTypeOf<ReturnType<typeof query>['data']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ReturnType<typeof query>['error']>().toEqualTypeOf<QueryError | null>();
    const live = () => react.useQuery(liveOptions(perhaps).getValue());
    expectTypeOf<ReturnType<typeof live>['data']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ReturnType<typeof live>['error']>().toEqualTypeOf<QueryError | null>();
    const suspended = () => react.useSuspenseQuery(liveOptions(counter).getValue());
    expectTypeOf<ReturnType<typeof suspended>['data']>().toEqualTypeOf<number>();
    const several = () =>
      react.useQueries({
        queries: [liveOptions(counter).getValue(), queryOptions(plain).text('a')],
      });
    expectTypeOf<ReturnType<typeof several>[1]['data']>().toEqualTypeOf<Date | undefined>();
    const feed = () => react.useQuery(feedOptions(room).messages());
    expectTypeOf<ReturnType<typeof feed>['data']>().toEqualTypeOf<RoomEvent[] | undefined>();
  });

  test('further options beside them', () => {
    const query = () =>
      react.useQuery({
        ...liveOptions(counter).getValue(),
        select: (value) => `${value.toFixed(2)}`,
        gcTime: 5,
        placeholderData: 5,
      });
    expectTypeOf<ReturnType<typeof query>['data']>().toEqualTypeOf<string | undefined>();
  });

  test('mutations', () => {
    const mutation = () => react.useMutation(mutationOptions(counter).increment());
    type Mutation = ReturnType<typeof mutation>;
    expectTypeOf<Mutation['data']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Mutation['error']>().toEqualTypeOf<QueryError | null>();
    const press = ({ mutate }: Mutation) => {
      mutate();
      mutate(5);
      mutate([5]);
      // @ts-expect-error: the argument is not a number
      mutate('5');
      // @ts-expect-error: there are too many arguments
      mutate([5, 6]);
    };
    expectTypeOf(press).toBeFunction();
    const withRollback = () =>
      react.useMutation({
        ...mutationOptions(plain).add(),
        onMutate: (variables) => ({ variables }),
        onError: (error, _variables, context) => [error.code, context?.variables],
      });
    expectTypeOf<ReturnType<typeof withRollback>['variables']>().toEqualTypeOf<
      string | [one: string, other?: number] | undefined
    >();
  });
});

test('Vue', () => {
  const query = () => vue.useQuery(queryOptions(counter).getValue());
  expectTypeOf<ReturnType<typeof query>['data']['value']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ReturnType<typeof query>['error']['value']>().toEqualTypeOf<QueryError | null>();
  const live = () => vue.useQuery(() => liveOptions(counter).getValue());
  expectTypeOf<ReturnType<typeof live>['data']['value']>().toEqualTypeOf<number | undefined>();
  const mutation = () => vue.useMutation(mutationOptions(counter).increment());
  expectTypeOf<ReturnType<typeof mutation>['data']['value']>().toEqualTypeOf<number | undefined>();
  expectTypeOf(({ mutate }: ReturnType<typeof mutation>) => mutate(5)).returns.toBeVoid();
  // @ts-expect-error: the argument is not a number
  expectTypeOf(({ mutate }: ReturnType<typeof mutation>) => mutate('5'));
});

test('Svelte', () => {
  const query = () => svelte.createQuery(() => queryOptions(counter).getValue());
  expectTypeOf<ReturnType<typeof query>['data']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ReturnType<typeof query>['error']>().toEqualTypeOf<QueryError | null>();
  const live = () => svelte.createQuery(() => liveOptions(counter).getValue());
  expectTypeOf<ReturnType<typeof live>['data']>().toEqualTypeOf<number | undefined>();
  const mutation = () => svelte.createMutation(() => mutationOptions(counter).increment());
  expectTypeOf<ReturnType<typeof mutation>['data']>().toEqualTypeOf<number | undefined>();
});

test('Solid', () => {
  const query = () => solid.useQuery(() => queryOptions(counter).getValue());
  expectTypeOf<ReturnType<typeof query>['data']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ReturnType<typeof query>['error']>().toEqualTypeOf<QueryError | null>();
  const live = () => solid.useQuery(() => liveOptions(counter).getValue());
  expectTypeOf<ReturnType<typeof live>['data']>().toEqualTypeOf<number | undefined>();
  const mutation = () => solid.useMutation(() => mutationOptions(counter).increment());
  expectTypeOf<ReturnType<typeof mutation>['data']>().toEqualTypeOf<number | undefined>();
});

describe('without a framework', () => {
  const cache = new QueryClient();

  test('keys have the type of their data', () => {
    const { queryKey: key } = queryOptions(counter).getValue();
    expectTypeOf(cache.getQueryData(key)).toEqualTypeOf<number | undefined>();
    expectTypeOf(() => cache.setQueryData(key, 5)).toBeFunction();
    // @ts-expect-error: the data is not a number
    expectTypeOf(() => cache.setQueryData(key, '5')).toBeFunction();
    expectTypeOf(cache.fetchQuery(liveOptions(counter).getValue())).resolves.toBeNumber();
    expectTypeOf(
      cache.ensureQueryData(queryOptions(plain).text('a')),
    ).resolves.toEqualTypeOf<Date>();
    expectTypeOf(() => new QueryObserver(cache, liveOptions(counter).getValue())).toBeFunction();
  });

  test('a key is of one method of the object, or of all', () => {
    expectTypeOf(queryKey(counter)).toEqualTypeOf<readonly unknown[]>();
    expectTypeOf(queryKey(counter, 'getValue')).toEqualTypeOf<readonly unknown[]>();
    // @ts-expect-error: the class has no such method
    expectTypeOf(queryKey(counter, 'getvalue'));
  });

  test('null replaces undefined and nothing', () => {
    expectTypeOf(cache.fetchQuery(queryOptions(plain).topic())).resolves.toEqualTypeOf<
      string | null
    >();
    expectTypeOf(cache.fetchQuery(queryOptions(plain).clear())).resolves.toBeNull();
    expectTypeOf(cache.fetchQuery(queryOptions(plain).anything())).resolves.toBeUnknown();
    expectTypeOf(cache.fetchQuery(liveOptions(plain).topic())).resolves.toEqualTypeOf<
      string | null
    >();
  });

  test('an error has a code only if the runtime reports it', () => {
    const { retry } = queryOptions(counter).getValue();
    type Reported = Parameters<typeof retry>[1];
    expectTypeOf<Reported['message']>().toBeString();
    expectTypeOf<'FORBIDDEN'>().toExtend<Reported['code']>();
    expectTypeOf<undefined>().toExtend<Reported['code']>();
  });
});

test('variables are a single argument that is not an array, or all arguments in an array', () => {
  type Options = ReturnType<typeof mutationOptions<Plain>>;
  type VariablesOf<Name extends keyof Plain> = Options[Name] extends () => {
    mutationFn: (variables: infer Passed) => unknown;
  }
    ? Passed
    : 'none';
  expectTypeOf<VariablesOf<'clear'>>().toEqualTypeOf<void | []>();
  expectTypeOf<VariablesOf<'text'>>().toEqualTypeOf<string | [text: string]>();
  expectTypeOf<VariablesOf<'sum'>>().toEqualTypeOf<[numbers: number[]]>();
  expectTypeOf<VariablesOf<'add'>>().toEqualTypeOf<string | [one: string, other?: number]>();
});

test('a method of the wrong kind is an error that says so', () => {
  // @ts-expect-error: the method does not take the argument
  expectTypeOf(() => queryOptions(counter).getValue(1));
  // @ts-expect-error: the class has no such method
  expectTypeOf(() => queryOptions(counter).value());
  // @ts-expect-error: the method is not live
  expectTypeOf(() => liveOptions(counter).increment());
  // @ts-expect-error: the method returns a feed
  expectTypeOf(() => queryOptions(room).messages());
  // @ts-expect-error: the method returns a feed
  expectTypeOf(() => mutationOptions(room).messages());
  // @ts-expect-error: the method returns a feed
  expectTypeOf(() => liveOptions(room).messages());
  // @ts-expect-error: the method does not return a feed
  expectTypeOf(() => feedOptions(room).getTopic());
  // @ts-expect-error: rows are not a feed
  expectTypeOf(() => feedOptions(hall).seats());
  // @ts-expect-error: rows are not a value
  expectTypeOf(() => liveOptions(hall).seats());
  // @ts-expect-error: the method returns a stream
  expectTypeOf(() => liveOptions(plain).times());
  // @ts-expect-error: the method does not return a feed
  expectTypeOf(() => feedOptions(plain).times());
});

test('a reducer takes the events of the feed', () => {
  const texts = feedOptions(room, {
    reducer: (all: string[], event: RoomEvent) => [...all, JSON.stringify(event)],
    initialValue: [],
  });
  expectTypeOf(texts.messages().queryFn).returns.resolves.toEqualTypeOf<string[]>();
  const numbers = feedOptions(room, {
    reducer: (sum: number, event: number) => sum + event,
    initialValue: 0,
  });
  // @ts-expect-error: the feed has other events
  expectTypeOf(() => numbers.messages());
});
