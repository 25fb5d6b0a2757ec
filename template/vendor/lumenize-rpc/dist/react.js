import { NEVER_CONNECTED, NO_VALUE, connectionState, liveStore, selectSubscription } from "./client-stores.js";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
// src/react.ts
/** Hooks for live values, feeds and the state of a connection. */
function useLive(client, read, add) {
	const newest = useRef(add);
	useEffect(() => void (newest.current = add));
	const [key] = selectSubscription(client, read);
	const combines = add !== void 0;
	const store = useMemo(() => combines ? liveStore(client, read, (value, event) => newest.current?.(value, event)) : liveStore(client, read), [
		client,
		key,
		combines
	]);
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
function useConnectionState(client) {
	const { subscribe, get } = connectionState(client);
	return useSyncExternalStore(subscribe, get, unconnected);
}
/** On a server nothing connects. */
const nothing = () => NO_VALUE;
const unconnected = () => NEVER_CONNECTED;
export { useConnectionState, useLive };
