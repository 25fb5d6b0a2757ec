import { bytes, compileContract, contractOf, events, feed, handleRpcClose, handleRpcMessage, handleRpcRequest, lumenizeRpcDO, read, routeDORequest } from "./server-core.js";
import { Integer, Optional, Unknown } from "./builders.js";
import { RpcTarget, newWorkersRpcResponse } from "capnweb";
// src/perf/contenders/routes.ts
/** The Worker that is measured: the routes to the objects of all contenders. */
/**
* The Worker that is measured: routes each request to the object of a contender. It is the default export of the
* Worker that exports the `contenderClasses`.
*/
const contenderWorker = { async fetch(request, env) {
	const response = await routeDORequest(request, env, { prefix: "/__rpc" });
	if (response) return response;
	const [, binding = "", name = ""] = new URL(request.url).pathname.split("/");
	return env[binding]?.getByName(decodeURIComponent(name)).fetch(request) ?? new Response("Not found", { status: 404 });
} };
// src/perf/contenders/measured-class.ts
const addedContract = {
	perfEcho: {
		input: [Unknown()],
		readonly: true
	},
	perfEchoPlain: {
		input: [Unknown()],
		readonly: true,
		plain: true
	},
	perfBook: [],
	perfEvents: events(),
	perfAnnounce: [Unknown()]
};
function measuredClass(Class) {
	return class extends Class {
		#hasTable = false;
		perfEcho(value) {
			return value;
		}
		perfEchoPlain(value) {
			return value;
		}
		/**
		* Books a place for ten minutes and frees it again, with an index and an alarm. The first booking creates the
		* table, so that objects without bookings have none.
		*/
		perfBook() {
			const query = (statement, ...bindings) => this.ctx.storage.sql.exec(statement, ...bindings).toArray();
			if (!this.#hasTable) {
				query(`CREATE TABLE IF NOT EXISTS perf_places (
            id TEXT PRIMARY KEY, place TEXT NOT NULL UNIQUE, expires INTEGER NOT NULL
          ) STRICT;
          CREATE INDEX IF NOT EXISTS perf_places_by_expiry ON perf_places (expires)`);
				this.#hasTable = true;
			}
			query("DELETE FROM perf_places WHERE expires <= ?", Date.now());
			const [taken] = query("INSERT INTO perf_places VALUES (?, ?, ?) ON CONFLICT (place) DO NOTHING RETURNING *", crypto.randomUUID(), "A1", Date.now() + 6e5);
			if (!taken) throw new Error("A1 is taken");
			const [next] = query("SELECT * FROM perf_places ORDER BY expires LIMIT 1");
			if (next) this.ctx.storage.setAlarm(next.expires);
			const [own] = query("SELECT * FROM perf_places WHERE id = ?", taken.id);
			if (own) query("DELETE FROM perf_places WHERE id = ?", own.id);
			return taken.place;
		}
		perfEvents() {
			return feed(this, "perf-events");
		}
		perfAnnounce(event) {
			this.perfEvents().append(event);
		}
		/** No booking is left when the alarm runs, so only the alarm of the class has something to do. */
		async alarm(info) {
			await super.alarm?.(info);
		}
	};
}
/** Calls a method of the project's object by its name. */
function callByName(object, method, args) {
	return object[method].call(object, ...args);
}
// src/perf/contenders/capnweb.ts
/** The object that Cap'n Web serves, written as in the documentation of Cap'n Web. */
/** @param methods - the methods that clients can call */
function capnwebOf(Class, methods) {
	class Target extends RpcTarget {
		#object;
		#listeners;
		static {
			for (const name of methods) {
				if (name === "perfAnnounce") continue;
				const value = function(...args) {
					return callByName(this.#object, name, args);
				};
				Object.defineProperty(this.prototype, name, { value });
			}
		}
		constructor(object, listeners) {
			super();
			this.#object = object;
			this.#listeners = listeners;
		}
		/** Cap'n Web disposes of a stub in the arguments when the call ends, so this keeps a duplicate. */
		perfListen(listener) {
			this.#listeners.add(listener.dup());
		}
		perfAnnounce(event) {
			const listeners = this.#listeners;
			for (const listener of listeners) listener(event).catch(() => listeners.delete(listener));
		}
	}
	return class extends Class {
		#listeners = /* @__PURE__ */ new Set();
		fetch(request) {
			return newWorkersRpcResponse(request, new Target(this, this.#listeners));
		}
	};
}
// src/perf/contenders/floors.ts
/**
* The floors: careful code by hand, without a library. It uses one WebSocket or POST, short JSON and raw bytes. All
* contenders are compared with the floors, so they are never tuned.
*/
/** @param methods - the methods that clients can call */
function floorsOf(Class, methods) {
	const text = (...answer) => JSON.stringify(answer);
	const returned = (id, value) => value === void 0 ? text(id) : text(id, value);
	const thrown = (id, error) => text(id, null, String(error));
	/** @param sockets - all connected sockets */
	const answer = (object, message, sockets = []) => {
		if (typeof message !== "string") return object.perfEcho(message);
		const [id, method, ...args] = JSON.parse(message);
		if (method === "perfAnnounce") {
			const event = text(0, args[0]);
			for (const socket of sockets) socket.send(event);
			return text(id);
		}
		if (!methods.has(method)) return thrown(id, `There is no method ${method}`);
		try {
			const value = callByName(object, method, args);
			if (!(value instanceof Promise)) return returned(id, value);
			return value.then((result) => returned(id, result), (error) => thrown(id, error));
		} catch (error) {
			return thrown(id, error);
		}
	};
	const send = (socket, reply) => {
		if (reply instanceof Promise) reply.then((one) => socket.send(one));
		else socket.send(reply);
	};
	return {
		/** The floor for objects that stay in memory while a socket is open. */
		PlainFloor: class extends Class {
			#sockets = /* @__PURE__ */ new Set();
			fetch() {
				const { 0: client, 1: server } = new WebSocketPair();
				server.binaryType = "arraybuffer";
				server.accept();
				this.#sockets.add(server);
				server.addEventListener("close", () => this.#sockets.delete(server));
				server.addEventListener("message", ({ data }) => send(server, answer(this, data, this.#sockets)));
				return new Response(null, {
					status: 101,
					webSocket: client
				});
			}
		},
		/** The floor for objects that may sleep while a socket is open, as this RPC's do. */
		HibernatingFloor: class extends Class {
			fetch() {
				const { 0: client, 1: server } = new WebSocketPair();
				this.ctx.acceptWebSocket(server);
				return new Response(null, {
					status: 101,
					webSocket: client
				});
			}
			webSocketMessage(socket, message) {
				send(socket, answer(this, message, this.ctx.getWebSockets()));
			}
			webSocketClose(socket) {
				socket.close();
			}
		},
		/** The floor for calls that are a POST each. */
		PostFloor: class extends Class {
			async fetch(request) {
				const isJson = request.headers.get("Content-Type") === "application/json";
				return new Response(await answer(this, isJson ? await request.text() : await request.arrayBuffer()));
			}
		}
	};
}
// src/perf/contenders/measured-contract.ts
/** Reads the class and the contract out of a class that `lumenizeRpcDO` has returned. */
/** @throws TypeError for a class that `lumenizeRpcDO` has not returned */
function definitionOf(Wrapped) {
	const Class = Object.getPrototypeOf(Wrapped);
	const prototype = Wrapped.prototype;
	const compiled = contractOf(prototype);
	if (!compiled || compiled === contractOf(Class.prototype)) throw new TypeError(`contenderClasses: ${Wrapped.name} has no contract of its own. Pass the class that lumenizeRpcDO returned`);
	const entries = [...compiled.methods].map(([name, method]) => [name, entryOf(method)]);
	return {
		Class,
		contract: Object.fromEntries(entries),
		options: optionsOf(compiled)
	};
}
function entryOf({ kind, feature, plain, key, ...rest }) {
	const { input, readonly, returns, output, title, description } = rest;
	const entry = {
		input,
		readonly,
		returns,
		output,
		title,
		description
	};
	if (kind === "call") return {
		...entry,
		plain: Boolean(plain)
	};
	return {
		"~entry": kind,
		"~feature": feature,
		...entry,
		...key !== void 0 && { key }
	};
}
function optionsOf({ limits, journalAge, callbackTimeout, ...more }) {
	const { hibernate, journal, streamTimeout, exposeErrorDetails } = more;
	return {
		journalAge,
		callbackTimeout,
		streamTimeout,
		limits,
		hibernate,
		journal,
		exposeErrorDetails
	};
}
// src/perf/contenders/worker.ts
/**
* The Durable Object classes of all contenders, made of one class of the project.
*/
/** The object that is measured in a project that names none. */
var PerfCounter = class {
	ctx;
	env;
	constructor(ctx, env) {
		this.ctx = ctx;
		this.env = env;
	}
	increment(by = 1) {
		const value = this.getValue() + by;
		this.ctx.storage.kv.put("value", value);
		return value;
	}
	getValue() {
		return this.ctx.storage.kv.get("value") ?? 0;
	}
};
function perfCounter() {
	const contract = {
		increment: [Optional(Integer({
			minimum: 1,
			maximum: 1e6
		}))],
		getValue: read()
	};
	return lumenizeRpcDO(PerfCounter, contract);
}
/**
* Makes the Durable Object classes of the performance test: one for each contender, all with the methods of the
* same class. The Worker that is measured exports them, and `perf/wrangler.jsonc` binds them.
*
* @param Class - the class that is measured, as `lumenizeRpcDO` returned it. Default: a counter with the methods
*   `increment` and `getValue`
* @param options - options in place of the options that `lumenizeRpcDO` received for the class. Options such as
*   `onCall`, `onError` and `use` are not taken from the class.
* @throws TypeError for a class that `lumenizeRpcDO` has not returned
* @example
* export const { Counter, AwakeCounter, … } = contenderClasses(Orders);
*/
function contenderClasses(Class = perfCounter(), options = {}) {
	const measured = definitionOf(Class);
	const all = {
		...measured.contract,
		...addedContract
	};
	const Measured = measuredClass(measured.Class);
	const methods = new Set(Object.keys(all));
	const own = {
		...measured.options,
		...options
	};
	const wrapped = (more) => lumenizeRpcDO(Measured, all, {
		...own,
		...more
	});
	return {
		Counter: wrapped({ use: [...own.use ?? [], bytes] }),
		AwakeCounter: wrapped({ hibernate: false }),
		UnjournaledCounter: wrapped({ journal: false }),
		ManualCounter: withOwnFetch(Measured, all, own),
		CapnwebCounter: capnwebOf(Measured, methods),
		...floorsOf(Measured, methods)
	};
}
/** This RPC in a class that keeps its own `fetch`. */
function withOwnFetch(Measured, contract, options) {
	const compiled = compileContract(contract, options);
	return class extends Measured {
		async fetch(request) {
			return await handleRpcRequest(request, this, compiled) ?? new Response("Not found", { status: 404 });
		}
		webSocketMessage(socket, message) {
			handleRpcMessage(socket, message, this, compiled);
		}
		webSocketClose(socket, code, reason) {
			handleRpcClose(socket, code, reason, this, compiled);
		}
	};
}
export { contenderClasses, contenderWorker };
