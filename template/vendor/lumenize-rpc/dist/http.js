import { CALL_SEGMENT, FRAME_METHOD, HTTP_STATUS, RpcError, builtInName, decodeAnswer, decodeFrame, decodeRich, encodeArgs, toBase64 } from "./wire.js";
import { callerOf, decodeSegment, describeContract, explanations, findNamespaces, guardOrigin, isProbe, isUpgrade, locate, reach, segmentsAfter } from "./server-core.js";
import { isStandard } from "./schemas.js";
// src/http/values.ts
/**
* How values are written as JSON. Plain data stays as it is. This table has the values that JSON lacks; there is one
* way back for none of them, since no JSON says what type a text stands for.
*/
const text = { type: "string" };
const BYTES = {
	write: (bytes) => toBase64(ArrayBuffer.isView(bytes) ? bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) : bytes),
	schema: {
		...text,
		contentEncoding: "base64"
	}
};
/** By the name of the type in `Object.prototype.toString`. `ArrayBuffer` stands for all kinds of bytes. */
const JSON_FORMS = {
	BigInt: {
		write: (value) => `${value}`,
		schema: {
			...text,
			pattern: "^-?\\d+$"
		}
	},
	Date: {
		write: (date) => Number.isNaN(date.getTime()) ? null : date.toISOString(),
		schema: {
			...text,
			format: "date-time"
		}
	},
	ArrayBuffer: BYTES,
	Map: {
		write: (map) => [...map],
		schema: {
			type: "array",
			items: {
				type: "array",
				minItems: 2,
				maxItems: 2
			}
		}
	},
	Set: {
		write: (set) => [...set],
		schema: {
			type: "array",
			uniqueItems: true
		}
	},
	Error: {
		write: ({ name, message, code }) => ({
			name,
			message,
			code
		}),
		schema: {
			type: "object",
			properties: {
				name: text,
				message: text,
				code: {}
			},
			required: ["name", "message"]
		}
	},
	RegExp: {
		write: String,
		schema: text
	},
	URL: {
		write: String,
		schema: {
			...text,
			format: "uri"
		}
	},
	URLSearchParams: {
		write: String,
		schema: text
	},
	Headers: {
		write: (headers) => [...headers],
		schema: {
			type: "array",
			items: {
				type: "array",
				items: text,
				minItems: 2,
				maxItems: 2
			}
		}
	}
};
const FORMS = {
	...JSON_FORMS,
	DOMException: JSON_FORMS.Error
};
/** The form of a value that JSON lacks; `undefined` for plain data, and for what JSON writes as `null`. */
function formOf(value) {
	if (typeof value === "bigint") return FORMS["BigInt"];
	if (typeof value !== "object" || value === null) return void 0;
	if (ArrayBuffer.isView(value)) return BYTES;
	if (value instanceof Error) return FORMS["Error"];
	const name = builtInName(value);
	return Object.hasOwn(FORMS, name) ? FORMS[name] : void 0;
}
/**
* Writes a value as JSON.
*
* @returns `undefined` for `undefined`
* @throws TypeError for an object that contains itself
*/
function writeJson(value) {
	return JSON.stringify(value, function(key) {
		const part = this[key];
		const form = formOf(part);
		return form ? form.write(part) : part;
	});
}
// src/http/problems.ts
const PROBLEM_TYPE = "application/problem+json";
/** @param headers - more of them */
function problemResponse(problem, headers) {
	const own = {
		"Content-Type": PROBLEM_TYPE,
		"Cache-Control": "no-store"
	};
	const { status } = problem;
	if (status === 429 || status === 503) own["Retry-After"] = "1";
	return new Response(JSON.stringify(problem), {
		status,
		headers: {
			...own,
			...headers
		}
	});
}
/**
* Responds that a call does not reach its object, or cannot be answered.
*
* @param status - default: that of the code
*/
function refusal(code, detail, status = HTTP_STATUS[code], details, headers) {
	return problemResponse({
		title: code,
		status,
		detail,
		code,
		...details
	}, headers);
}
/** The codes of what the router refuses, by status. */
const ROUTER_CODES = {
	400: "BAD_MESSAGE",
	403: "FORBIDDEN"
};
/** Responds that a request reaches no object. */
function refuse(status, detail) {
	return refusal(ROUTER_CODES[status] ?? "UNAVAILABLE", detail, status);
}
/**
* Responds with what the object has thrown.
*
* @param thrown - an `RpcError`, or any value that the method has thrown
*/
function thrownResponse(thrown, headers) {
	if (!(thrown instanceof Error)) return problemResponse({
		title: "Error",
		status: 500,
		detail: typeof thrown === "string" ? thrown : writeJson(thrown) ?? "undefined"
	}, headers);
	const { name, message: detail, code } = thrown;
	if (!(thrown instanceof RpcError)) return problemResponse({
		title: name,
		status: 500,
		detail,
		...typeof code === "string" || typeof code === "number" ? { code } : {}
	}, headers);
	const { path, maybeExecuted } = thrown;
	const status = Object.hasOwn(HTTP_STATUS, thrown.code) ? HTTP_STATUS[thrown.code] : 500;
	return problemResponse({
		title: thrown.code,
		status,
		detail,
		code: thrown.code,
		path,
		maybeExecuted
	}, headers);
}
// src/http/parameters.ts
/** The names of a method's arguments, and how their schemas are read. */
/**
* The JSON Schema of an argument: TypeBox's is one, and other libraries make one if they implement Standard JSON
* Schema.
*
* @returns `undefined` for a schema that has none, and for what is no schema, such as a capability
*/
function jsonSchemaOf(schema) {
	if (!isStandard(schema)) return typeof schema === "object" ? schema : void 0;
	try {
		const { jsonSchema } = schema["~standard"];
		return jsonSchema?.input({ target: "draft-2020-12" });
	} catch {
		return;
	}
}
const known = /* @__PURE__ */ new WeakMap();
function parametersOf(method) {
	let parameters = known.get(method);
	if (!parameters) known.set(method, parameters = findParameters(method));
	return parameters;
}
function findParameters({ input }) {
	const schemas = input.map(jsonSchemaOf);
	const [only] = schemas;
	const named = new Map(schemas.map((schema = {}) => [schema["title"], schema]));
	const isNamed = named.size === input.length && [...named.keys()].every((name) => typeof name === "string");
	const isObject = input.length === 1 && (only && takesObject(only) || !isNamed);
	if (!isObject) return {
		isObject,
		named: isNamed ? named : void 0
	};
	const { properties } = only ?? {};
	return {
		isObject,
		named: properties ? new Map(Object.entries(properties)) : void 0
	};
}
/** Whether each value of a schema is an object. */
function takesObject({ type, allOf, anyOf, oneOf }) {
	const every = (list) => Array.isArray(list) && list.length > 0 && list.every(takesObject);
	return type === "object" || every(allOf) || every(anyOf) || every(oneOf);
}
/** Whether a schema takes text, so that a text of a query is the value as it is. */
function takesText({ type, enum: values, const: value, anyOf, oneOf }) {
	const isText = (one) => typeof one === "string";
	const some = (list, test) => Array.isArray(list) && list.some(test);
	return type === "string" || isText(value) || some(type, (one) => one === "string") || some(values, isText) || some(anyOf, takesText) || some(oneOf, takesText);
}
// src/http/arguments.ts
const NONE = {
	args: [],
	encoded: ""
};
/**
* Reads the arguments of a POST.
*
* @param method - `undefined` for one that the contract does not list
* @param frameSize - the characters that a frame may have
* @returns the response for arguments that cannot be read
*/
async function readBody(request, url, method, frameSize) {
	if (url.search.length > 1) return malformed("A POST has its arguments in the body, not the query");
	const { headers } = request;
	const type = headers.get("Content-Type");
	const encoding = headers.get("Content-Encoding");
	if (encoding !== null && encoding !== "identity") return unreadable(`The body has the encoding ${encoding.slice(0, 50)}: send it as it is`);
	if (type !== null && !JSON_TYPE.test(type)) return unreadable(WANTED);
	const text = await textOf(request, 3 * frameSize);
	if (typeof text !== "string") return text;
	if (type === null) return text === "" ? NONE : unreadable(WANTED);
	return parsed(text, "The body", (value) => {
		if (Array.isArray(value)) return {
			args: value,
			encoded: value.length > 0 ? `,${text}` : ""
		};
		if (typeof value !== "object" || value === null) return malformed("The body must be a list of the arguments, or an object");
		const parameters = method && parametersOf(method);
		if (!parameters || parameters.isObject) return {
			args: [value],
			encoded: `,[${text}]`
		};
		return byObject(value, parameters);
	});
}
const JSON_TYPE = /^\s*application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;
const WANTED = "The body must have the Content-Type application/json, in UTF-8";
function unreadable(detail) {
	return refusal("BAD_MESSAGE", detail, 415);
}
function malformed(detail) {
	return refusal("BAD_MESSAGE", detail);
}
function tooLarge() {
	return refusal("LIMIT_EXCEEDED", "The body is larger than limits.frameSize allows", 413);
}
/** @param limit - in bytes */
async function textOf(request, limit) {
	const { body, headers } = request;
	if (Number(headers.get("Content-Length")) > limit) return tooLarge();
	if (!body) return "";
	const decoder = new TextDecoder("utf-8", {
		fatal: true,
		ignoreBOM: false
	});
	const reader = body.getReader();
	let text = "";
	let size = 0;
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return text + decoder.decode();
			size += value.length;
			if (size > limit) {
				reader.cancel().catch(() => {});
				return tooLarge();
			}
			text += decoder.decode(value, { stream: true });
		}
	} catch (error) {
		if (error instanceof TypeError) return unreadable("The body is not UTF-8");
		return malformed("The body did not arrive");
	}
}
/** Parses JSON that a stranger sent. A text that is nested too deeply is as good as none. */
function parsed(text, what, use) {
	try {
		return use(JSON.parse(text));
	} catch {
		return malformed(`${what} is not JSON, or is nested too deeply`);
	}
}
function encoded(args) {
	try {
		return {
			args,
			encoded: encodeArgs(args)
		};
	} catch (error) {
		return malformed(error.message);
	}
}
/** Reads the arguments of an object: the one object that the method takes, or the arguments by their names. */
function byObject(sent, { named, isObject }) {
	if (isObject) return encoded([sent]);
	if (!named) return malformed("The arguments have no names: send a list of them");
	const unknown = Object.keys(sent).find((name) => !named.has(name));
	if (unknown !== void 0) return unknownName(unknown, named);
	const args = Array.from(named.keys(), (name) => sent[name]);
	return encoded(args.slice(0, args.findLastIndex((arg) => arg !== void 0) + 1));
}
function unknownName(name, named) {
	const names = [...named.keys()].join(", ") || "none";
	return malformed(`The name ${JSON.stringify(name.slice(0, 100))} is unknown: there are ${names}`);
}
/**
* Reads the arguments of a GET.
*
* @returns the response for arguments that cannot be read
*/
function readQuery(url, method) {
	const query = [...url.searchParams];
	const [first] = query;
	if (!first) return NONE;
	const parameters = parametersOf(method);
	const [name, text] = first;
	if (query.length === 1 && name === "args") return parsed(text, name, (value) => Array.isArray(value) ? encoded(value) : malformed("args must be a list"));
	if (query.length === 1 && name === "input") return parsed(text, name, (value) => typeof value === "object" && value !== null && !Array.isArray(value) ? byObject(value, parameters) : malformed("input must be an object"));
	return byNames(query, parameters);
}
function byNames(query, parameters) {
	const { named } = parameters;
	if (!named) return malformed("The arguments have no names: use args, a list of them");
	const sent = {};
	for (const [name, text] of query) {
		const schema = named.get(name);
		if (!schema) return unknownName(name, named);
		if (Object.hasOwn(sent, name)) return malformed(`${name} occurs twice`);
		const value = takesText(schema) ? text : parsed(text, name, (json) => json);
		if (value instanceof Response) return value;
		sent[name] = value;
	}
	return byObject(sent, parameters);
}
// src/http/keys.ts
/** The header of a call. */
const KEY = "Idempotency-Key";
/** The header of an answer that is repeated. */
const REPLAYED = "Idempotency-Replayed";
/** Visible ASCII characters. */
const VALID = /^[\x21-\x7E]{1,255}$/;
/**
* Callers without an identity share all keys, so a key must be as hard to guess as 128 random bits, which are 22
* characters of Base64.
*/
const LEAST = 22;
/** @returns the problem of a key; `undefined` for a valid one */
function keyProblem(key, { owner }) {
	if (!VALID.test(key)) return refusal("BAD_MESSAGE", `An ${KEY} has 1 to 255 visible ASCII characters`);
	if (owner !== void 0 || key.length >= LEAST) return void 0;
	return refusal("BAD_MESSAGE", `${`Without a caller, an ${KEY} must be a secret of at least ${LEAST} characters`}, such as a random UUID`);
}
async function keyedCall(key, { owner }, method, args) {
	const [client, call] = await Promise.all([digest([owner, key]), digest([method, args])]);
	const [high, low] = new Uint32Array(call);
	return {
		client: `key.${toBase64(client)}`,
		id: (high >>> 11) * 2 ** 32 + low + 1
	};
}
/** @param value - plain data: the order of the properties does not count */
function digest(value) {
	const text = JSON.stringify(value, (_, part) => typeof part === "object" && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).toSorted()) : part);
	return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}
// src/http/call.ts
/** Calls a method of an object for a request, and writes the answer as JSON. */
/** The methods of HTTP with which a method of an object can be called. */
function allowed({ kind, readonly }) {
	const methods = isCalled(kind) ? ["POST"] : [];
	return readonly ? [
		"GET",
		"HEAD",
		...methods
	] : methods;
}
/** Whether methods of a kind return one result. */
function isCalled(kind) {
	return kind === "call" || kind === "live";
}
/** @param name - of the method, as the path has it */
async function answerCall(request, name, object) {
	const { contract } = object;
	const method = contract.methods.get(name);
	const key = request.headers.get(KEY);
	const { method: verb } = request;
	if (!method && !(key !== null && verb === "POST")) return refusal("METHOD_NOT_FOUND", `The contract lists no method ${name.slice(0, 100)}`);
	const verbs = method ? allowed(method) : ["POST"];
	if (!verbs.includes(verb)) {
		const headers = { Allow: [...verbs, "OPTIONS"].join(", ") };
		if (verb === "OPTIONS") return new Response(null, {
			status: 204,
			headers
		});
		return refusal("BAD_MESSAGE", `${name} is called by ${headers.Allow}`, 405, {}, headers);
	}
	if (!acceptsJson(request)) return refusal("BAD_MESSAGE", "The answer is application/json: see the header Accept", 406);
	if (method && !isCalled(method.kind)) return refusal("BAD_MESSAGE", `${name} is followed with Accept: text/event-stream`, 406);
	const url = new URL(request.url);
	const { frameSize } = contract.limits;
	const read = method && verb !== "POST" ? readQuery(url, method) : await readBody(request, url, method, frameSize);
	if (read instanceof Response) return read;
	const caller = callerOf(request);
	if (key === null || method?.readonly) return send(object, { id: 1 }, caller, name, read, method?.readonly === true);
	const problem = keyProblem(key, caller);
	if (problem) return problem;
	if (!contract.journal) return refusal("UNSUPPORTED", `${object.binding} has journal: false, so it takes no ${KEY}`);
	return send(object, await keyedCall(key, caller, name, read.args), caller, name, read, false);
}
function acceptsJson({ headers }) {
	const accept = headers.get("Accept");
	return accept === null || accept.split(",").some((range) => ACCEPTED.test(range));
}
/** Matches what includes JSON, unless its weight is 0. */
const ACCEPTED = /^\s*(\*\/\*|application\/(\*|json|problem\+json))\s*(?!.*;\s*q\s*=\s*0(\.0*)?\s*(;|$))(;|$)/i;
/** @param isSafe - whether the method changes nothing */
async function send({ binding, contract, target }, { id, client }, caller, name, { encoded }, isSafe) {
	const frame = `[${client === void 0 ? "" : "[\"key\"],"}[${id},${JSON.stringify(name)}${encoded}]]`;
	if (frame.length > contract.limits.frameSize) return refusal("LIMIT_EXCEEDED", "The arguments are larger than limits.frameSize allows", 413);
	let answer;
	try {
		answer = await target[FRAME_METHOD](frame, {
			...caller,
			client
		});
	} catch (error) {
		return failure(error, binding, isSafe);
	}
	if (typeof answer === "number") return refuse(answer, "The object is too busy for this client");
	return responseOf(answer, id);
}
/** Responds for an object that has not answered. */
function failure(error, binding, isSafe) {
	if (String(error).includes("__rpcFrame")) return refusal("UNSUPPORTED", `The class of ${binding} is not from lumenizeRpcDO, or from an older version`);
	return refusal("UNAVAILABLE", (explanations?.isLocal() ? explanations.printFailure(error, binding) : void 0) ?? "The object has not answered", void 0, { maybeExecuted: !isSafe });
}
/** The beginning of a frame whose answer is a repeated one. */
const REPEATED = "[[\"replayed\"],";
/** @param id - of the call */
function responseOf(frame, id) {
	const isReplayed = frame.startsWith(REPEATED);
	const answers = isReplayed ? `[${frame.slice(14)}` : frame;
	const headers = isReplayed ? { [REPLAYED]: "true" } : void 0;
	const begin = `[[${id},`;
	if (answers.startsWith(begin) && !HAS_FORM.test(answers.slice(begin.length, begin.length + 9))) return jsonResponse(answers.slice(begin.length, -2), headers);
	const [message = []] = decodeFrame(answers);
	if (message[0] === -id) return refusal("BAD_MESSAGE", `The ${KEY} belongs to a call with another method or other arguments`, 422);
	try {
		if (message[0] === "error") return thrownResponse(decodeRich(message[1]));
		const decoded = decodeAnswer(message, unwritable);
		if ("thrown" in decoded) return thrownResponse(decoded.thrown, headers);
		return jsonResponse(writeJson(decoded.result), headers);
	} catch (error) {
		return thrownResponse(error instanceof RpcError && error.code === "UNSUPPORTED" ? error : new RpcError("UNSERIALIZABLE", UNWRITABLE), headers);
	}
}
const HAS_FORM = /^"(rich|error)",/;
const UNWRITABLE = "JSON cannot have the result, which contains itself";
function unwritable([kind]) {
	throw new RpcError("UNSUPPORTED", `JSON cannot have a result with a ${kind}`);
}
/** @param json - `undefined` for no result */
function jsonResponse(json, headers) {
	if (json === void 0) return new Response(null, {
		status: 204,
		headers: headers ?? {}
	});
	const own = {
		"Content-Type": "application/json",
		"Cache-Control": "no-store"
	};
	return new Response(json, { headers: headers ? {
		...own,
		...headers
	} : own });
}
// src/http/route.ts
/** The way of a request through the door: its path, its origin, its hook, its object. */
/** What a preflight allows. */
const METHODS = "GET, POST";
/** What a page of another origin can read of a response. */
const EXPOSED = `${REPLAYED}, Retry-After`;
/**
* Answers plain HTTP: `POST {prefix}/{binding}/{instance}/{method}` calls a method, and so does `GET` for a method that
* changes nothing. Arguments and results are JSON, and errors are problem documents.
*
* @param request - the request that the Worker received
* @param env - the Worker's bindings
* @param options - those of `routeDORequest`, and `classes`
* @returns the answer; `undefined` for a path that is not under the prefix, names none of `classes`, or ends in `/call`,
*   which `routeDORequest` answers. It never throws because of what a client sent.
* @example
* return (
*   (await routeHttpRequest(request, env, { classes: { COUNTER: Counter } })) ??
*   (await routeDORequest(request, env)) ??
*   new Response('Not found', { status: 404 })
* );
*/
async function routeHttpRequest(request, env, options) {
	const { classes, prefix, bindings, otherPaths } = options;
	const url = new URL(request.url);
	const [segment, instance, ...path] = segmentsAfter(prefix, url.pathname);
	const isCall = path.length === 1 && path[0] === "call";
	if (path.length === 0 || isCall) return void 0;
	const named = Object.keys(classes).filter((name) => bindings?.includes(name) ?? true);
	const matches = findNamespaces(env, segment, named);
	const [[binding] = [""]] = matches;
	const Class = classes[binding];
	if (!Class) return void 0;
	const contract = describeContract(Class);
	const name = path.length === 1 ? decodeSegment(path[0]) : void 0;
	if (otherPaths && !contract?.methods.has(name)) return void 0;
	const answer = async (checked) => {
		if (isUpgrade(checked) || isProbe(checked)) return refuse(400, `A WebSocket connects at …/${CALL_SEGMENT}`);
		const located = locate(matches, instance, path, refuse);
		if (located instanceof Response) return located;
		const reached = await reach(checked, located, options, refuse);
		if (reached instanceof Response) return reached;
		if (name === void 0) return refusal("NOT_FOUND", `The path must be ${binding}/{instance}/{method}`);
		if (!contract) return refuse(500, `classes.${binding} is not a class of lumenizeRpcDO`);
		const { forwarded, target } = reached;
		const response = await answerCall(forwarded, name, {
			binding,
			contract,
			target
		});
		if (checked.headers.has("Origin")) response.headers.set("Access-Control-Expose-Headers", EXPOSED);
		return response;
	};
	return guardOrigin(request, url, options, refuse, answer, METHODS);
}
export { routeHttpRequest };
