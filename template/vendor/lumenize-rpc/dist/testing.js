import { FRAME_METHOD, RpcError } from "./wire.js";
import { createRpcClient, internalsOf } from "./client-core.js";
import { answerRpcFrame, callback, compileContract, contractOf, events, findNamespaces, handleRpcClose, handleRpcMessage, handleRpcRequest, live, objectIdOf, presence, read, routeDORequest, rows, stream, streamOf, volatile, withCaller } from "./server-core.js";
import { TYPES, checkEventsOf } from "./schemas.js";
import { Any, Optional } from "./builders.js";
import { REFINED, readSchema } from "./written-schema.js";
import { env, exports } from "cloudflare:workers";
// src/testing/collect.ts
/**
* Subscribes until the client is closed, and collects the values that arrive. If the subscription ends with an error,
* the console shows it. To expect an error, loop over the subscription.
*
* @param subscription - a method of `subscribe(client)`
* @returns the values so far, oldest first; more are added as they arrive
* @example
* const values = collect(subscribe(counter).getValue());
* await counter.increment();
* await expect.poll(() => values).toEqual([0, 1]);
*/
function collect(subscription) {
	const values = [];
	(async () => {
		try {
			for await (const value of subscription) values.push(value);
		} catch (error) {
			if (!(error instanceof RpcError && error.code === "CLOSED")) console.error("A subscription that a test collects has ended:", error);
		}
	})();
	return values;
}
// src/contract/entries-of.ts
/** Makes the entries of a contract from the written contract, so that a test can serve a class by an old contract. */
/** @param known - the present contract. Methods and classes of capabilities that it no longer has are left out. */
function entriesOf({ methods }, known) {
	const classOf = (name) => known.capabilities.get(name)?.Class;
	const left = Object.entries(methods).filter(([name]) => known.methods.has(name) || known.internal.has(name));
	return Object.fromEntries(left.map(([name, method]) => [name, entryOf(method, classOf)]));
}
function entryOf({ kind, input, output, returns = [], key }, classOf) {
	const schemas = input.map((argument) => argumentOf(argument, classOf));
	const options = {
		returns: returns.map(classOf).filter((Class) => Class !== void 0),
		output: output === void 0 ? void 0 : schemaOf(output)
	};
	switch (kind) {
		case "read": return read(schemas, options);
		case "volatile": return volatile(schemas, options);
		case "live": return live(schemas, {
			...options,
			key
		});
		case "presence": return presence(schemas, options);
		case "events": return events(schemas, options);
		case "stream": return stream(schemas, options);
		case "rows": return rows(key ?? "", [...schemas, Optional(Any())], options);
		default: return {
			input: schemas,
			...options
		};
	}
}
function argumentOf({ optional, schema = true, stream: isStream, capability }, classOf) {
	if (capability !== void 0) return classOf(capability) ?? Any();
	const made = schemaOf(schema);
	if (isStream) return streamOf(made);
	return optional ? Optional(made) : made;
}
function schemaOf(schema) {
	return withFunctions(readSchema(schema));
}
/** Returns a schema with callbacks in place of functions. Parts that JSON Schema cannot check accept any value. */
function withFunctions(schema) {
	if (Array.isArray(schema)) return schema.map(withFunctions);
	if (schema === true) return {};
	if (typeof schema !== "object" || schema === null) return schema;
	const { [REFINED]: _, ...fields } = schema;
	const { type } = fields;
	if ("unreadable" in fields) return {};
	if (type === "function") {
		const { parameters = [], returnType } = fields;
		return callback(parameters.map(withFunctions), withFunctions(returnType));
	}
	if (typeof type === "string" && !Object.hasOwn(TYPES, type)) return {};
	return Object.fromEntries(Object.entries(fields).map(([keyword, held]) => [keyword, withFunctions(held)]));
}
// src/testing/versions.ts
/**
* Lets an object and a page of different versions meet in a test. The object has the contract of one version. It
* rejects calls that the page of the other version could not send, and results that the page would not understand.
*/
/**
* Finds the object that is to be served by the contracts of versions.
*
* @returns a function that serves the object by these contracts, until it is evicted, as by a deployment
* @throws TypeError for an object that does not exist
*/
function serveVersions(binding, instance, versions) {
	const [found] = findNamespaces(env, binding);
	const id = found && objectIdOf(found[1], instance);
	if (!id) throw new TypeError(`There is no object ${binding}/${instance} for \`versions\``);
	return async () => {
		const { runInDurableObject } = await import("cloudflare:test");
		await runInDurableObject(found[1].get(id), (object) => replaceContract(object, versions));
	};
}
function replaceContract(object, versions) {
	const own = contractOf(object);
	if (!own) throw new TypeError(`${object.constructor.name} is not a class of lumenizeRpcDO`);
	const contract = contractOfVersions(own, versions);
	const handlers = Object.getPrototypeOf(object);
	const served = {
		fetch: async (request) => await handleRpcRequest(request, object, contract) ?? handlers.fetch?.call(object, request),
		[FRAME_METHOD]: (frame, sender = {}) => answerRpcFrame(frame, sender, object, contract),
		webSocketMessage: (socket, message) => handleRpcMessage(socket, message, object, contract) || handlers.webSocketMessage?.call(object, socket, message),
		webSocketClose: (socket, code, reason, wasClean) => handleRpcClose(socket, code, reason, object, contract) || handlers.webSocketClose?.call(object, socket, code, reason, wasClean)
	};
	for (const { name, kind, checkOutput } of contract.methods.values()) {
		const { [name]: method } = handlers;
		if (kind !== "events" || !method) continue;
		served[name] = (...args) => {
			const result = method.apply(object, args);
			checkEventsOf(result, checkOutput);
			return result;
		};
	}
	Object.setPrototypeOf(object, Object.setPrototypeOf(served, handlers));
}
/** Serves an object of one version to a page of another version. */
function contractOfVersions(own, { page, object }) {
	const served = object ? ofVersion(own, object) : own;
	if (!page) return served;
	const known = ofVersion(own, page).methods;
	const methods = Array.from(served.methods, ([name, method]) => [name, withPage(method, known.get(name), page.methods[name])]);
	return {
		...served,
		methods: new Map(methods)
	};
}
/** Returns the contract of a version, with the settings of the class. */
function ofVersion(own, version) {
	const use = own.features.map((feature) => ({ "~feature": feature }));
	const compiled = compileContract(entriesOf(version, own), { use });
	const { limits, hibernate, journal, journalAge, callbackTimeout, streamTimeout } = own;
	const { around, exposeErrorDetails } = own;
	const settings = {
		limits,
		hibernate,
		journal,
		journalAge,
		callbackTimeout,
		streamTimeout
	};
	return {
		...compiled,
		...settings,
		around,
		exposeErrorDetails
	};
}
/** Returns a method that also checks the arguments that the page sends, and the results that it receives. */
function withPage(method, page, written) {
	const { name } = method;
	return {
		...method,
		checkOutput: page?.checkOutput,
		validate(args, first) {
			if (!page || !written) throw new TypeError(`A page of the version in \`versions\` has no method ${name}`);
			try {
				page.validate(args, first);
			} catch (error) {
				if (!(error instanceof RpcError)) throw error;
				throw new TypeError(`A page of the version in \`versions\` cannot send these arguments: ${error.message}`, { cause: error });
			}
			return method.validate(args, first);
		}
	};
}
// src/testing/worker-socket.ts
function workerSocket(carrier) {
	return class WorkerSocket extends EventTarget {
		#connected;
		#hasEnded = false;
		constructor(url, protocols) {
			super();
			carrier.opened(this.#lose);
			this.#connected = this.#connect(url.replace(/^ws/, "http"), protocols.join(", "));
			this.#connected.catch(() => this.#end(1006, ""));
		}
		send(frame) {
			this.#connected.then((socket) => this.#hasEnded || socket.send(frame)).catch(ignore);
		}
		close(code, reason) {
			this.#connected.then((socket) => socket.close(code, reason), ignore);
		}
		async #connect(url, protocols) {
			const headers = {
				Upgrade: "websocket",
				"Sec-WebSocket-Protocol": protocols
			};
			const { status, webSocket } = await carrier.answer(new Request(url, { headers }));
			if (!webSocket) throw new Error(`The server answered the WebSocket upgrade with ${status}`);
			webSocket.addEventListener("message", ({ data }) => {
				if (!this.#hasEnded) carrier.arrived(data);
				this.#emit("message", { data });
			});
			webSocket.addEventListener("close", ({ code, reason }) => this.#end(code, reason));
			webSocket.binaryType = "arraybuffer";
			webSocket.accept();
			queueMicrotask(() => this.#emit("open", {}));
			return webSocket;
		}
		#lose = () => {
			this.#end(1006, "");
			this.close(3e3, "The connection was cut");
		};
		#end(code, reason) {
			this.#emit("close", {
				code,
				reason
			});
			this.#hasEnded = true;
			carrier.ended(this.#lose);
		}
		#emit(type, properties) {
			if (!this.#hasEnded) this.dispatchEvent(Object.assign(new Event(type), properties));
		}
	};
}
/**
* A socket that could not connect has reported so with its `close` event. As in a browser, messages to a
* closed socket are ignored.
*/
function ignore() {}
// src/testing/network.ts
/** The networks of the clients that `connect` has created. */
const networks = /* @__PURE__ */ new WeakMap();
var Network = class {
	#worker;
	/** The functions that end the open sockets and requests. */
	#ends = /* @__PURE__ */ new Set();
	/** This promise settles when there is a connection to the Worker. */
	#restored = Promise.resolve();
	/** True if the next frame of the object is lost. */
	#losesNext = false;
	constructor(worker) {
		this.#worker = worker;
	}
	/** @param until - the network is down until this promise has settled */
	cut(until) {
		this.#restored = Promise.allSettled([this.#restored, until]);
		const ends = [...this.#ends];
		this.#ends.clear();
		for (const end of ends) end();
	}
	loseNext() {
		this.#losesNext = true;
	}
	fetch = ((input, init) => new Promise((resolve, reject) => {
		const end = () => reject(/* @__PURE__ */ new TypeError("The connection was cut"));
		const send = async () => {
			const request = new Request(input, init);
			const response = await this.#answer(request);
			if (!request.headers.has("lumenize-rpc-probe")) this.#cutIfNext();
			if (!this.#ends.delete(end)) await response.body?.cancel();
			resolve(response);
		};
		this.#ends.add(end);
		send().catch((error) => {
			this.#ends.delete(end);
			reject(error);
		});
	}));
	WebSocket = workerSocket({
		answer: (request) => this.#answer(request),
		opened: (lose) => void this.#ends.add(lose),
		ended: (lose) => void this.#ends.delete(lose),
		arrived: (message) => void (message !== "[]" && this.#cutIfNext())
	});
	async #answer(request) {
		await this.#restored;
		return await this.#worker.fetch(request) ?? new Response("Not found", { status: 404 });
	}
	/** Cuts the connection in place of the frame that is to be lost. */
	#cutIfNext() {
		if (!this.#losesNext) return;
		this.#losesNext = false;
		this.cut();
	}
};
function cut(client, until) {
	networkOf(client).cut(until);
	return until;
}
/**
* Loses the next frame that the object sends to a client, and the connection. So a call has run, and the client has no
* answer. Then the client connects again, as after `cut`.
*
* @param client - from `connect`
* @throws TypeError for another client
* @example
* loseAnswer(counter);
* expect(await counter.increment()).toBe(1); // Sent twice, and run once.
* expect(await counter.getValue()).toBe(1);
*/
function loseAnswer(client) {
	networkOf(client).loseNext();
}
function networkOf(client) {
	const network = networks.get(internalsOf(client)[0]);
	if (!network) throw new TypeError("The client was not created by connect() of lumenize-rpc/testing");
	return network;
}
// src/testing/connect.ts
/** Creates a client of an object. Its requests go to a Worker in the same isolate. */
/**
* Creates a client for one Durable Object of the Worker under test. It works as the client of a page does, without a
* network.
*
* @param binding - the Durable Object binding, such as `COUNTER`
* @param instance - the object's name, or its id as 64 hex characters. Use another name in each test.
* @param options - the options of `createRpcClient`, and `as`, `worker` and `versions`. Default of `baseUrl`:
*   `https://example.com`.
* @returns the client. Declare it with `using`, which closes it when the test ends.
* @throws TypeError for both `as` and `worker`, since with `as` no Worker receives the requests
* @throws TypeError for `versions` of an object that does not exist
* @throws RangeError for a caller that is too large for `withCaller`
* @example
* test('only its author can delete a note', async () => {
*   using ada = connect<Notes>('NOTES', 'delete', { as: { user: 'Ada' } });
*   using bob = connect<Notes>('NOTES', 'delete', { as: { user: 'Bob' }, transport: 'http' });
*   const id = await ada.add('Hello');
*   await expect(bob.delete(id)).rejects.toThrow('Only its author may do this');
* });
*/
function connect(binding, instance, options = {}) {
	const { as: caller, worker, versions, ...rest } = options;
	const isNamed = caller !== void 0;
	if (isNamed && worker) throw new TypeError("With `as`, no Worker receives the requests: leave out `worker`");
	const direct = isNamed ? routedAs(caller, options.prefix) : void 0;
	const reached = worker ?? direct ?? workerUnderTest();
	const network = new Network(versions ? meeting(reached, binding, instance, versions) : reached);
	const client = createRpcClient(binding, instance, {
		baseUrl: "https://example.com",
		...rest,
		fetch: network.fetch,
		WebSocket: network.WebSocket
	});
	networks.set(internalsOf(client)[0], network);
	return client;
}
/** Lets the versions meet before the first request. */
function meeting(worker, binding, instance, versions) {
	const serve = serveVersions(binding, instance, versions);
	let served;
	return { async fetch(request) {
		await (served ??= serve());
		return worker.fetch(request);
	} };
}
function workerUnderTest() {
	return exports.default;
}
/** Routes requests of a caller directly to the objects, without the Worker. */
function routedAs(caller, prefix) {
	const name = (request) => caller === null ? void 0 : withCaller(request, caller);
	name(new Request("https://example.com"), {
		binding: "",
		instance: ""
	});
	const options = {
		onBeforeConnect: name,
		onBeforeRequest: name,
		...prefix && { prefix }
	};
	return { fetch: (request) => routeDORequest(request, env, options) };
}
export { collect, connect, cut, loseAnswer };
