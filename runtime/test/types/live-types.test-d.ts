/**
 * Tests the types of live stores and of the hooks for React. Nothing here runs: a test fails when
 * it does not compile.
 */
import { expectTypeOf, test } from 'vitest';
import {
  connectionState,
  type ConnectionStatus,
  createRpcClient,
  feedStore,
  type FeedState,
  type LiveState,
  liveStore,
  type RpcClient,
  type Store,
  optimistic,
} from '../../src/client.ts';
import {
  useConnectionState,
  useFeed,
  useLive,
  useRpcClient,
  type Optimistic,
  useOptimisticLive,
} from '../../src/react.ts';
import type { Feed, FeedPage } from '../../src/server.ts';
import type { Counter } from '../../../template/src/counter.ts';
import type { Room, RoomEvent } from '../../../examples/room/src/room.ts';

const counter = createRpcClient<Counter>('COUNTER', 'types');
const room = createRpcClient<Room>('ROOM', 'types');

test('a value has the type of the method', () => {
  const count = (): LiveState<number> => useLive(counter, (methods) => methods.getValue());
  expectTypeOf<ReturnType<typeof count>['value']>().toEqualTypeOf<number | undefined>();
  expectTypeOf(() => liveStore(counter, (methods) => methods.getValue())).returns.toEqualTypeOf<
    Store<LiveState<number>>
  >();
  expectTypeOf(() => useLive(room, (methods) => methods.messages())).returns.toEqualTypeOf<
    LiveState<RoomEvent>
  >();
});

test('events are combined into a value of another type', () => {
  const texts = () =>
    useLive(
      room,
      (methods) => methods.messages(),
      (all: string[] = [], event) => [...all, 'text' in event ? event.text : ''],
    );
  expectTypeOf(texts).returns.toEqualTypeOf<LiveState<string[]>>();
});

test('a change has the type of the value, and returns the call', () => {
  const count = liveStore(counter, (methods) => methods.getValue());
  const call = counter.increment();
  expectTypeOf(optimistic(call, count, (value) => value + 1)).toEqualTypeOf(call);
  // @ts-expect-error: the value has another type
  expectTypeOf(optimistic(call, count, (value) => String(value)));
  // @ts-expect-error: a number is not a promise
  expectTypeOf(() => optimistic(1, count, (value) => value));
  const hook = () => useOptimisticLive(counter, (methods) => methods.getValue());
  expectTypeOf(hook).returns.toEqualTypeOf<[LiveState<number>, Optimistic<number>]>();
  // @ts-expect-error: the value has another type
  expectTypeOf(() => hook()[1](call, () => ''));
  const texts = () =>
    useOptimisticLive(
      room,
      (methods) => methods.messages(),
      (all: string[] = [], event) => [...all, 'text' in event ? event.text : ''],
    );
  expectTypeOf(texts).returns.toEqualTypeOf<[LiveState<string[]>, Optimistic<string[]>]>();
});

test('only a method that can be subscribed to can be read', () => {
  // @ts-expect-error: the call changes the object
  expectTypeOf(() => useLive(counter, (methods) => methods.increment()));
  // @ts-expect-error: a call returns a promise
  expectTypeOf(() => useLive(counter, () => counter.getValue()));
  // @ts-expect-error: the method does not take the argument
  expectTypeOf(() => liveStore(counter, (methods) => methods.getValue(1)));
  const add = (all = 0, event: number): number => all + event;
  // @ts-expect-error: the feed has no such event
  expectTypeOf(() => useLive(room, (methods) => methods.messages(), add));
});

test('a client has a name, or there is no client', () => {
  const named = () => useRpcClient<Room>('ROOM', 'lobby', { timeout: 1_000 });
  expectTypeOf(named).returns.toEqualTypeOf<RpcClient<Room>>();
  const perhaps = (name?: string) => useRpcClient<Room>('ROOM', name);
  expectTypeOf(perhaps).returns.toEqualTypeOf<RpcClient<Room> | undefined>();
  // @ts-expect-error: there is no such option
  expectTypeOf(() => useRpcClient<Room>('ROOM', 'lobby', { timeOut: 1_000 }));
});

test('there may be nothing to read yet', () => {
  const client = null as typeof counter | null | undefined | false;
  const player = '' as string;
  expectTypeOf(() => useLive(client, (methods) => methods.getValue())).returns.toEqualTypeOf<
    LiveState<number>
  >();
  expectTypeOf(() =>
    useLive(counter, player && ((methods) => methods.getValue())),
  ).returns.toEqualTypeOf<LiveState<number>>();
  expectTypeOf(() =>
    useLive(counter, (methods) => (player ? methods.getValue() : null)),
  ).returns.toEqualTypeOf<LiveState<number>>();
  expectTypeOf(() =>
    useLive(
      room,
      (methods) => methods.messages(),
      (all: RoomEvent[] = [], event) => [...all, event],
      { after: '5' },
    ),
  ).returns.toEqualTypeOf<LiveState<RoomEvent[]>>();
  expectTypeOf(() => liveStore(client, null)).returns.toEqualTypeOf<Store<LiveState<unknown>>>();
  expectTypeOf(() => useConnectionState(client)).returns.toEqualTypeOf<ConnectionStatus>();
});

test('every client has a state', () => {
  expectTypeOf(() => useConnectionState(counter)).returns.toEqualTypeOf<ConnectionStatus>();
  expectTypeOf(() => connectionState(room)).returns.toEqualTypeOf<Store<ConnectionStatus>>();
  // @ts-expect-error: the object is not a client
  expectTypeOf(() => connectionState({ state: 'open' }));
});

class ChatImpl {
  declare '~contract'?: { messages: 'events'; history: 'call'; pages: 'call' };
  declare messages: (channel: string) => Feed<{ text: string }>;
  declare history: (channel: string, before?: string) => FeedPage<{ text: string }>;
  declare pages: (before?: string) => FeedPage<number>;
}

const chat = createRpcClient<ChatImpl>('CHAT', 'types');

test('a feed and its pages have the same events', () => {
  const perhaps = null as typeof chat | null | undefined | false;
  for (const client of [chat, perhaps]) {
    expectTypeOf(() =>
      useFeed(
        client,
        (methods) => methods.messages('a'),
        (object, before) => object.history('a', before),
      ),
    ).returns.toEqualTypeOf<FeedState<{ text: string }>>();
  }
  expectTypeOf(() =>
    feedStore(
      perhaps,
      (methods) => methods.messages('a'),
      (object, before) => object.history('a', before),
    ),
  ).returns.toEqualTypeOf<Store<FeedState<{ text: string }>>>();
  const of = (object: typeof chat, before?: string) => object.pages(before);
  // @ts-expect-error: the pages belong to another feed
  expectTypeOf(() => useFeed(chat, (methods) => methods.messages('a'), of));
  expectTypeOf(() =>
    useFeed(
      chat,
      (methods) => methods.messages('a'),
      // @ts-expect-error: the function does not return a page
      (object) => object.pages,
    ),
  );
});
