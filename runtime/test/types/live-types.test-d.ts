/** What the compiler accepts and refuses of live stores and of the hooks for React. */
import { expectTypeOf, test } from 'vitest';
import {
  connectionState,
  type ConnectionStatus,
  createRpcClient,
  type LiveState,
  liveStore,
  type Store,
} from '../../src/client.ts';
import { useConnectionState, useLive } from '../../src/react.ts';
import type { Counter } from '../../../template/src/counter.ts';
import type { Room, RoomEvent } from '../../../examples/room/src/room.ts';

const counter = createRpcClient<Counter>('COUNTER', 'types');
const room = createRpcClient<Room>('ROOM', 'types');

test('a value has the type of what the method returns', () => {
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

test('only what can be subscribed to can be read', () => {
  // @ts-expect-error: a call that changes the object
  expectTypeOf(() => useLive(counter, (methods) => methods.increment()));
  // @ts-expect-error: the promise of a call
  expectTypeOf(() => useLive(counter, () => counter.getValue()));
  // @ts-expect-error: an argument that the method does not take
  expectTypeOf(() => liveStore(counter, (methods) => methods.getValue(1)));
  const add = (all = 0, event: number): number => all + event;
  // @ts-expect-error: no event of the feed
  expectTypeOf(() => useLive(room, (methods) => methods.messages(), add));
});

test('every client has a state', () => {
  expectTypeOf(() => useConnectionState(counter)).returns.toEqualTypeOf<ConnectionStatus>();
  expectTypeOf(() => connectionState(room)).returns.toEqualTypeOf<Store<ConnectionStatus>>();
  // @ts-expect-error: no client
  expectTypeOf(() => connectionState({ state: 'open' }));
});
