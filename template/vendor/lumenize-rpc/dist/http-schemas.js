import { RpcError, builtInName, toBase64 } from "./wire.js";
import { isStandard } from "./schemas.js";
// src/http/values.ts
/**
* Writes values as JSON. Plain data stays as it is. The table has the types that JSON lacks. Their values cannot be
* read back, since JSON does not say which type a text stands for.
*/
const text = { type: "string" };
const BYTES = {
	write: (bytes) => toBase64(ArrayBuffer.isView(bytes) ? bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) : bytes),
	schema: {
		...text,
		contentEncoding: "base64"
	}
};
/** The forms by the name of the type in `Object.prototype.toString`. `ArrayBuffer` stands for all kinds of bytes. */
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
/**
* Returns the form of a value that JSON lacks; `undefined` for plain data, and for values that JSON writes as `null`.
*/
function formOf$1(value) {
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
		const form = formOf$1(part);
		return form ? form.write(part) : part;
	});
}
/** Reads a reference, such as a callback, in a value that an object has sent. */
function unreadable([kind]) {
	throw new RpcError("UNSUPPORTED", `The result has a ${kind}, which JSON cannot represent: call the method by createRpcClient`);
}
// src/http/openapi/source-schemas.ts
/**
* Makes the JSON Schema of a contract's schema by the schema's library. A schema of TypeBox is a JSON Schema. Other
* libraries make one if they implement Standard JSON Schema: https://standardschema.dev/json-schema.
*/
/** The schema of a value that JSON lacks, so that nobody can send it. */
const IMPOSSIBLE = { not: {} };
/** The names of these libraries for the types of `JSON_FORMS`. */
const TYPE_NAMES = {
	bigint: "BigInt",
	date: "Date",
	map: "Map",
	set: "Set",
	Uint8Array: "ArrayBuffer"
};
/** The types that TypeBox has, and JSON lacks, by the names that all these libraries have for them. */
const LACKING = /^(undefined|void|function|constructor|symbol)$/;
/** Returns the JSON Schema of a type that JSON lacks; `undefined` for any other type. */
function formOf(type, direction) {
	if (LACKING.test(type)) return { type };
	const name = namedType(type);
	if (name === void 0) return void 0;
	return direction === "input" ? IMPOSSIBLE : JSON_FORMS[name].schema;
}
/** Returns the name that TypeBox has for a type which JSON lacks; `undefined` for any other type. */
function namedType(type) {
	const name = TYPE_NAMES[type] ?? type;
	return Object.hasOwn(JSON_FORMS, name) ? name : void 0;
}
/**
* The options of each library. Without them, Zod and Valibot refuse a schema that contains, for example, a date, and
* ArkType allows any value in place of the date.
*/
const LIBRARY_OPTIONS = {
	zod: (direction) => ({
		unrepresentable: "any",
		override({ zodSchema: { _zod: zod }, jsonSchema }) {
			const { def, bag } = zod;
			const form = formOf(bag?.Class?.name ?? def.type, def.coerce ? "output" : direction);
			if (form) Object.assign(jsonSchema, form);
		}
	}),
	valibot: (direction) => ({
		errorMode: "ignore",
		overrideSchema: ({ valibotSchema }) => formOf(valibotSchema.class?.name ?? valibotSchema.type, direction)
	}),
	arktype: (direction) => ({ fallback: { default: (context) => formOf(typeOfArk(context), direction) ?? context.base } })
};
/** Returns the name of the type that ArkType cannot represent. */
function typeOfArk({ code, domain, proto, ...more }) {
	return proto?.name ?? domain ?? ("unit" in more ? typeof more.unit : code);
}
/**
* @returns the schema that the library has made; `{}`, with a description, for a library that makes none. A transform
*   is described by its input, which clients send and methods return.
*/
function sourceSchemaOf(schema, direction, toJsonSchema) {
	const own = toJsonSchema?.(schema);
	if (own) return own;
	if (!isStandard(schema)) return schema;
	const { vendor } = schema["~standard"];
	const made = schemaOfLibrary(schema, LIBRARY_OPTIONS[vendor]?.(direction));
	if (made) return made;
	return { description: `Checked by a schema of ${vendor}, which makes no JSON Schema.` };
}
/**
* @param libraryOptions - options of the library
* @returns the schema that the library has made; `undefined` for a library that makes none
*/
function schemaOfLibrary(schema, libraryOptions) {
	const { jsonSchema } = schema["~standard"];
	try {
		return jsonSchema?.input({
			target: "draft-2020-12",
			libraryOptions
		});
	} catch {
		return;
	}
}
/** Returns whether an argument can be left out, or a result can be `undefined`. */
function mayBeUndefined(schema) {
	if (!isStandard(schema)) return "~optional" in schema || includesUndefined(schema);
	try {
		const result = schema["~standard"].validate(void 0);
		return "value" in result && !result.issues;
	} catch {
		return false;
	}
}
/** Returns whether a schema of TypeBox accepts `undefined`. */
function includesUndefined(schema) {
	const { type, anyOf } = Object(schema);
	if (Array.isArray(anyOf)) return anyOf.some(includesUndefined);
	return [type].flat().some((name) => name === "undefined" || name === "void");
}
// src/http/parameters.ts
/** The names of a method's arguments, and how their schemas are read. */
/** Options for Zod and Valibot, with which they also make a schema for an object that contains, for example, a date. */
const LENIENT = {
	unrepresentable: "any",
	errorMode: "ignore"
};
/**
* Returns the JSON Schema of an argument. A schema of TypeBox is a JSON Schema. Other libraries make one if they
* implement Standard JSON Schema.
*
* @returns `undefined` for a schema without a JSON Schema, and for an argument without a schema, such as a capability
*/
function jsonSchemaOf(schema) {
	if (!isStandard(schema)) return typeof schema === "object" ? schema : void 0;
	try {
		const { jsonSchema } = schema["~standard"];
		return jsonSchema?.input({
			target: "draft-2020-12",
			libraryOptions: LENIENT
		});
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
/**
* Returns the definition to which a schema refers, or else the schema itself. Libraries make such a reference for a
* schema with an id.
*/
function resolved(schema) {
	const { $ref, $defs } = schema;
	const target = $defs?.[$ref?.split("/").at(-1) ?? ""];
	return target ? {
		...target,
		...schema
	} : schema;
}
/**
* Returns the schemas of the arguments that a caller sends. The runtime sets the last argument of rows, and a caller
* who follows a presence sends no arguments.
*/
function sentArguments({ kind, input }) {
	if (kind === "presence") return [];
	return kind === "rows" ? input.slice(0, -1) : input;
}
function findParameters(method) {
	const input = sentArguments(method);
	const schemas = input.map((schema) => resolved(jsonSchemaOf(schema) ?? {}));
	const [only] = schemas;
	const named = new Map(schemas.map((schema) => [schema["title"], schema]));
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
/** Returns whether each value of a schema is an object. */
function takesObject({ type, allOf, anyOf, oneOf }) {
	const every = (list) => Array.isArray(list) && list.length > 0 && list.every(takesObject);
	return type === "object" || every(allOf) || every(anyOf) || every(oneOf);
}
/** Returns whether a schema takes text, so that the text in a query is the value itself. */
function takesText({ type, enum: values, const: value, anyOf, oneOf }) {
	const isText = (one) => typeof one === "string";
	const some = (list, test) => Array.isArray(list) && list.some(test);
	return type === "string" || isText(value) || some(type, (one) => one === "string") || some(values, isText) || some(anyOf, takesText) || some(oneOf, takesText);
}
export { LACKING, formOf, includesUndefined, mayBeUndefined, namedType, parametersOf, resolved, schemaOfLibrary, sentArguments, sourceSchemaOf, takesObject, takesText, typeOfArk, unreadable, writeJson };
