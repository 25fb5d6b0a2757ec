import { CALL_SEGMENT, FRAME_METHOD, HTTP_STATUS, RpcError, SUBPROTOCOL, decodeAnswer, decodeFrame, decodeRich, encodeArgs, parseFrame, pieceJoiner, toBase64 } from "./wire.js";
import { Reader } from "./client-subscribe.js";
import { explanations, parseUnchecked, readBody } from "./server-core.js";
import { isStandard } from "./schemas.js";
import { LACKING, formOf, includesUndefined, mayBeUndefined, parametersOf, resolved, sentArguments, sourceSchemaOf, takesObject, takesText, unreadable, writeJson } from "./http-schemas.js";
// src/http/openapi/components.ts
const set = (words) => new Set(words.split(" "));
/** Keywords that hold a schema which every value, or a part of every value, has to match. */
const HOLDS_SCHEMA = set("items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else");
const HOLDS_LIST = set("allOf anyOf oneOf prefixItems");
const HOLDS_NAMED = set("properties patternProperties dependentSchemas");
/** Keywords that only make sense for a schema that stands alone, and keywords of functions. */
const DROPPED = set("$schema $id $anchor $defs definitions $vocabulary $dynamicAnchor $recursiveAnchor additionalItems dependencies parameters returnType instanceType");
/** Keywords for which `false` forbids further items or properties. */
const MAY_BE_FALSE = set("additionalProperties unevaluatedItems unevaluatedProperties");
/** Matches names that a library has generated, which are not shown to readers. */
const NO_NAME = /^(__schema\d+|[a-z]+\d+)$/;
var Components = class {
	/** The components by name; `undefined` while a component is being made. */
	#schemas;
	#place;
	/**
	* @param own - components that the document always has
	* @param place - the beginning of references to the document's schemas
	*/
	constructor(own, place) {
		this.#schemas = new Map(Object.entries(own));
		this.#place = place;
	}
	/**
	* @param name - the name of a component, should the schema need one
	* @returns `undefined` for the schema of a value that cannot be sent
	*/
	add(schema, direction, name) {
		const names = /* @__PURE__ */ new Map();
		return this.#write(schema, {
			root: schema,
			definitions: {},
			name,
			direction,
			names
		});
	}
	/** Returns all components, by name. */
	all() {
		return Object.fromEntries(this.#schemas);
	}
	#write(schema, around) {
		if (schema === true) return {};
		if (typeof schema !== "object" || schema === null) return void 0;
		const { $ref, $id, $defs, definitions } = schema;
		const source = $defs ?? definitions ? {
			...around,
			definitions: {
				...around.definitions,
				...definitions,
				...$defs
			}
		} : around;
		if (typeof $ref === "string") return this.#refer($ref, schema, source);
		if (typeof $id === "string" && isName($id)) return this.#component(schema, $id, source);
		return this.#copy(schema, source);
	}
	/** Writes a reference, with the keywords beside it. */
	#refer($ref, schema, source) {
		const [part, key = ""] = findPart(source, $ref) ?? [];
		const rest = this.#copy({
			...schema,
			$ref: void 0
		}, source);
		if (part === void 0 || !rest) return rest;
		const name = isName(key) && !NO_NAME.test(key) ? key : source.name;
		const reference = this.#component(part, name, source);
		return reference && {
			...reference,
			...rest
		};
	}
	/** Makes a component, unless an equal component has that name. */
	#component(schema, name, source) {
		const { names } = source;
		const known = names.get(schema);
		if (known !== void 0) return known === null ? void 0 : { $ref: this.#place + known };
		const own = this.#freeName(name);
		names.set(schema, own);
		this.#schemas.set(own, void 0);
		const written = Object(schema) === schema && "$ref" in schema ? this.#write(schema, source) : this.#copy(schema, source);
		this.#schemas.set(own, written ?? IMPOSSIBLE);
		const instead = written ? this.#equalOf(own, name) : null;
		if (instead !== void 0) names.set(schema, instead);
		if (instead !== void 0 && !this.#isNeeded(own)) this.#schemas.delete(own);
		const found = instead === void 0 ? own : instead;
		return found === null ? void 0 : { $ref: this.#place + found };
	}
	#freeName(name) {
		if (!this.#schemas.has(name)) return name;
		for (let count = 2;; count++) if (!this.#schemas.has(`${name}_${count}`)) return `${name}_${count}`;
	}
	/** Returns whether another component refers to this component. */
	#isNeeded(own) {
		return [...this.#schemas].filter(([name]) => name !== own).some(([, schema]) => (writeJson(schema) ?? "").includes(`"${this.#place}${own}"`));
	}
	/** Finds an equal component with a name that differs by its number. */
	#equalOf(own, name) {
		const textOf = (one) => (writeJson(this.#schemas.get(one)) ?? "").replaceAll(`"${this.#place}${one}"`, "\"\"");
		const text = textOf(own);
		return [...this.#schemas.keys()].find((other) => other !== own && (other === name || other.replace(/_\d+$/, "") === name) && textOf(other) === text);
	}
	/** @returns `undefined` for the schema of a value that cannot be sent */
	#copy(schema, source) {
		const { not, type, const: value } = schema;
		if (not === true || not && Object.keys(not).length === 0) return void 0;
		if (type === "bigint" || typeof value === "bigint") {
			const form = formOf("bigint", source.direction);
			if (isImpossible(form)) return void 0;
			const { title, description } = schema;
			return {
				...form,
				title,
				description,
				...value !== void 0 && { const: `${value}` }
			};
		}
		if (Array.isArray(type)) {
			const anyOf = type.map((one) => ({
				...schema,
				type: one
			}));
			if (type.some(isLacking)) return this.#copy({ anyOf }, source);
		} else if (isLacking(type)) return void 0;
		const copy = {};
		for (const [keyword, held] of Object.entries(renewed(schema))) {
			if (held === void 0 || keyword.startsWith("~") || DROPPED.has(keyword)) continue;
			const written = this.#writeKeyword(keyword, held, schema, source);
			if (written === void 0) return void 0;
			if (written !== NOTHING) copy[keyword] = written;
		}
		if (type === "array" && !("prefixItems" in copy)) copy["items"] ??= {};
		const { anyOf, ...rest } = copy;
		if (!anyOf) return copy;
		if (anyOf.length === 1) return {
			...anyOf[0],
			...rest
		};
		return anyOf.every((one) => Object.keys(one).length === 2 && isText(one)) ? {
			type: "string",
			enum: anyOf.map((one) => one["const"]),
			...rest
		} : copy;
	}
	/** @returns `undefined` if nothing can match the keyword, `NOTHING` to leave it out */
	#writeKeyword(keyword, held, schema, source) {
		if (keyword === "required") {
			const { properties } = schema;
			const names = held.filter((name) => !includesUndefined(properties?.[name]));
			return names.length > 0 ? names : NOTHING;
		}
		if (keyword === "properties") return this.#writeProperties(held, schema, source);
		if (HOLDS_NAMED.has(keyword)) {
			const entries = Object.entries(held).map(([name, inner]) => [name, this.#write(inner, source) ?? IMPOSSIBLE]);
			return Object.fromEntries(entries);
		}
		if (HOLDS_LIST.has(keyword)) {
			const written = held.map((inner) => this.#write(inner, source));
			const possible = written.filter((inner) => inner !== void 0);
			if (keyword === "anyOf" || keyword === "oneOf" ? possible.length === 0 : possible.length < written.length) return void 0;
			return possible;
		}
		if (HOLDS_SCHEMA.has(keyword)) {
			if (held === false && MAY_BE_FALSE.has(keyword)) return false;
			return this.#write(held, source) ?? (keyword === "items" || keyword === "contains" ? void 0 : IMPOSSIBLE);
		}
		if (held instanceof RegExp) return held.source;
		if (typeof held === "bigint") return NOTHING;
		return held;
	}
	#writeProperties(properties, schema, source) {
		const required = new Set(schema["required"]);
		const copies = [];
		for (const [name, inner] of Object.entries(properties)) {
			const written = this.#write(inner, source);
			if (written) copies.push([name, written]);
			else if (required.has(name) && !includesUndefined(inner)) return void 0;
		}
		return Object.fromEntries(copies);
	}
};
/** The schema of a value that cannot be sent, for places where a document needs a schema. */
const IMPOSSIBLE = { not: {} };
/** A keyword that is left out. */
const NOTHING = Symbol("nothing");
function isName(text) {
	return /^[\w.-]+$/.test(text);
}
/** Returns whether JSON has no values of a type. */
function isLacking(type) {
	return type === "bigint" || typeof type === "string" && LACKING.test(type);
}
function isText({ type, const: value }) {
	return type === "string" && value !== void 0;
}
function isImpossible(schema) {
	return JSON.stringify(schema) === "{\"not\":{}}";
}
/**
* Finds the part of a schema to which a reference leads, by a name in `$defs`, as TypeBox writes it, or by a pointer.
*
* @returns the part, and its key in the schema that contains it; `undefined` if there is none
*/
function findPart({ root, definitions }, $ref) {
	const name = $ref.replace(/^#\/(\$defs|definitions)\//, "");
	if (Object.hasOwn(definitions, name)) return [definitions[name], name];
	if ($ref !== "#" && !$ref.startsWith("#/")) return void 0;
	let part = root;
	let key;
	for (const step of $ref.slice(1).split("/").slice(1)) {
		key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
		if (typeof part !== "object" || part === null || !Object.hasOwn(part, key)) return void 0;
		part = part[key];
	}
	return [part, key];
}
/** Returns a schema with the keywords of former drafts in their new form. */
function renewed(schema) {
	const { items, additionalItems, dependencies } = schema;
	const copy = { ...schema };
	if (Array.isArray(items)) {
		delete copy["items"];
		if (items.length > 0) copy["prefixItems"] = items;
		if (additionalItems === false) copy["maxItems"] = items.length;
		else if (additionalItems !== void 0) copy["items"] = additionalItems;
	}
	for (const [name, needed] of Object.entries(dependencies ?? {})) {
		const keyword = Array.isArray(needed) ? "dependentRequired" : "dependentSchemas";
		copy[keyword] = {
			...copy[keyword],
			[name]: needed
		};
	}
	return copy;
}
// src/http/openapi/shared.ts
/** The components that all operations of a document share. The document has them once, and operations refer to them. */
const JSON_TYPE$1 = "application/json";
const INSTANCE = { $ref: "#/components/parameters/instance" };
const IDEMPOTENCY_KEY = { $ref: "#/components/parameters/idempotencyKey" };
const LAST_EVENT_ID$1 = { $ref: "#/components/parameters/lastEventId" };
const PROBLEM = { $ref: "#/components/responses/problem" };
const REPLAYED$1 = { "Idempotency-Replayed": { $ref: "#/components/headers/idempotencyReplayed" } };
const parameters = {
	instance: {
		name: "instance",
		in: "path",
		required: true,
		description: "The name of the object.",
		schema: {
			type: "string",
			minLength: 1
		}
	},
	idempotencyKey: {
		name: "Idempotency-Key",
		in: "header",
		description: "A text of your own, such as a UUID. Requests with the same key run the method once, and get the same answer.",
		schema: {
			type: "string",
			minLength: 1,
			maxLength: 255,
			pattern: "^[!-~]+$"
		}
	},
	lastEventId: {
		name: "Last-Event-ID",
		in: "header",
		description: "The id of the last event that has arrived. The stream continues after it.",
		schema: { type: "string" }
	}
};
const headers = { idempotencyReplayed: {
	description: "`true` for an answer that repeats an earlier answer.",
	schema: {
		type: "string",
		enum: ["true"]
	}
} };
const text = { type: "string" };
const CODES = Object.entries(HTTP_STATUS).map(([code, status]) => `\`${code}\` (${status})`);
/** The schema of an error. */
const PROBLEM_SCHEMA = {
	type: "object",
	description: "A problem document, as RFC 9457 has it.",
	properties: {
		title: {
			...text,
			description: "The code, or the name of the error."
		},
		status: {
			type: "integer",
			description: "The HTTP status."
		},
		detail: {
			...text,
			description: "What happened."
		},
		code: {
			type: ["string", "number"],
			description: `The code of the error. A method can throw errors with codes of its own. The others are ${CODES.join(", ")}.`
		},
		path: {
			...text,
			description: "The place of an invalid value, such as `[0].items[2]`."
		},
		maybeExecuted: {
			type: "boolean",
			description: "Whether the method may have run."
		}
	},
	required: [
		"title",
		"status",
		"detail"
	]
};
/** The components that are not schemas, by kind. */
const SHARED = {
	parameters,
	headers,
	responses: { problem: {
		description: "An error.",
		content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } }
	} }
};
// src/http/openapi/operations.ts
/**
* @returns the path item; `undefined` for a method that takes or returns a value that JSON lacks, such as a callback or
*   a capability
*/
function pathItemOf(documented) {
	const { method, binding, contract } = documented;
	const isCalled = method.kind === "call" || method.kind === "live";
	if (method.returns.length > 0) return void 0;
	const sent = argumentsOf(documented);
	if (!sent) return void 0;
	const result = resultOf(documented);
	const id = `${binding}_${method.name}`;
	const common = {
		tags: [binding],
		summary: method.title,
		description: method.description
	};
	const isKeyed = !method.readonly && !method.volatile && contract.journal;
	const parameters = [...sent.query].map(([name, argument]) => queryParameter(name, argument));
	const isFollowed = method.kind !== "call";
	const get = {
		operationId: id,
		...common,
		parameters: listed(isFollowed ? [LAST_EVENT_ID$1, ...parameters] : parameters),
		responses: isFollowed ? followedAnswersOf(result, isCalled) : answersOf(result, false)
	};
	const post = {
		operationId: id,
		...common,
		parameters: listed(isKeyed ? [IDEMPOTENCY_KEY] : []),
		requestBody: sent.body && {
			required: sent.body.required,
			content: { ["application/json"]: { schema: sent.body.schema } }
		},
		responses: answersOf(result, isKeyed)
	};
	const needsPost = parameters.some(({ schema }) => "contentSchema" in schema);
	if (!isCalled || method.readonly && !needsPost) return {
		parameters: [INSTANCE],
		get
	};
	if (!method.readonly) return {
		parameters: [INSTANCE],
		post
	};
	return {
		parameters: [INSTANCE],
		get,
		post: {
			...post,
			operationId: `${id}_post`
		}
	};
}
function listed(parameters) {
	return parameters.length > 0 ? parameters : void 0;
}
function queryParameter(name, { schema, required, source }) {
	if (takesText(source) || /^(integer|number|boolean)$/.test(String(source["type"]))) return {
		name,
		in: "query",
		required,
		schema
	};
	return {
		name,
		in: "query",
		required,
		description: "As JSON.",
		schema: {
			type: "string",
			contentMediaType: JSON_TYPE$1,
			contentSchema: schema
		}
	};
}
/** @returns the arguments; `undefined` for arguments that JSON lacks */
function argumentsOf({ method, binding, components, toJsonSchema }) {
	const { name } = method;
	const input = sentArguments(method);
	const list = [];
	for (const [index, argument] of input.entries()) {
		const isSchema = isStandard(argument) || typeof argument === "object" && !("~streamOf" in argument);
		const source = isSchema ? sourceSchemaOf(argument, "input", toJsonSchema) : { not: {} };
		const schema = components.add(source, "input", `${binding}_${name}_${input.length > 1 ? index : "input"}`);
		const required = !isSchema || !mayBeUndefined(argument);
		if (schema) list.push({
			schema,
			required,
			source: resolved(source)
		});
		else if (required) return void 0;
		else break;
	}
	const [only] = list;
	if (!only) return {
		body: void 0,
		query: /* @__PURE__ */ new Map()
	};
	const { isObject, named } = parametersOf(method);
	if (isObject && takesObject(only.source)) return {
		body: only,
		query: propertiesOf(only)
	};
	if (isObject || !named) {
		const all = listOf(list);
		return {
			body: all,
			query: /* @__PURE__ */ new Map([["args", all]])
		};
	}
	const names = [...named.keys()].slice(0, list.length);
	const query = new Map(names.map((key, index) => [key, list[index]]));
	return {
		body: objectOf(query),
		query
	};
}
function listOf(list) {
	const minItems = list.findLastIndex((argument) => argument.required) + 1;
	const schema = {
		type: "array",
		prefixItems: list.map(({ schema }) => schema),
		minItems,
		maxItems: list.length
	};
	return {
		schema,
		required: minItems > 0,
		source: schema
	};
}
function objectOf(named) {
	const entries = [...named];
	const required = entries.flatMap(([name, argument]) => argument.required ? [name] : []);
	const schema = {
		type: "object",
		properties: Object.fromEntries(entries.map(([name, argument]) => [name, argument.schema])),
		required: required.length > 0 ? required : void 0,
		additionalProperties: false
	};
	return {
		schema,
		required: required.length > 0,
		source: schema
	};
}
/** Returns the query of a method that takes one object: its properties, or the object as JSON. */
function propertiesOf(only) {
	const { properties, required = [] } = only.schema;
	const { properties: sources } = only.source;
	if (!properties) return /* @__PURE__ */ new Map([["input", only]]);
	return new Map(Object.entries(properties).map(([name, schema]) => [name, {
		schema,
		required: only.required && required.includes(name),
		source: sources?.[name] ?? schema
	}]));
}
function resultOf({ method, binding, components, toJsonSchema }) {
	const { output, name, kind } = method;
	if (!output) return {
		schema: {},
		source: {},
		mayBeUndefined: true
	};
	const source = sourceSchemaOf(output, "output", toJsonSchema);
	const schema = components.add(source, "output", `${binding}_${name}_output`);
	if (kind !== "presence") return {
		schema,
		source,
		mayBeUndefined: mayBeUndefined(output)
	};
	return {
		schema: {
			type: "array",
			items: {
				type: "object",
				properties: {
					key: { type: "string" },
					value: schema ?? {}
				},
				required: ["key", "value"]
			}
		},
		source,
		mayBeUndefined: false
	};
}
/** Returns the responses of a call. */
function answersOf({ schema, mayBeUndefined: isOptional }, isKeyed) {
	const headers = isKeyed ? REPLAYED$1 : void 0;
	const nothing = {
		description: "The method returned `undefined`.",
		headers
	};
	return {
		200: schema && {
			description: "The result.",
			headers,
			content: { ["application/json"]: { schema } }
		},
		204: isOptional || !schema ? nothing : void 0,
		default: PROBLEM
	};
}
/** Returns the responses of a GET that may follow: one value if the method can be called, and events. */
function followedAnswersOf({ schema = {} }, isCalled) {
	return {
		200: {
			description: isCalled ? "The value, or an event with each value." : "Events with JSON data.",
			content: {
				...isCalled && { ["application/json"]: { schema } },
				"text/event-stream": { schema }
			}
		},
		204: { description: "The events have ended: do not connect again." },
		default: PROBLEM
	};
}
/** The ranges that include JSON, the most specific first. */
const JSON_RANGES = [
	"application/json",
	"application/problem+json",
	"application/*",
	"*/*"
];
/** The ranges that ask for events. A request that takes anything wants an answer that ends. */
const EVENT_RANGES = ["text/event-stream", "text/*"];
/**
* Returns how much a request wants a type: from 0, not at all, up to 1.
*
* @param accept - the header
* @param ranges - the ranges that include the type, the most specific first. The first range that the header has
*   counts.
*/
function weightOf(accept, ranges) {
	if (accept === "*/*") return ranges.at(-1) === "*/*" ? 1 : 0;
	const weights = new Map(accept.split(",").map((range) => {
		const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
		const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split("=")[1];
		return [type, weight === void 0 ? 1 : Number(weight)];
	}));
	return weights.get(ranges.find((range) => weights.has(range)) ?? "") || 0;
}
// src/http/problems.ts
const PROBLEM_TYPE = "application/problem+json";
/** @param headers - additional headers */
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
* @param status - the status of the response. Default: the status of the code
*/
function refusal(code, detail, status = HTTP_STATUS[code], details, headers) {
	const { maybeExecuted } = details ?? {};
	return problemResponse({
		title: code,
		status,
		detail,
		code,
		maybeExecuted
	}, headers);
}
/** Responds to arguments that cannot be read. */
function malformed(detail) {
	return refusal("BAD_MESSAGE", detail);
}
/** Responds to a body of another type or encoding. */
function unsupportedType(detail) {
	return refusal("BAD_MESSAGE", detail, 415);
}
/** Responds to arguments that no frame can have. */
function tooLarge() {
	return refusal("LIMIT_EXCEEDED", "The arguments are larger than limits.frameSize allows", 413);
}
/** The codes of requests that the router rejects, by status. */
const ROUTER_CODES = {
	400: "BAD_MESSAGE",
	403: "FORBIDDEN",
	429: "LIMIT_EXCEEDED"
};
/** Responds that a request reaches no object. */
function refuse(status, detail) {
	return refusal(ROUTER_CODES[status] ?? "UNAVAILABLE", detail, status);
}
/**
* Describes an error that the object has thrown.
*
* @param thrown - an `RpcError`, or any value that the method has thrown
*/
function problemOf(thrown) {
	if (!(thrown instanceof Error)) return {
		title: "Error",
		status: 500,
		detail: typeof thrown === "string" ? thrown : textOf(thrown)
	};
	const { name, message: detail, code } = thrown;
	if (!(thrown instanceof RpcError)) return {
		title: name,
		status: 500,
		detail,
		...typeof code === "string" || typeof code === "number" ? { code } : {}
	};
	const { path, maybeExecuted } = thrown;
	const status = Object.hasOwn(HTTP_STATUS, thrown.code) ? HTTP_STATUS[thrown.code] : 500;
	return {
		title: thrown.code,
		status,
		detail,
		code: thrown.code,
		path,
		maybeExecuted
	};
}
function textOf(thrown) {
	try {
		return writeJson(thrown) ?? "undefined";
	} catch {
		return "An object that contains itself";
	}
}
/** Responds with an error that the object has thrown. */
function thrownResponse(thrown, headers) {
	return problemResponse(problemOf(thrown), headers);
}
// src/http/body.ts
/**
* The bodies of requests, as text. A Worker answers many requests at a time, so all bodies that are arriving share one
* limit of memory.
*/
/** The maximum size of all bodies that are arriving in a Worker, in bytes. */
const MOST = 33554432;
/** A body of at most this many bytes is not counted. */
const SMALL = 65536;
/** A body that is arriving. */
var ArrivingBody = class {
	/** The number of bytes that have arrived, and the time at which the last of them arrived. */
	size = 0;
	at = 0;
	get memory() {
		return this;
	}
	/** @throws RpcError `UNAVAILABLE` if the Worker would hold too much */
	admit(bytes) {
		this.size += bytes;
		if (this.size <= SMALL) return;
		this.at = Date.now();
		arriving.add(this);
		let held = 0;
		for (const one of arriving) if (this.at - one.at > 6e4) arriving.delete(one);
		else held += one.size;
		if (held > MOST) throw new RpcError("UNAVAILABLE", "The Worker is receiving too many large bodies: try again");
	}
	release() {
		arriving.delete(this);
	}
};
const arriving = /* @__PURE__ */ new Set();
/**
* Reads the body of a request.
*
* @param limit - the maximum size in bytes
* @returns the response for a body that cannot be read
*/
async function bodyText(request, limit) {
	const { body, headers } = request;
	const length = headers.get("Content-Length");
	if (Number(length) > limit) return tooLarge();
	if (!body) return "";
	const check = (size) => {
		if (size > limit) throw new RpcError("LIMIT_EXCEEDED", "");
	};
	let bytes;
	try {
		bytes = length !== null && Number(length) <= SMALL ? await request.arrayBuffer() : await readBody(body, new ArrivingBody(), check);
	} catch (error) {
		if (!(error instanceof RpcError)) return thrownResponse(new RpcError("BAD_MESSAGE", "The body has not arrived"));
		return error.code === "LIMIT_EXCEEDED" ? tooLarge() : thrownResponse(error);
	}
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: false
		}).decode(bytes);
	} catch {
		return unsupportedType("The body is not UTF-8");
	}
}
// src/http/arguments.ts
const NONE = {
	args: [],
	encoded: ""
};
/**
* Reads the arguments of a POST.
*
* @param method - the method; `undefined` if the contract does not list it
* @param frameSize - the characters that a frame may have
* @returns the response for arguments that cannot be read
*/
async function readArguments(request, url, method, frameSize) {
	if (url.search.length > 1) return malformed("A POST has its arguments in the body, not the query");
	const { headers } = request;
	const type = headers.get("Content-Type");
	const encoding = headers.get("Content-Encoding");
	if (encoding !== null && encoding !== "identity") return unsupportedType(`The body has the Content-Encoding ${encoding.slice(0, 50)}: send it without an encoding`);
	if (type !== null && !JSON_TYPE.test(type)) return unsupportedType(WANTED);
	const text = await bodyText(request, 3 * frameSize);
	if (typeof text !== "string") return text;
	if (type === null) return text === "" ? NONE : unsupportedType(WANTED);
	return parsed(text, "The body", (value) => {
		if (Array.isArray(value)) return {
			args: value,
			encoded: value.length > 0 ? `,${text}` : ""
		};
		if (typeof value !== "object" || value === null) return malformed("The body must be a JSON list of the arguments, or a JSON object");
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
/**
* Parses JSON that a stranger sent, as the only part of the only message of a frame. A text that is nested too deeply
* is rejected like a text that is not JSON.
*/
function parsed(text, what, use) {
	try {
		const [message, ...others] = parseUnchecked(`[[${text}]]`) ?? [];
		if (message?.length === 1 && others.length === 0) return use(message[0]);
	} catch {}
	return malformed(`${what} is not JSON, or is nested too deeply`);
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
/**
* Reads arguments that are sent as an object: the one object that the method takes, or the arguments by their names.
*/
function byObject(sent, { named, isObject }) {
	if (isObject) return encoded([sent]);
	if (!named) return malformed("The arguments of the method have no names: send a list of them");
	const unknown = Object.keys(sent).find((name) => !named.has(name));
	if (unknown !== void 0) return unknownName(unknown, named);
	const args = Array.from(named.keys(), (name) => sent[name]);
	return encoded(args.slice(0, args.findLastIndex((arg) => arg !== void 0) + 1));
}
function unknownName(name, named) {
	const names = [...named.keys()].join(", ") || "none";
	return malformed(`There is no argument ${JSON.stringify(name.slice(0, 100))}: use ${names}`);
}
/**
* Reads the arguments of a GET.
*
* @returns the response for arguments that cannot be read
*/
function readQuery(url, method) {
	if (url.search.length < 2) return NONE;
	const query = [...url.searchParams];
	const [first] = query;
	if (!first) return NONE;
	const parameters = parametersOf(method);
	const [name, text] = first;
	if (query.length === 1 && name === "args") return parsed(text, name, (value) => Array.isArray(value) ? encoded(value) : malformed("args must be a JSON list of the arguments"));
	if (query.length === 1 && name === "input") return parsed(text, name, (value) => typeof value === "object" && value !== null && !Array.isArray(value) ? byObject(value, parameters) : malformed("input must be a JSON object"));
	return byNames(query, parameters);
}
function byNames(query, parameters) {
	const { named } = parameters;
	if (!named) return malformed("The arguments of the method have no names: send a list of them as args");
	const sent = {};
	for (const [name, text] of query) {
		const schema = named.get(name);
		if (!schema) return unknownName(name, named);
		if (Object.hasOwn(sent, name)) return malformed(`The query has ${name} twice: send each argument once`);
		const value = takesText(schema) ? text : parsed(text, name, (json) => json);
		if (value instanceof Response) return value;
		sent[name] = value;
	}
	return byObject(sent, parameters);
}
// src/http/called-object.ts
/**
* Responds for an object that has not answered.
*
* @param isSafe - whether the method changes nothing
*/
function failure(error, binding, isSafe) {
	if (NOT_OURS.test(String(error))) return notOurs(binding);
	return refusal("UNAVAILABLE", (explanations?.isLocal() ? explanations.printFailure(error, binding) : void 0) ?? "The object has not answered: see the log of the Worker", void 0, { maybeExecuted: !isSafe });
}
/** Matches the runtime's errors about a class without the methods that plain HTTP calls. */
const NOT_OURS = new RegExp(`${FRAME_METHOD}|does not export a fetch\\(\\)`);
/** Responds for an object whose class plain HTTP cannot call. */
function notOurs(binding) {
	return refusal("UNSUPPORTED", `${binding} does not answer plain HTTP: export the class that lumenizeRpcDO of this version returns`);
}
// src/http/trace.ts
/**
* Writes a frame with the trace that a request belongs to, as a message of the feature tracing. The feature checks the
* headers. The frame has no trace if the request has none, if the object lacks the feature, or if the frame has no room.
*
* @param id - the id of the call, or the negative number of the subscription
* @param messages - the other messages of the frame
*/
function frameWithTrace(id, messages, headers, contract) {
	const frame = `[${messages}]`;
	const traceparent = contract.messages.has("trace") && headers.get("traceparent");
	if (!traceparent) return frame;
	const trace = JSON.stringify(["trace", [
		id,
		traceparent,
		headers.get("tracestate")
	]]);
	return trace.length + 1 + frame.length <= contract.limits.frameSize ? `[${trace},${messages}]` : frame;
}
// src/http/object-subscription.ts
/**
* A subscription of plain HTTP to an object, over a WebSocket through the object's stub. The object can hibernate while
* the socket is open. If the object is stopped, the subscription continues over another socket.
*/
/** The number of attempts to connect again that can fail in a row before the subscription ends. */
const ATTEMPTS = 6;
/** The longest delay before the first attempt, in milliseconds. It doubles with each attempt. */
const DELAY = 100;
/** The close codes of a rejection are 4400 to 4499, by the status that they mean. */
const REFUSED = 4e3;
var ObjectSubscription = class {
	reader;
	/** Settles when the object has confirmed the subscription, or when there will be none. */
	begun;
	/** True if the object was lost, so that a later subscription may go on. */
	isLost = false;
	#hasGap = false;
	#begin;
	#object;
	#socket;
	#hasEnded = false;
	#attempts = 0;
	/**
	* @param invocation - the method and its arguments, as text
	* @param after - the cursor after which to begin
	*/
	constructor(object, invocation, after) {
		const { promise, resolve } = Promise.withResolvers();
		this.begun = promise;
		this.#begin = resolve;
		this.#object = object;
		this.reader = new Reader(this, () => invocation, after, () => {}, () => this.#hasGap = true);
	}
	/** Returns true if events of a volatile feed may be missing since the last call of this method. */
	takeGap() {
		const hasGap = this.#hasGap;
		this.#hasGap = false;
		return hasGap;
	}
	/**
	* Connects to the object, and subscribes.
	*
	* @returns the response of an object that has opened no socket
	* @throws any error of an object that has not answered
	*/
	async open({ target, forwarded } = this.#object) {
		const init = {
			headers: {
				Upgrade: "websocket",
				"Sec-WebSocket-Protocol": SUBPROTOCOL
			},
			cf: forwarded.cf
		};
		const response = await target.fetch(new Request(`https://object/${CALL_SEGMENT}`, init));
		const { webSocket: socket } = response;
		if (!socket) return response;
		const join = pieceJoiner((acknowledgement) => socket.send(acknowledgement));
		socket.addEventListener("message", ({ data }) => {
			const frame = join(data);
			if (frame !== void 0 && socket === this.#socket) this.#receive(frame);
		});
		const lose = (code, reason) => {
			if (socket === this.#socket) this.#lose(code, reason);
		};
		socket.addEventListener("close", ({ code, reason }) => lose(code, reason));
		socket.addEventListener("error", () => lose(1006, ""));
		socket.accept();
		this.#socket = socket;
		if (this.#hasEnded) this.leave();
		else this.reader.begin(false);
	}
	#receive(frame) {
		this.#attempts = 0;
		for (const message of parseFrame(frame) ?? []) if (message[0] === "error") this.reader.stop({ thrown: decodeRich(message[1]) });
		else this.reader.receive(message);
		if (this.reader.isBegun) this.#begin();
	}
	#lose(code, reason) {
		this.#socket = void 0;
		if (this.#hasEnded) return;
		const status = code - REFUSED;
		if (status < 400 || status >= 500) return void this.#openAgain();
		const rejected = status === 403 ? "FORBIDDEN" : "LIMIT_EXCEEDED";
		this.reader.stop({ thrown: new RpcError(rejected, reason) });
	}
	/** Connects again. The hook decides again, too: it may now reject the subscription. */
	async #openAgain() {
		while (this.#attempts < ATTEMPTS && !this.#hasEnded) {
			const delay = Math.random() * DELAY * 2 ** this.#attempts++;
			await new Promise((resolve) => setTimeout(resolve, delay));
			try {
				const reached = await this.#object.reachAgain();
				if (reached instanceof Response || await this.open(reached)) break;
				return;
			} catch {}
		}
		this.isLost = true;
		this.reader.stop({});
	}
	get resolve() {
		return unreadable;
	}
	add() {
		return 1;
	}
	begin(message) {
		const { forwarded, contract } = this.#object;
		return this.#send(frameWithTrace(-this.add(), message, forwarded.headers, contract));
	}
	tell(message) {
		return this.#send(`[${message}]`);
	}
	#send(frame) {
		this.#socket?.send(frame);
		return this.#socket !== void 0;
	}
	/** Ends the subscription. Without an id of the client, the object ends it with the socket. */
	leave() {
		this.#hasEnded = true;
		this.#begin();
		const socket = this.#socket;
		this.#socket = void 0;
		socket?.close(1e3);
	}
};
// src/http/events.ts
/** The header with which a client continues after an event. */
const LAST_EVENT_ID = "Last-Event-ID";
/** The id of the last event. No cursor is equal to this id. */
const ENDED = "ended";
/** The id of the items of a stream, which exists as long as its response. */
const STREAMED = "stream";
/** The milliseconds between two comments, which keep proxies from ending the response. */
const COMMENTS = 15e3;
/** The size of a chunk, in characters, from which further items go into the next chunk. */
const CHUNK = 65536;
const HEADERS = {
	"Content-Type": "text/event-stream",
	"Cache-Control": "no-store, no-transform",
	"X-Accel-Buffering": "no"
};
/** Subscribes for a GET. For a HEAD, only returns the response that a GET would have. */
async function answerEvents(object, { kind, readonly, invocation }) {
	const { forwarded, binding } = object;
	const after = forwarded.headers.get(LAST_EVENT_ID) || void 0;
	if (after === ENDED) return new Response(null, { status: 204 });
	if (forwarded.method === "HEAD") return new Response(null, { headers: HEADERS });
	if (kind === "stream" && after !== void 0) return new Response(lastEvent({ thrown: interrupted() }), { headers: HEADERS });
	const subscription = new ObjectSubscription(object, invocation, isValue(kind) ? void 0 : after);
	const { reader } = subscription;
	try {
		const refused = await subscription.open();
		if (refused?.ok) return notOurs(binding);
		if (refused) return refuse(refused.status, await refused.text());
	} catch (error) {
		return failure(error, binding, readonly);
	}
	await subscription.begun;
	const begin = idOf(reader.cursor, kind);
	const first = reader.take();
	if (isValue(kind) || kind === "rows" || !reader.isBegun) {
		try {
			await first;
		} catch (thrown) {
			if (thrown.code !== "CURSOR_EXPIRED") return thrownResponse(thrown);
		}
		if (subscription.isLost) return failure("It was stopped", binding, readonly);
	}
	return new Response(bodyOf(subscription, kind, begin, first), { headers: HEADERS });
}
/** @param begin - the id before the first item */
function bodyOf(subscription, kind, begin, first) {
	const { reader } = subscription;
	const encoder = new TextEncoder();
	let next = first;
	first.catch(() => {});
	let comments;
	return new ReadableStream({
		start(controller) {
			controller.enqueue(encoder.encode(begin === void 0 ? ":\n\n" : `id: ${begin}\n\n`));
			comments = setInterval(() => {
				if (controller.desiredSize > 0) controller.enqueue(encoder.encode(":\n\n"));
			}, COMMENTS);
		},
		async pull(controller) {
			let text = "";
			let isLast = false;
			try {
				do {
					const taken = next ?? reader.take();
					next = void 0;
					const { done, value } = await taken;
					isLast = done === true;
					if (subscription.takeGap()) text += event("null", void 0, "gap");
					if (!isLast) text += event(writeJson(value) ?? "null", idOf(reader.cursor, kind));
					else if (!subscription.isLost) text += lastEvent({});
				} while (!isLast && reader.length > 0 && text.length < CHUNK);
			} catch (thrown) {
				isLast = true;
				text += lastEvent({ thrown });
				reader.stop({});
			}
			if (text) controller.enqueue(encoder.encode(text));
			if (!isLast) return;
			clearInterval(comments);
			controller.close();
		},
		cancel() {
			clearInterval(comments);
			reader.stop({});
		}
	});
}
/**
* Returns whether each event of a kind of method replaces the previous event. The list of present clients is such a
* value for a caller who only watches.
*/
function isValue(kind) {
	return kind === "live" || kind === "presence";
}
/** @returns the id of an event; `undefined` for a value, because a client that connects again gets the newest value */
function idOf(cursor, kind) {
	if (kind === "stream") return STREAMED;
	if (isValue(kind) || !cursor) return void 0;
	return cursor.replace(/[^\x20-\x7E]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
function event(data, id, type) {
	return `${[type && `event: ${type}\n`, id === void 0 ? "" : `id: ${id}\n`].join("")}data: ${data}\n\n`;
}
function lastEvent(end) {
	if (!("thrown" in end)) return event("null", ENDED, "end");
	return event(JSON.stringify(problemOf(end.thrown)), ENDED, "error");
}
function interrupted() {
	return new RpcError("DISCONNECTED", `The stream has ended with its response, and cannot be continued: ${`to run the method again, leave out ${LAST_EVENT_ID}`}`, { maybeExecuted: true });
}
// src/http/keys.ts
/** The header of a call. */
const KEY = "Idempotency-Key";
/** The header of a response that repeats an earlier answer. */
const REPLAYED = "Idempotency-Replayed";
/** Matches a key of visible ASCII characters. */
const VALID = /^[\x21-\x7E]{1,255}$/;
/**
* Callers without an identity share all keys, so a key must be as hard to guess as 128 random bits, which are 22
* characters of Base64.
*/
const LEAST = 22;
/** @returns the response for an invalid key; `undefined` for a valid key */
function keyProblem(key, { owner }) {
	if (!VALID.test(key)) return refusal("BAD_MESSAGE", `An ${KEY} must have 1 to 255 visible ASCII characters`);
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
/** @param value - plain data; the order of its properties does not matter */
function digest(value) {
	const text = JSON.stringify(value, (_, part) => typeof part === "object" && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).toSorted()) : part);
	return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}
// src/http/call.ts
/** Returns the methods of HTTP with which a method of an object can be called. */
function allowed({ kind, readonly }) {
	const methods = isCalled(kind) ? ["POST"] : [];
	return readonly || !isCalled(kind) ? [
		"GET",
		"HEAD",
		...methods
	] : methods;
}
/** Returns whether methods of a kind return one result. */
function isCalled(kind) {
	return kind === "call" || kind === "live";
}
/** @param name - the name of the method in the path */
async function answerCall(name, object) {
	const { contract, forwarded: request, url, caller } = object;
	const { method: verb, headers } = request;
	const method = contract.methods.get(name);
	const isSafe = method?.readonly === true;
	const key = isSafe ? null : headers.get(KEY);
	const isPost = verb === "POST";
	if (!method && (key === null || !isPost)) return unlisted(name);
	const verbs = method ? allowed(method) : ["POST"];
	if (!verbs.includes(verb)) {
		const Allow = [...verbs, "OPTIONS"].join(", ");
		if (verb === "OPTIONS") return new Response(null, {
			status: 204,
			headers: { Allow }
		});
		return refusal("BAD_MESSAGE", `${name} allows only ${Allow}`, 405, {}, { Allow });
	}
	const accept = headers.get("Accept") ?? "*/*";
	const json = weightOf(accept, JSON_RANGES);
	if (method && method.kind !== "call" && !isPost) {
		const events = weightOf(accept, EVENT_RANGES);
		if (events > 0 && (!isCalled(method.kind) || events >= json)) return follow(object, method);
	}
	if (json === 0) return refusal("BAD_MESSAGE", "The answer is application/json, which the header Accept does not allow", 406);
	if (method && !isCalled(method.kind)) return refusal("BAD_MESSAGE", `${name} returns events: send the header Accept: text/event-stream`, 406);
	const read = method && !isPost ? readQuery(url, method) : await readArguments(request, url, method, contract.limits.frameSize);
	if (read instanceof Response) return read;
	const call = {
		id: 1,
		name,
		isListed: method !== void 0,
		isSafe
	};
	if (key === null) return send(object, call, caller, read);
	const problem = keyProblem(key, caller);
	if (problem) return problem;
	if (!contract.journal || method?.volatile) return refusal("UNSUPPORTED", `${contract.journal ? `${name} is volatile` : `${object.binding} has journal: false`}: leave out the header ${KEY}`);
	const keyed = await keyedCall(key, caller, name, read.args).catch(() => void 0);
	if (!keyed) return malformed("The arguments are nested too deeply");
	return send(object, {
		...call,
		...keyed
	}, caller, read);
}
function unlisted(name, details) {
	return refusal("METHOD_NOT_FOUND", `The contract lists no method ${name.slice(0, 100)}`, void 0, details);
}
/** Follows a method for a GET. */
async function follow(object, method) {
	const { url, contract } = object;
	const read = readQuery(url, method);
	if (read instanceof Response) return read;
	const { kind, readonly, name } = method;
	const invocation = JSON.stringify(name) + read.encoded;
	if (invocation.length > contract.limits.frameSize) return tooLarge();
	return answerEvents(object, {
		kind,
		readonly,
		invocation
	});
}
async function send({ binding, contract, target, forwarded: { headers } }, call, caller, { encoded }) {
	const { id, client, name, isListed, isSafe } = call;
	const frame = frameWithTrace(id, `${client === void 0 ? "" : "[\"key\"],"}[${id},${JSON.stringify(isListed ? name : CALL_SEGMENT)}${encoded}]`, headers, contract);
	if (frame.length > contract.limits.frameSize) return tooLarge();
	let answer;
	try {
		const receiver = target;
		answer = await (client === void 0 && caller.owner === void 0 ? receiver[FRAME_METHOD](frame) : receiver[FRAME_METHOD](frame, {
			...caller,
			client
		}));
	} catch (error) {
		return failure(error, binding, isSafe);
	}
	if (typeof answer === "number") return refuse(answer, "The object accepts no calls of this client now: try again later");
	return responseOf(answer, call);
}
/** The beginning of a frame whose answer is repeated from the journal. */
const REPEATED = "[[\"replayed\"],";
function responseOf(frame, { id, name, isListed }) {
	const isReplayed = frame.startsWith(REPEATED);
	const answers = isReplayed ? `[${frame.slice(14)}` : frame;
	const headers = isReplayed ? { [REPLAYED]: "true" } : void 0;
	const begin = `[[${id},`;
	if (answers.startsWith(begin) && !HAS_FORM.test(answers.slice(begin.length, begin.length + 9))) return jsonResponse(answers.slice(begin.length, -2), headers);
	const [message = []] = decodeFrame(answers);
	if (message[0] === -id) return refusal("BAD_MESSAGE", `The ${KEY} belongs to a call with another method or other arguments`, 422);
	try {
		if (message[0] === "error") return thrownResponse(decodeRich(message[1]));
		const decoded = decodeAnswer(message, unreadable);
		if ("thrown" in decoded) {
			const { thrown } = decoded;
			const { code } = Object(thrown);
			return !isListed && !isReplayed && code === "METHOD_NOT_FOUND" ? unlisted(name, thrown) : thrownResponse(thrown, headers);
		}
		return jsonResponse(writeJson(decoded.result), headers);
	} catch (error) {
		return thrownResponse(error instanceof RpcError && error.code === "UNSUPPORTED" ? error : new RpcError("UNSERIALIZABLE", UNWRITABLE), headers);
	}
}
const HAS_FORM = /^"(rich|error)",/;
const UNWRITABLE = "The result contains itself, so JSON cannot represent it: call the method by createRpcClient";
/** @param json - the result as JSON; `undefined` for no result */
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
export { Components, KEY, ObjectSubscription, PROBLEM_SCHEMA, REPLAYED, SHARED, answerCall, argumentsOf, bodyText, malformed, parsed, pathItemOf, refusal, refuse, resultOf };
