import { NEVER_CONNECTED, NO_VALUE, WritableStore, clientKeyOf, clientStore, connectionState, feedStore, liveStore, renewOptions } from "./client-stores.js";
import { optimistic } from "./client-optimistic.js";
import { presence } from "./client-presence.js";
import { selectSubscription } from "./client-subscribe.js";
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
// src/react.ts
/** Hooks for clients, live values, feeds and the state of a connection. */
function useRpcClient(binding, instance, options = {}) {
	const isNamed = typeof instance === "string";
	const key = isNamed ? clientKeyOf(binding, instance, options) : "";
	const store = useMemo(() => isNamed ? clientStore(binding, instance, options) : NO_CLIENT, [key]);
	const client = useSyncExternalStore(store.subscribe, store.get, store.get);
	useEffect(() => renewOptions(key, options));
	return client;
}
function useLive(...args) {
	const { subscribe, get } = useLiveStore(...args);
	return useSyncExternalStore(subscribe, get, nothing);
}
function useOptimisticLive(...args) {
	const store = useLiveStore(...args);
	return [useSyncExternalStore(store.subscribe, store.get, nothing), useCallback((call, update) => optimistic(call, store, update), [store])];
}
function useLiveStore(client, read, add, options) {
	const newest = useRef({
		add,
		options
	});
	useEffect(() => void (newest.current = {
		add,
		options
	}));
	const [key] = client && selectSubscription(client, read, options) || [];
	const combines = add !== void 0;
	const learnsGaps = options?.onGap !== void 0;
	return useMemo(() => {
		const onGap = learnsGaps ? () => newest.current.options?.onGap?.() : void 0;
		const own = {
			...options,
			onGap
		};
		return combines ? liveStore(client, read, (value, event) => newest.current.add?.(value, event), own) : liveStore(client, read, void 0, own);
	}, [
		client,
		key,
		combines,
		learnsGaps
	]);
}
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
function useFeed(client, read, page) {
	const newest = useRef(page);
	useEffect(() => void (newest.current = page));
	const [key] = client && selectSubscription(client, read) || [];
	const store = useMemo(() => feedStore(client, read, (ofClient, before) => newest.current(ofClient, before)), [client, key]);
	return useSyncExternalStore(store.subscribe, store.get, store.get);
}
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
function usePresence(client, read) {
	const [key] = client && selectSubscription(client, read) || [];
	const store = useMemo(() => presence(client, read), [client, key]);
	return {
		...useSyncExternalStore(store.subscribe, store.get, nothing),
		update: store.update
	};
}
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
function useConnectionState(client) {
	const { subscribe, get } = client ? connectionState(client) : NO_CONNECTION;
	return useSyncExternalStore(subscribe, get, unconnected);
}
const NO_CLIENT = new WritableStore(void 0);
const NO_CONNECTION = new WritableStore(NEVER_CONNECTED);
/** Returns the snapshot for a server, where nothing connects. */
const nothing = () => NO_VALUE;
const unconnected = () => NEVER_CONNECTED;
export { useConnectionState, useFeed, useLive, useOptimisticLive, usePresence, useRpcClient };
