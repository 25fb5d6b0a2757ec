import { isStreamOf } from "./schemas.js";
import { checkCopy, compiledCapability, contractOf, isCapability } from "./server-core.js";
import { mayBeUndefined, sentArguments } from "./http-schemas.js";
import { writtenSchema } from "./written-schema.js";
// src/contract/describe.ts
/** Writes the contracts of classes as plain data. It runs where the classes are: in the Workers runtime. */
/**
* @param exported - the exports of a Worker's main module
* @returns the contracts of all classes that `lumenizeRpcDO` has returned, by the names of the classes
* @throws TypeError for a class of another copy of the package
*/
function describeClasses(exported) {
	const found = {};
	for (const name of Object.keys(exported).toSorted()) {
		const { [name]: value } = exported;
		const prototype = typeof value === "function" ? value.prototype : void 0;
		if (typeof prototype !== "object" || prototype === null) continue;
		checkCopy(prototype);
		const contract = contractOf(prototype);
		if (contract) found[name] = describeContract(contract);
	}
	return found;
}
function describeContract({ methods, capabilities }) {
	const described = [...capabilities].toSorted(byName).map(describeCapability);
	return {
		methods: describeMethods(methods),
		...described.length > 0 && { capabilities: Object.fromEntries(described) }
	};
}
function byName([one], [other]) {
	return one < other ? -1 : 1;
}
function describeCapability([name, { address, methods }]) {
	return [name, {
		address: address.map(describeArgument),
		methods: describeMethods(methods)
	}];
}
function describeMethods(methods) {
	return Object.fromEntries([...methods].toSorted(byName).map(([name, method]) => [name, describeMethod(method)]));
}
function describeMethod(method) {
	const { kind, readonly, volatile, returns, output, key } = method;
	const input = kind === "presence" ? method.input : sentArguments(method);
	return {
		kind: kind !== "call" ? kind : readonly ? "read" : volatile ? "volatile" : kind,
		input: input.map(describeArgument),
		...output && { output: writtenSchema(output) },
		...returns.length > 0 && { returns: returns.map(nameOf).toSorted() },
		...key !== void 0 && { key }
	};
}
function describeArgument(schema) {
	if (isStreamOf(schema)) return {
		stream: true,
		schema: writtenSchema(schema["~streamOf"])
	};
	if (isCapability(schema)) return { capability: nameOf(schema) };
	return {
		...mayBeUndefined(schema) && { optional: true },
		schema: writtenSchema(schema)
	};
}
function nameOf(Class) {
	return compiledCapability(Class)?.name ?? Class.name;
}
export { describeClasses, describeContract };
