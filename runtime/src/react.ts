/** Hooks for live values, feeds and the state of a connection. */
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import {
  type ConnectionStatus,
  connectionState,
  NEVER_CONNECTED,
} from './client/connection-state.ts';
import {
  type Reducer,
  type LiveState,
  liveStore,
  NO_VALUE,
  type Selector,
  selectSubscription,
} from './features/live/client/live-store.ts';
import type { ClientOf } from './wire/brands.ts';

export type { ConnectionDetails } from './client/options.ts';
export type { Subscription, Subscriptions } from './features/subscriptions/client/subscribe.ts';
export type { RpcError } from './wire/errors.ts';
export type { ClientOf, Reducer, ConnectionStatus, LiveState, Selector };

/**
 * Subscribes while the component is mounted, and renders it again with each value. Components that read the same
 * method of a client with the same arguments share one subscription.
 *
 * @param client - from `createRpcClient`, or a capability. Create it outside the component.
 * @param read - chooses the method and its arguments. It may be written inline: the component subscribes again only
 *   if it chooses something else.
 * @returns the newest value, `undefined` before the first, and the error that has ended the subscription. After an
 *   error, the last value stays.
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * function Score({ player }: { player: string }) {
 *   const { value, error } = useLive(game, (game) => game.getScore(player));
 *   return <output>{error ? String(error) : value}</output>;
 * }
 */
export function useLive<Target, Value>(
  client: ClientOf<Target>,
  read: Selector<Target, Value>,
): LiveState<Value>;
/**
 * Combines the events of a feed into one value. The component has a subscription of its own.
 *
 * @param add - returns the next value from the previous value and an event. It may be written inline: the newest
 *   one gets the next event.
 * @example
 * const { value = [] } = useLive(room, (room) => room.messages(), (all: string[] = [], text) => [...all, text]);
 */
export function useLive<Target, Event, Value>(
  client: ClientOf<Target>,
  read: Selector<Target, Event>,
  add: Reducer<Value, Event>,
): LiveState<Value>;
export function useLive(
  client: ClientOf<unknown>,
  read: Selector<unknown, unknown>,
  add?: Reducer<unknown, unknown>,
): LiveState<unknown> {
  const newest = useRef(add);
  // Before the subscription begins, which is an effect too.
  useEffect(() => void (newest.current = add));
  const [key] = selectSubscription(client, read);
  const combines = add !== undefined;
  const store = useMemo(
    () =>
      combines
        ? liveStore(client, read, (value, event) => newest.current?.(value, event))
        : liveStore(client, read),
    // `key` stands for what `read` chooses.
    [client, key, combines],
  );
  return useSyncExternalStore(store.subscribe, store.get, nothing);
}

/**
 * Renders the component again with each change of the state of a client's connection.
 *
 * @param client - from `createRpcClient`, or a capability. Create it outside the component.
 * @returns the state, `undefined` before the client connects for the first time, and details such as `reason`
 * @throws TypeError for a value that is not a client
 * @example
 * const { state, reason } = useConnectionState(counter);
 * return <p role="status">{state === 'reconnecting' ? `Not connected: ${reason}` : ''}</p>;
 */
export function useConnectionState(client: ClientOf<unknown>): ConnectionStatus {
  const { subscribe, get } = connectionState(client);
  return useSyncExternalStore(subscribe, get, unconnected);
}

/** On a server nothing connects. */
const nothing = (): LiveState<unknown> => NO_VALUE;
const unconnected = (): ConnectionStatus => NEVER_CONNECTED;
