// src/wire/errors.ts
/**
* Matches the codes of an object that lacks a method or a feature. During a deployment, the next version of the object
* may have it.
*/
const MISSING = /^(METHOD_NOT_FOUND|UNSUPPORTED)$/;
const CLASS = Symbol.for("lumenize-rpc.error");
/** All copies of the package in a program share one class, so that `instanceof` works for the errors of each copy. */
const RpcError = globalThis[CLASS] ??= class Reported extends Error {
	constructor(code, message, { cause, ...details } = {}) {
		super(message, cause === void 0 ? void 0 : { cause });
		Object.assign(this, { code }, details);
	}
	get name() {
		return "RpcError";
	}
};
// src/wire/values/plain.ts
/**
* Plain data: values that JSON represents exactly. Most calls contain nothing else, so they are sent as plain JSON. The
* check is up to 50 % faster than writing the JSON, and never slower, measured for values from one number to 10 000
* rows. In code that V8 has not optimized, it takes about twice as long as writing the JSON, measured for 10 KiB.
*/
/** The general codec sends a value that exceeds these limits. It detects cycles, and reports paths. */
const MAX_DEPTH = 100;
const MAX_OBJECTS = 1e5;
/**
* Returns whether JSON represents a value and everything in it exactly. The value contains no `undefined`, `NaN`, `-0`,
* class instance, hole or `__proto__` key. No object occurs twice, since it would arrive as two objects. Symbol keys
* are ignored, as in structured clone.
*/
function isPlain(value) {
	const objects = [];
	if (!collectPlain(value, objects, 0)) return false;
	return objects.length < 2 || new Set(objects).size === objects.length;
}
/** Returns whether a value is an object, and not a function. */
function isObject(value) {
	return typeof value === "object" && value !== null;
}
function collectPlain(value, objects, depth) {
	if (typeof value !== "object" || value === null) return isExactPrimitive(value);
	if (depth > MAX_DEPTH || objects.push(value) > MAX_OBJECTS) return false;
	if (Array.isArray(value)) {
		for (let index = 0; index < value.length; index++) if (!collectPlain(value[index], objects, depth + 1)) return false;
		return Object.getPrototypeOf(value) === Array.prototype;
	}
	if (!isObjectPrototype(Object.getPrototypeOf(value))) return false;
	for (const key in value) {
		const part = value[key];
		if (key === "__proto__" || !collectPlain(part, objects, depth + 1)) return false;
	}
	return true;
}
/**
* Returns whether a prototype is the prototype of plain objects. The prototype may be of another
* realm, such as an iframe. Jest runs tests in a realm of their own, and `response.json()` creates objects outside of it. No class can imitate such a prototype, which
* is at the end of its chain and has the members of every object.
*/
function isObjectPrototype(prototype) {
	return prototype === Object.prototype || !!prototype && !Object.getPrototypeOf(prototype) && Object.hasOwn(prototype, "isPrototypeOf");
}
/** Returns the name of a value's built-in class, which is the same in each realm: `Date` for each `Date`. */
function builtInName(value) {
	return Object.prototype.toString.call(value).slice(8, -1);
}
/** Returns whether a value is a primitive that JSON represents exactly. */
function isExactPrimitive(value) {
	if (typeof value === "number") return value === 0 ? !Object.is(value, -0) : Number.isFinite(value);
	return typeof value === "string" || typeof value === "boolean" || value === null;
}
// src/wire/values/base64.ts
/** The global object. Its `Buffer` is looked up at each use, since a program can add one later. */
const global = globalThis;
function toBase64(buffer) {
	const bytes = new Uint8Array(buffer);
	return bytes.toBase64?.() ?? global.Buffer?.from(buffer).toString("base64") ?? btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
/** @throws when the text is not Base64, except with Node's Buffer, which ignores other characters */
function fromBase64(text) {
	return (Uint8Array.fromBase64?.(text) ?? new Uint8Array(global.Buffer?.from(text, "base64") ?? Array.from(atob(text), (one) => one.charCodeAt(0)))).buffer;
}
// src/wire/limits.ts
/** The limits that both client and object respect. */
/** The size of one frame: the characters of its text plus the bytes after the text. */
const FRAME_SIZE = 4194304;
/** The number of calls in one frame. */
const CALLS_PER_FRAME = 5e3;
/** The number of calls of one connection that have no answer yet. */
const CALLS_IN_FLIGHT = 1e4;
/** The longest delay of setTimeout in milliseconds, 24 days. A timer with a longer delay fires at once. */
const MAX_DELAY = 2 ** 31 - 1;
/** @throws RpcError `LIMIT_EXCEEDED` that names the limit */
function limitExceeded(limit, allowed) {
	throw new RpcError("LIMIT_EXCEEDED", `${limit} is at most ${allowed}`);
}
// src/wire/values/part-checks.ts
/** Checks of the parts of a value while it is decoded. */
/** Throws a TypeError. `decodeRich` replaces it with an `RpcError` whose cause it is. */
function malformed() {
	throw new TypeError();
}
function requireText(part) {
	return typeof part === "string" ? part : malformed();
}
function requireNumber(part) {
	return typeof part === "number" ? part : malformed();
}
/** @param act - called with each part at an even index, and the part after it */
function forEachPair(parts, act) {
	if (parts.length % 2) malformed();
	for (let index = 0; index < parts.length; index += 2) act(parts[index], parts[index + 1]);
}
/**
* Requires that an object contains its properties itself. A string, or a reference to an earlier object,
* would let a short message create very many properties.
*
* @param part - the part as parsed from JSON, before it is decoded
*/
function requireObject(part) {
	if (typeof part !== "object" || Array.isArray(part)) malformed();
}
// src/wire/values/paths.ts
/** Paths to a part of a value. Writes a path as text, and looks up the part at a path. */
/** Returns one step of a path as text: `.name`, or `[3]` or `["odd name"]` if the key is not an identifier. */
function propertyPath(key) {
	if (/^[a-z_$][\w$]*$/i.test(key)) return `.${key}`;
	return `[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`;
}
/**
* Looks up a part of a value. It follows only own data properties: it runs no getter and reads no inherited property.
*
* @returns the part at the path, or `undefined` for a missing property
* @throws TypeError when the path leads through `null` or `undefined`
*/
function readPath(value, path) {
	let current = value;
	for (const key of path) {
		if (current === null || current === void 0) throw new TypeError(`Cannot read '${key}' of ${current}`);
		current = Object.getOwnPropertyDescriptor(current, key)?.value;
	}
	return current;
}
// src/wire/values/error-codec.ts
/** Encodes and decodes errors. A received name can only select a class from a closed list. */
/** The names of the classes that are created by their name. */
const CLASSES = /^(Eval|Range|Reference|Syntax|Type|URI|)Error$/;
/**
* Returns the parts of an error. An `RpcError` is sent without its stack: the place in the runtime where it
* was created does not help the caller.
*/
function errorParts(error) {
	const { name, message, ...properties } = error;
	delete properties["stack"];
	delete properties["__proto__"];
	let type = CLASSES.test(name) ? name : "Error";
	let stack;
	if (error instanceof RpcError) type = "RpcError";
	else if (typeof error.stack === "string") stack = error.stack;
	if (builtInName(error) === "DOMException") {
		type = "DOMException";
		delete properties["code"];
	}
	if (Object.hasOwn(error, "errors") && !("errors" in properties)) {
		type = "AggregateError";
		properties["errors"] = error.errors;
	}
	if (Object.hasOwn(error, "cause")) properties["cause"] = error.cause;
	return [
		type,
		String(name),
		String(message),
		stack,
		properties
	];
}
/** Creates the error without its properties. `fillError` adds them, since a cause can be the error itself. */
function createError([type, name, message, , properties]) {
	requireObject(properties);
	requireText(name);
	requireText(message);
	if (type === "DOMException") return new DOMException(message, name);
	if (type === "AggregateError") return new AggregateError([], message);
	if (type === "RpcError") return new RpcError("", message);
	const classes = globalThis;
	return CLASSES.test(requireText(type)) ? new classes[type](message) : malformed();
}
function fillError(error, parts) {
	const [, name, message, stack = `${name}: ${message}`, properties] = parts;
	if ("cause" in properties) define(error, "cause");
	Object.assign(error, properties);
	if (error.name !== name) define(error, "name", name);
	define(error, "message", message);
	define(error, "stack", requireText(stack));
}
/** Defines a property that is not enumerable, like the properties that the language defines on errors. */
function define(error, key, value) {
	Object.defineProperty(error, key, {
		value,
		configurable: true,
		writable: true
	});
}
// src/wire/values/tags.ts
/**
* The types of objects that can be sent, besides plain objects and arrays. Each type has an entry that encodes and
* decodes its values. The list is closed: a received name can select nothing else. To add a type, add an entry.
*/
/** The maximum length of a JavaScript array. */
const MAX_LENGTH = 2 ** 32 - 1;
/** The tags by the type's name in `Object.prototype.toString`, or by a name that `tagOf` chooses itself. */
const TAGS = new Map(Object.entries({
	BigInt: textTag(BigInt),
	/** The numbers that JSON lacks. */
	Number: textTag(Number),
	Boxed: {
		take: (value) => [value.valueOf()],
		make([primitive]) {
			return typeof primitive === "object" ? malformed() : Object(primitive);
		}
	},
	Date: {
		take: (date) => [date.getTime()],
		make: (parts) => new Date(requireNumber(parts[0]))
	},
	RegExp: {
		take: ({ source, flags }) => [source, flags],
		make: ([source, flags]) => new RegExp(requireText(source), requireText(flags))
	},
	URL: textTag((href) => new URL(href)),
	URLSearchParams: textTag((query) => new URLSearchParams(query)),
	Headers: {
		take: flattened,
		make: () => new Headers(),
		fill(headers, parts) {
			forEachPair(parts, (name, value) => headers.append(requireText(name), requireText(value)));
		}
	},
	Map: {
		take: flattened,
		make: () => /* @__PURE__ */ new Map(),
		fill(map, parts) {
			forEachPair(parts, (key, value) => map.set(key, value));
		},
		step: (index, parts) => [parts[index - index % 2]]
	},
	Set: {
		take: (set) => [...set],
		make: () => /* @__PURE__ */ new Set(),
		fill(set, parts) {
			parts.forEach((member) => set.add(member));
		}
	},
	/** An array with holes. */
	Sparse: {
		take: (array) => [{ ...array }, array.length],
		make([items, length]) {
			requireObject(items);
			const array = Array(MAX_LENGTH);
			array.length = requireNumber(length);
			return array;
		},
		fill(array, [items]) {
			for (const key in items) if (/^\d+$/.test(key)) array[key] = items[key];
		}
	},
	/** An object without a prototype. */
	Null: {
		take: (object) => [{ ...object }],
		make([properties]) {
			requireObject(properties);
			return Object.create(null);
		},
		fill: assignProperties
	},
	Error: {
		take: errorParts,
		make: createError,
		fill: fillError
	}
}));
const ARRAYS = "Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float16 Float32 Float64 BigInt64 BigUint64";
addView("DataView");
for (const kind of ARRAYS.split(" ")) addView(`${kind}Array`);
/** Returns the tag of a type whose values can be created from their text alone. */
function textTag(make) {
	return {
		take: (value) => [value === 0 ? "-0" : String(value)],
		make: (parts) => make(requireText(parts[0]))
	};
}
function assignProperties(value, [properties]) {
	Object.assign(value, properties);
}
/**
* Returns the keys and values in one list. It does not iterate, because iterating creates several objects for each
* pair, in code that is not optimized.
*/
function flattened(pairs) {
	const parts = [];
	pairs.forEach((value, key) => parts.push(key, value));
	return parts;
}
/**
* Returns the tag of a value, or `Object` or `Array`; `undefined` for a value that cannot be sent.
*
* @param value - an object, a function, a symbol or a bigint
*/
function tagOf(value) {
	if (typeof value === "bigint") return "BigInt";
	if (Array.isArray(value)) return hasHoles(value) ? "Sparse" : "Array";
	const prototype = Object.getPrototypeOf(value);
	if (prototype === null || isObjectPrototype(prototype)) {
		if (Object.hasOwn(value, "__proto__") || isThenable(value)) return void 0;
		return prototype ? "Object" : "Null";
	}
	if (prototype === Date.prototype) return "Date";
	const name = builtInName(value);
	if (name === "DOMException") return "Error";
	if (typeof value === "object" && /^(Number|String|Boolean|BigInt)$/.test(name)) return "Boxed";
	return name === "ArrayBuffer" || TAGS.has(name) ? name : void 0;
}
/**
* Returns whether an array in the text can represent another value than itself. All tags begin with a capital letter,
* so they sort before `[`, the character after Z.
*/
function isMarked(array) {
	const first = array[0];
	return array.length < 2 || typeof first === "string" && first < "[";
}
/** Returns whether a value is a thenable: `await` replaces it with another value. */
function isThenable(value) {
	return typeof value?.then === "function";
}
function hasHoles(array) {
	for (let index = 0; index < array.length; index++) if (!(index in array)) return true;
	return false;
}
/** @param name - the name of a class in the table above, never a name from the wire */
function addView(name) {
	TAGS.set(name, {
		take(view) {
			const { buffer, byteOffset, byteLength } = view;
			return [
				byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength),
				0,
				"length" in view ? view.length : byteLength
			];
		},
		make([buffer, offset, length]) {
			if (!(buffer instanceof ArrayBuffer)) return malformed();
			return new globalThis[name](buffer, requireNumber(offset), requireNumber(length));
		}
	});
}
/** The maximum depth of objects within objects, so that neither end overflows its stack. */
const MAX_NESTING = 1e3;
// src/wire/values/rich-encoder.ts
/**
* The first half of the general codec: encodes any value as JSON text. The text is a list, and its first item is the
* value. Arrays in the value represent values that JSON lacks:
*
* - `[]`: undefined
* - `{…}`: a plain object
* - `[[…]]`: an array that could be mistaken for one of these forms: it has fewer than two items, or begins
*   with a string that sorts before `[`, as the tags do. Any other array represents itself.
* - `["Map",…]`: any other object, a bigint, or a number that JSON lacks: its tag, then its parts
* - `[1]`: the value of the list item at that index, which is a reference or bytes
* - `[-1]`: the first object, array, tag or item of the text again, `[-2]` the second, in the order of their
*   opening brackets. This keeps shared objects and cycles.
*
*     map = new Map(); map.set('self', map)      [["Map","self",[-1]]]
*
* The encoder copies an array or object only if a part of it has to be replaced. `JSON.stringify` then writes the
* text.
*/
/** The name of a reference to a call. */
const CALL = "Call";
/** The name of a reference to a capability. */
const CAPABILITY = "Capability";
/** The name of a reference to a function of the client. */
const FUNCTION = "Function";
/** The name of a reference to a stream of the client. */
const STREAM = "Stream";
/**
* @param referenceOf - called for each buffer, and for each value without a tag
* @param isLenient - whether to write `undefined` for a value without a tag, instead of throwing. `false` for the
*   arguments of a call: the error says how to mark a function or a stream.
* @param feedback - its `isRich` is set if JSON alone does not represent the value, except in rare cases
* @returns JSON text
* @throws RpcError `UNSERIALIZABLE` with the path to the first value without a tag, or `LIMIT_EXCEEDED`
*   when the value is nested deeper than `MAX_NESTING`
*/
function encodeRich(value, referenceOf, isLenient, feedback = {}) {
	try {
		const others = [];
		return JSON.stringify(writeItems([value], 0, {
			others,
			met: [],
			path: [],
			referenceOf,
			isLenient,
			feedback
		}).concat(others));
	} catch (cause) {
		if (cause instanceof RpcError) throw cause;
		throw new RpcError("UNSERIALIZABLE", `Cannot send a value: ${cause}`, { cause });
	}
}
/** Up to this many objects, a search through a list is faster than a Map. */
const FEW = 100;
/**
* @param value - a value that is not a primitive which JSON represents exactly
* @param depth - the number of objects that contain it, plus one
* @returns the data that `JSON.stringify` writes for the value; the value itself, if JSON represents it exactly
*/
function write(value, depth, walk) {
	if (value === void 0) return rich([], walk);
	if (depth > 1e3) limitExceeded("nesting", MAX_NESTING);
	const { met } = walk;
	const index = typeof value === "bigint" ? -1 : met.length > FEW ? indexOf(value, walk) : met.indexOf(value);
	if (index >= 0) return rich([-1 - index], walk);
	const name = tagOf(value);
	const isBare = name === "Object" || name === "Array";
	const tag = isBare ? void 0 : TAGS.get(name);
	const item = !tag && !isBare && (walk.referenceOf?.(value) ?? (name && [name, toBase64(value)]));
	if (!tag && !isBare && !item) return refuse(value, depth, walk);
	walk.indices?.set(value, met.length);
	met.push(value);
	if (item) return rich([walk.others.push(item)], walk);
	if (name === "Object") return writeProperties(value, depth, walk);
	if (tag) {
		const parts = writeItems(tag.take(value), depth, walk, tag.step);
		parts.unshift(name);
		return rich(parts, walk);
	}
	const items = writeItems(value, depth, walk, Number);
	return isMarked(items) ? [items] : items;
}
/** Records that JSON alone does not represent the value. */
function rich(written, { feedback: found }) {
	found.isRich = true;
	return written;
}
function indexOf(object, walk) {
	walk.indices ??= new Map(walk.met.map((one, index) => [one, index]));
	return walk.indices.get(object) ?? -1;
}
/** @param step - returns the path step to the item at an index; absent if the items have no path */
function writeItems(items, depth, walk, step) {
	let made = items;
	for (let index = 0; index < items.length; index++) {
		const item = items[index];
		if (isExactPrimitive(item)) continue;
		walk.path[depth] = step?.(index, items);
		const part = write(item, depth + 1, walk);
		if (part === item) continue;
		if (made === items) made = items.slice();
		made[index] = part;
	}
	return made;
}
function writeProperties(object, depth, walk) {
	let made = object;
	for (const key in object) {
		const value = object[key];
		if (isExactPrimitive(value)) continue;
		walk.path[depth] = key;
		const part = write(value, depth + 1, walk);
		if (part === value) continue;
		if (made === object) made = { ...object };
		made[key] = part;
	}
	return made;
}
function refuse(value, depth, { path, isLenient, feedback: { name } }) {
	if (isLenient) return [];
	const place = path.slice(0, depth).map(stepText).join("");
	let message = `${name ? `${name}: ` : ""}Cannot send ${describeKind(value)} at ${place || "top"}`;
	if (value.body?.tee) message += ": send its body";
	else if (isThenable(value)) message += ": await it first";
	else if (isLenient === false) message += markFor(value);
	throw new RpcError("UNSERIALIZABLE", message, { path: place });
}
/**
* Returns the value to pass in place of a function or a stream that is not marked. A capability looks like a function.
*/
function markFor(value) {
	if (typeof value === "function") return value.length >= 0 ? ": pass callback(fn)" : "";
	const found = value;
	return found[Symbol.asyncIterator] ?? found.next ? ": pass stream(iterable)" : ": send plain data";
}
function stepText(step) {
	if (step === void 0) return "";
	if (typeof step !== "object") return propertyPath(String(step));
	const [key] = step;
	return `.get(${typeof key === "string" ? JSON.stringify(key) : "..."})`;
}
/** Names the kind of a value for an error message, without revealing its contents. */
function describeKind(value) {
	if (isThenable(value)) return "a promise";
	if (typeof value !== "object") return `a ${typeof value}`;
	const { constructor = Object } = Object.getPrototypeOf(value) ?? {};
	const name = constructor.name || builtInName(value);
	return constructor.name === "Object" ? "a custom object" : `an instance of ${name}`;
}
// src/wire/values/rich-decoder.ts
/**
* The second half of the general codec: turns the output of `JSON.parse` back into the value. It rejects text that the
* encoder would not write, unless the text is harmless, such as extra parts of a value.
*/
/**
* @param list - the output of `JSON.parse`. It is changed in place, so it can be decoded only once.
* @param resolve - returns the value of a reference
* @param unchecked - for a value that a client sent: collects the work that is left after its schema has accepted it
* @throws RpcError `BAD_MESSAGE` for a malformed value, `LIMIT_EXCEEDED` when the value is nested deeper
*   than `MAX_NESTING`, or what `resolve` throws
*/
function decodeRich(list, resolve = unreadableReference, unchecked = { tags: TAGS }) {
	const walk = Object.assign(unchecked, {
		list,
		met: [],
		isUnresolved: false,
		resolve
	});
	try {
		return Array.isArray(list) ? read(list[0], 1, walk) : malformed();
	} catch (error) {
		if (error instanceof RpcError || walk.isUnresolved) throw error;
		throw new RpcError("BAD_MESSAGE", "Malformed value");
	}
}
/** @param depth - the number of objects that contain the value, plus one */
function read(value, depth, walk) {
	if (typeof value !== "object" || value === null) return value;
	if (depth > 1e3) limitExceeded("nesting", MAX_NESTING);
	const { met, tags } = walk;
	if (!Array.isArray(value)) {
		met.push(value);
		return readProperties(value, depth, walk);
	}
	if (value.length === 0) return void 0;
	const name = isMarked(value) ? value.shift() : value;
	if (typeof name === "number") return earlier(name, walk);
	if (Array.isArray(name)) {
		met.push(name);
		return readParts(name, depth, walk);
	}
	const tag = tags.get(name) ?? malformed();
	const begun = tag.fill ? tag.make(value, walk) : value;
	const index = met.push(begun) - 1;
	readParts(value, depth, walk);
	if (!tag.fill) return met[index] = tag.make(value, walk);
	tag.fill(begun, value, walk);
	return begun;
}
/** Decodes the parts in place. */
function readParts(parts, depth, walk) {
	for (let index = 0; index < parts.length; index++) {
		const part = parts[index];
		if (typeof part !== "object") continue;
		const value = read(part, depth + 1, walk);
		if (value !== part) parts[index] = value;
	}
	return parts;
}
function readProperties(object, depth, walk) {
	for (const key in object) {
		if (key === "__proto__") malformed();
		const part = object[key];
		if (typeof part !== "object") continue;
		const value = read(part, depth + 1, walk);
		if (value !== part) object[key] = value;
	}
	return object;
}
/** Returns an object that came earlier in the text, or the value of a list item. */
function earlier(index, walk) {
	const { list, met } = walk;
	walk.isShared = true;
	if (index < 0) return -1 - index in met ? met[-1 - index] : malformed();
	const value = itemOf(list[index], walk);
	list[index] = void 0;
	met.push(value);
	return value;
}
/** @param item - the item. The characters of a string are read like list items, which is harmless */
function itemOf(item, walk) {
	const [name, first] = item;
	if (first instanceof ArrayBuffer) return first;
	if (name === "ArrayBuffer") return fromBase64(requireText(first));
	requireText(name);
	walk.isUnresolved = true;
	const value = walk.resolve(item);
	walk.isUnresolved = false;
	return value;
}
/** Rejects a reference that no option of the client can resolve. */
function unreadableReference([name]) {
	throw new RpcError("BAD_MESSAGE", `Cannot read a ${name}: pass { capabilities }`);
}
/** Returns the ids of the calls that a list refers to, without duplicates. */
function referencedCalls(list) {
	if (!Array.isArray(list)) return [];
	let ids;
	for (let index = 0; index < list.length; index++) {
		const item = list[index];
		if (isReference(item)) (ids ??= /* @__PURE__ */ new Set()).add(item[1]);
	}
	return ids ? [...ids] : [];
}
/** Returns whether an item is a reference to a call. All other items are checked when the list is decoded. */
function isReference(item) {
	return Array.isArray(item) && item[0] === "Call" && Number.isSafeInteger(item[1]);
}
// src/wire/values/thrown.ts
/** Encodes a thrown value as text, whatever the value is. */
/**
* Returns the end of a message that reports a thrown value. An error must always arrive: parts that cannot be sent are
* left out, and a value that cannot be read is replaced.
*
* @param details - `false` leaves out details that not every client may see: see `publicError`
*/
function encodeThrown(thrown, details) {
	const encode = (value) => `,"error",${encodeRich(value, void 0, true)}`;
	try {
		const sendable = isSendable(thrown, details) ? thrown : bareError(thrown);
		return encode(details ? sendable : publicError(sendable));
	} catch {}
	try {
		return encode(publicError(bareError(thrown)));
	} catch {
		return encode(publicError(/* @__PURE__ */ new Error("The method threw a value that cannot be read")));
	}
}
/**
* Reduces an error to its name, its message and a code such as the codes of Node. An `RpcError` keeps its properties.
*/
function publicError(thrown) {
	if (!(thrown instanceof Error)) return thrown;
	if (thrown instanceof RpcError) return Object.assign(new RpcError(thrown.code, thrown.message), thrown);
	const { name, message, code } = thrown;
	const error = Object.assign(new Error(message), {
		name,
		stack: void 0
	});
	return ["string", "number"].includes(typeof code) ? Object.assign(error, { code }) : error;
}
function isSendable(thrown, details) {
	if (thrown === null || ![
		"object",
		"function",
		"symbol"
	].includes(typeof thrown)) return true;
	return (details || thrown instanceof Error) && tagOf(thrown) !== void 0;
}
/** Returns the error to send for a thrown value that cannot be sent. */
function bareError(thrown) {
	const { name, message, stack } = thrown instanceof Error ? thrown : {
		name: "Error",
		message: `The method threw ${describeKind(thrown)}, which cannot be sent`
	};
	return Object.assign(new Error(message), {
		name,
		stack
	});
}
// src/wire/messages.ts
/**
* The protocol: the messages between a client and an object, and their text. A frame is a JSON array of messages. A
* message is a short JSON array. If it begins with a number, it belongs to the call with that number. If it begins
* with a string, it is about the frame or the connection, and the string is its kind.
*
*     up     [[1,"increment"],[2,"increment",[5]]]
*     down   [[1,1],[2,6]]
*
* Large buffers can follow the text of a frame: see `bytes.ts`.
*/
/** The Content-Type of a binary frame. */
const BINARY_TYPE = "application/octet-stream";
/** A mark in a message: the next element is a value of the general codec. Plain data has no mark. */
const RICH = "rich";
/** The WebSocket subprotocol. Its number changes when an old peer would misread new messages. */
const SUBPROTOCOL = "lumenize-rpc.1";
/**
* The name under which a client sends its id: the start of a second WebSocket subprotocol, or a header of
* a POST. The id is unguessable. It identifies the client across lost connections.
*/
const CLIENT_ID = "lumenize-rpc-client";
/**
* A header of a POST that asks whether the server would reject a WebSocket. A WebSocket that fails to open
* does not report the reason. The value is the subprotocols that it offered.
*/
const PROBE = "lumenize-rpc-probe";
/** The last segment of the path of every RPC request. */
const CALL_SEGMENT = "call";
/**
* @param referenceOf - returns the reference to send for an argument, or for a part of an argument
* @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
*/
function encodeCall(id, callee, args, referenceOf, feedback) {
	return `[${id},${JSON.stringify(callee)}${encodeArgs(args, referenceOf, feedback)}]`;
}
/** Returns the end of a call: a comma and the arguments, or nothing. */
function encodeArgs(args, referenceOf, feedback) {
	return args.length > 0 ? `,${encodeValue(args, referenceOf, false, feedback)}` : "";
}
/**
* Returns a value as the last one or two elements of a message: plain JSON, or `"rich"` and the text of the general
* codec. If the last value of the same method needed the general codec, that codec is tried first, without the check
* whether plain JSON suffices. The check follows only if the value turns out to be plain, or if the codec fails.
*/
function encodeValue(value, referenceOf, isLenient, feedback = {}) {
	const { isRich } = feedback;
	feedback.isRich = false;
	let text;
	try {
		if (isRich) text = encodeRich(value, referenceOf, isLenient, feedback);
	} catch (error) {
		if (!isPlain(value)) throw error;
	}
	feedback.isRich ||= !isPlain(value);
	if (!feedback.isRich) return JSON.stringify(value);
	return `"${RICH}",${text ?? encodeRich(value, referenceOf, isLenient, feedback)}`;
}
/**
* @param referenceOf - returns the reference to send for a part of the result
* @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
*/
function encodeResult(id, result, referenceOf, feedback) {
	return `[${id}${encodeTail(result, referenceOf, feedback)}]`;
}
/**
* Returns the end of a message, after its other elements: a comma and a value, or nothing for `undefined`.
* `decodeAnswer` reads it.
*
* @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
*/
function encodeTail(value, referenceOf, feedback) {
	return value === void 0 ? "" : `,${encodeValue(value, referenceOf, void 0, feedback)}`;
}
/** @param details - see `encodeThrown` */
function encodeFailure(id, thrown, details) {
	return `[${id}${encodeThrown(thrown, details)}]`;
}
/**
* Object to client: `["error", thrown]` means that the object could not read a message, so the error belongs to no
* call. `["error", thrown, id]` means that the object could not read a frame, and none of its calls has run. The id is
* the id of the first call of the frame, or -1 if the frame has only messages of a feature.
*/
function encodeRejection(error, firstCall) {
	const id = firstCall === void 0 ? "" : `,${firstCall}`;
	return `["error",${encodeRich(publicError(error))}${id}]`;
}
/** @throws RpcError `BAD_MESSAGE` for a malformed frame */
function decodeFrame(text) {
	const frame = parseFrame(text);
	if (!frame) throw new RpcError("BAD_MESSAGE", "Malformed frame");
	return frame;
}
/** @returns the messages of a frame; `undefined` for a malformed frame */
function parseFrame(text) {
	try {
		const frame = JSON.parse(text);
		if (Array.isArray(frame) && frame.every(Array.isArray)) return frame;
	} catch {}
}
/** Returns whether the first element of a message is the id of a call. */
function isId(id) {
	return Number.isSafeInteger(id) && id > 0;
}
/** @throws RpcError `BAD_MESSAGE` when a message that begins with an id is not a call */
function checkCall(message) {
	const third = message[2];
	const hasForm = message.length === 2 || message.length === 3 && Array.isArray(third) || message.length === 4 && third === "rich";
	if (!isCallee(message[1]) || !hasForm) throw new RpcError("BAD_MESSAGE", "A call must be [id, method], then optional arguments");
}
function isCallee(callee) {
	if (!Array.isArray(callee)) return typeof callee === "string";
	const [method, first, ...rest] = callee;
	if (typeof method !== "string") return false;
	return isId(first) ? rest.every(isString) : isString(first) && isString(rest[0]);
}
function isString(value) {
	return typeof value === "string";
}
/** Returns the id of the call whose result, or a part of it, is the target of this call. */
function resultIdOf(callee) {
	return Array.isArray(callee) && isId(callee[1]) ? callee[1] : void 0;
}
/** Returns the arguments of a call. A peer can send something other than an array. */
function argsOf(message, resolve) {
	if (message.length < 4) return message[2] ?? [];
	return decodeRich(message[3], resolve);
}
/** Returns the ids of the calls whose results a call takes, as arguments or as its target. */
function referencedCallIds(message) {
	const inputs = message.length === 4 ? referencedCalls(message[3]) : [];
	const called = resultIdOf(message[1]);
	return called === void 0 ? inputs : [called, ...inputs];
}
/**
* Decodes an answer.
*
* @param resolve - returns the value of a reference
* @returns `{ result }` or `{ thrown }`
* @throws RpcError `BAD_MESSAGE` for a malformed answer
*/
function decodeAnswer(message, resolve) {
	if (message.length < 3) return { result: message[1] };
	const [, form, value] = message;
	const decoded = decodeRich(form === "rich" || form === "error" ? value : 0, resolve);
	return form === "rich" ? { result: decoded } : { thrown: decoded };
}
/**
* The HTTP status of a response that reports an error. The answers of calls do not need it: they contain the code, and
* their response has the status 200. A client reads a status in `client/failures.ts`, which has fewer cases: most codes
* never arrive as a status.
*/
const HTTP_STATUS = {
	BAD_MESSAGE: 400,
	INVALID_ARGUMENTS: 400,
	UNAUTHORIZED: 401,
	FORBIDDEN: 403,
	NOT_FOUND: 404,
	METHOD_NOT_FOUND: 404,
	CURSOR_EXPIRED: 410,
	LIMIT_EXCEEDED: 429,
	ABORTED: 499,
	UNSERIALIZABLE: 500,
	UNSUPPORTED: 501,
	BAD_RESPONSE: 502,
	CLOSED: 503,
	DISCONNECTED: 503,
	UNAVAILABLE: 503,
	TIMEOUT: 504
};
// src/wire/argument-handles.ts
/**
* The key of the method of a marked argument that returns its reference. It is the same in every copy of the package.
*/
const TO_REFERENCE = Symbol.for("lumenize-rpc.marked");
/**
* A marked argument. It is an instance of a class, so that the codec asks for its reference.
*
* @param take - returns the reference, for the text of a call
*/
var ArgumentHandle = class {
	constructor(take) {
		this[TO_REFERENCE] = take;
	}
};
/** The size of a piece, in characters or bytes. */
const PIECE_SIZE = 131072;
/** Frames up to this size are sent whole. */
const MAX_WHOLE_SIZE = 262144;
function frameLength(message) {
	return typeof message === "string" ? message.length : message.byteLength;
}
/** Returns the messages to send for a frame: the frame itself, or its pieces. */
function piecesOf(frame) {
	const size = frameLength(frame);
	if (size <= 262144) return [frame];
	const pieces = [];
	for (let start = 0; start < size;) {
		let end = start + PIECE_SIZE;
		if (typeof frame === "string" && frame.codePointAt(end - 1) > 65535) end++;
		pieces.push(end < size ? "" : "", frame.slice(start, end));
		start = end;
	}
	return pieces;
}
/** Returns whether a message is a mark or an acknowledgement, and not a frame or a piece. */
function isControl(message) {
	return typeof message === "string" && message !== "" && message < "\x07";
}
/**
* Joins the pieces of a frame that has arrived. A mixture of text and binary pieces becomes an empty text, which is
* malformed.
*/
function wholeFrame(frame) {
	if (!Array.isArray(frame)) return frame;
	if (!frame.every(isBuffer)) return "";
	return concatenated(frame.map((piece) => new Uint8Array(piece))).buffer;
}
/**
* Returns whether a value is an `ArrayBuffer`, also of another realm: in Jest, sockets create their buffers outside of
* the realm of the tests.
*/
function isBuffer(value) {
	return builtInName(value) === "ArrayBuffer";
}
/** Returns the bytes of all parts, one after the other. */
function concatenated(parts) {
	const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let start = 0;
	for (const part of parts) {
		all.set(part, start);
		start += part.length;
	}
	return all;
}
/**
* Joins the pieces of frames.
*
* @param acknowledge - called for each piece with the message to send
* @returns a function that takes each message, and returns a frame once it is whole
*/
function pieceJoiner(acknowledge) {
	let mark;
	let parts = [];
	return (message) => {
		const announced = mark;
		mark = void 0;
		if (!announced) {
			const kind = message[0];
			if (kind !== "" && kind !== "") return message;
			mark = message;
		} else {
			acknowledge("" + announced.slice(1));
			const all = parts;
			all.push(message);
			if (announced[0] === "") {
				parts = [];
				return typeof message === "string" ? all.join("") : all;
			}
		}
	};
}
// src/wire/caller.ts
/**
* The caller of a request. A field of `request.cf` contains it, since no header can set that field.
*/
/** The field's name. The router removes the field from every request that reaches the Worker. */
const CALLER_FIELD = "lumenizeRpcCaller";
/** The maximum size of a caller's JSON and its identity, in characters: a socket's attachment holds 16 KiB. */
const MAX_SIZE = 4e3;
/**
* Gives a caller its identity.
*
* @param caller - the caller, which is JSON data
* @param identity - text that is equal for all calls of one caller. Default: the caller's JSON.
* @throws RangeError for a caller that is too large
*/
function withIdentity(caller, identity = JSON.stringify(caller) ?? "") {
	const { length } = JSON.stringify(caller) + identity;
	if (length <= MAX_SIZE) return {
		caller,
		owner: identity
	};
	throw new RangeError(`A caller and its identity can have ${MAX_SIZE} characters as JSON, but these have ${length}`);
}
// src/wire/encoded-message.ts
/**
* A written message: text, or text with the bytes that follow it. Only binary frames carry bytes, so only the code for
* binary frames makes a `Packet`: see `bytes.ts`.
*/
/** Joins several messages, separated by commas. */
function joinMessages(messages) {
	if (messages.length === 1) return messages[0];
	const packet = messages.find((message) => typeof message !== "string");
	return packet ? packet.join(messages) : messages.join();
}
/** Returns the frame that contains the messages. */
function frameOf(messages) {
	const all = joinMessages(messages);
	return typeof all === "string" ? `[${all}]` : all.frame;
}
/** Returns the same messages, with all bytes as Base64 in the text. */
function asText(message) {
	return typeof message === "string" ? message : message.withBase64();
}
/** Reads messages that this end has written, with copies of their bytes in them. */
function readEncoded(message) {
	return typeof message === "string" ? parseFrame(`[${message}]`) ?? [] : message.read();
}
/** Returns whether a message arrived with bytes after its text: JSON cannot contain a buffer. */
function hasBytes(message) {
	const list = message.at(-1);
	return Array.isArray(list) && list.some((item) => item?.[1] instanceof ArrayBuffer);
}
/** The length in characters up to which a text is searched for other characters than ASCII. */
const MAX_LOOKED_THROUGH = 500;
/**
* The encoder is created when it is first needed, because some environments that import the client lack the class.
*/
let encoder;
/** @returns the size in bytes */
function byteLengthOf(sent) {
	if (sent instanceof ArrayBuffer) return sent.byteLength;
	const text = `${sent}`;
	return sent.length - text.length + utf8Length(text);
}
/**
* Returns the size of a text in UTF-8. Most messages are short and ASCII: searching such a text is faster than calling
* the encoder.
*/
function utf8Length(text) {
	let ascii = 0;
	while (ascii < text.length && ascii < MAX_LOOKED_THROUGH && text.charCodeAt(ascii) < 128) ascii++;
	if (ascii === text.length) return ascii;
	encoder ??= new TextEncoder();
	return encoder.encode(text).length;
}
// src/wire/bytes.ts
/**
* Bytes after the text of a frame. For a buffer of more than 1 024 bytes, a message contains only a reference,
* `["Bytes", k]`. The message right before it has the lengths of its buffers: `["bytes", length, …]`, where k is an
* index. Such a frame is binary: its text, a zero byte, which JSON never contains, then all bytes in the order of
* their lengths.
*
*     up     [["bytes"],["bytes",2000],[1,"store","rich",[[[[1]]],["Bytes",0]]]] 0 ⟨2 000 bytes⟩
*     down   [[1]]
*
* A client that reads such frames sends `["bytes"]`, at the beginning of each connection and in each POST. An object
* that reads such frames answers with the same message; any other object answers with an error. Before that answer, a
* client sends all bytes as Base64. A peer that has not sent `["bytes"]` also receives all bytes as Base64.
*/
/** The name of a reference to bytes after the text. */
const BYTES = "Bytes";
/** The message by which a peer says that it reads binary frames. */
const READS_BYTES = "[\"bytes\"]";
/**
* The size in bytes up to which a buffer stays in the text. A small buffer after the text would cost more than it
* saves.
*/
const MAX_IN_TEXT = 1024;
/** The names before a list that can refer to bytes, at the end of a message. */
const FORMS = /* @__PURE__ */ new Set([RICH, "error"]);
/**
* The decoder is created at the first binary frame, because some environments that import the client lack the class.
*/
let decoder;
/** Messages and their bytes, copied into one frame that can be sent as it is. */
var BytesPacket = class BytesPacket {
	text;
	frame;
	/** Parts of the frame. */
	buffers;
	constructor(text, buffers) {
		this.text = text;
		const head = new TextEncoder().encode(`[${text}]\0`);
		const all = concatenated([head, ...buffers]);
		this.frame = all.buffer;
		let start = head.length;
		this.buffers = buffers.map(({ length }) => all.subarray(start, start += length));
	}
	get length() {
		return this.buffers.reduce((sum, { length }) => sum + length, this.text.length);
	}
	toString() {
		return this.text;
	}
	join(messages) {
		const buffers = messages.flatMap((message) => typeof message === "string" ? [] : message.buffers);
		return new BytesPacket(messages.join(), buffers);
	}
	read() {
		return readAnyFrame(this.frame) ?? [];
	}
	withBase64() {
		const messages = this.read();
		for (const item of messages.flatMap(itemsOf)) {
			const [, bytes] = item;
			if (item[0] === "Bytes") item.splice(0, 2, "ArrayBuffer", toBase64(bytes));
		}
		return JSON.stringify(messages).slice(1, -1);
	}
};
/** Writes a message with its bytes after the text. The bytes are copied, so later changes are not sent. */
const writeWithBytes = (encode, referenceOf) => packMessage(splitBuffers(encode, referenceOf));
/**
* Writes a message, or the end of a message, without its large buffers.
*
* @param encode - returns the text
* @param referenceOf - returns the references to send for other values
* @returns the text, and views of the original buffers, without a copy
*/
function splitBuffers(encode, referenceOf) {
	const buffers = [];
	return {
		text: encode((value) => {
			return isBuffer(value) && value.byteLength > MAX_IN_TEXT ? [BYTES, buffers.push(new Uint8Array(value)) - 1] : referenceOf?.(value);
		}),
		buffers
	};
}
/** Joins a message and the buffers that it refers to. */
function packMessage({ text, buffers }) {
	if (buffers.length === 0) return text;
	const lengths = ["bytes", ...buffers.map(({ length }) => length)];
	return new BytesPacket(`${JSON.stringify(lengths)},${text}`, buffers);
}
/** Returns the text of a frame, and the index of the first byte after the text; `undefined` for a malformed frame. */
function splitFrame(frame) {
	const bytes = new Uint8Array(frame);
	const end = bytes.indexOf(0);
	if (end < 0) return void 0;
	decoder ??= new TextDecoder(void 0, { fatal: true });
	try {
		return {
			text: decoder.decode(bytes.subarray(0, end)),
			start: end + 1
		};
	} catch {
		return;
	}
}
/**
* @param check - called with the size of a binary frame, which is the characters of text plus the bytes; may throw
* @param parse - the object's own `parseFrame`
* @returns the messages of a frame, with their bytes in them; `undefined` for a malformed frame
*/
function readAnyFrame(frame, check, parse = parseFrame) {
	if (typeof frame === "string" || !isBuffer(frame)) return parse(frame);
	const parts = splitFrame(frame);
	if (!parts) return void 0;
	let { start } = parts;
	check?.(parts.text.length + frame.byteLength - start);
	const messages = parse(parts.text);
	if (!messages) return void 0;
	const take = (length) => {
		const { buffer } = new Uint8Array(new Uint8Array(frame, start, length));
		start += length;
		return buffer;
	};
	const read = placed(messages, take, frame.byteLength - start);
	return start === frame.byteLength ? read : void 0;
}
/** Reads a frame like `readAnyFrame`, and frees its memory: the messages have copies of all bytes. */
function readAndFree(frame, check, parse = parseFrame) {
	const messages = readAnyFrame(frame, check, parse);
	if (messages) freeFrame(frame);
	return messages;
}
/** Frees the memory of a binary frame before the garbage collector does, if the runtime can. */
function freeFrame(frame) {
	frame?.transfer?.(0);
}
/**
* Puts bytes into the messages that refer to them.
*
* @param take - returns the next `length` bytes of the frame
* @param size - the number of bytes of the frame
* @returns the messages, without the messages that contain lengths; `undefined` for impossible lengths
*/
function placed(messages, take, size) {
	let rest = size;
	let buffers;
	const others = [];
	for (const message of messages) if (message[0] === "bytes" && message.length > 1) {
		if (buffers) return void 0;
		buffers = [];
		for (const length of message.slice(1)) {
			if (!isLength(length) || length > rest) return void 0;
			rest -= length;
			buffers.push(take(length));
		}
	} else {
		for (const item of buffers ? itemsOf(message) : []) {
			const [name, index] = item;
			if (name === "Bytes") item[1] = typeof index === "number" ? buffers?.[index] : void 0;
		}
		buffers = void 0;
		others.push(message);
	}
	return buffers ? void 0 : others;
}
function isLength(length) {
	return Number.isSafeInteger(length) && length > MAX_IN_TEXT;
}
/** Returns the references and bytes in the list at the end of a message, if it has such a list. */
function itemsOf(message) {
	const list = message.at(-1);
	if (!FORMS.has(message.at(-2)) || !Array.isArray(list)) return [];
	return list.slice(1).filter(Array.isArray);
}
/** Returns a copy of the bytes that a reference in a written message refers to. */
function bufferOf([, index], message) {
	if (typeof message === "string") return void 0;
	return message.buffers[Number(index)]?.slice().buffer;
}
/** Returns the same message, with its large buffers after the text instead of Base64 in it. */
function withBytes(text) {
	if (text.length <= MAX_IN_TEXT || !text.includes("[\"ArrayBuffer\",\"")) return text;
	const message = JSON.parse(text);
	const buffers = [];
	for (const item of itemsOf(message)) {
		const [name, bytes] = item;
		if (name !== "ArrayBuffer" || bytes.length <= MAX_IN_TEXT) continue;
		const buffer = new Uint8Array(fromBase64(bytes));
		if (buffer.length > MAX_IN_TEXT) item.splice(0, 2, BYTES, buffers.push(buffer) - 1);
	}
	return packMessage({
		text: buffers.length > 0 ? JSON.stringify(message) : text,
		buffers
	});
}
/** Matches the lengths at the beginning of a message. */
const LENGTHS = /^\["bytes",([\d,]+)\],/;
/**
* Returns a message that was stored as its text and its bytes.
*
* @param all - the bytes of several messages, one after the other
* @param start - the index at which the bytes of this message begin
*/
function restoreMessage(text, all, start) {
	let next = start;
	return new BytesPacket(text, (LENGTHS.exec(text)?.[1] ?? "").split(",").map((length) => {
		const buffer = new Uint8Array(all, next, Number(length));
		next += buffer.length;
		return buffer;
	}));
}
/** The number of rows of a method listed by `rows` that can be sent ahead of the acknowledgement. */
const ROW_WINDOW = 2048;
function encodeCursor({ event, epoch }) {
	return `${event}.${epoch}`;
}
/** @returns the position; `undefined` for a value that is not a cursor */
function decodeCursor(cursor) {
	const [, event, epoch] = isString(cursor) && /^(\d{1,15})\.(\w{0,20})$/.exec(cursor) || [];
	return epoch === void 0 ? void 0 : {
		event: Number(event),
		epoch
	};
}
/** @returns `undefined` for text that is not the place of a row */
function decodePlace(cursor) {
	try {
		const place = JSON.parse(cursor);
		return typeof place === "string" || Number.isFinite(place) ? place : void 0;
	} catch {
		return;
	}
}
/** @param invocation - the callee as JSON, then the text from `encodeArgs` */
function encodeSubscribe(subscriptionId, cursor, invocation) {
	return `["subscribe",${subscriptionId},${JSON.stringify(cursor ?? null)},${invocation}]`;
}
/** @param property - the name of the property that is the place of a row */
function encodeSubscribedToRows(subscriptionId, property, window) {
	return `["subscribed",${subscriptionId},${JSON.stringify([property])},${window}]`;
}
/** @param snapshot - replaces all earlier events: text from `encodeTail`, empty if there is none */
function encodeSubscribed(subscriptionId, position, window, snapshot = "") {
	const room = snapshot || window !== 64 ? `,${window}` : "";
	return `["subscribed",${subscriptionId},"${encodeCursor(position)}"${room}${snapshot}]`;
}
/** @param rest - the end of the message, from `encodeTail` */
function encodeNext(subscriptionId, event, rest) {
	return `["next",${subscriptionId},${event}${rest}]`;
}
/** @param event - the last event of the previous epoch */
function encodeEpoch(subscriptionId, event, epoch) {
	return `["epoch",${subscriptionId},${event},"${epoch}"]`;
}
/**
* @param parts - rows, and rows that stay, separated by commas
* @param names - for lists by name, a comma and the end of the message; otherwise empty
*/
function encodePatch(subscriptionId, number, parts, names) {
	return `["patch",${subscriptionId},${number},[${parts}]${names}]`;
}
/** Encodes the message that events were missed. It comes before the message with the position to continue from. */
function encodeGap(subscriptionId) {
	return `["gap",${subscriptionId}]`;
}
function encodeWindow(subscriptionId, window) {
	return `["window",${subscriptionId},${window}]`;
}
/** @param error - left out if the subscription completed */
function encodeComplete(subscriptionId, error) {
	return `["complete",${subscriptionId}${error ? encodeThrown(error.thrown, error.details) : ""}]`;
}
/** @param details - see `encodeThrown` */
function encodeEnd(subscriptionId, end, details) {
	return encodeComplete(subscriptionId, "thrown" in end ? {
		thrown: end.thrown,
		details
	} : void 0);
}
// src/wire/ports.ts
function listenTo(port, listener) {
	port.addEventListener("message", (event) => {
		const { data } = event;
		const [code, reason] = Array.isArray(data) ? data : [];
		if (typeof data === "string" || isBuffer(data)) listener.frame(data);
		else if (typeof code === "number" && typeof reason === "string") listener.end(code, reason);
	});
	port.addEventListener("close", () => listener.end(1006, "The other end was closed"));
	port.start?.();
}
/** Sends the close code to the other end, then closes the port. */
function endPort(port, code, reason) {
	port.postMessage([code, reason]);
	setTimeout(() => port.close?.());
}
// src/wire/shown-client.ts
/** The name of a client in reports and on the console. Client and object use the same name. */
/** Returns the first characters of a client's id. They tell clients apart, and do not suffice to act as the client. */
function shownClient(id) {
	return id.slice(0, 8);
}
// src/wire/outcome.ts
/** Names the outcome of a call in reports and in traces. */
/** Returns the outcome of a call that threw a value. */
function outcomeOf(thrown) {
	try {
		if (thrown instanceof RpcError) return thrown.code;
		return thrown instanceof Error ? thrown.name : "Error";
	} catch {
		return "Error";
	}
}
// src/features/reports/wire.ts
/** The fields that the reports of both ends share, so that a program can join them by the client and the id of a call. */
/** Calls a hook of the application. If it throws or rejects, the error is printed to the console. */
function tell(hook, about) {
	try {
		const returned = hook(about);
		if (!isThenable(returned)) return returned;
		Promise.resolve(returned).catch(console.error);
	} catch (error) {
		console.error(error);
	}
}
// src/features/tracing/wire/trace-context.ts
/**
* The trace that a call belongs to, as W3C Trace Context writes it, and the message with it:
*
*     up     [["trace",[1,"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]],[1,"increment"]]
*
* - `["trace", [id, traceparent], [id, traceparent, tracestate], …]`: the spans in which later calls of the frame are
*   made. A negative id is the number of a subscription. From the object to a client, an id is the number of a call of
*   a callback. An entry that is malformed is ignored, as the standard demands for its headers.
*/
/** The kind of the message. */
const TRACE = "trace";
/** The format of version 00, the only version. The ids cannot be zeros. */
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
const MAX_TRACESTATE = 512;
/**
* A member of `tracestate`: a key, and a value of printable characters. The spaces at the end belong to the group, because
* two repetitions of spaces in a row would take time that grows with the square of their number.
*/
const MEMBER = /^[ \t]*(?:[a-z\d][a-z\d_*/@-]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~][ \t]*)?$/;
/**
* Reads a trace that another program has sent.
*
* @returns `undefined` for a `traceparent` that is malformed. A malformed `tracestate` is left out.
*/
function traceContextOf(traceparent, tracestate) {
	if (!isString(traceparent) || !TRACEPARENT.test(traceparent)) return void 0;
	return isString(tracestate) && tracestate !== "" && tracestate.length <= MAX_TRACESTATE && tracestate.split(",").every((member) => MEMBER.test(member)) ? {
		traceparent,
		tracestate
	} : { traceparent };
}
/**
* Writes the message.
*
* @param room - the maximum number of characters; further entries are left out
* @returns `undefined` if no entry has room
*/
function encodeTraces(entries, room) {
	let text = "";
	for (const [id, { traceparent, tracestate }] of entries) {
		const state = tracestate ? `,${JSON.stringify(tracestate)}` : "";
		const entry = `,[${id},${JSON.stringify(traceparent)}${state}]`;
		if (text.length + entry.length + 5 + 4 <= room) text += entry;
	}
	return text ? `["${TRACE}"${text}]` : void 0;
}
/** Reads the traces in a message. If two entries have one id, the last entry counts. */
function readTracesIn(message, read) {
	for (let index = 1; index < message.length; index++) {
		const entry = message[index];
		if (!Array.isArray(entry)) continue;
		const id = entry[0];
		const context = traceContextOf(entry[1], entry[2]);
		if (Number.isSafeInteger(id) && context) read(id, context);
	}
}
// src/features/tracing/wire/tracer.ts
/**
* The interface of tracers, which make spans of calls at both ends. A tracer is a function of the application, or of
* the platform.
*/
/**
* Runs a function in the span of a tracer. Whatever the tracer does, the function's result is returned, or its error is
* thrown. An error of the tracer is printed to the console.
*/
function inSpan(tracer, call, run) {
	const once = new RunOnce(run);
	try {
		tracer(call, (span) => once.start(span));
	} catch (error) {
		console.error(error);
	}
	once.start(void 0);
	if (once.failure) throw once.failure.error;
	return once.result;
}
/** A function that runs once, and its result or error. */
var RunOnce = class {
	result;
	failure;
	#run;
	constructor(run) {
		this.#run = run;
	}
	start(span) {
		const run = this.#run;
		this.#run = void 0;
		try {
			this.result = run ? run(span) : this.result;
		} catch (error) {
			this.failure = { error };
		}
	}
};
/** Ends a span. An error of the tracer is printed to the console. */
function endSpan(span, ended) {
	try {
		span?.end(ended);
	} catch (error) {
		console.error(error);
	}
}
/** The name of a span in place of a method that no contract lists. */
const OTHER = "_OTHER";
/** A call, which is described when a tracer asks for it: most tracers ask only for calls that are sampled. */
var DescribedCall = class {
	name;
	kind;
	parent;
	#about;
	/**
	* @param target - the class, or the binding
	* @param about - the kind of the call, the name of the object, the number of the call, and the id of the client
	*/
	constructor(kind, target, method, about, parent) {
		this.name = `${target}.${method || OTHER}`;
		this.kind = kind;
		this.parent = parent;
		this.#about = about;
	}
	/** The attributes by the semantic conventions of OpenTelemetry, and attributes of this package. */
	get attributes() {
		const [kind, object, id, client] = this.#about;
		const attributes = {
			"rpc.system.name": "lumenize-rpc",
			"rpc.method": this.name,
			"lumenize_rpc.object": object,
			"lumenize_rpc.kind": kind
		};
		if (id !== void 0) attributes["lumenize_rpc.id"] = id;
		if (client !== void 0) attributes["lumenize_rpc.client"] = shownClient(client);
		return attributes;
	}
};
/**
* Writes into a span how its call has ended.
*
* @param errorCode - the code of the status of a call that has failed
*/
function recordEnd(span, ended, errorCode) {
	span.setAttributes(attributesOf(ended));
	if (!("error" in ended)) return;
	const { error } = ended;
	const message = messageOf(error);
	span.recordException(error instanceof Error ? error : message);
	span.setStatus({
		code: errorCode,
		message
	});
}
/** Returns the attributes that say how a call has ended. */
function attributesOf({ outcome, ...failure }) {
	if (!("error" in failure)) return { "rpc.response.status_code": "OK" };
	return {
		"rpc.response.status_code": outcome,
		"error.type": outcome
	};
}
/** Returns the message of a thrown value, for the status of a span. */
function messageOf(thrown) {
	try {
		return String(thrown instanceof Error ? thrown.message : thrown);
	} catch {
		return "";
	}
}
// src/features/tracing/wire/open-telemetry.ts
/** The options of a span, with the numbers of `SpanKind`. */
const KINDS = {
	internal: { kind: 0 },
	server: { kind: 1 },
	client: { kind: 2 }
};
/** The number of `SpanStatusCode.ERROR`. */
const ERROR = 2;
const NO_TRACE = "0".repeat(32);
/**
* Makes the spans of `traceCalls` with an OpenTelemetry SDK, in a client or in an object. The SDK needs a context
* manager, so that code which a method awaits is in the span of the method. In Workers, use
* `AsyncLocalStorageContextManager` and the compatibility flag `nodejs_compat`.
*
* @param api - the module `@opentelemetry/api`
* @example
* import * as api from '@opentelemetry/api';
* const counter = createRpcClient<Counter>('COUNTER', 'main', { tracing: traceCalls(openTelemetry(api)) });
*/
function openTelemetry({ trace, context, createTraceState }) {
	return (call, run) => {
		const { name, kind, parent } = call;
		const active = context.active();
		const outer = parent ? trace.setSpanContext(active, remoteSpan(parent, createTraceState)) : active;
		const options = KINDS[kind];
		const tracer = trace.getTracer("lumenize-rpc");
		if (kind === "client") return runIn(tracer.startSpan(name, options, outer), call, run);
		return tracer.startActiveSpan(name, options, outer, (span) => runIn(span, call, run));
	};
}
function runIn(span, call, run) {
	if (span.isRecording()) span.setAttributes(call.attributes);
	return run(new SdkSpan(span));
}
var SdkSpan = class {
	#span;
	constructor(span) {
		this.#span = span;
	}
	get context() {
		return contextOf(this.#span.spanContext());
	}
	end(ended) {
		const span = this.#span;
		if (span.isRecording()) recordEnd(span, ended, ERROR);
		span.end();
	}
};
/** Returns the span of the other end, as OpenTelemetry describes it. */
function remoteSpan({ traceparent, tracestate }, createTraceState) {
	const remote = {
		traceId: traceparent.slice(3, 35),
		spanId: traceparent.slice(36, 52),
		traceFlags: Number.parseInt(traceparent.slice(53), 16),
		isRemote: true
	};
	return tracestate ? {
		...remote,
		traceState: createTraceState(tracestate)
	} : remote;
}
/** @returns `undefined` for the span of an API without an SDK */
function contextOf({ traceId, spanId, traceFlags, traceState }) {
	if (traceId === NO_TRACE) return void 0;
	return {
		traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
		tracestate: traceState?.serialize() || void 0
	};
}
// src/features/argument-streams/wire.ts
/**
* The messages of streams that are arguments. The client numbers its streams, `s`, and an argument is a reference
* `["Stream", s]`. The items of a stream are numbered from 1, `i`, without gaps.
*
*     up     [[7,"upload","rich",[["a.txt",[1]],["Stream",1]]]]
*     up     [["item",1,1,"one"],["item",1,2,"two"],["end",1,2]]
*     down   [[7,2]]
*
* Client to object:
*
* - `["item", s, i, …value]`: one item; `…value` has the form of the end of an answer.
* - `["end", s, i]`, `["end", s, i, "error", thrown]`: item `i` was the last. The error is the one that the
*   source threw after it.
* - `["end", s]`: no more items will come, since the client no longer awaits the call.
*
* Object to client:
*
* - `["ack", s, i]`: the method has taken the items up to `i`. The object repeats this message while the
*   method waits for the next item. So it soon detects that a client has abandoned the call.
* - `["stop", s]`: the method takes no more items.
*
* A client keeps items until they are acknowledged, and sends them again after a lost connection. It sends no more
* than the window allows.
*/
/**
* While the items that are not acknowledged have this many characters, the client sends no further item. An item has at
* most this many characters.
*/
const STREAM_SIZE = 1048576;
/**
* @param streamId - the number of the stream
* @param i - the number of the item
* @param referenceOf - returns the reference to send for a part of the item
* @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
*/
function encodeItem(streamId, i, value, referenceOf) {
	return `["item",${streamId},${i}${encodeTail(value, referenceOf)}]`;
}
/** Returns whether the rest of an `item` message has the form of an answer: its number, then its value. */
function isItem(rest) {
	const { length } = rest;
	return isId(rest[0]) && (length < 3 || length === 3 && rest[1] === "rich");
}
/** Returns whether the rest of an `end` message is empty, or a number of items and an optional error. */
function isEnd(rest) {
	const [last, form] = rest;
	const { length } = rest;
	return length === 0 || (last === 0 || isId(last)) && (length === 1 || length === 3 && form === "error");
}
// src/wire/frame-codec.ts
/** Encodes a message whose bytes follow its text. */
function encodeWithBytes({ frames, referenceOf }, encode) {
	return frames.pack(frames.split(encode, referenceOf));
}
const textFrameCodec = {
	split: (encode, referenceOf) => ({
		text: encode(referenceOf),
		buffers: []
	}),
	pack: ({ text }) => text,
	withBytes: (text) => text,
	restore: () => void 0
};
// src/wire/reserved-names.ts
/** Names that no method of a contract can have. */
/** Names that the runtime calls. */
const RUNTIME_NAMES = "fetch alarm webSocketMessage webSocketClose webSocketError connect dup ctx env __rpcFrame";
/** Names that have another meaning at the end of a path. */
const PATH_NAMES = "call mcp";
/** Names that have another meaning on a client or a promise. */
const CLIENT_NAMES = "then catch finally close reconnect toJSON";
// src/wire/features.ts
/** The feature that handles a client's message, by the kind of the message. */
const FEATURE_MESSAGES = /* @__PURE__ */ new Map([
	["subscribe", "subscriptions"],
	["ack", "subscriptions"],
	["unsubscribe", "subscriptions"],
	["item", "argument streams"],
	["end", "argument streams"],
	["return", "callbacks"],
	["bytes", "bytes"],
	["say", "presence"],
	["trace", "tracing"]
]);
/** The feature that reads a reference in the arguments of a call, by the tag of the reference. */
const FEATURE_REFERENCES = /* @__PURE__ */ new Map([
	["Capability", "capabilities"],
	["Function", "callbacks"],
	["Stream", "argument streams"]
]);
// src/features/callbacks/wire.ts
/**
* The messages of callbacks: functions that the client has passed as arguments. The client numbers its functions, `f`,
* and an argument is a reference `["Function", f]`. The object numbers its calls of these functions, `k`.
*
*     up     [[4,"load","rich",[["a,b",[1]],["Function",1]]]]
*     down   [["call",912833,1,[50]]]
*     up     [["return",912833]]
*     down   [[4,"loaded"]]
*
* Object to client:
*
* - `["call", k, f]`, `["call", k, f, args]`, `["call", k, f, "rich", list]`: calls the function. Arguments
*   have the form that they have in a call of a method. From `f` on, the message has the form of an answer
*   whose result is the arguments.
* - `["keep", f, place]`: the client keeps the function when the calls that passed it end, since its token
*   was taken. The place is where the function was passed: a class of capabilities or nothing, a point, and
*   the path of the argument.
* - `["drop", f, place]`: the function is no longer kept for this place. The client need not keep a function
*   that is kept for no place.
*
* Client to object:
*
* - `["return", k, …]`: what the function returned or threw, or an error if it no longer exists. From `k`
*   on, the message has the form of an answer.
*/
/**
* @param referenceOf - returns the reference to send for a part of the arguments
* @throws RpcError `UNSERIALIZABLE` with the path to the value that cannot be sent
*/
function encodeCallbackCall(functionId, callId, args, referenceOf) {
	return `["call",${callId},${functionId}${encodeTail(args.length > 0 ? args : void 0, referenceOf)}]`;
}
/** @param place - the place in the function's token */
function encodeKeepOrDrop(kind, functionId, place) {
	return `["${kind}",${functionId},${JSON.stringify(place)}]`;
}
// src/wire/door.ts
/**
* The interface by which plain HTTP and MCP in a Worker call an object: a method of the object's class, through native
* Workers RPC. The method takes a frame, and returns the frame of answers, as a POST to `…/call` does, without a
* request and a response.
*/
/** The name of the method. No contract can list it, so no client can call it. */
const FRAME_METHOD = "__rpcFrame";
// src/wire/object-name.ts
const names = /* @__PURE__ */ new WeakMap();
/**
* Returns the name of an object. The name is looked up once, because asking the runtime takes longer than the rest of a
* report.
*/
function objectNameOf(instance) {
	let found = names.get(instance);
	if (!found) {
		const { id } = instance.ctx ?? {};
		found = {
			class: instance.constructor.name,
			object: String(id?.name ?? id ?? "")
		};
		names.set(instance, found);
	}
	return found;
}
export { ArgumentHandle, BINARY_TYPE, BYTES, CALL, CALLER_FIELD, CALLS_IN_FLIGHT, CALLS_PER_FRAME, CALL_SEGMENT, CAPABILITY, CLIENT_ID, CLIENT_NAMES, DescribedCall, FEATURE_MESSAGES, FEATURE_REFERENCES, FRAME_METHOD, FRAME_SIZE, FUNCTION, HTTP_STATUS, MAX_DELAY, MAX_WHOLE_SIZE, MISSING, PATH_NAMES, PIECE_SIZE, PROBE, READS_BYTES, RICH, ROW_WINDOW, RUNTIME_NAMES, RpcError, STREAM, STREAM_SIZE, SUBPROTOCOL, TAGS, TO_REFERENCE, TRACE, argsOf, asText, bufferOf, builtInName, byteLengthOf, checkCall, concatenated, createError, decodeAnswer, decodeCursor, decodeFrame, decodePlace, decodeRich, encodeArgs, encodeCall, encodeCallbackCall, encodeComplete, encodeCursor, encodeEnd, encodeEpoch, encodeFailure, encodeGap, encodeItem, encodeKeepOrDrop, encodeNext, encodePatch, encodeRejection, encodeResult, encodeRich, encodeSubscribe, encodeSubscribed, encodeSubscribedToRows, encodeTail, encodeThrown, encodeTraces, encodeWindow, encodeWithBytes, endPort, endSpan, frameLength, frameOf, freeFrame, hasBytes, inSpan, isControl, isEnd, isExactPrimitive, isId, isItem, isObject, isPlain, isString, isThenable, joinMessages, limitExceeded, listenTo, malformed, objectNameOf, openTelemetry, outcomeOf, packMessage, parseFrame, pieceJoiner, piecesOf, propertyPath, readAndFree, readAnyFrame, readEncoded, readPath, readTracesIn, recordEnd, referencedCallIds, requireText, restoreMessage, resultIdOf, shownClient, splitBuffers, splitFrame, tagOf, tell, textFrameCodec, toBase64, unreadableReference, wholeFrame, withBytes, withIdentity, writeWithBytes };
