import { propertyPath } from "./wire.js";
import { StreamOf, eachInner, nearest } from "./server-core.js";
import { Format } from "typebox/format";
// src/server/keywords.ts
/**
* Rejects schema keywords that would check nothing. JSON Schema ignores an unknown keyword, so `min` instead
* of `minimum` would leave an argument unchecked. A contract is searched for such keywords when its class is
* defined, and by the lint rule `no-unknown-keyword`. Imports TypeBox, items,
* nearest, schema-parts and wire/.
*/
const list = (words) => words.split(" ");
/** Keywords that any schema may have: checks that apply to every type, and annotations. */
const GENERAL = list("type const enum not allOf anyOf oneOf if then else $ref $defs definitions $id $schema $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $vocabulary $comment title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType contentSchema");
const NUMBER = list("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf");
const FUNCTION = list("parameters returnType instanceType");
/** The keywords that check values of one type, the common ones first. */
const OF_TYPE = {
	number: NUMBER,
	integer: NUMBER,
	bigint: NUMBER,
	string: list("minLength maxLength pattern format"),
	array: list("minItems maxItems items uniqueItems contains minContains maxContains prefixItems additionalItems unevaluatedItems"),
	object: list("properties required additionalProperties minProperties maxProperties patternProperties propertyNames dependencies dependentRequired dependentSchemas unevaluatedProperties"),
	function: FUNCTION,
	constructor: FUNCTION,
	...Object.fromEntries(list("boolean null undefined void symbol").map((type) => [type, []]))
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
	if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new TypeError(`${path} is not a schema`);
	if (schema instanceof StreamOf) throw new TypeError(`${path} is items(): a stream must be a whole argument, not a part of one`);
	const entries = Object.entries(schema).filter(([, value]) => value !== void 0);
	const { type = [], format } = schema;
	const types = [type].flat().map(String);
	const problem = firstOf(types.map(typeProblem)) ?? firstOf(entries.map(([keyword]) => keywordProblem(keyword, types))) ?? firstOf(entries.map(([keyword, value]) => boundProblem(keyword, value))) ?? formatProblem(format) ?? functionProblem(schema, types, mayHoldFunctions);
	if (problem) throw new TypeError(`${path} has ${problem}`);
	for (const [keyword, value] of entries) {
		const leads = mayHoldFunctions && types.length === 1 && LEADS_TO_FUNCTIONS[keyword] === types[0];
		eachInner(keyword, value, (inner, step) => {
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
	if (/^(~|x-)/.test(keyword) || GENERAL.includes(keyword)) return void 0;
	const named = types.length > 0 ? types : Object.keys(OF_TYPE);
	const known = [...new Set(named.flatMap((type) => OF_TYPE[type] ?? []))];
	if (known.includes(keyword)) return void 0;
	const isMisplaced = Object.values(OF_TYPE).some((keywords) => keywords.includes(keyword));
	const problem = isMisplaced ? `the keyword ${keyword}, which does not apply to the type ${types.join(" or ")}` : `an unknown keyword ${keyword}`;
	const near = nearest(keyword, [...known, ...GENERAL]);
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
	const formats = Format.Entries().map(([name]) => name);
	const near = nearest(format, formats);
	return `an unknown format ${format}: ${near ? `did you mean ${near}?` : "define it by Format.Set of typebox/format"}`;
}
/**
* The problem with a function: it is in a place where the runtime would not find it, or its result would not
* be validated.
*/
function functionProblem(schema, types, mayBeFunction) {
	if (!types.includes("function")) return void 0;
	if (!mayBeFunction || types.length > 1) return `a Type.Function in an unsupported place: make it an argument, a property of a Type.Object, or the items of a Type.Array`;
	if ("returnType" in schema) return void 0;
	return "a function without a returnType: write Type.Function([Type.String()], Type.Boolean())";
}
export { checkSchema, keywordProblem };
