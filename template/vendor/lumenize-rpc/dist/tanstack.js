import { hasWindow, liveStore } from "./client-stores.js";
import { internalsOf, withOptions } from "./client-core.js";
import { RpcError, encodeArgs } from "./wire.js";
// src/tanstack/methods.ts
/**
* Returns an object whose methods return the options that are made of their names and arguments.
*
* @throws TypeError for a value that is not a client
*/
function methodsOf(client, make) {
	if (client) internalsOf(client);
	return new Proxy({}, { get: (_, method) => typeof method === "symbol" || method === "then" ? void 0 : (...args) => make({
		client,
		method,
		args: withoutLast(args)
	}) });
}
/** The texts that keys of capabilities contain in place of the tokens, which are secrets. */
const capabilities = /* @__PURE__ */ new WeakMap();
/**
* Returns a key that begins with the client. Clients of the same object have the same keys, also in another program, so
* that a page continues with the data that a server has loaded. A capability has a key of its own as long as it exists.
*
* @throws TypeError for a value that is not a client
*/
function keyOf(client, ...rest) {
	if (!client) return [
		null,
		null,
		...rest
	];
	const [{ object }, , , calleeOf] = internalsOf(client);
	if (!calleeOf) return [...object, ...rest];
	const id = capabilities.get(client) ?? crypto.getRandomValues(/* @__PURE__ */ new Uint32Array(3)).join("-");
	capabilities.set(client, id);
	return [
		...object,
		{ capability: id },
		...rest
	];
}
/**
* Calls the method.
*
* @throws TypeError if there is no client
*/
async function callMethod({ client, method, args }, options = {}) {
	if (!client) throw new TypeError(`Cannot call ${method}: the options were made without a client, before useRpcClient has returned it`);
	return withOptions(client, options)[method]?.(...withoutLast(args));
}
/** Removes trailing arguments that are `undefined`, which are optional arguments that were left out. */
function withoutLast(args) {
	let { length } = args;
	while (length > 0 && args[length - 1] === void 0) length--;
	return args.slice(0, length);
}
// src/tanstack/retries.ts
/** Decides after which errors a query tries again. */
const MAX_RETRIES = 3;
/**
* The codes of temporary errors. `TIMEOUT` is not among them, because the client has tried during the whole timeout.
*/
const PASSING = /^(DISCONNECTED|UNAVAILABLE)$/;
/** Returns whether to try again. A server that renders a page does not try again, as in TanStack Query itself. */
function retry(failureCount, error) {
	return error instanceof RpcError && PASSING.test(error.code) && failureCount < MAX_RETRIES && hasWindow();
}
// src/tanstack/query-options.ts
/**
* Returns the methods of a client, as options of queries: for `useQuery`, `createQuery`, `prefetchQuery` and all other
* functions that take query options. Add options of your own by spreading: `{ ...queryOptions(room).getTopic(),
* staleTime: 5_000 }`.
*
* Choose methods that only read: a query runs whenever TanStack Query decides. The type of a client does not know which
* methods read. If the query is cancelled, or its last component leaves, the call is aborted.
*
* A query tries again after `DISCONNECTED` and `UNAVAILABLE`, at most three times, and not on a server. After all other
* errors it fails at once: the client has tried already, or another attempt would fail in the same way.
*
* @param client - from `createRpcClient` or `useRpcClient`, or a capability; or nothing, `null`, `undefined` or
*   `false`, as long as there is no client: the query is disabled then. `withOptions` sets the timeout of its calls.
* @returns methods. A method throws an `RpcError` with the code `UNSERIALIZABLE` for arguments that cannot be sent as
*   values, such as streams.
* @throws TypeError for a value that is not a client
* @example
* const { data } = useQuery(queryOptions(counter).getValue());
*/
function queryOptions(client) {
	return methodsOf(client, (call) => optionsOf(call, (context) => callOnce(call, context.signal)));
}
/**
* Returns a key to invalidate all queries of a client, or all queries of one of its methods. The key of one query is in
* its options: `queryOptions(room).getTopic().queryKey`.
*
* @param client - as in `queryOptions`
* @param method - the name of a method. Default: all methods of the object, for all clients of the object.
* @throws TypeError for a value that is not a client
* @example
* await queryClient.invalidateQueries({ queryKey: queryKey(room, 'getScore') });
*/
function queryKey(client, method) {
	return keyOf(client, ...method === void 0 ? [] : [method]);
}
/**
* Returns the options that all queries have.
*
* @param read - the function of the query
* @param suffix - the end of the key, after the arguments
*/
function optionsOf({ client, method, args }, read, ...suffix) {
	return {
		queryKey: keyOf(client, method, ...JSON.parse(`[${encodeArgs(args).slice(1)}]`), ...suffix),
		queryFn: read,
		retry,
		enabled: !!client
	};
}
/** Calls the method. @returns its result as data */
async function callOnce(call, signal) {
	return dataOf(await callMethod(call, { signal }));
}
/** Returns the data for a cache, which cannot hold `undefined`. */
function dataOf(result) {
	return result ?? null;
}
// src/tanstack/follower.ts
/**
* The subscription of each query function. The options of a component have the function, and so choose the
* subscription.
*/
const sources = /* @__PURE__ */ new WeakMap();
const followers = /* @__PURE__ */ new WeakMap();
/** The caches whose components are watched. */
const watched = /* @__PURE__ */ new WeakSet();
/** Returns the function of a query that follows a subscription. */
function follow(source) {
	const read = async ({ client, queryKey, signal }) => {
		const cache = client.getQueryCache();
		const query = cache.find({
			queryKey,
			exact: true
		});
		if (!query) throw new TypeError("The cache has no query with this key: pass the options to useQuery or fetchQuery");
		if (!watched.has(cache)) {
			watched.add(cache);
			cache.subscribe((event) => followers.get(event.query)?.notice(event));
		}
		const follower = followers.get(query) ?? new Follower(query);
		followers.set(query, follower);
		return follower.read(source, signal);
	};
	sources.set(read, source);
	return read;
}
/** Returns whether the data of a query are the newest, and stay the newest. */
function isFollowed(query) {
	return followers.get(query)?.isFollowing ?? false;
}
var Follower = class {
	#query;
	#following;
	/** The query function that waits for the first value. */
	#first;
	/** The newest data of the subscription that is open. */
	#newest;
	/** The data that the query function has returned last. */
	#returned;
	/** The subscription to a feed that was opened last, for its cursor. */
	#feed;
	constructor(query) {
		this.#query = query;
	}
	get isFollowing() {
		return !!this.#following && !this.#first;
	}
	/** Returns the data, and follows them from now on if a component wants that. */
	async read(source, signal) {
		if (this.isFollowing) {
			await new Promise((resolve) => setTimeout(resolve));
			if (this.isFollowing) return this.#returned = this.#newest;
		}
		const [wanted] = this.#wanted();
		if (!wanted || !(sessionOf(wanted.source)?.transport.isDuplex || hasWindow())) {
			const { feed } = source;
			return feed ? this.#data ?? feed.initialValue : callOnce(source, signal);
		}
		const first = new Promise((resolve, reject) => this.#first = {
			signal,
			resolve,
			reject
		});
		if (!this.#following) this.#begin(wanted.source);
		return first;
	}
	/** Handles an event of the query. */
	notice(event) {
		const { type } = event;
		if (type === "removed") this.#end();
		else if (type === "updated") {
			const { action } = event;
			if (action.type === "success" && !action.manual && this.isFollowing && this.#newest !== this.#returned) this.#write(this.#returned = this.#newest);
		} else if (type.startsWith("observer") && type !== "observerResultsUpdated") queueMicrotask(() => this.#check(type === "observerAdded"));
	}
	/** Ends a subscription that no component wants, and begins a subscription that a component wants. */
	#check(isAdded) {
		const { status, fetchStatus } = this.#query.state;
		const wanted = this.#wanted();
		const followed = this.#following?.source;
		if (followed) {
			if (wanted.some(({ source }) => sessionOf(source) === sessionOf(followed))) return;
			this.#end();
		} else if (!isAdded || status !== "success" || fetchStatus !== "idle") return;
		if (wanted[0]) this.#query.fetch(wanted[0].options).catch(ignore);
	}
	/** Returns the options of the components that want to follow. */
	#wanted() {
		if (!this.#query.isActive()) return [];
		return this.#query.observers.flatMap(({ options }) => {
			const source = sources.get(Object(options.queryFn));
			return source?.client ? [{
				source,
				options
			}] : [];
		});
	}
	#begin(source) {
		const { client, method, args, feed } = source;
		const goesOn = this.#feed && this.#data !== void 0;
		const after = goesOn && this.#feed?.cursor || feed?.after;
		let subscription;
		const choose = (methods) => subscription = methods[method]?.(...args);
		try {
			const store = feed ? liveStore(client, choose, (_, event) => this.#take(feed.reducer(this.#data, event)), {
				after,
				onGap: feed.onGap
			}) : liveStore(client, choose);
			const following = this.#following = {
				source,
				stop: ignore
			};
			const stop = store.subscribe((live) => {
				if ("error" in live) this.#fail(live.error);
				else if ("value" in live && !feed) this.#take(dataOf(live.value));
			});
			if (this.#following !== following) return stop();
			this.#following = {
				source,
				stop
			};
			if (!feed) return;
			this.#feed = subscription;
			this.#take(goesOn ? this.#data : feed.initialValue);
		} catch (thrown) {
			this.#fail(thrown);
		}
	}
	get #data() {
		return this.#query.state.data;
	}
	#take(data) {
		const first = this.#first;
		this.#first = void 0;
		this.#newest = data;
		if (!first || first.signal.aborted) return this.#write(data);
		this.#returned = data;
		first.resolve(data);
	}
	#write(data) {
		this.#query.setData(data, { manual: true });
	}
	#fail(thrown) {
		const first = this.#first;
		const options = this.#wanted()[0]?.options;
		this.#first = void 0;
		this.#end();
		if (thrown instanceof RpcError && thrown.code === "CURSOR_EXPIRED") this.#feed = void 0;
		if (first) return first.reject(thrown);
		const initialPromise = Promise.reject(thrown);
		initialPromise.catch(ignore);
		this.#query.fetch(options, { initialPromise }).catch(ignore);
	}
	/** Ends the subscription. A query function that waits for the first value is cancelled. */
	#end() {
		const following = this.#following;
		this.#following = void 0;
		following?.stop();
		if (!this.#first) return;
		this.#first = void 0;
		this.#query.cancel({ revert: true });
	}
};
function sessionOf({ client }) {
	return client ? internalsOf(client)[0] : void 0;
}
function ignore() {}
// src/tanstack/live-options.ts
/**
* Returns the live methods of a client, as options of queries whose data follow the value. The subscription is open
* while a component uses the query. When the last component leaves, the subscription is closed, and the data stay for
* the `gcTime`. While the subscription is open, the data are never stale, and a refetch costs nothing. After a lost
* connection, the subscription continues by itself. Without components, as in `prefetchQuery` and in loaders of routes,
* the query calls the method once.
*
* The key is equal to the key of `queryOptions`, so a page can continue with the data of a server. If the subscription
* ends with an error, the query has the error beside its last data, and tries again as `queryOptions` does.
*
* @param client - as in `queryOptions`
* @returns methods, as in `queryOptions`. With a client whose `transport` is `'http'`, a query that a component uses
*   fails with a TypeError.
* @throws TypeError for a value that is not a client
* @example
* const { data } = useQuery(liveOptions(counter).getValue());
*/
function liveOptions(client) {
	return methodsOf(client, (call) => followedOptions(call));
}
function feedOptions(client, { after, onGap, reducer = append, initialValue = [] } = {}) {
	return methodsOf(client, (call) => followedOptions({
		...call,
		feed: {
			after,
			onGap,
			reducer,
			initialValue
		}
	}));
}
function followedOptions(source) {
	const { after } = source.feed ?? {};
	return {
		...optionsOf(source, follow(source), ...after === void 0 ? [] : [{ after }]),
		staleTime: (query) => isFollowed(query) ? Infinity : 0,
		refetchOnMount: (query) => isFollowed(query) ? false : "always"
	};
}
const append = (events, event) => [...events, event];
// src/tanstack/mutation-options.ts
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
function mutationOptions(client) {
	return methodsOf(client, ({ method }) => ({
		mutationKey: keyOf(client, method),
		mutationFn: (variables) => {
			return callMethod({
				client,
				method,
				args: Array.isArray(variables) ? variables : [variables]
			});
		},
		retry: () => false
	}));
}
export { feedOptions, liveOptions, mutationOptions, queryKey, queryOptions };
