import { byteLengthOf, decodeAnswer, decodeRich, isId, objectNameOf, readAnyFrame, shownClient, splitFrame, wholeFrame } from "./wire.js";
import { observeSockets } from "./debug-sockets.js";
import { contractOf, heldMemoryOf, journaledClientsOf, kvOf, openConnectionsOf, perObject } from "./server-core.js";
// src/features/debug/wire/format-value.ts
/** Formats values for debug output: in one line of limited length. */
/** The maximum number of characters of a value or a frame that are printed. */
const LENGTH = 200;
/** The maximum number of items of a list, and of levels of nesting, that are printed. */
const ITEMS = 20;
const DEPTH = 4;
/** Shortens a long text. */
function truncate(text) {
	return text.length > LENGTH ? `${text.slice(0, 199)}…` : text;
}
/**
* Formats a value in the notation of JavaScript if there is one, in at most 200 characters. Does not throw: a value
* that throws while it is read is `unreadable`.
*/
function formatValue(value) {
	return formatValues([value]);
}
/** Formats several values as `formatValue` does, with commas between them, in at most 200 characters altogether. */
function formatValues(values) {
	try {
		return truncate(join(values, (value) => write(value, DEPTH)));
	} catch {
		return "unreadable";
	}
}
function write(value, depth) {
	if (typeof value === "string") return JSON.stringify(truncate(value));
	if (typeof value === "bigint") return `${value}n`;
	if (typeof value === "symbol") return value.description ?? "";
	if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : `${value}`;
	if (value instanceof Error) return writeError(value);
	if (depth === 0) return "…";
	const inner = (part) => write(part, depth - 1);
	if (Array.isArray(value)) return `[${join(value, inner)}]`;
	if (value instanceof Set) return `Set {${join(value, inner)}}`;
	if (value instanceof Map) return `Map {${join(value, ([key, one]) => `${inner(key)} => ${inner(one)}`)}}`;
	const kind = Object.prototype.toString.call(value).slice(8, -1);
	if (ArrayBuffer.isView(value) || kind.endsWith("ArrayBuffer")) return `${kind}(${value.byteLength} bytes)`;
	if (kind !== "Object") return `${kind}(${String(value)})`;
	return `{${join(Object.entries(value), ([key, one]) => `${key}: ${inner(one)}`)}}`;
}
function writeError(error) {
	const { code } = error;
	return `${error.name}${typeof code === "string" ? ` ${code}` : ""}: ${error.message}`;
}
function join(items, show) {
	const texts = [];
	for (const item of items) {
		if (texts.length === ITEMS) return `${texts.join(", ")}, …`;
		texts.push(show(item));
	}
	return texts.join(", ");
}
// src/features/debug/wire/frame-log.ts
/**
* Prints the messages of a connection, in the same form at both ends: each frame, each call with its outcome and its
* duration, and the messages of subscriptions and callbacks. Only debug output imports this file, so other bundles do not
* contain it.
*/
/** The maximum number of calls and subscriptions that a log remembers. Rejected frames can have any number of calls. */
const MAX_OPEN = 1e3;
/** Prints the messages of one connection. */
var FrameLog = class {
	#name;
	#write;
	#redact;
	#calls = /* @__PURE__ */ new Map();
	/** The subscribed calls, by the number of the subscription. */
	#subscriptions = /* @__PURE__ */ new Map();
	/** @param name - a text that begins every line */
	constructor(name, { print = console.log, redact = (value) => value } = {}) {
		this.#name = name;
		this.#write = print;
		this.#redact = (value, what) => {
			try {
				return redact(value, what);
			} catch {
				return HIDDEN;
			}
		};
	}
	/** Prints a frame from the client to the object. */
	up(frame) {
		this.#print("up", frame);
		for (const message of messagesOf(frame)) {
			const [id, ...rest] = message;
			if (isId(id)) remember(this.#calls, id, this.#called(message));
			else if (id === "cancel") for (const cancelled of rest) this.#calls.delete(cancelled);
			else if (id === "subscribe") {
				const [n, , ...call] = rest;
				remember(this.#subscriptions, n, this.#called([n, ...call]));
			} else if (id === "unsubscribe") this.#subscriptions.delete(rest[0]);
			else if (id === "return" && isId(rest[0])) this.#end(rest[0], rest, "#k");
		}
	}
	/** Prints a frame from the object to the client. */
	down(frame) {
		for (const message of messagesOf(frame)) {
			const [id, thrown] = message;
			if (isId(id)) this.#end(id, message);
			else if (id === "error") this.note(`refused: ${readable(() => this.#thrown(decodeRich(thrown), ""))}`);
			else if (id === "call" && isId(message[1])) remember(this.#calls, `#k${message[1]}`, this.#calledBack(message.slice(2)));
			else this.#news(message);
		}
		this.#print("down", frame);
	}
	note(text) {
		this.#write(`${this.#name} ${text}`);
	}
	/** Forgets the calls without an answer. Calls that are sent again are logged again. */
	clear() {
		this.#calls.clear();
	}
	#called([, callee, form, list]) {
		const method = readable(() => calleeText(callee));
		return {
			text: readable(() => {
				const args = list === void 0 ? form ?? [] : decodeRich(list, referenceName);
				return `${method}(${this.#values(args, method)})`;
			}),
			method,
			start: performance.now()
		};
	}
	/** @param parts - the number of the function, and its arguments in the form of the result of an answer */
	#calledBack(parts) {
		const method = `callback ${formatValue(parts[0])}`;
		return {
			text: readable(() => {
				const args = decodeAnswer(parts, referenceName);
				return `${method}(${this.#values(args.result ?? [], method)})`;
			}),
			method,
			start: performance.now()
		};
	}
	/** @param kind - `#` for a call of the client, `#k` for a call of a callback */
	#end(id, message, kind = "#") {
		const key = kind === "#" ? id : kind + id;
		const call = this.#calls.get(key);
		this.#calls.delete(key);
		const time = call ? ` in ${(performance.now() - call.start).toFixed(1)} ms` : "";
		const outcome = this.#answer(message, call?.method);
		this.note(`${kind}${id} ${call?.text ?? "an earlier call"} ${outcome}${time}`);
	}
	/** Prints a message about a subscription. */
	#news([kind, n, ...rest]) {
		const known = this.#subscriptions.get(n);
		const news = readable(() => this.#newsText(kind, rest, known?.method));
		if (!isId(n) || !news) return;
		this.note(`#s${n} ${known?.text ?? "an earlier subscription"} ${news}`);
		if (kind === "complete") this.#subscriptions.delete(n);
	}
	/** @returns an empty text for a message that is not about a subscription */
	#newsText(kind, parts, method) {
		const [first, ...rest] = parts;
		const answer = (message) => this.#answer(message, method, "event");
		if (kind === "subscribed") return `subscribed${typeof first === "string" ? ` after ${truncate(first)}` : ""}${rest.length > 1 ? ` ${answer(rest)}` : ""}`;
		if (kind === "next") return `event ${formatValue(first)} ${answer(parts)}`;
		if (kind === "value") return answer([kind, ...parts]);
		if (kind === "patch") return patchText(parts);
		if (kind === "complete") return parts.length === 0 ? "ended" : answer([kind, ...parts]);
		return "";
	}
	/** @param message - an answer, whatever it begins with */
	#answer(message, method = "", kind = "result") {
		return readable(() => {
			const answer = decodeAnswer(message, referenceName);
			if ("thrown" in answer) return `threw ${this.#thrown(answer.thrown, method)}`;
			return `= ${formatValue(this.#redact(answer.result, {
				kind,
				method
			}))}`;
		});
	}
	#thrown(error, method) {
		return formatValue(this.#redact(error, {
			kind: "error",
			method
		}));
	}
	#values(args, method) {
		if (args.length === 0) return "";
		const shown = this.#redact(args, {
			kind: "arguments",
			method
		});
		return Array.isArray(shown) ? formatValues(shown) : formatValue(shown);
	}
	#print(direction, frame) {
		if (frame === "[]") return;
		const { text, start } = typeof frame === "string" ? {
			text: frame,
			start: 0
		} : splitFrame(frame) ?? {
			text: "",
			start: 0
		};
		const shown = this.#redact(text, {
			kind: "frame",
			method: ""
		});
		const all = typeof shown === "string" ? ` ${truncate(shown)}` : "";
		if (typeof frame === "string") return this.note(`${direction} ${byteLengthOf(frame)} bytes${all}`);
		const beside = `and ${frame.byteLength - start} beside the text`;
		this.note(`${direction} ${frame.byteLength} bytes${all} ${beside}`);
	}
};
/** Stands for a value that is not shown. */
const HIDDEN = Symbol("…");
function remember(calls, key, call) {
	calls.set(key, call);
	const [oldest] = calls.keys();
	if (calls.size > MAX_OPEN) calls.delete(oldest);
}
/** Returns the messages of a frame; an empty list for a frame that cannot be read, which its receiver reports. */
function messagesOf(frame) {
	return readAnyFrame(frame) ?? [];
}
/** Names a callee. A capability is named only by its class, because its number and its address are a secret. */
function calleeText(callee) {
	if (typeof callee === "string") return truncate(callee);
	const [method, target, ...path] = callee;
	return truncate(`${typeof target === "string" ? target : [`#${target}`, ...path].join(".")}.${method}`);
}
/**
* Returns a symbol that stands for a reference. The result of another call is shown by the number of the call and the
* path to the part that is taken. A capability is shown by its class.
*/
function referenceName([kind, first, ...path]) {
	return Symbol(kind === "Call" ? [`#${first}`, ...path].join(".") : `${kind} ${first}`);
}
/** Says how many rows a patch has. The rows can contain the numbers of capabilities, which are secrets. */
function patchText([number, parts]) {
	const rows = [parts].flat(1).filter((part) => typeof part !== "number").length;
	return number === 0 ? `all rows: ${rows}` : `patch ${formatValue(number)}, new rows: ${rows}`;
}
/**
* Runs a function that writes text. A received message can contain anything, and an error while it is printed must not
* affect its handling.
*/
function readable(write) {
	try {
		return write();
	} catch (error) {
		return `unreadable: ${formatValue(error)}`;
	}
}
// src/features/debug/client/debug.ts
/**
* Shows on the console what a client does: its connection, each frame, and each call with its outcome and its
* duration. This includes arguments and results, up to 200 characters of each.
*
* @returns a transport that uses the given transport and shows its frames
* @example
* createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
*/
function debug$1(transport, binding, instance) {
	const log = new FrameLog(`${binding}/${instance} client`);
	return {
		address: transport.address,
		since: transport.since,
		clientId: transport.clientId,
		get isDuplex() {
			return transport.isDuplex ?? false;
		},
		isCongested: () => transport.isCongested?.() ?? false,
		connect(events) {
			log.note("connects");
			transport.connect({
				...events,
				opened() {
					log.note("is connected");
					events.opened();
				},
				received(arrived) {
					const frame = wholeFrame(arrived);
					log.down(frame);
					return events.received(frame);
				},
				lost(error, isRefusal, unread) {
					log.clear();
					log.note(`${isRefusal ? "is refused" : "lost the connection"}: ${error.message}`);
					events.lost(error, isRefusal, unread);
				}
			});
		},
		send(frame) {
			log.up(frame);
			transport.send(frame);
		},
		close() {
			log.clear();
			log.note("closes");
			transport.close();
		}
	};
}
// src/features/debug/server/connection-log.ts
const logs = /* @__PURE__ */ new WeakMap();
/** Returns the log of a connection, which is made at its first frame. */
function logOf(connection, instance, options) {
	let log = logs.get(connection);
	if (!log) {
		const { class: name, object } = objectNameOf(instance);
		const { client } = connection;
		log = new FrameLog(`${name}/${object} ${client ? shownClient(client) : "?"}`, options);
		logs.set(connection, log);
	}
	return log;
}
// src/features/debug/server/on-demand.ts
/** Prints debug output of an object, or of one of its clients, while the application has switched it on. */
/** The storage key of the clients that are shown, and of the time until which they are shown. */
const KEY = "__rpc_debug";
const NAME = "debug on demand";
/** The maximum time in minutes: one day. */
const MAX_MINUTES = 1440;
/** The clients of an object that are shown, which are stored with the object. */
var Shown = class {
	#instance;
	#stored;
	constructor(instance) {
		this.#instance = instance;
		try {
			this.#stored = kvOf(instance).get(KEY);
		} catch {}
	}
	get current() {
		if (this.#stored && this.#stored.until <= Date.now()) this.set(void 0);
		return this.#stored;
	}
	set(stored) {
		const hasChanged = stored ?? this.#stored;
		this.#stored = stored;
		if (!hasChanged) return;
		try {
			if (stored) kvOf(this.#instance).put(KEY, stored);
			else kvOf(this.#instance).delete(KEY);
		} catch {}
	}
};
const shownOf = /* @__PURE__ */ perObject((instance) => new Shown(instance));
/**
* Lets `debugFor` show what the clients of one object do, in production too. Nothing is printed until `debugFor` is
* called.
*
* @param options - `redact` and `callerName`; and `print`, which prints a line, by default with `console.log`
* @returns the feature for the option `use`
* @example
* export const Room = lumenizeRpcDO(RoomImpl, contract, {
*   use: [debugOnDemand({ redact: (value, { kind }) => (kind === 'arguments' ? value : undefined) })],
* });
*/
function debugOnDemand({ redact, callerName, print } = {}) {
	const isShown = ({ client = "", caller }, shown) => client.startsWith(shown.client ?? "") && (shown.caller === void 0 || callerName?.(caller) === shown.caller);
	const shownValue = (value, what) => {
		const chosen = redact?.(value, what);
		return chosen === void 0 ? hide(value) : chosen;
	};
	return { "~feature": {
		name: NAME,
		version: 1,
		namesCallers: callerName !== void 0,
		onFrame(direction, frame, connection, instance) {
			const shown = shownOf(instance).current;
			if (shown && isShown(connection, shown)) logOf(connection, instance, {
				redact: shownValue,
				print
			})[direction](frame);
		},
		inspect: (instance) => ({ debugUntil: shownOf(instance).current?.until })
	} };
}
function hide(value) {
	if (!(value instanceof Error)) return HIDDEN;
	const { code } = value;
	return Symbol(typeof code === "string" ? `${value.name} ${code}` : value.name);
}
/**
* Prints frames and calls of one object for a limited time, of all its clients or of one client or caller. The output
* continues after the object has hibernated, and ends by itself. Call it in a method that only you can call, because
* arguments and results may be secrets, if `redact` shows them.
*
* @param instance - the object, whose class has `use: [debugOnDemand()]`
* @param options - `minutes`, `client` and `caller`
* @throws RangeError for a number of minutes that is not from 0 to 1 440; TypeError for a class without `debugOnDemand`,
*   and for `caller` without `callerName`
* @example
* debug(minutes: number, user?: string): void {
*   if (currentCaller<Caller>()?.role !== 'operator') throw new Error('Only operators may do this');
*   debugFor(this, { minutes, caller: user });
* }
*/
function debugFor(instance, { minutes, client, caller }) {
	const { features = [] } = contractOf(instance) ?? {};
	const feature = features.find(({ name }) => name === NAME);
	const { class: name } = objectNameOf(instance);
	if (!feature) throw new TypeError(`${name} cannot show frames: add use: [debugOnDemand()] to its options`);
	if (caller !== void 0 && !feature.namesCallers) throw new TypeError("debugFor needs names of callers: add callerName to debugOnDemand({ … })");
	if (!(minutes >= 0 && minutes <= MAX_MINUTES)) throw new RangeError(`debugFor takes 0 to ${MAX_MINUTES} minutes, got ${minutes}`);
	const shown = client === void 0 ? void 0 : shownClient(client);
	const until = Date.now() + minutes * 6e4;
	shownOf(instance).set(minutes > 0 ? {
		until,
		client: shown,
		caller
	} : void 0);
}
// src/features/debug/server/inspect.ts
/** Makes a report of the data that an object holds. The report changes nothing. */
/** The maximum number of connections and clients in a report. */
const MAX_LISTED = 100;
const MAX_JOURNALED = 1e3;
/**
* Returns a report of the data that an object holds: connections and their subscriptions, memory by client, journal,
* feeds and capabilities. It changes nothing. The report contains no arguments, results, tokens or whole client ids. It
* contains the names of feeds, classes and callers, so return it only to callers who may see them.
*
* @param instance - the object
* @param options - `callerName`, which names callers in the report
* @returns the report
* @throws TypeError for an object without a contract
* @example
* inspect(): ObjectReport {
*   if (currentCaller<Caller>()?.role !== 'operator') throw new Error('Only operators may do this');
*   return inspect<Caller>(this, { callerName: (caller) => caller?.user });
* }
*/
function inspect(instance, { callerName } = {}) {
	const contract = contractOf(instance);
	if (!contract) throw new TypeError("inspect needs an object of a class that lumenizeRpcDO has returned: pass this in one of its methods");
	const connections = openConnectionsOf(instance);
	const { held, clients } = heldMemoryOf(instance);
	const journaled = journaledClientsOf(instance, contract, MAX_JOURNALED);
	return {
		...objectNameOf(instance),
		connections: {
			count: connections.length,
			list: connections.slice(0, MAX_LISTED).map((connection) => connectionReport(connection, callerName?.(connection.caller)))
		},
		memory: {
			held,
			limit: contract.limits.memoryPerObject,
			clients: clients.toSorted((one, other) => other.held - one.held).slice(0, MAX_LISTED).map(({ holder, held: bytes }) => heldReport(holder?.client, bytes))
		},
		journal: journaled === void 0 ? void 0 : { clients: journaled },
		features: Object.assign({}, ...contract.features.map((feature) => feature.inspect?.(instance)))
	};
}
function connectionReport({ client, running, subscriptions }, caller) {
	const report = {
		calls: running.size,
		subscriptions: countsOf(subscriptions.records)
	};
	if (client !== void 0) report.client = shownClient(client);
	if (caller !== void 0) report.caller = caller;
	return report;
}
function heldReport(client, held) {
	return client === void 0 ? { held } : {
		client: shownClient(client),
		held
	};
}
/** Returns the number of records of each kind. The kind is the second element of a record. */
function countsOf(records) {
	const counts = {};
	for (const [, kind] of records) counts[String(kind)] = (counts[String(kind)] ?? 0) + 1;
	return counts;
}
/**
* Prints a report of `inspect`, in a few lines.
*
* @param report - the result of `inspect`
* @param print - prints a line. Default `console.log`.
* @example
* printReport(inspect(this));
*/
function printReport(report, print = console.log) {
	const { class: name, object, connections, memory, journal, features } = report;
	const note = (text) => print(`${name}/${object} ${text}`);
	note(`holds ${memory.held} of ${memory.limit} bytes for ${connections.count} connections`);
	for (const { client = "?", caller, calls, subscriptions } of connections.list) note(`${caller === void 0 ? client : `${client} ${caller}`}: ${calls} calls run, subscriptions ${formatValue(subscriptions)}`);
	for (const { client = "all clients", held } of memory.clients) note(`${client}: ${held} bytes`);
	if (journal) note(`journal: ${journal.clients} clients`);
	for (const [key, held] of Object.entries(features)) note(`${key}: ${formatValue(held)}`);
}
// src/features/debug/feature.ts
/**
* Shows on the console what a client, or the clients of an object, do: connections, each frame, and each call with its
* outcome and its duration. This includes arguments and results, up to 200 characters of each.
*
* @example
* createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
* export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [debug] });
*/
const debug = /* @__PURE__ */ Object.assign(/* @__PURE__ */ debug$1.bind(void 0), { "~feature": {
	name: "debug",
	version: 1,
	onFrame: (direction, frame, connection, instance) => logOf(connection, instance)[direction](frame)
} });
export { debug, debugFor, debugOnDemand, inspect, observeSockets, printReport };
