import { NEVER_CONNECTED, NO_VALUE, WritableStore, clientKeyOf, clientStore, connectionState, liveStore, renewOptions, selectSubscription } from "./client-stores.js";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
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
function useLive(client, read, add, options) {
	const newest = useRef(add);
	useEffect(() => void (newest.current = add));
	const [key] = client && selectSubscription(client, read, options) || [];
	const combines = add !== void 0;
	const store = useMemo(() => combines ? liveStore(client, read, (value, event) => newest.current?.(value, event), options) : liveStore(client, read, void 0, options), [
		client,
		key,
		combines
	]);
	return useSyncExternalStore(store.subscribe, store.get, nothing);
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
/** On a server nothing connects. */
const nothing = () => NO_VALUE;
const unconnected = () => NEVER_CONNECTED;
export { useConnectionState, useLive, useRpcClient };
