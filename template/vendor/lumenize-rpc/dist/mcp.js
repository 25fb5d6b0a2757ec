import { Components, KEY, ObjectSubscription, answerCall, argumentsOf, bodyText, malformed, parsed, resultOf } from "./call.js";
import { resolved, takesObject, writeJson } from "./http-schemas.js";
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server, createMcpHandler } from "@modelcontextprotocol/server";
// src/http/mcp/listening.ts
var Listening = class {
	/** The message, reduced to the resources that exist, each once. */
	message;
	#object;
	/** The methods to follow, by URI. */
	#methods = /* @__PURE__ */ new Map();
	#subscriptions = [];
	#end;
	/** True if the client is ready to read. Sending a notification resets it. */
	#isWanted = false;
	/** True if nobody listens any more. */
	#hasLeft = false;
	/** Notifications that wait until the client reads. */
	#waiting = [];
	/** @param end - ends the stream, so that the client listens again */
	constructor(object, message, resources, end) {
		this.#object = object;
		this.#end = end;
		this.message = message;
		if (!isListen(message)) return;
		const { params } = message;
		const asked = params?.notifications?.resourceSubscriptions;
		if (!Array.isArray(asked)) return;
		for (const uri of asked) {
			const method = resources.get(uri)?.method;
			if (method !== void 0) this.#methods.set(uri, method);
		}
		const resourceSubscriptions = [...this.#methods.keys()];
		const notifications = {
			...params?.notifications,
			resourceSubscriptions
		};
		this.message = {
			...message,
			params: {
				...params,
				notifications
			}
		};
	}
	/** Only the object sends events. */
	publish() {}
	subscribe(listener) {
		for (const [uri, method] of this.#methods) this.#follow(uri, method, listener);
		return () => {
			for (const { reader } of this.#subscriptions) reader.stop({});
			this.#hasLeft = true;
			for (const wake of this.#waiting.splice(0)) wake();
		};
	}
	async #follow(uri, method, listener) {
		const subscription = new ObjectSubscription(this.#object, JSON.stringify(method), void 0);
		const { reader } = subscription;
		this.#subscriptions.push(subscription);
		try {
			if (await subscription.open()) reader.stop({});
			while (!(await reader.take()).done) {
				await this.#wanted();
				if (!this.#hasLeft) listener({
					kind: "resource_updated",
					uri
				});
			}
		} catch {}
		await this.#end();
	}
	async #wanted() {
		while (!this.#isWanted && !this.#hasLeft) await new Promise((resolve) => this.#waiting.push(resolve));
		this.#isWanted = false;
	}
	/**
	* Lets the client read a stream of notifications at its own pace, so that no memory grows for a client that does not
	* read.
	*/
	paced(response) {
		if (this.#methods.size === 0 || !response.body) return response;
		const source = response.body.getReader();
		const body = new ReadableStream({
			pull: async (controller) => {
				this.#isWanted = true;
				this.#waiting.shift()?.();
				const { done, value } = await source.read();
				if (done) controller.close();
				else controller.enqueue(value);
			},
			cancel: (reason) => source.cancel(reason)
		});
		return new Response(body, response);
	}
};
function isListen(message) {
	return Object(message).method === "subscriptions/listen";
}
// src/http/mcp/offered-methods.ts
/** The name of the list of arguments that have no names. */
const LIST = "arguments";
/** The name of a result that is not an object. The SDK uses the same name. */
const RESULT = "result";
/** The beginning of references to the definitions of a schema. */
const PLACE = "#/$defs/";
function offeredMethods(contract, binding, toJsonSchema) {
	const tools = /* @__PURE__ */ new Map();
	const resources = /* @__PURE__ */ new Map();
	for (const method of contract.methods.values()) {
		const { name, kind, title, returns } = method;
		if (kind !== "call" && kind !== "live" || returns.length > 0) continue;
		const components = new Components({}, PLACE);
		const documented = {
			binding,
			contract,
			method,
			components,
			toJsonSchema
		};
		const sent = argumentsOf(documented);
		if (!sent) continue;
		const { body } = sent;
		const takesList = body?.schema["type"] === "array";
		const description = method.description ?? describe(method, binding, sent.query);
		const input = takesList ? wrapped(LIST, body.schema, body.required) : body?.schema ?? { additionalProperties: false };
		const output = outputOf({
			...documented,
			components: new Components({}, PLACE)
		});
		const tool = {
			name,
			title,
			description,
			inputSchema: standalone(input, components),
			outputSchema: output?.schema,
			annotations: {
				readOnlyHint: method.readonly,
				idempotentHint: method.readonly
			}
		};
		tools.set(name, {
			tool: plain(tool),
			takesList,
			structured: output?.structured
		});
		if (kind !== "live" || body?.required) continue;
		const uri = `live:${encodeURIComponent(name)}`;
		const resource = {
			uri,
			name,
			title,
			description,
			mimeType: "application/json"
		};
		resources.set(uri, {
			resource: plain(resource),
			method: name
		});
	}
	return {
		tools,
		resources
	};
}
/** Makes a description for a method whose entry has no description, from the facts in the contract. */
function describe({ name, readonly }, binding, named) {
	const names = [...named.keys()].filter((key) => key !== "args" && key !== "input");
	const given = names.length > 0 ? `, with ${names.join(", ")}` : "";
	return `${readonly ? "Reads" : "Calls"} ${name} of ${binding}${given}.`;
}
function outputOf(documented) {
	if (!documented.method.output) return void 0;
	const { schema, source, mayBeUndefined } = resultOf(documented);
	if (!schema) return void 0;
	const { components } = documented;
	if (!mayBeUndefined && takesObject(resolved(source))) return {
		schema: standalone(schema, components),
		structured: (result) => result
	};
	return {
		schema: standalone(wrapped(RESULT, schema, !mayBeUndefined), components),
		structured: (result) => result === void 0 ? {} : { [RESULT]: result }
	};
}
/** Returns the schema of an object with one property. */
function wrapped(name, schema, required) {
	return {
		properties: { [name]: schema },
		required: required ? [name] : void 0,
		additionalProperties: false
	};
}
/** Returns a schema of an object, with its definitions. */
function standalone(schema, components) {
	const definitions = components.all();
	const hasDefinitions = Object.keys(definitions).length > 0;
	return {
		...schema,
		type: "object",
		...hasDefinitions && { $defs: definitions }
	};
}
/** Returns plain data: properties that are undefined are left out, and bigints become texts. */
function plain(value) {
	return JSON.parse(writeJson(value) ?? "");
}
// src/http/mcp/message.ts
/** Answers a message of MCP. It creates a server of the SDK for one request, and calls the object by plain HTTP. */
/** The name of the idempotency key in the `_meta` of a call. Plain HTTP has a header for it. */
const KEY_META = "lumenize-rpc/idempotency-key";
/** Answers a request that the hook has let through. */
async function answerMessage(object, methods, settings) {
	const { forwarded, contract } = object;
	let message;
	if (forwarded.method === "POST") {
		const text = await bodyText(forwarded, 3 * contract.limits.frameSize);
		if (typeof text !== "string") return text;
		const read = parsed(text, "The body", (value) => Array.isArray(value) ? malformed("The body must be one JSON-RPC message, not a list") : { value });
		if (read instanceof Response) return read;
		message = read.value;
	}
	const listening = new Listening(object, message, methods.resources, () => handler.close());
	const handler = createMcpHandler(({ era }) => serverOf(object, methods, settings, era === "modern"), { bus: listening });
	return listening.paced(await handler.fetch(forwarded, { parsedBody: listening.message }));
}
/** @param canListen - whether the client's version of the protocol can subscribe without a session */
function serverOf(object, { tools, resources }, { info, instructions }, canListen) {
	const hasResources = resources.size > 0;
	const { name, version, title } = info ?? {
		name: object.binding,
		version: "1.0.0"
	};
	const server = new Server({
		name,
		version,
		...title !== void 0 && { title }
	}, {
		capabilities: {
			tools: {},
			...hasResources && { resources: canListen ? { subscribe: true } : {} }
		},
		...instructions !== void 0 && { instructions }
	});
	server.setRequestHandler("tools/list", () => ({ tools: Array.from(tools.values(), ({ tool }) => tool) }));
	server.setRequestHandler("tools/call", ({ params }) => {
		const offered = tools.get(params.name);
		if (offered) return callTool(object, offered, params);
		const problem = `There is no tool ${params.name.slice(0, 100)}`;
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem);
	});
	if (!hasResources) return server;
	server.setRequestHandler("resources/list", () => ({ resources: Array.from(resources.values(), ({ resource }) => resource) }));
	server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
	server.setRequestHandler("resources/read", ({ params: { uri } }) => {
		const offered = resources.get(uri);
		if (offered) return readResource(object, uri, offered.method);
		throw new ResourceNotFoundError(uri.slice(0, 100));
	});
	return server;
}
async function callTool(object, { tool, takesList, structured }, { arguments: sent, ["_meta"]: meta }) {
	let request;
	try {
		request = requestOf(object, takesList ? listIn(sent) : sent && JSON.stringify(sent), meta?.[KEY_META]);
	} catch (error) {
		return failed(malformed(error.message));
	}
	const response = await answerRequest(object, tool.name, request);
	if (!response.ok) return failed(response);
	const json = await response.text();
	const result = json !== "" && (structured !== void 0 || json.startsWith("\"")) ? JSON.parse(json) : void 0;
	return {
		content: json === "" ? [] : [{
			type: "text",
			text: typeof result === "string" ? result : json
		}],
		...structured && { structuredContent: structured(result) }
	};
}
/** @throws TypeError for arguments that are not in the list */
function listIn(sent = {}) {
	const { [LIST]: list = [], ...others } = sent;
	if (Array.isArray(list) && Object.keys(others).length === 0) return JSON.stringify(list);
	throw new TypeError(`The arguments have no names: send a list of them as ${LIST}`);
}
/** Returns the HTTP request that makes the same call. */
function requestOf({ url }, body, key) {
	const headers = new Headers();
	if (body !== void 0) headers.set("Content-Type", "application/json");
	if (key !== void 0) headers.set(KEY, String(key));
	return new Request(url, {
		method: "POST",
		headers,
		body: body ?? null
	});
}
/** Calls a method as the caller that the hook has named. */
function answerRequest(object, name, request) {
	const url = new URL(object.url);
	url.search = "";
	return answerCall(name, {
		...object,
		forwarded: request,
		url
	});
}
/** Returns the result of a tool that has failed: the problem document of plain HTTP. */
async function failed(response) {
	const text = await response.text();
	return {
		isError: true,
		content: [{
			type: "text",
			text
		}],
		structuredContent: JSON.parse(text)
	};
}
async function readResource(object, uri, method) {
	const response = await answerRequest(object, method, requestOf(object));
	const text = await response.text();
	if (response.ok) return { contents: [{
		uri,
		mimeType: "application/json",
		text: text || "null"
	}] };
	const { detail, ...problem } = JSON.parse(text);
	throw new ProtocolError(ProtocolErrorCode.InternalError, detail, problem);
}
// src/http/mcp/mcp.ts
/**
* Makes objects servers of MCP, the Model Context Protocol, at `{prefix}/{binding}/{instance}/mcp`: each method of the
* contract that JSON can call is a tool, and each live value without required arguments is a resource. A call of a tool
* is a call of `routeHttpRequest`, with its hook, its caller and its limits.
*
* It needs the package `@modelcontextprotocol/server`. Call it once, at module scope: it keeps the schemas of the
* tools.
*
* @param options - the bindings, and what clients show
* @returns the option `mcp` of `routeHttpRequest`
* @example
* const agents = mcp({ bindings: ['COUNTER'] });
* // In `fetch`:
* return await routeHttpRequest(request, env, { classes: { COUNTER: Counter }, mcp: agents });
*/
function mcp(options) {
	const { bindings, toJsonSchema } = options;
	const offered = /* @__PURE__ */ new WeakMap();
	return {
		bindings,
		"~answer": (object) => {
			const { contract, binding } = object;
			let methods = offered.get(contract);
			if (!methods) offered.set(contract, methods = offeredMethods(contract, binding, toJsonSchema));
			return answerMessage(object, methods, options);
		}
	};
}
export { mcp };
