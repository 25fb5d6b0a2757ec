import { ConnectionStatus, LiveState, Reducer, Selector } from "./client-core.js";
import { ClientOf } from "./wire.js";
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
export declare function useLive<Target, Value>(client: ClientOf<Target>, read: Selector<Target, Value>): LiveState<Value>;
/**
 * Combines the events of a feed into one value. The component has a subscription of its own.
 *
 * @param add - returns the next value from the previous value and an event. It may be written inline: the newest
 *   one gets the next event.
 * @example
 * const { value = [] } = useLive(room, (room) => room.messages(), (all: string[] = [], text) => [...all, text]);
 */
export declare function useLive<Target, Event, Value>(client: ClientOf<Target>, read: Selector<Target, Event>, add: Reducer<Value, Event>): LiveState<Value>;
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
export declare function useConnectionState(client: ClientOf<unknown>): ConnectionStatus;
export type { ConnectionStatus, LiveState, Reducer, Selector };