import { CALL, CAPABILITY, RpcError, isString, readPath, unreadableReference } from "./wire.js";
import { DISPOSAL, INTERNALS, internalsOf, promiseOf, remoteMethod, resultPartOf } from "./client-core.js";
// src/features/capabilities/client/capabilities.ts
/**
* Allows capabilities as results and arguments of a client's calls.
*
* @param session - passed by `createRpcClient`
* @example
* const bank = createRpcClient<Bank>('BANK', 'main', { capabilities });
* const session = bank.login(token); // Not awaited: both calls share a frame.
* await session.transfer('bob', 5);
*/
function capabilities(session) {
	const { referenceOf, resolve = unreadableReference } = session;
	session.resolve = (reference, call) => {
		const [name, ...parts] = reference;
		if (name !== "Capability") return resolve(reference, call);
		if (!isAddress(parts)) throw new RpcError("BAD_MESSAGE", "Malformed capability");
		return capabilityOf(session, {}, () => reference);
	};
	session.referenceOf = (value, call) => {
		const target = targets.get(value);
		return target?.session.transport.address === session.transport.address ? target.referenceTo(nothing) : referenceOf?.(value, call);
	};
	session.symbolOf = (symbol, part) => symbol === INTERNALS ? insideFor(session, {}, targetOf(part)) : void 0;
	session.callable = (promise, part) => {
		const name = part.at(-1);
		if (PROBED_METHODS.test(name)) return promise;
		const method = methodOn(targetOf(part.slice(0, -1)), name);
		return new Proxy(remoteMethod(session, method, {}), {
			get: (_, key) => Reflect.get(promise, key),
			set: (_, key, value) => Reflect.set(promise, key, value)
		});
	};
}
/**
* Methods that consoles, test runners, jQuery and RxJS look for to recognize a value. To call a method with such a name,
* await the capability first.
*/
const PROBED_METHODS = /^(asymmetricMatch|lift|promise|schedule)$/;
/** The session and the reference of each capability that has arrived. */
const targets = /* @__PURE__ */ new WeakMap();
/** Refers to a capability that is the result of a call, or a part of the result. */
function targetOf([call, ...path]) {
	return (referenceOf) => {
		const { outcome } = call;
		if (!outcome) return referenceOf(promiseOf([call, ...path]));
		if ("thrown" in outcome) throw outcome.thrown;
		return referenceOf(readPath(outcome.result, path)) ?? refuse();
	};
}
function methodOn(target, name) {
	const { [name]: method } = { [name]: (referenceOf) => {
		const [, ...parts] = target(referenceOf);
		return [name, ...parts];
	} };
	return method;
}
function insideFor(session, options, target) {
	const calleeOf = (name, retry) => {
		let isThere = true;
		const callee = methodOn(target, name)((value) => {
			const part = resultPartOf(value);
			if (!part) return session.referenceOf?.(value);
			const [call, ...path] = part;
			isThere = !!call.frame;
			if (!isThere && retry) call.promise.then(retry, retry);
			return [
				CALL,
				call.id,
				...path
			];
		});
		return isThere ? callee : void 0;
	};
	return [
		session,
		options,
		(_, others) => capabilityOf(session, others, target),
		calleeOf
	];
}
function capabilityOf(session, options, referenceTo) {
	const methods = { [INTERNALS]: insideFor(session, options, referenceTo) };
	const capability = new Proxy(nothing, { get: (_, name) => methods[name] ??= DISPOSAL.test(String(name)) ? nothing : typeof name === "symbol" || /^(then|toJSON)$/.test(name) ? void 0 : remoteMethod(session, methodOn(referenceTo, name), options) });
	targets.set(capability, {
		session,
		referenceTo
	});
	return capability;
}
/** Returns whether the parts of a capability are a class, a number as text, and anything after them. */
function isAddress([className, number]) {
	return isString(className) && isString(number);
}
function nothing() {}
function refuse() {
	throw new RpcError("METHOD_NOT_FOUND", "The result is not a capability");
}
/**
* Returns the token of a capability, which is text. Anyone who has the token can use the capability from anywhere, until
* the capability is revoked. Protect the token like a password.
*
* @param capability - the result of an awaited call, or a part of it
* @returns the token
* @throws TypeError for a value that is not a capability
* @example
* localStorage.session = tokenOf(await bank.login(token));
*/
function tokenOf(capability) {
	const [, ...parts] = targets.get(capability)?.referenceTo(nothing) ?? [];
	if (parts.length === 0) throw new TypeError("Not a capability: await the call that returns it");
	return JSON.stringify(parts);
}
/**
* Returns the capability of a token. Only a call of a method checks whether the token is still valid.
*
* @param client - the client of the object that returned the capability, created with the option `capabilities`
* @param token - from `tokenOf`
* @returns the capability, which has remote methods
* @throws TypeError for text that is not a token
* @example
* const session = capabilityAt<Session>(bank, localStorage.session);
*/
function capabilityAt(client, token) {
	const [session] = internalsOf(client);
	let parts;
	try {
		parts = JSON.parse(token);
	} catch {}
	if (!Array.isArray(parts) || !isAddress(parts)) throw new TypeError("Not a token");
	return capabilityOf(session, {}, () => [CAPABILITY, ...parts]);
}
export { capabilities, capabilityAt, tokenOf };
