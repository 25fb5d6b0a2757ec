import { decodeAnswer, decodeRich, isId, partsOf, readAnyFrame, wholeOf } from "./wire.js";
import { observeSockets } from "./debug-sockets.js";
// src/features/debug/shown.ts
/** Values as text for people, in debug output: one line, and never much of it. */
/** Characters of a value, or of a frame, that are printed. */
const LENGTH = 200;
/** Items of a list, and levels of lists in lists, that are looked at. */
const ITEMS = 20;
const DEPTH = 4;
/** A text's beginning, if it is long. */
function shorten(text) {
	return text.length > LENGTH ? `${text.slice(0, 199)}…` : text;
}
/** A value in the notation of the language, as far as that has one; at most 200 characters. */
function shown(value) {
	return shorten(write(value, DEPTH));
}
/** Several values, separated; at most 200 characters. */
function shownList(values) {
	return shorten(join(values, (value) => write(value, DEPTH)));
}
function write(value, depth) {
	if (typeof value === "string") return JSON.stringify(shorten(value));
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
// src/features/debug/frame-log.ts
/**
* What debug output prints, the same at both ends: each frame, each call with how it ended and how long that took, and
* what came of subscriptions and callbacks. Only what is switched on imports it, so that a bundle without debug output
* holds nothing of it.
*/
/** Prints what goes over one connection. */
var FrameLog = class {
	#name;
	#calls = /* @__PURE__ */ new Map();
	/** What is subscribed to, as text. */
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
			else if (id === "error") this.note(`refused: ${readable(() => shown(decodeRich(thrown)))}`);
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
	/** Forgets the calls that have no answer: those that are sent again will be seen again. */
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
	/** What comes of a subscription. */
	#news([kind, n, ...rest]) {
		const news = newsText(kind, rest);
		if (!isId(n) || !news) return;
		this.note(`#s${n} ${this.#subscriptions.get(n) ?? "a subscription"} ${news}`);
		if (kind === "complete") this.#subscriptions.delete(n);
	}
	#print(direction, frame) {
		if (frame === "[]") return;
		if (typeof frame === "string") {
			const { length } = new TextEncoder().encode(frame);
			return this.note(`${direction} ${length} bytes ${shorten(frame)}`);
		}
		const { text, start } = partsOf(frame) ?? {
			text: "",
			start: 0
		};
		const beside = `and ${frame.byteLength - start} beside the text`;
		this.note(`${direction} ${frame.byteLength} bytes ${shorten(text)} ${beside}`);
	}
};
/** None of a frame that cannot be read: whoever receives it says so. */
function messagesOf(frame) {
	return readAnyFrame(frame) ?? [];
}
function callText([, callee, form, list]) {
	return readable(() => {
		const args = list === void 0 ? form ?? [] : decodeRich(list, referenceName);
		return `${calleeText(callee)}(${shownList(args)})`;
	});
}
/** @param said - the number of the function, and its arguments as an answer has its result */
function callbackText(said) {
	return readable(() => {
		const args = decodeAnswer(said, referenceName);
		return `callback ${shown(said[0])}(${shownList(args.result ?? [])})`;
	});
}
/** Of a capability without its number and its address: who has them may use it. */
function calleeText(callee) {
	if (typeof callee === "string") return shorten(callee);
	const [method, target, ...path] = callee;
	return shorten(`${typeof target === "string" ? target : [`#${target}`, ...path].join(".")}.${method}`);
}
/**
* What stands for a reference: for another call's result its number and the way to the part that is
* taken, for a capability its class.
*/
function referenceName([kind, first, ...path]) {
	return Symbol(kind === "Call" ? [`#${first}`, ...path].join(".") : `${kind} ${first}`);
}
/** @returns `undefined` for what is no message about a subscription */
function newsText(kind, said) {
	const [first, ...rest] = said;
	if (kind === "subscribed") return `subscribed${typeof first === "string" ? ` after ${shorten(first)}` : ""}${rest.length > 1 ? ` ${answerText(rest)}` : ""}`;
	if (kind === "next") return `event ${shown(first)} ${answerText(said)}`;
	if (kind === "value") return answerText([kind, ...said]);
	if (kind === "complete") return said.length === 0 ? "ended" : answerText([kind, ...said]);
}
/** @param message - an answer, whatever it begins with */
function answerText(message) {
	return readable(() => {
		const answer = decodeAnswer(message, referenceName);
		return "thrown" in answer ? `threw ${shown(answer.thrown)}` : `= ${shown(answer.result)}`;
	});
}
/** What arrives may be anything, and printing it must not disturb what happens to it. */
function readable(write) {
	try {
		return write();
	} catch (error) {
		return `unreadable: ${shown(error)}`;
	}
}
// src/features/debug/client.ts
/**
* Shows on the console what a client does: its connection, each frame, each call with how it ended
* and how long that took. Arguments and results are among it, up to 200 characters of each.
*
* @returns a transport that does the same, and shows it
* @example
* createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
*/
function debug$2(transport, binding, instance) {
	const log = new FrameLog(`${binding}/${instance} client`);
	return {
		address: transport.address,
		since: transport.since,
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
					const frame = wholeOf(arrived);
					log.down(frame);
					return events.received(frame);
				},
				lost(error, isRefusal) {
					log.clear();
					log.note(`${isRefusal ? "is refused" : "lost the connection"}: ${error.message}`);
					events.lost(error, isRefusal);
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
// src/features/debug/server.ts
/**
* Shows on the console what clients ask of an object: each frame, each call with how it ended and
* how long that took. Arguments and results are among it, up to 200 characters of each.
*
* @example
* export const Counter = lumenizeRpcDO(CounterImpl, contract, { debug });
*/
function debug$1({ client }, instance) {
	const { id } = instance.ctx ?? {};
	const who = client?.slice(0, 4) ?? "?";
	return new FrameLog(`${instance.constructor.name}/${id?.name ?? id ?? ""} ${who}`);
}
// src/debug.ts
function debug(end, about, instance) {
	return instance === void 0 ? debug$1(end, about) : debug$2(end, about, instance);
}
export { debug, observeSockets };
