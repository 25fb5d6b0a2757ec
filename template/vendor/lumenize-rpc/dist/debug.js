import { objectNameOf } from "./server-core.js";
import { decodeAnswer, decodeRich, isId, readAnyFrame, splitFrame, wholeFrame } from "./wire.js";
import { observeSockets } from "./debug-sockets.js";
// src/features/debug/wire/format-value.ts
/** Formats values for debug output: in one line of limited length. */
/** How many characters of a value or a frame are printed. */
const LENGTH = 200;
/** How many items of a list, and how many levels of nesting, are printed. */
const ITEMS = 20;
const DEPTH = 4;
/** Shortens a long text. */
function truncate(text) {
	return text.length > LENGTH ? `${text.slice(0, 199)}…` : text;
}
/** Formats a value as JavaScript where that has a notation, in at most 200 characters. */
function formatValue(value) {
	return truncate(write(value, DEPTH));
}
/** Formats several values with commas between them, in at most 200 characters. */
function formatValues(values) {
	return truncate(join(values, (value) => write(value, DEPTH)));
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
	if ("byteLength" in value) return `${kind}(${value.byteLength} bytes)`;
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
* Prints what goes over a connection, the same at both ends: each frame, each call with its outcome and its duration,
* and the messages of subscriptions and callbacks. Only debug output imports this file, so other bundles contain
* nothing of it.
*/
/** Prints what goes over one connection. */
var FrameLog = class {
	#name;
	#calls = /* @__PURE__ */ new Map();
	/** The subscribed calls as text, by the number of the subscription. */
	#subscriptions = /* @__PURE__ */ new Map();
	/** @param name - before every line */
	constructor(name) {
		this.#name = name;
	}
	/** A frame from the client to the object. */
	up(frame) {
		this.#print("up", frame);
		const start = performance.now();
		for (const message of messagesOf(frame)) {
			const [id, ...rest] = message;
			if (isId(id)) this.#calls.set(id, {
				text: callText(message),
				start
			});
			else if (id === "cancel") for (const cancelled of rest) this.#calls.delete(cancelled);
			else if (id === "subscribe") {
				const [n, , ...call] = rest;
				this.#subscriptions.set(n, callText([n, ...call]));
			} else if (id === "unsubscribe") this.#subscriptions.delete(rest[0]);
			else if (id === "return" && isId(rest[0])) this.#end(rest[0], answerText(rest), "#k");
		}
	}
	/** A frame from the object to the client. */
	down(frame) {
		for (const message of messagesOf(frame)) {
			const [id, thrown] = message;
			if (isId(id)) this.#end(id, answerText(message));
			else if (id === "error") this.note(`refused: ${readable(() => formatValue(decodeRich(thrown)))}`);
			else if (id === "call" && isId(message[1])) {
				const text = callbackText(message.slice(2));
				this.#calls.set(`#k${message[1]}`, {
					text,
					start: performance.now()
				});
			} else this.#news(message);
		}
		this.#print("down", frame);
	}
	note(text) {
		console.log(`${this.#name} ${text}`);
	}
	/** Forgets the calls without an answer. Those that are sent again are logged again. */
	clear() {
		this.#calls.clear();
	}
	/** @param kind - `#` for a call of the client, `#k` for one of a callback */
	#end(id, outcome, kind = "#") {
		const key = kind === "#" ? id : kind + id;
		const call = this.#calls.get(key);
		this.#calls.delete(key);
		const time = call ? ` in ${(performance.now() - call.start).toFixed(1)} ms` : "";
		this.note(`${kind}${id} ${call?.text ?? "a call"} ${outcome}${time}`);
	}
	/** Prints a message about a subscription. */
	#news([kind, n, ...rest]) {
		const news = readable(() => newsText(kind, rest));
		if (!isId(n) || !news) return;
		this.note(`#s${n} ${this.#subscriptions.get(n) ?? "a subscription"} ${news}`);
		if (kind === "complete") this.#subscriptions.delete(n);
	}
	#print(direction, frame) {
		if (frame === "[]") return;
		if (typeof frame === "string") {
			const { length } = new TextEncoder().encode(frame);
			return this.note(`${direction} ${length} bytes ${truncate(frame)}`);
		}
		const { text, start } = splitFrame(frame) ?? {
			text: "",
			start: 0
		};
		const beside = `and ${frame.byteLength - start} beside the text`;
		this.note(`${direction} ${frame.byteLength} bytes ${truncate(text)} ${beside}`);
	}
};
/** The messages of a frame; empty for a frame that cannot be read, which its receiver reports. */
function messagesOf(frame) {
	return readAnyFrame(frame) ?? [];
}
function callText([, callee, form, list]) {
	return readable(() => {
		const args = list === void 0 ? form ?? [] : decodeRich(list, referenceName);
		return `${calleeText(callee)}(${formatValues(args)})`;
	});
}
/** @param parts - the number of the function, and its arguments as an answer has its result */
function callbackText(parts) {
	return readable(() => {
		const args = decodeAnswer(parts, referenceName);
		return `callback ${formatValue(parts[0])}(${formatValues(args.result ?? [])})`;
	});
}
/** Names a callee; a capability by its class only, because its number and its address are a secret. */
function calleeText(callee) {
	if (typeof callee === "string") return truncate(callee);
	const [method, target, ...path] = callee;
	return truncate(`${typeof target === "string" ? target : [`#${target}`, ...path].join(".")}.${method}`);
}
/**
* What stands for a reference: for another call's result its number and the way to the part that is
* taken, for a capability its class.
*/
function referenceName([kind, first, ...path]) {
	return Symbol(kind === "Call" ? [`#${first}`, ...path].join(".") : `${kind} ${first}`);
}
/** @returns an empty text for what is no message about a subscription */
function newsText(kind, parts) {
	const [first, ...rest] = parts;
	if (kind === "subscribed") return `subscribed${typeof first === "string" ? ` after ${truncate(first)}` : ""}${rest.length > 1 ? ` ${answerText(rest)}` : ""}`;
	if (kind === "next") return `event ${formatValue(first)} ${answerText(parts)}`;
	if (kind === "value") return answerText([kind, ...parts]);
	if (kind === "patch") return patchText(parts);
	if (kind === "complete") return parts.length === 0 ? "ended" : answerText([kind, ...parts]);
	return "";
}
/** Says how many rows a patch has. The rows can contain the numbers of capabilities, which are secrets. */
function patchText([number, parts]) {
	const rows = [parts].flat(1).filter((part) => typeof part !== "number").length;
	return number === 0 ? `all rows: ${rows}` : `patch ${formatValue(number)}, new rows: ${rows}`;
}
/** @param message - an answer, whatever it begins with */
function answerText(message) {
	return readable(() => {
		const answer = decodeAnswer(message, referenceName);
		return "thrown" in answer ? `threw ${formatValue(answer.thrown)}` : `= ${formatValue(answer.result)}`;
	});
}
/** A received message can contain anything. An error while it is printed must not affect how it is handled. */
function readable(write) {
	try {
		return write();
	} catch (error) {
		return `unreadable: ${formatValue(error)}`;
	}
}
// src/features/debug/client/debug.ts
/**
* Shows on the console what a client does: its connection, each frame, each call with how it ended
* and how long that took. This includes arguments and results, up to 200 characters of each.
*
* @returns a transport that does the same, and shows it
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
// src/features/debug/feature.ts
/** Debug output of both ends under one name: a function for clients, which is also the feature of an object. */
/**
* Shows on the console what a client, or the clients of an object, do: connections, each frame, each call with how
* it ended and how long that took. This includes arguments and results, up to 200 characters of each.
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
const logs = /* @__PURE__ */ new WeakMap();
/** The log of a connection, which is made at its first frame. */
function logOf(connection, instance) {
	let log = logs.get(connection);
	if (!log) {
		const name = objectNameOf(instance);
		const who = connection.client?.slice(0, 4) ?? "?";
		log = new FrameLog(`${name.class}/${name.object} ${who}`);
		logs.set(connection, log);
	}
	return log;
}
export { debug, observeSockets };
