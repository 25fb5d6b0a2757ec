import { callHook, callerOf, decodeSegment, describeContract, findNamespaces, guardOrigin, isProbe, isUpgrade, locate, segmentsAfter, stubOf, withoutCaller } from "./server-core.js";
import { Components, PROBLEM_SCHEMA, REPLAYED, SHARED, answerCall, pathItemOf, refusal, refuse } from "./call.js";
import { writeJson } from "./http-schemas.js";
import { CALL_SEGMENT } from "./wire.js";
// src/http/openapi.ts
/** Makes the OpenAPI document of objects from their contracts. */
/**
* Makes the OpenAPI document of objects from their contracts. It describes the requests that `routeHttpRequest`
* answers, for generators of clients, for documentation and for tools. It needs no server, so a script can write the
* document to a file.
*
* Methods that plain HTTP cannot call are left out: those with a callback, a stream or a capability among their
* arguments or results, and those with a required argument that JSON does not have.
*
* @param classes - the classes, by the names of their bindings: each is a class that `lumenizeRpcDO` has returned, or
*   the result of `compileContract`
* @returns a document of OpenAPI 3.1, as plain data
* @throws TypeError for a class without a contract
* @example
* const document = openApi({ COUNTER: Counter }, { info: { title: 'Counter', version: '1.2.0' } });
* writeFileSync('openapi.json', JSON.stringify(document, null, 2));
*/
function openApi(classes, options = {}) {
	const { info, servers, securitySchemes, security, toJsonSchema, prefix = "/__rpc" } = options;
	const components = new Components({ Problem: PROBLEM_SCHEMA }, "#/components/schemas/");
	const paths = {};
	const segments = prefix.split("/").filter(Boolean);
	for (const [binding, Class] of Object.entries(classes)) {
		const contract = "methods" in Class ? Class : describeContract(Class);
		if (!contract) throw new TypeError(`openApi: ${binding} is not a class that lumenizeRpcDO returned`);
		for (const method of contract.methods.values()) {
			const item = pathItemOf({
				binding,
				contract,
				method,
				components,
				toJsonSchema
			});
			if (item) paths[`/${[
				...segments,
				binding,
				"{instance}",
				method.name
			].join("/")}`] = item;
		}
	}
	const document = {
		openapi: "3.1.1",
		info: info ?? {
			title: "Durable Objects",
			version: "1.0.0"
		},
		servers,
		tags: Object.keys(classes).map((name) => ({ name })),
		paths,
		components: componentsFor(paths, components, securitySchemes),
		security
	};
	return JSON.parse(writeJson(document) ?? "");
}
/** Returns the components that the paths refer to. */
function componentsFor(paths, components, securitySchemes) {
	const text = writeJson(paths) ?? "";
	const { responses, ...named } = SHARED;
	const used = Object.entries(named).map(([kind, all]) => [kind, Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))]);
	return {
		...Object.fromEntries(used),
		responses,
		schemas: components.all(),
		securitySchemes
	};
}
/** Documents as texts, by the options from which they were made. */
const texts = /* @__PURE__ */ new WeakMap();
/** The route that the hook receives. Its names are empty, since the document belongs to no object. */
const NO_ROUTE = {
	binding: "",
	instance: ""
};
/** @param classes - the classes that callers can reach */
async function answerDocument(request, served, classes, options) {
	if (request.method !== "GET" && request.method !== "HEAD") return refusal("BAD_MESSAGE", "Read the document by GET or HEAD", 405, {}, { Allow: "GET, HEAD, OPTIONS" });
	const checked = await callHook(request, NO_ROUTE, options.onBeforeRequest);
	if (checked instanceof Response) return checked;
	let text = texts.get(served);
	if (text === void 0) {
		const { generator, ...settings } = served;
		try {
			text = JSON.stringify(generator(classes, {
				...settings,
				prefix: options.prefix
			}));
		} catch (error) {
			console.error(error);
			return refuse(500, "The OpenAPI document could not be made: see the log of the Worker");
		}
		texts.set(served, text);
	}
	return new Response(text, { headers: { "Content-Type": "application/json" } });
}
// src/http/route.ts
/** Routes a request of plain HTTP: checks its path and its origin, calls the hook, and finds the object. */
/** The headers of a response that a page of another origin can read. */
const EXPOSED = `${REPLAYED}, Retry-After`;
/**
* Answers plain HTTP: `POST {prefix}/{binding}/{instance}/{method}` calls a method, and so does `GET` for a method that
* changes nothing. Arguments and results are JSON, and errors are problem documents.
*
* @param request - the request that the Worker received
* @param env - the Worker's bindings
* @param options - the options of `routeDORequest`, and `classes`
* @returns the answer; `undefined` for a path that is not under the prefix, names none of `classes`, or ends in
*   `/call`, which `routeDORequest` answers. It never throws because of a client's request.
* @example
* return (
*   (await routeHttpRequest(request, env, { classes: { COUNTER: Counter } })) ??
*   (await routeDORequest(request, env)) ??
*   new Response('Not found', { status: 404 })
* );
*/
async function routeHttpRequest(request, env, options) {
	const { classes, prefix, bindings, otherPaths, openapi, mcp, onBeforeRequest, cors } = options;
	const url = new URL(request.url);
	const [segment, instance, ...path] = segmentsAfter(prefix, url.pathname);
	const reachable = bindings ? Object.fromEntries(Object.entries(classes).filter(([name]) => bindings.includes(name))) : classes;
	/** Answers a request that is neither an upgrade nor a probe, which have hooks of their own. */
	const guard = (methods, answer) => guardOrigin(request, url, options, refuse, async (allowed) => {
		if (isUpgrade(allowed) || isProbe(allowed)) return refuse(400, `The address of WebSockets is …/${CALL_SEGMENT}`);
		return answer(withoutCaller(allowed));
	}, methods);
	if (openapi && segment === "openapi.json" && instance === void 0) return guard("GET", (checked) => answerDocument(checked, openapi, reachable, options));
	const isCall = path.length === 1 && path[0] === "call";
	if (path.length === 0 || isCall) return void 0;
	const matches = findNamespaces(env, segment, Object.keys(reachable));
	const [[binding] = [""]] = matches;
	const Class = reachable[binding];
	if (!Class) return void 0;
	const contract = describeContract(Class);
	const name = path.length === 1 ? decodeSegment(path[0]) : void 0;
	const forMcp = name === "mcp" && mcp?.bindings.includes(binding) ? mcp : void 0;
	if (otherPaths && !forMcp && !contract?.methods.has(name)) return void 0;
	return guard("GET, POST", async (checked) => {
		const located = locate(matches, instance, path, refuse);
		if (located instanceof Response) return located;
		const reachAgain = async () => {
			const forwarded = await callHook(checked, located.route, onBeforeRequest);
			if (forwarded instanceof Response) return forwarded;
			const target = await stubOf(located, forwarded, options, refuse);
			return target instanceof Response ? target : {
				forwarded,
				target
			};
		};
		const reached = await reachAgain();
		if (reached instanceof Response) return reached;
		if (name === void 0) return refusal("NOT_FOUND", `The path must be ${binding}/{instance}/{method}`);
		if (!contract) return refuse(500, `classes.${binding} is not a class that lumenizeRpcDO returned`);
		const { forwarded, target } = reached;
		const isSame = forwarded === checked;
		const object = {
			forwarded,
			target,
			url: isSame ? url : new URL(forwarded.url),
			caller: isSame ? {} : callerOf(forwarded),
			binding,
			contract,
			reachAgain
		};
		const response = await (forMcp ? forMcp["~answer"](object) : answerCall(name, object));
		if (cors && checked.headers.has("Origin")) response.headers.set("Access-Control-Expose-Headers", EXPOSED);
		return response;
	});
}
export { openApi, routeHttpRequest };
