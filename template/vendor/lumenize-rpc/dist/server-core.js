import { BINARY_TYPE, CALL, CALLER_FIELD, CALLS_IN_FLIGHT, CALLS_PER_FRAME, CALL_SEGMENT, CAPABILITY, CLIENT_ID, CLIENT_NAMES, DescribedCall, FEATURE_MESSAGES, FEATURE_REFERENCES, FRAME_METHOD, FRAME_SIZE, MAX_DELAY, MAX_WHOLE_SIZE, MISSING, PATH_NAMES, PIECE_SIZE, PROBE, READS_BYTES, ROW_WINDOW, RUNTIME_NAMES, RpcError, STREAM_SIZE, SUBPROTOCOL, TAGS, TRACE, asText, byteLengthOf, checkCall, concatenated, createError, decodeAnswer, decodeCursor, decodePlace, decodeRich, encodeCallbackCall, encodeComplete, encodeCursor, encodeEnd, encodeEpoch, encodeFailure, encodeGap, encodeKeepOrDrop, encodeNext, encodePatch, encodeRejection, encodeResult, encodeRich, encodeSubscribed, encodeSubscribedToRows, encodeTail, encodeThrown, encodeTraces, encodeWindow, encodeWithBytes, endPort, endSpan, frameLength, frameOf, hasBytes, inSpan, isControl, isEnd, isExactPrimitive, isId, isItem, isObject, isPlain as isPlain$1, isString, isThenable, joinMessages, limitExceeded, listenTo, objectNameOf, outcomeOf, packMessage, parseFrame, piecesOf, propertyPath, readAndFree, readEncoded, readPath, readTracesIn, referencedCallIds, requireText, restoreMessage, resultIdOf, shownClient, splitBuffers, tagOf, tell, textFrameCodec, toBase64, wholeFrame, withBytes, withIdentity } from "./wire.js";
import { FEED, KEYWORDS, METHOD_KIND, REQUIRED, adviseKeyword, checkEventsOf, checkSchema, describeFound, failedAt, isFeed, isStandard, isStreamOf, jsonValidator, nearest, remembering } from "./schemas.js";
import { Function, Unknown, Void } from "./builders.js";
import { platformTracer } from "./tracing-platform.js";
// src/server/base/capability-classes.ts
const compiledByClass = /* @__PURE__ */ new WeakMap();
/**
* Stores the compiled form of a class.
*
* @param compiled - the data of the class that a contract needs
*/
function rememberCapability(Class, compiled) {
	compiledByClass.set(Class, compiled);
}
/** Returns the compiled form of a class; `undefined` for a class that `capability` has not made. */
function rememberedCapability(Class) {
	return compiledByClass.get(Class);
}
/** The key that marks the classes that `capability` has made, in any copy of the package. */
const CAPABILITY_CLASS = Symbol.for("lumenize-rpc.capability");
/** Returns whether `capability` of this copy of the package has made a class. */
function isCapability(schema) {
	return compiledByClass.has(schema);
}
// src/server/contract/feature.ts
const VERSION = 1;
/** Returns the feature of an entry, a schema or a class of a contract. */
function featureOf(bringing) {
	return bringing?.["~feature"];
}
/**
* Adds a feature, and the features that it is built on, to a set.
*
* @throws TypeError for the record of another version of the package
*/
function collectFeature(feature, features) {
	if (feature.version !== VERSION) {
		const problem = `The feature ${String(feature.name)} is from another version of lumenize-rpc`;
		throw new TypeError(`${problem}: install one version (npm ls lumenize-rpc)`);
	}
	for (const one of feature.needs ?? []) collectFeature(one, features);
	features.add(feature);
}
// src/server/contract/entries.ts
/**
* The entry of a method that changes nothing. Its answers are not stored, and it can run again after a lost connection.
*
* @param schemas - a schema for each argument. Default: none.
* @param options - `returns`, the capability classes in the result; `output`, the schema of the result; `title`;
*   `description`
* @returns the entry `{ ...options, input, readonly: true }`
* @example
* history: read([Type.Integer({ minimum: 1, maximum: 100 })]),
*/
function read(schemas = [], options) {
	return {
		...callEntry(schemas, options),
		readonly: true
	};
}
/**
* The entry of a method that may change data in memory, and stores nothing. Use it for the position of a cursor, or to
* show that somebody is typing. Its answers are not stored, so a call writes no row. If the connection is lost while a
* call is on its way, the call rejects with `DISCONNECTED` and `maybeExecuted: true`, and never runs twice. With
* `latest` of `lumenize-rpc/client`, only the newest call counts.
*
* @param schemas - a schema for each argument. Default: none.
* @param options - `returns`, the capability classes in the result; `output`, the schema of the result; `title`;
*   `description`
* @returns the entry `{ ...options, input, volatile: true }`
* @example
* moveCursor: volatile([Type.Number(), Type.Number()]),
*/
function volatile(schemas = [], options) {
	return {
		...callEntry(schemas, options),
		volatile: true
	};
}
/** Returns the properties that the entries of `read` and `volatile` share. */
function callEntry(input, options) {
	const { returns, output } = options ?? {};
	return {
		...options,
		input,
		returns,
		output
	};
}
/**
* The entry of a method that only other objects and Workers can call, through native Workers RPC. Clients cannot call
* it. Its arguments are checked as in other methods, and live values are computed again after it.
*
* @param schemas - a schema for each argument. Default: none.
* @returns the entry `{ input, internal: true }`
* @example
* report: internal([Type.String(), Type.Integer()]),
*/
function internal(schemas = []) {
	return {
		input: schemas,
		internal: true
	};
}
/**
* Makes the entry that a function of a feature returns, such as `live`.
*
* @param feature - the feature that serves methods of this kind
*/
function methodEntry(kind, feature, isReadonly, input, { returns, output, title, description } = {}) {
	return {
		"~entry": kind,
		"~feature": feature,
		input,
		readonly: isReadonly,
		returns,
		output,
		title,
		description
	};
}
/** Returns the compiled form of a class of capabilities; `undefined` for any other value. */
function compiledCapability(value) {
	return rememberedCapability(value);
}
/**
* Returns the long form of an entry.
*
* @throws TypeError for an entry without a list of schemas
*/
function methodDefinition(method, entry) {
	const fields = Object(entry);
	const { [METHOD_KIND]: kind = "call", input = entry, readonly, key, returns, plain } = fields;
	const { output, title, description } = fields;
	if (!Array.isArray(input)) throw new TypeError(`The contract's entry for ${method} has no list of schemas`);
	const classes = returns === void 0 ? [] : [returns].flat();
	return {
		kind,
		feature: featureOf(fields),
		input,
		readonly: readonly === true,
		volatile: fields["volatile"] === true,
		key,
		returns: classes,
		output,
		title,
		description,
		plain: plain === true && classes.length === 0
	};
}
// src/server/contract/around.ts
/** Composes the hooks that surround calls, the hook `around` of features and the option `onError`, into one function. */
/**
* @param around - the hooks, outermost first
* @returns one function that applies all hooks; `undefined` if there are none
*/
function composeAround(around) {
	if (around.length < 2) return around[0];
	return around.reduceRight((inner, outer) => (call, run) => outer(call, () => inner(call, run)));
}
/** Makes a hook that replaces the errors which the code of the class throws by the results of `onError`. */
function replaceErrorsBy(onError) {
	return ({ kind, method }, run) => {
		if (kind !== "run") return run();
		return settle(run, void 0, (error) => {
			let instead;
			try {
				instead = onError(error, { method });
			} catch (failure) {
				console.error(failure);
				instead = /* @__PURE__ */ new Error(`${method} failed`);
			}
			throw instead === void 0 ? error : instead;
		});
	};
}
/** Runs a function, and handles its result or error: at once, or when the promise that it returns settles. */
function settle(run, ended, failed) {
	let result;
	try {
		result = run();
	} catch (error) {
		return failed(error);
	}
	if (isThenable(result)) return Promise.resolve(result).then(ended, failed);
	return ended ? ended(result) : result;
}
// src/server/base/rejection.ts
/** Creates errors without a stack, so that rejecting a request is cheap. */
/** V8's property, which the types of Workers lack. */
const engine$2 = Error;
/**
* Creates an error without a stack, for requests that a client can repeat at will. Collecting a stack takes a third of
* the time of a rejected call, and the library's errors are sent without a stack.
*/
function rejection(code, message, details) {
	const { stackTraceLimit } = engine$2;
	engine$2.stackTraceLimit = 0;
	const error = new RpcError(code, message, details);
	engine$2.stackTraceLimit = stackTraceLimit;
	return error;
}
/** @throws RpcError `BAD_MESSAGE` for a message that our client never sends */
function badMessage(problem) {
	throw rejection("BAD_MESSAGE", problem);
}
/** Returns a copy of an error that says whether the call may have run. */
function withMaybeExecuted(error, maybeExecuted) {
	return rejection(error.code, error.message, {
		...error,
		maybeExecuted
	});
}
// src/server/schemas/validator.ts
/**
* Returns the validator of a value that no schema describes, such as a stream.
*
* @param expected - the words for an accepted value, such as `a stream`
*/
function validatorOfKind(expected, fits) {
	return { validate: (value) => fits(value) ? { value } : { issues: [{
		path: "",
		message: `must be ${expected}, got ${describeFound(value)}`
	}] } };
}
/**
* Validates an argument, or another value that a method receives.
*
* @param path - the path of the value in the arguments of the method
* @param noun - the noun for the value in messages. Default: `argument`.
* @returns the value that the validator returned
* @throws RpcError `INVALID_ARGUMENTS` with the path to the first issue
*/
function validated(method, validator, value, path, noun = "argument") {
	const validation = validator.validate(value);
	if (!validation.issues) return validation.value;
	const [issue] = validation.issues;
	const what = validator.title === void 0 ? noun : `${noun} ${validator.title}`;
	const place = path + issue.path;
	throw invalidArgument(method, place, `${what} ${place} ${issue.message}`);
}
/** Returns the error for an argument that a method does not take. */
function invalidArgument(method, path, problem) {
	return rejection("INVALID_ARGUMENTS", `${method}: ${problem}`, { path });
}
// src/server/contract/contract-of.ts
/** Identifies this copy of the package in compiled contracts and feeds. */
const PACKAGE_COPY = {};
/** The key of the contract, on the prototype of the objects. Behind a port, it is on the object itself. */
const CONTRACT = Symbol.for("lumenize-rpc.contract");
/**
* Stores the contract of an object, or of all objects with a prototype.
*
* @throws TypeError for an object or a contract of another copy of the package
*/
function rememberContract(target, contract) {
	if (contractIn(target) === contract) return;
	checkCopy(target);
	if (contract["~copy"] !== PACKAGE_COPY) throw foreign("The contract must be compiled by compileContract of the same");
	Object.defineProperty(target, CONTRACT, {
		value: contract,
		configurable: true
	});
}
/**
* Returns the contract; `undefined` only for a class that calls the handlers itself, before it first calls a handler.
*/
function contractOf(instance) {
	const contract = contractIn(instance);
	return contract?.["~copy"] === PACKAGE_COPY ? contract : void 0;
}
/** @throws TypeError for an object that another copy serves */
function checkCopy(instance) {
	if (contractIn(instance) !== contractOf(instance)) throw foreign("The object is served by another");
}
function contractIn(target) {
	return target[CONTRACT];
}
function foreign(problem) {
	return /* @__PURE__ */ new TypeError(`${problem} copy of lumenize-rpc: install one copy (npm ls lumenize-rpc)`);
}
// src/server/diagnostics/unsendable.ts
/** Explains to a developer why a result cannot be sent. Bundles for production do not have these explanations. */
/** Hints, by patterns of the encoder's messages. */
const HINTS = [
	[/send its body$/, " as the stream that the method returns, or send its text: await it.text()"],
	[/an instance of (ReadableStream|\w*Generator) /, ": return the stream itself, from a method that the contract lists by stream([…]), or collect its items in an array"],
	[/an instance of FeedOfObject /, ": return the feed itself, from a method that the contract lists by events([…])"],
	[/ (an instance of|a custom object)\b[^:]*$/, ": return its data as a plain object"]
];
/** Returns the hint to add to a message of the encoder. */
function hintFor(message) {
	return HINTS.find(([pattern]) => pattern.test(message))?.[1];
}
/** Adds a hint to an error of the encoder. Other errors stay as they are. */
function addHint$1(error) {
	try {
		const { code, message, path } = error;
		const hint = code === "UNSERIALIZABLE" && hintFor(`${message}`);
		if (hint) return rejection("UNSERIALIZABLE", `${message}${hint}`, { path });
	} catch {}
	return error;
}
/** @throws RpcError `UNSERIALIZABLE` for the result of a `plain` method that JSON does not represent exactly */
function checkPlain(result, method) {
	const path = result === void 0 ? void 0 : pathToNonPlain(result, /* @__PURE__ */ new Set());
	if (path === void 0) return;
	throw rejection("UNSERIALIZABLE", `${`The result of ${method} is not plain at ${path || "top"}`}: return what JSON represents, or remove plain from the method's contract`, { path });
}
/**
* Finds a part that is not plain in a value of any size: see `isPlain`.
*
* @param met - the objects before the value
* @returns the path to the first part that is not plain; `undefined` if there is none
*/
function pathToNonPlain(value, met) {
	if (typeof value !== "object" || value === null) return isExactPrimitive(value) ? void 0 : "";
	const prototype = Array.isArray(value) ? Array.prototype : Object.prototype;
	if (met.has(value) || Object.getPrototypeOf(value) !== prototype) return "";
	met.add(value);
	for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
		const part = value[key];
		const path = key === "__proto__" ? "" : pathToNonPlain(part, met);
		if (path !== void 0) return propertyPath(String(key)) + path;
	}
}
// src/server/diagnostics/schemas.ts
/**
* Explains mistakes in a schema of a contract, or a value that is no schema, in bundles for development and tests.
*/
/**
* Checks a value that a contract has in the place of a schema.
*
* @param path - the position in the contract, such as `greet: argument [0]`
* @param mayHoldFunctions - see `checkSchema`
* @throws TypeError for a value that is no schema, and for a schema that would not be checked
*/
function checkAnySchema(schema, path, mayHoldFunctions = false) {
	const problem = isStandard(schema) ? standardProblem(schema) : foreignProblem(schema);
	if (problem) throw new TypeError(`${path} is ${problem}`);
	if (!isStandard(schema)) checkSchema(schema, path, mayHoldFunctions);
}
/** Returns the problem with a schema of another library than TypeBox. */
function standardProblem(schema) {
	const { vendor, version, validate } = Object(schema["~standard"]);
	if (version !== 1 || typeof validate !== "function") return `a schema of ${String(vendor)} with another version of Standard Schema than 1: install a version of the library that supports version 1`;
	if ("~optional" in schema) return OPTIONAL;
	if (schema.async !== true) return void 0;
	return `an asynchronous schema of ${vendor}: use a synchronous schema, and make the asynchronous check in the method`;
}
const OPTIONAL = "Type.Optional() of a schema of another library than TypeBox: use the optional() of that library";
/** Describes a value that was probably meant as a schema of another library, and says what to write instead. */
function foreignProblem(value) {
	const { "~optional": optional, def, innerJson } = Object(value);
	if (optional && (def ?? innerJson)) return OPTIONAL;
	const found = foundInstead(value);
	return found && `not a schema, but ${found}`;
}
function foundInstead(value) {
	if (typeof value === "string") return "a text: make a schema from it, for example with type(…) of ArkType";
	if (typeof value === "function") return `the function ${value.name}: if it makes a schema, call it, as in z.string()`;
	if (typeof value !== "object" || value === null || "~kind" in value) return void 0;
	if (Array.isArray(value)) return "an array: write a schema such as Type.Tuple([…]) or z.tuple([…])";
	if ("_def" in value || !isPlain(value)) return `an instance of ${value.constructor?.name} without ~standard: update its library to a version that supports Standard Schema, such as Zod 3.24 or later`;
	const parts = Object.entries(value).filter(([name]) => !name.startsWith("~"));
	if (parts.some(([, part]) => typeof part === "function" && !isStandard(part))) return "a whole module: call a function of it, such as z.string()";
	const [property] = parts.find(([, part]) => isStandard(part)) ?? [];
	return property && `an object of schemas: write z.object({ ${property}: … }), or the function of your library`;
}
/** Says why a schema could not check a value: see `FailureExplainer`. */
function explainSchema(schema, value, outcome) {
	if (outcome instanceof Error) return thrown(outcome);
	if (!isThenable(outcome)) return `it returned ${describeFound(outcome)}, without value and issues`;
	try {
		if (schema["~standard"].vendor === "zod") schema.parse?.(value);
	} catch (error) {
		if (!String(error).includes("Promise")) return thrown(error);
	}
	return "it returned a promise. Use synchronous schemas, and make asynchronous checks in the method";
}
function thrown(error) {
	return error instanceof RangeError && error.message.includes("call stack") ? "the value is nested too deeply, or contains itself" : `it threw ${String(error)}`;
}
function isPlain(value) {
	const prototype = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
}
// src/server/base/limits.ts
/** The limits of an object: for the messages that a client can send, and for the resources that a client can use. */
const DEFAULT_LIMITS = {
	frameSize: FRAME_SIZE,
	callsPerFrame: CALLS_PER_FRAME,
	callsInFlight: CALLS_IN_FLIGHT,
	memoryPerClient: 8388608,
	memoryPerObject: 16777216,
	callsPerSecond: Infinity,
	refusals: 1e4,
	connections: Infinity,
	subscriptions: 32,
	liveCalls: 1e3,
	streams: 1e3,
	callbacks: 1e3,
	argumentStreams: 32,
	argumentCount: 32,
	valueDepth: 100,
	valueCount: 1e5
};
/**
* Returns the default limits with some of them replaced. A limit that is `undefined` keeps its default.
*
* @throws TypeError for a value that would limit nothing, such as `NaN`
*/
function limitsWith(replaced = {}) {
	const limits = withDefaults(DEFAULT_LIMITS, replaced);
	for (const [name, limit] of Object.entries(limits)) if (!(limit >= 0)) throw new TypeError(`limits.${name} must be a number of at least 0`);
	return limits;
}
/** Returns the defaults with some of them replaced. A property that is `undefined` keeps its default. */
function withDefaults(defaults, replaced) {
	const given = Object.entries(replaced).filter(([, value]) => value !== void 0);
	return {
		...defaults,
		...Object.fromEntries(given)
	};
}
// src/server/diagnostics/contract.ts
/**
* Explains mistakes in a contract to its developer. Only bundles for development and tests have these explanations. A
* bundle for production still refuses a contract that would let through calls that it should not, with shorter errors.
*/
const KEYS = [
	"input",
	"readonly",
	"volatile",
	"returns",
	"plain",
	"output",
	"title",
	"description"
];
const EXPECTED = "write [Type.Integer()], a schema for each parameter, or a helper such as read([…]) or live([…])";
const FOREIGN = "that is a capability of another copy of lumenize-rpc: install one copy for both (npm ls lumenize-rpc)";
/** @throws TypeError for a wrong value, or a key that would be ignored */
function checkEntry(method, entry) {
	const fail = (problem) => {
		throw new TypeError(`The contract's entry for ${method} ${problem}`);
	};
	const fields = Array.isArray(entry) ? { input: entry } : Object(entry);
	const isHelped = METHOD_KIND in fields;
	const keys = fields["internal"] ? ["input", "internal"] : KEYS;
	if (isHelped && !fields["~feature"]) fail(`is of a kind ${String(fields[METHOD_KIND])}: it is from another version of lumenize-rpc. Install one version (npm ls lumenize-rpc)`);
	const other = isHelped ? void 0 : Object.keys(fields).find((key) => !keys.includes(key));
	const meant = other && nearest(other, keys);
	if (meant) fail(`has an unknown key ${other}: did you mean ${meant}?`);
	const { input, readonly, returns, plain } = fields;
	if (!Array.isArray(input)) fail(`has no list of schemas: ${EXPECTED}`);
	if (other) fail(`has an unknown key ${other}: the keys are ${`${keys.slice(0, -1).join(", ")} and ${keys.at(-1)}`}`);
	checkFlag("readonly", readonly, fail);
	if (!isHelped) {
		checkFlag("plain", plain, fail);
		checkFlag("volatile", fields["volatile"], fail);
		if (readonly && fields["volatile"]) fail("has both readonly and volatile: remove one");
	}
	const classes = returns === void 0 ? [] : [returns].flat();
	if (classes.some(isForeignCapability)) fail(`has a returns ${FOREIGN}`);
	if (!classes.every(isCapability)) fail("has a returns that is not a class made by capability()");
	const { output, title, description } = fields;
	for (const [key, text] of Object.entries({
		title,
		description
	})) if (text !== void 0 && typeof text !== "string") fail(`has a ${key} that is not text`);
	if (output !== void 0) checkAnySchema(output, `${method}: output`);
	if (!isHelped && plain && classes.length > 0) fail("has both plain and returns: remove one");
}
function checkFlag(key, value, fail) {
	if ([
		true,
		false,
		void 0
	].includes(value)) return;
	fail(`has a ${key} of ${String(value)}: write true or false`);
}
/** Returns whether another copy of the package has made a class of capabilities. */
function isForeignCapability(schema) {
	return typeof schema === "function" && CAPABILITY_CLASS in schema && !isCapability(schema);
}
/**
* @param schema - a schema that no feature has made
* @throws TypeError for a schema that would not be checked, and for a class of another copy of the package
*/
function checkArgument(schema, path) {
	if (isForeignCapability(schema)) throw new TypeError(`${path} is a class ${FOREIGN}`);
	checkAnySchema(schema, path, true);
}
/** @throws TypeError for an unknown name, or a value that would limit nothing, such as `NaN` */
function checkLimits(limits) {
	for (const [name, limit] of Object.entries(limits)) {
		if (limit === void 0) continue;
		if (!Object.hasOwn(DEFAULT_LIMITS, name)) throw new TypeError(`There is no limit ${name}: the limits are ${Object.keys(DEFAULT_LIMITS).join(", ")}`);
		if (typeof limit === "number" && limit >= 0) continue;
		throw new TypeError(`The limit ${name} is ${limit}: write a number of at least 0`);
	}
}
// src/server/base/development.ts
const { env, url } = import.meta;
/**
* Returns whether this code comes from a file of this machine: wrangler names that file in stacks, and Vite and Vitest in
* `import.meta.url`. In a deployed Worker, the bundle lies in no folder or in the folder `bundle`. `NODE_ENV` alone
* does not suffice: bundlers copy a shell's `NODE_ENV=development` into a deployment, and some set it by default.
* The host and `request.cf` do not help, since in `wrangler dev` both can be the host and the data of a deployment, and
* a contract is checked before there is a request.
*/
function isFromFile() {
	return /\bfile:\/\/\/(?!bundle\/)[^/\s]+\//.test(`${url} ${(/* @__PURE__ */ new Error()).stack}`);
}
/** @returns whether wrangler or Vite has bundled the code for development, not for a deployment or for tests */
function isDevelopment() {
	try {
		return process.env.NODE_ENV === "development" && isFromFile();
	} catch {
		return false;
	}
}
/** @returns whether the code runs in `wrangler dev`, in Vite's development server or in Vitest */
function isLocal() {
	return isDevelopment() || env?.DEV === true && isFromFile();
}
// src/server/diagnostics/refusing-contract.ts
/**
* Replaces a contract that has a mistake, during development. If its class could not be defined, `wrangler dev` would end.
*/
/**
* @param problem - the error that was thrown when the class was defined
* @param compile - compiles the contract without methods
* @param options - the options of the class
* @returns a contract that rejects every call, of any method, with the problem; `undefined` where the Worker does not
*   run in development
*/
function refusingContract(problem, compile, options) {
	if (!isDevelopment()) return void 0;
	console.error(problem);
	const methods = new RefusingMethods(problem);
	try {
		return {
			...compile(options),
			methods
		};
	} catch {
		return {
			...compile(options && {
				...options,
				limits: {},
				use: []
			}),
			methods
		};
	}
}
/** A map that has a method of any name. Each method rejects every call. */
var RefusingMethods = class extends Map {
	#problem;
	constructor(problem) {
		super();
		this.#problem = problem;
	}
	get(name) {
		const validate = () => {
			throw this.#problem;
		};
		return {
			name,
			kind: "call",
			readonly: true,
			validate,
			plain: false,
			feedback: {},
			input: []
		};
	}
};
// src/server/base/requests.ts
/** Distinguishes kinds of requests, for the router and the object. */
/** The header in which the router tells an object the path before the rest of a request's path. */
const OBJECT_PATH = "lumenize-rpc-path";
/** Returns a response that says why a request is rejected. */
function rejectionResponse(status, reason) {
	return new Response(reason, { status });
}
/** Returns the items of a header that is a list. */
function headerItems(header) {
	return header ? header.split(",").map((item) => item.trim()) : [];
}
/** Returns whether a request opens a WebSocket. Only GET can do so, whatever the headers are. */
function isUpgrade({ method, headers }) {
	return method === "GET" && headers.get("Upgrade")?.toLowerCase() === "websocket";
}
// src/server/base/probes.ts
/**
* Answers probes. A client sends a probe to ask why its upgrade was rejected, because a WebSocket does not tell the
* reason. The answer says what the client can do.
*/
/** Returns whether a request asks why an upgrade was rejected, which a WebSocket does not report. */
function isProbe({ method, headers }) {
	return method === "POST" && headers.has("lumenize-rpc-probe");
}
/** Matches a character that a subprotocol cannot contain. */
const FORBIDDEN$1 = /[^\w!#$%&'*+.^`|~-]/u;
/** Returns the subprotocols that a probe asks about. The client encodes them, since headers lack some characters. */
function probedProtocols({ headers }) {
	const items = headerItems(headers.get(PROBE));
	try {
		return items.map((item) => decodeURIComponent(item));
	} catch {
		return items;
	}
}
/**
* Explains to a client why it cannot have sent the upgrade that its probe asks about.
*
* @returns a response with the reason; `undefined` if the client may have sent the upgrade
*/
function rejectUnsendable(protocols) {
	const [wrong] = protocols.flatMap((protocol) => FORBIDDEN$1.exec(protocol) ?? []);
	const twice = protocols.find((protocol, index) => protocols.indexOf(protocol) < index);
	let problem;
	if (protocols.includes("")) problem = "contains an empty text";
	else if (twice !== void 0) problem = "contains a text twice";
	else if (wrong !== void 0) problem = `cannot contain ${JSON.stringify(wrong)}`;
	if (!problem) return void 0;
	return rejectionResponse(400, `The option 'protocols' ${problem}: use letters, digits and !#\$%&'*+-.^_\`|~, as base64url does`);
}
const BLOCKED = "HTTP works, but WebSockets do not: a proxy or a Content Security Policy (connect-src) blocks them, or there are none, as in Node 20 (option WebSocket). Use transport: 'http'";
const NO_ID = "The engine of the client has no crypto.getRandomValues: import a polyfill, such as react-native-get-random-values, before the client";
/** Answers a probe of an upgrade that the object would accept. */
function answerProbe(request) {
	const protocols = probedProtocols(request);
	const unsendable = rejectUnsendable(protocols);
	if (unsendable) return unsendable;
	if (protocols.some((protocol) => protocol.startsWith(`lumenize-rpc-client.`))) return rejectionResponse(426, BLOCKED);
	return rejectionResponse(400, NO_ID);
}
// src/server/diagnostics/failure.ts
/** Tells a developer why an object does not answer: for example, its constructor throws. */
/** The reasons that were printed. A client connects again and again, and each reason is printed only once. */
const printed = /* @__PURE__ */ new Set();
/** Advice for reasons. The first pattern that matches a reason counts. */
const ADVICE = [
	[/not declared to use SQLite|SQLite-backed/, "declare the class to use SQLite in the Wrangler configuration: with new_sqlite_classes in a migration, or with \"storage\": \"sqlite\" in its export"],
	[/SQLITE_ERROR/, "correct the SQL statement, for example in the last migration. A migration that failed has changed nothing. To begin without data, delete .wrangler/state"],
	[/fetch\(\)`? (?:function|handler)/, "export the class that lumenizeRpcDO returns, under its name in the Wrangler configuration, and not the class that you passed to lumenizeRpcDO"],
	[/internal error|no such actor class|not exported/, "export the class from the main module of the Worker, under its name in the Wrangler configuration"]
];
const CORRECT = "correct the code that throws the error, in the constructor or its blockConcurrencyWhile, and save. Open pages then connect again";
/**
* Answers a client in development and in tests, and prints the reason once, with what to do. In a deployed Worker, the
* error is thrown on, because a stranger must not learn the reason. Without this answer, a development server would answer
* with a page in HTML, and would not answer an upgrade.
*/
function explainFailure(error, request, binding) {
	if (!(isUpgrade(request) || isProbe(request) || request.headers.has("lumenize-rpc-client")) || !isLocal()) return void 0;
	const failure = printFailure(error, binding);
	return new Response(failure, { status: 501 });
}
/**
* If the Worker runs locally, prints once why an object fails, and what to do.
*
* @param error - the error that was thrown
* @param name - the name of the binding or of the class
* @returns a sentence with the first line of the error
*/
function printFailure(error, name) {
	const [reason = ""] = String(error).split(/\n|; reference = /, 1);
	const failure = `The object of ${name} failed: ${reason}`;
	if (isLocal() && !printed.has(failure)) {
		printed.add(failure);
		const [, advice = CORRECT] = ADVICE.find(([pattern]) => pattern.test(reason)) ?? [];
		console.error(`${failure}\nWhat to do: ${advice}.`);
	}
	return failure;
}
// src/server/base/namespaces.ts
/** The Durable Objects that the segments of a path name. */
/** The beginning of the names of instances that are reserved for the runtime. No client can name such an instance. */
const LIBRARY_NAMES = "__rpc";
/** Returns the decoded segment; `undefined` if the segment is missing, empty or malformed. */
function decodeSegment(segment) {
	try {
		return segment ? decodeURIComponent(segment) : void 0;
	} catch {
		return;
	}
}
/** Returns the binding with the exact name, or else all bindings whose names differ only in case and separators. */
function findNamespaces(env, segment, bindings) {
	const name = decodeSegment(segment);
	if (!name) return [];
	const isListed = (key) => bindings?.includes(key) ?? true;
	const exact = Object.hasOwn(env, name) && env[name];
	if (isNamespace(exact) && isListed(name)) return [[name, exact]];
	return namespacesOf(env).filter(([key]) => isListed(key) && spelling(key) === spelling(name));
}
/** Returns all Durable Object bindings with their names. */
function namespacesOf(env) {
	return Object.entries(env).filter(([, value]) => isNamespace(value));
}
function spelling(name) {
	return name.replaceAll(/[-_]/g, "").toLowerCase();
}
/** Checks the prototype, because a service binding seems to have every property. */
function isNamespace(value) {
	return isObject(value) && "idFromName" in (Object.getPrototypeOf(value) ?? {});
}
/** Returns the id of an instance; `undefined` if the instance has the form of an id but is no id of this namespace. */
function objectIdOf(namespace, instance) {
	if (!/^[0-9a-f]{64}$/i.test(instance)) return namespace.idFromName(instance);
	try {
		return namespace.idFromString(instance.toLowerCase());
	} catch {
		return;
	}
}
// src/server/diagnostics/not-found.ts
/** Tells a developer why the path of a client names no binding. */
/** The bindings that any router of the Worker has found. A router may leave out bindings that another router lists. */
const routedBindings = /* @__PURE__ */ new Set();
/**
* Answers a client of the runtime in development and in tests. A stranger must not learn the names of the bindings,
* and the Worker may have its own route for any other request.
*
* @param segments - the segments of the path after the prefix: a binding, an instance and `call`. A client leaves out
*   empty segments.
*/
function explainNotFound({ headers }, env, segments) {
	const isProbe = headers.has(PROBE);
	const [segment] = segments;
	if (!segment || !(isProbe || headers.has("lumenize-rpc-client")) || !isLocal()) return void 0;
	const [unlisted] = findNamespaces(env, segment)[0] ?? [];
	if (unlisted && (routedBindings.has(unlisted) || !isProbe)) return void 0;
	let problem = unlisted ? `The option bindings of routeDORequest leaves ${unlisted} out: add it there` : unknown(decodeSegment(segment) ?? segment, env);
	if (segments.length < 3) problem = "The client's binding or instance is empty";
	return new Response(problem, { status: 404 });
}
function unknown(name, env) {
	const bindings = namespacesOf(env).map(([binding]) => binding);
	return `No Durable Object binding is named ${name.slice(0, 50)}: correct it, or add it to wrangler.jsonc. There are ${bindings.join(", ") || "none"}`;
}
// src/server/diagnostics/likely-error.ts
/**
* Chooses the failure of a value to report, in bundles for development. A value that fits no member of a union has a
* failure for each member, and the first failure is often about a member that was not meant.
*/
/**
* The descriptions of checks. A schema is described by the checks of its properties, and a reference by the check that
* it leads to.
*/
const described = /* @__PURE__ */ new WeakMap();
/** Remembers the properties of a schema. `likelyFailure` looks among them for a property such as `kind`. */
function describeCheck(check, description) {
	described.set(check, description);
}
/** Follows the members of unions that were most likely meant. */
function likelyFailure(failure) {
	return remembering(() => likely(failure));
}
function likely(failure) {
	const { inner, key, members, value, expectation } = failure;
	if (inner && key !== void 0) return failedAt(key, likely(inner), expectation);
	if (!members) return failure;
	const refusals = [];
	const meant = [];
	for (const [index, found] of members.entries()) {
		const member = found.members ? likely(found) : found;
		const refusal = isRefusal(member) ? member : refusalOf(failure.operand[index], value);
		if (refusal) refusals.push(refusal);
		else meant.push(member);
	}
	const best = meant.find((member) => member.inner?.expectation !== REQUIRED) ?? meant[0];
	return best ? likely(best) : together(refusals, failure);
}
/** Returns whether a failure shows that a member was not meant: the value is of another type, or another constant. */
function isRefusal({ expectation, inner }) {
	return inner === void 0 && expectation.options !== void 0;
}
/** Returns the failure of a property such as `kind` that has the value of another member, so this member was not meant. */
function refusalOf(check, value) {
	for (const [name, property] of propertiesOf(check)) {
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) continue;
		const failure = property(value[name]);
		if (failure && isRefusal(failure) && failure.expectation !== KEYWORDS["type"]) return failedAt(name, failure);
	}
}
function propertiesOf(check) {
	const description = check && described.get(check);
	return typeof description === "function" ? propertiesOf(description()) : description ?? [];
}
/**
* Joins the refusals of all members into one failure. Refusals about a property say more than other refusals, so only
* they count if there are any.
*/
function together(refusals, union) {
	const deepest = refusals.find(({ inner }) => inner) ?? refusals[0];
	if (!deepest) return union;
	const options = refusals.filter(({ key }) => key === deepest.key).map((refusal) => refusal.inner ?? refusal).flatMap(({ expectation, operand }) => expectation.options?.(operand) ?? []);
	const leaf = {
		...deepest.inner ?? deepest,
		expectation: { options: () => options }
	};
	return deepest.key === void 0 ? leaf : failedAt(deepest.key, leaf);
}
// src/server/diagnostics/hot-updates.ts
/**
* Tells objects that their code has changed. Vite's development server evaluates a changed module at once, but it makes a
* new instance of the class only when the object gets its next event. Open pages would wait for that event.
*/
/** The environments of the objects in memory, by the name of their class and by their ids. */
const objects = /* @__PURE__ */ new Map();
/**
* Remembers an instance, which may replace an older instance.
*
* @param closeSocketsOfOthers - closes the sockets that belong to an older instance
*/
function afterConstruction(name, instance, closeSocketsOfOthers) {
	if (!isDevelopment()) return;
	const { ctx, env } = instance;
	const known = objects.get(name) ?? /* @__PURE__ */ new Map();
	objects.set(name, known.set(`${ctx.id}`, env));
	closeSocketsOfOthers(instance);
}
/** Wakes the objects of a class that is defined again. Each then has a new instance, which closes the old sockets. */
function afterDefinition(name) {
	const known = objects.get(name) ?? [];
	objects.delete(name);
	for (const [id, env] of known) for (const [, namespace] of namespacesOf(env)) wake$1(namespace, id);
}
async function wake$1(namespace, id) {
	try {
		const found = objectIdOf(namespace, id);
		const request = {
			method: "POST",
			headers: { [PROBE]: "" }
		};
		if (found) await namespace.get(found).fetch("https://object/call", request);
	} catch {}
}
// src/server/diagnostics/missing-feature.ts
/** For each feature: the values or messages that need it, the text that brings it, and the place for the text. */
const NEEDS = {
	subscriptions: ["Subscriptions", "live(), events(), stream() or rows()"],
	"argument streams": ["Streams as arguments", "streamOf()"],
	callbacks: ["Functions as arguments", "callback()"],
	capabilities: ["Capabilities", "a class made by capability()"],
	presence: ["Presence messages", "presence()"],
	tracing: [
		"Traces",
		"use: [tracing]",
		"the options of the object"
	],
	bytes: [
		"Binary frames",
		"use: [bytes]",
		"the options of the object"
	]
};
function explainMissing(feature) {
	const [what, write, where = "the contract"] = NEEDS[feature];
	return `${what} are not supported by this object: add ${write} to ${where}`;
}
// src/server/diagnostics/origins.ts
/** Says on the console how to allow the origin of a page that was rejected. */
/** Rejected origins that the console has shown. */
const reported$1 = /* @__PURE__ */ new Set();
/** The maximum number of origins that the console shows. Anybody can invent more origins. */
const MAX_REPORTED = 100;
function reportOrigin(origin) {
	if (reported$1.has(origin) || reported$1.size >= MAX_REPORTED) return;
	reported$1.add(origin);
	console.warn(`Origin ${origin} is not allowed. To allow it: routeDORequest(…, { cors: { origin: ['${origin}'] } })`);
}
// src/server/diagnostics/row-keys.ts
/** Checks in development that the rows of a live value have the keys that its entry names. */
/**
* Checks that each row has a key, and that no two rows have equal keys.
*
* @param key - the property that identifies a row
* @throws RpcError `UNSERIALIZABLE` for a list with a row that has no key, or the key of another row. Values that are no
*   lists are not checked, since a method can return `null` for a list that does not exist.
*/
function checkRowKeys(method, value, key) {
	if (Array.isArray(value)) return checkList(method, value, key, "");
	if (value instanceof Map) for (const [name, list] of value) checkList(method, list, key, `.get(${typeof name === "string" ? JSON.stringify(name) : "..."})`);
	else if (typeof value === "object" && value !== null) for (const [name, list] of Object.entries(value)) checkList(method, list, key, propertyPath(name));
}
function checkList(method, list, key, path) {
	if (!Array.isArray(list)) return;
	const places = /* @__PURE__ */ new Map();
	for (const [index, row] of list.entries()) {
		const own = row?.[key];
		const rowPath = `${path}[${index}]`;
		const fail = (problem) => {
			throw rejection("UNSERIALIZABLE", `${method}: the row ${rowPath} ${problem}`, { path: rowPath });
		};
		if (![
			"string",
			"number",
			"bigint"
		].includes(typeof own)) fail(`has no ${key} that is a string, a number or a bigint, and ${key} is the key of the rows`);
		const other = places.get(own);
		if (other !== void 0) fail(`has the same ${key} as the row ${path}[${other}]: each row needs its own key`);
		places.set(own, index);
	}
}
// src/server/diagnostics/output.ts
/** The words for the values that the methods of each kind send, in messages. */
const SENT = {
	call: "The result",
	live: "The value",
	events: "An event",
	stream: "An item",
	rows: "A row",
	presence: "The value"
};
/** Makes the function that checks the values which a method sends; `undefined` if there is nothing to check. */
function outputChecker(method, { kind, key }, validator) {
	const rowKey = kind === "live" ? key : void 0;
	if (!isLocal() || !validator && rowKey === void 0) return void 0;
	return (sent, index) => {
		const [issue] = validator?.validate(sent).issues ?? [];
		if (issue) {
			const path = (index === void 0 ? "" : `[${index}]`) + issue.path;
			throw rejection("UNSERIALIZABLE", `${`${SENT[kind]} of ${method} does not match its output schema`}: ${path || "it"} ${issue.message}`, { path });
		}
		if (rowKey !== void 0) checkRowKeys(method, sent, rowKey);
	};
}
// src/server/diagnostics/platform.ts
/** Rejects a platform that is older than the package supports, in bundles for development and tests. */
/** @throws TypeError for a Worker whose compatibility date is before 2024-09-26 */
function checkPlatform() {
	if (Symbol.toStringTag in URL.prototype) return;
	throw new TypeError("lumenize-rpc needs a compatibility date of 2024-09-26 or later: set compatibility_date in the Wrangler configuration");
}
// src/server/diagnostics/writes.ts
/** Tells in development that a volatile method has written to the storage. */
/** The methods that were reported. */
const reported = /* @__PURE__ */ new WeakSet();
/**
* Returns a wrapper for a volatile method, which prints a warning if the method has written a row before it returned. Rows
* that an asynchronous method writes after an `await` cannot be told from the rows of other methods.
*
* @param instance - the object
* @param method - a warning is printed once for each method
* @returns `undefined` for other methods, and where the Worker is deployed
*/
function watchWrites(instance, method) {
	if (!method.volatile) return void 0;
	const { ctx } = instance;
	if (!ctx || reported.has(method) || !isLocal()) return void 0;
	return (run) => function(...args) {
		const before = changesIn(ctx);
		try {
			return Reflect.apply(run, this, args);
		} finally {
			if (changesIn(ctx) !== before) {
				reported.add(method);
				console.warn(`${method.name} is volatile, but has written to the storage. If the connection is lost during a call, the client does not learn whether the call has run. Remove volatile from its entry, so that each call runs once`);
			}
		}
	};
}
/** Returns the number of rows that were written since the object woke; 0 for an object without SQLite. */
function changesIn({ storage }) {
	try {
		return storage.sql.exec("SELECT total_changes() AS changes").one()["changes"];
	} catch {
		return 0;
	}
}
// src/server/diagnostics/explanations.ts
/**
* The functions that explain mistakes to a developer. Bundles for development and for tests have them. A bundle for
* production has none of them, so its errors only say where something is wrong, and what was expected.
*/
const ALL = {
	addHint: addHint$1,
	adviseKeyword,
	afterConstruction,
	afterDefinition,
	explainFailure,
	explainMissing,
	explainNotFound,
	explainSchema,
	checkArgument,
	checkEntry,
	checkLimits,
	checkPlain,
	checkPlatform,
	checkSchema: checkAnySchema,
	describeCheck,
	isLocal,
	likelyFailure,
	nearest,
	outputChecker,
	printFailure,
	refusingContract,
	reportOrigin,
	routedBindings,
	watchWrites
};
/** All explanations; `undefined` in production. */
let explanations;
try {
	if (process.env.NODE_ENV !== "production") explanations = ALL;
} catch {}
// src/server/schemas/standard.ts
/** Makes validators from schemas of other libraries than TypeBox: see `base/standard-schema.ts`. */
/** The maximum length of a library's message, in characters. A message can contain the value that a client has sent. */
const MAX_MESSAGE = 500;
/**
* Makes the validator of a schema. The value that the schema returns replaces the argument. If the schema throws an
* error, or returns a promise or nothing, this is an issue of the argument.
*
* @param explain - left out in production
*/
function standardValidator(schema, explain) {
	return { validate(value) {
		let outcome;
		try {
			outcome = schema["~standard"].validate(value);
			const result = Object(outcome);
			if (result.issues) return { issues: [issueOf(result.issues[0])] };
			if ("value" in result) return { value: result.value };
			Promise.resolve(outcome).catch(() => {});
		} catch (error) {
			outcome = error;
		}
		return { issues: [{
			path: "",
			message: `could not be checked by its schema${explain ? `: ${explain(schema, value, outcome)}` : ""}`
		}] };
	} };
}
function issueOf(issue) {
	let path = "";
	for (const step of issue?.path ?? []) {
		const key = Object(step).key ?? step;
		if (typeof key === "object") break;
		path += propertyPath(String(key));
	}
	const problem = String(issue?.message ?? "no reason was given").slice(0, MAX_MESSAGE);
	return {
		path,
		message: `is not valid: ${problem}`
	};
}
// src/server/contract/make-validator.ts
/** Makes the validator of a schema, whatever library the schema is from. */
/**
* Makes the validator of a schema.
*
* @param where - names the schema in errors
* @param explain - explains mistakes in the schema; left out in production
* @throws TypeError for a value that is no schema, and for a schema that would not be checked as it is written
*/
function makeValidator(schema, where, explain = explanations?.checkSchema) {
	explain?.(schema, where);
	if (isStandard(schema)) return standardValidator(schema, explanations?.explainSchema);
	return jsonValidator(schema, where, explanations);
}
// src/server/contract/compile-contract.ts
function isReserved(name) {
	const reserved = ` ${RUNTIME_NAMES} ${PATH_NAMES} ${CLIENT_NAMES} `;
	return name in Object.prototype || reserved.includes(` ${name} `);
}
/**
* Compiles a contract. Call it at module scope, so that a mistake in it is found when the Worker starts.
*
* @param contract - an entry for each method. An entry is a list of schemas (of TypeBox, or of a library with Standard
*   Schema), the result of `read`, `volatile`, `internal`, `live`, `events`, `stream` or `rows`, or an object
*   `{ input, readonly, volatile, plain, returns, output, title, description }`.
* @param options - limits, hibernation, the journal and others, as for `lumenizeRpcDO`: see `ContractOptions`. Default:
*   none.
* @returns the compiled contract for `handleRpcRequest`, `handleRpcMessage` and `handleRpcClose`
* @throws TypeError for a malformed contract: for example a reserved method name, a limit that would limit nothing, or a
*   schema with a keyword, a type or a format that would not be checked. In a bundle for development or tests, the error
*   says what to write, and an unknown key is an error, too.
* @example
* const contract = compileContract({ increment: [Type.Optional(Type.Integer())] });
*/
function compileContract(contract, options = {}) {
	explanations?.checkPlatform();
	explanations?.checkLimits(options.limits ?? {});
	const { methods, internal, capabilities, features } = compileMethods(contract, usedBy(options));
	const exposeErrorDetails = explanations?.isLocal() ?? false;
	return {
		...withDefaults({
			...DEFAULTS,
			exposeErrorDetails
		}, options),
		"~copy": PACKAGE_COPY,
		methods,
		internal,
		capabilities,
		limits: limitsWith(options.limits),
		...tablesOf([...features], options)
	};
}
/** @throws TypeError for a value in `onCall` or `use` that is no feature */
function usedBy({ use = [], onCall }) {
	const used = use.map((featured, index) => usedFeature(featured, `use[${index}]`));
	return onCall ? [usedFeature(onCall, "onCall"), ...used] : used;
}
function usedFeature(featured, option) {
	const feature = featureOf(featured);
	if (feature) return feature;
	throw new TypeError(`${option} in the options is not a feature, such as bytes or reportCalls(…)`);
}
/** The defaults of all options except `limits` and `exposeErrorDetails`. */
const DEFAULTS = {
	hibernate: true,
	journal: true,
	journalAge: 36e5,
	callbackTimeout: 3e4,
	streamTimeout: 6e4
};
/** Collects the parts of a contract's features into tables. A feature that the contract does not use has no entry. */
function tablesOf(features, { onError }) {
	const all = (name) => features.map((feature) => feature[name]).filter((part) => part !== void 0);
	return {
		features,
		messages: new Map(all("messages").flatMap(Object.entries)),
		references: new Map(all("references").flatMap(Object.entries)),
		referenceOf: all("referenceOf")[0],
		frames: all("frames")[0] ?? textFrameCodec,
		targets: all("targets")[0],
		request: all("request")[0],
		afterChange: joined$1(all("afterChange")),
		onFrame: joined$1(all("onFrame")),
		around: composeAround([...all("around"), ...onError ? [replaceErrorsBy(onError)] : []])
	};
}
/** Joins hooks into one. An error of a hook is printed to the console, and does not affect the other hooks. */
function joined$1(hooks) {
	if (hooks.length === 0) return void 0;
	return (...about) => {
		for (const hook of hooks) try {
			hook(...about);
		} catch (error) {
			console.error(error);
		}
	};
}
/** @throws TypeError for a name that is not a method of the class */
function checkListed(Class, names) {
	for (const name of names) {
		if (typeof Class.prototype[name] === "function") continue;
		throw new TypeError(`The contract lists ${name}, which is not a method of the class`);
	}
}
/**
* @param used - the features of all methods, in addition to the features of each entry
* @throws TypeError for the mistakes that `compileContract` rejects
*/
function compileMethods(contract, used = []) {
	const methods = /* @__PURE__ */ new Map();
	const internal = /* @__PURE__ */ new Map();
	const capabilities = /* @__PURE__ */ new Map();
	const features = /* @__PURE__ */ new Set();
	for (const feature of used) collectFeature(feature, features);
	for (const [name, entry] of Object.entries(contract)) {
		if (isReserved(name)) throw new TypeError(`The contract lists ${name}, which is a reserved name: rename the method`);
		explanations?.checkEntry(name, entry);
		const long = methodDefinition(name, entry);
		const brought = broughtBy(long);
		for (const feature of brought) collectFeature(feature, features);
		(entry.internal ? internal : methods).set(name, compileMethod(name, long, /* @__PURE__ */ new Set([...brought, ...used])));
		for (const Class of [...long.returns, ...long.input.filter(isCapability)]) {
			const capability = compiledCapability(Class);
			declare(capability, capabilities);
			for (const feature of capability.features) collectFeature(feature, features);
		}
	}
	return {
		methods,
		internal,
		capabilities,
		features
	};
}
/**
* Returns the features that an entry brings: by its kind, by a class, or by a schema, also inside of another schema.
*/
function broughtBy({ feature, input, returns }) {
	const brought = new Set(feature ? [feature] : []);
	const visit = (schema) => {
		const found = featureOf(schema);
		if (found) brought.add(found);
		if (isStandard(schema)) return;
		const { properties, items } = schema ?? {};
		for (const inner of Object.values(properties ?? {})) visit(inner);
		if (typeof items === "object") visit(items);
	};
	for (const schema of [...returns, ...input]) visit(schema);
	return brought;
}
/** Adds a capability, and the capabilities that its methods take and return. */
function declare(capability, capabilities) {
	for (const one of [capability, ...capability.capabilities.values()]) {
		if ((capabilities.get(one.name) ?? one) !== one) throw new TypeError(`Two capability classes have the name ${one.name}: rename one`);
		capabilities.set(one.name, one);
	}
}
function compileMethod(name, entry, features) {
	const { input: schemas, readonly, plain, output } = entry;
	const validators = schemas.map((schema, index) => validatorOf(schema, name, index));
	const optional = schemas.map((schema) => !isStandard(schema) && "~optional" in schema);
	const ofFeatures = /* @__PURE__ */ new Map();
	for (const feature of features) {
		const known = feature.compile?.(name, entry, validators);
		if (known) ofFeatures.set(feature.name, known);
	}
	const all = [...ofFeatures.values()];
	const binds = all.filter(({ bind }) => bind);
	const validatesWhileRunning = all.some((known) => known.validatesWhileRunning);
	return {
		...entry,
		name,
		readonly: readonly && !validatesWhileRunning,
		plain: plain && (explanations?.isLocal() ? "checked" : "unchecked"),
		feedback: { name },
		features: ofFeatures.size > 0 ? ofFeatures : void 0,
		validatesWhileRunning,
		subscribableResult: all.find(({ subscribableResult }) => subscribableResult)?.subscribableResult,
		bind: binds.length > 0 ? (args, on, resources) => binds.reduce((bound, known) => known.bind?.(bound, on, resources) ?? bound, args) : void 0,
		checkOutput: explanations?.outputChecker(name, entry, output && makeValidator(output, `${name}: output`)),
		validate(args, first = 0) {
			if (args.length > validators.length) throw invalidArgument(name, `[${validators.length}]`, `takes ${validators.length} arguments, got ${args.length}`);
			let valid = args;
			for (let index = first; index < validators.length; index++) {
				const value = args[index];
				if (value === void 0 && optional[index]) continue;
				const made = validated(name, validators[index], value, `[${index}]`);
				if (made === value) continue;
				if (valid === args) valid = [...args];
				valid[index] = made;
			}
			return valid;
		}
	};
}
/** @throws TypeError for a value that is neither a schema nor an argument that a feature takes */
function validatorOf(schema, method, index) {
	const special = featureOf(schema)?.argument?.(schema, method, index);
	if (special && (typeof schema === "object" || isCapability(schema))) return special;
	return makeValidator(schema, `${method}: argument [${index}]`, explanations?.checkArgument);
}
// src/server/schemas/late-values.ts
/**
* Objects of a message whose contents are costly to make. The contents are made when a schema has accepted the value, or
* when the schema uses them.
*
* - A regular expression: V8 takes up to 10 µs for a character of its source.
* - A large Map or Set: a client can choose members that V8 puts into one bucket, and then each member takes longer than
*   the member before.
* - An array with holes: see `array-holes.ts`.
*
* Until then, the object is empty and has a prototype from this file. Each method of the prototype makes the contents
* first, except for methods that only need the parts as they were sent.
*/
/** Maps and Sets with up to this many parts are made at once. Even in one bucket, this costs less than parsing them. */
const SMALL$2 = 256;
/** A base class whose constructor returns its argument, so that the argument gets the private fields of a subclass. */
const Existing = function(object) {
	return object;
};
/**
* Adds a private field to an object. The field has the parts of the object as they were sent, until the contents are
* made. A WeakMap with many entries would be ten times slower.
*/
var Late = class extends Existing {
	#parts;
	constructor(object, parts) {
		super(object);
		this.#parts = parts;
	}
	/** Returns the parts of an object whose contents are not made; otherwise `undefined`. */
	static partsOf(object) {
		return #parts in object ? object.#parts : void 0;
	}
	static clear(object) {
		if (#parts in object) object.#parts = void 0;
	}
};
/** Postpones the making of an object's contents. */
function putOff(object, { prototype }, parts, unchecked) {
	Object.setPrototypeOf(object, prototype);
	new Late(object, parts);
	unchecked?.late.push(object);
}
/**
* Makes the contents of an object, unless it has them.
*
* @throws RpcError `BAD_MESSAGE` for an invalid regular expression
*/
function makeContents(object) {
	const parts = Late.partsOf(object);
	if (!parts) return;
	const { original, make } = classOf(object);
	Late.clear(object);
	Object.setPrototypeOf(object, original);
	make(object, parts);
}
/** Returns whether an object has no contents yet. */
function isLate(object) {
	return Late.partsOf(object) !== void 0;
}
/** Returns a class whose prototype is made with its first object, because making all prototypes takes 0.2 ms at start. */
function lateClass(original, make, reads) {
	let prototype;
	return {
		original,
		get prototype() {
			return prototype ??= latePrototype(original, reads);
		},
		make
	};
}
/** Makes the prototype that is put before the prototype of a class. */
function latePrototype(original, reads) {
	const prototype = Object.create(original);
	for (const key of Reflect.ownKeys(original)) {
		if (key === "constructor" || key === Symbol.toStringTag) continue;
		const read = Object.hasOwn(reads, key) ? reads[key] : void 0;
		Object.defineProperty(prototype, key, { get() {
			const parts = Late.partsOf(this);
			if (read && parts) return read(parts);
			makeContents(this);
			return Reflect.get(original, key, this);
		} });
	}
	return prototype;
}
function everySecond(parts, first) {
	return parts.filter((_, index) => index % 2 === first);
}
function pairs(parts) {
	const values = everySecond(parts, 1);
	return everySecond(parts, 0).map((key, index) => [key, values[index]]);
}
const SET = lateClass(Set.prototype, TAGS.get("Set")?.fill, {
	size: (members) => members.length,
	forEach: (members) => (act) => members.forEach((member) => act(member, member)),
	values: (members) => () => members.values(),
	keys: (members) => () => members.values(),
	entries: (members) => () => members.map((member) => [member, member]).values(),
	[Symbol.iterator]: (members) => () => members.values()
});
const MAP = lateClass(Map.prototype, TAGS.get("Map")?.fill, {
	size: (parts) => parts.length / 2,
	forEach: (parts) => (act) => pairs(parts).forEach(([key, value]) => act(value, key)),
	values: (parts) => () => everySecond(parts, 1).values(),
	keys: (parts) => () => everySecond(parts, 0).values(),
	entries: (parts) => () => pairs(parts).values(),
	[Symbol.iterator]: (parts) => () => pairs(parts).values()
});
const REG_EXP = lateClass(RegExp.prototype, compile$1, {
	source: ([source]) => source,
	flags: ([, flags]) => flags
});
/** Changes a regular expression that other values refer to already. `compile` is the only way to do so. */
function compile$1(regExp, [source, flags]) {
	try {
		regExp.compile(source, flags);
	} catch {
		throw new RpcError("BAD_MESSAGE", "Malformed value");
	}
}
function classOf(object) {
	if (object instanceof Set) return SET;
	return object instanceof Map ? MAP : REG_EXP;
}
/** Makes the `fill` of a Map or a Set, which leaves a large object empty. */
function fillLater(late) {
	return (made, parts, unchecked) => {
		if ((late === SET || parts.length % 2 === 0) && parts.length > SMALL$2) putOff(made, late, parts, unchecked);
		else late.make(made, parts);
	};
}
/** The maximum number of digits of a bigint. V8 takes 60 ms for it, and more for each digit of a longer bigint. */
const MAX_DIGITS = 1e6;
/** V8's property, which the types of Workers lack. */
const engine$1 = Error;
const OWN_TAGS = {
	Map: { fill: fillLater(MAP) },
	Set: { fill: fillLater(SET) },
	RegExp: { make(parts, unchecked) {
		const regExp = /* @__PURE__ */ new RegExp("");
		putOff(regExp, REG_EXP, [requireText(parts[0]), requireText(parts[1])], unchecked);
		return regExp;
	} },
	BigInt: { make(parts) {
		if (requireText(parts[0]).length > MAX_DIGITS) limitExceeded("digits of a bigint", MAX_DIGITS);
		return TAGS.get("BigInt")?.make(parts);
	} },
	Sparse: { fill(array, parts, unchecked) {
		TAGS.get("Sparse").fill(array, parts);
		unchecked?.sparse.add(array);
	} },
	Error: { make(parts) {
		const { stackTraceLimit } = engine$1;
		engine$1.stackTraceLimit = 0;
		try {
			return createError(parts);
		} finally {
			engine$1.stackTraceLimit = stackTraceLimit;
		}
	} }
};
/** The tags with late contents, which are made with the first value that is not plain. */
let lateTags;
/** Returns an empty record of the decoder's findings, for a value that is about to be decoded. */
function uncheckedValue() {
	lateTags ??= new Map(Array.from(TAGS, ([name, tag]) => [name, {
		...tag,
		...OWN_TAGS[name]
	}]));
	return {
		tags: lateTags,
		late: [],
		sparse: /* @__PURE__ */ new Set(),
		isShared: false
	};
}
// src/server/schemas/array-holes.ts
/**
* Validates values that are not complete yet.
*
* - Arrays with holes. The check of a library or of `Type.Refine` may not look at a hole, but code that reads the array gets
*   `undefined` there. So the schema has to allow `undefined`.
* - Objects without their contents: see `late-values.ts`.
*/
/** The incomplete parts of decoded values. Most values are complete, and have no entry. */
const incomplete = /* @__PURE__ */ new WeakMap();
/** Stores the incomplete parts of a value, at any depth. */
function rememberIncomplete(value, { sparse, late }) {
	if (sparse.size > 0 || late.length > 0) incomplete.set(value, {
		sparse,
		late
	});
}
/** Finds the arrays with holes in a value that no message contained. */
function findSparse(value) {
	const sparse = /* @__PURE__ */ new Set();
	const parts = /* @__PURE__ */ new Set([value]);
	for (const part of parts) {
		if (typeof part !== "object" || part === null || ArrayBuffer.isView(part)) continue;
		if (Array.isArray(part) && hasHoles(part)) sparse.add(part);
		const inner = part instanceof Map ? [...part].flat() : part instanceof Set ? part : Object.values(part);
		for (const one of inner) if (typeof one === "object") parts.add(one);
	}
	return sparse;
}
function hasHoles(array) {
	return array.includes(void 0) && firstHole(array) < array.length;
}
function firstHole(array) {
	let index = 0;
	while (index in array) index++;
	return index;
}
function holesOf(array) {
	const holes = [];
	for (const index of array.keys()) if (!(index in array)) holes.push([array, index]);
	return holes;
}
/**
* Validates a value. Holes read as `undefined` during the validation. The value is first validated with one hole of each
* array, and without the contents that are late. If it fits its schema, the missing parts are made, and it is validated
* again.
*
* @param value - a value; if it is incomplete, `rememberIncomplete` was called for it
* @param staysFilled - whether parts of the value are validated later
*/
function validateComplete(value, validate, staysFilled = false) {
	const { sparse, late } = incomplete.get(value) ?? COMPLETE;
	const firsts = Array.from(sparse, (array) => [array, firstHole(array)]).filter(([array, index]) => index < array.length);
	const result = filled(firsts, validate);
	if (firsts.length === 0 && !late.some(isLate)) return result;
	late.forEach(makeContents);
	return filled([...sparse].flatMap(holesOf), validate, staysFilled);
}
const COMPLETE = {
	sparse: /* @__PURE__ */ new Set(),
	late: []
};
function filled(holes, validate, staysFilled = false) {
	for (const [array, index] of holes) array[index] = void 0;
	try {
		return validate();
	} finally {
		if (!staysFilled) for (const [array, index] of holes) delete array[index];
	}
}
// src/server/base/caller.ts
/**
* The caller of a method. A hook of the router names the caller in a field of `request.cf`, which no header can set. The
* object stores the caller in the socket's attachment, so it survives hibernation.
*/
const RUNNING = Symbol.for("lumenize-rpc.running");
const running = globalThis[RUNNING] ??= {
	caller: void 0,
	hasBeenAsked: false
};
/**
* Names the caller of all calls that a request, or the socket that it opens, carries.
*
* @param request - the request that a hook of `routeDORequest` received
* @param caller - JSON data, stored with the socket. Its text and `identity` together have at most 4 000 characters.
*   Without `identity`, the text of `caller` counts twice, so it has at most 2 000.
* @param identity - text that stays unchanged when a user connects again. Default: the JSON text of `caller`. Pass it if
*   `caller` contains something that changes, such as the expiry of a token. A client that connects again with another
*   identity is rejected with `FORBIDDEN`. Visitors may share an identity, such as `guest`. A visitor is then not barred
*   for the rejected messages of another visitor.
* @returns the request to return from the hook
* @throws RangeError for a caller that is too large
* @example
* onBeforeConnect: async (request) => {
*   const { user, expires } = await claimsOf(request);
*   return withCaller(request, { user, expires }, user);
* }
*/
function withCaller(request, caller, identity) {
	return withField(request, withIdentity(caller, identity));
}
/** Removes the caller from a request, so that only a hook can name a caller. */
function withoutCaller(request) {
	return namedIn(request) ? withField(request, void 0) : request;
}
/** Returns the caller that `withCaller` put into a request; an empty object if `withCaller` was not called. */
function callerOf(request) {
	return namedIn(request) ?? {};
}
function namedIn({ cf }) {
	return cf?.[CALLER_FIELD];
}
function withField(request, value) {
	const cf = {
		...request.cf,
		[CALLER_FIELD]: value
	};
	return new Request(request, { cf });
}
/**
* Returns the caller of the running method, as a hook named it with `withCaller`.
*
* Call this before the first `await` of a method, because another call may be running afterwards.
*
* @returns the caller; `undefined` for native Workers RPC, or if no hook named a caller
* @example
* rename(name: string) { const { user } = currentCaller<{ user: string }>() ?? refuse(); … }
*/
function currentCaller() {
	running.hasBeenAsked = true;
	return running.caller;
}
/** Runs a function, and returns whether it called `currentCaller`. Errors of the function are thrown. */
function readsCaller(run) {
	running.hasBeenAsked = false;
	run();
	return running.hasBeenAsked;
}
/** Runs a method. Until it returns, `currentCaller` returns the given caller. */
function runAsCaller(caller, method, instance, args = []) {
	running.caller = caller;
	try {
		return Reflect.apply(method, instance, args);
	} finally {
		running.caller = void 0;
	}
}
// src/server/calls/call-context.ts
/** Runs calls, subscriptions and the code of the class inside of the hooks that surround them: `around` of `Feature`. */
/**
* Runs a call, or the start of a subscription, of a client.
*
* @param callee - the callee as received, so it can be any value
* @param arrival - left out for a subscription
* @returns the result of `run`; a promise of it if a hook that surrounds the call has awaited something
* @throws the error of `run`, or of a hook
*/
function surround(kind, id, callee, target, connection, arrival, run) {
	const { instance, contract } = target;
	const { around } = contract;
	if (!around) return run();
	const method = methodName(callee, contract);
	const { caller } = connection;
	const { arrivedAt, bytesIn, metadata, isReplayed } = arrival;
	return surroundBy(around, {
		kind,
		id,
		method,
		caller,
		connection,
		instance,
		arrivedAt,
		bytesIn,
		metadata,
		isReplayed
	}, run);
}
/** Runs a function inside of the hooks that surround it, and returns the function's result. */
function surroundBy(around, context, run) {
	let hasRun = false;
	let result;
	const ended = around(context, () => {
		hasRun = true;
		return result = run();
	});
	if (isThenable(ended)) return Promise.resolve(ended).then(() => {
		checkRan(hasRun, context);
		return result;
	});
	checkRan(hasRun, context);
	return result;
}
/** @throws TypeError for a hook that has not called `run` */
function checkRan(hasRun, { method }) {
	if (!hasRun) throw new TypeError(`A feature's around did not run ${method || "a call"}`);
}
/**
* Runs code of the class on behalf of a caller: a method, the snapshot of a feed, or the constructor of a capability.
*
* @param method - the name of the method, or of the class of the capability
* @returns the result, or its replacement
* @throws the error of the code, or its replacement
*/
function runClassCode(method, { instance, contract: { around } }, caller, run, on, args) {
	if (!around) return runAsCaller(caller, run, on, args);
	return around({
		kind: "run",
		method,
		caller,
		instance
	}, () => runAsCaller(caller, run, on, args));
}
/** Returns only names that the contract lists, so that a client cannot report any number of names. */
function methodName(callee, { methods, capabilities }) {
	if (typeof callee === "string") return methods.has(callee) ? callee : "";
	const [name] = Array.isArray(callee) ? callee : [];
	const classes = [...capabilities.values()];
	return typeof name === "string" && classes.some((one) => one.methods.has(name)) ? name : "";
}
// src/server/calls/native-calls.ts
/** The original method of each method that validates its arguments. */
const originals = /* @__PURE__ */ new WeakMap();
/**
* Wraps a method so that it validates its arguments.
*
* @param onRun - called before each run, and again when the promise that the method returns settles
*/
function checked(method, { validate, bind, checkOutput }, onRun) {
	const withCheck = function(...args) {
		rememberIncomplete(args, {
			sparse: findSparse(args),
			late: []
		});
		const valid = validateComplete(args, () => validate(args));
		onRun?.(this);
		const result = Reflect.apply(method, this, bind?.(valid, this, void 0) ?? valid);
		checkEventsOf(result, checkOutput);
		if (onRun && isThenable(result)) result.then(() => onRun(this), () => onRun(this));
		return result;
	};
	originals.set(withCheck, method);
	return withCheck;
}
/** Returns the original of a wrapped method, for arguments that are already validated; or the method itself. */
function uncheckedMethod(method) {
	return originals.get(method) ?? method;
}
/**
* Overrides methods with methods that validate their arguments.
*
* @param prototype - the prototype of a subclass of the class that has the methods
* @param onRun - the function for `checked`, which is not called for `readonly` methods
*/
function checkOnNativeCalls(prototype, methods, onRun) {
	const parent = Object.getPrototypeOf(prototype);
	for (const method of methods) {
		const { name, readonly } = method;
		if (Object.hasOwn(prototype, name)) continue;
		const value = checked(parent[name], method, readonly ? void 0 : onRun);
		Object.defineProperty(prototype, name, {
			value,
			configurable: true,
			writable: true
		});
	}
}
/**
* The context of class code; `undefined` unless a tool wraps a class. To enter it takes longer than the rest of a call.
*/
let classCode;
function makeContext() {
	const { process } = globalThis;
	const module = process?.getBuiltinModule?.("node:async_hooks");
	return module && new module.AsyncLocalStorage();
}
/** Runs code of the class. The methods that this code calls count as a part of it. */
function inClassCode(run) {
	return classCode ? classCode.run(true, run) : run();
}
/** V8's members, which the types of browsers lack. */
const engine = Error;
/**
* Returns whether a function or a constructor was called by other code, and not by the runtime. Applications and their
* tools change the length and the format of stacks, so the function sets both.
*/
function hasCaller(called) {
	const { stackTraceLimit, prepareStackTrace } = engine;
	engine.stackTraceLimit = 1;
	engine.prepareStackTrace = void 0;
	const callers = {};
	engine.captureStackTrace(callers, called);
	const stack = callers.stack ?? "";
	engine.prepareStackTrace = prepareStackTrace;
	engine.stackTraceLimit = stackTraceLimit;
	return /^ +at /m.test(stack);
}
/**
* Returns whether code of the class calls a method, and not the runtime. The runtime's call has no caller on the stack,
* unless a tool wraps the class.
*
* @param called - the function that the caller has called
*/
function isOwnCall(called) {
	return hasCaller(called) && (!classCode || classCode.getStore() === true);
}
/**
* Called when an object is constructed. A tool that wraps the class, as Vitest and Sentry do, constructs the object in
* place of the runtime. The context needs the compatibility flag `nodejs_compat`.
*/
function expectTools(_instance, Class) {
	if (!classCode && hasCaller(Class)) classCode = makeContext();
}
/** The prototypes whose methods are surrounded. */
const surrounded = /* @__PURE__ */ new WeakSet();
/**
* Surrounds the listed methods in native calls, and the alarm of the class. A method that the class itself calls is a part
* of the code that calls it.
*
* @param prototype - see `checkOnNativeCalls`
*/
function surroundNativeCalls(prototype, contract) {
	const { around, methods, internal } = contract;
	if (!around || surrounded.has(prototype)) return;
	surrounded.add(prototype);
	const members = prototype;
	const surround = (kind, name) => {
		const method = members[name];
		if (!method) return;
		const value = function(...args) {
			const run = () => Reflect.apply(method, this, args);
			if (kind !== "alarm" && isOwnCall(value)) return run();
			const context = {
				kind,
				method: name,
				caller: void 0,
				instance: this
			};
			return surroundBy(around, context, () => inClassCode(run));
		};
		originals.set(value, uncheckedMethod(method));
		Object.defineProperty(prototype, name, {
			value,
			configurable: true,
			writable: true
		});
	};
	for (const name of [...methods.keys(), ...internal.keys()]) surround("native", name);
	surround("alarm", "alarm");
}
/** The hooks of a feature that surrounds native calls, and whose `around` runs the code of the class by `inClassCode`. */
const nativeCalls = {
	onDefine: surroundNativeCalls,
	onConstruct: expectTools
};
// src/server/calls/capability-class.ts
/** Registers a class of capabilities with the contract that its methods have. */
/**
* Registers a class of capabilities. Its methods then validate their arguments also in calls through native Workers RPC.
*
* @param Class - a subclass of the class that has the methods
* @throws TypeError for the mistakes that `compileContract` rejects, and for a name that is not a method of the class
*/
function registerCapability(Class, { name, address, contract, feature, objectOf }) {
	const { methods, internal, capabilities, features } = compileMethods(contract);
	checkListed(Class, methods.keys());
	for (const method of internal.keys()) throw new TypeError(`The capability ${name} lists ${method} as internal: only the contract of an object can`);
	const { methods: constructors } = compileMethods({ [name]: address });
	const constructor = constructors.get(name);
	const compiled = {
		name,
		Class,
		address,
		checkAddress: (values) => void constructor.validate([...values]),
		methods,
		capabilities,
		features: /* @__PURE__ */ new Set([...features, feature])
	};
	checkOnNativeCalls(Class.prototype, methods.values(), (capability) => {
		const object = objectOf(capability);
		contractOf(object)?.afterChange?.(object);
	});
	Object.defineProperty(Class, "name", { value: name });
	Object.defineProperty(Class, CAPABILITY_CLASS, { value: true });
	Object.defineProperty(Class, "~feature", { value: feature });
	rememberCapability(Class, compiled);
	return compiled;
}
// src/server/base/parse-unchecked.ts
/**
* Parses JSON that a client sent. V8 keeps the short texts of JSON in a hash table, and the hash of a text of 8 to 10
* digits follows from its number alone. A client can choose such texts so that all have the same hash, and then each
* text takes longer to parse than the text before. So these texts are parsed with a mark before them, which is removed
* afterwards.
*/
/** Matches a text of 8 to 10 digits. Most frames have no such text, and cost no more than this search. */
const DIGITS = /"\d{8,10}"/;
const MARK = "#";
/**
* Matches the beginning of a text of 8 to 10 digits, and of a text that looks like a marked text. It does not match
* keys, which V8 does not put into that table. A quote after a backslash does not begin a text.
*/
const BEGINNING$1 = /(?<!\\)"(?=(?:#|\\u0023)*(?:\d|\\u003\d){8,10}"(?!\s*:))/g;
const MARKED = /^#+\d{8,10}$/;
/** Parses a frame as `parseFrame` does, and in linear time. */
function parseUnchecked(text) {
	if (typeof text !== "string" || !DIGITS.test(text)) return parseFrame(text);
	const marked = text.replace(BEGINNING$1, `"${MARK}`);
	const frame = parseFrame(marked);
	if (frame && marked.length > text.length) unmark(frame);
	return frame;
}
function unmark(root) {
	const parents = [root];
	for (let parent = parents.pop(); parent; parent = parents.pop()) if (Array.isArray(parent)) unmarkItems(parent, parents);
	else unmarkProperties(parent, parents);
}
function unmarkItems(items, parents) {
	for (let index = 0; index < items.length; index++) {
		const item = items[index];
		if (typeof item === "string") items[index] = unmarked(item);
		else if (isObject(item)) parents.push(item);
	}
}
function unmarkProperties(object, parents) {
	for (const key in object) {
		const value = object[key];
		if (typeof value === "string") {
			if (value.startsWith(MARK)) object[key] = unmarked(value);
		} else if (isObject(value)) parents.push(value);
	}
}
function unmarked(text) {
	return text.startsWith(MARK) && MARKED.test(text) ? text.slice(1) : text;
}
// src/server/schemas/path-to.ts
/** Finds a value in arguments, for errors about a value that no schema allows. */
/**
* Finds a value in arguments, for example a function or a stream.
*
* @param isSought - called with each value in the arguments
* @returns the path to the value, or to the Map or Set that contains it; `undefined` if there is none
*/
function pathTo(args, isSought) {
	const seen = /* @__PURE__ */ new Set();
	const search = (value, path) => {
		if (isSought(value)) return path;
		if (typeof value !== "object" || value === null || seen.has(value)) return void 0;
		seen.add(value);
		for (const [step, inner] of partsOf(value)) {
			const found = search(inner, path + step);
			if (found !== void 0) return found;
		}
	};
	return search(args, "");
}
/** Returns the parts of a value, each with its step in the path. */
function partsOf(value) {
	if (value instanceof Map || value instanceof Set) return [...value.entries()].flat().map((inner) => ["", inner]);
	if (ArrayBuffer.isView(value)) return [];
	return Object.getOwnPropertyNames(value).map((key) => {
		return [propertyPath(key), Object.getOwnPropertyDescriptor(value, key)?.value];
	});
}
// src/server/base/sizes.ts
/** Estimates the size of a message, as text and in memory. */
/** No message of our client is nested this deeply. */
const MAX_DEPTH = 2100;
/**
* Estimates the size of a part of a message: the characters of its text, plus the bytes beside the text. The estimate is
* never too large, so a client that keeps to a limit is not rejected.
*
* @param perValue - number that is added for each value, besides its characters
*/
function sizeOf$3(part, perValue = 0, depth = 0) {
	if (typeof part === "string") return part.length + perValue;
	if (!isObject(part)) return 1 + perValue;
	if (part instanceof ArrayBuffer) return part.byteLength;
	if (depth > MAX_DEPTH) return Infinity;
	let size = 2 + perValue;
	if (Array.isArray(part)) for (const inner of part) size += sizeOf$3(inner, perValue, depth + 1);
	else for (const [key, inner] of Object.entries(part)) size += key.length + sizeOf$3(inner, perValue, depth + 1);
	return size;
}
/** Estimates how many bytes of memory a parsed message takes. */
function weightOf(message) {
	return sizeOf$3(message, 24);
}
// src/server/calls/arguments.ts
/** Decodes the arguments of a call, and checks them against the limits. */
/**
* @param resolve - returns the value of a reference; left out for a call that contains no references
* @returns arguments that `validateComplete` completes
* @throws RpcError `BAD_MESSAGE` or `LIMIT_EXCEEDED`
*/
function decodeArgs(message, limits, resolve) {
	if (message.length === 2) return {
		args: [],
		weight: 0
	};
	const unchecked = message.length > 3 ? uncheckedValue() : void 0;
	const args = unchecked ? decodeRich(message[3], resolve, unchecked) : message[2];
	if (!Array.isArray(args)) badMessage("Arguments must be an array");
	if (args.length > limits.argumentCount) limitExceeded("argumentCount", limits.argumentCount);
	return {
		args,
		weight: checkValue(args, unchecked, limits)
	};
}
/**
* The maximum number of array holes in the arguments of one call, because 30 characters can name any number of holes.
*/
const MAX_HOLES = 2e3;
/**
* Decodes the answer of a callback or an item of a stream, in the form of an answer.
*
* @returns `{ result }`, which `validateComplete` completes; or `{ thrown }`, which no schema describes, so the missing
*   contents of its parts are made when they are used
* @throws RpcError `BAD_MESSAGE` or `LIMIT_EXCEEDED`
*/
function decodeSent(message, limits) {
	const [, form, list] = message;
	if (message.length < 3) {
		checkValue(form, void 0, limits);
		return { result: form };
	}
	const unchecked = uncheckedValue();
	const value = decodeRich(form === "rich" || form === "error" ? list : form, void 0, unchecked);
	checkValue(value, unchecked, limits);
	return form === "rich" ? { result: value } : { thrown: value };
}
/**
* Rejects a decoded value that is deeper or larger than the limits allow. Also rejects a property with the name
* `__proto__`, which would change the prototype of any object that it is copied to. An object that occurs twice
* counts twice, and a hole counts as well, because code that reads the value visits them that often. This check visits
* each object once, so it takes no longer than decoding. It remembers the missing contents of the value for the
* validation.
*
* @param unchecked - the findings of the decoder; `undefined` for a value from JSON.parse
* @returns an estimate of the bytes of memory that the value takes
* @throws RpcError `LIMIT_EXCEEDED` or `BAD_MESSAGE`
*/
function checkValue(value, unchecked, limits) {
	const walk = {
		limits,
		unchecked,
		known: unchecked?.isShared ? /* @__PURE__ */ new Map() : void 0,
		holes: 0,
		size: 0,
		deepest: 0
	};
	const count = countValues(value, 0, walk);
	if (count > limits.valueCount) limitExceeded("valueCount", limits.valueCount);
	if (unchecked) rememberIncomplete(value, unchecked);
	return walk.size + 24 * count;
}
/**
* @param isVisited - whether `part` is visited already, and has the form of plain data
* @returns the number of objects, primitives and holes
*/
function countValues(part, depth, walk, isVisited = false) {
	if (typeof part !== "object" || part === null) {
		if (typeof part === "string") walk.size += part.length;
		return 1;
	}
	const { limits } = walk;
	if (depth > limits.valueDepth) limitExceeded("valueDepth", limits.valueDepth);
	if (walk.unchecked && !isVisited) return visit(part, depth, walk, walk.unchecked);
	let count = 1;
	if (Array.isArray(part)) for (let index = 0; index < part.length; index++) {
		const item = part[index];
		if (typeof item === "object") count += countValues(item, depth + 1, walk);
		else {
			if (typeof item === "string") walk.size += item.length;
			count++;
		}
	}
	else for (const key in part) {
		if (key === "__proto__") badMessage("A property must not have the name __proto__");
		const inner = part[key];
		walk.size += key.length;
		if (typeof inner === "object") count += countValues(inner, depth + 1, walk);
		else {
			if (typeof inner === "string") walk.size += inner.length;
			count++;
		}
	}
	return count;
}
/** Counts an object of any class, which can occur twice. */
function visit(object, depth, walk, unchecked) {
	const { known, deepest } = walk;
	if (!known) return countParts(object, depth, walk, unchecked);
	const found = known.get(object);
	if (found) {
		const { valueDepth } = walk.limits;
		if (depth + found.height > valueDepth) limitExceeded("valueDepth", valueDepth);
		walk.deepest = Math.max(deepest, depth + found.height);
		return found.count;
	}
	const size = {
		count: 1,
		height: 0
	};
	known.set(object, size);
	walk.deepest = depth;
	size.count = countParts(object, depth, walk, unchecked);
	size.height = walk.deepest - depth;
	walk.deepest = Math.max(deepest, walk.deepest);
	return size.count;
}
/** Counts the parts of an object. An object of a class that is not named here has no parts that can be sent. */
function countParts(object, depth, walk, unchecked) {
	const plain = (part) => countValues(part, depth, walk, true);
	if (Array.isArray(object)) {
		checkHoles(object, walk, unchecked);
		return plain(object);
	}
	const prototype = Object.getPrototypeOf(object);
	if (prototype === Object.prototype || prototype === null) return plain(object);
	if (object instanceof Map) return plain([...object.keys(), ...object.values()]);
	if (object instanceof Set) return plain([...object]);
	if (object instanceof Error) {
		const { cause, errors } = object;
		return plain(object) + plain([cause, errors]) - 1;
	}
	if (object instanceof ArrayBuffer || ArrayBuffer.isView(object)) walk.size += object.byteLength;
	else if (object instanceof RegExp) walk.size += object.source.length;
	return 1;
}
function checkHoles(array, walk, { sparse, isShared }) {
	if (sparse.has(array)) {
		const { valueCount } = walk.limits;
		if (array.length > valueCount) limitExceeded("valueCount", valueCount);
		walk.holes += array.length - Object.keys(array).length;
		if (walk.holes > MAX_HOLES) limitExceeded("holes", MAX_HOLES);
	} else if (isShared && hasHoles(array)) sparse.add(array);
}
// src/server/base/client-key.ts
/**
* Returns a text that identifies a client by its id and its owner. The owner alone does not suffice, because a hook can
* give many visitors one owner. Returns `undefined` for a client without an id, which is known by its connection alone.
*/
function clientKeyOf({ owner, client }) {
	if (client === void 0) return void 0;
	return owner === void 0 ? `-${client}` : `${owner.length} ${owner}${client}`;
}
// src/server/base/per-object.ts
/** Values that a module keeps for each object. */
/**
* Makes a function that returns the value of an object. The value is made at the first call, and lives as long as the
* object. Mark a call of `perObject` as `@__PURE__`, so that a bundler can leave it out.
*
* @param make - makes the value; its second parameter is the second argument of the first caller
*/
function perObject(make) {
	const values = /* @__PURE__ */ new WeakMap();
	return (key, about) => {
		let value = values.get(key);
		if (value === void 0) values.set(key, value = make(key, about));
		return value;
	};
}
/** The reason that a client receives when it is closed because the object has no memory left. */
const OUT_OF_MEMORY = "The object is out of memory: see limits.memoryPerObject";
/** Returns the largest size of a message that is sent at once. */
function maxSentSize({ memoryPerObject }) {
	return memoryPerObject / 2;
}
/**
* Checks the size of a message before it is sent. A message that takes most of the object's memory would cause its
* client to be closed, and the client would connect and request the message again.
*
* @param what - the words for the message in the error
* @throws RpcError `LIMIT_EXCEEDED`
*/
function checkSentSize(size, what, limits) {
	const most = maxSentSize(limits);
	if (size > most) limitExceeded(`the size of ${what} (half of limits.memoryPerObject)`, most);
}
/** The account of an object, with the bytes that it holds for all of its clients. */
var ObjectMemory = class {
	limits = DEFAULT_LIMITS;
	/** The bytes that are held. */
	held = 0;
	clients = /* @__PURE__ */ new Map();
	/** Returns the account of the client that has the connection. */
	of(holder) {
		const key = clientKeyOf(holder) ?? holder;
		let memory = this.clients.get(key);
		if (!memory) this.clients.set(key, memory = new ClientMemory(this, key));
		memory.holders.add(holder);
		return memory;
	}
	forget(memory) {
		if (this.clients.get(memory.key) === memory) this.clients.delete(memory.key);
	}
	/**
	* Closes the clients that hold most until there is room.
	*
	* @param asking - the client that needs the room
	* @returns `false` if the asking client is the one that holds most
	*/
	makeRoom(bytes, asking) {
		while (this.held + bytes > this.limits.memoryPerObject) {
			let largest = asking;
			for (const memory of this.clients.values()) if (memory.releasable > largest.releasable) largest = memory;
			const before = largest.releasable;
			if (largest === asking || before <= asking.releasable + bytes) return false;
			largest.giveWay();
			if (largest.releasable >= before) return false;
		}
		return true;
	}
};
/** The account of a client: the bytes that the object holds for it, over all of its connections. */
var ClientMemory = class {
	/** The bytes that are held. */
	held = 0;
	key;
	holders = /* @__PURE__ */ new Set();
	/** The part of `held` that outlasts the connection. */
	#pinned = 0;
	#object;
	constructor(object, key) {
		this.#object = object;
		this.key = key;
	}
	/** True if further calls of the client have to be rejected. */
	get isFull() {
		return this.held > this.#object.limits.memoryPerClient;
	}
	/** The bytes that are released if the client is closed; 0 for a client without a connection. */
	get releasable() {
		return this.holders.size > 0 ? this.held - this.#pinned : 0;
	}
	/**
	* Adds bytes that can still be refused.
	*
	* @throws RpcError `LIMIT_EXCEEDED` beyond `memoryPerClient`; also beyond `memoryPerObject` if no client holds more
	*   than this client, which is then closed
	*/
	admit(bytes) {
		const { memoryPerClient, memoryPerObject } = this.#object.limits;
		if (this.held + bytes > memoryPerClient) limitExceeded("memoryPerClient", memoryPerClient);
		if (this.#object.held + bytes > memoryPerObject && !this.#object.makeRoom(bytes, this) && this.held + bytes > 65536) {
			this.giveWay();
			limitExceeded("memoryPerObject", memoryPerObject);
		}
		this.#change(bytes);
	}
	/** Adds bytes that exist already, such as an answer. */
	add(bytes) {
		this.#change(bytes);
		const object = this.#object;
		if (object.held <= object.limits.memoryPerObject) return;
		if (!object.makeRoom(0, this) && this.releasable > 65536) this.giveWay();
	}
	/** Marks bytes that stay when the connection is closed: arguments of a call that runs or waits. */
	pin(bytes) {
		this.#pinned += bytes;
	}
	release(bytes) {
		this.#change(-bytes);
		this.#forgetUnused();
	}
	/** Releases what the account holds for a connection that has ended. */
	leave(holder) {
		this.holders.delete(holder);
		this.#forgetUnused();
	}
	giveWay() {
		for (const holder of this.holders) holder.giveWay();
	}
	#change(bytes) {
		this.held += bytes;
		this.#object.held += bytes;
	}
	#forgetUnused() {
		if (this.held === 0 && this.holders.size === 0) this.#object.forget(this);
	}
};
const objectMemoryOf = /* @__PURE__ */ perObject(() => new ObjectMemory());
/** Returns the account of a client of an object. */
function memoryOf$1(instance, limits, holder) {
	const object = objectMemoryOf(instance);
	object.limits = limits;
	return object.of(holder);
}
/**
* Returns how many bytes an object holds for all of its clients, and for each client, which is named by a connection
* that it has or had.
*/
function heldMemoryOf(instance) {
	const { held, clients } = objectMemoryOf(instance);
	return {
		held,
		clients: Array.from(clients.values(), (memory) => ({
			holder: [...memory.holders].at(-1),
			held: memory.held
		}))
	};
}
/** Data that an object holds for all clients together and can fetch again. It has an account, as a client has. */
var CacheMemory = class {
	owner = void 0;
	client = void 0;
	#account;
	#sizes = /* @__PURE__ */ new Map();
	constructor(instance, limits) {
		this.#account = memoryOf$1(instance, limits, this);
	}
	/** Sets how many bytes an item takes. Beyond `memoryPerClient`, the largest items give way. */
	set(item, bytes) {
		const more = bytes - (this.#sizes.get(item) ?? 0);
		if (more === 0) return;
		if (bytes > 0) this.#sizes.set(item, bytes);
		else this.#sizes.delete(item);
		if (!item.giveWay) this.#account.pin(more);
		if (more > 0) this.#account.add(more);
		else this.#account.release(-more);
		for (let held = Infinity; this.#account.isFull && this.#account.held < held;) {
			held = this.#account.held;
			const [largest] = this.#droppable.toSorted(([, one], [, other]) => other - one);
			largest?.[0].giveWay?.();
		}
	}
	giveWay() {
		for (const [item] of this.#droppable) item.giveWay?.(true);
	}
	get #droppable() {
		return [...this.#sizes].filter(([item]) => item.giveWay);
	}
};
// src/server/journal/call-ids.ts
/** A compact set of call ids. Ids ascend, so the set consists of a few runs without gaps. */
/**
* The default for the maximum number of gaps in a set. A gap is a call that its client still awaits, or that has not
* arrived. Beyond this number the oldest gaps are closed, so that no client can make the set grow without limit.
*/
const MAX_GAPS = 2e3;
var CallIds = class {
	/** The first and the last id of each run, ascending. */
	#edges;
	#maxGaps;
	/** @param edges - the `edges` of another set; the array is not copied */
	constructor(edges = [], maxGaps = MAX_GAPS) {
		this.#edges = edges;
		this.#maxGaps = maxGaps;
	}
	/** Returns the set in the form that the constructor takes. */
	get edges() {
		return this.#edges;
	}
	has(id) {
		if (id > this.#newest) return false;
		const start = this.#firstRunEndingAt(id);
		return id >= (this.#edges[start] ?? Infinity);
	}
	/**
	* Adds all ids of a range, both ends included.
	*
	* @returns whether any id of the range is new
	*/
	add(first, last = first) {
		if (first > last) return false;
		const edges = this.#edges;
		if (first >= (edges[edges.length - 2] ?? Infinity) && first <= this.#newest + 1) {
			if (last <= this.#newest) return false;
			edges[edges.length - 1] = last;
			return true;
		}
		const start = this.#firstRunEndingAt(first - 1);
		if (first >= (edges[start] ?? Infinity) && last <= edges[start + 1]) return false;
		let end = start;
		while ((edges[end] ?? Infinity) <= last + 1) end += 2;
		const merged = end > start ? [Math.min(first, edges[start]), Math.max(last, edges[end - 1])] : [first, last];
		edges.splice(start, end - start, ...merged);
		if (edges.length > 2 * this.#maxGaps) edges.splice(1, 2);
		return true;
	}
	/** Adds single ids, in any order and with repetitions. 10 000 of them take 8 ms at most. */
	addAll(ids) {
		for (const id of ids.toSorted((one, other) => one - other)) this.add(id);
	}
	/** Returns the last id of the last run. Most ids that are looked up or added are newer. */
	get #newest() {
		const edges = this.#edges;
		return edges.length > 0 ? edges[edges.length - 1] : -Infinity;
	}
	/** Returns the index in `edges` of the first run that ends at `id` or later. */
	#firstRunEndingAt(id) {
		const edges = this.#edges;
		let low = 0;
		let high = edges.length / 2;
		while (low < high) {
			const middle = low + high >> 1;
			if (edges[2 * middle + 1] < id) low = middle + 1;
			else high = middle;
		}
		return 2 * low;
	}
};
// src/server/journal/kept-answers.ts
var KeptAnswers = class {
	#answers = /* @__PURE__ */ new Map();
	#size = 0;
	/** Returns the size of all answers, in characters and bytes. */
	get size() {
		return this.#size;
	}
	get isEmpty() {
		return this.#answers.size === 0;
	}
	get(id) {
		return this.#answers.get(id);
	}
	/** Adds the answer of a call, or replaces its earlier answer. */
	set(id, answer) {
		const replaced = this.#answers.get(id)?.length ?? 0;
		this.#answers.set(id, answer);
		this.#resize(answer.length - replaced);
	}
	/** @returns whether the answer was kept */
	delete(id) {
		const answer = this.#answers.get(id);
		if (answer === void 0) return false;
		this.#answers.delete(id);
		this.#resize(-answer.length);
		return true;
	}
	clear() {
		this.#answers.clear();
		this.#resize(-this.#size);
	}
	/** Deletes the oldest answers until the rest is no larger than `size`. */
	shrinkTo(size) {
		if (this.#size <= size) return;
		for (const id of this.#answers.keys()) {
			if (this.#size <= size) return;
			this.delete(id);
		}
	}
	[Symbol.iterator]() {
		return this.#answers.entries();
	}
	/** Changes the size. No other method does. */
	#resize(by) {
		this.#size += by;
	}
};
// src/server/journal/stored-answers.ts
function storeAnswers(all) {
	let answers = "";
	let buffers;
	let last = NaN;
	for (const [id, answer] of all) {
		if (answers) answers += "\n";
		if (typeof answer === "string") answers += id === last + 1 ? answer.slice(headOf(id).length) : answer;
		else {
			answers += answer.text;
			buffers ??= [];
			buffers.push(...answer.buffers);
		}
		last = id;
	}
	return buffers ? {
		answers,
		bytes: concatenated(buffers).buffer
	} : { answers };
}
/**
* @returns each answer with the id of its call. Answers with bytes are left out if the contract no longer uses `bytes`.
*/
function loadAnswers({ answers, bytes }, frames) {
	if (answers === "") return [];
	let start = 0;
	let last = NaN;
	return answers.split("\n").flatMap((line) => {
		const text = line.startsWith("[") ? line : headOf(last + 1) + line;
		const isPacket = text.startsWith("[\"bytes\"");
		last = Number.parseInt(text.slice(isPacket ? text.indexOf(",[") + 2 : 1));
		if (!isPacket) return [[last, text]];
		const packet = bytes && frames.restore(text, bytes, start);
		if (!packet) return [];
		for (const { length } of packet.buffers) start += length;
		return [[last, packet]];
	});
}
/** Returns the beginning of an answer's text. */
function headOf(id) {
	return `[${id}`;
}
// src/server/journal/client-journal.ts
/**
* Answers beyond this many characters and bytes are dropped, oldest first. A segment has at most 2 MB, and a character
* takes at most three bytes.
*/
const MAX_SIZE = 6e5;
/**
* A row has answers of at most this many characters and bytes. A larger row would slow down every access to other keys:
* see `rows.ts`.
*/
const MAX_IN_ROW = 12e3;
/** Answers of earlier turns stay in the row up to this many characters and bytes: about a page of the database. */
const MAX_WRITTEN_AGAIN = 4e3;
/** The limit for `#inputs`, whose answers are kept only briefly. */
const MAX_INPUTS_SIZE = 2e3;
/** The number of gaps of `begun` that are stored. With 9 bytes for each end of a gap, they take at most 4.5 kB. */
const MAX_STORED_GAPS = 250;
/** The number of microtasks without changes after which a turn is considered to have ended. */
const PATIENCE$6 = 20;
/** The storage of a client that is forgotten when its connection ends. */
const NOT_STORED = {
	write: () => {},
	addSegment: () => 0,
	deleteSegments: () => {}
};
var ClientJournal = class {
	/** The identity of the caller, if a hook named the caller. */
	owner;
	/** Called when the entry is no longer busy. */
	onIdle;
	#storage;
	/** Calls that were sent before this time of `Date.now()` may have run, with no record of it. */
	#since;
	/** The answers in the row, or in the next row. */
	#answers = new KeptAnswers();
	/** The size of the answers that have not been written. */
	#unwritten = 0;
	/** The segments, oldest first. */
	#segments = [];
	/**
	* The answers of `readonly` methods, for calls on their way that take the results as arguments. They are not stored,
	* because a `readonly` method may run again.
	*/
	#inputs = new KeptAnswers();
	/** The promised answers of asynchronous methods that are running. */
	#running = /* @__PURE__ */ new Map();
	/** Calls that must not run again: they have begun, or their client no longer awaits them. */
	#begun;
	/** Calls that their client no longer awaits. */
	#done = new CallIds();
	/** True if answers of the calls in `#done` may still be kept: `#dropDone` drops them. */
	#hasDone = false;
	/** The highest id of a call that has arrived, as far as the journal knows. */
	#newest;
	/** The number of changes. `#saved` is the number of changes that are written. */
	#changes = 0;
	#saved = 0;
	/** Resolves at the end of this turn, when the row is written; `undefined` if no write is planned. */
	#turn;
	/**
	* @param owner - the identity of the caller, if nothing is stored
	* @param since - if nothing is stored, calls that were sent before this time may have run
	* @param frames - restores answers with bytes
	*/
	constructor(storage, owner, since, stored, frames = textFrameCodec) {
		const row = stored?.row;
		this.#storage = storage;
		this.owner = row ? row.owner : owner;
		this.#since = row ? -Infinity : since;
		this.#begun = new CallIds(row && [...row.begun], MAX_STORED_GAPS);
		this.#newest = this.#begun.edges.at(-1) ?? 0;
		if (!stored) return;
		for (const segment of stored.segments) {
			const answers = keptAnswers(segment, frames);
			this.#segments.push({
				number: segment.number,
				size: answers.size,
				answers
			});
		}
		this.#answers = keptAnswers(stored.row, frames);
	}
	/** True if a call is running or a write is planned. */
	get isBusy() {
		return this.#running.size > 0 || this.#turn !== void 0;
	}
	/** Calls that must not run again, as `edges` of a `CallIds`; `undefined` if all of them are stored. */
	get unsaved() {
		return this.#changes === this.#saved ? void 0 : this.#begun.edges;
	}
	/** Adds the calls in `unsaved` of an earlier entry of the client. */
	addUnsaved(edges) {
		this.#changes++;
		for (let at = 0; at < edges.length; at += 2) this.#begun.add(edges[at], edges[at + 1]);
		this.#newest = Math.max(this.#newest, edges.at(-1) ?? 0);
	}
	/** Returns the answer of a call that has run, or a promise of the answer while the call runs. */
	answerOf(id) {
		return this.#running.get(id) ?? this.#answers.get(id) ?? this.#segmentOf(id)?.answers.get(id);
	}
	/** Returns the answer of a call, for another call that takes its result. */
	resultOf(id) {
		return this.answerOf(id) ?? this.#inputs.get(id);
	}
	/** Keeps the answer of a `readonly` method while its client awaits it and there is room. */
	keepForReferences(id, answer) {
		this.#inputs.set(id, answer);
		this.#inputs.shrinkTo(MAX_INPUTS_SIZE);
	}
	/** Returns whether a call has begun. A call that waits for another call has begun, too. */
	hasBegun(id) {
		return this.#begun.has(id) || this.#running.has(id);
	}
	/** Returns whether a call with another id has begun. */
	hasOther(id) {
		return this.#begun.edges.some((edge) => edge !== id);
	}
	/**
	* Returns whether a call may have run although no answer is stored. If so, the call will not run again.
	*
	* @param sentAt - the time of `Date.now()` when the call was first sent
	*/
	isMaybeExecuted(id, sentAt) {
		if (this.#begun.has(id)) return true;
		if (sentAt >= this.#since) return false;
		this.begin(id);
		return true;
	}
	/** Marks that a call has arrived. */
	arrived(id) {
		if (id > this.#newest) this.#newest = id;
	}
	/**
	* Marks the calls from `first` to `last` inclusive as no longer awaited by the client. Their answers are dropped at
	* the end of the frame, in one walk through all answers for any number of ranges.
	*/
	forget(first, last = first) {
		if (!this.#done.add(first, last)) return;
		this.#begun.add(first, last);
		if (first === last) this.#dropOne(first);
		else this.#hasDone = true;
	}
	/**
	* Marks single calls as no longer awaited by the client, as `forget` does.
	*
	* @returns how many of the calls have never arrived
	*/
	forgetAll(ids) {
		this.#done.addAll(ids);
		this.#begun.addAll(ids);
		for (const id of ids) this.#dropOne(id);
		return ids.filter((id) => id > this.#newest).length;
	}
	#dropOne(id) {
		if (!this.#answers.delete(id)) this.#segmentOf(id)?.answers.delete(id);
		this.#inputs.delete(id);
	}
	#dropDone() {
		this.#hasDone = false;
		const kept = [
			this.#answers,
			this.#inputs,
			...this.#segments.map(({ answers }) => answers)
		];
		for (const answers of kept) for (const [id] of answers) if (this.#done.has(id)) answers.delete(id);
	}
	/** Adds the answer of a call, if its client still awaits it. */
	storeAnswer(id, answer) {
		if (this.#done.has(id)) return;
		this.begin(id);
		if (this.#segmentOf(id)?.answers.get(id) === answer) return;
		this.#answers.set(id, answer);
		this.#unwritten += answer.length;
	}
	/** Marks a call as begun: it will not run again, even if the object is stopped before it ends. */
	begin(id) {
		this.#changes++;
		this.#begun.add(id);
	}
	/**
	* Makes a call that ends in a later turn available to `answerOf` until then.
	*
	* @returns a promise that resolves to the answer when the answer is written. If the storage cannot write it, for
	*   example because it is full, the promise resolves to the answer of a failed call.
	*/
	storeAnswerLater(id, answer) {
		const written = answer.then(async (encoded) => {
			this.#running.delete(id);
			if (this.#begun.has(id)) {
				this.storeAnswer(id, encoded);
				try {
					await this.saveSoon();
				} catch (error) {
					return storageFailure(id, error);
				}
			} else this.#leave();
			return encoded;
		});
		this.#running.set(id, written);
		return written;
	}
	/** Writes the row if something has changed. */
	save() {
		if (this.#hasDone) this.#dropDone();
		const changes = this.#changes;
		if (changes === this.#saved) return;
		this.#answers.shrinkTo(MAX_SIZE);
		const unneeded = this.#segments.length > 0 ? this.#dropSegments() : [];
		let stored = storeAnswers(this.#answers);
		const writtenAgain = this.#answers.size - this.#unwritten;
		if (sizeOf$2(stored) > MAX_IN_ROW || writtenAgain > MAX_WRITTEN_AGAIN) {
			this.#moveIntoSegment(stored, unneeded.pop());
			stored = { answers: "" };
		}
		if (unneeded.length > 0) this.#storage.deleteSegments(unneeded);
		this.#unwritten = 0;
		const { owner } = this;
		const row = {
			...stored,
			begun: this.#begun.edges,
			owner,
			used: Date.now()
		};
		if (this.#segments.length > 0) row.segments = this.#segments.map(({ number }) => number);
		this.#storage.write(row);
		this.#saved = changes;
	}
	/** @returns the numbers of segments without awaited answers, and of the oldest segments beyond the limit */
	#dropSegments() {
		let size = this.#answers.size;
		for (const segment of this.#segments.toReversed()) {
			if (!segment.answers.isEmpty) size += segment.size;
			if (size > MAX_SIZE) segment.answers.clear();
		}
		const dropped = this.#segments.filter(({ answers }) => answers.isEmpty);
		if (dropped.length > 0) this.#segments = this.#segments.filter(({ answers }) => !answers.isEmpty);
		return dropped.map(({ number }) => number);
	}
	#moveIntoSegment(stored, replaced) {
		const answers = this.#answers;
		const number = this.#storage.addSegment(stored, replaced);
		this.#segments.push({
			number,
			size: answers.size,
			answers
		});
		this.#answers = new KeptAnswers();
	}
	/** Returns the segment with the answer of a call. */
	#segmentOf(id) {
		return this.#segments.find(({ answers }) => answers.get(id) !== void 0);
	}
	/** Writes the row at the end of this turn: once for all calls that end in the turn. */
	saveSoon() {
		this.#turn ??= this.#silence().then(() => {
			this.#turn = void 0;
			try {
				this.save();
			} finally {
				this.#leave();
			}
		});
		return this.#turn;
	}
	/** Resolves when no other call begins or ends in this turn. The runtime has no event for the end of a turn. */
	async #silence() {
		let changes = -1;
		for (let silence = 0; silence < PATIENCE$6 && this.#running.size > 0; silence++) {
			if (this.#changes !== changes) silence = 0;
			changes = this.#changes;
			await void 0;
		}
	}
	#leave() {
		if (!this.isBusy) this.onIdle?.();
	}
};
function sizeOf$2({ answers, bytes }) {
	return answers.length + (bytes?.byteLength ?? 0);
}
function keptAnswers(stored, frames) {
	const kept = new KeptAnswers();
	for (const [id, answer] of loadAnswers(stored, frames)) kept.set(id, answer);
	return kept;
}
/** Returns the answer of a call that has run, but whose own answer could not be stored. */
function storageFailure(id, cause) {
	const message = `Call ${id} has run, but its answer could not be stored: ${String(cause)}`;
	return encodeFailure(id, rejection("UNAVAILABLE", message, { maybeExecuted: true }), false);
}
// src/server/journal/growth.ts
/**
* Bounds the rows of the journal: a row is forgotten when the rows that were written later have grown by 64 MiB.
*
* A stored sum would cost a written row for each client. Instead, the time is stored whenever the rows have grown by
* another 8 MiB since the object woke. The count of these bytes begins at a random number. So if the object writes less
* than 8 MiB before it hibernates, it stores a time with a probability that is proportional to the bytes that it
* writes.
*/
const KEY$3 = "__rpc_journal";
/** The growth of the rows between two stored times, in bytes. */
const STEP = 8388608;
/** The number of times that are stored. */
const MAX_TIMES = 8;
/** Clients with an owner count separately, so that strangers who make up ids cannot make the object forget them. */
function kindOf$1(owner) {
	return owner === void 0 ? "anonymous" : "owned";
}
var JournalGrowth = class {
	#storage;
	/** The stored times, which are read when they are first needed. */
	#times;
	/** The growth until the next time is stored. */
	#left = {
		anonymous: Math.random() * STEP,
		owned: Math.random() * STEP
	};
	constructor(storage) {
		this.#storage = storage;
	}
	/** @param bytes - a number less than `STEP` */
	add(bytes, owner) {
		const kind = kindOf$1(owner);
		this.#left[kind] -= bytes;
		if (this.#left[kind] > 0) return;
		this.#left[kind] += STEP;
		const times = [...this.#timesOf(kind), Date.now()].slice(-8);
		this.#times = {
			...this.#times,
			[kind]: times
		};
		this.#storage.kv.put(KEY$3, this.#times);
	}
	/** Returns a time. Rows that were last written before this time are forgotten. */
	forgottenBefore(owner) {
		const times = this.#timesOf(kindOf$1(owner));
		return times.length < MAX_TIMES ? -Infinity : times[0];
	}
	#timesOf(kind) {
		this.#times ??= this.#storage.kv.get(KEY$3) ?? {};
		return this.#times[kind] ?? [];
	}
};
// src/server/journal/rows.ts
/** Key prefix of a row. The client's id follows. */
const PREFIX$3 = "__rpc_journal:";
/** The size of a row is counted in steps of this many bytes. Nearly all rows take one step. */
const ROW_STEP = 512;
var JournalRows = class {
	#storage;
	constructor(storage) {
		this.#storage = storage;
	}
	read(client) {
		return this.#storage.kv.get(PREFIX$3 + client);
	}
	/**
	* @param known - the largest size that the row has had, in bytes; 0 for a new row
	* @returns the largest size now
	*/
	write(client, row, known) {
		const largest = Math.max(known, sizeOf$1(client, row));
		if (largest > ROW_STEP) row.largest = largest;
		this.#storage.kv.put(PREFIX$3 + client, row);
		return largest;
	}
	delete(client) {
		this.#storage.kv.delete(PREFIX$3 + client);
	}
	/**
	* Returns the rows that follow a client's row, in the order of their ids, until they take `bytes` together.
	*
	* @returns `isLast` if there are no more
	*/
	after(client, bytes) {
		const limit = bytes / ROW_STEP;
		const options = {
			prefix: PREFIX$3,
			startAfter: PREFIX$3 + client,
			limit
		};
		const rows = [];
		let left = bytes;
		for (const [key, row] of this.#storage.kv.list(options)) {
			rows.push([key.slice(14), row]);
			left -= largestOf(row);
			if (left <= 0) return {
				rows,
				isLast: false
			};
		}
		return {
			rows,
			isLast: true
		};
	}
};
/** Returns how many rows an object has, but at most `limit`. */
function countRows({ kv }, limit) {
	return [...kv.list({
		prefix: PREFIX$3,
		limit
	})].length;
}
/** Returns the largest size that a stored row has had. */
function largestOf({ largest = ROW_STEP }) {
	return largest;
}
/** Estimates the bytes that a row takes: two for a character, nine for a number. The row is never larger. */
function sizeOf$1(client, { answers, bytes, begun, owner, segments }) {
	const characters = client.length + answers.length + (owner?.length ?? 0);
	const numbers = begun.length + (segments?.length ?? 0);
	const size = 2 * characters + 9 * numbers + (bytes?.byteLength ?? 0);
	return Math.ceil((size + 100) / ROW_STEP) * ROW_STEP;
}
// src/server/journal/segments.ts
/** The maximum size of all segments of an object, in bytes: 64 MiB. */
const MAX_TOTAL = 67108864;
/** The size to which segments are reduced beyond the maximum. It is lower, so that not each new segment causes a search. */
const REDUCED_TOTAL = MAX_TOTAL / 8 * 7;
const TABLE = "__rpc_answers";
/** The size comes before the answers, so that SQLite sums it up without reading them. */
const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE}
  (number INTEGER PRIMARY KEY, written INTEGER, client TEXT, owner TEXT, size INTEGER, answers TEXT, bytes BLOB)`;
/** Selects a segment of a client. The client is checked, because the number of a deleted segment can be used again. */
const OF_CLIENT = "number = ? AND client = ?";
var JournalSegments = class {
	#storage;
	#isInMemory;
	/** The size of all segments, in bytes; `undefined` until it is first needed. */
	#total;
	/** @param isInMemory - whether a client is connected, or has a call that runs */
	constructor(storage, isInMemory) {
		this.#storage = storage;
		this.#isInMemory = isInMemory;
	}
	/** @returns the segments of a client that are still stored */
	read(client, numbers = []) {
		return numbers.flatMap((number) => this.#query(`SELECT answers, bytes FROM ${TABLE} WHERE ${OF_CLIENT}`, number, client).map(({ answers, bytes }) => ({
			number,
			answers,
			bytes: bytes ?? void 0
		})));
	}
	/**
	* @param replaced - the number of a segment of the client that is no longer needed. It is overwritten, which costs less
	*   than deleting it.
	* @returns the number of the segment
	*/
	add(client, owner, { answers, bytes }, replaced) {
		this.#total ??= this.#query(`SELECT COALESCE(SUM(size), 0) AS total FROM ${TABLE}`)[0].total;
		const freed = replaced === void 0 ? void 0 : this.#sizeOf(client, replaced);
		const [added] = this.#query(`INSERT INTO ${TABLE}
       VALUES (?1, ?2, ?3, ?4, LENGTH(CAST(?5 AS BLOB)) + COALESCE(LENGTH(?6), 0), ?5, ?6)
       ON CONFLICT DO UPDATE SET written = excluded.written, size = excluded.size,
         answers = excluded.answers, bytes = excluded.bytes
       RETURNING number, size`, freed === void 0 ? null : replaced, Date.now(), client, owner ?? null, answers, bytes ?? null);
		const { number, size } = added;
		this.#total += size - (freed ?? 0);
		if (this.#total > MAX_TOTAL) this.#reduce();
		return number;
	}
	delete(client, numbers = []) {
		for (const number of numbers) {
			const [deleted] = this.#query(`DELETE FROM ${TABLE} WHERE ${OF_CLIENT} RETURNING size`, number, client);
			if (deleted && this.#total !== void 0) this.#total -= deleted.size;
		}
	}
	#sizeOf(client, number) {
		const statement = `SELECT size FROM ${TABLE} WHERE ${OF_CLIENT}`;
		return this.#query(statement, number, client)[0]?.size;
	}
	/**
	* Deletes the oldest segments of the visitors that store most. All clients of an owner count as one visitor. A client in
	* memory without an owner is a visitor. All other clients without an owner count as one visitor, because they may be
	* one stranger who makes up ids.
	*/
	#reduce() {
		const all = this.#query(`SELECT number, client, owner, size FROM ${TABLE} ORDER BY written, number`);
		const ofGone = all.filter(({ client }) => !this.#isInMemory(client));
		const ofOthers = all.filter(({ client }) => this.#isInMemory(client));
		const visitors = Map.groupBy([...ofGone, ...ofOthers], (segment) => this.#visitorOf(segment));
		const share = largestShare(Array.from(visitors.values(), sizeOf), REDUCED_TOTAL);
		this.#total = 0;
		for (const segments of visitors.values()) {
			let size = sizeOf(segments);
			for (const segment of segments) {
				if (size <= share) break;
				size -= segment.size;
				this.#query(`DELETE FROM ${TABLE} WHERE number = ?`, segment.number);
			}
			this.#total += size;
		}
	}
	#visitorOf({ client, owner }) {
		if (owner !== null) return `owner ${owner}`;
		return this.#isInMemory(client) ? `client ${client}` : "gone";
	}
	#query(statement, ...bindings) {
		const { sql } = this.#storage;
		sql.exec(CREATE);
		return sql.exec(statement, ...bindings).toArray();
	}
};
function sizeOf(segments) {
	return segments.reduce((sum, { size }) => sum + size, 0);
}
/** Returns the largest size that each visitor may have, so that all visitors together have no more than the total. */
function largestShare(sizes, total) {
	let left = total;
	const ascending = sizes.toSorted((one, other) => one - other);
	for (const [index, size] of ascending.entries()) {
		const share = left / (sizes.length - index);
		if (size > share) return share;
		left -= size;
	}
	return Infinity;
}
// src/server/journal/journal.ts
/**
* Stores the answers of calls, so that a call that arrives twice runs once. Answers are written in the same turn as
* the methods' own writes, so the storage commits both or neither. Small answers of a client are in one row, so a turn
* writes one row for each client, for any number of calls.
*/
/** The bytes of rows that are checked, and deleted if they are old, for each byte by which a row grows. */
const CHECKED_PER_BYTE = 4;
/** The time that a call may take to arrive when the object forgets clients early, in milliseconds. */
const MAX_LATENESS = 3e5;
/** Maximum number of clients whose data is kept in memory because the storage has refused to write it. */
const MAX_UNSAVED = 1e3;
/** Returns the journal of an object; `undefined` if its contract has `journal: false`. */
const journalOf = /* @__PURE__ */ perObject((instance, contract) => contract.journal ? new Journal(instance.ctx.storage, contract) : void 0);
/**
* Returns the journal entry of a client; `undefined` without a journal or a client id.
*
* @throws RpcError `FORBIDDEN` if the id belongs to another caller
*/
function clientJournalOf(instance, contract, { client, owner }) {
	if (client === void 0) return void 0;
	const entry = journalOf(instance, contract)?.entry(client, owner);
	if (entry && entry.owner !== owner) throw new RpcError("FORBIDDEN", "This client id belongs to another caller: create a new client");
	return entry;
}
/** Removes a disconnected client's entry from memory. Its row stays. */
function releaseClientJournal(instance, contract, { client }) {
	if (client !== void 0) journalOf(instance, contract)?.release(client);
}
/** Returns how many clients the journal has stored, counted up to a limit; `undefined` without a journal. */
function journaledClientsOf(instance, { journal }, limit) {
	const { storage } = instance.ctx ?? {};
	return journal && storage ? countRows(storage, limit) : void 0;
}
/** The journal of one object. */
var Journal = class {
	#rows;
	#segments;
	#growth;
	/** The time that a row is kept after its last write, in milliseconds. */
	#maxAge;
	#frames;
	#entries = /* @__PURE__ */ new Map();
	/** Data that the storage has refused, by client, oldest first. It is written when the storage takes another row. */
	#unsaved = /* @__PURE__ */ new Map();
	/** The client whose row was checked last; `undefined` at first. */
	#cursor;
	constructor(storage, { journalAge, frames }) {
		this.#rows = new JournalRows(storage);
		this.#segments = new JournalSegments(storage, (client) => this.#entries.has(client));
		this.#growth = new JournalGrowth(storage);
		this.#maxAge = journalAge;
		this.#frames = frames;
	}
	/** Returns the entry of a client, which is loaded from the storage if it is not in memory. */
	entry(client, owner) {
		let entry = this.#entries.get(client);
		if (!entry) {
			entry = this.#load(client, owner);
			this.#entries.set(client, entry);
		}
		entry.onIdle = void 0;
		return entry;
	}
	/** Removes an entry from memory: at once, or when its last running call has ended. */
	release(client) {
		const entry = this.#entries.get(client);
		if (!entry) return;
		const release = () => {
			this.#entries.delete(client);
			const { unsaved, owner } = entry;
			if (unsaved) this.#keepUnsaved(client, {
				owner,
				begun: unsaved
			});
		};
		if (entry.isBusy) entry.onIdle = release;
		else release();
	}
	#keepUnsaved(client, unsaved) {
		this.#unsaved.set(client, unsaved);
		const [oldest] = this.#unsaved.keys();
		if (this.#unsaved.size > MAX_UNSAVED) this.#unsaved.delete(oldest);
	}
	/** Writes the data that the storage has refused, now that it takes rows again. */
	#saveUnsaved() {
		const all = [...this.#unsaved];
		this.#unsaved.clear();
		for (const [client, unsaved] of all) try {
			this.#restored(client, unsaved).save();
		} catch {
			this.#keepUnsaved(client, unsaved);
		}
	}
	#load(client, owner) {
		const unsaved = this.#unsaved.get(client);
		if (!unsaved) return this.#stored(client, owner);
		this.#unsaved.delete(client);
		return this.#restored(client, unsaved);
	}
	#restored(client, { owner, begun }) {
		const entry = this.#stored(client, owner);
		entry.addUnsaved(begun);
		return entry;
	}
	#stored(client, owner) {
		const row = this.#rows.read(client);
		let largest = row ? largestOf(row) : 0;
		return new ClientJournal({
			write: (changed) => {
				const known = largest;
				largest = this.#rows.write(client, changed, known);
				if (largest > known) this.#grown(client, changed.owner, largest - known);
				if (this.#unsaved.size > 0) this.#saveUnsaved();
			},
			addSegment: (answers, replaced) => this.#segments.add(client, row ? row.owner : owner, answers, replaced),
			deleteSegments: (numbers) => this.#segments.delete(client, numbers)
		}, owner, row ? 0 : this.#knownSince(owner), row && {
			row,
			segments: this.#segments.read(client, row.segments)
		}, this.#frames);
	}
	/**
	* Returns a time. A call that was first sent before this time runs only if its client has a row. The time is half of
	* the maximum age ago, to allow for clocks that differ, and for calls that take a while to arrive.
	*/
	#knownSince(owner) {
		return Math.max(Date.now() - this.#maxAge / 2, this.#growth.forgottenBefore(owner) + MAX_LATENESS);
	}
	#grown(client, owner, bytes) {
		this.#tidyAfter(client, CHECKED_PER_BYTE * bytes);
		this.#growth.add(bytes, owner);
	}
	/**
	* Checks the next rows, and deletes rows that are old. It runs when the rows grow, so every row is checked before
	* all rows together have grown by a quarter. The cost does not depend on the number of rows.
	* After the object has woken, the check begins at the row that grows. Ids are random, so it can begin at any row.
	*/
	#tidyAfter(client, bytes) {
		const { rows, isLast } = this.#rows.after(this.#cursor ?? client, bytes);
		this.#cursor = isLast ? "" : rows.at(-1)?.[0];
		for (const [other, { used, owner, segments }] of rows) {
			if (this.#entries.has(other)) continue;
			if (used >= Math.max(Date.now() - this.#maxAge, this.#growth.forgottenBefore(owner))) continue;
			this.#rows.delete(other);
			this.#segments.delete(other, segments);
		}
	}
};
// src/server/connections/rejections.ts
/** Counts rejected messages. The counts outlast connections, so a client that connects again does not begin at zero. */
/** The reason that a client receives when too many of its messages were rejected. */
const TOO_MANY_REJECTIONS = "The client has sent too many messages that were rejected: see limits.refusals";
/** The time without a rejection after which a count begins again, in milliseconds. */
const MEMORY = 6e4;
/** Maximum number of clients that are counted and not barred. The oldest is forgotten first. */
const MAX_COUNTED$1 = 1e3;
/**
* Maximum characters of the identities of barred clients. Beyond it, no further barred client is remembered. A client
* that is not remembered gains no more than it would gain by a new id.
*/
const MAX_BARRED_SIZE = 1e6;
/** The characters that a barred client takes in memory, without its identity. */
const BARRED_SIZE = 100;
/** Maximum number of owners that are remembered. The owner whose last rejection is the oldest is forgotten first. */
const MAX_OWNERS = 1e3;
/** Number of rejected messages after which a client's frames wait for frames of other clients. */
const PATIENCE$5 = 100;
/** The number of rejected messages that a client may always have, for mistakes, unless `limits.refusals` is less. */
const LEAST$1 = 10;
/** The rejected messages of all clients of one owner, or of all clients without an owner. */
var OwnerCount = class {
	/** The rejected messages in the minute that began at `#since`. */
	#count = 0;
	#since = 0;
	add(count, now) {
		if (now - this.#since >= MEMORY) {
			this.#since = now;
			this.#count = 0;
		}
		this.#count += count;
	}
	/**
	* Returns how many rejected messages one client of the owner may have. If all of its clients together exceed the
	* limit of one client, each may have 100, because a client can take a new id for each connection. Beyond twice the
	* limit, each may have fewer.
	*
	* @param limit - the value of `limits.refusals`
	*/
	shareOf(limit) {
		if (this.#count <= limit) return limit;
		const share = 200 * limit / this.#count;
		return Math.min(limit, Math.max(LEAST$1, Math.min(share, PATIENCE$5)));
	}
};
/** The rejected messages of one client. */
var RejectionCount = class {
	#count = 0;
	/** The time of `Date.now()` when the last message was rejected. */
	#at = 0;
	#isBarred = false;
	#owner;
	#onBarred;
	/** @param onBarred - called at each rejection beyond the limit */
	constructor(owner, onBarred) {
		this.#owner = owner;
		this.#onBarred = onBarred;
	}
	/** @param limit - the value of `limits.refusals` */
	add(count, limit) {
		const now = Date.now();
		if (now - this.#at >= MEMORY) {
			this.#count = 0;
			this.#isBarred = false;
		}
		this.#at = now;
		this.#count += count;
		this.#owner.add(count, now);
		this.#isBarred ||= this.#count > this.#owner.shareOf(limit);
		if (this.#isBarred) this.#onBarred?.();
	}
	/** Subtracts one rejected message for a call that runs. */
	subtract() {
		if (this.#count > 0) this.#count--;
	}
	get mustWait() {
		return this.#count >= PATIENCE$5;
	}
	/**
	* True if the client has exceeded its limit of rejected messages, and the last rejection is less than a minute ago.
	*/
	get isBarred() {
		return this.#isBarred && Date.now() - this.#at < MEMORY;
	}
};
/** The counts of one object. */
var RejectionCounts = class {
	#owners = /* @__PURE__ */ new Map();
	/** Clients that are not barred. */
	#counted = /* @__PURE__ */ new Map();
	/** Barred clients. The client with the oldest rejection is first. */
	#barred = /* @__PURE__ */ new Map();
	#barredSize = 0;
	/** Returns the count of a client; `undefined` if none of its messages has been rejected. */
	known(identity) {
		if (this.#counted.size + this.#barred.size === 0) return void 0;
		const key = clientKeyOf(identity);
		return key === void 0 ? void 0 : this.#barred.get(key) ?? this.#counted.get(key);
	}
	/** Returns the count that a client's connections share. A client without an id has a count for each connection. */
	of(identity) {
		const known = this.known(identity);
		if (known) return known;
		const owner = this.#ownerOf(identity.owner);
		const key = clientKeyOf(identity);
		if (key === void 0) return new RejectionCount(owner);
		const count = new RejectionCount(owner, () => this.#bar(key, count));
		this.#counted.set(key, count);
		dropOldest(this.#counted, MAX_COUNTED$1);
		return count;
	}
	/** Returns whether a client has exceeded its limit of rejected messages within the last minute. */
	bars(identity) {
		return this.known(identity)?.isBarred === true;
	}
	#ownerOf(name) {
		const owner = this.#owners.get(name) ?? new OwnerCount();
		this.#owners.delete(name);
		this.#owners.set(name, owner);
		dropOldest(this.#owners, MAX_OWNERS);
		return owner;
	}
	#bar(key, count) {
		this.#counted.delete(key);
		this.#unbar(key);
		for (const [other, { isBarred }] of this.#barred) {
			if (isBarred) break;
			this.#unbar(other);
		}
		const size = key.length + BARRED_SIZE;
		if (this.#barredSize + size > MAX_BARRED_SIZE) return;
		this.#barredSize += size;
		this.#barred.set(key, count);
	}
	#unbar(key) {
		if (this.#barred.delete(key)) this.#barredSize -= key.length + BARRED_SIZE;
	}
};
function dropOldest(map, most) {
	for (const key of map.keys()) {
		if (map.size <= most) return;
		map.delete(key);
	}
}
/** Returns the response to a request of a client with too many rejected messages. */
function tooManyRejections() {
	return rejectionResponse(429, TOO_MANY_REJECTIONS);
}
/** Returns the counts of an object. */
const rejectionCountsOf = /* @__PURE__ */ perObject(() => new RejectionCounts());
// src/server/base/turns.ts
/** The tasks of each object. */
const due = /* @__PURE__ */ new Map();
/** Number of microtasks to wait for the end of a turn outside a frame. */
const PATIENCE$4 = 50;
/** Number of open transactions of each object that has any. */
const transactions = /* @__PURE__ */ new WeakMap();
/** Storages whose transactions are counted. */
const followed = /* @__PURE__ */ new WeakSet();
/** The object whose frame is being handled. */
let inFrame;
/**
* Runs a task at the end of this turn. A turn that runs the calls of a frame ends after the last call. Nothing marks the
* end of other turns, so the task runs after some microtasks. The answers of methods that end in that time are sent with
* it.
*
* @param instance - the object
* @param order - the kind of messages that the task sends
* @param run - the task. The function runs once, however often it is passed in the turn.
*/
function atEndOfTurn(instance, order, run) {
	let tasks = due.get(instance);
	if (!tasks) {
		tasks = {
			events: /* @__PURE__ */ new Set(),
			values: /* @__PURE__ */ new Set()
		};
		due.set(instance, tasks);
		if (inFrame !== instance) tasks.ended = runLater(instance);
	}
	tasks[order].add(run);
}
/**
* Resolves when the tasks for the end of this turn have run, so that the answers of methods that have ended share a
* frame with the messages of the tasks. If there are no tasks, or they wait for a transaction, it resolves at once.
*/
function endOfTurn(instance) {
	return due.get(instance)?.ended ?? Promise.resolve();
}
/** Runs the calls of a frame, and then the tasks that they requested. */
function runInFrame(instance, run) {
	inFrame = instance;
	try {
		return run();
	} finally {
		inFrame = void 0;
		runDue(instance);
	}
}
async function runLater(instance) {
	for (let turn = 0; turn < PATIENCE$4; turn++) await void 0;
	runDue(instance);
}
function runDue(instance) {
	const tasks = due.get(instance);
	if (!tasks || transactions.has(instance)) return;
	due.delete(instance);
	for (const run of [...tasks.events, ...tasks.values]) try {
		run();
	} catch (error) {
		console.error(error);
	}
}
/**
* Makes the tasks of an object wait for its asynchronous transactions, because the data that a task sends must not be
* rolled back afterwards. The storage does not tell whether a transaction is open, so this replaces its method
* `transaction`.
*
* @param instance - a Durable Object, or an object without storage
*/
function followTransactions(instance) {
	const { storage } = instance.ctx ?? {};
	const transaction = storage?.transaction;
	if (!storage || !transaction || followed.has(storage)) return;
	followed.add(storage);
	storage.transaction = async (run) => {
		transactions.set(instance, (transactions.get(instance) ?? 0) + 1);
		try {
			return await transaction.call(storage, run);
		} finally {
			const left = (transactions.get(instance) ?? 1) - 1;
			if (left > 0) transactions.set(instance, left);
			else transactions.delete(instance);
			const tasks = due.get(instance);
			if (tasks) tasks.ended = runLater(instance);
		}
	};
}
// src/server/connections/disconnect.ts
/** Tells features that a connection has ended. */
/**
* Releases the subscriptions and callbacks of a connection that has ended.
*
* @param isFinal - whether the client will not connect again
*/
function afterDisconnect(instance, connection, isFinal = false) {
	for (const { onDisconnect } of contractOf(instance)?.features ?? []) onDisconnect?.(instance, connection, isFinal);
}
// src/server/connections/first-call.ts
/**
* The part of a frame that is searched, in characters or bytes. A client sends less than this before the first call,
* unless it sends thousands of traces in one frame.
*/
const BEGINNING = 524288;
/** Matches the messages about calls, then the id of the first call or the kind of a message of a feature. */
const FIRST = /^\[(?:\["(?:cancel|awaits|resent|bytes)"[\d,]*\],|\["trace"(?:,\[-?\d+(?:,"(?:[^"\\]|\\.)*")*\])*\],)*\[(?:(\d+),|")/;
/**
* @param frame - a frame or its beginning
* @returns `undefined` if the first call cannot be found
*/
function firstCallIn(frame) {
	if (!frame || typeof frame !== "string" && frame.byteLength === 0) return void 0;
	const start = frame.slice(0, BEGINNING);
	const found = FIRST.exec(typeof start === "string" ? start : new TextDecoder().decode(start));
	return found ? {
		id: Number(found[1] ?? -1),
		isResent: found[0].includes("\"resent\"")
	} : void 0;
}
// src/server/connections/outbox.ts
var Outbox = class {
	/** The waiting messages of each frame: an empty list while messages are held back; `undefined` after a release. */
	#frames;
	/** The size of the last frame in characters and bytes: its messages, each with a comma. */
	#lastSize = 0;
	/** The size of all waiting messages, in characters and bytes. */
	size = 0;
	#isOneFrame;
	/** @param isOneFrame - whether all messages must leave in one frame, however large it is */
	constructor(isOneFrame) {
		this.#isOneFrame = isOneFrame;
	}
	/** True if no message waits, and messages are not held back. */
	get isIdle() {
		return !this.#frames;
	}
	add(message) {
		const size = message.length + 1;
		const frames = this.#frames ??= [];
		const last = frames.at(-1);
		if (last && (this.#isOneFrame || this.#lastSize + size < 4194304)) {
			last.push(message);
			this.#lastSize += size;
		} else {
			frames.push([message]);
			this.#lastSize = size;
		}
		this.size += message.length;
	}
	/** Holds messages back until `release`. */
	hold() {
		this.#frames ??= [];
	}
	/** Removes and returns the waiting messages, grouped by frame. */
	release() {
		const frames = this.#frames ?? [];
		this.#frames = void 0;
		this.size = 0;
		return frames;
	}
	/**
	* Replaces answers that are held back.
	*
	* @param replacement - returns another answer for the id of a call; `undefined` to keep the answer
	* @returns by how much the size of the messages has grown
	*/
	replace(replacement) {
		const before = this.size;
		const messages = this.release().flat();
		this.hold();
		for (const message of messages) this.add(replacement(Number.parseInt(String(message).slice(1))) ?? message);
		return this.size - before;
	}
};
// src/server/connections/rate-limit.ts
/** Limits how many calls a connection may begin in a second: `limits.callsPerSecond`. */
var RateLimit = class {
	/** The number of calls that may begin now, and the time of its computation, in the time of `Date.now()`. */
	#tokens = Infinity;
	#refilled = 0;
	/**
	* Returns whether one more call may begin now, and counts the call if so.
	*
	* @param callsPerSecond - the limit; all calls of a second can come at once
	*/
	admits(callsPerSecond) {
		const now = Date.now();
		const added = Math.max(now - this.#refilled, 0) / 1e3 * callsPerSecond;
		this.#tokens = Math.min(this.#tokens + added, callsPerSecond);
		this.#refilled = now;
		if (this.#tokens < 1) return false;
		this.#tokens--;
		return true;
	}
};
// src/server/connections/close-codes.ts
/** The codes with which an object closes connections. */
/** The close code for an object whose code was replaced. The client connects again, and sends its calls again. */
const SERVICE_RESTART = 1012;
/** The close code for an object without memory for a client. The client connects again, and sends its calls again. */
const TRY_AGAIN_LATER = 1013;
// src/server/connections/subscription-store.ts
/** A map with an additional property, because a second object would take more memory for each connection. */
var SubscriptionStore = class extends Map {
	stored = [];
	get records() {
		return [...this.stored, ...Array.from(this.values(), ({ state }) => state)];
	}
};
// src/server/connections/waiting-frames.ts
/**
* Frames of a connection that wait, in the order in which they run. Frames of a client with many rejected messages wait
* for frames of other connections. The rest of a frame waits until the client has read answers.
*/
/** Maximum number of frames that wait for other connections. When another frame comes, all of them run at once. */
const MAX_WAITING = 8;
var WaitingFrames = class {
	#frames = [];
	/** The size of the frames that have not begun, in characters or bytes. */
	#whole = 0;
	/** True if the rest of a frame and all frames after it wait until the client has read answers. */
	#isPaused = false;
	#isResuming = false;
	#memory;
	#hasRead;
	/** @param hasRead - whether the client has read enough for the rest of a frame to run */
	constructor(memory, hasRead) {
		this.#memory = memory;
		this.#hasRead = hasRead;
	}
	get length() {
		return this.#frames.length;
	}
	/**
	* Adds a frame, which runs in a later turn, after a timer. While one socket always has a next frame ready, the Workers
	* runtime does not read other sockets. It reads them before a timer fires.
	*
	* @returns a promise that resolves when the frame has run; `undefined` if all waiting frames ran at once, or wait for
	*   the client
	* @throws RpcError `LIMIT_EXCEEDED` for a frame that the client's memory has no room for
	*/
	add(run, size) {
		if (this.#isPaused && this.#whole + size <= 65536) this.#memory.add(size);
		else this.#memory.admit(size);
		this.#whole += size;
		this.#frames.push({
			run,
			size
		});
		if (this.#isPaused) return void 0;
		if (this.length <= MAX_WAITING) return new Promise((resolve) => setTimeout(resolve)).then(() => {
			if (!this.#isPaused) this.#runNext();
		});
		while (this.length > 0 && !this.#isPaused) this.#runNext();
	}
	/**
	* Adds the rest of the running frame before all other frames. It runs when the client has read.
	*
	* @param drop - called instead of `run` if the connection ends before
	*/
	pause(run, drop, size) {
		this.#memory.add(size);
		this.#frames.unshift({
			run,
			drop,
			size
		});
		this.#isPaused = true;
	}
	/** Runs paused frames while the client reads. One frame runs in a turn, so that frames of other connections go first. */
	resume() {
		if (!this.#isPaused || this.#isResuming || !this.#hasRead()) return;
		this.#isResuming = true;
		setTimeout(() => {
			this.#isResuming = false;
			this.#runNext();
			this.resume();
		});
	}
	/** Forgets the frames of a connection that has ended. */
	drop() {
		for (const { drop, size } of this.#frames.splice(0)) {
			this.#memory.release(size);
			drop?.();
		}
	}
	/** Runs the first frame, which may pause again. */
	#runNext() {
		const frame = this.#frames.shift();
		if (!frame) return;
		this.#memory.release(frame.size);
		if (!frame.drop) this.#whole -= frame.size;
		if (this.length === 0) this.#isPaused = false;
		frame.run();
	}
};
// src/server/connections/client-connection.ts
/** A connection of a client, at the object's end. */
/** The number of rejected messages that an unreadable frame counts as. Our clients never send unreadable frames. */
const UNREADABLE = 10;
/** The close code that clients treat like status 429. */
const TOO_MANY_REQUESTS = 4429;
/** The other end of a socket, a port or one POST. */
var ClientConnection = class {
	caller;
	owner;
	client;
	/** Running calls by id. */
	running = /* @__PURE__ */ new Map();
	subscriptions = new SubscriptionStore();
	limits = DEFAULT_LIMITS;
	/** The object that the client calls. It is the connection itself until the first frame. */
	#instance = this;
	/** Answers that have not been sent. */
	#outbox;
	/** True if the connection was closed because the object had no memory for its client. */
	hasGivenWay = false;
	/** Called with every frame that is sent; `undefined` if no feature looks at frames. */
	#onSent;
	#isClosed = false;
	/** True if the client reads binary frames. */
	readsBytes;
	/** The client's rejected messages minus calls that ran; `undefined` until a message is rejected. */
	#rejections;
	/** Counts calls for `limits.callsPerSecond`; `undefined` until a call is made under that limit. */
	#rate;
	/** Frames that wait; `undefined` until a frame has to wait. */
	#waiting;
	#link;
	/** The bytes that the calls of the running frame may still hold. */
	#reserved = 0;
	/** The client's account; `undefined` until bytes are held for the client. */
	#memory;
	constructor(identity, link) {
		this.caller = identity.caller;
		this.owner = identity.owner;
		this.client = identity.client;
		this.readsBytes = identity.readsBytes ?? false;
		this.subscriptions.stored = identity.subscriptions ?? [];
		this.#link = link;
		this.#outbox = new Outbox(!link.close);
	}
	/** True if the connection has ended. Frames that wait or still arrive are then ignored. */
	get isClosed() {
		return this.#isClosed;
	}
	/** Sets the object and the limits. It is called before each frame, because a class can pass another contract. */
	serve(instance, limits) {
		this.limits = limits;
		if (this.#instance === instance) return;
		this.#instance = instance;
		this.#rejections = rejectionCountsOf(instance).known(this);
	}
	/** Returns whether the connection belongs to an older instance of the object. */
	isOfOther(instance) {
		return this.#instance !== this && this.#instance !== instance;
	}
	get memory() {
		return this.#memory ??= memoryOf$1(this.#instance, this.limits, this);
	}
	/** True if the object holds so much for the client that further calls have to be rejected. */
	get isFull() {
		return this.#memory?.isFull === true;
	}
	/** Marks the connection as closed by the client, and releases the memory that is held for it. */
	leave() {
		this.#isClosed = true;
		this.#link.pieces?.end();
		this.#takeHeld();
		this.#waiting?.drop();
		this.#memory?.leave(this);
	}
	/** Closes the connection because another instance has replaced the object. */
	giveUp() {
		this.close(SERVICE_RESTART, "The code of the object has changed");
		afterDisconnect(this.#instance, this);
	}
	/** Closes the connection because the object has no more memory, and the client holds most of it. */
	giveWay() {
		this.hasGivenWay = true;
		this.close(TRY_AGAIN_LATER, OUT_OF_MEMORY);
		afterDisconnect(this.#instance, this, true);
	}
	close(code, reason) {
		this.leave();
		this.#link.close?.(code, reason);
	}
	/** Joins the pieces of large frames. Returns `undefined` for a piece that is not the last. */
	joinPieces(message) {
		const { pieces } = this.#link;
		if (!this.#link.makePieces || !pieces?.isExpecting && !isControl(message)) return message;
		const start = pieces?.arriving ?? message;
		try {
			return this.#link.makePieces(this).receive(message, this.limits.frameSize);
		} catch (error) {
			this.rejectFrame(error, firstCallIn(start));
			return;
		} finally {
			this.#closeIfExhausted();
		}
	}
	/** Shows the frames that are sent from now on to a hook. */
	showSent(onFrame, instance) {
		this.#onSent ??= (frame) => onFrame("down", frame, this, instance);
	}
	/**
	* Handles a frame at once. If many messages of the client were rejected, frames of other connections go first.
	*
	* @returns a promise of the end, or `undefined` if the frame was handled at once
	*/
	inTurn(run, frame) {
		if (!this.#rejections?.mustWait && !this.#waiting?.length) return void run();
		try {
			return this.#waitingFrames().add(run, frameLength(frame));
		} catch (error) {
			return this.rejectFrame(error, firstCallIn(frame));
		}
	}
	/** True if unread answers take most of the client's memory, so that it must read before the rest of a frame runs. */
	get mustPause() {
		if (!this.isFull || !this.isConnection) return false;
		return this.#outbox.size + this.#unsent > this.limits.memoryPerClient / 2;
	}
	/**
	* Lets the rest of a frame wait until the client has read answers.
	*
	* @param drop - called instead of `run` if the connection ends before the client has read
	*/
	pause(run, drop, size) {
		this.#waitingFrames().pause(run, drop, size);
	}
	get #unsent() {
		return this.#link.pieces?.unsent ?? 0;
	}
	/** Called before the connection is closed because the client makes no progress on a large frame. */
	stalled() {
		this.countRejection(UNREADABLE);
	}
	/** Called when the client has read some of the messages that were sent. */
	drained() {
		this.#waiting?.resume();
	}
	#waitingFrames() {
		const hasRead = () => this.#unsent <= this.limits.memoryPerClient / 2;
		return this.#waiting ??= new WaitingFrames(this.memory, hasRead);
	}
	/** Holds answers back until `release`, so that the answers to one frame share a frame. */
	hold() {
		this.#outbox.hold();
	}
	/** Sends the answers that were held back. */
	release() {
		for (const messages of this.#takeHeld()) if (!this.#isClosed) this.#send(messages);
		this.#waiting?.resume();
		this.#closeIfExhausted();
	}
	#closeIfExhausted() {
		if (this.isExhausted) this.close(TOO_MANY_REQUESTS, TOO_MANY_REJECTIONS);
	}
	/**
	* Replaces answers that are held back.
	*
	* @param replacement - returns another answer for the id of a call; `undefined` to keep the answer
	*/
	replaceHeld(replacement) {
		this.memory.add(this.#outbox.replace(replacement));
	}
	/** Sends an answer, in one frame with other answers of this tick. */
	queue(message) {
		if (this.#isClosed) return;
		if (this.#outbox.isIdle) endOfTurn(this.#instance).then(() => this.release());
		this.#outbox.add(message);
		this.memory.add(message.length);
	}
	/** Sends a message that is not an answer: at once, or after the answers that are held back. */
	send(message) {
		if (this.#outbox.isIdle) this.#send([message]);
		else this.queue(message);
	}
	/** Encodes a message. Bytes follow its text if the client reads binary frames. */
	encode(encode, writing) {
		return this.readsBytes ? encodeWithBytes(writing, encode) : encode(writing.referenceOf);
	}
	/** True for a socket or a port, which can carry more than answers; false for a POST. */
	get isConnection() {
		return this.#link.storeState !== void 0;
	}
	/** True for a socket or a port over which a message that is sent now may still arrive. */
	get isOpen() {
		return !this.#isClosed && this.#link.isOpen === true;
	}
	/**
	* Stores the state that is needed after hibernation: the subscriptions, and whether the client reads binary frames.
	*/
	storeState() {
		this.#link.storeState?.({
			readsBytes: this.readsBytes,
			subscriptions: this.subscriptions.records
		});
	}
	/**
	* Rejects a frame, or the rest of a frame.
	*
	* @param first - the first call of the frame, if no call has run; left out for the rest of a frame, or if unknown
	*/
	rejectFrame(error, first) {
		this.countRejection(UNREADABLE);
		const refusal = error instanceof RpcError ? error : unavailable(error, this.#instance);
		this.queue(first ? encodeRejection(first.isResent ? refusal : withMaybeExecuted(refusal, false), first.id) : encodeRejection(refusal));
	}
	/** Counts messages that were rejected, such as a call whose method did not run. */
	countRejection(count = 1) {
		this.#rejections ??= rejectionCountsOf(this.#instance).of(this);
		this.#rejections.add(count, this.limits.refusals);
	}
	/** True if more messages were rejected than `limits.refusals` allows. */
	get isExhausted() {
		return this.#rejections?.isBarred === true;
	}
	/** Counts a call whose method runs. */
	countCall() {
		this.#rejections?.subtract();
	}
	/**
	* Reserves memory for the calls of a frame that runs. The memory that a call holds is taken from this reserve.
	*
	* @throws RpcError `LIMIT_EXCEEDED` if the object would hold too much for the client
	*/
	reserve(bytes) {
		this.memory.admit(bytes);
		this.#reserved = bytes;
	}
	/** Releases the part of the reserve that no call has taken. */
	endReserve() {
		if (this.#reserved === 0) return;
		this.memory.release(this.#reserved);
		this.#reserved = 0;
	}
	/**
	* Holds the arguments of a call or a subscription until it has ended, even if the connection ends before.
	*
	* @param isRunning - whether the call runs already, so that it cannot be rejected
	* @returns a function that releases the arguments
	* @throws RpcError `LIMIT_EXCEEDED` if the object would hold too much for the client
	*/
	holdInFlight(bytes, isRunning = false) {
		const { memory } = this;
		const ofFrame = Math.min(bytes, this.#reserved);
		this.#reserved -= ofFrame;
		if (isRunning) memory.add(bytes - ofFrame);
		else memory.admit(bytes - ofFrame);
		memory.pin(bytes);
		return () => {
			memory.pin(-bytes);
			memory.release(bytes);
		};
	}
	/** Returns whether `limits.callsPerSecond` allows one more call now. */
	mayCall() {
		const { callsPerSecond } = this.limits;
		return callsPerSecond === Infinity || (this.#rate ??= new RateLimit()).admits(callsPerSecond);
	}
	/** Takes the frames that are held back, and releases their memory. */
	#takeHeld() {
		const { size } = this.#outbox;
		const frames = this.#outbox.release();
		if (size > 0) this.memory.release(size);
		return frames;
	}
	#send(messages) {
		const frame = frameOf(this.readsBytes ? messages : messages.map(asText));
		this.#onSent?.(frame);
		this.#link.send(frame, messages, this);
	}
};
/** Returns an error for a failure that the client did not cause: a class without SQLite cannot store a journal. */
function unavailable(cause, instance) {
	explanations?.printFailure(cause, instance.constructor.name);
	const message = cause instanceof Error ? cause.message : String(cause);
	return new RpcError("UNAVAILABLE", message, { cause });
}
// src/server/calls/missing-feature.ts
function missingFeature(feature) {
	return rejection("UNSUPPORTED", explanations?.explainMissing(feature) ?? `The contract does not use ${feature}`);
}
// src/server/calls/call-resources.ts
var CallResourceMap = class {
	target;
	connection;
	/** The id of the call. */
	id;
	/** The objects by feature; `undefined` until a feature keeps an object, because few calls have such arguments. */
	#parts;
	constructor(target, connection, id) {
		this.target = target;
		this.connection = connection;
		this.id = id;
	}
	/** Returns the object that a feature keeps for the call; `undefined` if the feature has kept none yet. */
	find(feature) {
		return this.#parts?.get(feature);
	}
	add(feature, part) {
		this.#parts ??= /* @__PURE__ */ new Map();
		this.#parts.set(feature, part);
		return part;
	}
	/** @throws RpcError as `CallResource.checkBound` does */
	checkBound(args, method) {
		this.#parts?.forEach((part) => part.checkBound?.(args, method));
	}
	/** @returns the messages to send after the answer of the call */
	end() {
		return this.#parts ? [...this.#parts.values()].flatMap((part) => part.end?.() ?? []) : [];
	}
};
// src/server/calls/targets.ts
/**
* Returns the called method of the object; `undefined` for a call on a capability.
*
* @throws RpcError `METHOD_NOT_FOUND`
*/
function objectMethod(callee, contract) {
	if (typeof callee !== "string") return void 0;
	const { methods } = contract;
	return methods.get(callee) ?? missing(callee, contract, methods);
}
/**
* Returns the called method; `undefined` for a call on a result, whose class is not known yet.
*
* @throws RpcError `METHOD_NOT_FOUND` for a method that the object lacks
*/
function knownMethod(callee, contract) {
	const ofObject = objectMethod(callee, contract);
	if (ofObject) return ofObject;
	const [name, className] = callee;
	return contract.capabilities.get(className)?.methods.get(name);
}
/**
* Makes a callee independent of its frame: a reference to a result becomes the address of the capability.
*
* @throws RpcError `METHOD_NOT_FOUND` for a result that is not a capability, `UNSUPPORTED` if the contract has none
*/
function resolvedCallee(callee, contract, resolve) {
	if (resultIdOf(callee) === void 0) return callee;
	const [name, ...target] = callee;
	const { referenceOf } = contract;
	if (!referenceOf) throw missingFeature("capabilities");
	const [, ...reference] = referenceOf(resolve(["Call", ...target])) ?? missing(name);
	return [name, ...reference];
}
/**
* Returns the called method of a capability, and a new instance of the capability.
*
* @param caller - the caller who makes the call
* @param resolve - the function from `resolverOf`, for a call on a result
* @throws RpcError `METHOD_NOT_FOUND`, `FORBIDDEN` for a capability that does not exist or was revoked, `UNSUPPORTED`
*   if the contract has no capabilities
*/
function capabilityMethod(callee, target, caller, resolve) {
	const { contract } = target;
	const [name, ...parts] = callee;
	const { targets: of } = contract;
	if (!of) throw missingFeature("capabilities");
	const on = resolve ? resolve([CALL, ...parts]) : of.make(parts, target, caller);
	const methods = of.methodsOf(on);
	return {
		on,
		method: methods?.get(name) ?? missing(name, contract, methods)
	};
}
/**
* @param contract - decides whether the message may name another method
* @param methods - the methods of the target; `undefined` if the target has no contract
*/
function missing(name, contract, methods) {
	const called = name.slice(0, 100);
	const near = contract?.exposeErrorDetails && methods && explanations?.nearest(called, methods.keys());
	throw rejection("METHOD_NOT_FOUND", `The contract lists no method ${called}${near ? `: did you mean ${near}?` : ""}`);
}
/**
* Returns a function that resolves the references in a call.
*
* @param caller - the caller who makes the call
* @param results - the results of the calls that this call refers to, all of them ended
* @param resources - the resources of the call; left out where references that end with the call are not possible
* @throws the error of a call that this call refers to
*/
function resolverOf(message, target, caller, results, resources) {
	const resolve = resolverWithin(target, caller, resources);
	return results?.resolver(message, resolve) ?? resolve;
}
/** Resolves the references that do not depend on other calls. */
function resolverWithin(target, caller, resources) {
	const { instance, contract } = target;
	return ([tag, ...parts]) => {
		const read = contract.references.get(tag);
		if (read) return read(parts, {
			instance,
			contract,
			caller,
			resources
		});
		const known = FEATURE_REFERENCES.get(tag);
		if (!known) badMessage("Malformed value");
		throw missingFeature(known);
	};
}
/**
* Returns the token of the capability that a call is made on: its class, number and address as text. Returns `undefined`
* for a call on the object.
*/
function capabilityTokenOf(callee) {
	return typeof callee === "string" ? void 0 : JSON.stringify(callee.slice(1));
}
// src/server/base/relaying.ts
const relaying = {};
// src/server/calls/results/plain-results.ts
/**
* Encodes results of methods with `plain: true` in the contract. They are sent without a check, which can take longer
* than writing them as JSON: see `wire/values/plain.ts`.
*/
/**
* @param method - the name of the method, for the error
* @param isChecked - whether to look through the result first
* @returns JSON text; `undefined` for a result that JSON cannot represent
* @throws RpcError `UNSERIALIZABLE` with the path to a part that is not plain, if the result is checked
*/
function plainText(result, method, isChecked) {
	if (isChecked) explanations?.checkPlain(result, method);
	try {
		return JSON.stringify(result);
	} catch {
		return;
	}
}
// src/server/calls/results/iterable-results.ts
/** Recognizes results that are read item by item, and ends such a result if it will not be read. */
/**
* Returns whether a value is read item by item. Some iterables are sent as a whole instead: arrays, strings, Map,
* Set, typed arrays, URLSearchParams and Headers.
*/
function isStream(value) {
	if (!isObject(value) || Array.isArray(value)) return false;
	if (isReadable(value) || Symbol.asyncIterator in value) return true;
	if (!(Symbol.iterator in value)) return false;
	const tag = tagOf(value);
	return tag === void 0 || tag === "Object" || tag === "Null";
}
function isReadable(value) {
	return value instanceof ReadableStream;
}
/** Ends a result that will not be read, if it is a stream. Its errors are only printed to the console. */
function disposeUnread(result) {
	if (isThenable(result)) Promise.resolve(result).then(disposeUnread).catch(logError);
	else if (isStream(result)) endStream(result);
}
/** Ends a stream that will not be read. Its errors are only printed to the console. */
function endStream(stream) {
	try {
		const ended = isReadable(stream) ? stream.cancel() : iteratorOf(stream).return?.();
		if (isThenable(ended)) Promise.resolve(ended).catch(logError);
	} catch (failure) {
		logError(failure);
	}
}
function iteratorOf(stream) {
	const iterable = stream;
	return (iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator]).call(iterable);
}
/** Prints an error that no caller can receive. */
function logError(failure) {
	console.error(failure);
}
// src/server/calls/results/unsendable.ts
/**
* Checks that a result can be sent as a whole.
*
* @throws RpcError `UNSERIALIZABLE` for a feed, and for a stream, after ending it
*/
function checkNotStreamed(result, method) {
	if (typeof result !== "object") return;
	if (isFeed(result)) throw misplaced(`${method} returned a feed: write events([…])`);
	if (!isStream(result)) return;
	disposeUnread(result);
	throw misplaced(`${method} returned a stream: write stream([…])`);
}
function misplaced(problem) {
	return rejection("UNSERIALIZABLE", `${problem} in the contract`, { path: "" });
}
/**
* Checks that a method can be called.
*
* @throws RpcError `UNSERIALIZABLE` for a method that can only be subscribed to
*/
function checkCallable({ name, subscribableResult }) {
	if (!subscribableResult) return;
	throw rejection("UNSERIALIZABLE", `${name} returns ${subscribableResult}: read it by ${`for await (const item of subscribe(client).${name}(…))`}`, { path: "" });
}
/** Adds a hint to an error of the encoder, in development. */
function addHint(error) {
	return explanations ? explanations.addHint(error) : error;
}
// src/server/calls/invocation.ts
/**
* @param results - results of the calls that it takes as arguments; these calls have all ended
* @returns the answer; a promise of it if the method returns a promise
*/
function runCall(call, target, connection, results) {
	const { message, resources, arrival } = call;
	const id = message[0];
	const { contract } = target;
	let answer;
	try {
		answer = arrival ? surround("call", id, message[1], target, connection, arrival, () => answerCall(call, target, connection, results)) : answerCall(call, target, connection, results);
	} catch (error) {
		answer = encodeCallFailure(id, ofCall(call, error), contract);
	}
	if (answer instanceof Promise) {
		call.journal?.begin(id);
		const late = answer.catch((error) => encodeCallFailure(id, ofCall(call, error), contract));
		return resources ? late.then((encoded) => joinMessages([encoded, ...resources.end()])) : late;
	}
	if (resources) answer = joinMessages([answer, ...resources.end()]);
	call.journal?.storeAnswer(id, answer);
	return answer;
}
/**
* Returns the error to send. A method can throw the error `METHOD_NOT_FOUND` of another object. The client must not
* conclude from it that the method of this object did not run.
*/
function ofCall({ weight }, error) {
	const hasRun = weight !== void 0;
	try {
		if (!hasRun || !(error instanceof RpcError)) return error;
		return MISSING.test(error.code) ? withMaybeExecuted(error, true) : error;
	} catch {
		return error;
	}
}
/**
* @returns the answer; a promise of it if the method returns a promise
* @throws RpcError for a call that is rejected; the error of the method
*/
function answerCall(call, target, connection, results) {
	const { message, resources } = call;
	const { contract } = target;
	const { caller } = connection;
	let prepared;
	try {
		prepared = prepare(message, target, caller, results, resources);
		checkCallable(prepared.called.method);
	} catch (error) {
		call.journal = void 0;
		connection.countRejection();
		throw error;
	}
	connection.countCall();
	const { called, args } = prepared;
	const { method } = called;
	call.weight = prepared.weight;
	const id = message[0];
	const { readonly, volatile } = method;
	if (readonly || volatile) call.journal = void 0;
	if (volatile && call.isResent) throw forgotten(id);
	const result = invoke(called, target, args, caller, readonly ? relaying.untilArrived : explanations?.watchWrites(target.instance, method));
	if (isThenable(result)) return answerLater(id, method, result, contract, connection);
	return encodeAnswer(id, method, result, contract, connection);
}
async function answerLater(id, method, result, contract, connection) {
	return encodeAnswer(id, method, await result, contract, connection);
}
/** @throws RpcError `UNSERIALIZABLE` for a result that cannot be sent, and for a feed or a stream */
function encodeAnswer(id, { name, plain, feedback, checkOutput }, result, contract, connection) {
	checkNotStreamed(result, name);
	checkOutput?.(result);
	const text = plain && plainText(result, name, plain === "checked");
	const answer = text ? `[${id},${text}]` : connection.encode((referenceOf) => encodeResult(id, result, referenceOf, feedback), contract);
	checkSentSize(answer.length, "a result", contract.limits);
	return answer;
}
/**
* Finds the method that is called, and decodes and validates its arguments.
*
* @param message - decoding may modify it, so it cannot be used again
* @param results - results of the calls that it takes as arguments; these calls have all ended
* @param resources - the resources of the call; left out where references that end with it are not possible
* @param own - called before the arguments are decoded; returns the message whose arguments are decoded
* @throws RpcError for a method that is not in the contract, an invalid capability, or invalid arguments
*/
function prepare(message, target, caller, results, resources, own = () => message) {
	const callee = message[1];
	const { instance, contract } = target;
	const method = objectMethod(callee, contract);
	const isOnResult = resultIdOf(callee) !== void 0;
	const resolve = isOnResult || message.length > 3 ? resolverOf(message, target, caller, results, resources) : void 0;
	const called = method ? {
		on: instance,
		method
	} : capabilityMethod(callee, target, caller, isOnResult ? resolve : void 0);
	const { args: decoded, weight } = decodeArgs(own(called.method), contract.limits, resolve);
	let args = decoded;
	const { method: checking, on } = called;
	if (message.length > 3) {
		const validate = () => checking.validate(args);
		args = validateComplete(args, validate, checking.validatesWhileRunning);
	} else args = checking.validate(args);
	const bound = checking.bind?.(args, on, resources) ?? args;
	resources?.checkBound(bound, checking);
	return {
		called,
		args: bound,
		sent: decoded.length,
		weight
	};
}
/**
* Makes a call independent of its frame: a callee that is a result becomes the address of that capability.
*
* @param results - results of the calls that it takes as arguments; these calls have all ended
* @throws RpcError `METHOD_NOT_FOUND` for a result that is not a capability, `UNSUPPORTED` if the contract has none;
*   the error of a call that it takes
*/
function independentCall(message, target, caller, results) {
	const [id, callee, ...args] = message;
	const resolve = resolverOf(message, target, caller, results);
	return [
		id,
		resolvedCallee(callee, target.contract, resolve),
		...args
	];
}
/**
* Prepares a call as `prepare` does, for a message that is used several times. Each use gets its own copy of the
* arguments, because a method may change them.
*
* @param isReused - called before the arguments are decoded; returns whether the message is used again, or throws why
*   the method cannot be used. A copy costs more time than parsing the message.
*/
function prepareReusedCall(message, target, caller, isReused = () => true) {
	const own = (method) => isReused(method) ? structuredClone(message) : message;
	return prepare(message, target, caller, void 0, void 0, own);
}
/** Returns the error for a call that may have run. The call must not run twice, so it gets no result. */
function forgotten(id) {
	return rejection("DISCONNECTED", `Call ${id} may have run, but its answer is not stored`, { maybeExecuted: true });
}
function encodeCallFailure(id, error, contract) {
	return encodeFailure(id, addHint(error), contract.exposeErrorDetails);
}
/**
* @param args - already validated
* @param around - returns the function that runs instead of the method
* @returns the method's result, or the result that replaces it
* @throws the method's error, or the error that replaces it
*/
function invoke({ on, method: { name } }, target, args, caller, around) {
	const method = on[name];
	if (!method) throw new RpcError("METHOD_NOT_FOUND", `The object has no method ${name}`);
	const run = uncheckedMethod(method);
	return runClassCode(name, target, caller, around?.(run, caller) ?? run, on, args);
}
// src/server/calls/pipelining.ts
/** Keeps the answers of calls for other calls of the client that take the results as arguments. */
var PipelinedResults = class {
	/** Answers by call id: the answers of this frame, and earlier answers that have been looked up. */
	#answers = /* @__PURE__ */ new Map();
	#earlier;
	/** @param earlier - returns the answer of a call of an earlier frame, if it is still known */
	constructor(earlier) {
		this.#earlier = earlier;
	}
	add(id, answer) {
		this.#answers.set(id, answer);
	}
	/**
	* @returns whether the result of one of the call's inputs is no longer known
	* @throws RpcError `BAD_MESSAGE` for an input that is not a call before this call
	*/
	isMissing(message) {
		const [id] = message;
		for (const input of referencedCallIds(message)) {
			if (!isId(input) || input >= id) badMessage(`Call ${id} uses the result of call ${input}, which is not before it in the frame`);
			const answer = this.#answers.get(input) ?? this.#earlier(input);
			if (answer === void 0) return true;
			this.add(input, answer);
		}
		return false;
	}
	/**
	* Waits for the inputs of a call that are still running.
	*
	* @returns a promise that resolves when all have ended, with a result or an error; `undefined` if all have
	*   ended
	*/
	pending(message) {
		const pending = [];
		for (const id of referencedCallIds(message)) {
			const answer = this.#answers.get(id);
			if (answer instanceof Promise) pending.push(answer.then((known) => this.add(id, known)));
		}
		return pending.length > 0 ? Promise.all(pending) : void 0;
	}
	/**
	* Decodes the results that a call takes, as the client will receive them. Each call gets its own copies,
	* because inputs are passed by value.
	*
	* @param resolve - resolves references of other kinds
	* @throws the error of a failed input, so that the call fails with the error of its input
	*/
	resolver(message, resolve) {
		const results = /* @__PURE__ */ new Map();
		for (const id of referencedCallIds(message)) {
			const [first] = readEncoded(this.#answers.get(id));
			const answer = decodeAnswer(first, resolve);
			if ("thrown" in answer) throw answer.thrown;
			results.set(id, answer.result);
		}
		return (reference) => {
			const [name, id, ...path] = reference;
			if (name !== "Call" || !isId(id) || !path.every(isString)) return resolve(reference);
			return readPath(results.get(id), path);
		};
	}
};
// src/server/calls/frame-run.ts
var FrameRun = class {
	/** Promises that resolve after the late answers; `undefined` while there are none. */
	#late;
	#target;
	#connection;
	#results;
	#arrival;
	#lastId = 0;
	/** True if the frame lists the calls that the client awaits. */
	#hasSaidAwaited = false;
	/** True if the client makes a single call, which is in this frame: see `["key"]`. */
	#isKeyed = false;
	/** Calls up to this id may have arrived before. */
	#resent = 0;
	#metadata;
	/** The time of `Date.now()` when the client sent the first of the calls that may have arrived before. */
	#resentSince = Infinity;
	/**
	* @param keepResults - whether a call of the frame takes the result of another call
	* @param arrival - left out if nothing surrounds calls
	*/
	constructor(target, connection, keepResults, arrival) {
		this.#target = target;
		this.#connection = connection;
		this.#arrival = arrival;
		const { journal } = target;
		this.#results = keepResults ? new PipelinedResults((id) => connection.running.get(id)?.answer ?? journal?.resultOf(id)) : void 0;
	}
	/**
	* Handles a message.
	*
	* @throws RpcError for an invalid message that is not a call; the rest of the frame is ignored
	*/
	start(message) {
		const id = message[0];
		if (!isId(id)) return this.#control(message);
		let isSafe;
		let missing;
		let isMissing;
		const { contract, journal } = this.#target;
		const { limits } = contract;
		let entry = journal;
		try {
			const limit = this.#limitReached();
			if (limit && id > this.#resent) limitExceeded(limit, limits[limit]);
			checkCall(message);
			this.#admit(id);
			try {
				const method = knownMethod(message[1], contract);
				isSafe = method?.readonly;
				if (isSafe || method?.volatile) entry = void 0;
			} catch (error) {
				missing = error;
			}
			if (limit) {
				if (isSafe || entry?.hasBegun(id) === false) limitExceeded(limit, limits[limit]);
				this.#connection.countRejection();
			}
			isMissing = this.#results?.isMissing(message) || this.#isKeyed && journal?.hasOther(id);
		} catch (error) {
			this.#connection.countRejection();
			return this.#reject(id, message, error);
		}
		const isResent = id <= this.#resent;
		const known = entry || isResent ? journal?.answerOf(id) : void 0;
		if (known !== void 0) {
			if (this.#isKeyed) this.#connection.queue("[\"replayed\"]");
			const replay = this.#arrival && {
				...this.#arrival,
				isReplayed: true
			};
			if (replay) this.#surroundKnown(id, message[1], replay, () => known);
			return this.#deliver(id, known);
		}
		if (!isSafe && this.#isMaybeExecuted(id, entry)) return this.#reject(id, message, missing ? withMaybeExecuted(missing, true) : forgotten(id));
		if (missing) {
			this.#connection.countRejection();
			return this.#reject(id, message, missing);
		}
		if (isMissing) return this.#connection.queue(`[-${id}]`);
		const call = {
			message,
			journal: entry,
			isResent,
			resources: this.#scopeOf(message),
			arrival: this.#arrivalOf(id)
		};
		const inputs = this.#results?.pending(message);
		let release;
		if (inputs) try {
			release = this.#connection.holdInFlight(weightOf(message) + weightOfMetadata(call));
			if (call.resources) this.#prepareToWait(message, call.resources);
		} catch (error) {
			release?.();
			call.resources?.end();
			this.#connection.countRejection();
			return this.#reject(id, message, error);
		}
		const answer = inputs?.then(() => this.#runLate(call, isSafe)) ?? this.#run(call, isSafe);
		if (!entry) this.#keepAsInput(id, answer);
		const recorded = answer instanceof Promise ? entry?.storeAnswerLater(id, answer) ?? answer : answer;
		if (answer instanceof Promise) release ??= this.#connection.holdInFlight((call.weight ?? 0) + weightOfMetadata(call), true);
		this.#deliver(id, recorded, release);
	}
	/** Removes and returns the promises of the late answers so far; `undefined` if there are none. */
	takeLate() {
		const late = this.#late;
		this.#late = void 0;
		return late;
	}
	/** Ends the frame. Calls that still wait then do not keep the metadata of other calls. */
	end() {
		this.#metadata = void 0;
	}
	metadataOf(id) {
		return this.#metadata?.get(id);
	}
	setMetadata(id, metadata) {
		(this.#metadata ??= /* @__PURE__ */ new Map()).set(id, metadata);
	}
	/** Handles a message that is not a call: see `ControlMessage`, and `MESSAGES` for the messages of features. */
	#control(message) {
		const [kind, ...numbers] = message;
		const { journal, contract } = this.#target;
		if (kind === "cancel") return this.#cancel(numbers);
		if (kind === "key") {
			this.#isKeyed = this.#hasSaidAwaited = true;
			return;
		}
		const handle = contract.messages.get(kind);
		if (handle) return handle(message, {
			...this.#target,
			connection: this.#connection,
			results: this.#results,
			frame: this
		});
		const needed = FEATURE_MESSAGES.get(kind);
		if (needed) return this.#decline(message, needed);
		if (kind !== "awaits" && kind !== "resent") badMessage("A message must begin with the id of its call, or with the name of its kind");
		if (!isCounts(numbers)) malformed$1(kind);
		const [first, ...rest] = numbers;
		if (kind === "resent") {
			this.#resent = first;
			this.#resentSince = Date.now() - (rest[0] ?? 0);
			return;
		}
		this.#hasSaidAwaited = true;
		journal?.forget(1, first - 1);
		this.#forget(rest);
	}
	/** Rejects a message of a feature that the contract does not have, if the client expects an answer. */
	#decline([kind, number], feature) {
		if (kind === "trace") return;
		const thrown = encodeThrown(missingFeature(feature), false);
		if (kind === "bytes") return this.#connection.send(`["bytes"${thrown}]`);
		this.#connection.countRejection();
		if (kind === "subscribe" && isId(number)) this.#connection.send(`["complete",${number}${thrown}]`);
	}
	#cancel(ids) {
		checkIdCount(ids);
		if (!ids.every(isId)) malformed$1("cancel");
		const { running } = this.#connection;
		const cancelled = ids.filter((id) => running.has(id));
		for (const id of cancelled) running.get(id).isAwaited = false;
		this.#target.journal?.forgetAll(cancelled);
	}
	/** Marks calls that the client no longer awaits. An id that no call has counts as a rejected message. */
	#forget(ids) {
		checkIdCount(ids);
		const unknown = this.#target.journal?.forgetAll(ids) ?? 0;
		if (unknown > 0) this.#connection.countRejection(unknown);
	}
	/** Returns the limit that the connection has reached, so that no further call may run now. */
	#limitReached() {
		const { limits } = this.#target.contract;
		if (!this.#connection.mayCall()) return "callsPerSecond";
		if (this.#connection.running.size >= limits.callsInFlight) return "callsInFlight";
		return this.#connection.isFull ? "memoryPerClient" : void 0;
	}
	/** @throws RpcError for a call that must not run */
	#admit(id) {
		if (id <= this.#lastId) badMessage("Call ids must ascend within a frame");
		const { journal } = this.#target;
		if (!this.#hasSaidAwaited) journal?.forget(this.#lastId + 1, id - 1);
		journal?.arrived(id);
		this.#lastId = id;
	}
	/** Returns whether a call that is not `readonly` may have run although its answer is not stored. */
	#isMaybeExecuted(id, entry) {
		const isResent = id <= this.#resent;
		if (entry) return entry.isMaybeExecuted(id, isResent ? this.#resentSince : Infinity);
		return isResent;
	}
	#arrivalOf(id) {
		const metadata = this.#metadata?.get(id);
		return this.#arrival && metadata ? {
			...this.#arrival,
			metadata
		} : this.#arrival;
	}
	#run(call, isSafe) {
		const answer = runCall(call, this.#target, this.#connection, this.#results);
		const { instance } = this.#target;
		const { afterChange } = this.#target.contract;
		if (afterChange && !isSafe) {
			afterChange(instance);
			if (answer instanceof Promise) answer.then(() => afterChange(instance));
		}
		return answer;
	}
	/** Returns the objects that end with a call; `undefined` for a message that is not rich, as it has no references. */
	#scopeOf(message) {
		return message.length > 3 && this.#connection.isConnection ? new CallResourceMap(this.#target, this.#connection, message[0]) : void 0;
	}
	/** @throws RpcError for arguments that the call cannot have */
	#prepareToWait(message, resources) {
		for (const { beforeWait } of this.#target.contract.features) beforeWait?.(message, resources);
	}
	/** Runs a call in a later turn than its frame. At the end of that turn, the journal is written. */
	#runLate(call, isSafe) {
		const { message, journal } = call;
		const [id] = message;
		if (!this.#connection.running.get(id)?.isAwaited) {
			call.resources?.end();
			return this.#failure(id, message, rejection("ABORTED", `Call ${id} was aborted before it began`), call.arrival);
		}
		const answer = this.#run(call, isSafe);
		journal?.saveSoon();
		return answer;
	}
	/** Keeps an answer that is not journaled, for calls on their way that take it as an argument. */
	#keepAsInput(id, answer) {
		const { journal } = this.#target;
		if (!(answer instanceof Promise)) journal?.keepForReferences(id, answer);
		else if (journal) answer.then((encoded) => journal.keepForReferences(id, encoded));
	}
	/** @param release - called when a late answer is there */
	#deliver(id, answer, release) {
		if (answer instanceof Promise) this.#answerLater(id, answer, release);
		else this.#answer(id, answer);
	}
	#answer(id, answer) {
		this.#results?.add(id, answer);
		this.#connection.queue(answer);
	}
	/** Answers when a call has ended, unless it has been cancelled by then. */
	#answerLater(id, answer, release) {
		const { running } = this.#connection;
		const call = {
			answer,
			isAwaited: true
		};
		running.set(id, call);
		this.#results?.add(id, answer);
		this.#late ??= [];
		this.#late.push(answer.then((encoded) => {
			if (call.isAwaited) this.#connection.queue(encoded);
			running.delete(id);
			release?.();
		}));
	}
	#reject(id, message, error) {
		this.#answer(id, this.#failure(id, message, error, this.#arrivalOf(id)));
	}
	/** @returns the answer of a call that is rejected before it runs */
	#failure(id, [, callee], error, arrival) {
		if (arrival) this.#surroundKnown(id, callee, arrival, () => {
			throw error;
		});
		return encodeCallFailure(id, error, this.#target.contract);
	}
	/** Shows a call whose answer is already known to the hooks that surround calls. */
	#surroundKnown(id, callee, arrival, run) {
		try {
			const ended = surround("call", id, callee, this.#target, this.#connection, arrival, run);
			Promise.resolve(ended).catch(() => {});
		} catch {}
	}
};
function weightOfMetadata({ arrival }) {
	return arrival?.metadata ? weightOf([arrival.metadata]) : 0;
}
/** @throws RpcError `LIMIT_EXCEEDED` for more calls than a client can have in flight */
function checkIdCount({ length }) {
	if (length > 1e4) limitExceeded("the number of calls in a message", CALLS_IN_FLIGHT);
}
/** Returns whether a list has at least one number, and all numbers are valid as ids or milliseconds. */
function isCounts(numbers) {
	return numbers.length > 0 && numbers.every((one) => one === 0 || isId(one));
}
/** @param kind - the kind of a message about calls */
function malformed$1(kind) {
	badMessage(`A message "${kind}" must have the ids of calls`);
}
// src/server/calls/dispatch.ts
/** Reads a frame of any transport, and runs its calls on an object. */
/** The number of messages about the connection that a frame may contain besides its calls: one of each kind. */
const CONTROLS = 5;
/**
* Answers a frame of a connection. Answers that are ready at once share a frame.
*
* @param message - the frame as received
* @param targetOf - returns the target of the calls, or throws why there is none
* @returns a promise that resolves after the last late answer; `undefined` if there are no late answers
*/
function answerFrame(message, targetOf, connection) {
	let late;
	connection.hold();
	if (typeof message === "string" || message instanceof ArrayBuffer) late = runFrame(message, targetOf, connection);
	else connection.rejectFrame(rejection("BAD_MESSAGE", "A frame must be text or an ArrayBuffer"));
	connection.release();
	return late;
}
/**
* Runs all calls of a frame in order. A call that fails does not affect the others. The connection gets the answers before
* this function returns. Only the answer of a method that returned a promise is late.
*
* @param frame - the frame as received; a binary frame is empty afterwards
* @param targetOf - returns the target of the calls, or throws why there is none
* @returns a promise that resolves after the last late answer; `undefined` if there are no late answers
*/
function runFrame(frame, targetOf, connection) {
	const size = frameLength(frame);
	let messages;
	try {
		const target = targetOf();
		const { instance, contract } = target;
		const { onFrame, around } = contract;
		const { callsPerFrame } = contract.limits;
		if (onFrame) {
			connection.showSent(onFrame, instance);
			onFrame("up", frame, connection, instance);
		}
		if (size > 65536) connection.reserve(size);
		return runInFrame(instance, () => {
			const arrived = around && {
				at: performance.now(),
				size: byteLengthOf(frame)
			};
			messages = readMessages(frame, contract);
			if (messages.length === 0) connection.countRejection();
			if (messages.length > callsPerFrame && messages.length - controlsOf(messages) > callsPerFrame) limitExceeded("callsPerFrame", callsPerFrame);
			const arrival = arrived && {
				arrivedAt: arrived.at,
				bytesIn: arrived.size / callsOf(messages)
			};
			const run = new FrameRun(target, connection, messages.some(hasInputs), arrival);
			return runFrom(0, {
				messages,
				run,
				size
			}, target, connection);
		});
	} catch (error) {
		connection.rejectFrame(error, firstCallIn(beginningOf(messages) ?? frame));
		return;
	} finally {
		connection.endReserve();
	}
}
/** Runs the messages of a frame from an index on. The rest waits while the client does not read the answers. */
function runFrom(first, frame, target, connection) {
	const { messages, run, size } = frame;
	const { refusals } = target.contract.limits;
	let next = first;
	try {
		while (next < messages.length && !connection.isClosed && !connection.mustPause) {
			if (connection.isExhausted) limitExceeded("refusals", refusals);
			run.start(messages[next++]);
		}
	} catch (error) {
		connection.rejectFrame(error);
		next = messages.length;
	}
	if (next === messages.length || connection.isClosed) run.end();
	try {
		target.journal?.save();
	} catch (error) {
		const { journal } = target;
		connection.replaceHeld((id) => journal?.hasBegun(id) ? storageFailure(id, error) : void 0);
	}
	const late = run.takeLate();
	if (next === messages.length || connection.isClosed) return late && Promise.all(late);
	const rest = new Promise((resolve) => {
		const goOn = () => {
			connection.hold();
			resolve(runInFrame(target.instance, () => runFrom(next, frame, target, connection)));
			connection.release();
		};
		connection.pause(goOn, () => resolve(void 0), size);
	});
	return Promise.all([...late ?? [], rest]);
}
/** @throws RpcError `LIMIT_EXCEEDED`, or `BAD_MESSAGE` for a malformed frame */
function readMessages(frame, { frames, limits }) {
	const { frameSize } = limits;
	checkSize(typeof frame === "string" ? frame.length : frame.byteLength / 3, frameSize);
	if (typeof frame !== "string" && !frames.read) throw missingFeature("bytes");
	const messages = typeof frame === "string" ? parseUnchecked(frame) : frames.read?.(frame, (size) => checkSize(size, frameSize), parseUnchecked);
	if (!messages) badMessage("Malformed frame");
	return messages;
}
function checkSize(size, frameSize) {
	if (size > frameSize) limitExceeded("frameSize", frameSize);
}
function isCall(message) {
	return isId(message[0]);
}
function callsOf(messages) {
	return messages.filter(isCall).length;
}
function controlsOf(messages) {
	return messages.slice(0, CONTROLS).filter((message) => !isCall(message)).length;
}
/** Returns the beginning of a frame that has been read, as text. */
function beginningOf(messages) {
	const first = messages?.slice(0, 6).map((message) => message.slice(0, 2));
	return first && JSON.stringify(first);
}
function hasInputs(message) {
	if (message[0] === "subscribe") return resultIdOf(message[3]) !== void 0;
	if (!isCall(message) || message.length < 4 && typeof message[1] === "string") return false;
	return referencedCallIds(message).length > 0;
}
// src/server/calls/exchange.ts
/**
* Runs the calls of a frame, and waits for the last answer.
*
* @param identity - the client that sends the frame
* @param read - returns the frame, or throws why it cannot be read
* @returns a frame with all answers; `undefined` if the object has no memory for the client
*/
async function answerOnce(identity, { instance, contract }, read) {
	let answer = "[]";
	const link = {
		send(frame) {
			answer = frame;
		},
		get memory() {
			return connection.memory;
		}
	};
	const connection = new ClientConnection(identity, link);
	connection.serve(instance, contract.limits);
	connection.hold();
	try {
		await runFrame(await read(link), () => ({
			instance,
			contract,
			journal: clientJournalOf(instance, contract, connection)
		}), connection);
	} catch (error) {
		connection.rejectFrame(error);
	}
	releaseClientJournal(instance, contract, connection);
	connection.release();
	if (connection.hasGivenWay) return void 0;
	connection.leave();
	return answer;
}
// src/server/base/pending.ts
/** Values that a method needs and that have not arrived yet. The method runs again when they have arrived. */
/** Thrown where a method reads a value that has not arrived. */
var PendingError = class extends RpcError {
	#value;
	constructor(value) {
		super("DISCONNECTED", "The relay has no value of its origin yet: try again");
		this.#value = value;
	}
	get value() {
		return this.#value;
	}
};
/** Returns a function that returns a `PendingError` instead of throwing it, because it is no failure of the method. */
function pendingAsResult(run) {
	return function(...args) {
		try {
			return Reflect.apply(run, this, args);
		} catch (thrown) {
			if (thrown instanceof PendingError) return thrown;
			throw thrown;
		}
	};
}
// src/server/connections/identity.ts
/** Identifies the client of a connection by the headers of its request, and by the caller that a hook has named. */
/** Returns the identity of the client that opens a socket, or that asks by a probe why its upgrade was rejected. */
function socketIdentityOf(request) {
	const prefix = `${CLIENT_ID}.`;
	const { headers } = request;
	const offered = headers.get("Sec-WebSocket-Protocol");
	const id = (offered === null ? probedProtocols(request) : headerItems(offered)).find((protocol) => protocol.startsWith(prefix))?.slice(prefix.length);
	return {
		...callerOf(request),
		client: clientIdOf(id)
	};
}
/** Returns the identity of the client that sends a POST. */
function postIdentityOf(request) {
	return {
		...callerOf(request),
		client: clientIdOf(request.headers.get(CLIENT_ID))
	};
}
/** Maximum length of a client's id, which is part of a storage key. Ids have about 32 characters. */
const MAX_CLIENT_LENGTH = 100;
/** Returns the id that a client sent; `undefined` if it is missing or too long. */
function clientIdOf(sent) {
	return sent && sent.length <= MAX_CLIENT_LENGTH ? sent : void 0;
}
// src/server/connections/pieces.ts
/** The least number of pieces that are on their way, and the number at first. At 2 Mbit/s, they take a second. */
const LEAST = 2;
const MOST = 32;
/**
* An acknowledgement within `FAST` milliseconds doubles the number of pieces that are on their way, up to `MOST`. An
* acknowledgement after more than `SLOW` milliseconds resets it.
*/
const FAST = 100;
const SLOW = 500;
/** The time that the object waits for a piece or an acknowledgement, in milliseconds. It stays awake while it waits. */
const PATIENCE$3 = 6e4;
/** The size that may be sent in whole frames before the client has to show that it reads, in characters and bytes. */
const MAX_UNREAD = MAX_WHOLE_SIZE;
var Pieces = class {
	#socket;
	#client;
	#memory;
	#queue = [];
	#sent = [];
	#window = LEAST;
	/** The size of the pieces that wait or are not acknowledged. */
	unsent = 0;
	/** The size of all whole frames that were sent, and the part of it that the client has certainly read. */
	#whole = 0;
	#wholeRead = 0;
	/** The mark of the piece that comes next. */
	#mark;
	/** The pieces of the frame that is arriving, and their size in characters or bytes. */
	#parts = [];
	#arriving = 0;
	/** True if the rest of the frame that is arriving is dropped. */
	#isDropping = false;
	#timer;
	constructor(socket, client) {
		this.#socket = socket;
		this.#client = client;
		this.#memory = client.memory;
	}
	/** True if frames are being sent or joined. */
	get isBusy() {
		return this.#queue.length > 0 || this.#sent.length > 0 || this.#mark !== void 0 || this.#arriving > 0;
	}
	/**
	* Sends a frame. Answers of calls may overtake other messages, and be overtaken. All other messages stay in their
	* order.
	*
	* @param isAnswer - whether the frame contains only answers of calls
	*/
	send(frame, isAnswer) {
		const size = frameLength(frame);
		const mayOvertake = isAnswer || this.#queue.every((parcel) => parcel.isAnswer);
		const isUnread = this.#whole - this.#wholeRead + size > MAX_UNREAD;
		if (size <= 262144 && mayOvertake && !isUnread) {
			this.#whole += size;
			return this.#socket.sendWhole(frame);
		}
		const messages = size <= 262144 ? ["", frame] : piecesOf(frame);
		while (messages.length > 0) {
			const [mark, piece] = messages.splice(0, 2);
			this.#queue.push({
				mark,
				piece,
				size: frameLength(piece),
				isAnswer
			});
		}
		this.unsent += size;
		this.#memory.add(size);
		this.#sendQueued();
		this.#watch();
	}
	/** Returns the first piece of the frame that is arriving. */
	get arriving() {
		return this.#parts[0];
	}
	/** True if the next message is a piece of a frame. */
	get isExpecting() {
		return this.#mark !== void 0;
	}
	/**
	* Receives the mark of a piece, a piece that `isExpecting`, or an acknowledgement.
	*
	* @param limit - the largest size of a frame, in characters; a byte counts as a third of a character
	* @returns the frame when its last piece has arrived; otherwise `undefined`
	* @throws RpcError for a piece of a frame that is too large or malformed, and for an acknowledgement of nothing. The
	*   rest of that frame is dropped.
	*/
	receive(message, limit) {
		const mark = this.#mark;
		this.#mark = void 0;
		try {
			if (mark !== void 0) return this.#receivePiece(message, mark === "", limit);
			if (message === "" || message === "") this.#mark = message;
			else if (!isControl(message)) return message;
			else this.#acknowledged(message);
			return;
		} finally {
			this.#watch();
		}
	}
	#receivePiece(piece, isLast, limit) {
		this.#socket.sendWhole("");
		try {
			if (this.#isDropping) checkProgress(piece, isLast);
			else this.#take(piece, isLast, limit);
			return isLast && !this.#isDropping ? joined(this.#parts) : void 0;
		} catch (error) {
			this.#forgetArriving();
			this.#isDropping = !isLast;
			throw error;
		} finally {
			if (isLast) this.#forgetArriving();
		}
	}
	/** @throws RpcError for a piece that cannot be kept */
	#take(piece, isLast, limit) {
		const size = frameLength(piece);
		const total = this.#arriving + size;
		if (typeof piece !== typeof (this.#parts[0] ?? piece)) badMessage("The pieces of a frame must be all text or all bytes");
		checkProgress(piece, isLast);
		if ((typeof piece === "string" ? total : total / 3) > limit) limitExceeded("frameSize", limit);
		this.#memory.admit(size);
		this.#arriving = total;
		this.#parts.push(piece);
	}
	#forgetArriving() {
		this.#memory.release(this.#arriving);
		this.#arriving = 0;
		this.#parts = [];
		this.#isDropping = false;
	}
	/** Drops all pieces, because the connection has ended. */
	end() {
		const queued = this.unsent;
		this.unsent = 0;
		this.#queue = [];
		this.#sent = [];
		this.#mark = void 0;
		this.#memory.release(queued);
		this.#forgetArriving();
		this.#watch();
	}
	/** @throws RpcError for a message that does not acknowledge the first of the pieces that were sent */
	#acknowledged(message) {
		const piece = this.#sent[0];
		if (message !== piece?.acknowledgement) badMessage("An acknowledgement must repeat the characters of the mark");
		this.#sent.shift();
		this.#memory.release(piece.size);
		this.unsent -= piece.size;
		this.#wholeRead = piece.whole;
		const took = Date.now() - piece.at;
		if (took < FAST) this.#window = Math.min(2 * this.#window, MOST);
		else if (took > SLOW) this.#window = LEAST;
		this.#sendQueued();
		this.#client.drained();
	}
	#sendQueued() {
		while (this.#sent.length < this.#window) {
			const next = this.#queue.shift();
			if (!next) break;
			const { mark, piece, size } = next;
			const token = crypto.randomUUID().slice(0, 8);
			const acknowledgement = "" + token;
			this.#sent.push({
				at: Date.now(),
				acknowledgement,
				size,
				whole: this.#whole
			});
			this.#socket.sendWhole(mark + token);
			this.#socket.sendWhole(piece);
		}
	}
	/** Keeps the object awake while frames are sent or joined, and closes a client that makes no progress. */
	#watch() {
		clearTimeout(this.#timer);
		if (!this.isBusy) return;
		this.#timer = setTimeout(() => {
			this.end();
			this.#client.stalled();
			this.#socket.close(TRY_AGAIN_LATER, `No progress on a large frame for ${PATIENCE$3} ms`);
		}, PATIENCE$3);
	}
};
/**
* Checks that a piece is large enough. A client that sends small pieces would keep the object awake for a long time.
*
* @throws RpcError for a piece that is too small
*/
function checkProgress(piece, isLast) {
	if (isLast || frameLength(piece) >= 131072) return;
	badMessage(`Only the last piece may be smaller than ${PIECE_SIZE}`);
}
/** Returns the frame that the pieces make up. The pieces are all text or all bytes. */
function joined(pieces) {
	return typeof pieces[0] === "string" ? pieces.join("") : wholeFrame(pieces);
}
// src/server/connections/sockets.ts
/** Accepts the WebSockets of clients, and identifies them after hibernation. */
/** The tag that distinguishes hibernating RPC sockets from the class's own sockets. */
const SOCKET_TAG = SUBPROTOCOL;
/** Prefix of the tag of a client's sockets. The client's id follows. */
const CLIENT_TAG = "rpc:";
/** Connections of RPC sockets that are in memory. After hibernation, RPC sockets are found by their tag. */
const connectionsOfSockets = /* @__PURE__ */ new WeakMap();
/** RPC sockets of objects that do not hibernate. The runtime does not list these sockets. */
const residents = /* @__PURE__ */ new WeakMap();
/** Returns the RPC sockets that hibernate and have a tag, and all RPC sockets that do not hibernate. */
function socketsOf(ctx, tag = SOCKET_TAG) {
	return [...ctx.getWebSockets(tag), ...residents.get(ctx) ?? []];
}
/**
* Returns whether the object has as many connections as `limits.connections` allows. A connection of the requesting
* client does not count, because the new connection replaces it.
*/
function isFull(request, instance, { limits }) {
	const { connections } = limits;
	if (connections === Infinity) return false;
	const { ctx } = instance;
	const { client, owner } = socketIdentityOf(request);
	const sockets = socketsOf(ctx);
	if (sockets.length < connections) return false;
	return sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length - (client === void 0 ? 0 : connectionsOfClient(instance, client, owner).length) >= connections || sockets.length >= 2 * connections;
}
/**
* @param identity - the result of `socketIdentityOf`
* @param listen - attaches handlers to a socket that does not hibernate
* @returns a response of status 101 with the socket
*/
function acceptSocket(identity, instance, contract, listen) {
	const { ctx } = instance;
	const { 0: client, 1: server } = new WebSocketPair();
	if (contract.hibernate) {
		const { client: id } = identity;
		ctx.acceptWebSocket(server, id === void 0 ? [SOCKET_TAG] : [SOCKET_TAG, CLIENT_TAG + id]);
		server.serializeAttachment(identity);
		if (!ctx.getWebSocketAutoResponse()) ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("[]", "[]"));
	} else {
		server.binaryType = "arraybuffer";
		server.accept();
		residents.set(ctx, (residents.get(ctx) ?? /* @__PURE__ */ new Set()).add(server));
		listen(server);
	}
	const connection = new ClientConnection(identity, new SocketLink(server, identity, contract.hibernate));
	connection.serve(instance, contract.limits);
	connectionsOfSockets.set(server, connection);
	return new Response(null, {
		status: 101,
		webSocket: client,
		headers: { "Sec-WebSocket-Protocol": SUBPROTOCOL }
	});
}
/** @returns `undefined` for a socket that is not RPC */
function connectionOf(ctx, socket) {
	const known = connectionsOfSockets.get(socket);
	if (known) return known;
	if (!ctx.getTags(socket).includes(SOCKET_TAG)) return void 0;
	const identity = socket.deserializeAttachment();
	const link = new SocketLink(socket, identity, true);
	const connection = new ClientConnection(identity, link);
	if (!link.isOpen) connection.leave();
	connectionsOfSockets.set(socket, connection);
	return connection;
}
/**
* Closes the sockets that an older instance of the object has in memory, so that their clients connect to the new
* instance. A development server that replaces a class makes a new instance with the `ctx` of the old instance. The new
* instance cannot take over the state of the old instance's features.
*/
function closeSocketsOfOthers(instance) {
	const { ctx } = instance;
	for (const socket of socketsOf(ctx)) {
		const connection = connectionsOfSockets.get(socket);
		if (connection?.isOfOther(instance) && !connection.isClosed) connection.giveUp();
	}
}
/** Returns the connections of the sockets that hibernate and are not closed. */
function hibernatingConnectionsOf(instance) {
	const { ctx } = instance;
	const { limits } = contractOf(instance) ?? {};
	return (ctx?.getWebSockets(SOCKET_TAG).map((socket) => {
		const connection = connectionOf(ctx, socket);
		if (limits && !connection.isOfOther(instance)) connection.serve(instance, limits);
		return connection;
	}))?.filter((connection) => !connection.isClosed) ?? [];
}
/** Returns all connections that are not closed. */
function openConnectionsOf(instance) {
	return connectionsWithTag(instance, SOCKET_TAG).filter((connection) => !connection.isClosed);
}
/**
* Returns the open connections of one client: at most one, except for a moment while the client reconnects.
*
* @param owner - the owner of the client's id
*/
function connectionsOfClient(instance, client, owner) {
	return connectionsWithTag(instance, CLIENT_TAG + client).filter((connection) => connection.client === client && connection.owner === owner && connection.isOpen);
}
/** Returns the newest open connection of a client. */
function connectionOfClient(instance, client, owner) {
	if (client === void 0) return void 0;
	return connectionsOfClient(instance, client, owner).at(-1);
}
/** Returns the connections of ports, of sockets with a tag, and of all sockets that do not hibernate. */
function connectionsWithTag(instance, tag) {
	checkCopy(instance);
	const { ctx } = instance;
	const ports = [...portConnectionsOf(instance)];
	if (!ctx) return ports;
	return [...ports, ...socketsOf(ctx, tag).map((socket) => connectionOf(ctx, socket))];
}
/** Connections of the ports that serve an object. `servePort` adds and deletes them. */
const portConnectionsOf = /* @__PURE__ */ perObject(() => /* @__PURE__ */ new Set());
/** Removes a closed socket. */
function forgetSocket(ctx, socket) {
	residents.get(ctx)?.delete(socket);
}
/** A WebSocket as the link of a connection. An object literal with a getter would take 400 bytes more of memory. */
var SocketLink = class {
	#socket;
	#identity;
	#hibernates;
	/** The pieces, made for the first large frame, or when so much was sent that the client has to show that it reads. */
	pieces;
	/** The size that was sent before there were pieces, in characters and bytes. */
	#whole = 0;
	/** @param hibernates - whether the socket hibernates, so that its state must be stored with it */
	constructor(socket, identity, hibernates) {
		this.#socket = socket;
		this.#identity = identity;
		this.#hibernates = hibernates;
	}
	get isOpen() {
		return this.#socket.readyState === WebSocket.OPEN;
	}
	send(frame, messages, client) {
		if (!this.pieces && (this.#whole += frameLength(frame)) <= MAX_UNREAD) return this.sendWhole(frame);
		this.makePieces(client).send(frame, messages.every(isAnswer$1));
	}
	makePieces(client) {
		return this.pieces ??= new Pieces(this, client);
	}
	sendWhole(frame) {
		try {
			this.#socket.send(frame);
		} catch (error) {
			if (this.isOpen) throw error;
		}
	}
	close(code, reason) {
		this.#socket.close(code, reason);
	}
	storeState(known) {
		if (this.#hibernates) this.#socket.serializeAttachment({
			...this.#identity,
			...known
		});
	}
};
/** Returns whether a message is the answer of a call: it begins with a number. */
function isAnswer$1(message) {
	return /^\[-?\d/.test(String(message));
}
// src/server/connections/fair-share.ts
/**
* Returns a client's owner, or else its id; `undefined` for a client without an id, which is known by its connection.
*/
function holderKeyOf({ owner, client }) {
	if (owner !== void 0) return `owner ${owner}`;
	return client === void 0 ? void 0 : `client ${client}`;
}
/**
* Returns the item that is dropped to make room for a client that wants one more item. It is the first of these:
*
* 1. the item that this client left first;
* 2. an item of the client that holds the most, if that client holds more than this client will: the item that it left
*    first, or else its newest;
* 3. the item that any client left first.
*
* @param held - all items that the object holds, oldest first
* @returns `undefined` if no item is dropped, so the client that wants one more is refused
*/
function itemToEvict(held, newcomer) {
	const shares = Map.groupBy(held, ({ holder }) => holder);
	const own = shares.get(newcomer) ?? [];
	let largest = [];
	for (const share of shares.values()) if (share.length > largest.length) largest = share;
	const ofOthers = largest.length > own.length + 1 ? oldestLeft(largest) ?? largest.at(-1) : void 0;
	return oldestLeft(own) ?? ofOthers ?? oldestLeft(held);
}
function oldestLeft(held) {
	let oldest;
	for (const one of held) if (one.leftAt !== void 0 && one.leftAt < (oldest?.leftAt ?? Infinity)) oldest = one;
	return oldest;
}
// src/server/base/key-values.ts
/**
* Storage of feeds and capabilities: the key-value storage of a Durable Object, or memory for an object that has no
* storage.
*/
const memoryOf = /* @__PURE__ */ perObject(() => new MemoryValues());
/** @param instance - a Durable Object, or an object of any other class */
function kvOf(instance) {
	const { ctx } = instance;
	if (ctx) return ctx.storage.kv;
	return memoryOf(instance);
}
/** A key-value storage in memory. */
var MemoryValues = class {
	#values = /* @__PURE__ */ new Map();
	get(key) {
		return this.#values.get(key);
	}
	put(key, value) {
		this.#values.set(key, value);
	}
	delete(key) {
		return this.#values.delete(key);
	}
	list({ prefix, start = "", end, reverse, limit }) {
		const isMeant = (key) => key.startsWith(prefix) && key >= start && (end === void 0 || key < end);
		const keys = [...this.#values.keys()].filter(isMeant).toSorted();
		return (reverse ? keys.toReversed() : keys).slice(0, limit).map((key) => [key, this.#values.get(key)]);
	}
};
// src/server/base/tokens.ts
/** Tokens, with which a class keeps a function of a client, or a capability, after the call has ended. */
/** The key of the method that returns a value's token. It is the same symbol in every copy of the package. */
const TOKEN = Symbol.for("lumenize-rpc.token");
/** Gives a token to a value, or to all objects with a prototype. */
function defineToken(value, token) {
	Object.defineProperty(value, TOKEN, { value: token });
}
/**
* Returns the token of a callback or a capability, which is text that you can store. Take the token of a callback
* before the call that passed the callback ends. The callback then stays usable until `dropCallback`. The token of a
* callback contains the secret id of its client, so do not send it to other clients.
*
* @param value - a function that a client passed, or a capability of the contract
* @returns the token
* @throws TypeError for anything else; RpcError `CLOSED` for a callback whose call has ended
* @example
* onAlert(ask: (text: string) => Promise<boolean>): void {
*   this.ctx.storage.kv.put('ask', tokenOf(ask));
* }
*/
function tokenOf(value) {
	const token = value?.[TOKEN]?.();
	if (token !== void 0) return token;
	throw new TypeError("tokenOf() takes a function that a client passed, or a capability of the contract");
}
// src/server/base/shared-alarm.ts
/**
* Shares the alarm of an object between its class and a feature that has to be woken, because an object has only one
* alarm. While the alarm is shared, the methods of the storage set, read and delete the alarm of the class, whose time
* is stored here. The object's alarm is the earlier of the two.
*/
/**
* The key under which the time of the class's alarm is stored while the alarm is shared. The value is `null` if the class
* has set no alarm.
*/
const KEY$2 = "__rpc_relay_alarm";
/**
* The time after which the object is woken, in milliseconds. Setting an alarm writes a row, so the alarm is only moved
* after half of this time.
*/
const WAKE_AFTER = 6e4;
/** The number of times that the runtime retries an alarm that has failed. */
const RETRIES = 6;
/** The alarms that are shared, by their objects. An object whose alarm is prepared has an entry. */
const alarms = /* @__PURE__ */ new WeakMap();
/**
* Lets the alarm of an object be shared later. The runtime looks for the method `alarm` when the constructor has run,
* so call this before the constructor ends.
*
* @returns whether a feature needed the alarm when the object was last in memory
*/
function prepareAlarm(instance) {
	const object = instance;
	const { alarm } = object;
	if (alarm && !alarms.has(object)) useAlarm(object, alarm);
	return !!storedIn(object);
}
/** Returns the shared alarm of an object; `undefined` for an object without a storage that can set alarms. */
function sharedAlarmOf(instance) {
	const object = instance;
	if (storedIn(object) === null) return void 0;
	if (!alarms.has(object)) useAlarm(object, object.alarm);
	const shared = alarms.get(object) ?? new SharedAlarm(object);
	alarms.set(object, shared);
	return shared;
}
function useAlarm(instance, alarm) {
	alarms.set(instance, void 0);
	instance.alarm = (info) => {
		const shared = alarms.get(instance);
		return shared ? shared.ring(info, alarm) : alarm?.call(instance, info);
	};
}
/** Returns the value stored under `KEY`; `null` for a class without SQLite, whose storage throws when it is read. */
function storedIn({ ctx }) {
	try {
		const kv = ctx?.storage?.kv;
		return kv ? kv.get(KEY$2) : null;
	} catch {
		return null;
	}
}
var SharedAlarm = class {
	#instance;
	#storage;
	/** The time at which the object is to be woken; 0 if it need not be. */
	#wakeAt = 0;
	/** The number of times that the class has changed its alarm. */
	#changes = 0;
	/** True if the class's alarm runs, or the runtime will try it again. */
	#isRinging = false;
	constructor(instance) {
		this.#instance = instance;
		const { storage } = instance.ctx;
		const of = (name) => storage[name].bind(storage);
		this.#storage = {
			getAlarm: of("getAlarm"),
			setAlarm: of("setAlarm"),
			deleteAlarm: of("deleteAlarm")
		};
		const deleteAll = of("deleteAll");
		const transaction = of("transaction");
		const replaced = {
			getAlarm: async () => {
				const own = this.#own;
				return own === void 0 ? this.#storage.getAlarm() : this.#isRinging && isPast(own) ? null : own;
			},
			setAlarm: async (time, options) => {
				this.#changes++;
				const isShared = this.#own !== void 0;
				const set = this.#storage.setAlarm(isShared ? this.#earlier(Number(time)) : time, options);
				if (isShared) this.#own = Number(time);
				return set;
			},
			deleteAlarm: async (options) => {
				this.#changes++;
				if (this.#own === void 0) return this.#storage.deleteAlarm(options);
				this.#own = null;
				return this.#apply();
			}
		};
		Object.assign(storage, replaced, {
			transaction: (run) => transaction((opened) => run(Object.assign(opened, replaced))),
			deleteAll: async (options) => {
				const own = this.#own;
				await deleteAll(options);
				if (own === void 0) return;
				this.#own = await this.#storage.getAlarm() === null ? null : own;
				return this.#apply();
			}
		});
	}
	/** Wakes the object in a minute, unless this method is called again before. */
	async putOff() {
		const now = Date.now();
		if (now < this.#wakeAt - WAKE_AFTER / 2) return;
		this.#wakeAt = now + WAKE_AFTER;
		let [own, seen] = [this.#own, -1];
		while (own === void 0 || seen >= 0 && seen !== this.#changes) {
			seen = this.#changes;
			own = await this.#storage.getAlarm();
		}
		if (this.#wakeAt === 0) return;
		if (seen >= 0) this.#own = own;
		if (!this.#isRinging) await this.#apply();
	}
	/** Leaves the alarm to the class. */
	async end() {
		this.#wakeAt = 0;
		if (this.#own === void 0) return;
		const applied = this.#isRinging ? void 0 : this.#apply();
		kvOf(this.#instance).delete(KEY$2);
		await applied;
	}
	/** The time of the class's alarm; `undefined` while it is the object's alarm. */
	get #own() {
		return kvOf(this.#instance).get(KEY$2)?.own;
	}
	set #own(own) {
		kvOf(this.#instance).put(KEY$2, { own });
	}
	#earlier(own) {
		return Math.min(own ?? Infinity, this.#wakeAt || Infinity);
	}
	async #apply() {
		const time = this.#earlier(this.#own ?? null);
		await (time === Infinity ? this.#storage.deleteAlarm() : this.#storage.setAlarm(time));
	}
	/** Called when the object's alarm rings. It runs the alarm of the class if that is due. */
	async ring(info, alarm) {
		const own = this.#own;
		const now = Math.max(Date.now(), info?.scheduledTime ?? 0);
		if (this.#wakeAt > 0 && this.#wakeAt <= now) this.#wakeAt = now + WAKE_AFTER;
		if (!info || own === void 0 || own !== null && own <= now) {
			this.#isRinging = true;
			try {
				await alarm?.call(this.#instance, info);
			} catch (error) {
				if (this.#own === null) this.#own = now;
				if ((info?.retryCount ?? 0) < RETRIES) throw error;
				console.error(error);
			}
			this.#isRinging = false;
			if (this.#own === own && own !== void 0) this.#own = null;
		}
		if (this.#own !== void 0) await (this.#wakeAt === 0 ? this.end() : this.#apply());
	}
};
function isPast(time) {
	return time !== null && time <= Date.now();
}
// src/server/routing/relay-names.ts
/** The names of relays, which no client can choose: the router refuses the names of the library. */
const PREFIX$2 = `${LIBRARY_NAMES}:relay:`;
/**
* Returns the name of a relay for `getByName`. A client cannot name this object, so only the Worker can choose it.
*
* @param origin - the name of the object that the relay copies, which must not be a relay
* @param region - the region of the relay, such as `EU`: letters, digits, `-` and `_`
* @param index - the number of the relay among the relays of the region: 0 or a positive integer
* @returns the name of the relay
* @throws RangeError for a name that is empty or the name of a relay, and for an invalid region or index
* @example
* env.MATCH_RELAY.getByName(relayName('final', 'EU', 0), { locationHint: 'weur' });
*/
function relayName(origin, region, index) {
	if (!(origin !== "" && /^[\w-]+$/.test(region) && Number.isSafeInteger(index)) || index < 0 || isRelayName(origin)) throw new RangeError(`relayName('${origin}', '${region}', ${index}): the origin must be the name of an object that is not a relay, the region letters, digits, _ or -, and the index an integer from 0`);
	return `${PREFIX$2}${region}:${index}:${origin}`;
}
/**
* Returns the name of the object that a relay copies.
*
* @param relay - the name of the relay: `this.ctx.id.name`
* @returns the name of the object that the relay copies
* @throws RangeError for a name that is not from `relayName`
* @example
* readonly #match = relay<Match>(this, () => this.env.MATCH.getByName(originOf(this.ctx.id.name)));
*/
function originOf$1(relay) {
	const [, origin] = isRelayName(relay) && /^[\w-]+:\d+:(.+)$/s.exec(relay.slice(PREFIX$2.length)) || [];
	if (origin === void 0) throw new RangeError(`'${relay}' is not the name of a relay: make it with relayName`);
	return origin;
}
function isRelayName(name) {
	return name?.startsWith(PREFIX$2) === true;
}
// src/features/bytes/feature.ts
/** Binary frames, in which buffers are sent as bytes after the text of a frame. */
/**
* Sends and receives buffers of more than 1 024 bytes as bytes, to and from clients with the option `bytes`.
* Without it, they are sent as Base64 text, which is 33 % larger and slower to write and to read. The received values
* are equal.
*
* @example
* export const Files = lumenizeRpcDO(FilesImpl, contract, { use: [bytes] });
*/
const bytes = { "~feature": {
	name: "bytes",
	version: 1,
	frames: {
		read: readAndFree,
		split: splitBuffers,
		pack: packMessage,
		withBytes,
		restore: restoreMessage
	},
	messages: { bytes(message, { connection }) {
		if (message.length > 1) badMessage("A message \"bytes\" with lengths must be followed by bytes");
		connection.readsBytes = true;
		connection.storeState();
		connection.send(READS_BYTES);
	} }
} };
// src/features/callbacks/server/callback-calls.ts
/**
* Calls the functions of clients. It sends the calls, matches the answers, and rejects calls without an answer. Waiting
* calls are in memory only. While a call waits, a timer keeps the object awake.
*/
/** The number of microtasks to wait for another call before the timer is stopped, because a new timer costs more. */
const PATIENCE$2 = 10;
/** The calls of callbacks by one object that have no answer yet. */
var CallbackCalls = class {
	/** The waiting calls by their numbers, in the order of the deadlines. */
	#pending = /* @__PURE__ */ new Map();
	#idsOfConnection = /* @__PURE__ */ new WeakMap();
	/** The number of the last call. It starts at random, so that answers to calls before a restart match no call. */
	#last = crypto.getRandomValues(/* @__PURE__ */ new Uint32Array(1))[0] + 1;
	#timer;
	#isStopping = false;
	/** @throws RpcError for a call that cannot be sent */
	start({ connection, functionId, parameter, args, contract }, { resolve, reject }, before) {
		const { limits, callbackTimeout } = contract;
		if (!connection) throw callbackError(parameter, "DISCONNECTED", "belongs to a client that is not connected", false);
		const numbers = this.#idsOfConnection.get(connection) ?? /* @__PURE__ */ new Set();
		if (numbers.size >= limits.callbacks) limitExceeded("callbacks", limits.callbacks);
		const callId = this.#last + 1;
		const message = connection.encode((referenceOf) => encodeCallbackCall(functionId, callId, args, referenceOf), contract);
		this.#last = callId;
		const deadline = Date.now() + callbackTimeout;
		this.#pending.set(callId, {
			parameter,
			connection,
			deadline,
			timeout: callbackTimeout,
			resolve,
			reject
		});
		this.#idsOfConnection.set(connection, numbers.add(callId));
		this.#timer ??= this.#wait(callbackTimeout);
		const announcement = before?.(callId, connection);
		if (announcement) connection.queue(announcement);
		connection.queue(message);
	}
	/** @throws RpcError `BAD_MESSAGE` for a malformed answer */
	settle(message, connection, limits) {
		const [callId] = message;
		const call = this.#pending.get(callId);
		if (call?.connection !== connection) return;
		this.#remove(callId, call);
		const { method, path, checkResult: take } = call.parameter;
		try {
			const answer = decodeSent(message, limits);
			if ("result" in answer) call.resolve(validateComplete(answer.result, () => take(answer.result)));
			else {
				const unsendable = `${method}: the callback ${path} threw an error that cannot be sent`;
				call.reject(answer.thrown ?? new Error(unsendable));
			}
		} catch (error) {
			call.reject(error);
			if (error.code === "BAD_MESSAGE") throw error;
		}
	}
	/** Rejects the unanswered calls of a connection that has ended. */
	disconnect(connection) {
		for (const callId of this.#idsOfConnection.get(connection) ?? []) this.#reject(callId, "DISCONNECTED", "was called, but its client disconnected before it answered");
	}
	#expire() {
		this.#timer = void 0;
		const now = Date.now();
		for (const [callId, { deadline, timeout }] of this.#pending) {
			if (deadline > now) {
				this.#timer = this.#wait(deadline - now);
				return;
			}
			this.#reject(callId, "TIMEOUT", `timed out after ${timeout} ms`);
		}
	}
	#reject(callId, code, problem) {
		const call = this.#pending.get(callId);
		this.#remove(callId, call);
		call.reject(callbackError(call.parameter, code, problem, true));
	}
	#remove(callId, { connection }) {
		this.#pending.delete(callId);
		this.#idsOfConnection.get(connection)?.delete(callId);
		if (this.#pending.size === 0 && !this.#isStopping) this.#stop();
	}
	/** Stops the timer, unless the method that received the last answer calls again at once. */
	async #stop() {
		this.#isStopping = true;
		for (let turn = 0; turn < PATIENCE$2; turn++) await void 0;
		this.#isStopping = false;
		if (this.#pending.size > 0) return;
		clearTimeout(this.#timer);
		this.#timer = void 0;
	}
	#wait(delay) {
		return setTimeout(() => this.#expire(), Math.min(delay, MAX_DELAY));
	}
};
/** Returns the error for a failed call of a callback. */
function callbackError({ method, path }, code, problem, maybeExecuted) {
	return rejection(code, `${method}: the callback ${path} ${problem}`, { maybeExecuted });
}
/** Returns the calls of callbacks by an object. They are created with the first call. */
const callbackCallsOf = /* @__PURE__ */ perObject(() => new CallbackCalls());
/**
* Handles the answer of a callback. An answer that nobody awaits is ignored.
*
* @param message - the message without its kind, `return`
* @throws RpcError `BAD_MESSAGE` for a malformed message; the rest of the frame is ignored
*/
function handleReturn(message, { instance, contract }, connection) {
	if (!isAnswer(message)) badMessage("A return must be [\"return\", k], then the same parts as an answer");
	callbackCallsOf(instance).settle(message, connection, contract.limits);
}
function isAnswer(message) {
	const [callId, form] = message;
	const { length } = message;
	return isId(callId) && (length < 3 || length === 3 && (form === "rich" || form === "error"));
}
/** Rejects the unanswered calls of a connection that has ended. */
function disconnectCallbacks(instance, connection) {
	callbackCallsOf(instance).disconnect(connection);
}
/**
* Calls a function of a client.
*
* @param place - the argument in which the function was passed
* @param prepare - returns the call; throws the reason why the function cannot be called
* @returns a promise of the answer. Callers may ignore it, because its rejection is never reported as unhandled.
*/
function callClient(instance, { method, path }, prepare) {
	let before;
	const run = () => new Promise((resolve, reject) => {
		callbackCallsOf(instance).start(prepare(), {
			resolve,
			reject
		}, before);
	});
	const around = contractOf(instance)?.around;
	const name = method + path;
	const announce = (message) => {
		before = message;
	};
	const about = {
		kind: "callback",
		method: name,
		caller: void 0,
		instance,
		announce
	};
	const promise = around ? Promise.resolve(surroundBy(around, about, run)) : run();
	promise.catch(() => {});
	return promise;
}
// src/features/callbacks/server/callback-arguments.ts
/** Replaces the functions among the arguments of a call by callbacks, and decides how long these callbacks work. */
/** For each object, the running calls whose callbacks stay usable after the answer. */
const callsKeepingCallbacks = /* @__PURE__ */ new WeakMap();
/** The functions among the arguments of one call. */
var CallbackArguments = class {
	#instance;
	#contract;
	#connection;
	/** Placeholders for the functions until `bind` finds their places, with the client's numbers. */
	#passed = /* @__PURE__ */ new Map();
	/** The messages that tell the client which functions to keep, one for each token that was taken. */
	#kept;
	#hasEnded = false;
	constructor({ instance, contract }, connection) {
		this.#instance = instance;
		this.#contract = contract;
		this.#connection = connection;
	}
	/**
	* @param parts - the reference without its name
	* @returns a placeholder, which `bind` replaces
	* @throws RpcError `BAD_MESSAGE` for a malformed reference
	*/
	take([functionId, ...more]) {
		if (!isId(functionId) || more.length > 0) badMessage("The number of a function must be a positive integer");
		const passed = () => {
			throw new TypeError("The schema of this argument does not allow a function: write callback([…]) in the contract");
		};
		this.#passed.set(passed, functionId);
		return passed;
	}
	/**
	* Replaces the placeholders by callbacks.
	*
	* @param args - the arguments of the call, already validated
	* @param on - the object or the capability that is called
	*/
	bind(args, places, on) {
		const className = on === this.#instance ? void 0 : this.#contract.targets?.classNameOf(on);
		return places.bind(args, (passed, place) => this.#callback(this.#passed.get(passed), place, className));
	}
	checkBound(args, { name }) {
		const stray = pathTo(args, (found) => this.#passed.has(found));
		if (stray === void 0) return;
		throw invalidArgument(name, stray, `argument ${stray} is a function: its schema has to be callback()`);
	}
	/**
	* Ends the call. From now on, a callback only works if its token was taken.
	*
	* @returns the messages that follow the answer. They tell the client which functions it has to keep, even if it receives
	*   the answer only later.
	*/
	end() {
		this.#hasEnded = true;
		if (!this.#kept) return [];
		callsKeepingCallbacks.get(this.#instance)?.delete(this);
		return [...this.#kept];
	}
	/** Stops keeping a function while its call is running. */
	drop(token) {
		if (token.client === this.#connection.client) this.#kept?.delete(keepOrDropMessage("keep", token));
	}
	#callback(functionId, place, on) {
		const { client, owner } = this.#connection;
		const { method, path } = place;
		const kept = () => keepOrDropMessage("keep", {
			functionId,
			on,
			method,
			path
		});
		const admit = () => {
			if (this.#hasEnded && !this.#kept?.has(kept())) throw ended(place);
		};
		const callback = (...args) => callClient(this.#instance, place, () => {
			admit();
			return {
				connection: this.#connection.isOpen ? this.#connection : connectionOfClient(this.#instance, client, owner),
				functionId,
				parameter: place,
				args,
				contract: this.#contract
			};
		});
		defineToken(callback, () => {
			admit();
			if (client === void 0) throw new TypeError("The client has no id, so its callbacks cannot be stored: call by createRpcClient");
			this.#keep(kept());
			return JSON.stringify({
				client,
				owner,
				functionId,
				on,
				method,
				path
			});
		});
		return callback;
	}
	#keep(kept) {
		this.#kept ??= /* @__PURE__ */ new Set();
		this.#kept.add(kept);
		callsKeepingCallbacks.set(this.#instance, (callsKeepingCallbacks.get(this.#instance) ?? /* @__PURE__ */ new Set()).add(this));
		Promise.resolve().then(() => {
			if (!this.#hasEnded) this.#connection.queue(kept);
		});
	}
};
/** Returns the message that tells the client to keep a function, or to drop it, for one token. */
function keepOrDropMessage(kind, { functionId, on = "", method, path }) {
	return encodeKeepOrDrop(kind, functionId, `${on}.${method}${path}`);
}
function ended(place) {
	return callbackError(place, "CLOSED", "ended with its call: store tokenOf(callback) to keep it", false);
}
// src/features/callbacks/server/callback-schemas.ts
/**
* Finds the places in a method's arguments where a client may pass functions, and the schemas of their results. In a
* contract, `callback` marks a function. It can be an argument, a property of a `Type.Object`, or the items of a
* `Type.Array`, at any depth.
*/
/** The name of the feature. Its data of a method and of a running call are stored under this name. */
const NAME$1 = "callbacks";
/** Returns the callback of a method at a path; `undefined` if the contract no longer has it. */
function callbackParameterAt(method, path) {
	return (method?.features?.get(NAME$1))?.parameters.at(path);
}
/** The callback places of one method. */
var CallbackParameters = class {
	#parameters = /* @__PURE__ */ new Map();
	#binds;
	/** @param schemas - the schemas of the arguments, which `checkSchema` has checked */
	constructor(method, schemas) {
		this.#binds = schemas.map((schema, index) => this.#bindOf(method, schema, `[${index}]`));
	}
	get isEmpty() {
		return this.#parameters.size === 0;
	}
	at(path) {
		return this.#parameters.get(path);
	}
	/**
	* Returns arguments whose functions are replaced. An object or array that contains a function is copied, since
	* it may occur in two places where the function has different result types.
	*
	* @param args - the arguments, already validated
	*/
	bind(args, put) {
		return args.map((arg, index) => this.#binds[index]?.(arg, put) ?? arg);
	}
	#bindOf(method, schema, path) {
		if (isStandard(schema)) return void 0;
		const { type, properties, items, returnType } = schema;
		if (type === "function" && returnType) {
			const parameter = {
				method,
				path,
				checkResult: resultChecker(method, path, schema["~result"]?.() ?? returnType)
			};
			this.#parameters.set(path, parameter);
			return (value, put) => typeof value === "function" ? put(value, parameter) : value;
		}
		if (type === "object" && properties) {
			const inner = Object.entries(properties).flatMap(([key, property]) => {
				const bind = this.#bindOf(method, property, path + propertyPath(key));
				return bind ? [{
					key,
					bind
				}] : [];
			});
			return inner.length > 0 ? (value, put) => bindProperties(value, inner, put) : void 0;
		}
		const bind = type === "array" && items && this.#bindOf(method, items, `${path}[]`);
		if (!bind) return void 0;
		return (value, put) => Array.isArray(value) ? value.map((item) => bind(item, put)) : value;
	}
};
function bindProperties(value, inner, put) {
	if (typeof value !== "object") return value;
	const copy = { ...value };
	for (const { key, bind } of inner) if (Object.hasOwn(copy, key)) copy[key] = bind(copy[key], put);
	return copy;
}
/** Compiles the schema of a callback's results. */
function resultChecker(method, path, schema) {
	if (schema.type === "void") return () => void 0;
	const validator = makeValidator(schema, `${method}: argument ${path}: the result`);
	const isOptional = "~optional" in schema;
	return (answer) => answer === void 0 && isOptional ? answer : validated(method, validator, answer, `${path}()`, "the result of the callback at");
}
// src/features/callbacks/server/callback-tokens.ts
/** Finds and drops callbacks by their tokens: see `tokenOf`. */
/**
* Returns a kept callback by its token. You can call it in any later call or alarm, also after hibernation and
* restarts. Its result is validated by the current contract. The promise that it returns can reject with an `RpcError`:
*
* - `DISCONNECTED` while the client is not connected
* - `CLOSED` if the client no longer has the function, for example after `dropCallback`
* - `METHOD_NOT_FOUND` if the contract no longer has the callback
*
* @param instance - the object
* @param token - from `tokenOf`
* @returns the callback
* @throws TypeError for text that is not the token of a callback
* @example
* override async alarm(): Promise<void> {
*   const ask = callbackAt<(text: string) => Promise<boolean>>(this, this.ctx.storage.kv.get('ask'));
*   if (await ask('Low on stock')) this.reorder();
* }
*/
function callbackAt(instance, token) {
	const { client, owner, functionId, on, method, path } = parse(token);
	const callback = (...args) => callClient(instance, {
		method,
		path
	}, () => {
		const contract = contractOf(instance);
		const parameter = callbackParameterAt((on === void 0 ? contract?.methods : contract?.capabilities.get(on)?.methods)?.get(method), path);
		if (contract && parameter) return {
			connection: connectionOfClient(instance, client, owner),
			functionId,
			parameter,
			args,
			contract
		};
		throw callbackError({
			method,
			path
		}, "METHOD_NOT_FOUND", "is no longer in the contract", false);
	});
	defineToken(callback, () => token);
	return callback;
}
/**
* Stops keeping a callback. If its client is connected, the client forgets the function, unless the object keeps
* another token of the function. Call this when you delete the token from the storage. It has no effect on a callback
* that is not kept.
*
* @param instance - the object
* @param token - from `tokenOf`
* @throws TypeError for text that is not the token of a callback
* @example
* offAlert(): void { dropCallback(this, this.ctx.storage.kv.get('ask')); }
*/
function dropCallback(instance, token) {
	const parsed = parse(token);
	for (const functions of callsKeepingCallbacks.get(instance) ?? []) functions.drop(parsed);
	connectionOfClient(instance, parsed.client, parsed.owner)?.queue(keepOrDropMessage("drop", parsed));
}
function parse(token) {
	let parsed = null;
	try {
		parsed = JSON.parse(token);
	} catch {}
	const { client, functionId, method, path } = parsed ?? {};
	if ([
		client,
		method,
		path
	].every(isString) && isId(functionId)) return parsed;
	throw new TypeError("This text is not the token of a callback: pass the result of tokenOf(callback)");
}
// src/features/callbacks/feature.ts
/** Functions as arguments: `callback`. */
const callbacks = {
	name: NAME$1,
	version: 1,
	messages: { return: ([, ...message], { instance, contract, connection }) => handleReturn(message, {
		instance,
		contract
	}, connection) },
	references: { Function: (parts, { resources }) => functionsIn(resources).take(parts) },
	compile(method, { input }) {
		const parameters = new CallbackParameters(method, input);
		if (parameters.isEmpty) return void 0;
		return {
			parameters,
			bind(args, on, resources) {
				return (resources?.find("callbacks"))?.bind(args, parameters, on) ?? args;
			}
		};
	},
	onDisconnect: disconnectCallbacks
};
function functionsIn(resources) {
	if (!resources) badMessage("Functions as arguments need a WebSocket");
	return resources.find("callbacks") ?? resources.add("callbacks", new CallbackArguments(resources.target, resources.connection));
}
/**
* Declares that the client passes a function, which the method can call. The method receives a function that returns a
* promise. The client passes `callback(fn)`. The result of the client's function is validated when it arrives. If it does
* not match its schema, the promise rejects with `INVALID_ARGUMENTS`.
*
* @param parameters - a schema for each argument that the function takes. The schemas only give the types of the
*   arguments, and are of TypeBox, or of a library that implements Standard Schema. Default: none.
* @param result - the schema of the function's result. Default `Type.Void()`, with which the result is ignored.
* @returns a schema for an argument, for a property of a `Type.Object`, or for the items of a `Type.Array`, at any depth
* @example
* load(csv: string, onProgress: (percent: number) => void): void { … }
* // In the contract:
* load: [Type.String(), callback([Type.Number()])],
*/
function callback(parameters = [], result = Void()) {
	return Function(parameters.map(inJson), inJson(result), {
		"~callback": true,
		"~feature": callbacks,
		...isStandard(result) && { "~result": () => result }
	});
}
/**
* Returns a schema for use inside a schema of TypeBox. A schema of another library becomes a schema that allows any
* value.
*/
function inJson(schema) {
	return isStandard(schema) ? Unknown() : schema;
}
// src/features/capabilities/server/references.ts
/**
* Encodes and decodes capabilities. A capability is sent as the name of its class, an address of plain data,
* and an unguessable number, which is stored for that class and address. When a client sends the capability back, a new
* instance is created, so the object holds no instances.
*/
/** Key prefix of a number. The class and the address follow. */
const PREFIX$1 = "__rpc_capability:";
/** Maximum size of a storage key, in bytes. */
const MAX_KEY_SIZE = 2048;
/** Size of a number, in bytes: 128 bits cannot be guessed. */
const NUMBER_SIZE = 16;
/** The property of a capability that holds its origin. */
const ORIGIN = Symbol("origin");
/** Stores the origin of a new capability in it. */
function rememberOrigin(instance, origin) {
	instance[ORIGIN] = origin;
}
/** Returns the origin of a capability; `undefined` for any other value. */
function findOrigin(value) {
	return value?.[ORIGIN];
}
/** @throws TypeError if the object is not a capability */
function originOf(instance) {
	const origin = findOrigin(instance);
	if (!origin) throw new TypeError("The value is not a capability: pass an instance of a class made by capability()");
	return origin;
}
/**
* Encodes a capability as a reference. Its number is created and stored when it is first sent.
*
* @returns `undefined` if the value is not a capability, or not in the contract of its object
* @throws TypeError for an address that is not plain data or is too large; RpcError `INVALID_ARGUMENTS` for
*   an address that does not match its schemas
*/
function encodeCapability(value) {
	const origin = findOrigin(value);
	if (!origin) return void 0;
	const { object, capability, address } = origin;
	if (contractOf(object)?.capabilities.get(capability.name) !== capability) return void 0;
	return [
		CAPABILITY,
		capability.name,
		numberOf(origin),
		...address
	];
}
function numberOf({ object, capability, address }) {
	const kv = kvOf(object);
	const key = keyOf$3(capability.name, address);
	let number = kv.get(key);
	if (number === void 0) {
		checkAddress(capability, address, key);
		const { buffer } = crypto.getRandomValues(new Uint8Array(NUMBER_SIZE));
		number = toBase64(buffer).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
		kv.put(key, number);
	}
	return number;
}
function checkAddress({ name, checkAddress: check }, address, key) {
	if (!isPlain$1(address)) throw new TypeError(`The address of a ${name} must be data that JSON represents`);
	if (new TextEncoder().encode(key).length > MAX_KEY_SIZE) throw new TypeError(`The address of a ${name} is longer than ${MAX_KEY_SIZE} bytes, the limit of a key in the storage`);
	check(address);
}
/**
* Creates the capability that a reference stands for.
*
* @param caller - the caller who uses it
* @throws RpcError `FORBIDDEN` if the capability was never sent, or was revoked; the error of the constructor
*/
function createCapability([name, number, ...address], target, caller) {
	const { instance, contract } = target;
	const capability = contract.capabilities.get(name);
	if (!capability || !isNumberOf(number, instance, capability, address)) throw unknownCapabilityError();
	try {
		capability.checkAddress(address);
	} catch {
		throw unknownCapabilityError();
	}
	const { Class } = capability;
	const make = () => new Class(instance, ...address);
	return runClassCode(capability.name, target, caller, make);
}
function isNumberOf(number, instance, { name }, address) {
	if (typeof number !== "string") return false;
	const key = keyOf$3(name, address);
	if (key.length > MAX_KEY_SIZE) return false;
	const known = kvOf(instance).get(key);
	return known !== void 0 && isSame(known, number);
}
/** Compares in constant time, so that the time reveals nothing about the number. */
function isSame(one, other) {
	if (one.length !== other.length) return false;
	let difference = 0;
	for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
	return difference === 0;
}
/**
* Deletes the number of a capability.
*
* @returns its token
*/
function forgetCapability({ object, capability, address }) {
	const kv = kvOf(object);
	const key = keyOf$3(capability.name, address);
	const number = kv.get(key);
	kv.delete(key);
	return JSON.stringify([
		capability.name,
		number,
		...address
	]);
}
/** The maximum number of capabilities that a report counts. */
const MAX_COUNTED = 1e3;
/** Returns how many capabilities are stored, by the names of their classes. */
function storedCapabilitiesOf(instance) {
	const counts = {};
	for (const [key] of kvOf(instance).list({
		prefix: PREFIX$1,
		limit: MAX_COUNTED
	})) {
		const name = key.slice(17, key.indexOf("["));
		counts[name] = (counts[name] ?? 0) + 1;
	}
	return counts;
}
function keyOf$3(name, address) {
	return `${PREFIX$1}${name}${JSON.stringify(address)}`;
}
/**
* Returns the error for a capability that never existed, was revoked, or is not in the contract. The cases have one
* error, so that a client cannot tell them apart.
*/
function unknownCapabilityError() {
	return rejection("FORBIDDEN", "This capability does not exist, or was revoked");
}
// src/features/capabilities/feature.ts
/** Capabilities: objects that a method returns, and whose methods a client can call. `capability` makes their classes. */
const capabilities = {
	name: "capabilities",
	version: 1,
	references: { Capability: (parts, target) => createCapability(parts, target, target.caller) },
	referenceOf: encodeCapability,
	inspect: (instance) => ({ capabilities: storedCapabilitiesOf(instance) }),
	targets: {
		make: createCapability,
		classNameOf: (on) => originOf(on).capability.name,
		methodsOf: (on) => findOrigin(on)?.capability.methods
	},
	argument(schema) {
		const compiled = compiledCapability(schema);
		if (!compiled) return void 0;
		const { name, Class } = compiled;
		return validatorOfKind(`a capability ${name}`, (value) => value instanceof Class);
	}
};
/**
* Makes a class of capabilities. A capability is an object that a method returns to a client, which can then call the
* methods of the capability. The client can use it from any connection, and pass it on to others. Each call creates the
* capability again from its class and its address, and the runtime keeps nothing in memory between calls. So a capability
* works after hibernation, restarts and deployments, until you revoke it.
*
* @param Class - a class whose constructor takes the Durable Object, then the address, which is plain data. The
*   constructor can reject a caller by throwing. In messages and in the storage, the class has its name without `Impl` at
*   the end. If you rename the class, existing capabilities stop working.
* @param address - a schema for each argument of the constructor after the object. The schemas only check the address.
*   The constructor receives it unchanged, since the address identifies the capability.
* @param contract - the methods that can be called, as for `lumenizeRpcDO`
* @returns a subclass. List it in a contract under `returns`, or as the schema of an argument.
* @throws TypeError for the mistakes that `compileContract` rejects, and for a name that is not a method of the class
* @example
* export const Session = capability(SessionImpl, [Type.String()], {
*   balance: read(),
*   transfer: [Type.String(), Type.Integer({ minimum: 1 })],
* });
*/
function capability(Class, address, contract) {
	const name = Class.name.replace(/Impl$/, "");
	const Base = Class;
	class Sealed extends Base {
		constructor(object, ...rest) {
			super(object, ...rest);
			rememberOrigin(this, {
				object,
				capability: compiled,
				address: rest
			});
		}
	}
	const compiled = registerCapability(Sealed, {
		name,
		address,
		contract,
		feature: capabilities,
		objectOf: (one) => originOf(one).object
	});
	defineToken(Sealed.prototype, function token() {
		const [, ...reference] = encodeCapability(this) ?? [];
		return reference.length > 0 ? JSON.stringify(reference) : void 0;
	});
	return Sealed;
}
/**
* Revokes a capability for everybody who holds it. Later calls reject with `FORBIDDEN`, and subscriptions through
* it end with that error. If a method later returns a capability with the same address, that is a new capability.
*
* @param instance - the object
* @param revoked - an instance of the capability, with the address to revoke
* @throws TypeError for a value that is not a capability of the object
* @example
* logout(): void { revoke(this.#bank, this); }
*/
function revoke(instance, revoked) {
	const origin = originOf(revoked);
	if (origin.object !== instance) throw new TypeError("The capability belongs to another object: pass the object that returned it");
	const capabilityToken = forgetCapability(origin);
	for (const { onRevoke } of contractOf(instance)?.features ?? []) onRevoke?.(instance, capabilityToken, unknownCapabilityError());
}
// src/server/connections/connections.ts
/** Runs live methods again, because their values may depend on who is connected. */
function afterConnectionChange(instance, { afterChange }) {
	afterChange?.(instance);
}
/** The close code for the status of `FORBIDDEN`. A client that receives it does not connect again by itself. */
const FORBIDDEN = 4403;
/**
* Ends the connections of some callers, for example when a user signs out everywhere or is banned. Their calls and
* subscriptions reject with `FORBIDDEN`, and their clients do not connect again by themselves. Your hook
* `onBeforeConnect` decides whether they can connect again.
*
* @param instance - the object
* @param isMeant - returns whether to end the connections of a caller. It receives the caller that a hook named with
*   `withCaller`, or `undefined` if no hook named a caller.
* @returns the number of ended connections
* @example
* bar(user: string): void { closeClients<Caller>(this, (caller) => caller?.user === user); }
*/
function closeClients(instance, isMeant) {
	const meant = openConnectionsOf(instance).filter((connection) => isMeant(connection.caller));
	for (const connection of meant) {
		connection.close(FORBIDDEN, "Closed by the object");
		afterDisconnect(instance, connection, true);
	}
	return meant.length;
}
/**
* Returns the callers of all open connections, for example to show who is in a room. A live method that calls this runs
* again when a connection opens or ends. A client that disappears without closing its connection is listed until the
* runtime notices, which can take minutes.
*
* @param instance - the object
* @returns the caller of each connection, as a hook named it with `withCaller`; `undefined` for a connection without a
*   named caller. A user with two tabs is listed twice.
* @example
* present(): string[] { return [...new Set(connectedCallers<Caller>(this).map((caller) => caller?.user ?? 'guest'))]; }
*/
function connectedCallers(instance) {
	return openConnectionsOf(instance).map(({ caller }) => caller);
}
// src/server/base/read-body.ts
/** Reads the body of a request. The bytes that have arrived are counted in an account. */
/** The time in which at least `PROGRESS` further bytes of a body must arrive, in milliseconds. */
const PATIENCE$1 = 6e4;
const PROGRESS = 65536;
/**
* Reads a body.
*
* @param check - called with the size so far; throws for a body that is too large
* @throws RpcError `LIMIT_EXCEEDED`, or `TIMEOUT` if no further bytes of the body arrive
*/
async function readBody(body, reading, check) {
	const { memory } = reading;
	const reader = body.getReader();
	const chunks = [];
	let size = 0;
	let progress = 0;
	let timer;
	let problem;
	const stop = (reason) => {
		problem ??= reason;
		reader.cancel(reason).catch(() => {});
	};
	const watch = () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			stop(rejection("TIMEOUT", `No more of the body arrived within ${PATIENCE$1} ms`));
		}, PATIENCE$1);
	};
	reading.end = () => stop(rejection("UNAVAILABLE", OUT_OF_MEMORY));
	watch();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (problem) throw problem;
			if (done) return await new Blob(chunks).arrayBuffer();
			check(size + value.length);
			memory.admit(value.length);
			size += value.length;
			chunks.push(value);
			progress += value.length;
			if (progress < PROGRESS) continue;
			progress = 0;
			watch();
		}
	} catch (error) {
		stop(error);
		throw error;
	} finally {
		delete reading.end;
		clearTimeout(timer);
		memory.release(size);
	}
}
// src/server/connections/bodies.ts
/** Makes the bodies of large responses. The client's account holds the bytes that the client has not read yet. */
/** The size of the parts in which a large response leaves, in bytes. A smaller response leaves whole. */
const PART$1 = 65536;
/** Returns a response whose body is held by the client's account until the client has read it. */
function heldResponse(bytes, headers, { instance, contract }, { owner, client }) {
	let sent = 0;
	let timer;
	let controller;
	const holder = {
		owner,
		client,
		giveWay() {
			end();
			controller?.error(rejection("UNAVAILABLE", OUT_OF_MEMORY));
		}
	};
	const memory = memoryOf$1(instance, contract.limits, holder);
	const end = () => {
		clearTimeout(timer);
		if (memory.holders.has(holder)) memory.release(bytes.length);
		memory.leave(holder);
	};
	const watch = () => {
		clearTimeout(timer);
		timer = setTimeout(() => holder.giveWay(), PATIENCE$1);
	};
	const body = new ReadableStream({
		start(own) {
			controller = own;
			watch();
		},
		pull(own) {
			own.enqueue(bytes.subarray(sent, sent += PART$1));
			if (sent < bytes.length) return watch();
			own.close();
			end();
		},
		cancel: end
	}, { highWaterMark: 0 });
	memory.add(bytes.length);
	return new Response(body, { headers });
}
/** Returns whether a response is so large that it has to be held. */
function isLarge(size) {
	return size > PART$1;
}
// src/server/post.ts
async function answerPost(request, instance, contract) {
	const identity = postIdentityOf(request);
	const target = {
		instance,
		contract
	};
	const answer = await answerOnce(identity, target, (exchange) => readFrame(request, contract.limits, exchange));
	if (answer === void 0) return new Response(OUT_OF_MEMORY, {
		status: 503,
		headers: { "Retry-After": "1" }
	});
	if (!isLarge(frameLength(answer))) return responseOf(answer);
	return heldResponse(typeof answer === "string" ? new TextEncoder().encode(answer) : new Uint8Array(answer), { "Content-Type": typeOf(answer) }, target, identity);
}
/**
* Answers a frame that a door of the Worker has sent: see `wire/door.ts`.
*
* @returns the frame of answers, or the HTTP status with which a POST would be rejected
*/
async function answerRpcFrame(frame, sender, instance, contract) {
	if (rejectionCountsOf(instance).bars(sender)) return 429;
	return await answerOnce(sender, {
		instance,
		contract
	}, () => frame) ?? 503;
}
function responseOf(frame) {
	return new Response(frame, { headers: { "Content-Type": typeOf(frame) } });
}
function typeOf(frame) {
	return typeof frame === "string" ? "application/json" : BINARY_TYPE;
}
/** Returns the media type of a request's frame; `undefined` if the request carries no frame. */
function frameTypeOf({ method, headers }) {
	const [mediaType = ""] = (headers.get("Content-Type") ?? "").split(";");
	const type = mediaType.trim().toLowerCase();
	return method === "POST" && ["application/json", "application/octet-stream"].includes(type) ? type : void 0;
}
/** @throws RpcError for a body that is too large, that does not arrive in time, or that is not UTF-8 */
async function readFrame(request, { frameSize }, exchange) {
	const check = (size) => {
		if (size > 3 * frameSize) limitExceeded("frameSize", frameSize);
	};
	check(Number(request.headers.get("Content-Length")));
	const { body } = request;
	const bytes = body ? await readBody(body, exchange, check) : /* @__PURE__ */ new ArrayBuffer();
	if (frameTypeOf(request) === "application/octet-stream") return bytes;
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: false
		}).decode(bytes);
	} catch (cause) {
		throw new RpcError("BAD_MESSAGE", "The body of the POST is not UTF-8", { cause });
	}
}
// src/server/handlers.ts
/** Close codes from this number on mean a rejection, after which a client does not connect again by itself. */
const REFUSED = 4400;
/**
* Answers a request if it is RPC. The path of an RPC request ends in `/call`. The request is a WebSocket upgrade
* that offers the subprotocol `lumenize-rpc.1`, or a POST of a frame.
*
* @param request - the request that the object's `fetch` received
* @param instance - the object whose methods are called
* @param contract - from `compileContract`
* @returns the response; `undefined` if the request is not RPC, so the class must handle it
* @example
* async fetch(request: Request) {
*   return (await handleRpcRequest(request, this, contract)) ?? new Response('mine');
* }
*/
function handleRpcRequest(request, instance, contract) {
	const isCall = new URL(request.url).pathname.endsWith(`/${CALL_SEGMENT}`);
	if (!isCall && !contract.request) return void 0;
	remember(contract, instance);
	if (!isCall) return contract.request?.(request, {
		instance,
		contract
	});
	const connects = isUpgrade(request) && offersRpc(request);
	const asks = isProbe(request);
	const posts = frameTypeOf(request) !== void 0;
	const identity = connects || asks ? socketIdentityOf(request) : postIdentityOf(request);
	if ((connects || asks || posts) && rejectionCountsOf(instance).bars(identity)) return tooManyRejections();
	if ((connects || asks) && isFull(request, instance, contract)) return rejectionResponse(503, "The object has too many connections: see limits.connections");
	if (asks) return answerProbe(request);
	if (connects) {
		replaceOlder(identity, instance);
		const response = acceptSocket(identity, instance, contract, (socket) => {
			socket.addEventListener("message", ({ data }) => handleRpcMessage(socket, data, instance, contract));
			let hasEnded = false;
			const end = (code, reason) => {
				if (!hasEnded) handleRpcClose(socket, code, reason, instance, contract);
				hasEnded = true;
			};
			socket.addEventListener("close", ({ code, reason }) => end(code, reason));
			socket.addEventListener("error", () => end(1006, ""));
		});
		afterConnectionChange(instance, contract);
		return response;
	}
	if (posts) return answerPost(request, instance, contract);
}
/**
* Handles a WebSocket message if `handleRpcRequest` accepted its socket.
*
* @returns whether the message was RPC; if not, the class must handle it
* @example
* webSocketMessage(ws: WebSocket, message: string | ArrayBuffer) {
*   if (!handleRpcMessage(ws, message, this, contract)) this.onChat(ws, message);
* }
*/
function handleRpcMessage(ws, message, instance, contract) {
	const { ctx } = instance;
	const connection = rpcConnection(ws, instance, contract);
	if (!connection) return false;
	if (connection.isClosed) return true;
	connection.serve(instance, contract.limits);
	if (connection.subscriptions.stored.length > 0) wake(instance, connection, contract);
	if (message === "[]") {
		ws.send("[]");
		return true;
	}
	const frame = connection.joinPieces(message);
	if (frame === void 0) {
		if (connection.isClosed) afterDisconnect(instance, connection, true);
		return true;
	}
	const later = connection.inTurn(() => {
		const late = answerFrame(frame, () => ({
			instance,
			contract,
			journal: clientJournalOf(instance, contract, connection)
		}), connection);
		if (connection.isClosed) afterDisconnect(instance, connection, true);
		if (late) ctx.waitUntil(late);
	}, frame);
	if (later) ctx.waitUntil(later);
	return true;
}
/**
* Handles the closing of a socket if `handleRpcRequest` accepted the socket. Call it for an error of a socket too, with
* the code 1006, because no `webSocketClose` follows an error.
*
* @returns whether the socket was RPC; if not, the class must handle it
* @example
* webSocketClose(ws: WebSocket, code: number, reason: string) {
*   if (!handleRpcClose(ws, code, reason, this, contract)) this.onLeave(ws);
* }
* webSocketError(ws: WebSocket, error: unknown) {
*   if (!handleRpcClose(ws, 1006, String(error), this, contract)) this.onLeave(ws);
* }
*/
function handleRpcClose(ws, code, _reason, instance, contract) {
	const { ctx } = instance;
	const connection = rpcConnection(ws, instance, contract);
	if (!connection) return false;
	connection.leave();
	afterDisconnect(instance, connection, code >= REFUSED);
	forgetSocket(ctx, ws);
	releaseClientJournal(instance, contract, connection);
	afterConnectionChange(instance, contract);
	ws.close(1e3);
	return true;
}
/** Restores the subscriptions of a connection that hibernated. Drops them if no feature of the contract restores them. */
function wake(instance, connection, { features }) {
	const own = features.filter(({ onWake }) => onWake);
	for (const { onWake } of own) onWake?.(instance, connection);
	if (own.length > 0) return;
	connection.subscriptions.stored = [];
	connection.storeState();
}
/** Stores the contract of a class that calls the handlers itself. */
function remember(contract, instance) {
	const prototype = Object.getPrototypeOf(instance);
	rememberContract(prototype === Object.prototype ? instance : prototype, contract);
}
/** Returns the connection of an RPC socket; `undefined` for any other socket. */
function rpcConnection(ws, instance, contract) {
	const connection = connectionOf(instance.ctx, ws);
	if (connection?.isOfOther(instance)) closeSocketsOfOthers(instance);
	if (connection) remember(contract, instance);
	return connection;
}
/**
* Ends the older connections of a client that opens another connection. The client no longer uses them, and callbacks
* must use the new connection.
*/
function replaceOlder({ client, owner }, instance) {
	if (client === void 0) return;
	for (const connection of connectionsOfClient(instance, client, owner)) {
		connection.close(1e3, "The client has opened another connection");
		afterDisconnect(instance, connection);
	}
}
function offersRpc({ headers }) {
	return headerItems(headers.get("Sec-WebSocket-Protocol")).includes(SUBPROTOCOL);
}
// src/server/durable-object.ts
/** Wraps a Durable Object class so that clients can call the methods of its contract. */
/**
* Adds RPC to a Durable Object class.
*
* @param Class - a Durable Object class; its own `fetch` and WebSocket handlers still receive
*   everything that is not RPC
* @param contract - the methods that clients can call, with a schema for each argument. The schemas are of TypeBox, or of
*   a library that implements Standard Schema, such as Zod, Valibot or ArkType.
* @param options - see `ContractOptions`: limits, hibernation, the journal, the treatment of errors, and more
* @returns a subclass with the same name and statics. Its listed methods also check their
*   arguments when called through native Workers RPC, and throw `INVALID_ARGUMENTS`.
* @throws TypeError for an invalid contract, for example for a name that is reserved, or that is not a method of the
*   class. In `wrangler dev` the class is defined anyway, and each of its calls rejects with this error until you correct
*   the mistake.
* @example
* export const Counter = lumenizeRpcDO(CounterImpl, { increment: [Type.Optional(Type.Integer())] });
* export type Counter = RpcObject<typeof Counter>;
*/
function lumenizeRpcDO(Class, contract, options) {
	const compiled = compile(Class, contract, options);
	const Base = Class;
	class Wrapped extends Base {
		constructor(...args) {
			super(...args);
			followTransactions(this);
			explanations?.afterConstruction(Class.name, this, closeSocketsOfOthers);
			relaying.afterConstruction?.(this);
			for (const { onConstruct } of compiled.features) onConstruct?.(this, Wrapped);
		}
		async fetch(request) {
			return await handleRpcRequest(request, this, compiled) ?? await super.fetch?.(request) ?? refuse(request);
		}
		[FRAME_METHOD](frame, sender = {}) {
			return answerRpcFrame(frame, sender, this, compiled);
		}
		webSocketMessage(ws, message) {
			if (handleRpcMessage(ws, message, this, compiled)) return;
			return super.webSocketMessage?.(ws, message);
		}
		async webSocketClose(ws, code, reason, wasClean) {
			if (!handleRpcClose(ws, code, reason, this, compiled)) await super.webSocketClose?.(ws, code, reason, wasClean);
		}
		async webSocketError(ws, error) {
			if (!handleRpcClose(ws, 1006, String(error), this, compiled)) await super.webSocketError?.(ws, error);
		}
	}
	rememberContract(Wrapped.prototype, compiled);
	const methods = Object.keys(contract).flatMap((name) => compiled.internal.get(name) ?? compiled.methods.get(name) ?? []);
	checkOnNativeCalls(Wrapped.prototype, methods, compiled.afterChange);
	for (const { onDefine } of compiled.features) onDefine?.(Wrapped.prototype, compiled);
	Object.defineProperty(Wrapped, "name", { value: Class.name });
	explanations?.afterDefinition(Class.name);
	return Wrapped;
}
function compile(Class, contract, options) {
	try {
		const compiled = compileContract(contract, options);
		checkListed(Class, Object.keys(contract));
		return compiled;
	} catch (problem) {
		const compileNone = (some) => compileContract({}, some);
		const refusing = explanations?.refusingContract(problem, compileNone, options);
		if (!refusing) throw problem;
		return refusing;
	}
}
/** Answers a request that is not RPC, for a class without its own `fetch`. */
function refuse(request) {
	if (!new URL(request.url).pathname.endsWith(`/call`)) return rejectionResponse(404, "Not found");
	return new Response("Use a WebSocket with the subprotocol lumenize-rpc.1, or a POST of application/json", {
		status: 405,
		headers: { Allow: "POST" }
	});
}
// src/features/subscriptions/server/subscription.ts
/** The interfaces of subscriptions and of their kinds, which the registry of subscribers uses. */
/** Returns the kinds of subscriptions of a contract, by name. */
const kindsOf = /* @__PURE__ */ perObject(({ features }) => {
	const all = features.flatMap((feature) => feature.kinds ?? []);
	return new Map(all.map((kind) => [kind.name, kind]));
});
/** Returns the error for a subscription that does not fit into the socket's attachment. */
function attachmentFullError(cause) {
	return new RpcError("LIMIT_EXCEEDED", "The connection has too many subscriptions, or their arguments are too large: end some, or open another client", { cause });
}
/**
* Returns the error for a subscription to a method that returned a value of another kind. This is known only after the
* method has run.
*
* @param problem - the reason why the method cannot be subscribed to
*/
function methodHasRunError(method, problem) {
	return rejection("METHOD_NOT_FOUND", `${method} cannot be subscribed to: it ${problem}. The method has run`, { maybeExecuted: true });
}
/** Returns the error for a subscriber whose next event or row is no longer known. */
function cursorExpiredError() {
	return new RpcError("CURSOR_EXPIRED", "The feed no longer has the events after this cursor: load the state again, and subscribe without a cursor");
}
// src/features/subscriptions/server/subscribers.ts
/**
* The subscribers of an object, to subscriptions of all kinds. They are restored after hibernation. The object's storage
* has no data of them, so nothing has to be deleted there.
*/
const subscribers = /* @__PURE__ */ new WeakMap();
function subscribersOf(instance) {
	let found = subscribers.get(instance);
	if (!found) {
		checkCopy(instance);
		found = new Subscribers(instance);
		subscribers.set(instance, found);
	}
	found.restoreAll();
	return found;
}
/**
* Removes the subscriptions of a connection that has ended. Some kinds wait for the client to come back.
*
* @param isFinal - whether the client will not come back
*/
function endSubscriptionsOf(instance, connection, isFinal = false) {
	const found = subscribers.get(instance);
	if (!found) return;
	const mayComeBack = !isFinal && connection.client !== void 0;
	const subscriptions = connection.subscriptions;
	for (const [subscriptionId, subscription] of subscriptions) if (subscription.leave && mayComeBack) {
		subscriptions.delete(subscriptionId);
		subscription.leave();
	} else found.remove(connection, subscriptionId);
}
var Subscribers = class {
	#instance;
	/** The kinds whose subscriptions have been restored. */
	#restored = /* @__PURE__ */ new Set();
	#isRestored = false;
	constructor(instance) {
		this.#instance = instance;
		followTransactions(instance);
	}
	get #contract() {
		return contractOf(this.#instance);
	}
	/**
	* Restores all subscriptions as soon as the contract of the object is known. A class that calls the handlers itself may
	* use a feed before that. Subscriptions to methods that a deployment has removed from the contract are dropped.
	*/
	restoreAll() {
		if (this.#isRestored) return;
		const contract = this.#contract;
		if (!contract) return;
		this.#isRestored = true;
		for (const kind of kindsOf(contract).values()) this.restore(kind);
		for (const connection of hibernatingConnectionsOf(this.#instance)) {
			if (connection.subscriptions.stored.length === 0) continue;
			connection.subscriptions.stored = [];
			connection.storeState();
		}
	}
	/** Restores the subscriptions of a kind, once. */
	restore(kind) {
		if (this.#restored.has(kind)) return;
		this.#restored.add(kind);
		const kept = [];
		for (const connection of hibernatingConnectionsOf(this.#instance)) {
			const records = connection.subscriptions.stored;
			const own = records.filter(([, name]) => name === kind.name);
			if (own.length === 0) continue;
			connection.subscriptions.stored = records.filter(([, name]) => name !== kind.name);
			for (const state of own) kept.push({
				connection,
				state
			});
		}
		const changed = /* @__PURE__ */ new Set();
		for (const [{ connection, state }, result] of kind.restore(kept, this.#instance)) {
			const [subscriptionId] = state;
			if ("subscriptionId" in result) {
				connection.subscriptions.set(subscriptionId, result);
				result.join?.(this.#contract);
			} else {
				this.#complete(connection, subscriptionId, result);
				changed.add(connection);
			}
		}
		for (const connection of changed) connection.storeState();
	}
	/** @throws RpcError `LIMIT_EXCEEDED`; then nothing has been added */
	add(subscription, connection) {
		const { subscriptionId } = subscription;
		connection.subscriptions.set(subscriptionId, subscription);
		try {
			subscription.join?.(this.#contract);
			connection.storeState();
		} catch (error) {
			this.remove(connection, subscriptionId);
			throw error instanceof RpcError ? error : attachmentFullError(error);
		}
	}
	remove(connection, subscriptionId) {
		const subscription = connection.subscriptions.get(subscriptionId);
		connection.subscriptions.delete(subscriptionId);
		subscription?.stop();
	}
	/**
	* Stores the changed subscription with the connection.
	*
	* @returns whether the subscription fits into the attachment of the socket; if not, it has ended
	*/
	storeState(connection, subscriptionId) {
		try {
			connection.storeState();
			return true;
		} catch (error) {
			this.end(connection, subscriptionId, { thrown: attachmentFullError(error) });
			return false;
		}
	}
	/** Ends a subscription, and sends the end to the client, with its error if there is one. */
	end(connection, subscriptionId, end) {
		this.remove(connection, subscriptionId);
		this.#complete(connection, subscriptionId, end);
		try {
			connection.storeState();
		} catch (error) {
			for (const left of connection.subscriptions.keys()) {
				this.remove(connection, left);
				this.#complete(connection, left, { thrown: attachmentFullError(error) });
			}
			connection.storeState();
		}
	}
	#complete(connection, subscriptionId, end) {
		const details = this.#contract?.exposeErrorDetails ?? false;
		connection.send(encodeEnd(subscriptionId, end, details));
	}
	/** Ends the subscriptions through a capability that has been revoked. */
	revoked(capabilityToken, thrown) {
		for (const connection of openConnectionsOf(this.#instance)) {
			const subscriptions = connection.subscriptions;
			for (const subscription of subscriptions.values()) if (subscription.capabilityToken === capabilityToken) this.end(connection, subscription.subscriptionId, { thrown });
		}
	}
};
// src/features/subscriptions/server/begin-subscription.ts
/** Starts or resumes a subscription: finds its kind and its position, and checks that it is allowed. */
/** The maximum size of a call in the socket's attachment, in characters. An attachment has at most 16 KiB. */
const MAX_CALL_SIZE = 12e3;
/** Subscriptions that wait for the call whose result has their method, by the client's numbers. */
const waitingOn = /* @__PURE__ */ new WeakMap();
/** Cancels a subscription that waits. */
function cancelPending(connection, subscriptionId) {
	waitingOn.get(connection)?.delete(subscriptionId);
}
/** Returns a subscription of a client that outlasted its connection. */
function survivingSubscription({ instance, contract }, connection, subscriptionId) {
	for (const kind of kindsOf(contract).values()) {
		const found = kind.find?.(instance, connection, subscriptionId);
		if (found) return found;
	}
}
/**
* Subscribes, or ends the subscription with an error.
*
* @param message - a `subscribe` message with a valid number
* @param results - the results that calls of the frame refer to, if there are any
* @param metadata - the metadata that the frame has for the subscription
*/
function beginSubscription(message, target, connection, results, metadata) {
	new SubscriptionStart(message, target, connection, results, metadata).run();
}
/** A `subscribe` message on its way to a subscription. */
var SubscriptionStart = class {
	#subscriptionId;
	#cursor;
	#position;
	/** The call has no id of its own. Every call that it refers to must have a lower id. */
	#call;
	#target;
	#connection;
	#results;
	#metadata;
	#arrivedAt = performance.now();
	/** Identifies this start among the starts that wait. */
	#token;
	constructor([, subscriptionId, cursor, ...call], target, connection, results, metadata) {
		this.#subscriptionId = subscriptionId;
		this.#cursor = cursor;
		this.#position = decodeCursor(cursor);
		this.#call = [Number.MAX_SAFE_INTEGER, ...call];
		this.#target = target;
		this.#connection = connection;
		this.#results = results;
		this.#metadata = metadata;
	}
	run() {
		const results = this.#results;
		let call;
		try {
			if (this.#hasResumed()) return;
			call = this.#admitted();
			if (results?.isMissing(call)) return this.#connection.send(encodeComplete(-this.#subscriptionId));
		} catch (thrown) {
			return this.#start(() => {
				throw thrown;
			});
		}
		this.#start(() => {
			const pending = results?.pending(call);
			if (!pending) return this.#begin(call);
			return this.#wait(call, pending, () => {
				this.#token = void 0;
				return this.#begin(call);
			});
		});
	}
	/** @param run - begins the subscription; throws the reason why it may not begin */
	#start(run) {
		const callee = this.#call[1];
		const about = {
			arrivedAt: this.#arrivedAt,
			metadata: this.#metadata
		};
		try {
			const begun = surround("subscription", this.#subscriptionId, callee, this.#target, this.#connection, about, run);
			if (begun) begun.catch((thrown) => this.#end(thrown));
		} catch (thrown) {
			this.#end(thrown);
		}
	}
	#end(thrown) {
		const { exposeErrorDetails: details } = this.#target.contract;
		this.#connection.countRejection();
		this.#connection.storeState();
		this.#connection.send(encodeComplete(this.#subscriptionId, {
			thrown,
			details
		}));
	}
	/**
	* Continues a subscription that outlasted its connection, or ends it.
	*
	* @throws RpcError for a subscription that may not continue
	*/
	#hasResumed() {
		const connection = this.#connection;
		const known = survivingSubscription(this.#target, connection, this.#subscriptionId);
		if (!known || this.#cursor === null || !known.canResumeAfter(this.#position)) {
			subscribersOf(this.#target.instance).remove(connection, this.#subscriptionId);
			known?.abandon();
			return false;
		}
		connection.subscriptions.delete(this.#subscriptionId);
		try {
			this.#admitted();
			const { capabilityToken } = known;
			if (capabilityToken !== void 0) {
				const address = JSON.parse(capabilityToken);
				this.#target.contract.targets?.make(address, this.#target, connection.caller);
			}
		} catch (error) {
			known.abandon();
			throw error;
		}
		subscribersOf(this.#target.instance).add(known, connection);
		known.begin(connection, this.#position?.event ?? 0);
		return true;
	}
	/** @throws RpcError for a message that is malformed or exceeds a limit */
	#admitted() {
		const call = this.#call;
		const cursor = this.#cursor;
		const connection = this.#connection;
		const { limits } = this.#target.contract;
		if (!connection.mayCall()) limitExceeded("callsPerSecond", limits.callsPerSecond);
		const waiting = waitingOn.get(connection)?.size ?? 0;
		if (connection.subscriptions.size + waiting >= limits.subscriptions) limitExceeded("subscriptions", limits.subscriptions);
		checkCall(call);
		if (![null, 0].includes(cursor) && typeof cursor !== "string") badMessage("A cursor must be a string, null or 0");
		return call;
	}
	#begin(call) {
		const target = this.#target;
		const connection = this.#connection;
		const { caller } = connection;
		const [, ...independent] = independentCall(call, target, caller, this.#results);
		const own = [this.#subscriptionId, ...independent];
		const prepared = prepareReusedCall(own, target, caller, (method) => {
			const { storesCall = false } = kindOf(method, target.contract);
			if (storesCall) checkCallSize(own);
			return storesCall;
		});
		const later = kindOf(prepared.called.method, target.contract).begin({
			subscriptionId: this.#subscriptionId,
			connection,
			target,
			cursor: this.#cursor,
			position: this.#position,
			call: own,
			...prepared,
			isAwaited: () => this.#isAwaited()
		});
		return later && this.#wait(call, later, (begin) => begin());
	}
	#isAwaited() {
		return waitingOn.get(this.#connection)?.get(this.#subscriptionId) === this.#token && !this.#connection.isClosed;
	}
	/**
	* Waits for the promise that the subscription needs to begin.
	*
	* @param begin - called afterwards, unless the subscription was cancelled; its start then never ends
	*/
	async #wait(call, awaited, begin) {
		const connection = this.#connection;
		const release = connection.holdInFlight(weightOf(call));
		const waiting = waitingOn.get(connection) ?? /* @__PURE__ */ new Map();
		waitingOn.set(connection, waiting.set(this.#subscriptionId, this.#token = {}));
		const [settled] = await Promise.allSettled([awaited]);
		release();
		if (!this.#isAwaited()) return new Promise(() => {});
		waiting.delete(this.#subscriptionId);
		if (settled.status === "rejected") throw settled.reason;
		return begin(settled.value);
	}
};
/** @throws RpcError `METHOD_NOT_FOUND` for a method that cannot be subscribed to */
function kindOf({ name, kind }, contract) {
	const found = kindsOf(contract).get(kind);
	if (found) return found;
	throw rejection("METHOD_NOT_FOUND", `${name} cannot be subscribed to: the contract lists it as a call. Write live([…]), events([…]), stream([…]) or rows(key, […]) in the contract`);
}
/** @throws RpcError `LIMIT_EXCEEDED` for a call that is too large for the socket's attachment */
function checkCallSize(call) {
	if (JSON.stringify(call).length > MAX_CALL_SIZE) limitExceeded("the size of the call of a subscription", MAX_CALL_SIZE);
}
// src/features/subscriptions/server/subscription-messages.ts
/** Handles clients' messages about subscriptions: `subscribe`, `ack` and `unsubscribe`. */
/** @throws RpcError `BAD_MESSAGE` for a malformed message; the rest of the frame is then ignored */
function handleSubscriptionMessage(message, context) {
	const { instance, contract, connection, results, frame } = context;
	const target = {
		instance,
		contract
	};
	const [kind, subscriptionId, count] = message;
	if (!isId(subscriptionId)) badMessage("The number of a subscription must be a positive integer");
	if (!connection.isConnection) badMessage("Subscriptions need a WebSocket: a POST gets one response");
	if (hasBytes(message)) badMessage("Bytes in the arguments of a subscription must be sent as text");
	const subscribers = subscribersOf(instance);
	if (kind === "ack") {
		if (!isId(count)) badMessage("The number in an acknowledgement must be a positive integer");
		return connection.subscriptions.get(subscriptionId)?.acknowledge(count, target);
	}
	cancelPending(connection, subscriptionId);
	if (kind === "subscribe") return beginSubscription(message, target, connection, results, frame.metadataOf(-subscriptionId));
	if (connection.subscriptions.has(subscriptionId)) {
		subscribers.remove(connection, subscriptionId);
		connection.storeState();
	} else survivingSubscription(target, connection, subscriptionId)?.stop();
}
// src/features/subscriptions/feature.ts
/** Subscriptions, on which live values, feeds, streams and rows are built. */
const subscriptions = {
	name: "subscriptions",
	version: 1,
	messages: {
		subscribe: handleSubscriptionMessage,
		ack: handleSubscriptionMessage,
		unsubscribe: handleSubscriptionMessage
	},
	onWake(instance, connection) {
		const contract = contractOf(instance);
		const kinds = contract && kindsOf(contract);
		const isGone = ([, kind]) => kind === "stream" || !kinds?.has(kind);
		if (connection.subscriptions.stored.some(isGone)) subscribersOf(instance);
	},
	onDisconnect: endSubscriptionsOf,
	onRevoke: (instance, capabilityToken, error) => subscribersOf(instance).revoked(capabilityToken, error)
};
// src/features/feeds/server/feed-subscription.ts
var FeedSubscription = class FeedSubscription {
	connection;
	subscriptionId;
	feed;
	window;
	/** The token of the capability whose method returned the feed; `undefined` for a method of the object. */
	capabilityToken;
	/** The epoch of the last event that has been sent; `undefined` if the log no longer knows it. */
	epoch;
	/** The number of the last event that the client has consumed. */
	acknowledged;
	/** The number of the last event that has been sent. */
	sent;
	/** True if the subscriber to a volatile feed lacks events that could not be sent. */
	isBehind = false;
	/** Set for a subscriber to a volatile feed from before hibernation, until it continues in the new log. */
	#restored;
	#feeds;
	constructor(feeds, connection, subscriptionId, feed, { event, epoch }, window, capabilityToken) {
		this.#feeds = feeds;
		this.connection = connection;
		this.subscriptionId = subscriptionId;
		this.feed = feed;
		this.window = window;
		this.capabilityToken = capabilityToken;
		this.epoch = epoch;
		this.acknowledged = event;
		this.sent = event;
	}
	/**
	* Restores a subscription after hibernation.
	*
	* @param end - the end of the log, which has the event that was acknowledged
	* @param epochOf - returns the epoch of an event of the log
	*/
	static restored(feeds, connection, record, feed, end, epochOf) {
		const [subscriptionId, , , event, window, capabilityToken] = record;
		const subscription = new FeedSubscription(feeds, connection, subscriptionId, feed, {
			event,
			epoch: ""
		}, window, capabilityToken);
		subscription.sent = Math.min(end.event, subscription.limit);
		subscription.epoch = subscription.sent === end.event ? end.epoch : epochOf(subscription.sent);
		return subscription;
	}
	/**
	* Restores a subscription to a volatile feed after hibernation, at the end of the new log. A subscription that was
	* behind gets no events until its client has read the events that were sent.
	*/
	static restoredVolatile(feeds, connection, [subscriptionId, , , isBehind, window, capabilityToken], feed) {
		const { end } = feed.log;
		const subscription = new FeedSubscription(feeds, connection, subscriptionId, feed, end, window, capabilityToken);
		subscription.isBehind = isBehind;
		subscription.#restored = isBehind ? "behind" : "complete";
		return subscription;
	}
	/** Returns the number of the last event that may be sent now. */
	get limit() {
		return this.#restored === "behind" ? this.sent : this.acknowledged + this.window;
	}
	/** Begins again, before the first events after hibernation, because the numbers of a volatile feed begin anew. */
	goOn(epoch) {
		if (!this.#restored) return;
		const { connection, subscriptionId, sent, window } = this;
		if (this.isBehind) connection.send(encodeGap(subscriptionId));
		connection.send(encodeSubscribed(subscriptionId, {
			event: sent,
			epoch: epoch ?? ""
		}, window));
		this.#restored = void 0;
	}
	get state() {
		const { subscriptionId, feed, window, capabilityToken } = this;
		const position = feed.isVolatile ? this.isBehind : this.acknowledged;
		const record = [
			subscriptionId,
			"events",
			feed.name,
			position,
			window
		];
		return capabilityToken === void 0 ? record : [...record, capabilityToken];
	}
	join() {
		this.feed.listeners.add(this);
	}
	acknowledge(count) {
		if (this.#restored === "behind") {
			this.#restored = "complete";
			return this.#feeds.resume(this);
		}
		if (count <= this.acknowledged || count > this.sent) return;
		this.acknowledged = count;
		this.#feeds.resume(this);
	}
	stop() {
		this.feed.listeners.delete(this);
	}
};
// src/features/feeds/server/feed-log.ts
/** The key of a page is this prefix, the name of the feed, and the number of the page's first event. */
const PREFIX = "__rpc_feed:";
/** A page with this many characters is full. */
const PAGE_SIZE$1 = 2e3;
/** The maximum size of a page that one append fills. A value in the storage has at most 2 MB. */
const MAX_PAGE_SIZE$1 = 5e5;
const NUMBER_LENGTH = 16;
/** The first character of a line that is an epoch. The text of an event begins with a comma, or is empty. */
const EPOCH_MARK = ".";
var FeedLog = class {
	#kv;
	#prefix;
	/** The last page when it was read. Rolling back a transaction can remove it. */
	#last;
	/** The epoch of the events that are added; `undefined` if the next event begins an epoch. */
	#epoch;
	/** @throws URIError for a name with half a surrogate pair */
	constructor(kv, name) {
		this.#kv = kv;
		this.#prefix = prefixOf(name);
	}
	/** Begins an epoch in an empty log, so that no position in it is mistaken for a position of another log. */
	begin() {
		this.#kv.put(this.#key(1), randomText());
	}
	/** Returns the position after the newest event. */
	get end() {
		const last = this.#lastPage();
		return last ? {
			event: endOf(last),
			epoch: last.epoch
		} : {
			event: 0,
			epoch: ""
		};
	}
	/** Returns the epoch of an event; `undefined` if the next event is not stored any more. */
	epochOf(event) {
		const [page] = this.#pagesWith(event, event);
		return this.#epochIn(page, event);
	}
	/**
	* Adds events, in one row unless they are very large. Deletes pages without any of the newest events.
	*
	* @param keep - the number of the newest events to keep
	*/
	append(texts, keep) {
		let page = this.#lastPage();
		const epoch = this.#epoch ??= randomText();
		const pages = /* @__PURE__ */ new Set();
		for (const text of texts) {
			const isFull = page && page.stored.length >= (pages.has(page) ? MAX_PAGE_SIZE$1 : PAGE_SIZE$1);
			if (!page || isFull) page = this.#pageAfter(page);
			pages.add(page);
			if (page.epoch !== epoch) {
				page.stored += `\n${EPOCH_MARK}${epoch}`;
				page.epochs.set(endOf(page) + 1, page.epoch = epoch);
			}
			page.texts.push(text);
			page.stored += `\n${text}`;
		}
		for (const { key, stored } of pages) this.#kv.put(key, stored);
		const isNew = page !== this.#last;
		this.#last = page;
		if (page && isNew) this.#trim(endOf(page) - keep);
	}
	/** Returns the stored events after number `after` and up to number `last`. */
	read(after, last) {
		const pages = this.#pagesWith(after, last);
		const [begin] = pages;
		const before = this.#epochIn(begin, after);
		const texts = pages.flatMap((page) => page.texts);
		const skipped = after + 1 - (begin?.first ?? 0);
		const epochs = /* @__PURE__ */ new Map();
		for (const page of pages) for (const [first, epoch] of page.epochs) if (first > after && first <= last && first >= page.first) epochs.set(first, epoch);
		return {
			before,
			texts: texts.slice(skipped).slice(0, last - after),
			epochs
		};
	}
	/**
	* Yields the stored events after number `after` and up to number `last`. It reads a row when the first event of the row
	* is requested. No other code may list the storage before the last event was requested.
	*
	* @param reverse - whether the newest event comes first
	*/
	*events(after, last, reverse) {
		const start = reverse ? void 0 : this.#pageWith(after)?.key;
		const range = {
			...start !== void 0 && { start },
			end: this.#key(last + 1),
			reverse
		};
		for (const [key, stored] of this.#kv.list({
			prefix: this.#prefix,
			...range
		})) {
			const page = pageOf(key, stored);
			const [from, to] = [Math.max(page.first, after + 1), Math.min(endOf(page), last)];
			for (let index = from; index <= to; index++) {
				const event = reverse ? from + to - index : index;
				const text = page.texts[event - page.first];
				yield {
					event,
					epoch: epochAt(page, event) ?? "",
					text
				};
			}
			if (reverse && page.first <= after + 1) return;
		}
	}
	/**
	* Returns the epoch of an event.
	*
	* @param page - the page of the next event, if it is stored
	*/
	#epochIn(page, event) {
		if (page) return epochAt(page, event);
		return this.#last ? void 0 : "";
	}
	/** Returns the pages with the stored events after number `after` and up to number `last`. */
	#pagesWith(after, last) {
		const newest = this.#lastPage();
		if (!newest) return [];
		if (newest.first <= after + 1) return [newest];
		const begin = this.#pageWith(after);
		if (!begin || after >= last) return begin ? [begin] : [];
		return this.#pages({
			start: begin.key,
			end: this.#key(last + 1)
		});
	}
	/** Returns the page with the event after number `after`, or the last page if that event does not exist yet. */
	#pageWith(after) {
		return this.#pages({
			end: this.#key(after + 2),
			reverse: true,
			limit: 1
		})[0];
	}
	#lastPage() {
		const known = this.#last;
		const stored = known && this.#kv.get(known.key);
		if (known && stored === known.stored) return known;
		this.#epoch = void 0;
		[this.#last] = this.#pages({
			reverse: true,
			limit: 1
		});
		return this.#last;
	}
	#pageAfter(page) {
		const first = page ? endOf(page) + 1 : 1;
		return pageOf(this.#key(first), page?.epoch ?? "");
	}
	/** Deletes the pages that contain no event after number `lastDropped`. */
	#trim(lastDropped) {
		for (;;) {
			const [oldest, next] = this.#pages({ limit: 2 });
			if (!oldest || !next || next.first > lastDropped + 1) return;
			this.#kv.delete(oldest.key);
		}
	}
	#pages(options) {
		const found = this.#kv.list({
			prefix: this.#prefix,
			...options
		});
		return Array.from(found, ([key, stored]) => pageOf(key, stored));
	}
	#key(first) {
		return keyOf$2(this.#prefix, first);
	}
};
/** Returns the prefix of the keys of a feed's pages. */
function prefixOf(name) {
	return `${PREFIX}${encodeURIComponent(name)}:`;
}
/** Returns the key of the page that begins with an event. */
function keyOf$2(prefix, first) {
	return prefix + String(first).padStart(NUMBER_LENGTH, "0");
}
/** Returns the number of the first event of a page. */
function firstOf(key) {
	return Number(key.slice(-16));
}
function pageOf(key, stored) {
	const first = firstOf(key);
	const [before = "", ...lines] = stored.split("\n");
	const epochs = /* @__PURE__ */ new Map([[first - 1, before]]);
	const texts = [];
	let epoch = before;
	for (const line of lines) if (line.startsWith(EPOCH_MARK)) epochs.set(first + texts.length, epoch = line.slice(1));
	else texts.push(line);
	return {
		key,
		stored,
		first,
		texts,
		epochs,
		epoch
	};
}
/** Returns the number of a page's last event. */
function endOf({ first, texts }) {
	return first + texts.length - 1;
}
/** Returns the epoch of an event of a page, or of the event before the page. */
function epochAt({ epochs }, event) {
	let found;
	for (const [first, epoch] of epochs) {
		if (first > event) break;
		found = epoch;
	}
	return found;
}
function randomText() {
	const [number = 0] = crypto.getRandomValues(/* @__PURE__ */ new Uint32Array(1));
	return number.toString(36);
}
// src/features/feeds/server/volatile-log.ts
/** The log of a volatile feed. It is only in memory, so hibernation and restarts lose it. */
/** The pages of the log, and their size. */
var Pages = class extends MemoryValues {
	/** The size of the pages, in characters. */
	size = 0;
	put(key, page) {
		this.size += page.length - (this.get(key)?.length ?? 0);
		super.put(key, page);
	}
	delete(key) {
		this.size -= this.get(key)?.length ?? 0;
		return super.delete(key);
	}
};
var VolatileLog = class extends FeedLog {
	#pages;
	constructor(name) {
		const pages = new Pages();
		super(pages, name);
		this.#pages = pages;
		this.begin();
	}
	get size() {
		return this.#pages.size;
	}
	/** Drops the older half of the events, or all events if `isAll`. A subscriber that needs one of them learns of a gap. */
	giveWay(isAll) {
		const keys = Array.from(this.#pages.list({ prefix: "" }), ([key]) => key);
		for (const key of keys.slice(0, isAll ? void 0 : Math.ceil(keys.length / 2))) this.#pages.delete(key);
	}
};
// src/features/feeds/server/open-feed.ts
/**
* A feed in use, and its subscribers. A subscriber's position is a single number, because the acknowledged events
* determine which events were sent.
*/
var OpenFeed = class {
	/** The name of the feed; empty for the copy of another object's feed. */
	name;
	log;
	listeners = /* @__PURE__ */ new Set();
	/** The end of a copy that has ended. No subscriber can join the copy any more. */
	ended;
	/** Checks each event before it is stored; `undefined` where nothing is checked. */
	checkEvent;
	#fetch;
	/** True if the events are only in the memory of the object. */
	get isVolatile() {
		return this.log instanceof VolatileLog;
	}
	constructor(name, log, fetch) {
		this.name = name;
		this.log = log;
		this.#fetch = fetch;
	}
	/**
	* Returns the position after which a reader continues.
	*
	* @param cursor - 0 or `null` for a new reader
	* @returns `undefined` if the next events are no longer stored, or if the reader begins with a snapshot
	*/
	positionAfter(cursor, { keep, snapshot }) {
		const { end } = this.log;
		if (typeof cursor !== "string") return snapshot ? void 0 : end;
		const position = decodeCursor(cursor);
		if (!position || position.event > end.event || position.event < end.event - keep) return void 0;
		return this.log.epochOf(position.event) === position.epoch ? position : void 0;
	}
	/**
	* Sends to subscribers the events that their windows allow.
	*
	* @returns the subscribers whose subscriptions end, each with its error
	*/
	deliver(listeners, frames) {
		const { end } = this.log;
		const batches = /* @__PURE__ */ new Map();
		const ended = /* @__PURE__ */ new Map();
		for (const subscription of listeners) if (!this.#send(subscription, end, batches, frames)) ended.set(subscription, cursorExpiredError());
		return ended;
	}
	/** @returns whether the log has the last event that was sent, and all events that are to be sent now */
	#send(subscription, end, batches, frames) {
		if (subscription.sent >= end.event) return subscription.sent === end.event && subscription.epoch === end.epoch;
		const wanted = Math.min(end.event, subscription.limit);
		if (wanted <= subscription.sent) return true;
		const to = Math.min(wanted, this.log.heldAfter?.(subscription.sent) ?? wanted);
		if (to < wanted) this.#fetch?.(subscription);
		if (to === subscription.sent) return true;
		let batch = batches.get(subscription.subscriptionId);
		if (batch?.from !== subscription.sent || batch.to !== to) {
			const section = this.log.read(subscription.sent, to);
			if (section.texts.length < to - subscription.sent) return false;
			batch = batchOf(subscription, to, section);
			batches.set(subscription.subscriptionId, batch);
		}
		const { before, epoch, messages, text } = batch;
		if (subscription.epoch !== before) return false;
		subscription.goOn(before);
		subscription.sent = to;
		subscription.epoch = epoch;
		subscription.connection.send(subscription.connection.readsBytes ? batch.packet ??= joinMessages(messages.map(frames.withBytes)) : text);
		return true;
	}
};
function batchOf({ subscriptionId, sent: from }, to, { before, texts, epochs }) {
	const messages = [];
	let epoch = before ?? "";
	let event = from;
	for (const rest of texts) {
		const next = epochs.get(event + 1);
		if (next !== void 0) messages.push(encodeEpoch(subscriptionId, event, epoch = next));
		messages.push(encodeNext(subscriptionId, ++event, rest));
	}
	return {
		from,
		to,
		before,
		epoch,
		messages,
		text: messages.join()
	};
}
// src/features/feeds/server/feeds.ts
/** The feeds of an object that are in use. They send new events at the end of a turn. */
/** Number of feeds in memory from which feeds without subscribers are dropped. */
const FEEDS_TO_TIDY = 1e3;
const feedsOf = /* @__PURE__ */ perObject((instance) => new Feeds(instance));
var Feeds = class {
	#instance;
	#open = /* @__PURE__ */ new Map();
	/** The volatile feeds, whose events are in memory, by their names. */
	#volatile = /* @__PURE__ */ new Map();
	/** The account of the events of volatile feeds; `undefined` without a volatile feed. */
	#memory;
	/** The feeds to which events were added in this turn. */
	#appended = /* @__PURE__ */ new Set();
	#toTidy = FEEDS_TO_TIDY;
	/** Publishes new events. Each request of a turn passes this one function, so the turn runs it once. */
	#publish = () => this.#publishAll();
	constructor(instance) {
		this.#instance = instance;
	}
	/** Returns the feed of the object with a name. A volatile feed and a stored feed can have equal names. */
	open(name, isVolatile = false) {
		const known = (isVolatile ? this.#volatile : this.#open).get(name);
		if (known) return known;
		if (this.#open.size + this.#volatile.size >= this.#toTidy) this.#closeIdle();
		if (isVolatile) {
			const open = new OpenFeed(name, new VolatileLog(name));
			this.#volatile.set(name, open);
			return open;
		}
		const open = new OpenFeed(name, new FeedLog(kvOf(this.#instance), name));
		this.#open.set(name, open);
		return open;
	}
	/** Counts the bytes that a log holds in memory. */
	weigh(log, size = log instanceof VolatileLog ? log.size : 0) {
		if (!(log instanceof VolatileLog)) return;
		const { limits } = contractOf(this.#instance) ?? { limits: DEFAULT_LIMITS };
		(this.#memory ??= new CacheMemory(this.#instance, limits)).set(log, size);
	}
	/** Publishes the new events of a feed at the end of the turn. */
	appended(feed) {
		this.#appended.add(feed);
		atEndOfTurn(this.#instance, "events", this.#publish);
	}
	resume(subscription) {
		if (subscribersOf(this.#instance).storeState(subscription.connection, subscription.subscriptionId)) this.deliver(subscription.feed, [subscription]);
	}
	deliver(feed, listeners) {
		const { frames } = contractOf(this.#instance) ?? { frames: textFrameCodec };
		for (const [{ connection, subscriptionId }, thrown] of feed.deliver(listeners, frames)) subscribersOf(this.#instance).end(connection, subscriptionId, { thrown });
		if (!feed.isVolatile) return;
		for (const subscription of feed.listeners) this.#noteBehind(subscription);
	}
	/** Stores whether a subscriber to a volatile feed lacks events, because it will have missed them after hibernation. */
	#noteBehind(subscription) {
		const { feed, sent, isBehind, connection, subscriptionId } = subscription;
		subscription.isBehind = sent < feed.log.end.event;
		if (subscription.isBehind !== isBehind) subscribersOf(this.#instance).storeState(connection, subscriptionId);
	}
	#publishAll() {
		const appended = [...this.#appended];
		this.#appended.clear();
		for (const feed of appended) if (feed.listeners.size > 0) this.deliver(feed, feed.listeners);
	}
	#closeIdle() {
		const isIdle = (feed) => feed.listeners.size === 0 && !this.#appended.has(feed);
		for (const [name, feed] of this.#open) if (isIdle(feed)) this.#open.delete(name);
		for (const [name, feed] of this.#volatile) {
			if (!isIdle(feed)) continue;
			this.#volatile.delete(name);
			this.weigh(feed.log, 0);
		}
		this.#toTidy = FEEDS_TO_TIDY + 2 * (this.#open.size + this.#volatile.size);
	}
};
// src/features/feeds/server/feed-kind.ts
/** Begins subscriptions to feeds, and restores them after hibernation. */
const feedEvents = {
	name: "events",
	begin(begun) {
		const { connection, target, cursor, called, args, isAwaited } = begun;
		connection.countCall();
		const feed = feedIn(invoke(called, target, args, connection.caller), called.method.name);
		if ("reach" in feed) return feed.reach(cursor, isAwaited).then(({ feed: open, position, snapshot, hasGap }) => () => {
			if (hasGap) connection.send(encodeGap(begun.subscriptionId));
			start(begun, open, position, feed.window, () => snapshot);
		});
		const { checkOutput } = called.method;
		checkEventsOf(feed, checkOutput);
		const { name, keep, snapshot, window, isVolatile } = feed;
		const feeds = feedsOf(target.instance);
		const position = feeds.open(name, isVolatile).positionAfter(cursor, {
			keep,
			snapshot
		});
		if (position) return start(begun, feeds.open(name, isVolatile), position, window, () => "");
		if (!snapshot) {
			if (!isVolatile) throw cursorExpiredError();
			connection.send(encodeGap(begun.subscriptionId));
			const open = feeds.open(name, isVolatile);
			return start(begun, open, open.log.end, window, () => "");
		}
		const all = runClassCode(called.method.name, target, connection.caller, snapshot);
		checkOutput?.(all);
		const open = feeds.open(name, isVolatile);
		start(begun, open, open.log.end, window, (referenceOf) => encodeTail(all, referenceOf));
	},
	*restore(kept, instance) {
		const feeds = feedsOf(instance);
		const ends = /* @__PURE__ */ new Map();
		for (const stored of kept) {
			const [, , name, acknowledged] = stored.state;
			if (typeof acknowledged === "boolean") {
				const record = stored.state;
				const feed = feeds.open(name, true);
				yield [stored, FeedSubscription.restoredVolatile(feeds, stored.connection, record, feed)];
				continue;
			}
			if (!name) {
				yield [stored, { thrown: cursorExpiredError() }];
				continue;
			}
			const feed = feeds.open(name);
			const { log } = feed;
			const end = ends.get(name) ?? log.end;
			ends.set(name, end);
			if (acknowledged > end.event) yield [stored, { thrown: cursorExpiredError() }];
			else {
				const epochOf = (event) => log.epochOf(event);
				yield [stored, FeedSubscription.restored(feeds, stored.connection, stored.state, feed, end, epochOf)];
			}
		}
	}
};
/** @param encodeSnapshot - returns the snapshot, as text from `encodeTail`; empty if there is none */
function start({ subscriptionId, connection, target: { instance, contract }, call: [, callee] }, feed, position, window, encodeSnapshot) {
	if (feed.ended) throw feed.ended.thrown;
	const feeds = feedsOf(instance);
	const subscription = new FeedSubscription(feeds, connection, subscriptionId, feed, position, window, capabilityTokenOf(callee));
	subscribersOf(instance).add(subscription, connection);
	const message = connection.encode((referenceOf) => encodeSubscribed(subscriptionId, position, window, encodeSnapshot(referenceOf)), contract);
	connection.send(message);
	feeds.deliver(feed, [subscription]);
}
function feedIn(result, method) {
	const feed = result;
	if (feed?.[FEED] === PACKAGE_COPY) return feed;
	disposeUnread(result);
	throw methodHasRunError(method, feed?.[FEED] ? "returned a feed of another copy of lumenize-rpc: install one copy (npm ls lumenize-rpc)" : "is listed by events([…]), but returned no feed: return feed(this, name)");
}
// src/features/feeds/server/stored-feeds.ts
/** The feeds that an object has stored, for reports. */
/** The maximum number of feeds in a report. */
const MAX_FEEDS = 100;
/** Returns the first hundred stored feeds. It reads one or two rows for each feed. */
function storedFeedsOf(instance) {
	const kv = kvOf(instance);
	const feeds = [];
	let start = PREFIX;
	while (feeds.length < MAX_FEEDS) {
		const [row] = kv.list({
			prefix: PREFIX,
			start,
			limit: 1
		});
		if (!row) break;
		const [key] = row;
		const encoded = key.slice(11, key.lastIndexOf(":"));
		const name = decodeURIComponent(encoded);
		feeds.push({
			name,
			first: firstOf(key),
			last: new FeedLog(kv, name).end.event
		});
		start = `${PREFIX}${encoded};`;
	}
	return feeds;
}
// src/features/feeds/server/feed-page.ts
/** Reads a page of a feed: stored events, with the cursors from which a client can continue in both directions. */
/** The maximum number of characters of a page that has more than one event. */
const MAX_PAGE_SIZE = 1e6;
/** The characters that a page needs for an event beside its text: `{"cursor":"12345.k3x9qz","event":},`. */
const CURSOR_SIZE = 40;
/** @throws RpcError `CURSOR_EXPIRED` */
function readPage(open, { before, after, limit, keep }) {
	const { log } = open;
	const { end } = log;
	const begin = typeof after === "string" ? open.positionAfter(after, { keep }) : void 0;
	if (after !== void 0 && !begin) throw cursorExpiredError();
	const last = before === void 0 ? end : positionBefore(before, log, end);
	const dropped = Math.max(end.event - keep, 0);
	const { events, next } = take(log.events(begin?.event ?? dropped, last.event, !begin), limit);
	if (!begin) events.reverse();
	const older = begin ? log.events(dropped, begin.event, true).next().value : next;
	return {
		events: events.map((one) => ({
			cursor: encodeCursor(one),
			event: decodeEvent(one.text)
		})),
		...older && { before: encodeCursor(older) },
		after: encodeCursor(begin ? events.at(-1) ?? begin : last)
	};
}
/** Takes the events of a page. `next` is the event after them; `undefined` if there is none. */
function take(found, limit) {
	const events = [];
	let size = 0;
	for (const one of found) {
		size += one.text.length + CURSOR_SIZE;
		if (events.length === limit || events.length > 0 && size > MAX_PAGE_SIZE) return {
			events,
			next: one
		};
		events.push(one);
	}
	return { events };
}
/** Returns the position before which to read. If it is before all stored events, there is nothing to read. */
function positionBefore(cursor, log, end) {
	const position = decodeCursor(cursor);
	if (!position || position.event > end.event) throw cursorExpiredError();
	const epoch = log.epochOf(position.event);
	if (epoch !== void 0 && epoch !== position.epoch) throw cursorExpiredError();
	return position;
}
function decodeEvent(text) {
	const answer = decodeAnswer(JSON.parse(`[0${text}]`));
	return "result" in answer ? answer.result : void 0;
}
// src/features/feeds/server/feed.ts
/** `feed`, with which a class uses a feed. */
/** The maximum size of an event: the characters of its text, plus the bytes beside the text. */
const MAX_EVENT_SIZE = 65536;
/** The maximum length of a URI-encoded name. The name is part of a key, and the storage accepts keys of 2 048 bytes. */
const MAX_NAME_LENGTH = 500;
/**
* Returns a feed of an object, which is a log of events in the object's storage. Clients subscribe to it through a method
* that returns the feed, and that the contract lists by `events`. The storage has no data of the subscribers.
*
* @param instance - the object
* @param name - the name of the feed in the object; at most 500 characters when URI-encoded
* @param options - `keep`, a number of events; `window`, a number of events; `snapshot`. They must be equal wherever the
*   name is used.
* @returns the feed
* @throws TypeError for a name that is empty or too long; RangeError for an option that is not a positive integer
* @example
* messages(): Feed<Message> { return feed(this, 'messages'); }
* post(text: string): void { this.messages().append({ text }); }
* // In the contract:
* messages: events(),
*/
function feed(instance, name, options = {}) {
	checkCopy(instance);
	return new StoredFeed(instance, name, options);
}
var StoredFeed = class {
	name;
	keep;
	window;
	snapshot;
	isVolatile;
	#instance;
	constructor(instance, name, options) {
		const { keep = 1e3, window = 64, snapshot, volatile: isVolatile = false } = options;
		if (!isName(name)) throw new TypeError(`The name of a feed must have 1 to ${MAX_NAME_LENGTH} characters, URI-encoded`);
		checkCounts(`feed ${name}`, {
			keep,
			window
		});
		this[FEED] = PACKAGE_COPY;
		this.name = name;
		this.keep = keep;
		this.window = window;
		this.snapshot = snapshot;
		this.isVolatile = isVolatile;
		this.#instance = instance;
	}
	get cursor() {
		return encodeCursor(this.#open().log.end);
	}
	read({ before, after, limit = 50 } = {}) {
		checkCounts(`feed ${this.name}`, { limit });
		return readPage(this.#open(), {
			before,
			after,
			limit,
			keep: this.keep
		});
	}
	checkEvents(check) {
		this.#open().checkEvent = check;
	}
	append(...events) {
		const { checkEvent } = this.#open();
		const texts = events.map((event) => {
			checkEvent?.(event);
			const text = encodeTail(event);
			if (isTooLong(text)) limitExceeded("the size of an event", MAX_EVENT_SIZE);
			return text;
		});
		subscribersOf(this.#instance).restore(feedEvents);
		const feeds = feedsOf(this.#instance);
		const open = this.#open();
		open.log.append(texts, this.keep);
		feeds.appended(open);
		feeds.weigh(open.log);
	}
	#open() {
		return feedsOf(this.#instance).open(this.name, this.isVolatile);
	}
};
/** @throws RangeError for an option that is not a positive integer */
function checkCounts(of, options) {
	for (const [key, value] of Object.entries(options)) if (!(Number.isSafeInteger(value) && value > 0)) throw new RangeError(`${key} of ${of} is ${value}: write a positive integer`);
}
/**
* Returns whether an event is too long. Bytes are stored as Base64, but count as bytes.
*
* @param text - the text of the event after a comma
*/
function isTooLong(text) {
	if (text.length - 1 <= MAX_EVENT_SIZE) return false;
	const saved = Array.from(text.matchAll(/\["ArrayBuffer","([^"]*)"/g), ([, found = ""]) => found).reduce((sum, { length }) => sum + length / 4, 0);
	return text.length - 1 - saved > MAX_EVENT_SIZE;
}
function isName(name) {
	try {
		const { length } = encodeURIComponent(String(name));
		return typeof name === "string" && length > 0 && length <= MAX_NAME_LENGTH;
	} catch {
		return false;
	}
}
// src/features/feeds/feature.ts
/** Feeds, whose events reach each subscriber once and in order. */
const feeds = {
	name: "feeds",
	version: 1,
	needs: [subscriptions],
	kinds: [feedEvents],
	inspect: (instance) => ({ feeds: storedFeedsOf(instance) }),
	compile: (_, { kind }) => kind === "events" ? { subscribableResult: "a feed" } : void 0
};
/**
* The entry of a method that returns a feed, from `feed(this, name)`. The method changes nothing. Clients subscribe to the
* events of the feed.
*
* @param schemas - a schema for each argument. Default: none.
* @param options - `returns`, the capability classes in the events; `output`, the schema of an event; `title`;
*   `description`
* @returns the entry
* @example
* messages: events(),
*/
function events(schemas = [], options) {
	return methodEntry("events", feeds, true, schemas, options);
}
// src/features/live/server/keyed-value.ts
/** The memory that a row takes besides its characters, in bytes, for its key and the header of its text. */
const ROW_OVERHEAD = 40;
/**
* @param limit - the maximum size of all rows
* @returns `undefined` for a value that is no list, and for rows that cannot be encoded one by one: rows that are too
*   large, or a row that cannot be sent. Only the error of the whole value has the path to such a row
*/
function keyedValueOf(value, key, { referenceOf }, limit) {
	const found = listsIn(value);
	if (!found) return void 0;
	const keys = [];
	const texts = [];
	let length = 0;
	try {
		for (const list of found.lists) for (const row of list) {
			const text = encodeRow(row, referenceOf);
			keys.push(row?.[key]);
			texts.push(text);
			length += text.length + 1;
			if (length > limit) return void 0;
		}
		return new KeyedValue(keys, texts, length, found.names);
	} catch {
		return;
	}
}
var KeyedValue = class KeyedValue {
	size;
	#keys;
	/** The rows of all lists, encoded. */
	#texts;
	#names;
	constructor(keys, texts, length, names) {
		this.size = length + names.length + texts.length * ROW_OVERHEAD;
		this.#keys = keys;
		this.#texts = texts;
		this.#names = names;
	}
	updateFrom(sent) {
		const base = sent instanceof KeyedValue ? sent : void 0;
		if (base && this.#isSame(base)) return void 0;
		const patch = base && this.#patchFrom(base);
		const rows = patch ?? this.#texts.join();
		return (receiver) => {
			receiver.patches = patch === void 0 ? 0 : receiver.patches + 1;
			return encodePatch(receiver.subscriptionId, receiver.patches, rows, this.#names);
		};
	}
	#isSame(other) {
		const texts = this.#texts;
		if (this.#names !== other.#names || texts.length !== other.#texts.length) return false;
		return texts.every((text, index) => text === other.#texts[index]);
	}
	/**
	* @returns the parts of a patch, separated by commas. They are never longer than all rows, because a row that contains
	*   its key is longer than the two numbers which say that it stays.
	*/
	#patchFrom(base) {
		const oldKeys = base.#keys;
		const oldTexts = base.#texts;
		const parts = [];
		let places;
		/** The index of the first of the rows that stay, up to the current row. `count` is their number. */
		let start = 0;
		let count = 0;
		/** The previous index of the next row, if no row has moved. */
		let next = 0;
		const endRun = () => {
			if (count > 0) parts.push(`${start},${count}`);
			count = 0;
		};
		for (let index = 0; index < this.#texts.length; index++) {
			const text = this.#texts[index];
			const key = this.#keys[index];
			let place = next;
			if (oldTexts[next] !== text && oldKeys[next] !== key) {
				places ??= new Map(oldKeys.map((old, at) => [old, at]));
				place = places.get(key);
			}
			if (place === void 0 || oldTexts[place] !== text) {
				endRun();
				parts.push(text);
			} else {
				if (place !== start + count) endRun();
				if (count++ === 0) start = place;
			}
			if (place !== void 0) next = place + 1;
		}
		endRun();
		return parts.join();
	}
};
/** @returns `undefined` for a value that is neither a list nor lists by name */
function listsIn(value) {
	if (!isObject(value)) return void 0;
	if (isList(value)) return {
		lists: [value],
		names: ""
	};
	const tag = tagOf(value);
	if (tag !== "Object" && tag !== "Map") return void 0;
	const isMap = tag === "Map";
	const named = isMap ? [...value] : Object.entries(value);
	const lists = [];
	let names = `,${isMap}`;
	for (const [name, list] of named) {
		if (!isExactPrimitive(name) || !isList(list)) return void 0;
		lists.push(list);
		names += `,${JSON.stringify(name)},${list.length}`;
	}
	return {
		lists,
		names
	};
}
/** Returns whether a value is an array without holes. */
function isList(value) {
	return isObject(value) && tagOf(value) === "Array";
}
/** Returns a row as a part of a patch: an object, or the list of the general codec. */
function encodeRow(row, referenceOf) {
	if (isObject(row) && !Array.isArray(row) && isPlain$1(row)) return JSON.stringify(row);
	return encodeRich(row, referenceOf);
}
// src/features/live/server/live-value.ts
/** A value that is always sent as a whole. */
var WholeValue = class WholeValue {
	#encoded;
	#frames;
	/** The value with all bytes as text; set when a subscriber first needs it. */
	#plain;
	/** @throws RpcError `UNSERIALIZABLE` */
	constructor(value, { frames, referenceOf }) {
		const { text, buffers } = frames.split((toReference) => encodeTail(value, toReference), referenceOf);
		this.#encoded = {
			text,
			buffers: buffers.map((buffer) => new Uint8Array(buffer))
		};
		this.#frames = frames;
	}
	get size() {
		const { text, buffers } = this.#encoded;
		return buffers.reduce((size, { length }) => size + length, text.length);
	}
	updateFrom(sent) {
		return sent instanceof WholeValue && this.#isSame(sent.#encoded) ? void 0 : this.#message;
	}
	#message = ({ connection, subscriptionId }) => {
		const { text, buffers } = this.#encoded;
		if (connection.readsBytes || buffers.length === 0) return this.#frames.pack({
			text: `["value",${subscriptionId}${text}]`,
			buffers
		});
		return `["value",${subscriptionId}${this.#plain ??= this.#withBase64()}]`;
	};
	#isSame({ text, buffers }) {
		if (this.#encoded.text !== text) return false;
		return this.#encoded.buffers.every((buffer, index) => isEqual(buffer, buffers[index]));
	}
	/**
	* Returns the value's text with its bytes as Base64. Only a whole message can be converted, so the text is put into a
	* message with the id 0. The first two characters and the last character of that message are removed again.
	*/
	#withBase64() {
		const { text, buffers } = this.#encoded;
		return asText(this.#frames.pack({
			text: `[0${text}]`,
			buffers
		})).slice(2, -1);
	}
};
function isEqual(one, other) {
	return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
// src/features/live/server/live-calls.ts
/**
* Runs live methods again, and sends each result that has changed to its subscribers. Equal calls run once for all
* subscribers.
*/
/** A subscription to the value of a live method. */
var LiveSubscription = class {
	connection;
	subscriptionId;
	/** The method and its arguments, as received. The first element is not used. */
	call;
	/** The last value that has been sent; `undefined` after hibernation. */
	sent;
	patches = 0;
	/** True if the client gets no more values for now, because too many of its values are not acknowledged. */
	isStalled;
	/** True if the client was told that it does not have the newest value. */
	isBehind = false;
	#calls;
	#unacknowledged = 0;
	/** The part of the value that the account of the client has. */
	#held = 0;
	constructor(calls, connection, subscriptionId, call, isStalled = false) {
		this.#calls = calls;
		this.connection = connection;
		this.subscriptionId = subscriptionId;
		this.call = call;
		this.isStalled = isStalled;
	}
	get state() {
		return [
			this.subscriptionId,
			"live",
			this.call,
			this.isStalled
		];
	}
	get capabilityToken() {
		return capabilityTokenOf(this.call[1]);
	}
	join(contract) {
		this.#calls.add(this, contract?.limits.liveCalls ?? Infinity);
	}
	/** Keeps a value that has been sent. Equal subscriptions share a value, and each holds a part of its size. */
	keep(value, size) {
		const { memory } = this.connection;
		memory.release(this.#held);
		this.sent = value;
		this.isBehind = false;
		this.#held = size;
		memory.add(size);
	}
	/** Tells the client once that it gets no value now, and gets the newest value when it has acknowledged. */
	skip() {
		if (!this.isBehind) this.connection.send(encodeWindow(this.subscriptionId, 16));
		this.isBehind = true;
	}
	/** @returns whether the subscription is now stalled */
	countSent() {
		this.isStalled = ++this.#unacknowledged >= 16;
		return this.isStalled;
	}
	acknowledge(count) {
		const wasStalled = this.isStalled;
		this.#unacknowledged = Math.max(this.#unacknowledged - count, 0);
		this.isStalled = this.#unacknowledged >= 16;
		if (wasStalled && !this.isStalled) this.#calls.resume(this);
	}
	stop() {
		this.keep(void 0, 0);
		this.#calls.remove(this);
	}
};
/** The live call whose method runs now. */
let runningCall;
/** @returns the live call whose method runs now, for `subscriptionsTo`; `undefined` if no live method runs */
function runningLiveCall() {
	return runningCall && keyOf$1(runningCall);
}
const liveCallsOf = /* @__PURE__ */ perObject((instance) => new LiveCalls(instance));
var LiveCalls = class {
	#instance;
	/** Subscriptions by the text of their call. */
	#listeners = /* @__PURE__ */ new Map();
	#isUpdating = false;
	/** Updates all values. Each request of a turn passes this one function, so the turn runs it once. */
	#update = () => this.update();
	constructor(instance) {
		this.#instance = instance;
	}
	/** Returns the number of subscriptions to a live call. */
	subscriptionsTo(call) {
		return this.#listeners.get(call)?.size ?? 0;
	}
	/** Updates all values at the end of the turn. */
	changed() {
		if (this.#listeners.size > 0 && !this.#isUpdating) atEndOfTurn(this.#instance, "values", this.#update);
	}
	/** Sends the newest value to a subscription that was stalled. */
	resume(subscription) {
		if (subscribersOf(this.#instance).storeState(subscription.connection, subscription.subscriptionId)) this.updateSome([subscription]);
	}
	/** @throws RpcError `LIMIT_EXCEEDED` if there are as many calls as the limit allows, and none of them can be ended */
	add(subscription, limit) {
		const key = keyOf$1(subscription.call);
		if (!this.#listeners.has(key) && this.#listeners.size >= limit) this.#makeRoom(subscription, limit);
		this.#listeners.set(key, (this.#listeners.get(key) ?? /* @__PURE__ */ new Set()).add(subscription));
	}
	/** Ends the subscriptions to a call that no other client follows. */
	#makeRoom({ connection }, limit) {
		const held = [];
		for (const listeners of this.#listeners.values()) {
			const holder = onlyHolder(listeners);
			if (holder !== void 0) held.push({
				holder,
				listeners
			});
		}
		const gives = itemToEvict(held, holderKeyOf(connection) ?? connection);
		if (!gives) limitExceeded("liveCalls", limit);
		const problem = `The object has ${limit} live calls, and this client had the most of them: see limits.liveCalls`;
		for (const subscription of gives.listeners) this.#fail(subscription, rejection("LIMIT_EXCEEDED", problem));
	}
	remove(subscription) {
		const key = keyOf$1(subscription.call);
		const listeners = this.#listeners.get(key);
		listeners?.delete(subscription);
		if (listeners?.size === 0) this.#listeners.delete(key);
	}
	/** Runs every call again, and sends its value to each subscriber that has another value. */
	update() {
		this.#isUpdating = true;
		try {
			for (const listeners of this.#listeners.values()) this.updateSome(listeners);
		} finally {
			this.#isUpdating = false;
		}
	}
	/** @param listeners - the subscriptions to one call */
	updateSome(listeners) {
		const contract = contractOf(this.#instance);
		if (!contract) return;
		const outcomes = /* @__PURE__ */ new Map();
		let shared;
		const [one] = listeners;
		const followers = (one && this.#listeners.get(keyOf$1(one.call))?.size) ?? 1;
		for (const subscription of listeners) {
			if (subscription.isStalled) {
				subscription.skip();
				continue;
			}
			const outcome = shared ?? this.#outcomeFor(subscription, outcomes, contract);
			if (outcome.isForAll) shared = outcome;
			if (outcome.value === void 0) {
				if ("thrown" in outcome) this.#fail(subscription, outcome.thrown);
				continue;
			}
			const { value, updates } = outcome;
			const { sent } = subscription;
			if (!updates.has(sent)) updates.set(sent, value.updateFrom(sent));
			const message = (updates.get(sent) ?? (subscription.isBehind ? value.updateFrom(void 0) : void 0))?.(subscription);
			if (message !== void 0) this.#send(subscription, value, message, followers);
		}
	}
	/** Sends a value, or ends the subscription. A failure must not keep the value from other subscribers. */
	#send(subscription, value, message, followers) {
		subscription.connection.send(message);
		subscription.keep(value, Math.ceil(value.size / followers));
		if (subscription.countSent()) subscribersOf(this.#instance).storeState(subscription.connection, subscription.subscriptionId);
	}
	#fail({ connection, subscriptionId }, thrown) {
		subscribersOf(this.#instance).end(connection, subscriptionId, { thrown });
	}
	/** Returns the outcome for a subscription. Its call runs once for each caller. */
	#outcomeFor({ connection, call }, outcomes, contract) {
		const key = JSON.stringify(connection.caller) ?? "";
		const outcome = outcomes.get(key) ?? this.#run(call, connection.caller, contract);
		outcomes.set(key, outcome);
		return outcome;
	}
	#run(call, caller, contract) {
		const outcome = {
			isForAll: true,
			updates: /* @__PURE__ */ new Map()
		};
		const asks = readsCaller(() => {
			const outer = runningCall;
			runningCall = call;
			try {
				const value = valueOf(this.#instance, call, caller, contract);
				if (!value) return;
				checkSentSize(value.size, "a live value", contract.limits);
				outcome.value = value;
			} catch (error) {
				outcome.thrown = addHint(error);
			} finally {
				runningCall = outer;
			}
		});
		return {
			...outcome,
			isForAll: !asks
		};
	}
};
/** Returns the client of all listeners; `undefined` if there are several clients. */
function onlyHolder(listeners) {
	let only;
	for (const { connection } of listeners) {
		const holder = holderKeyOf(connection) ?? connection;
		only ??= holder;
		if (holder !== only) return void 0;
	}
	return only;
}
/** @returns the value; `undefined` as long as it has not arrived */
function valueOf(instance, call, caller, contract) {
	const { limits } = contract;
	const target = {
		instance,
		contract
	};
	const { called, args } = prepareReusedCall(call, target, caller);
	const { name, kind, key, checkOutput } = called.method;
	if (kind !== "live") throw rejection("METHOD_NOT_FOUND", `${name} is no longer live`);
	const result = invoke(called, target, args, caller, pendingAsResult);
	if (result instanceof PendingError) return void 0;
	if (!isThenable(result)) {
		checkNotStreamed(result, name);
		checkOutput?.(result);
		return (key !== void 0 ? keyedValueOf(result, key, contract, maxSentSize(limits)) : void 0) ?? new WholeValue(result, contract);
	}
	Promise.resolve(result).catch(() => {});
	throw new TypeError(`${name} is live, but returned a promise: return the value`);
}
function keyOf$1([, ...call]) {
	return JSON.stringify(call);
}
// src/features/live/feature.ts
/** Live values: results of methods that are sent again whenever they change. */
const liveKind = {
	name: "live",
	storesCall: true,
	begin({ subscriptionId, connection, target: { instance }, call }) {
		const calls = liveCallsOf(instance);
		const subscription = new LiveSubscription(calls, connection, subscriptionId, call);
		subscribersOf(instance).add(subscription, connection);
		connection.countCall();
		connection.send(`["subscribed",${subscriptionId}]`);
		calls.updateSome([subscription]);
	},
	*restore(kept, instance) {
		const calls = liveCallsOf(instance);
		for (const stored of kept) {
			const [subscriptionId, , call, isStalled] = stored.state;
			yield [stored, new LiveSubscription(calls, stored.connection, subscriptionId, call, isStalled)];
		}
	}
};
const liveValues = {
	name: "live",
	version: 1,
	needs: [subscriptions],
	kinds: [liveKind],
	afterChange: changed,
	compile(method, { kind, key }) {
		if (kind === "live" && key !== void 0 && typeof key !== "string") throw new TypeError(`The contract's entry for ${method} has a key that is not a string: write live([…], { key: 'id' }), with a property of the rows`);
	}
};
/**
* Reports that live values may have changed outside of a call of a contract's method, for example in an alarm or in the
* class's own `fetch`. An asynchronous method needs it only to send a change before the method ends. Values that
* have changed are sent at the end of the turn.
*
* @param instance - the object
* @example
* override alarm(): void { this.ctx.storage.kv.delete('topic'); changed(this); }
*/
function changed(instance) {
	subscribersOf(instance).restore(liveKind);
	liveCallsOf(instance).changed();
}
/**
* The entry of a method whose result is a live value. Subscribers receive the result of the method, and each change of
* it. The method changes nothing and returns the value, not a promise. Clients can call it, too. It runs again after each
* turn that ran a method which may have changed the object.
*
* @param schemas - a schema for each argument. Default: none.
* @param options - `key`, the property that identifies a row of a list, so that only changed rows are sent; `returns`,
*   the capability classes in the value; `output`, the schema of a value; `title`; `description`
* @returns the entry
* @example
* topic: live(),
* cards: live([], { key: 'id' }),
*/
function live(schemas = [], options) {
	return {
		...methodEntry("live", liveValues, true, schemas, options),
		key: options?.key
	};
}
// src/features/presence/server/presence-list.ts
/**
* The list of the clients that are present in one method of an object, with the values that they show. Changes are
* numbered, and sent together once in a frame of a display. A client that reads slowly receives only the newest value of
* each other client, so no queue grows.
*/
/** The maximum size of the value of a client, in characters. It is stored in the attachment of the socket. */
const MAX_SHOWN_SIZE = 4e3;
/**
* The maximum number of messages that a list sends in a millisecond. A message takes about 40 µs of CPU time. Up to 32
* listeners receive changes 60 times in a second, and 50 listeners receive them 40 times.
*/
const MESSAGES_PER_MILLISECOND = 2;
/**
* For slow readers, a list remembers clients that have left: at most this number more than there are present clients.
*/
const MAX_GONE = 64;
const KEY$1 = /^[\da-f]{8}$/;
var PresenceList = class {
	#instance;
	#listeners = /* @__PURE__ */ new Set();
	/** The subscriptions of the clients that take part, by their keys. */
	#byKey = /* @__PURE__ */ new Map();
	/** The keys of the clients that show nothing any more, with the number of the change. */
	#gone = /* @__PURE__ */ new Map();
	/** The clients whose newest data the method has not received. */
	#saying = /* @__PURE__ */ new Set();
	#lastChange = 0;
	#sentAt = -Infinity;
	#timer;
	#forget;
	/** Sends changes. Each request of a turn passes this one function, so the turn runs it once. */
	#send = () => this.#sendAll();
	/** @param forget - called when nobody listens any more */
	constructor(instance, forget) {
		this.#instance = instance;
		this.#forget = forget;
	}
	/** Returns a key that no other client has. @param wanted - the key that the client had before */
	freeKey(wanted) {
		let key = wanted;
		while (key === void 0 || !KEY$1.test(key) || this.#byKey.has(key)) key = crypto.randomUUID().slice(0, 8);
		return key;
	}
	add(subscription) {
		this.#listeners.add(subscription);
		if (subscription.key === void 0) return;
		this.#byKey.set(subscription.key, subscription);
		if (subscription.shown !== void 0) this.#changed(subscription);
	}
	remove(subscription) {
		const { key, shown } = subscription;
		this.#saying.delete(subscription);
		if (!this.#listeners.delete(subscription)) return;
		if (key !== void 0 && this.#byKey.get(key) === subscription) {
			this.#byKey.delete(key);
			if (shown !== void 0) {
				this.#gone.set(key, ++this.#lastChange);
				this.#sendSoon();
			}
		}
		if (this.#listeners.size === 0) this.#forget();
	}
	/** Sends the whole list to a client that begins. */
	begin(subscription) {
		this.#sendTo(subscription, /* @__PURE__ */ new Map());
		if (subscription.shown !== void 0) this.#sendSoon();
	}
	/** Called when a client that the list does not have has left while the object hibernated. */
	leftBefore() {
		this.#lastChange++;
		this.#sendSoon();
	}
	resume(subscription) {
		const { connection, subscriptionId } = subscription;
		if (subscribersOf(this.#instance).storeState(connection, subscriptionId)) this.#sendSoon();
	}
	/** Keeps new data of a client until the next time that changes are sent. */
	say(subscription, said, weight) {
		subscription.wait(said, weight);
		this.#saying.add(subscription);
		this.#sendSoon();
	}
	/**
	* Sends changes at the end of the turn, or a frame after the last changes. With many listeners it sends less often,
	* because each listener gets a message.
	*/
	#sendSoon() {
		if (this.#timer !== void 0) return;
		const pause = Math.max(16, this.#listeners.size / MESSAGES_PER_MILLISECOND);
		const left = this.#sentAt + pause - performance.now();
		if (left <= 0) return atEndOfTurn(this.#instance, "values", this.#send);
		this.#timer = setTimeout(() => {
			this.#timer = void 0;
			this.#send();
		}, left);
	}
	#sendAll() {
		this.#sentAt = performance.now();
		const saying = [...this.#saying];
		this.#saying.clear();
		for (const subscription of saying) this.#take(subscription);
		const texts = /* @__PURE__ */ new Map();
		for (const subscription of this.#listeners) this.#sendTo(subscription, texts);
		this.#forgetGone();
	}
	/** Runs the method for the value that others see of a client. An error ends the client's subscription. */
	#take(subscription) {
		const { connection, subscriptionId, callee } = subscription;
		const said = subscription.takeWaiting();
		const contract = contractOf(this.#instance);
		if (!said || !contract) return;
		const message = [
			subscriptionId,
			callee,
			...said
		];
		try {
			checkCall(message);
			const target = {
				instance: this.#instance,
				contract
			};
			const { called, args } = prepareReusedCall(message, target, connection.caller, isPresence);
			const shown = shownBy(called, target, args, connection.caller);
			connection.countCall();
			if (shown === subscription.shown) return;
			subscription.show(shown);
			this.#changed(subscription);
			subscribersOf(this.#instance).storeState(connection, subscriptionId);
		} catch (thrown) {
			connection.countRejection();
			this.#fail(subscription, thrown);
		}
	}
	#changed(subscription) {
		const key = subscription.key;
		subscription.changedAt = ++this.#lastChange;
		if (subscription.shown === void 0) this.#gone.set(key, subscription.changedAt);
		else this.#gone.delete(key);
	}
	/** @param texts - the texts of changes that were written for other clients, by the number of the change before them */
	#sendTo(subscription, texts) {
		const { told, key, subscriptionId, connection } = subscription;
		if (subscription.isStalled || told === this.#lastChange) return;
		subscription.told = this.#lastChange;
		try {
			const isWatching = key === void 0;
			const { text, only } = this.#textFor(isWatching ? -2 : told, texts);
			if (!isWatching && only === key) return;
			const { limits } = contractOf(this.#instance) ?? {};
			if (limits) checkSentSize(text.length, "the list of the present clients", limits);
			if (told < 0 && subscription.sent === 0) connection.send(begun(subscription));
			const isStalled = subscription.countSent();
			connection.send(isWatching ? `["value",${subscriptionId}${text}]` : encodeNext(subscriptionId, subscription.sent, text));
			if (isStalled) subscribersOf(this.#instance).storeState(connection, subscriptionId);
		} catch (thrown) {
			this.#fail(subscription, thrown);
		}
	}
	#textFor(after, texts) {
		let found = texts.get(after);
		if (!found) {
			found = after === -2 ? {
				text: this.#values(),
				only: void 0
			} : this.#changesAfter(after);
			texts.set(after, found);
		}
		return found;
	}
	#changesAfter(after) {
		const changes = [];
		let only;
		for (const [key, { shown, changedAt }] of this.#byKey) if (shown !== void 0 && changedAt > after) changes.push(`["${only = key}"${shown}]`);
		if (after < 0) return {
			text: `,{"all":[${changes.join()}]}`,
			only: void 0
		};
		for (const [key, changedAt] of this.#gone) if (changedAt > after) changes.push(`"${only = key}"`);
		return {
			text: `,[${changes.join()}]`,
			only: changes.length === 1 ? only : void 0
		};
	}
	/** Returns the list in the form for clients that only watch. */
	#values() {
		const present = [...this.#byKey].filter(([, { shown }]) => shown !== void 0);
		return encodeTail(present.map(([key, { shown }]) => ({
			key,
			value: valueIn(shown)
		})));
	}
	/**
	* Forgets clients that have left, when all other clients have been told. A client that reads too slowly gets the
	* whole list instead.
	*/
	#forgetGone() {
		const behind = [...this.#listeners].filter(({ told }) => told < this.#lastChange);
		if (behind.length > 0 && this.#gone.size <= this.#byKey.size + MAX_GONE) return;
		for (const subscription of behind) subscription.told = -1;
		this.#gone.clear();
	}
	#fail({ connection, subscriptionId }, thrown) {
		subscribersOf(this.#instance).end(connection, subscriptionId, { thrown });
	}
};
/**
* Runs the method that returns the value which others see of a client.
*
* @returns the value as text from `encodeTail`; `undefined` if others see nothing
* @throws the error of the method; RpcError `LIMIT_EXCEEDED` for a large value, `UNSERIALIZABLE`
*/
function shownBy(called, target, args, caller) {
	const { name, kind, checkOutput } = called.method;
	if (kind !== "presence") throw rejection("METHOD_NOT_FOUND", `${name} is no longer a presence`);
	const shown = invoke(called, target, args, caller);
	if (isThenable(shown)) {
		Promise.resolve(shown).catch(() => {});
		throw new TypeError(`${name} is a presence, but returned a promise: return the value`);
	}
	if (shown === void 0) return void 0;
	checkNotStreamed(shown, name);
	checkOutput?.(shown);
	const text = encodeTail(shown);
	if (text.length > MAX_SHOWN_SIZE) limitExceeded("the size of the data that a presence shows", MAX_SHOWN_SIZE);
	return text;
}
/** Returns false, because the message is used only once. */
function isPresence() {
	return false;
}
function begun({ subscriptionId, key }) {
	return key === void 0 ? `["subscribed",${subscriptionId}]` : encodeSubscribed(subscriptionId, {
		event: 0,
		epoch: key
	}, 32);
}
/** Returns the value in a text from `encodeTail`. */
function valueIn(text) {
	const answer = decodeAnswer(JSON.parse(`[0${text}]`));
	return "result" in answer ? answer.result : void 0;
}
/** The lists of an object that have listeners, by the method and its capability. */
const listsOf = /* @__PURE__ */ perObject(() => /* @__PURE__ */ new Map());
function presenceList(instance, callee) {
	const lists = listsOf(instance);
	const name = JSON.stringify(callee);
	let list = lists.get(name);
	if (!list) lists.set(name, list = new PresenceList(instance, () => lists.delete(name)));
	return list;
}
// src/features/presence/server/presence-subscription.ts
/** A client that takes part in a presence, or that only watches the list of present clients. */
var PresenceSubscription = class PresenceSubscription {
	connection;
	subscriptionId;
	callee;
	/** The key by which others know the client; `undefined` for a client that only watches. */
	key;
	/** The value that others see, as text from `encodeTail`; `undefined` for a client that shows nothing. */
	shown;
	/** The number of the change in which the list got this value. */
	changedAt = 0;
	/** The number of the last change that was sent to the client; -1 if it needs the whole list. */
	told = -1;
	/** The number of the last message since the object woke. */
	sent = 0;
	/** True if the client gets no messages for now, because too many of its messages are not acknowledged. */
	isStalled = false;
	#list;
	#unacknowledged = 0;
	/** The data of the client that the method has not received yet, as the end of a call. */
	#waiting;
	constructor(list, connection, subscriptionId, callee, key) {
		this.#list = list;
		this.connection = connection;
		this.subscriptionId = subscriptionId;
		this.callee = callee;
		this.key = key;
	}
	static restored(list, connection, [subscriptionId, , callee, key, shown, isStalled]) {
		const own = new PresenceSubscription(list, connection, subscriptionId, callee, key || void 0);
		own.show(shown || void 0);
		own.isStalled = isStalled;
		return own;
	}
	get state() {
		const { subscriptionId, callee, key = 0, shown = 0, isStalled } = this;
		return [
			subscriptionId,
			"presence",
			callee,
			key,
			shown,
			isStalled
		];
	}
	get capabilityToken() {
		return capabilityTokenOf(this.callee);
	}
	join() {
		this.#list.add(this);
	}
	/** Replaces the value that others see. */
	show(shown) {
		const { memory } = this.connection;
		const more = (shown?.length ?? 0) - (this.shown?.length ?? 0);
		this.shown = shown;
		if (more > 0) memory.add(more);
		else if (more < 0) memory.release(-more);
	}
	/** Keeps the data of the client until the method receives it. New data replaces earlier data. */
	wait(said, weight) {
		this.takeWaiting();
		this.#waiting = {
			said,
			weight
		};
		this.connection.memory.add(weight);
	}
	/** Removes and returns the newest data of the client; `undefined` if the method has received it. */
	takeWaiting() {
		const waiting = this.#waiting;
		this.#waiting = void 0;
		if (waiting) this.connection.memory.release(waiting.weight);
		return waiting?.said;
	}
	/** @returns whether the subscription is now stalled */
	countSent() {
		this.sent++;
		this.isStalled = ++this.#unacknowledged >= 32;
		return this.isStalled;
	}
	/** @param count - for a client that takes part, the number of a message; otherwise the number of further values */
	acknowledge(count) {
		const wasStalled = this.isStalled;
		const left = this.key === void 0 ? this.#unacknowledged - count : this.sent - count;
		this.#unacknowledged = Math.max(Math.min(left, this.#unacknowledged), 0);
		this.isStalled = this.#unacknowledged >= 32;
		if (wasStalled && !this.isStalled) this.#list.resume(this);
	}
	stop() {
		this.takeWaiting();
		this.#list.remove(this);
		this.show(void 0);
	}
};
// src/features/presence/feature.ts
/** Presence: data of each connected client, which the other clients see as long as the client is connected. */
/** The maximum memory of arguments that wait for the method, in bytes. */
const MAX_SAID_WEIGHT = 16384;
const presenceKind = {
	name: "presence",
	begin({ subscriptionId, connection, target, call: [, callee], called, args, cursor, position }) {
		connection.countCall();
		const shown = shownBy(called, target, args, connection.caller);
		const list = presenceList(target.instance, callee);
		const key = typeof cursor === "string" ? list.freeKey(position?.epoch) : void 0;
		const subscription = new PresenceSubscription(list, connection, subscriptionId, callee, key);
		if (key !== void 0) subscription.show(shown);
		subscribersOf(target.instance).add(subscription, connection);
		list.begin(subscription);
	},
	*restore(kept, instance) {
		for (const stored of kept) {
			const record = stored.state;
			const list = presenceList(instance, record[2]);
			yield [stored, PresenceSubscription.restored(list, stored.connection, record)];
		}
	}
};
/** @throws RpcError `BAD_MESSAGE` for a malformed message; the rest of the frame is then ignored */
function handleSay(message, { instance, connection }) {
	const [, subscriptionId, ...said] = message;
	if (!isId(subscriptionId)) badMessage("The number of a subscription must be a positive integer");
	if (hasBytes(message)) badMessage("Bytes in the data of a presence must be sent as text");
	const subscribers = subscribersOf(instance);
	const subscription = connection.subscriptions.get(subscriptionId);
	if (!(subscription instanceof PresenceSubscription) || subscription.key === void 0) return connection.countRejection();
	const weight = weightOf(said);
	try {
		if (weight > MAX_SAID_WEIGHT) limitExceeded("the size of the data that a client says", MAX_SAID_WEIGHT);
	} catch (thrown) {
		connection.countRejection();
		return subscribers.end(connection, subscriptionId, { thrown });
	}
	presenceList(instance, subscription.callee).say(subscription, said, weight);
}
const presences = {
	name: "presence",
	version: 1,
	needs: [subscriptions],
	kinds: [presenceKind],
	messages: { say: handleSay },
	compile(method, { kind, input }, validators) {
		if (kind !== "presence") return void 0;
		for (const [index, validator] of validators.entries()) {
			if ("~optional" in input[index]) continue;
			try {
				validated(method, validator, void 0, `[${index}]`);
			} catch (cause) {
				const problem = `${method} is listed by presence([…]), and runs without arguments for a client that says nothing`;
				throw new TypeError(`${problem}: make its arguments optional, as in Type.Optional(…)`, { cause });
			}
		}
		return { subscribableResult: "a presence" };
	},
	onDisconnect(instance, { subscriptions: { stored } }) {
		for (const [, kind, callee, , shown] of stored) {
			if (kind !== "presence" || shown === 0) continue;
			subscribersOf(instance);
			presenceList(instance, callee).leftBefore();
		}
	}
};
/**
* The entry of a presence, which shows data of each connected client to the others, such as the position of a cursor, or
* that somebody is typing. The others see a change within about 16 ms, and the data is gone when the client disconnects.
* Nothing is stored in the object's storage. Clients take part with `presence(client, …)`, or with `usePresence` in React.
* With `subscribe(client)`, a client only watches.
*
* The method receives the data of a client, and returns the value that the other clients see; `undefined` if they see
* nothing. It changes nothing and returns the value, not a promise. In it, `currentCaller()` returns the caller of the
* client. It runs without arguments for a client that begins without data. If it throws, the client's subscription ends
* with that error, so it can refuse clients that may not watch. The value has at most 4 000 characters of JSON.
*
* @param schemas - an optional schema for each argument. Default: none.
* @param options - `output`, the schema of the value that the others see; `title`; `description`
* @returns the entry
* @throws TypeError when the class is defined, if an argument is not optional
* @example
* cursors(at?: { x: number; y: number }) { return at && { ...at, user: currentCaller<Caller>()?.user }; }
* // In the contract:
* cursors: presence([Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() }))]),
*/
function presence(schemas = [], options) {
	return methodEntry("presence", presences, true, schemas, options);
}
// src/features/streams/server/pull.ts
/**
* Reads items from a stream while its reader has room. Items that are available at once are read in a loop. Other items
* are awaited one at a time.
*/
/** The number of microtasks to wait for another item that can share the frame. */
const PATIENCE = 10;
var Pull = class {
	#source;
	#sink;
	/** True if an item is awaited. */
	#isBusy = false;
	#isOver = false;
	#isFlushing = false;
	/** The number of items that have been taken. */
	#count = 0;
	constructor(source, sink) {
		this.#source = source;
		this.#sink = sink;
	}
	/** Reads more items, if there is room. */
	go() {
		if (this.#isBusy || this.#isOver) return;
		this.#run();
		this.#sink.flush();
	}
	/** Ends the producer. No more items are taken, and the receiver is not told of the end. */
	stop(reason) {
		this.#isOver = true;
		this.#source.stop(reason);
	}
	#run() {
		const sink = this.#sink;
		runAsCaller(sink.caller, () => {
			while (!this.#isOver && !this.#isBusy && sink.hasRoom()) this.#next();
		});
		sink.ran();
	}
	#next() {
		try {
			const result = this.#source.next();
			if (isThenable(result)) {
				this.#isBusy = true;
				this.#later(result);
			} else this.#take(result);
		} catch (thrown) {
			this.#failed(thrown);
		}
	}
	async #later(pending) {
		try {
			this.#take(await pending);
		} catch (thrown) {
			this.#failed(thrown);
		}
		this.#isBusy = false;
		this.#run();
		if (!this.#isFlushing) this.#flushSoon();
	}
	#take({ done, value }) {
		if (this.#isOver) return;
		if (done) {
			this.#isOver = true;
			return this.#sink.end({});
		}
		this.#count++;
		try {
			this.#sink.take(value);
		} catch (thrown) {
			this.stop(thrown);
			this.#sink.end({ thrown });
		}
	}
	/** @param thrown - the error of the producer, of a promise among its items, or of the method */
	#failed(thrown) {
		if (this.#isOver) return;
		let instead = thrown;
		if (this.#source.isOpen) {
			const { method, target, caller } = this.#sink;
			try {
				runClassCode(method, target, caller, () => {
					throw thrown;
				});
			} catch (rewritten) {
				instead = rewritten;
			}
		}
		this.stop(thrown);
		this.#sink.end({ thrown: isOfFeeds(instead) ? new Error(instead.message) : instead });
	}
	/** Sends items that arrive without a pause together. */
	async #flushSoon() {
		this.#isFlushing = true;
		for (let seen = -1; seen < this.#count;) {
			seen = this.#count;
			for (let turn = 0; turn < PATIENCE; turn++) await void 0;
		}
		this.#isFlushing = false;
		this.#sink.flush();
		if (this.#sink.hasRoom()) this.go();
	}
};
/** Returns whether a client would take the error for an expired feed, and subscribe again. */
function isOfFeeds(thrown) {
	return thrown?.code === "CURSOR_EXPIRED";
}
// src/features/streams/server/item-message.ts
/** Encodes the items of streams and rows as messages. */
/**
* Encodes an item of a stream as a message.
*
* @param index - the index of the item, from 0
* @throws RpcError `UNSERIALIZABLE` with the path from the stream to the value that cannot be sent
*/
function encodeStreamItem(item, index, { subscriptionId, method }, write) {
	try {
		return write((referenceOf) => encodeNext(subscriptionId, index + 1, encodeTail(item, referenceOf)));
	} catch (error) {
		if (error.code !== "UNSERIALIZABLE") throw error;
		const { message, path = "" } = addHint(error);
		throw rejection("UNSERIALIZABLE", `${method}: item [${index}]: ${message}`, { path: `[${index}]${path}` });
	}
}
// src/features/streams/server/open-stream.ts
/**
* A stream in the object's memory. The items of a generator or a `ReadableStream` are kept until the client
* has consumed them, so that the client can continue on another connection.
*/
/** Maximum size of a message with one item, in characters and bytes. */
const MAX_ITEM_SIZE = 1048576;
/** The size from which further messages are sent in another frame, in characters and bytes. */
const FRAME = 65536;
/**
* Returns the error for a client that continues a stream which no longer exists.
*
* @param isReadonly - whether the stream's method is `readonly`, so that it has changed nothing
*/
function streamLostError(isReadonly) {
	return rejection("DISCONNECTED", "The stream cannot go on, because the object was stopped or full, or the client did not read for too long: subscribe again", { maybeExecuted: !isReadonly });
}
/** Returns the error for the producer of a stream that its client has stopped reading. */
function streamStoppedError() {
	return rejection("ABORTED", "The client stopped reading the stream");
}
var OpenStream = class {
	/** The client: see `holderKeyOf`. */
	holder;
	leftAt;
	subscriptionId;
	method;
	capabilityToken;
	target;
	ran;
	state;
	caller;
	/** The connection of the client; `undefined` while the client is disconnected. */
	#connection;
	/** Distinguishes this stream from another stream with the same number. */
	#epoch = crypto.randomUUID().slice(0, 8);
	/** The account of the client's items. */
	#memory;
	#pull;
	#pool;
	#timeout;
	#checkItem;
	/** The messages of the items that have not been acknowledged. */
	#items = [];
	#size = 0;
	#acknowledged = 0;
	#sent = 0;
	#window = 64;
	#end;
	/** True if the end has been sent on the current connection. */
	#isComplete = false;
	/**
	* The time of `Date.now()` when an item was last added or acknowledged, or the client last connected or left.
	*/
	#since = Date.now();
	constructor(opened, pool) {
		this.holder = holderKeyOf(opened.connection) ?? opened.connection;
		this.subscriptionId = opened.subscriptionId;
		this.method = opened.method;
		this.capabilityToken = opened.capabilityToken;
		this.target = opened.target;
		this.ran = opened.ran;
		this.state = [
			opened.subscriptionId,
			"stream",
			opened.isReadonly
		];
		this.caller = opened.connection.caller;
		this.#connection = opened.connection;
		this.#memory = opened.connection.memory;
		this.#timeout = opened.target.contract.streamTimeout;
		this.#pull = new Pull(opened.source, this);
		this.#pool = pool;
		this.#checkItem = opened.checkItem;
	}
	get connection() {
		return this.#connection;
	}
	/**
	* Returns when the stream expires at the earliest if the client does nothing, in the time of `Date.now()`. The time
	* in which the stream waits for the producer does not count.
	*/
	get deadline() {
		return (!this.#connection || this.#end !== void 0 || !this.hasRoom() ? this.#since : Date.now()) + this.#timeout;
	}
	/** Returns whether the stream can continue after a position; without a position, from its beginning. */
	canResumeAfter(position) {
		if (!position) return this.#acknowledged === 0;
		const { event, epoch } = position;
		return epoch === this.#epoch && event >= this.#acknowledged && event <= this.#sent;
	}
	/** Begins or continues the stream on a connection. */
	begin(connection, event) {
		this.#connection = connection;
		this.leftAt = void 0;
		this.caller = connection.caller;
		this.#drop(event);
		this.#sent = event;
		this.#isComplete = false;
		connection.send(encodeSubscribed(this.subscriptionId, {
			event,
			epoch: this.#epoch
		}, this.#window));
		this.#pull.go();
		this.flush();
	}
	/** Keeps the stream for a client that has disconnected and may come back. */
	leave() {
		this.#connection = void 0;
		this.leftAt = this.#since = Date.now();
	}
	acknowledge(count) {
		if (count <= this.#acknowledged || count > this.#sent) return;
		this.#drop(count);
		this.#pull.go();
	}
	abandon() {
		this.stop(streamLostError(true));
	}
	/** Ends the stream without sending anything to the client. */
	stop(reason = streamStoppedError()) {
		this.#pool.forget(this);
		this.#items = [];
		this.#resize(-this.#size);
		this.#pull.stop(reason);
	}
	/** Ends the stream because the client has not read it for too long. */
	expire() {
		const problem = `${this.method}: the client did not read the stream for ${this.#timeout} ms`;
		this.#giveUp(rejection("TIMEOUT", problem));
	}
	/** Ends the stream because another client needs its place. */
	giveWay() {
		const { streams } = this.target.contract.limits;
		const problem = `${this.method}: the object has ${streams} streams, and this client had the most of them: see limits.streams`;
		this.#giveUp(rejection("LIMIT_EXCEEDED", problem));
	}
	#giveUp(reason) {
		const connection = this.#connection;
		this.stop(reason);
		if (connection?.subscriptions.delete(this.subscriptionId)) connection.storeState();
		if (connection && !this.#end) this.#complete(connection, { thrown: reason });
	}
	hasRoom() {
		const held = this.#items.length;
		if (held === 0) return true;
		return held < this.#window && this.#size < this.#pool.share && !this.#memory.isFull;
	}
	take(item) {
		const index = this.#acknowledged + this.#items.length;
		this.#checkItem?.(item, index);
		const message = encodeStreamItem(item, index, this, (encode) => encodeWithBytes(this.target.contract, encode));
		if (message.length > MAX_ITEM_SIZE) limitExceeded("the size of an item", MAX_ITEM_SIZE);
		this.#items.push(message);
		this.#resize(message.length);
		this.#since = Date.now();
	}
	end(end) {
		this.#end = end;
		this.#since = Date.now();
	}
	flush() {
		const connection = this.#connection;
		if (!connection) return;
		const unsent = this.#items.slice(this.#sent - this.#acknowledged);
		this.#sent += unsent.length;
		let frame = [];
		let size = 0;
		for (const message of unsent) {
			if (frame.length > 0 && size + message.length > FRAME) {
				connection.send(joinMessages(frame));
				frame = [];
				size = 0;
			}
			frame.push(message);
			size += message.length + 1;
		}
		if (frame.length > 0) connection.send(joinMessages(frame));
		if (this.#end && !this.#isComplete) this.#complete(connection, this.#end);
		else if (!this.#end) this.#fit(connection);
	}
	#complete(connection, end) {
		this.#isComplete = true;
		connection.send(encodeEnd(this.subscriptionId, end, this.target.contract.exposeErrorDetails));
	}
	/**
	* Adapts the window to the size of the items, so that the client acknowledges large items sooner. Large items fill
	* the stream's share of memory before they fill a window.
	*/
	#fit(connection) {
		const held = this.#items.length;
		let window = this.#window;
		if (this.#size >= this.#pool.share) window = held;
		else if (held === window) {
			if (2 * this.#size < this.#pool.share) window = Math.min(2 * held, 64);
		}
		if (window === this.#window) return;
		this.#window = window;
		connection.send(encodeWindow(this.subscriptionId, window));
	}
	/** Drops the items that the client has consumed. */
	#drop(event) {
		const consumed = this.#items.splice(0, event - this.#acknowledged);
		for (const { length } of consumed) this.#resize(-length);
		this.#acknowledged = event;
		this.#since = Date.now();
	}
	#resize(by) {
		this.#size += by;
		this.#pool.held += by;
		if (by > 0) this.#memory.add(by);
		else this.#memory.release(-by);
	}
};
// src/features/streams/server/row-lists.ts
/**
* The approximate number of characters from which a list becomes a message. The number is estimated before the list is
* encoded.
*/
const LIST_SIZE = 16384;
/** Maximum size of one row, in characters and bytes. */
const MAX_ROW_SIZE = 1048576;
var RowLists = class {
	#context;
	#messages = [];
	/** The rows that are not in a message yet. `#before` is the number of rows before them. */
	#rows = [];
	#before = 0;
	#estimate = 0;
	/** The size of the page's messages, in characters and bytes. */
	#size = 0;
	constructor(context) {
		this.#context = context;
	}
	/** Returns the size of the page so far. It is estimated for rows that are not in a message yet. */
	get size() {
		return this.#size + this.#estimate;
	}
	beginPage() {
		this.#size = 0;
	}
	/**
	* @param index - the index of the row, from 0
	* @throws RpcError for a row that cannot be sent
	*/
	add(row, index) {
		if (this.#rows.length === 0) this.#before = index;
		this.#rows.push(row);
		this.#estimate += estimateOf(row);
		if (this.#estimate >= LIST_SIZE) this.close();
	}
	/** @throws RpcError for a row that cannot be sent; the rows before it are then in messages */
	close() {
		const rows = this.#rows;
		const { target, connection } = this.#context;
		if (rows.length === 0) return;
		this.#rows = [];
		this.#estimate = 0;
		try {
			this.#encode(rows, this.#before);
		} catch {
			for (const [offset, row] of rows.entries()) {
				encodeStreamItem(row, this.#before + offset, this.#context, (encode) => connection.encode(encode, target.contract));
				this.#encode([row], this.#before + offset);
			}
		}
	}
	/** Removes and returns the messages, with commas between them. */
	take() {
		const messages = joinMessages(this.#messages);
		this.#messages = [];
		return messages;
	}
	#encode(rows, before) {
		const { subscriptionId, target, connection } = this.#context;
		const message = connection.encode((referenceOf) => encodeNext(subscriptionId, before + 1, encodeTail(rows, referenceOf)), target.contract);
		const { length } = message;
		if (length > MAX_ROW_SIZE) limitExceeded("the size of a row", MAX_ROW_SIZE);
		this.#messages.push(message);
		this.#size += length;
	}
};
/** Estimates the number of characters of a row. A row that contains objects counts as a full list. */
function estimateOf(row) {
	let size = 2;
	for (const key in row) {
		const value = row[key];
		if (typeof value === "object" && value !== null) return LIST_SIZE;
		size += key.length + (typeof value === "string" ? value.length + 6 : 10);
	}
	return size;
}
// src/features/streams/server/stream-source.ts
/**
* Reads a stream that a method returns, item by item. The stream is a generator or another iterable, a `ReadableStream`,
* or a promise of one of these.
*/
/** The maximum size of a piece, in bytes. Larger chunks of a `ReadableStream` are divided. */
const PIECE = 65536;
/** A stream that is being read, one item after the other. */
var StreamSource = class {
	/** True if the stream is available. If the method returned a promise, it must resolve first. */
	isOpen = false;
	#method;
	#items;
	#isOver = false;
	/** True if the producer is running synchronously. It cannot be ended until it returns. */
	#isRunning = false;
	#stopped;
	/**
	* @param result - the method's result. If it is a promise of something that is not a stream, reading
	*   rejects.
	* @throws RpcError `METHOD_NOT_FOUND` if it is neither a stream nor a promise
	*/
	constructor(method, result) {
		this.#method = method;
		this.#items = isThenable(result) ? this.#opening(result) : this.#open(result);
	}
	/**
	* Reads the next item. Promises among the items of a synchronous iterable are awaited.
	*
	* @returns a promise, if the item is not available yet
	* @throws the error of the producer
	*/
	next() {
		this.#isRunning = true;
		try {
			const result = this.#items.next();
			if (isThenable(result)) return this.#later(result);
			const { done, value } = result;
			if (done) this.#isOver = true;
			else if (isThenable(value)) return awaited(value);
			return result;
		} catch (thrown) {
			this.#isOver = true;
			throw thrown;
		} finally {
			this.#isRunning = false;
			if (this.#stopped) this.stop(this.#stopped.reason);
		}
	}
	/** Ends the producer, so that its `finally` blocks run, unless it has ended already. */
	stop(reason) {
		if (this.#isRunning) this.#stopped = { reason };
		else if (!this.#isOver) {
			this.#isOver = true;
			try {
				const ended = this.#items?.return?.(reason);
				if (isThenable(ended)) Promise.resolve(ended).catch(complain);
			} catch (failure) {
				complain(failure);
			}
		}
	}
	async #later(pending) {
		try {
			const result = await pending;
			if (result.done) this.#isOver = true;
			return result;
		} catch (thrown) {
			this.#isOver = true;
			throw thrown;
		}
	}
	#open(result) {
		if (!isStream(result)) {
			const returned = isFeed(result) ? "a feed: write events([…])" : "no stream";
			throw methodHasRunError(this.#method, `is listed by stream([…]) or rows(key, […]), but returned ${returned}`);
		}
		this.isOpen = true;
		if (result instanceof ReadableStream) return readerOf(result);
		return iteratorOf(result);
	}
	/** Reads from a stream that is still a promise. */
	#opening(promised) {
		const opened = Promise.resolve(promised).then((result) => this.#items = this.#open(result));
		return {
			next: async () => (await opened).next(),
			return: (reason) => opened.then((items) => items.return?.(reason))
		};
	}
};
/** Prints an error that no caller can receive. */
function complain(failure) {
	console.error(failure);
}
async function awaited(value) {
	return {
		done: false,
		value: await value
	};
}
function readerOf(stream) {
	const reader = stream.getReader();
	/** The rest of the bytes that were read last. */
	let rest;
	const cut = (bytes) => {
		rest = bytes.length > PIECE ? bytes.subarray(PIECE) : void 0;
		return {
			done: false,
			value: rest ? bytes.subarray(0, PIECE) : bytes
		};
	};
	return {
		next: () => rest ? cut(rest) : reader.read().then((result) => {
			const { done, value } = result;
			return !done && value instanceof Uint8Array ? cut(value) : result;
		}),
		return: (reason) => reader.cancel(reason)
	};
}
// src/features/streams/server/row-pages.ts
/**
* Sends the rows of a method listed by `rows`, page by page. For each page the method runs again, and its iterator is
* dropped after the page. Between two pages, the object keeps only the place where the next page begins, which is stored
* with the socket.
*/
/** The size from which a page is full, in characters and bytes. */
const PAGE_SIZE = 131072;
/** The interval in milliseconds of a timer that keeps the object awake while rows of a page are awaited. */
const AWAKE = 5e3;
var RowsSubscription = class {
	connection;
	subscriptionId;
	/** The method and its arguments without the cursor. The first element is not used. */
	call;
	#instance;
	#target;
	/** The place of the first row that was sent. It detects a method that begins anew for each page. */
	#first;
	/**
	* The place of the last row that was sent. Before the first row, it is the place after which the client continues.
	*/
	#place;
	#sent;
	#acknowledged;
	#window;
	/** The number of rows that have been taken, whether they are sent or not. */
	#taken;
	/** The current page: its rows, how many rows it has, and how many more it may have. */
	#lists = new RowLists(this);
	#rows = 0;
	#room = 0;
	/** The place of the last row that was taken. */
	#last;
	#pull;
	#called;
	#timer;
	constructor(instance, connection, [subscriptionId, , call, place, first, sent, acknowledged, window]) {
		this.#instance = instance;
		this.connection = connection;
		this.subscriptionId = subscriptionId;
		this.call = call;
		this.#place = place;
		this.#first = first;
		this.#sent = this.#taken = sent;
		this.#acknowledged = acknowledged;
		this.#window = window;
	}
	get state() {
		const { subscriptionId, call } = this;
		const [place, first] = [this.#place, this.#first];
		return [
			subscriptionId,
			"rows",
			call,
			place,
			first,
			this.#sent,
			this.#acknowledged,
			this.#window
		];
	}
	get capabilityToken() {
		return capabilityTokenOf(this.call[1]);
	}
	get method() {
		return this.#called?.method.name ?? "";
	}
	get caller() {
		return this.connection.caller;
	}
	get target() {
		return this.#target;
	}
	acknowledge(count, target) {
		if (count <= this.#acknowledged || count > this.#sent) return;
		this.#acknowledged = count;
		if (this.#keep()) this.go(target);
	}
	/** Begins the next page if half of the window is free. */
	go(target) {
		this.#target = target;
		if (this.#pull || this.#free < this.#window / 2) return;
		this.#room = this.#free;
		this.#lists.beginPage();
		this.#rows = 0;
		this.#last = this.#place;
		let pull;
		try {
			const { called, args, sent } = prepareReusedCall(this.call, target, this.caller);
			this.#called = called;
			pull = new Pull(new StreamSource(this.method, this.#run(called, args, sent)), this);
		} catch (thrown) {
			return this.#ended({ thrown });
		}
		this.#pull = pull;
		pull.go();
		if (pull === this.#pull) this.#timer = setInterval(() => {}, AWAKE);
	}
	stop() {
		this.#dropPage(streamStoppedError());
	}
	#dropPage(reason) {
		this.#pull?.stop(reason);
		this.#pull = void 0;
		clearInterval(this.#timer);
	}
	hasRoom() {
		return this.#room > 0 && this.#lists.size < PAGE_SIZE;
	}
	take(row) {
		const place = this.#placeOf(row, this.#taken);
		this.#called?.method.checkOutput?.(row, this.#taken);
		this.#lists.add(row, this.#taken++);
		this.#room--;
		this.#rows++;
		this.#last = place;
		this.#first ??= place;
	}
	end(end) {
		this.#ended(this.#send() ?? end);
	}
	flush() {
		if (!this.#pull) return;
		const isFull = !this.hasRoom();
		const failed = this.#send();
		if (failed) return this.#ended(failed);
		if (isFull) {
			this.#dropPage(void 0);
			this.#fit();
		}
		if (!this.#keep()) return;
		if (!this.#pull && this.#free >= this.#window / 2) this.go(this.#target);
	}
	ran() {}
	/**
	* Stores the subscription with the connection at each change of its record. So if the record does not fit, this
	* subscription has grown, and no other subscription fails instead.
	*
	* @returns whether it fits; if not, the subscription has ended
	*/
	#keep() {
		return subscribersOf(this.#instance).storeState(this.connection, this.subscriptionId);
	}
	/** Ends the subscription, and drops the current page. */
	#ended(end) {
		subscribersOf(this.#instance).end(this.connection, this.subscriptionId, end);
	}
	/** Returns the number of rows that may be sent now. */
	get #free() {
		return this.#window - (this.#sent - this.#acknowledged);
	}
	/**
	* Runs the method, beginning after the last page.
	*
	* @param args - the validated arguments, to which a schema can have added further arguments
	* @param sent - the number of arguments that the client has sent
	*/
	#run(called, args, sent) {
		const { method } = called;
		const { name, input } = method;
		const parameters = input.length;
		if (sent >= parameters) throw invalidArgument(name, `[${parameters - 1}]`, "is the cursor, which the runtime sets: leave it out");
		const all = Array.from({ length: parameters }, (_, index) => args[index]);
		if (this.#place === void 0) return invoke(called, this.target, args, this.caller);
		all[parameters - 1] = this.#place;
		return invoke(called, this.target, method.validate(all, parameters - 1), this.caller);
	}
	/** @throws TypeError for a row without a place, or with the place of the first or the previous row */
	#placeOf(row, index) {
		const { name, key = "" } = this.#called.method;
		const place = row?.[key];
		let problem;
		if (typeof place !== "string" && !Number.isFinite(place)) problem = `has no ${key} that is a string or a number, and ${key} is the key of the rows`;
		else if (place === this.#last || place === this.#first) {
			const order = `order the rows by ${key}, and begin after the value of the last parameter`;
			problem = `has the ${key} ${JSON.stringify(place)} of an earlier row: ${order}`;
		} else return place;
		throw new TypeError(`${name}: row [${index}] ${problem}`);
	}
	/** @returns the end of the subscription, if a row cannot be sent */
	#send() {
		let failed;
		try {
			this.#lists.close();
		} catch (thrown) {
			failed = { thrown };
		}
		const messages = this.#lists.take();
		if (messages.length > 0) this.connection.send(messages);
		this.#sent = this.#taken;
		this.#place = this.#last;
		return failed;
	}
	/**
	* Adapts the window to the size of the rows, so that it holds two pages. The client acknowledges half of a window at a
	* time.
	*/
	#fit() {
		let window = this.#window;
		if (this.#room > 0) window = Math.min(2 * this.#rows, window);
		else if (2 * this.#lists.size < PAGE_SIZE) window = Math.min(2 * window, ROW_WINDOW);
		if (window === this.#window) return;
		this.#window = window;
		this.connection.send(encodeWindow(this.subscriptionId, window));
	}
};
// src/features/streams/server/streams.ts
/**
* The streams in an object's memory. A client finds its streams again when it reconnects. If it does not, they expire.
*/
/** Maximum size of the unacknowledged items of one stream, in characters and bytes. */
const MAX_HELD = 1048576;
/**
* The part of `limits.memoryPerObject` that the items of all streams may take. Items that are on their way are counted
* once more. Each stream may always hold one item.
*/
const PART = .25;
/**
* The size that each stream may hold when all streams together have reached the maximum. It allows many small items.
*/
const LEAST_HELD = 16384;
/** The streams of one object. */
var Streams = class {
	#open = /* @__PURE__ */ new Map();
	#keys = /* @__PURE__ */ new WeakMap();
	#timer;
	#last = 0;
	held = 0;
	/** The maximum of `held`. */
	#most = Infinity;
	/**
	* Returns an equal part of the maximum of all streams. A stream that began when there were fewer streams may hold
	* more, until its client has consumed the items.
	*/
	get share() {
		if (this.held >= this.#most) return LEAST_HELD;
		return Math.min(MAX_HELD, this.#most / this.#open.size);
	}
	/** Returns a client's stream by its number, even if the stream began on another connection. */
	find(connection, subscriptionId) {
		return this.#open.get(keyOf(connection, subscriptionId));
	}
	get all() {
		return [...this.#open.values()];
	}
	/**
	* Makes room for another stream of a client.
	*
	* @throws RpcError `LIMIT_EXCEEDED` if the object has as many streams as `limits.streams` allows, and none of them can
	*   be ended
	*/
	admit({ limits }, connection) {
		if (this.#open.size < limits.streams) return;
		const gives = itemToEvict(this.all, holderKeyOf(connection) ?? connection);
		if (!gives) limitExceeded("streams", limits.streams);
		gives.giveWay();
	}
	open(opened) {
		const { connection, subscriptionId, target } = opened;
		const key = connection.client === void 0 ? `${++this.#last}` : keyOf(connection, subscriptionId);
		this.#most = PART * target.contract.limits.memoryPerObject;
		const stream = new OpenStream(opened, this);
		this.#open.set(key, stream);
		this.#keys.set(stream, key);
		this.#timer ??= this.#wait(target.contract.streamTimeout);
		return stream;
	}
	forget(stream) {
		this.#open.delete(this.#keys.get(stream) ?? "");
		if (this.#open.size > 0) return;
		clearTimeout(this.#timer);
		this.#timer = void 0;
	}
	/**
	* Ends streams that have waited for their clients for too long. The timer keeps the object awake while
	* there are streams.
	*/
	#expire() {
		const now = Date.now();
		let next = Infinity;
		for (const stream of this.all) {
			const left = stream.deadline - now;
			if (left <= 0) stream.expire();
			else next = Math.min(next, left);
		}
		if (this.#open.size > 0) this.#timer = this.#wait(next);
	}
	#wait(delay) {
		return setTimeout(() => this.#expire(), Math.min(delay, MAX_DELAY));
	}
};
const streamsOf = /* @__PURE__ */ perObject(() => new Streams());
function keyOf({ owner, client }, subscriptionId) {
	return JSON.stringify([
		owner,
		client,
		subscriptionId
	]);
}
// src/features/streams/server/stream-kinds.ts
/** Begins subscriptions to streams and to rows, and restores them after hibernation. */
const streamItems = {
	name: "stream",
	begin({ subscriptionId, connection, target, cursor, position, call: [, callee], called, args }) {
		const { contract, instance } = target;
		const { name, readonly, checkOutput } = called.method;
		const open = streamsOf(instance);
		if (!readonly) {
			if (cursor !== null) throw streamLostError(false);
			open.admit(contract, connection);
		}
		connection.countCall();
		const result = invoke(called, target, args, connection.caller);
		const ran = () => {
			if (!readonly) contract.afterChange?.(instance);
		};
		ran();
		try {
			if (typeof cursor === "string" && position?.event !== 0) throw streamLostError(readonly);
			open.admit(contract, connection);
		} catch (error) {
			disposeUnread(result);
			throw error;
		}
		const source = new StreamSource(name, result);
		const capabilityToken = capabilityTokenOf(callee);
		const stream = open.open({
			connection,
			subscriptionId,
			method: name,
			checkItem: checkOutput,
			isReadonly: readonly,
			capabilityToken,
			source,
			target,
			ran
		});
		subscribersOf(instance).add(stream, connection);
		stream.begin(connection, 0);
	},
	*restore(kept) {
		for (const stored of kept) yield [stored, { thrown: streamLostError(stored.state[2]) }];
	},
	find: (instance, connection, subscriptionId) => streamsOf(instance).find(connection, subscriptionId)
};
const rowPages = {
	name: "rows",
	storesCall: true,
	begin({ subscriptionId, connection, target, cursor, call, called }) {
		const isGoingOn = typeof cursor === "string";
		const place = isGoingOn ? decodePlace(cursor) : void 0;
		if (isGoingOn && place === void 0) throw cursorExpiredError();
		const record = [
			subscriptionId,
			"rows",
			call,
			place,
			void 0,
			0,
			0,
			ROW_WINDOW
		];
		const subscription = new RowsSubscription(target.instance, connection, record);
		subscribersOf(target.instance).add(subscription, connection);
		connection.countCall();
		connection.send(encodeSubscribedToRows(subscriptionId, called.method.key ?? "", ROW_WINDOW));
		subscription.go(target);
	},
	*restore(kept, instance) {
		for (const stored of kept) yield [stored, new RowsSubscription(instance, stored.connection, stored.state)];
	}
};
// src/features/streams/feature.ts
/** Streams and rows, which are results that are read item by item. */
/**
* The entry of a method that returns a stream: a generator, an iterator, a `ReadableStream`, or a promise of one.
* Clients subscribe to its items. The stream is in the object's memory. If it is lost because the object was stopped, it
* does not begin again, and the loop rejects with `DISCONNECTED`.
*
* @param schemas - a schema for each argument. Default: none.
* @param options - `returns`, the capability classes in the items; `output`, the schema of an item; `title`;
*   `description`; `readonly`, true if the method changes nothing
* @returns the entry
* @example
* digits: stream([Type.Integer({ minimum: 1, maximum: 10_000 })]),
*/
function stream(schemas = [], options) {
	return methodEntry("stream", streams, options?.readonly ?? false, schemas, options);
}
/**
* The entry of a method that returns rows in an order, such as the cursor of a query. The method changes nothing, and
* runs again for each page of rows. Its last parameter is optional. The runtime sets it to the place after which to
* continue.
*
* @param key - the property of a row that is its place in the order: a string or a number
* @param schemas - a schema for each argument. The schema of the last parameter is wrapped in `Type.Optional`, or accepts
*   `undefined`.
* @param options - `returns`, the capability classes in the rows; `output`, the schema of a row; `title`;
*   `description`
* @returns the entry
* @example
* seats: rows('place', [Type.Optional(Type.String())]),
*/
function rows(key, schemas, options) {
	return {
		...methodEntry("rows", streams, true, schemas, options),
		key
	};
}
const streams = {
	name: "streams",
	version: 1,
	needs: [subscriptions],
	kinds: [streamItems, rowPages],
	compile(method, entry) {
		if (entry.kind === "stream") return { subscribableResult: "a stream" };
		if (entry.kind !== "rows") return void 0;
		checkRows(method, entry);
		return { subscribableResult: "rows" };
	},
	onRevoke(instance, capabilityToken) {
		for (const open of streamsOf(instance).all) if (open.capabilityToken === capabilityToken) open.stop(streamStoppedError());
	}
};
/** Checks the entry of rows. The rows themselves are checked when the method returns them. */
function checkRows(method, { input, key }) {
	const fail = (problem) => {
		throw new TypeError(`The contract's entry for ${method} ${problem}`);
	};
	if (typeof key !== "string") fail("has a key that is not a string: write rows('id', […]), with a property of the rows");
	const last = input.at(-1);
	if (!isStandard(last) && (!last || !("~optional" in last))) fail("is rows, so its last parameter must be optional: wrap its schema in Type.Optional");
}
// src/server/migrate.ts
/** Migrates an object's tables to the schema that the code expects. */
/** The key of the number of migrations that have run. Durable Objects cannot set SQLite's `user_version`. */
const KEY = "schema_version";
/**
* Runs the migrations that an object has not run yet. If a migration fails, none of them takes effect. Call it in the
* constructor, because an object may wake with any earlier version of its tables. The number of migrations that have run
* is stored under the key `schema_version`.
*
* @param storage - the storage of an object with SQLite: `"storage": "sqlite"` in the Wrangler configuration's `exports`
* @param migrations - texts with one or more SQL statements, in order. Never change a migration after a deployment. Add
*   another migration instead.
* @throws the error of the statement that failed
* @example
* constructor(ctx: DurableObjectState, env: Env) {
*   super(ctx, env);
*   migrate(ctx.storage, ['CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT) STRICT']);
* }
*/
function migrate(storage, migrations) {
	const done = storage.kv.get(KEY) ?? 0;
	if (done >= migrations.length) return;
	storage.transactionSync(() => {
		for (const statements of migrations.slice(done)) storage.sql.exec(statements);
		storage.kv.put(KEY, migrations.length);
	});
}
// src/server/port.ts
/**
* Serves an object to the other end of a port, where the client uses `messagePortTransport`. The other end can be an
* iframe, a web worker, a worker thread, or a test without a network. Calls, validation, limits, live values, feeds,
* capabilities and callbacks work as over a WebSocket. There is no journal, because a port loses no messages.
*
* @param port - a port of a `MessageChannel`, or any object with its methods
* @param instance - a Durable Object, or an object of any class. Without a `ctx`, its feeds and the numbers
*   of its capabilities are in memory, and last as long as the object.
* @param contract - from `compileContract`
* @param options - `caller`, the caller that `currentCaller()` returns. Default: none.
* @returns an object whose `close` ends the connection. In browsers, a port does not report that the program at its
*   other end has ended. Call `close` then, or the subscriptions and callbacks of that program stay in memory.
* @throws TypeError if the contract lists something that is not a method; RangeError for a caller that is too
*   large
* @example
* const compiled = compileContract({ increment: [Type.Optional(Type.Integer())] });
* addEventListener('message', ({ ports: [port] }) => servePort(port, new Counter(), compiled));
*/
function servePort(port, instance, contract, { caller } = {}) {
	checkListed({ prototype: instance }, contract.methods.keys());
	rememberContract(instance, contract);
	const connections = portConnectionsOf(instance);
	const end = () => {
		if (!connections.delete(connection)) return;
		connection.leave();
		afterDisconnect(instance, connection, true);
		afterConnectionChange(instance, contract);
	};
	const close = (code = 1e3, reason = "") => {
		if (connections.has(connection)) endPort(port, code, reason);
		end();
	};
	const client = crypto.getRandomValues(/* @__PURE__ */ new Uint32Array(4)).join("-");
	const connection = new ClientConnection(caller === void 0 ? { client } : {
		client,
		...withIdentity(caller)
	}, {
		get isOpen() {
			return connections.has(connection);
		},
		send: (frame) => port.postMessage(frame),
		close,
		storeState: () => {}
	});
	connection.serve(instance, contract.limits);
	connections.add(connection);
	const target = {
		instance,
		contract,
		journal: new ClientJournal(NOT_STORED, connection.owner, Infinity, void 0)
	};
	listenTo(port, {
		frame: (frame) => {
			if (!connection.isClosed) connection.inTurn(() => void answerFrame(frame, () => target, connection), frame);
		},
		end
	});
	afterConnectionChange(instance, contract);
	return { close: () => close() };
}
// src/server/routing/cors.ts
/**
* Decides which pages may call. A browser sends cookies with requests from any page, also with WebSocket upgrades. So
* a page of another origin is rejected unless the Worker allows the origin, and its cookies are removed unless the Worker
* allows credentials too.
*/
/** Headers that a browser sets, or that Cloudflare sets from the cookie of Cloudflare Access. No page can set them. */
const SENT_BY_ITSELF = [
	"Cookie",
	"Cf-Access-Jwt-Assertion",
	"Cf-Access-Authenticated-User-Email"
];
/** The logins that a browser repeats by itself. A page's own `Authorization` has another scheme, such as `Bearer`. */
const HTTP_LOGIN = /^\s*(basic|digest|negotiate|ntlm)\b/i;
/** Returns the names of the headers that identify the browser's user. */
function identifyingHeaders({ headers }) {
	const names = SENT_BY_ITSELF.filter((name) => headers.has(name));
	if (HTTP_LOGIN.test(headers.get("Authorization") ?? "")) names.push("Authorization");
	return names;
}
/**
* Returns the origin of a request, if it is not the Worker's own origin. A browser spells an origin in one way only, so any
* other spelling of the Worker's origin counts as foreign. So does `null`, which a browser sends for a page without an
* origin. Requests for a link or an image of another site have no origin. They are foreign if they identify the browser's
* user.
*/
function foreignOrigin(request, url) {
	const { headers } = request;
	const origin = headers.get("Origin");
	if (origin !== null) return origin === url.origin ? void 0 : origin;
	return headers.get("Sec-Fetch-Site") === "cross-site" && identifyingHeaders(request).length > 0 ? "null" : void 0;
}
/**
* Removes the headers that identify the browser's user from a request of another origin, unless `cors` allows
* credentials. Without credentials, a browser leaves them out of calls by POST, but not out of WebSocket upgrades and
* forms.
*/
function withoutCredentials(request, cors) {
	if (typeof cors === "object" && cors.credentials) return request;
	const names = identifyingHeaders(request);
	if (names.length === 0) return request;
	const headers = new Headers(request.headers);
	for (const name of names) headers.delete(name);
	return new Request(request, { headers });
}
function isOriginAllowed(origin, request, cors) {
	if (typeof cors === "boolean") return cors;
	return typeof cors.origin === "function" ? cors.origin(origin, request) : cors.origin.includes(origin);
}
/** Returns whether the request is a CORS preflight: a browser asks whether a page may send its request. */
function isPreflight({ method, headers }) {
	return method === "OPTIONS" && headers.has("Access-Control-Request-Method");
}
/** Returns whether the request is a preflight of a probe. */
function asksForProbe(request) {
	const asked = request.headers.get("Access-Control-Request-Headers")?.toLowerCase();
	return isPreflight(request) && headerItems(asked).includes("lumenize-rpc-probe");
}
/** @param methods - the HTTP methods that a page may use */
function answerPreflight(request, methods = "POST") {
	const asked = request.headers.get("Access-Control-Request-Headers");
	const headers = new Headers({
		"Access-Control-Allow-Methods": methods,
		"Access-Control-Max-Age": "86400"
	});
	if (asked) headers.set("Access-Control-Allow-Headers", asked);
	return new Response(null, {
		status: 204,
		headers
	});
}
/** Rejects the request of a page. The reason is in the response. */
function rejectOrigin(origin, refuse) {
	explanations?.reportOrigin(origin);
	return refuse(403, `Origin ${origin} is not allowed: see the option cors`);
}
/** Makes a rejection readable for a page of any origin: a browser hides a response without CORS headers. */
function withRejectionHeaders(response, request) {
	return withCorsHeaders(response, request, { origin: [] });
}
/** Makes a response readable for the page that sent the request. */
function withCorsHeaders(response, request, cors) {
	const origin = cors ? request.headers.get("Origin") : null;
	if (!cors || origin === null) return response;
	const readable = new Response(response.body, response);
	const isOfProbe = isProbe(request) || asksForProbe(request);
	const credentials = isOfProbe || typeof cors === "object" && cors.credentials;
	const isAny = cors === true && !isOfProbe;
	readable.headers.set("Access-Control-Allow-Origin", isAny ? "*" : origin);
	if (credentials) readable.headers.set("Access-Control-Allow-Credentials", "true");
	if (!isAny) readable.headers.append("Vary", "Origin");
	return readable;
}
// src/server/routing/router.ts
/** Finds the Durable Object that a request's path names, and forwards the request to it. */
/**
* Routes `{prefix}/{binding}/{instance}/call` to a Durable Object.
*
* The binding is looked up as written, and then in the usual spellings: `my-counter` finds `MY_COUNTER` and
* `MyCounter`. An instance of 64 hex characters is an id. Any other instance is a name.
*
* @param request - the request that the Worker received
* @param env - the Worker's bindings
* @param options - hooks, the bindings that clients can reach, `cors` and others: see `RouteOptions`. Default: none.
* @returns the object's response; `undefined` if the path is not under the prefix or names none of the bindings. The
*   router itself responds with these statuses, and never throws because of a client's request:
*
*   - 400 if the instance is missing, malformed or reserved for the runtime
*   - 403 for a page of another origin
*   - 404 for a path that is not `…/call`; in `wrangler dev` and in Vitest also for a client that names no binding, with
*     the reason
*   - 500 if two bindings match, or a function among the options throws
* @example
* return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
*/
async function routeDORequest(request, env, options = {}) {
	const { prefix, bindings, classes } = options;
	const url = new URL(request.url);
	const [binding, segment, ...path] = segmentsAfter(prefix, url.pathname);
	const isCall = path.length === 1 && path[0] === "call";
	const matches = findNamespaces(env, binding, bindings);
	const [match] = matches;
	if (!match) {
		const segments = [
			binding,
			segment,
			...path
		];
		return explanations?.explainNotFound(request, env, segments);
	}
	if (path.length > 0 && !isCall && classes?.[match[0]]) return void 0;
	for (const [name] of matches) explanations?.routedBindings.add(name);
	return guardOrigin(request, url, options, rejectionResponse, async (allowed) => {
		const located = locate(matches, segment, path, rejectionResponse);
		if (located instanceof Response) return located;
		if (!options.otherPaths && !isCall) return rejectionResponse(404, `Only …/${CALL_SEGMENT} is forwarded: see the option otherPaths`);
		const { route } = located;
		const checked = withoutPath(withoutCaller(allowed));
		const forwarded = await checkRequest(checked, route, options);
		if (forwarded instanceof Response) return forwarded;
		const target = (isUpgrade(checked) || isProbe(checked) ? await guarded(() => options.connectTo?.(forwarded, route)) : void 0) ?? await stubOf(located, forwarded, options, rejectionResponse);
		if (target instanceof Response) return target;
		try {
			return await target.fetch(isCall ? forwarded : withObjectPath(forwarded, checked, path.length));
		} catch (error) {
			const explained = explanations?.explainFailure(error, checked, route.binding);
			if (explained) return explained;
			throw error;
		}
	});
}
/**
* Answers a request of an origin that may call.
*
* @param answer - receives the request without the headers that another origin must not send, such as cookies
* @param methods - the HTTP methods that a preflight allows
* @returns the answer, readable for the page that has sent the request; or a response that says why there is no answer
*/
async function guardOrigin(request, url, { cors = false }, refuse, answer, methods) {
	try {
		const origin = foreignOrigin(request, url);
		const checked = origin === void 0 ? request : withoutCredentials(request, cors);
		const isAllowed = origin === void 0 || await guarded(() => isOriginAllowed(origin, checked, cors));
		const preflight = isPreflight(request) && answerPreflight(request, methods);
		if (!isAllowed) return withRejectionHeaders(preflight || rejectOrigin(origin, refuse), request);
		return withCorsHeaders(preflight || await answer(checked), request, cors);
	} catch (error) {
		if (!(error instanceof OptionError)) throw error;
		console.error(error.cause);
		return withRejectionHeaders(refuse(500, error.message), request);
	}
}
/**
* Finds the object that a path names.
*
* @param matches - the bindings that the path can mean
* @param segment - the segment that names the instance
* @param path - the segments after the instance
*/
function locate(matches, segment, path, refuse) {
	const [[binding, namespace]] = matches;
	if (matches.length > 1) return refuse(500, `The path matches the bindings ${matches.map(([name]) => name).join(" and ")}: use the exact name of one`);
	const instance = decodeSegment(segment);
	const isWithout = path.length === 0 && instance === "call";
	if (!instance || isWithout) return refuse(400, `The instance is empty or malformed: the path must end in ${`${binding}/{instance}/${path[0] ?? "call"}`}`);
	if (instance.startsWith("__rpc")) return refuse(400, `The names of instances that begin with ${LIBRARY_NAMES} are reserved: use another name`);
	const id = objectIdOf(namespace, instance);
	if (!id) return refuse(400, `${instance} is not an id of ${binding}`);
	return {
		route: {
			binding,
			instance
		},
		namespace,
		id
	};
}
/**
* Chooses where the object of a request runs.
*
* @param request - the request that the hooks have passed on
* @returns the stub of the object; or a response that says why there is none
*/
async function stubOf({ route, namespace, id }, request, options, refuse) {
	if (!options.locationHint && !options.jurisdiction) return namespace.get(id);
	return await guarded(() => {
		const [locationHint, jurisdiction] = [options.locationHint, options.jurisdiction].map((choice) => typeof choice === "function" ? choice(request, route) : choice);
		const restricted = restrict(namespace, jurisdiction);
		const own = restricted === namespace ? id : objectIdOf(restricted, route.instance);
		return own && namespace.get(own, locationHint && { locationHint });
	}) ?? refuse(400, `${route.instance} is not an id of the jurisdiction of ${route.binding}`);
}
function restrict(namespace, jurisdiction) {
	try {
		return jurisdiction ? namespace.jurisdiction(jurisdiction) : namespace;
	} catch (error) {
		if (String(error).includes("not implemented in workerd")) return namespace;
		throw error;
	}
}
/**
* Adds the path of the object, which is the path of the request without its last segments.
*
* @param count - the number of these segments
*/
function withObjectPath(forwarded, request, count) {
	const { pathname } = new URL(request.url);
	return withPath(forwarded, pathname.split("/").slice(0, -count || void 0).join("/"));
}
/** Removes the path of an object from a request of a client, because only the router may tell an object its path. */
function withoutPath(request) {
	return request.headers.has("lumenize-rpc-path") ? withPath(request, void 0) : request;
}
function withPath(request, path) {
	const headers = new Headers(request.headers);
	if (path === void 0) headers.delete(OBJECT_PATH);
	else headers.set(OBJECT_PATH, path);
	return new Request(request, { headers });
}
/**
* Calls a hook for a request.
*
* @returns the request to forward, or the response of the hook
*/
async function callHook(request, route, hook) {
	return hook && await guarded(() => hook(request, route)) || request;
}
/** Calls the hook for the kind of the request. */
async function checkRequest(request, route, { onBeforeConnect, onBeforeRequest }) {
	if (!isProbe(request)) return callHook(request, route, isUpgrade(request) ? onBeforeConnect : onBeforeRequest);
	const protocols = probedProtocols(request);
	const rejection = rejectUnsendable(protocols);
	if (rejection) return rejection;
	const answer = await guarded(() => onBeforeConnect?.(askedUpgrade(request, protocols), route));
	return answer instanceof Response ? answer : bareProbe(answer ?? request, request);
}
/** Marks an error of a function among the options. The client did not cause it, and must not see it. */
var OptionError = class extends Error {};
async function guarded(work) {
	try {
		return await work();
	} catch (cause) {
		throw new OptionError("A function in the options of the router threw an error: see the log", { cause });
	}
}
/** The headers of a POST that an upgrade does not have. */
const OF_POST = [
	"Accept",
	"Content-Length",
	"Content-Type",
	"Priority",
	"Referer",
	PROBE
];
/** Returns the upgrade request that a probe asks about, with exactly the headers of the upgrade. */
function askedUpgrade(probe, protocols) {
	const headers = new Headers(probe.headers);
	for (const name of OF_POST) headers.delete(name);
	headers.set("Connection", "Upgrade");
	headers.set("Upgrade", "websocket");
	headers.set("Sec-WebSocket-Version", "13");
	headers.set("Sec-WebSocket-Protocol", protocols.join(", "));
	if (headers.has("Sec-Fetch-Mode")) headers.set("Sec-Fetch-Mode", "websocket");
	return new Request(probe.url, {
		headers,
		cf: probe.cf
	});
}
/** @param checked - the request with the caller that the hook named */
function bareProbe({ cf }, { url, headers }) {
	const asks = { [PROBE]: headers.get("lumenize-rpc-probe") ?? "" };
	return new Request(url, {
		method: "POST",
		headers: asks,
		cf
	});
}
/** Returns the path segments after the prefix, still encoded; none if the path does not begin with the prefix. */
function segmentsAfter(prefix = "/__rpc", pathname) {
	const wanted = [
		"",
		...prefix.split("/").filter(Boolean),
		""
	].join("/");
	return pathname.startsWith(wanted) ? pathname.slice(wanted.length).split("/") : [];
}
// src/features/reports/feature.ts
/** Reports of an object's calls: `reportCalls` for the option `onCall`. */
/**
* Reports each call of an object when it begins and when it has ended. It reports calls and subscriptions of clients,
* including rejected ones, calls through native Workers RPC, and the alarm of the class. The report of a subscription ends
* when the subscription has begun. A method that the class itself calls is a part of the call, and has no report.
*
* @param onCall - called when a call begins. The function that it returns is called with the report when the call has
*   ended, before the answer is sent. If one of them throws or rejects, the console shows the error, and nothing else
*   changes.
* @returns the value of the option `onCall` of `lumenizeRpcDO`
* @example
* export const Counter = lumenizeRpcDO(CounterImpl, contract, {
*   onCall: reportCalls(() => (report) => console.log(JSON.stringify(report))),
* });
*/
function reportCalls(onCall, { callerName } = {}) {
	const around = (call, run) => {
		const { kind, method, id, connection, bytesIn, instance } = call;
		if (kind === "run") return inClassCode(run);
		if (kind === "callback") return run();
		const arrivedAt = call.arrivedAt ?? performance.now();
		const { class: name, object } = objectNameOf(instance);
		const start = {
			class: name,
			object,
			kind,
			method
		};
		if (id !== void 0) start.id = id;
		const { client } = connection ?? {};
		if (client !== void 0) start.client = shownClient(client);
		const caller = callerName && connection && tell(callerName, connection.caller);
		if (caller !== void 0) start.caller = caller;
		if (call.isReplayed) start.replayed = true;
		const onEnd = tell(onCall, start);
		if (typeof onEnd !== "function") return run();
		return settle(run, (answer) => {
			const failure = call.isReplayed && failureIn(answer);
			const outcome = failure ? outcomeOf(failure.error) : "ok";
			report(onEnd, {
				...start,
				duration: performance.now() - arrivedAt,
				outcome,
				...failure
			}, call, answer);
			return answer;
		}, (error) => {
			const outcome = outcomeOf(error);
			const duration = performance.now() - arrivedAt;
			const contract = bytesIn === void 0 ? void 0 : contractOf(instance);
			const answer = contract && encodeCallFailure(id, error, contract);
			report(onEnd, {
				...start,
				duration,
				outcome,
				error
			}, call, answer);
			throw error;
		});
	};
	return { "~feature": {
		name: "reports",
		version: 1,
		around,
		...nativeCalls
	} };
}
/** @param answer - the encoded answer of a `call` */
function report(onEnd, ended, { bytesIn }, answer) {
	if (bytesIn !== void 0 && answer !== void 0) {
		ended.bytesIn = bytesIn;
		ended.bytesOut = byteLengthOf(answer);
	}
	tell(onEnd, ended);
}
/** Returns the error in an answer of the journal; `undefined` for a result. */
function failureIn(answer) {
	const [message = []] = readEncoded(answer);
	if (message[1] !== "error" || message.length < 3) return void 0;
	const failure = decodeAnswer(message);
	return "thrown" in failure ? { error: failure.thrown } : void 0;
}
// src/features/tracing/feature.ts
/** Spans of an object's calls: `tracing` and `traceCalls` for the option `use`. */
/**
* Makes a span of each call of an object: of calls and subscriptions of clients, also if they are rejected, of calls
* through native Workers RPC, of calls of callbacks, and of the alarm of the class. The span of a subscription ends
* when the subscription has begun. A call that arrives again after a lost connection has one span. If the client has
* the option `tracing`, the parent is the span of the client.
*
* @param tracer - starts spans: `openTelemetry(api)`, or a function of your own. If it throws, the console shows the
*   error, and the call runs without a span.
* @returns a feature for the option `use` of `lumenizeRpcDO`
* @example
* export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [traceCalls(openTelemetry(api))] });
*/
function traceCalls(tracer) {
	const around = (call, run) => {
		if (call.kind === "run") return inClassCode(run);
		if (call.isReplayed) return run();
		return inSpan(tracer, describe(call), (span) => {
			if (!span) return run();
			call.announce?.((callId, connection) => {
				const context = tracingConnections.has(connection) && span.context;
				return context ? encodeTraces([[callId, context]], Infinity) : void 0;
			});
			return settle(run, (answer) => {
				endSpan(span, { outcome: "ok" });
				return answer;
			}, (error) => {
				endSpan(span, {
					outcome: outcomeOf(error),
					error
				});
				throw error;
			});
		});
	};
	return { "~feature": {
		name: "tracing",
		version: 1,
		messages: { [TRACE]: readTraces },
		around,
		...nativeCalls
	} };
}
/**
* Makes a span of each call in the platform's own tracing, if the Worker has `observability.traces.enabled`. The span
* has a name such as `Counter.increment`. The platform accepts no parent from another program, so the span of the
* client is in the attribute `traceparent`. `traceCalls` lists the calls that have a span.
*
* @example
* export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [tracing] });
*/
const tracing = /* @__PURE__ */ traceCalls(platformTracer);
/** The connections whose clients have sent a trace, so that they understand the message. */
const tracingConnections = /* @__PURE__ */ new WeakSet();
function readTraces(message, { frame, connection }) {
	tracingConnections.add(connection);
	readTracesIn(message, (id, context) => frame.setMetadata(id, context));
}
/** The kind of the span for each kind of call whose span is not the span of a server. */
const SPAN_KINDS = {
	alarm: "internal",
	callback: "client"
};
function describe({ kind, method, id, connection, instance, metadata }) {
	const { class: name, object } = objectNameOf(instance);
	const spanKind = SPAN_KINDS[kind] ?? "server";
	const target = name.endsWith("Impl") ? name.slice(0, -4) : name;
	const about = [
		kind,
		object,
		id,
		connection?.client
	];
	return new DescribedCall(spanKind, target, method, about, metadata);
}
// src/features/argument-streams/server/argument-stream.ts
/**
* A stream that is an argument of a running call. It holds the items that have arrived, and knows how many of them the
* method has read.
*/
/**
* The object acknowledges when the method has read this many characters. The number is small, because the client
* measures the time until an acknowledgement.
*/
const LARGE = 131072;
/**
* If no further item has arrived, the object already acknowledges this many characters, because the client may wait for
* room. The client then has 262 144 characters on their way. `sizeOf` can count fewer characters, but counts more than
* a 60th of them.
*/
const SMALL = 4096;
/**
* The longest time before the object acknowledges an item, in milliseconds. An acknowledgement restarts the timeout of
* the call.
*/
const LATE = 1e3;
/**
* If the object holds more than this size for a client, items are kept as text, because small values take more memory
* when they are parsed.
*/
const TIGHT = 1048576;
var ArgumentStream = class {
	/** The client's number of the stream. */
	streamId;
	/** The id of the call that the stream belongs to. */
	id;
	/** True if the method waits for an item. */
	isAwaited = false;
	#host;
	/** The items that have arrived and that the method has not read, as they are, or as text. */
	#items = [];
	/** The size of these items. */
	#held = 0;
	/** The time since which the method has waited for an item, in the time of `Date.now()`. */
	#waitingSince = 0;
	/** The sizes of the items that have arrived and are not acknowledged. */
	#sizes = [];
	/** The sum of `#sizes`, and the part of it that the method has read. */
	#size = 0;
	#takenSize = 0;
	#received = 0;
	#taken = 0;
	#acknowledged = 0;
	/** The time of `Date.now()` when items were last acknowledged. */
	#acknowledgedAt = Date.now();
	/** The end of the stream, which follows when the method has read all items. */
	#end;
	/** The error that says why no more items can be read. */
	#failure;
	/** True if the method has stopped reading. */
	#isStopped = false;
	/** The connection on which `stop` was sent. */
	#told;
	#isRead = false;
	/** The time of `Date.now()` when the client was first found to be disconnected. */
	#awaySince;
	#wake = () => {};
	constructor(streamId, id, host) {
		this.streamId = streamId;
		this.id = id;
		this.#host = host;
	}
	/**
	* Receives an item.
	*
	* @param item - its number, then its value in the form of an answer
	* @throws RpcError for a message that our client never sends; the rest of the frame is ignored
	*/
	push(item, connection) {
		const [i] = item;
		if (this.#isOver) return this.#tellStop(connection);
		if (i <= this.#received) {
			if (i === this.#received) this.acknowledge();
			return;
		}
		if (this.#end) throw this.#fail(rejection("BAD_MESSAGE", `Stream ${this.streamId} has ended`));
		if (i !== this.#received + 1) return void this.#fail(this.#lost());
		const size = sizeOf$3(item);
		try {
			if (this.#sizes.length >= 64) limitExceeded("the window of a stream", 64);
			if (Math.max(size, this.#size) > 1048576) limitExceeded("the size of a stream", STREAM_SIZE);
			this.#host.memory.admit(size);
		} catch (error) {
			throw this.#fail(error);
		}
		this.#received = i;
		const isKeptAsText = this.#host.memory.held > TIGHT && !hasBytes(item);
		this.#items.push(isKeptAsText ? JSON.stringify(item) : item);
		this.#sizes.push(size);
		this.#size += size;
		this.#held += size;
		this.#wake();
	}
	/**
	* Receives the end of the stream.
	*
	* @param end - the number of the last item, then the error that the source threw, if there is an error; empty for
	*   an aborted call: see `isEnd`
	* @throws RpcError for a message that our client never sends; the rest of the frame is ignored
	*/
	finish(end) {
		if (this.#isOver || this.#end) return;
		if (end.length === 0) {
			this.#fail(rejection("ABORTED", `The call of stream ${this.streamId} was aborted`));
			return;
		}
		if (end[0] !== this.#received) return void this.#fail(this.#lost());
		try {
			this.#end = end.length > 2 ? { thrown: this.#decode(end) } : {};
		} catch (error) {
			throw this.#fail(error);
		}
		this.#wake();
	}
	/** Ends the stream at once, and drops the items that the method has not read. */
	close(error) {
		this.#fail(error);
	}
	/** Acknowledges all items that the method has read. */
	acknowledge() {
		this.#sizes.splice(0, this.#taken - this.#acknowledged);
		this.#size -= this.#takenSize;
		this.#takenSize = 0;
		this.#acknowledged = this.#taken;
		this.#acknowledgedAt = Date.now();
		this.#host.connection()?.queue(`["ack",${this.streamId},${this.#taken}]`);
	}
	/**
	* Acknowledges again, so that a client that has left the stream sends its end. Ends the stream of a client that is
	* disconnected, or whose next item the method has awaited for too long.
	*
	* @param now - the time of `Date.now()`
	* @param patience - the time that the object waits for a disconnected client, in milliseconds
	*/
	checkClient(now, patience) {
		const { timeout } = this.#host;
		if (this.isAwaited && now >= this.#waitingSince + timeout) {
			const problem = `Stream ${this.streamId} had no item for ${timeout} ms: see the option streamTimeout`;
			return this.close(rejection("TIMEOUT", problem, { maybeExecuted: true }));
		}
		if (this.#host.connection()) {
			this.#awaySince = void 0;
			return this.acknowledge();
		}
		this.#awaySince ??= now;
		if (now < this.#awaySince + patience) return;
		const problem = `The client of stream ${this.streamId} has been disconnected for ${patience} ms`;
		this.close(rejection("DISCONNECTED", problem, { maybeExecuted: true }));
	}
	async *[Symbol.asyncIterator]() {
		if (this.#isRead) throw new TypeError("A stream can be read only once: to use its items again, collect them in an array");
		this.#isRead = true;
		try {
			for (;;) {
				if (this.#failure) throw this.#failure;
				const item = this.#items.shift();
				if (item) yield this.#take(typeof item === "string" ? parsed(item) : item);
				else if (!this.#end) await this.#next();
				else if ("thrown" in this.#end) throw this.#end.thrown;
				else return;
			}
		} finally {
			this.#stop();
		}
	}
	get #isOver() {
		return this.#isStopped || this.#failure !== void 0;
	}
	#take(item) {
		const size = this.#sizes[this.#taken - this.#acknowledged];
		this.#takenSize += size;
		this.#release(size);
		this.#taken++;
		const isHalf = this.#taken - this.#acknowledged >= 32;
		const isLate = Date.now() >= this.#acknowledgedAt + LATE;
		if (isHalf || isLate || this.#takenSize >= LARGE) this.acknowledge();
		return this.#decode(item);
	}
	/** @throws RpcError for a value that is malformed or exceeds a limit */
	#decode(encoded) {
		const sent = decodeSent(encoded, this.#host.limits);
		return "thrown" in sent ? sent.thrown : sent.result;
	}
	async #next() {
		if (this.#takenSize >= SMALL) this.#acknowledgeSoon();
		this.isAwaited = true;
		this.#waitingSince = Date.now();
		this.#host.await(this);
		await new Promise((resolve) => this.#wake = resolve);
		this.isAwaited = false;
	}
	/** Acknowledges in a timer. The runtime first delivers the messages that have already arrived. */
	#acknowledgeSoon() {
		setTimeout(() => {
			if (this.#takenSize > 0 && !this.#isOver) this.acknowledge();
		});
	}
	#stop() {
		if (this.#isOver) return;
		this.#isStopped = true;
		this.#clear();
		const connection = this.#host.connection();
		if (!this.#end && connection) this.#tellStop(connection);
	}
	/** Sends `stop` once on each connection, because it may have been lost with the previous connection. */
	#tellStop(connection) {
		if (this.#told !== connection) connection.queue(`["stop",${this.streamId}]`);
		this.#told = connection;
	}
	#fail(error) {
		this.#failure ??= error;
		this.#clear();
		this.#wake();
		return error;
	}
	#clear() {
		this.#items = [];
		this.#release(this.#held);
	}
	#release(size) {
		this.#held -= size;
		this.#host.memory.release(size);
	}
	/** Returns the error for items that an earlier run of the call has read. They are never sent again. */
	#lost() {
		return rejection("DISCONNECTED", `Items of stream ${this.streamId} were lost: its call was interrupted after it had read them`, { maybeExecuted: true });
	}
};
/** Returns an item that was kept as text. */
function parsed(item) {
	const [message] = parseUnchecked(`[${item}]`) ?? [];
	return message;
}
// src/features/argument-streams/server/argument-streams.ts
/**
* The streams that are arguments of running calls, by client. They are in memory only. While a method waits for an
* item, a timer keeps the object awake.
*/
/** The milliseconds between two checks of a client whose next item a method awaits. */
const BEAT = 1e4;
/** The time that the object waits for a disconnected client, in milliseconds. */
const AWAY = 3e4;
/** The argument streams of one object. */
var ArgumentStreams = class {
	#instance;
	/** The streams by the key of the client's memory, then by the client's number of the stream. */
	#clients = /* @__PURE__ */ new Map();
	#timer;
	constructor(instance) {
		this.#instance = instance;
	}
	/**
	* @param id - the id of the call
	* @returns the stream, which already exists if the call waits for another call
	* @throws RpcError `LIMIT_EXCEEDED`, or `BAD_MESSAGE` if the stream belongs to another call
	*/
	open(streamId, id, connection, contract) {
		const { limits, streamTimeout: timeout } = contract;
		const key = connection.memory.key;
		const streams = this.#clients.get(key) ?? /* @__PURE__ */ new Map();
		const known = streams.get(streamId);
		if (known?.id === id) return known;
		if (known) badMessage(`Stream ${streamId} already belongs to call ${known.id}`);
		if (streams.size >= limits.argumentStreams) limitExceeded("argumentStreams", limits.argumentStreams);
		const { client, owner } = connection;
		const stream = new ArgumentStream(streamId, id, {
			limits,
			timeout,
			memory: connection.memory,
			connection: () => connection.isOpen ? connection : connectionOfClient(this.#instance, client, owner),
			await: () => this.#timer ??= this.#wait(timeout)
		});
		this.#clients.set(key, streams.set(streamId, stream));
		return stream;
	}
	find(streamId, connection) {
		return this.#clients.get(connection.memory.key)?.get(streamId);
	}
	/** Removes a stream whose call has ended. Code that still reads it gets `CLOSED`. */
	close(stream, connection) {
		stream.close(rejection("CLOSED", `Stream ${stream.streamId} ended with its call`));
		const key = connection.memory.key;
		const streams = this.#clients.get(key);
		streams?.delete(stream.streamId);
		if (streams?.size === 0) this.#clients.delete(key);
		if (this.#clients.size > 0) return;
		clearTimeout(this.#timer);
		this.#timer = void 0;
	}
	/** @param timeout - the option `streamTimeout`, after which a stream without items ends */
	#wait(timeout) {
		return setTimeout(() => this.#beat(timeout), Math.min(BEAT, timeout));
	}
	/** Checks each client whose items a method awaits. */
	#beat(timeout) {
		this.#timer = void 0;
		const now = Date.now();
		for (const streams of this.#clients.values()) for (const stream of streams.values()) {
			if (!stream.isAwaited) continue;
			this.#timer ??= this.#wait(timeout);
			stream.checkClient(now, AWAY);
		}
	}
};
/** Returns the argument streams of an object. They are created with the first stream. */
const argumentStreamsOf = /* @__PURE__ */ perObject((instance) => new ArgumentStreams(instance));
/**
* Handles a message about a stream. A message about an unknown stream is ignored, because that stream has ended.
*
* @throws RpcError for a message that our client never sends; the rest of the frame is ignored
*/
function handleStreamMessage([kind, streamId, ...rest], instance, connection) {
	if (!isId(streamId)) throw malformed("The number of a stream must be a positive integer");
	const stream = argumentStreamsOf(instance).find(streamId, connection);
	if (kind === "item") {
		if (!isItem(rest)) throw malformed("An item must be [\"item\", s, i], then its value");
		stream?.push(rest, connection);
	} else {
		if (isEnd(rest)) return stream?.finish(rest);
		const error = malformed("An end must be [\"end\", s, i], then an optional error");
		stream?.close(error);
		throw error;
	}
}
function malformed(problem) {
	return rejection("BAD_MESSAGE", problem);
}
// src/features/argument-streams/server/stream-validator.ts
/**
* Validates the streams among the arguments of a method. Each item is validated when the method reads it.
*/
/** The validator of a stream argument. It also accepts arrays. */
var StreamValidator = class {
	#method;
	#index;
	#items;
	#kind = validatorOfKind("a stream", isIterable);
	constructor(method, index, { "~streamOf": schema }) {
		this.#method = method;
		this.#index = index;
		this.#items = makeValidator(schema, `${method}: argument [${index}]: items`);
	}
	validate(value) {
		return this.#kind.validate(value);
	}
	/** Returns the stream that the method receives, which validates each item. */
	read(source) {
		return { [Symbol.asyncIterator]: () => this.#checked(source) };
	}
	async *#checked(source) {
		let count = 0;
		for await (const item of source) {
			const path = `[${this.#index}][${count++}]`;
			yield validateComplete(item, () => validated(this.#method, this.#items, item, path, "item"));
		}
	}
};
function isIterable(value) {
	if (typeof value !== "object" || value === null) return false;
	return Symbol.asyncIterator in value || Symbol.iterator in value;
}
/** @param validators - the validators of the arguments of a method */
function streamValidatorsOf(validators) {
	return new Map(validators.flatMap((one, index) => one instanceof StreamValidator ? [[index, one]] : []));
}
/**
* Returns arguments whose streams validate their items.
*
* @param args - already validated
* @throws RpcError `INVALID_ARGUMENTS` for a stream that occurs twice
*/
function withCheckedItems(method, args, places) {
	const read = /* @__PURE__ */ new Set();
	return args.map((arg, index) => {
		const place = places.get(index);
		if (!place) return arg;
		if (read.has(arg)) {
			const path = `[${index}]`;
			throw invalidArgument(method, path, `argument ${path} is a stream that another argument has, too: pass each stream once`);
		}
		read.add(arg);
		return place.read(arg);
	});
}
// src/features/argument-streams/feature.ts
/** Streams as arguments: `streamOf`. */
const NAME = "argument streams";
/** The streams among the arguments of a call. They end with the call. */
var OpenedStreams = class {
	#resources;
	#streams = /* @__PURE__ */ new Set();
	constructor(resources) {
		this.#resources = resources;
	}
	/** @throws RpcError `BAD_MESSAGE` for a malformed reference, `LIMIT_EXCEEDED` for too many streams */
	take([streamId, ...more]) {
		if (!isId(streamId) || more.length > 0) badMessage("Malformed value");
		const { target, id, connection } = this.#resources;
		const stream = argumentStreamsOf(target.instance).open(streamId, id, connection, target.contract);
		this.#streams.add(stream);
		return stream;
	}
	checkBound(args, { name }) {
		const stray = pathTo(args, (found) => found instanceof ArgumentStream);
		if (stray === void 0) return;
		throw invalidArgument(name, stray, `argument ${stray} is a stream: its schema has to be streamOf()`);
	}
	end() {
		const { target, connection } = this.#resources;
		for (const stream of this.#streams) argumentStreamsOf(target.instance).close(stream, connection);
		return [];
	}
};
const argumentStreams = {
	name: NAME,
	version: 1,
	messages: {
		item: (message, { instance, connection }) => handleStreamMessage(message, instance, connection),
		end: (message, { instance, connection }) => handleStreamMessage(message, instance, connection)
	},
	references: { Stream: (parts, { resources }) => openedIn(resources).take(parts) },
	argument: (schema, method, index) => isStreamOf(schema) ? new StreamValidator(method, index, schema) : void 0,
	compile(method, _, validators) {
		const items = streamValidatorsOf(validators);
		if (items.size === 0) return void 0;
		return {
			items,
			validatesWhileRunning: true,
			bind: (args) => withCheckedItems(method, args, items)
		};
	},
	beforeWait([, callee, , list], resources) {
		let count = streamArgumentsOf(callee, resources.target.contract);
		for (const item of Array.isArray(list) ? list : []) {
			if (!Array.isArray(item) || item[0] !== "Stream" || count-- <= 0) continue;
			const [, ...parts] = item;
			openedIn(resources).take(parts);
		}
	}
};
function openedIn(resources) {
	if (!resources) badMessage("Streams as arguments need a WebSocket");
	return resources.find(NAME) ?? resources.add(NAME, new OpenedStreams(resources));
}
/** Returns the number of stream arguments of a method; for a result of unknown class, the largest number of any class. */
function streamArgumentsOf(callee, { methods, capabilities }) {
	const [name, className] = typeof callee === "string" ? [callee] : callee;
	const classes = [...capabilities.values()].filter((capability) => isId(className) || capability.name === className);
	const maps = className === void 0 ? [methods] : classes.map((capability) => capability.methods);
	const countOf = (method) => (method?.features?.get(NAME))?.items.size ?? 0;
	return Math.max(0, ...maps.map((map) => countOf(map.get(name))));
}
/**
* Declares that an argument is a stream. The method receives an `AsyncIterable`. The client passes `stream(iterable)`, an
* array or a set. Each item is validated when the method reads it. If an item is invalid, the method's loop throws
* `INVALID_ARGUMENTS`.
*
* @param schema - the schema of each item: of TypeBox, or of a library that implements Standard Schema
* @returns the schema of the argument in the contract. It cannot be used inside another schema.
* @example
* async upload(name: string, lines: AsyncIterable<string>): Promise<number> {
*   let count = 0;
*   for await (const line of lines) this.#add(name, ++count, line);
*   return count;
* }
* // In the contract:
* upload: [Type.String(), streamOf(Type.String({ maxLength: 10_000 }))],
*/
function streamOf(schema) {
	return {
		"~streamOf": schema,
		"~feature": argumentStreams
	};
}
// src/server/contract/description.ts
/** @returns `undefined` for a class that `lumenizeRpcDO` has not returned */
function describeContract(Class) {
	return contractOf(Class.prototype);
}
// src/features/feeds/server/copied-log.ts
/** Events after a position, without a gap. */
var Run = class {
	after;
	events;
	constructor(after, events = []) {
		this.after = after;
		this.events = events;
	}
	get end() {
		const { event } = this.after;
		return this.events.length > 0 ? {
			event: event + this.events.length,
			epoch: this.events.at(-1)?.epoch ?? ""
		} : this.after;
	}
	/** Returns the epoch of an event, or of the position before the first event; `undefined` for any other event. */
	epochOf(event) {
		const { after, events } = this;
		return event === after.event ? after.epoch : events[event - after.event - 1]?.epoch;
	}
};
var CopiedLog = class {
	#newest = new Run({
		event: 0,
		epoch: ""
	});
	/** Earlier events that were requested, separate from the newest events. */
	#earlier;
	/** The size of all events, in characters. */
	size = 0;
	/** Returns the position before the first of the newest events. */
	get start() {
		return this.#newest.after;
	}
	get end() {
		return this.#newest.end;
	}
	get length() {
		return this.#newest.events.length + (this.#earlier?.events.length ?? 0);
	}
	epochOf(event) {
		return this.#newest.epochOf(event) ?? this.#earlier?.epochOf(event);
	}
	heldAfter(event) {
		return this.#runWith(event)?.end.event ?? event;
	}
	read(after, last) {
		const run = this.#runWith(after);
		if (!run) return {
			before: void 0,
			texts: [],
			epochs: /* @__PURE__ */ new Map()
		};
		const from = after - run.after.event;
		const events = run.events.slice(from, last - run.after.event);
		const before = run.epochOf(after);
		const epochs = /* @__PURE__ */ new Map();
		let epoch = before;
		for (const [index, event] of events.entries()) if (event.epoch !== epoch) epochs.set(after + index + 1, epoch = event.epoch);
		return {
			before,
			texts: events.map(({ text }) => text),
			epochs
		};
	}
	/** Drops all events, and continues after a position. */
	restart(position) {
		this.#newest = new Run(position);
		this.#earlier = void 0;
		this.size = 0;
	}
	append(event) {
		this.#newest.events.push(event);
		this.size += event.text.length;
	}
	/**
	* Adds older events. If no gap separates them from the newest events, they are added to these. Otherwise they replace
	* the earlier events that are held.
	*
	* @param after - the position before the events
	* @param keep - the maximum number of the newest events
	*/
	add(after, events, keep) {
		const { start } = this;
		const missing = events.slice(0, Math.max(start.event - after.event, 0));
		if (missing.length === 0) return;
		const fits = after.event + missing.length === start.event && (missing.at(-1)?.epoch ?? after.epoch) === start.epoch;
		this.forgetEarlier();
		for (const { text } of missing) this.size += text.length;
		if (fits && missing.length + this.length <= keep) this.#newest = new Run(after, [...missing, ...this.#newest.events]);
		else this.#earlier = new Run(after, missing);
	}
	forgetEarlier() {
		for (const { text } of this.#earlier?.events ?? []) this.size -= text.length;
		this.#earlier = void 0;
	}
	/** Drops the first of the newest events. */
	trim(count) {
		const { after, events } = this.#newest;
		const dropped = events.splice(0, count);
		const last = dropped.at(-1);
		if (!last) return;
		this.#newest.after = {
			event: after.event + dropped.length,
			epoch: last.epoch
		};
		for (const { text } of dropped) this.size -= text.length;
	}
	#runWith(event) {
		return [this.#newest, this.#earlier].find((run) => run?.epochOf(event) !== void 0);
	}
};
export { CacheMemory, ClientConnection, CopiedLog, DEFAULT_LIMITS, OpenFeed, PACKAGE_COPY, PATIENCE$1 as PATIENCE, PendingError, answerRpcFrame, atEndOfTurn, bytes, callHook, callback, callbackAt, callerOf, capability, changed, checkCopy, checkCounts, closeClients, compileContract, compiledCapability, connectedCallers, contractOf, currentCaller, cursorExpiredError, decodeArgs, decodeSegment, describeContract, dropCallback, events, explanations, feed, feedEvents, feedsOf, findNamespaces, guardOrigin, handleRpcClose, handleRpcMessage, handleRpcRequest, heldMemoryOf, internal, isCapability, isProbe, isRelayName, isUpgrade, journaledClientsOf, kvOf, live, liveCallsOf, locate, lumenizeRpcDO, migrate, objectIdOf, openConnectionsOf, originOf$1 as originOf, parseUnchecked, perObject, prepareAlarm, presence, read, readBody, relayName, relaying, reportCalls, revoke, routeDORequest, rows, runAsCaller, runFrame, runningLiveCall, segmentsAfter, servePort, sharedAlarmOf, stream, streamOf, stubOf, subscribersOf, tokenOf, traceCalls, tracing, volatile, weightOf, withCaller, withoutCaller };
