import { CallOptions, ConnectionDetails, ConnectionOptions, ConnectionState, ConnectionStatus, FeedState, LiveOptions, LiveState, LoadPage, Nothing, PresenceSelector, PresenceStore, PresenceSubscription, Present, ReconnectOptions, Reducer, RpcClient, RpcClientOptions, Selector, Session, SessionOptions, SocketEvent, Store, Subscription, Subscriptions, Transport, TransportEvents, ValueOrGetter, WebSocketClass, WebSocketLike } from "./client-core.js";
import { ClientOf, FeedEvent, FeedPage, RpcError } from "./wire.js";
/**
 * Returns a client for the Durable Object that a component names, for example by a prop. All components that name the
 * same object share the client and its connection. The client is closed 1 s after the last of these components has been
 * removed from the page, but not before its calls are answered. So it stays open in strict mode, through hot updates,
 * and while one page replaces another. If the component names another object, the hook returns another client.
 *
 * Options are compared by their values, and may be written inline. Components with different options get different
 * clients, each with a connection of its own. Functions of `headers`, `protocols`, `fetch` and `onStateChange` can
 * differ: the client calls the functions that were passed last. All other functions, and instances of classes, are
 * compared by identity: create them once, outside of the component.
 *
 * @param binding - the Durable Object binding, such as `ROOM`
 * @param instance - the object's name, or its id as 64 hex characters; or `null`, `undefined` or `false` as long as
 *   there is none
 * @param options - the options of `createRpcClient`. Default: none.
 * @returns the client, or `undefined` without a name. Do not close it: other components may use it. On a server, which
 *   renders the page, each component gets a client of its own, which connects only if it is called.
 * @throws TypeError for a `baseUrl` that does not begin with `http://` or `https://`
 * @example
 * function Topic({ name }: { name: string }) {
 *   const room = useRpcClient<Room>('ROOM', name);
 *   const { value } = useLive(room, (room) => room.getTopic());
 *   return <button onClick={() => void room.setTopic('Tea')}>{value}</button>;
 * }
 */
export declare function useRpcClient<Target>(binding: string, instance: string, options?: RpcClientOptions): RpcClient<Target>;
export declare function useRpcClient<Target>(binding: string, instance: string | null | undefined | false, options?: RpcClientOptions): RpcClient<Target> | undefined;
/**
 * Subscribes while the component is mounted, and renders it again with each value. Components that read the same
 * method of a client with the same arguments share one subscription.
 *
 * @param client - from `useRpcClient`, from `createRpcClient` outside of the component, or a capability; or nothing,
 *   `null`, `undefined` or `false`, as long as there is nothing to read: there is no value then
 * @param read - chooses the method and its arguments, or nothing. It may be written inline: the component subscribes
 *   again only if it chooses something else.
 * @returns the newest value, `undefined` before the first, and the error that has ended the subscription. After an
 *   error, the last value stays.
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * function Score({ player }: { player: string }) {
 *   const { value, error } = useLive(game, (game) => game.getScore(player));
 *   return <output>{error ? String(error) : value}</output>;
 * }
 */
export declare function useLive<Target, Value>(client: ClientOf<Target> | Nothing, read: Selector<Target, Value> | Nothing, add?: undefined, options?: LiveOptions): LiveState<Value>;
/**
 * Combines the events of a feed into one value. The component has a subscription of its own.
 *
 * @param add - returns the next value from the previous value and an event. It may be written inline: the function of
 *   the last render gets the next event.
 * @param options - `after`, the cursor after which to begin, from a call that returned the state. The component
 *   subscribes again if it changes. `onGap`, called when events of a volatile feed may be missing. It may be written inline.
 * @example
 * const { value = [] } = useLive(room, (room) => room.messages(), (all: string[] = [], text) => [...all, text]);
 */
export declare function useLive<Target, Event, Value>(client: ClientOf<Target> | Nothing, read: Selector<Target, Event> | Nothing, add: Reducer<Value, Event>, options?: LiveOptions): LiveState<Value>;
/**
 * Does what `useLive` does, and also returns a function that shows how the value will look until a call is answered, as
 * `optimistic` of `lumenize-rpc/client` does. All components that read the same value show the change, by either hook.
 *
 * @param client - as in `useLive`
 * @param read - as in `useLive`
 * @returns the newest value and the error, as from `useLive`, and the function. It takes the promise that a method of a
 *   client has returned, and a function that returns the changed value as a new object. It returns the promise.
 * @throws TypeError as `useLive`; the function throws a TypeError for a promise that no call has returned
 * @example
 * const [{ value }, optimistic] = useOptimisticLive(counter, (counter) => counter.getValue());
 * const count = () => void optimistic(counter.increment(), (value) => value + 1);
 */
export declare function useOptimisticLive<Target, Value>(client: ClientOf<Target> | Nothing, read: Selector<Target, Value> | Nothing, add?: undefined, options?: LiveOptions): [live: LiveState<Value>, optimistic: Optimistic<Value>];
/**
 * Combines the events of a feed into one value, as `useLive` does. Only this component shows the change.
 *
 * @param add - as in `useLive`
 * @param options - as in `useLive`
 * @example
 * const [{ value = [] }, optimistic] = useOptimisticLive(
 *   room,
 *   (room) => room.messages(),
 *   (all: string[] = [], text) => [...all, text],
 * );
 * const say = (text: string) => void optimistic(room.say(text), (all) => [...all, text]);
 */
export declare function useOptimisticLive<Target, Event, Value>(client: ClientOf<Target> | Nothing, read: Selector<Target, Event> | Nothing, add: Reducer<Value, Event>, options?: LiveOptions): [live: LiveState<Value>, optimistic: Optimistic<Value>];
/** Shows how a live value will look until a call is answered: see `optimistic` of `lumenize-rpc/client`. */
export type Optimistic<Value> = <Result extends Promise<unknown>>(call: Result, update: (value: Value) => Value) => Result;
/**
 * Shows a feed from its newest page on, as a chat does: loads the newest page, then renders the component again with
 * each event that follows, and with each older page that `loadOlder` loads. No event is missing, and no event is there
 * twice. It needs a method that returns a page: `history(before) { return this.messages().read({ before }); }`. Each
 * component has a list and a subscription of its own.
 *
 * While the component is hidden, it does not subscribe, and keeps its events. If the feed no longer has the next event
 * when it goes on, it begins anew with the newest page.
 *
 * @param client - from `useRpcClient`, from `createRpcClient` outside of the component, or a capability; or nothing, as
 *   in `useLive`
 * @param read - chooses the method that returns the feed and its arguments, or nothing. It may be written inline: the
 *   component begins anew only if it chooses something else.
 * @param page - calls the method that returns a page before a cursor. It may be written inline: the function of the
 *   last render loads the next page.
 * @returns the events with their cursors, and `hasOlder`, `loadOlder`, `isLoading` and `error`
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * const { events, hasOlder, loadOlder } = useFeed(
 *   room,
 *   (room) => room.messages(),
 *   (room, before) => room.history(before),
 * );
 * return (
 *   <>
 *     {hasOlder && <button onClick={loadOlder}>Older</button>}
 *     {events.map(({ cursor, event }) => <p key={cursor}>{event.text}</p>)}
 *   </>
 * );
 */
export declare function useFeed<Target, Event, Client>(client: (Client & ClientOf<Target>) | Nothing, read: Selector<Target, Event> | Nothing, page: LoadPage<Client, Event>): FeedState<Event>;
/**
 * Takes part in a presence while the component is mounted, and renders it again when another client changes what it
 * says. Components that share a client and a presence take part together: other clients see one participant.
 *
 * @param client - as in `useLive`
 * @param read - chooses the method that the contract lists by `presence`, or nothing. It may be written inline.
 * @returns in `value` the list of the other clients that are present, `undefined` before the list is known; in `error`
 *   the error that has ended the presence, after which the last list stays; and `update`, which replaces what this
 *   client says. `update` is the same function in each render.
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * function Cursors() {
 *   const { value: others = [], update } = usePresence(room, (room) => room.cursors());
 *   useEffect(() => listen('pointermove', ({ x, y }) => update({ x, y })), [update]);
 *   return others.map(({ key, value }) => <Cursor key={key} {...value} />);
 * }
 */
export declare function usePresence<Target, Said extends unknown[], Value>(client: ClientOf<Target> | Nothing, read: PresenceSelector<Target, Said, Value> | Nothing): LiveState<readonly Present<Value>[]> & Pick<PresenceStore<Said, Value>, 'update'>;
/**
 * Renders the component again with each change of the state of a client's connection.
 *
 * @param client - from `useRpcClient`, from `createRpcClient` outside of the component, or a capability; or nothing,
 *   as in `useLive`
 * @returns the state, `undefined` before the client connects for the first time, and details such as `reason`
 * @throws TypeError for a value that is not a client
 * @example
 * const { state, reason } = useConnectionState(counter);
 * return <p role="status">{state === 'reconnecting' ? `Not connected: ${reason}` : ''}</p>;
 */
export declare function useConnectionState(client: ClientOf<unknown> | Nothing): ConnectionStatus;
export type { CallOptions, ClientOf, ConnectionDetails, ConnectionOptions, ConnectionState, ConnectionStatus, FeedEvent, FeedPage, FeedState, LiveOptions, LiveState, LoadPage, Nothing, PresenceSelector, PresenceStore, PresenceSubscription, Present, ReconnectOptions, Reducer, RpcClient, RpcClientOptions, RpcError, Selector, Session, SessionOptions, SocketEvent, Store, Subscription, Subscriptions, Transport, TransportEvents, ValueOrGetter, WebSocketClass, WebSocketLike };