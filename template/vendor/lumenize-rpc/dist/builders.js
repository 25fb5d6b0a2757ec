// src/typebox/make-schema.ts
/**
* Makes schemas exactly as TypeBox makes them. Keywords are enumerable. TypeBox's own properties, which begin with `~`,
* are not, so that a schema becomes plain JSON Schema when it is written as JSON.
*/
/**
* Makes a schema.
*
* @param kind - TypeBox's name of the schema, in its property `~kind`
* @param keywords - the keywords of JSON Schema
* @param options - keywords that replace these keywords
*/
function makeSchema(kind, keywords, options) {
	return Object.defineProperty({
		...keywords,
		...options
	}, "~kind", hidden(kind));
}
/**
* Copies a schema with additions, which come last.
*
* @param marks - properties of TypeBox, whose names begin with `~`
* @param keywords - the keywords of JSON Schema to add
*/
function extendSchema(schema, marks, keywords) {
	const properties = Object.getOwnPropertyDescriptors(schema);
	const add = (name, property) => {
		delete properties[name];
		properties[name] = property;
	};
	for (const [name, value] of Object.entries(marks)) add(name, hidden(value));
	for (const [name, value] of Object.entries(keywords ?? {})) add(name, {
		...hidden(value),
		enumerable: true
	});
	return Object.defineProperties({}, properties);
}
/** Copies a schema without a property of TypeBox. */
function withoutMark(schema, mark) {
	const { [mark]: _, ...properties } = Object.getOwnPropertyDescriptors(schema);
	return Object.defineProperties({}, properties);
}
/** Maps the values of an object. */
function mapValues(object, change) {
	return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
/** Returns the kind of a schema; `undefined` for a schema that TypeBox has not made. */
function kindOf(schema) {
	return "~kind" in schema ? schema["~kind"] : void 0;
}
function hidden(value) {
	return {
		configurable: true,
		writable: true,
		enumerable: false,
		value
	};
}
// src/typebox/builders.ts
/** Allows any value. Its type is `any`. */
const Any = (options) => makeSchema("Any", {}, options);
/** Allows any value. Its type is `unknown`. */
const Unknown = (options) => makeSchema("Unknown", {}, options);
/** Allows no value. */
const Never = (options) => makeSchema("Never", { not: {} }, options);
/** Allows strings, such as `Type.String({ minLength: 1, maxLength: 40, pattern: '^[a-z]+$' })`. */
const String$1 = (options) => makeSchema("String", { type: "string" }, options);
/** Allows finite numbers, such as `Type.Number({ minimum: 0 })`. */
const Number$1 = (options) => makeSchema("Number", { type: "number" }, options);
/** Allows numbers without a fraction, such as `Type.Integer({ minimum: 1, maximum: 100 })`. */
const Integer = (options) => makeSchema("Integer", { type: "integer" }, options);
/** Allows a `bigint`, such as `Type.BigInt({ minimum: 0n })`. */
const BigInt = (options) => makeSchema("BigInt", { type: "bigint" }, options);
/** Allows `true` and `false`. */
const Boolean = (options) => makeSchema("Boolean", { type: "boolean" }, options);
/** Allows `null`. */
const Null = (options) => makeSchema("Null", { type: "null" }, options);
/** Allows `undefined`. */
const Undefined = (options) => makeSchema("Undefined", { type: "undefined" }, options);
/** Allows `undefined`. Its type is `void`, for the results of functions. */
const Void = (options) => makeSchema("Void", { type: "void" }, options);
/**
* Allows one value, such as `Type.Literal('open')`.
*
* @throws TypeError for a value that is no string, finite number, boolean or bigint
*/
const Literal = (value, options) => {
	const type = typeof value;
	if (!/^(string|boolean|bigint)$/.test(type) && !globalThis.Number.isFinite(value)) throw new TypeError(`Type.Literal takes a string, a finite number, a boolean or a bigint, not ${value}`);
	return makeSchema("Literal", {
		type,
		const: value
	}, options);
};
/** Allows strings or numbers of a list, such as `Type.Enum(['open', 'closed'])`, or the values of a TypeScript enum. */
const Enum = ((values, options) => {
	return makeSchema("Enum", { enum: globalThis.Array.isArray(values) ? values : Object.entries(values).flatMap(([key, value]) => isNaN(+key) ? [value] : []) }, options);
});
/** Allows arrays, such as `Type.Array(Type.String(), { maxItems: 20 })`. */
const Array = (items, options) => makeSchema("Array", {
	type: "array",
	items
}, options);
/** Allows arrays with an item for each schema, such as `Type.Tuple([Type.Number(), Type.Number()])`. */
const Tuple = (items, options) => makeSchema("Tuple", {
	type: "array",
	additionalItems: false,
	items,
	minItems: items.length
}, options);
/** Allows values that match one of the schemas, such as `Type.Union([Type.Integer(), Type.Null()])`. */
const Union = (anyOf, options) => makeSchema("Union", { anyOf }, options);
/** Allows values that match all schemas, such as `Type.Intersect([Address, Person])`. */
const Intersect = (allOf, options) => makeSchema("Intersect", { allOf }, options);
/** Describes a function. A contract takes functions by `callback([…])`. */
const Function = (parameters, returnType, options) => makeSchema("Function", {
	type: "function",
	parameters,
	returnType
}, options);
/** Names a schema of the `Type.Cyclic` that it is in. */
const Ref = ($ref, options) => makeSchema("Ref", { $ref }, options);
/** Names the whole schema that it is in. */
const This = (options) => makeSchema("This", { $ref: "#" }, options);
/**
* Makes schemas that contain each other.
*
* @example
* const Folder = Type.Cyclic({
*   Folder: Type.Object({ name: Type.String(), folders: Type.Array(Type.Ref('Folder')) }),
* }, 'Folder');
*/
const Cyclic = ($defs, $ref, options) => makeSchema("Cyclic", {
	$defs: mapValues({ ...$defs }, (schema, $id) => extendSchema(schema, {}, { $id })),
	$ref
}, options);
/** Allows a value to be left out: a property or an argument, such as `Type.Optional(Type.Integer())`. */
const Optional = (schema) => extendSchema(schema, { "~optional": true });
/** Makes a property `readonly` in the type. */
const Readonly = (schema) => extendSchema(schema, { "~readonly": true });
/** Gives a JSON Schema a type, such as `Type.Unsafe<'a' | 'b'>({ enum: ['a', 'b'] })`. */
const Unsafe = (schema) => extendSchema(schema, { "~unsafe": null });
/** Adds a check that JSON Schema cannot express, such as `Type.Refine(Type.Integer(), isPrime, () => 'no prime')`. */
const Refine = ((schema, check, error = () => "Refine Error") => extendSchema(schema, { "~refine": [...schema["~refine"] ?? [], {
	check,
	error
}] }));
// src/typebox/objects.ts
/**
* Allows objects with these properties, such as `Type.Object({ name: Type.String() })`. Objects may also have other
* properties, unless the options are `{ additionalProperties: false }`.
*/
function Object$1(properties, options) {
	const required = globalThis.Object.keys(properties).filter((key) => !("~optional" in properties[key]));
	return makeSchema("Object", {
		type: "object",
		...required.length > 0 && { required },
		properties
	}, options);
}
/**
* Makes all properties of an object's schema optional. Options such as `additionalProperties` are not taken over.
*
* @throws TypeError for a schema that is not made by `Type.Object`
*/
function Partial(type, options) {
	return objectOf(mapValues(propertiesOf(type, "Partial"), (schema) => extendSchema(schema, { "~optional": true })), options);
}
/**
* Makes all properties of an object's schema required. Options such as `additionalProperties` are not taken over.
*
* @throws TypeError for a schema that is not made by `Type.Object`
*/
function Required(type, options) {
	return objectOf(mapValues(propertiesOf(type, "Required"), (schema) => withoutMark(schema, "~optional")), options);
}
function Pick(type, names, options) {
	const picked = listed(names, "Pick");
	return filtered(propertiesOf(type, "Pick"), (name) => picked.includes(name), options);
}
function Omit(type, names, options) {
	const omitted = listed(names, "Omit");
	return filtered(propertiesOf(type, "Omit"), (name) => !omitted.includes(name), options);
}
/**
* Allows the names of an object's properties.
*
* @throws TypeError for a schema that is not made by `Type.Object`
*/
function KeyOf(type, options) {
	const names = globalThis.Object.keys(propertiesOf(type, "KeyOf")).map((name) => Literal(/^(?:0|[1-9][0-9]*)$/.test(name) ? Number(name) : name));
	const [only = Never()] = names;
	return extendSchema(names.length > 1 ? Union(names) : only, {}, options);
}
/** The pattern of the keys, by the kind of a key's schema. */
const PATTERNS = {
	Any: "^.*$",
	String: "^.*$",
	Integer: "^-?(?:0|[1-9][0-9]*)$",
	Number: "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$"
};
/**
* Allows objects with any keys, such as `Type.Record(Type.String(), Type.Number())`. For keys that are listed, as in
* `Type.Record(Type.Enum(['width', 'height']), Type.Number())`, it makes the schema of an object that has all of these
* keys.
*
* @param key - a schema of texts, which can have a `pattern`, of numbers, or of names
* @throws TypeError for another schema as key
*/
function Record(key, value, options) {
	const pattern = patternOf(key);
	if (pattern === void 0) {
		const names = listed(key, "Record");
		return objectOf(globalThis.Object.fromEntries(names.map((name) => [name, value])), options);
	}
	return extendSchema(makeSchema("Record", {
		type: "object",
		patternProperties: { [pattern]: value }
	}), {}, options);
}
/** Returns the pattern of the keys that a schema allows; `undefined` if the schema lists them. */
function patternOf(key) {
	const kind = String(kindOf(key));
	const { pattern, anyOf } = key;
	if (kind === "String" && pattern !== void 0) return String(pattern);
	if (kind === "Union") return anyOf?.some(patternOf) ? PATTERNS["String"] : void 0;
	return PATTERNS[kind];
}
/** Returns the names in a list, or in a schema of names. */
function listed(names, builder) {
	if (globalThis.Array.isArray(names)) return names.map(String);
	const kind = kindOf(names);
	const { const: name, enum: values, anyOf } = names;
	if (kind === "Union" && anyOf) return anyOf.flatMap((type) => listed(type, builder));
	if (kind === "Enum" && values) return values.map(String);
	if (kind === "Literal" && /^(string|number)$/.test(typeof name)) return [String(name)];
	if (kind === "Never") return [];
	throw notComputed(builder, "names that are listed by Type.Literal, Type.Enum or Type.Union");
}
function propertiesOf(type, builder) {
	if (kindOf(type) !== "Object") throw notComputed(builder, "a schema made by Type.Object");
	return type.properties;
}
function notComputed(builder, taken) {
	return /* @__PURE__ */ new TypeError(`Type.${builder} of lumenize-rpc/typebox takes ${taken}. For any other type, import ${builder} from typebox.`);
}
function filtered(properties, isKept, options) {
	const kept = globalThis.Object.entries(properties).filter(([name]) => isKept(name));
	return objectOf(globalThis.Object.fromEntries(kept), options);
}
/** Makes the schema of an object. TypeBox computes its type from the schemas of the properties. */
function objectOf(properties, options) {
	return extendSchema(Object$1(properties), {}, options);
}
export { Any, Array, BigInt, Boolean, Cyclic, Enum, Function, Integer, Intersect, KeyOf, Literal, Never, Null, Number$1 as Number, Object$1 as Object, Omit, Optional, Partial, Pick, Readonly, Record, Ref, Refine, Required, String$1 as String, This, Tuple, Undefined, Union, Unknown, Unsafe, Void };
