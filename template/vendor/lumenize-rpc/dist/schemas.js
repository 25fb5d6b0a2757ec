import { propertyPath } from "./wire.js";
import { Format } from "typebox/format";
// src/server/base/brands.ts
function isStreamOf(value) {
	return typeof value === "object" && value !== null && "~streamOf" in value;
}
/** @param schema - the schema of a function */
function isCallback(schema) {
	return "~callback" in schema;
}
/** The key of the kind in an entry that a helper has made. */
const METHOD_KIND = "~entry";
/** The mark of a feed. */
const FEED = Symbol.for("lumenize-rpc.feed");
/** Whether a value is a feed, of this copy of the package or another one. */
function isFeed(value) {
	return typeof value === "object" && value !== null && FEED in value;
}
/**
* Lets a feed that a method has returned check its events.
*
* @param check - `undefined` where nothing is checked
*/
function checkEventsOf(result, check) {
	if (check && isFeed(result)) result.checkEvents?.(check);
}
// src/server/base/standard-schema.ts
/** Whether a value is a schema of another library than TypeBox. Schemas of ArkType are functions. */
function isStandard(schema) {
	return Object(schema) === schema && "~standard" in schema;
}
// src/server/diagnostics/nearest.ts
/** Finds the word that a misspelled word probably means. */
/**
* The known word that was probably meant. It contains the word, or differs from it in one place, by at most
* half of the word's letters; upper case does not matter. The time is linear, because a client can send any word.
*
* @returns `undefined` if none is similar
*/
function nearest(word, known) {
	const lower = word.toLowerCase();
	let found;
	let least = Math.floor(word.length / 2) + 1;
	for (const candidate of known) {
		const other = candidate.toLowerCase();
		if (lower.length > 1 && other.includes(lower)) return candidate;
		const letters = difference(lower, other);
		if (letters < least) [found, least] = [candidate, letters];
	}
	return found;
}
/** The length of the part in which two words differ: what is left without their common beginning and end. */
function difference(one, other) {
	const shorter = Math.min(one.length, other.length);
	let start = 0;
	while (start < shorter && one[start] === other[start]) start++;
	let end = 0;
	while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
	return Math.max(one.length, other.length) - start - end;
}
// src/server/schemas/schema-parts.ts
/** Which keywords of a schema hold other schemas. */
const set = (words) => new Set(words.split(" "));
/** Keywords that hold a schema or a list of them. */
const HOLDS_SCHEMAS = set("not allOf anyOf oneOf if then else items contains prefixItems additionalItems unevaluatedItems additionalProperties propertyNames unevaluatedProperties contentSchema parameters returnType instanceType");
/** Keywords that hold an object of schemas, by name. */
const HOLDS_NAMED_SCHEMAS = set("properties patternProperties $defs definitions dependencies dependentSchemas");
/**
* Calls a function with each schema that a keyword holds.
*
* @param act - receives the schema, and the steps from the keyword to it
* @returns the value of the keyword, with each schema replaced by the result; the value itself if it holds none
*/
function mapInnerSchemas(keyword, value, act) {
	if (HOLDS_NAMED_SCHEMAS.has(keyword)) {
		const isList = (inner) => keyword === "dependencies" && Array.isArray(inner);
		const entries = Object.entries(value).map(([name, inner]) => [name, isList(inner) ? inner : act(inner, name)]);
		return Object.fromEntries(entries);
	}
	if (!HOLDS_SCHEMAS.has(keyword)) return value;
	return Array.isArray(value) ? value.map((inner, index) => act(inner, String(index))) : act(value, void 0);
}
// src/server/diagnostics/keywords.ts
/**
* Rejects schema keywords that would check nothing. JSON Schema ignores an unknown keyword, so `min` instead
* of `minimum` would leave an argument unchecked. A contract is searched for such keywords when its class is
* defined, and by the lint rule `no-unknown-keyword`.
*/
/** Texts, and not lists: a bundler leaves out what is not used if making it has no effect. */
const listed = (words) => words?.split(" ").filter(Boolean) ?? [];
/** Keywords that any schema may have: checks that apply to every type, and annotations. */
const GENERAL = "type const enum not allOf anyOf oneOf if then else $ref $defs definitions $id $schema $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $vocabulary $comment title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType contentSchema";
const NUMBER = "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf";
const FUNCTION = "parameters returnType instanceType";
/** The keywords that check values of one type, the common ones first. */
const OF_TYPE = {
	number: NUMBER,
	integer: NUMBER,
	bigint: NUMBER,
	string: "minLength maxLength pattern format",
	array: "minItems maxItems items uniqueItems contains minContains maxContains prefixItems additionalItems unevaluatedItems",
	object: "properties required additionalProperties minProperties maxProperties patternProperties propertyNames dependencies dependentRequired dependentSchemas unevaluatedProperties",
	function: FUNCTION,
	constructor: FUNCTION,
	boolean: "",
	null: "",
	undefined: "",
	void: "",
	symbol: ""
};
/** Keywords that hold a number. */
const BOUND = /^(min|max|exclusiveM|multipleOf)/;
/** Keywords that lead to functions, and the type of schema that they belong to. */
const LEADS_TO_FUNCTIONS = {
	properties: "object",
	items: "array"
};
/**
* Rejects a value that is not a schema. Rejects, at any depth, a keyword that does not apply to the schema's
* type, a bound that is not a number, an unknown type, and a format without a check. Rejects a function in a
* place where the runtime would not find it: see callback-places.
*
* @param path - the position in the contract, such as `[0]`
* @param mayHoldFunctions - whether the schema is an argument, or only properties and items lead to it
* @throws TypeError
*/
function checkSchema(schema, path, mayHoldFunctions = false) {
	if (typeof schema === "boolean") return;
	if (isStandard(schema)) {
		const { vendor } = schema["~standard"];
		throw new TypeError(`${path} is a schema of ${vendor} inside of a schema of TypeBox: write the whole argument with one of them`);
	}
	if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new TypeError(`${path} is not a schema`);
	if (isStreamOf(schema)) throw new TypeError(`${path} is streamOf(): a stream must be a whole argument, not a part of one`);
	const entries = Object.entries(schema).filter(([, value]) => value !== void 0);
	const { type = [], format } = schema;
	const types = [type].flat().map(String);
	const problem = firstOf(types.map(typeProblem)) ?? firstOf(entries.map(([keyword]) => keywordProblem(keyword, types))) ?? firstOf(entries.map(([keyword, value]) => boundProblem(keyword, value))) ?? formatProblem(format) ?? functionProblem(schema, types, mayHoldFunctions);
	if (problem) throw new TypeError(`${path} has ${problem}`);
	for (const [keyword, value] of entries) {
		const leads = mayHoldFunctions && types.length === 1 && LEADS_TO_FUNCTIONS[keyword] === types[0];
		mapInnerSchemas(keyword, value, (inner, step) => {
			const isListed = step !== void 0 && Array.isArray(value);
			checkSchema(inner, path + propertyPath(keyword) + (step === void 0 ? "" : propertyPath(step)), leads && !isListed);
		});
	}
}
function firstOf(problems) {
	return problems.find((problem) => problem !== void 0);
}
/**
* The problem with a keyword.
*
* @param types - the types that the schema names; empty for any type
* @returns `undefined` if the schema may have the keyword
*/
function keywordProblem(keyword, types) {
	if (/^(~|x-)/.test(keyword) || listed(GENERAL).includes(keyword)) return void 0;
	const named = types.length > 0 ? types : Object.keys(OF_TYPE);
	const known = [...new Set(named.flatMap((type) => listed(OF_TYPE[type])))];
	if (known.includes(keyword)) return void 0;
	const isMisplaced = Object.values(OF_TYPE).some((keywords) => listed(keywords).includes(keyword));
	const problem = isMisplaced ? `the keyword ${keyword}, which does not apply to the type ${types.join(" or ")}` : `an unknown keyword ${keyword}`;
	const near = nearest(keyword, [...known, ...listed(GENERAL)]);
	if (near && !isMisplaced) return `${problem}: did you mean ${near}?`;
	const hint = isMisplaced ? "" : " (begin the name of an annotation with x-)";
	return problem + (types.length > 0 && known.length > 0 ? `: there are ${known.join(", ")}` : "") + hint;
}
function typeProblem(type) {
	if (Object.hasOwn(OF_TYPE, type)) return void 0;
	const near = nearest(type, Object.keys(OF_TYPE));
	return `an unknown type ${type}${near ? `: did you mean ${near}?` : ""}`;
}
/** JSON Schema also ignores a bound that is not a number. An old version had `exclusiveMinimum: true`. */
function boundProblem(keyword, value) {
	if (typeof value === "number" || typeof value === "bigint" || !BOUND.test(keyword)) return void 0;
	return `the keyword ${keyword}, whose value is not a number`;
}
function formatProblem(format) {
	if (typeof format !== "string" || Format.Has(format)) return void 0;
	const near = nearest(format, Format.Entries().map(([name]) => name));
	return `an unknown format ${format}: ${near ? `did you mean ${near}?` : "define it by Format.Set of typebox/format"}`;
}
/**
* The problem with a function: it is in a place where the runtime would not find it, or `callback` has not made it.
*/
function functionProblem(schema, types, mayBeFunction) {
	if (!types.includes("function")) return void 0;
	if (!isCallback(schema)) return "a bare Type.Function: write callback([Type.String()], Type.Boolean())";
	if (mayBeFunction && types.length === 1) return void 0;
	return `a callback() in an unsupported place: make it an argument, a property of a Type.Object, or the items of a Type.Array`;
}
export { FEED, METHOD_KIND, checkEventsOf, checkSchema, isFeed, isStandard, isStreamOf, keywordProblem, mapInnerSchemas, nearest };
