#!/usr/bin/env node
import { jsonValidator } from "./schemas.js";
import { REFINED, UNREADABLE, readSchema } from "./written-schema.js";
import { configIn, installedWrangler, isModule, workerdConfig } from "./wrangler.js";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { tmpdir } from "node:os";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
// src/contract/schemas/linked-schema.ts
/** The schema that accepts no value. */
const NOTHING = { not: {} };
/** The keyword of a schema whose reference leads nowhere. */
const UNRESOLVED = "unresolved";
function namedIn(schema, keyword) {
	return schema[keyword] ?? {};
}
function isAnything(schema) {
	return Object.keys(schema).length === 0;
}
function isNothing(schema) {
	const { not } = schema;
	return schema === NOTHING || not !== void 0 && isAnything(not);
}
const ONE = new Set("items additionalItems additionalProperties contains propertyNames unevaluatedItems unevaluatedProperties not if then else returnType".split(" "));
const LISTS = new Set("allOf anyOf oneOf prefixItems parameters".split(" "));
const NAMED = new Set("properties patternProperties dependentSchemas".split(" "));
const DEFINITIONS = ["$defs", "definitions"];
/** The pattern of the keys of `Type.Record(Type.String(), …)`. */
const ANY_KEY = /^\^(\.\*|\(\.\*\))\$$/;
function linkSchema(root) {
	if (typeof root === "boolean") return root ? {} : NOTHING;
	return new Linker().link(root, {
		root,
		definitions: {}
	});
}
var Linker = class {
	#links = /* @__PURE__ */ new Map();
	link(schema, around) {
		if (typeof schema !== "object" || schema === null) return schema === false ? NOTHING : {};
		const known = this.#links.get(schema);
		if (known) return known;
		const fields = schema;
		const linked = {};
		this.#links.set(schema, linked);
		const scope = scopeWithin(fields, around);
		const { $ref, ...rest } = fields;
		for (const [keyword, held] of Object.entries(renewed(rest))) {
			if (keyword === "$id" || keyword === "$defs" || keyword === "definitions") continue;
			linked[keyword] = this.#linkKeyword(keyword, held, scope);
		}
		if (typeof $ref === "string") {
			const target = find($ref, scope);
			if (target === void 0) linked[UNRESOLVED] = $ref;
			else linked["allOf"] = [...linked["allOf"] ?? [], this.link(target, scope)];
		}
		return linked;
	}
	#linkKeyword(keyword, held, scope) {
		if (ONE.has(keyword)) return this.link(held, scope);
		if (LISTS.has(keyword)) return held.map((inner) => this.link(inner, scope));
		if (!NAMED.has(keyword)) return held;
		return Object.fromEntries(Object.entries(held).map(([name, inner]) => [name, this.link(inner, scope)]));
	}
};
function scopeWithin(schema, around) {
	const own = DEFINITIONS.flatMap((name) => schema[name] === void 0 ? [] : [schema[name]]);
	if (own.length === 0) return around;
	return {
		...around,
		definitions: Object.assign({}, around.definitions, ...own)
	};
}
/** @returns `undefined` for a reference to nothing */
function find($ref, { root, definitions }) {
	const name = $ref.replace(/^#\/(\$defs|definitions)\//, "");
	if (Object.hasOwn(definitions, name)) return definitions[name];
	const withId = Object.values(definitions).find((one) => one["$id"] === $ref);
	if (withId || root["$id"] === $ref) return withId ?? root;
	if ($ref !== "#" && !$ref.startsWith("#/")) return void 0;
	let part = root;
	for (const step of $ref.split("/").slice(1)) {
		const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
		if (!Object.hasOwn(Object(part), key)) return void 0;
		part = part[key];
	}
	return part;
}
/** Returns a schema in which each constraint has one form, where JSON Schema has several keywords for it. */
function renewed(schema) {
	const copy = { ...schema };
	const { items, patternProperties } = schema;
	if (Array.isArray(items)) {
		copy["prefixItems"] = items;
		delete copy["items"];
		if (copy["additionalItems"] !== void 0) copy["items"] = copy["additionalItems"];
	}
	delete copy["additionalItems"];
	if ("const" in schema) {
		copy["enum"] = [schema["const"]];
		delete copy["const"];
	}
	if (schema["type"] === "integer") closeLimits(copy);
	const [pattern, ...more] = Object.keys(Object(patternProperties));
	if (pattern && more.length === 0 && ANY_KEY.test(pattern)) {
		copy["additionalProperties"] = patternProperties[pattern];
		delete copy["patternProperties"];
	}
	return copy;
}
/** Writes the exclusive limits of integers as inclusive limits. */
function closeLimits(copy) {
	const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum } = copy;
	if (typeof above === "number" && minimum === void 0) {
		copy["minimum"] = Math.floor(above) + 1;
		delete copy["exclusiveMinimum"];
	}
	if (typeof below === "number" && maximum === void 0) {
		copy["maximum"] = Math.ceil(below) - 1;
		delete copy["exclusiveMaximum"];
	}
}
// src/contract/schemas/alternatives.ts
/**
* Writes a schema as a list of schemas without alternatives, so that each can be compared by its keywords.
*/
/** Keywords that hold alternatives, or schemas that apply together. */
const COMBINING = /* @__PURE__ */ new Set([
	"anyOf",
	"oneOf",
	"allOf"
]);
/** The maximum number of alternatives of a schema. Nothing is proved about a schema with more. */
const MAX_ALTERNATIVES = 256;
/** Keywords whose greater value accepts less. */
const LEAST = new Set("minimum exclusiveMinimum minLength minItems minProperties minContains".split(" "));
/** Keywords whose smaller value accepts less. */
const MOST = new Set("maximum exclusiveMaximum maxLength maxItems maxProperties".split(" "));
/**
* Returns a list of schemas without alternatives. Each value of the schema has to match a schema of the list.
*
* @param isAccepting - a schema with `oneOf` accepts less than its members
* @returns `undefined` for a schema that cannot be written in this way
*/
function alternativesOf(schema, isAccepting, within = /* @__PURE__ */ new Set()) {
	if (isNothing(schema)) return [];
	if (within.has(schema)) return void 0;
	const seen = /* @__PURE__ */ new Set([...within, schema]);
	const { type, anyOf, oneOf, allOf = [] } = schema;
	const base = Object.fromEntries(Object.entries(schema).filter(([name]) => !COMBINING.has(name)));
	let found = Array.isArray(type) ? type.map((one) => withKeyword(base, "type", one)) : [base];
	const choices = [anyOf, oneOf].filter((choice) => choice !== void 0);
	if (isAccepting && oneOf && !areApart(oneOf)) return void 0;
	for (const choice of [...choices, ...allOf.map((one) => [one])]) {
		const inner = [];
		for (const member of choice) {
			const alternatives = alternativesOf(member, isAccepting, seen);
			if (!alternatives) return void 0;
			inner.push(...alternatives);
		}
		const merged = [];
		for (const one of found) for (const other of inner) {
			const both = intersect(one, other);
			if (!both) return void 0;
			if (!isNothing(both)) merged.push(both);
		}
		if (merged.length > MAX_ALTERNATIVES) return void 0;
		found = merged;
	}
	return found;
}
/**
* Returns whether each value matches at most one of the schemas, because they differ in their types, or in the value of
* a property.
*/
function areApart(members) {
	return members.every((one, index) => members.slice(index + 1).every((other) => isApart(one, other)));
}
function isApart(one, other) {
	const { type, enum: values } = one;
	const { type: otherType, enum: otherValues } = other;
	const isSame = coversType(type, otherType) || coversType(otherType, type);
	if (typeof type === "string" && typeof otherType === "string" && !isSame) return true;
	if (values && otherValues) return !values.some((value) => otherValues.includes(value));
	const required = new Set(other["required"] ?? []);
	const properties = namedIn(other, "properties");
	return (one["required"] ?? []).filter((name) => required.has(name)).some((name) => {
		const mine = namedIn(one, "properties")[name];
		const theirs = properties[name];
		return mine?.["enum"] && theirs?.["enum"] && isApart(mine, theirs);
	});
}
/** @returns a schema of the values that match both; `undefined` if it cannot be written */
function intersect(one, other) {
	const both = { ...one };
	if (("additionalProperties" in one || "additionalProperties" in other) && !haveSameNames(one, other)) return void 0;
	for (const [keyword, operand] of Object.entries(other)) {
		const { [keyword]: own } = both;
		if (own === void 0) both[keyword] = operand;
		else if (keyword === "type") {
			if (coversType(own, operand)) both[keyword] = operand;
			else if (!coversType(operand, own)) return NOTHING;
		} else if (LEAST.has(keyword)) both[keyword] = greater(own, operand);
		else if (MOST.has(keyword)) both[keyword] = greater(own, operand) === own ? operand : own;
		else if (keyword === "required") both[keyword] = [.../* @__PURE__ */ new Set([...own, ...operand])];
		else if (keyword === "enum") {
			both[keyword] = own.filter((value) => operand.includes(value));
			if (both[keyword].length === 0) return NOTHING;
		} else if (keyword === "properties") both[keyword] = together(own, operand);
		else if (!isDeepStrictEqual(own, operand)) return void 0;
	}
	return both;
}
function greater(one, other) {
	return one > other ? one : other;
}
function haveSameNames(one, other) {
	const bare = (schema) => schema["properties"] === void 0 && schema["additionalProperties"] === void 0;
	if (bare(one) || bare(other)) return true;
	const names = (schema) => Object.keys(namedIn(schema, "properties")).toSorted();
	return isDeepStrictEqual(names(one), names(other));
}
function together(one, other) {
	const both = { ...one };
	for (const [name, schema] of Object.entries(other)) {
		const { [name]: own } = both;
		both[name] = own ? { allOf: [own, schema] } : schema;
	}
	return both;
}
/** Returns a schema with another value of a keyword. */
function withKeyword(schema, keyword, operand) {
	return {
		...schema,
		[keyword]: operand
	};
}
/** Splits a schema of listed values, or of booleans, into one schema for each value. */
function splitByValue(schema) {
	const { type, enum: values } = schema;
	if (values) return values.map((value) => withKeyword(schema, "enum", [value]));
	return type === "boolean" ? [true, false].map((value) => withKeyword(schema, "enum", [value])) : [schema];
}
/** Splits the schema of an object, if a required property has several listed values, into one schema for each value. */
function splitByProperty(schema) {
	const properties = namedIn(schema, "properties");
	const name = (schema["required"] ?? []).find((one) => {
		const alternatives = properties[one] && alternativesOf(properties[one], false);
		return alternatives && alternatives.flatMap(splitByValue).length > 1;
	});
	if (name === void 0) return void 0;
	const values = alternativesOf(properties[name], false)?.flatMap(splitByValue);
	if (!values || values.length > MAX_ALTERNATIVES) return void 0;
	return values.map((value) => withKeyword(schema, "properties", {
		...properties,
		[name]: value
	}));
}
/** Returns whether each value of the type `narrow` is a value of the type `wide`. */
function coversType(wide, narrow) {
	if (wide === void 0 || wide === narrow) return true;
	if (wide === "number") return narrow === "integer";
	return (wide === "void" || wide === "undefined") && (narrow === "void" || narrow === "undefined");
}
// src/contract/schemas/covers.ts
/**
* Proves that a schema accepts every value that another schema describes. It knows the keywords that builders of
* schemas write. A keyword that it does not know has to be equal in both.
*/
/** Keywords that `#coversOne` reads together. */
const TOGETHER = new Set(`type enum properties required additionalProperties items prefixItems parameters returnType ${REFINED}`.split(" "));
var Covering = class {
	/**
	* For each wider schema, the narrower schemas that it covers. A pair whose proof is under way counts, too, because a
	* schema can contain itself.
	*/
	#assumed = /* @__PURE__ */ new Map();
	/** The pairs of `#assumed` in their order. If a proof fails, the proofs that relied on it are taken back. */
	#trail = [];
	/**
	* Proves that `wide` accepts each value that is sent by `narrow`. An object is sent with the properties that its
	* schema names, and with other properties only if the schema says so.
	*
	* @returns false if there is no proof
	*/
	covers(wide, narrow) {
		if (wide === narrow || isAnything(wide) || isNothing(narrow)) return true;
		const assumed = this.#assumed.get(wide) ?? /* @__PURE__ */ new Set();
		this.#assumed.set(wide, assumed);
		if (assumed.has(narrow)) return true;
		const before = this.#trail.length;
		assumed.add(narrow);
		this.#trail.push([wide, narrow]);
		if (this.#coversAll(wide, narrow)) return true;
		for (const [one, other] of this.#trail.splice(before)) this.#assumed.get(one)?.delete(other);
		return false;
	}
	#coversAll(wide, narrow) {
		const alternatives = alternativesOf(narrow, false);
		const accepting = alternativesOf(wide, true);
		if (!alternatives || !accepting) return false;
		return alternatives.flatMap(splitByValue).every((one) => this.#isCovered(one, accepting));
	}
	#isCovered(narrow, accepting) {
		if (accepting.some((wide) => this.#coversOne(wide, narrow))) return true;
		const parts = splitByProperty(narrow);
		return parts !== void 0 && parts.every((part) => this.#isCovered(part, accepting));
	}
	/** Compares two schemas without alternatives. */
	#coversOne(wide, narrow) {
		if (isAnything(wide)) return true;
		if (wide["refined"] !== void 0 && wide["refined"] !== narrow["refined"]) return false;
		const { enum: values } = narrow;
		if (values?.every(isScalar)) return values.every((value) => acceptsScalar(wide, value));
		if (wide["enum"] !== void 0 && !isDeepStrictEqual(wide["enum"], values)) return false;
		if (!coversType(wide["type"], narrow["type"])) return false;
		for (const [keyword, operand] of Object.entries(wide)) {
			if (TOGETHER.has(keyword)) continue;
			if (!coversKeyword(keyword, operand, narrow)) return false;
		}
		return this.#coversProperties(wide, narrow) && this.#coversItems(wide, narrow) && this.#coversFunction(wide, narrow);
	}
	#coversProperties(wide, narrow) {
		const own = namedIn(narrow, "properties");
		const accepted = namedIn(wide, "properties");
		const others = narrow["additionalProperties"];
		const acceptedOthers = wide["additionalProperties"] ?? {};
		const required = narrow["required"] ?? [];
		if (!(wide["required"] ?? []).every((name) => required.includes(name))) return false;
		for (const [name, sent] of Object.entries(own)) {
			const schema = Object.hasOwn(accepted, name) ? accepted[name] : acceptedOthers;
			if (!this.covers(schema, sent)) return false;
		}
		if (others === void 0 || isNothing(others)) return true;
		const missing = Object.entries(accepted).filter(([name]) => !Object.hasOwn(own, name));
		return this.covers(acceptedOthers, others) && missing.every(([, schema]) => this.covers(schema, others));
	}
	#coversItems(wide, narrow) {
		const own = narrow["prefixItems"] ?? [];
		const accepted = wide["prefixItems"] ?? [];
		const most = Number(narrow["maxItems"] ?? Infinity);
		const length = Math.max(own.length, accepted.length);
		for (let index = 0; index <= length && index < most; index++) {
			const sent = (index < own.length ? own[index] : narrow["items"]) ?? {};
			const schema = (index < accepted.length ? accepted[index] : wide["items"]) ?? {};
			if (!this.covers(schema, sent)) return false;
		}
		return true;
	}
	/**
	* Returns whether a function fits: it accepts the arguments with which it is called, and returns a value that is
	* expected.
	*/
	#coversFunction(wide, narrow) {
		if (wide["type"] !== "function") return true;
		const [accepted, sent] = [signatureOf(wide), signatureOf(narrow)];
		return sent.parameters.every((schema, index) => this.covers(schema, accepted.parameters[index] ?? UNDEFINED)) && (accepted.result["type"] === "void" || this.covers(accepted.result, sent.result));
	}
};
/** Returns the parameters and the result of a function's schema. */
function signatureOf({ parameters, returnType }) {
	return {
		parameters: parameters ?? [],
		result: returnType ?? {}
	};
}
/** The schema of arguments that a caller leaves out. */
const UNDEFINED = { type: "undefined" };
function isScalar(value) {
	return typeof value !== "object" || value === null;
}
/** Returns whether a schema without alternatives accepts a value that is no object. */
function acceptsScalar(wide, value) {
	if (wide["unreadable"] !== void 0 || wide["unresolved"] !== void 0) return false;
	const scalar = Object.fromEntries(Object.entries(wide).filter(([name]) => !TOGETHER.has(name)));
	const { type, enum: values } = wide;
	const schema = {
		...scalar,
		...type !== void 0 && { type },
		...values !== void 0 && { enum: values }
	};
	try {
		return !jsonValidator(schema, "schema").validate(value).issues;
	} catch {
		return false;
	}
}
function coversKeyword(keyword, operand, narrow) {
	const own = narrow[keyword];
	if (LEAST.has(keyword) || MOST.has(keyword)) return coversLimit(keyword, operand, narrow);
	if (keyword === "multipleOf") {
		if (operand === 1 && narrow["type"] === "integer") return true;
		return own !== void 0 && Number(own) % Number(operand) === 0;
	}
	if (keyword === "uniqueItems" && operand === false) return true;
	return own !== void 0 && isDeepStrictEqual(own, operand);
}
function coversLimit(keyword, limit, narrow) {
	const sign = LEAST.has(keyword) ? 1 : -1;
	const name = keyword.replace(/^exclusiveM/, "m");
	const exclusive = `exclusive${name[0]?.toUpperCase()}${name.slice(1)}`;
	const isExclusive = keyword === exclusive;
	const order = (one) => sign * (one < limit ? -1 : one > limit ? 1 : 0);
	if (narrow[exclusive] !== void 0 && order(narrow[exclusive]) >= 0) return true;
	if (narrow[name] !== void 0 && order(narrow[name]) >= (isExclusive ? 1 : 0)) return true;
	if (limit === 0 && /^min(Length|Items|Properties)$/.test(name)) return true;
	if (name === "minProperties") return (narrow["required"] ?? []).length >= Number(limit);
	return false;
}
// src/contract/schemas/examples.ts
/** Makes values of a schema, also values near its limits, to find a value that another schema does not accept. */
/** The maximum number of values. */
const MAX_EXAMPLES = 3e3;
/** The depth to which optional parts of a schema are followed, if the schema contains itself. */
const MAX_DEPTH = 5;
/** Texts of the formats that builders of schemas know, and other texts. */
const TEXTS = [
	"",
	"a",
	"A",
	"é",
	"0",
	"12",
	"abc",
	"a b",
	"a-b",
	"user@example.com",
	"https://example.com/path",
	"2026-01-02",
	"2026-01-02T03:04:05Z",
	"2026-01-02T03:04:05.678Z",
	"03:04:05Z",
	"P1D",
	"PT1H",
	"example.com",
	"127.0.0.1",
	"::1",
	"6ba7b810-9dad-41d1-80b4-00c04fd430c8",
	"YQ=="
];
function hintsOf(...schemas) {
	const hints = {
		values: /* @__PURE__ */ new Set(),
		numbers: /* @__PURE__ */ new Set([
			-1,
			0,
			1,
			2,
			.5,
			1e3
		]),
		names: /* @__PURE__ */ new Set()
	};
	const seen = /* @__PURE__ */ new Set();
	const visit = (part) => {
		if (typeof part === "number") for (const near of [
			part - 1,
			part,
			part + 1,
			part + .5
		]) hints.numbers.add(near);
		if (typeof part !== "object" || part === null || seen.has(part)) return;
		seen.add(part);
		const { enum: values } = part;
		if (Array.isArray(values)) for (const value of values) hints.values.add(value);
		const { properties, pattern } = part;
		if (typeof pattern === "string") hints.values.add(textLike(pattern));
		for (const name of Object.keys(properties ?? {})) hints.names.add(name);
		for (const inner of Object.values(part)) visit(inner);
	};
	schemas.forEach(visit);
	return hints;
}
/** Returns a text that matches a simple pattern, such as `room-0` for `^room-\\d+$`. */
function textLike(pattern) {
	return pattern.replaceAll(/\\d/g, "0").replaceAll(/\\[wW]/g, "a").replaceAll(/\[\^?(.)[^\]]*\]/g, "$1").replaceAll(/(.)\{(\d+)[^}]*\}/g, (_, character, count) => character.repeat(Math.min(Number(count), 1e3))).replaceAll(/\|[^)]*/g, "").replaceAll(/[.\\]?[*?]|^\^|\$$|\((\?:)?|\)/g, "").replaceAll(/([^\\])\+/g, "$1").replaceAll(/\\(.)/g, "$1");
}
/** @returns values that probably match the schema; the first is the plainest */
function* examplesOf(schema, hints, depth = 0) {
	let count = 0;
	for (const alternative of alternativesOf(schema, false) ?? []) for (const value of examplesOfOne(alternative, hints, depth)) {
		if (++count > MAX_EXAMPLES) return;
		yield value;
	}
}
function* examplesOfOne(schema, hints, depth) {
	const { type, enum: values } = schema;
	if (values) return yield* values;
	switch (type) {
		case "string": return yield* texts$1(schema, hints);
		case "number":
		case "integer": return yield* numbers(schema, hints);
		case "bigint": return yield* [...hints.numbers].filter(Number.isInteger).map(BigInt);
		case "boolean": return yield* [true, false];
		case "null": return yield null;
		case "undefined":
		case "void": return yield void 0;
		case "array": return yield* arrays(schema, hints, depth);
		case "object": return yield* objects(schema, hints, depth);
		case "function": return yield () => {};
		case void 0:
			yield* [
				void 0,
				null,
				"a",
				1,
				true,
				{},
				[]
			];
			return yield* hints.values;
	}
}
function* texts$1(schema, hints) {
	const { minLength, maxLength, pattern, format } = schema;
	const named = [...TEXTS, ...hints.values].filter((value) => typeof value === "string");
	if (pattern !== void 0 || format !== void 0) return yield* named.filter(checkOf(schema));
	for (const length of [
		minLength ?? 1,
		maxLength ?? 1,
		...hints.numbers
	]) if (Number.isInteger(length) && length >= 0 && length <= 1e5) yield "a".repeat(length);
	yield* named;
}
function checkOf(schema) {
	try {
		const { [REFINED]: _, ...checked } = schema;
		const validator = jsonValidator(checked, "schema");
		return (value) => !validator.validate(value).issues;
	} catch {
		return () => true;
	}
}
function* numbers(schema, hints) {
	const { multipleOf } = schema;
	yield* hints.numbers;
	if (typeof multipleOf !== "number") return;
	for (const near of hints.numbers) yield Math.ceil(near / multipleOf) * multipleOf;
}
/** Returns the first example of a schema; `undefined` if there is none. */
function plainest(schema, hints, depth) {
	for (const value of examplesOf(schema, hints, depth)) return [value];
}
function* arrays(schema, hints, depth) {
	const prefix = schema["prefixItems"] ?? [];
	const items = schema["items"];
	const { minItems = 0, maxItems = Infinity } = schema;
	const itemAt = (index) => prefix[index] ?? items ?? {};
	const made = (length) => {
		const list = Array.from({ length }, (_, index) => plainest(itemAt(index), hints, depth + 1));
		return list.every((one) => one !== void 0) ? list.map(([one]) => one) : void 0;
	};
	const lengths = /* @__PURE__ */ new Set([
		minItems,
		prefix.length,
		1,
		...hints.numbers
	]);
	for (const length of lengths) {
		if (!Number.isInteger(length) || length < minItems || length > Math.min(maxItems, 1001)) continue;
		const list = made(length);
		if (list) yield list;
	}
	if (depth > MAX_DEPTH) return;
	const length = Math.min(Math.max(minItems, prefix.length, 1), maxItems);
	const base = made(length);
	if (!base) return;
	for (let index = 0; index < Math.min(length, prefix.length + 1); index++) for (const value of examplesOf(itemAt(index), hints, depth + 1)) yield base.with(index, value);
}
/** The name of a property that no schema names. */
const OTHER = "other";
function* objects(schema, hints, depth) {
	const properties = Object.entries(schema["properties"] ?? {});
	const required = new Set(schema["required"] ?? []);
	const base = {};
	for (const [name, inner] of properties) {
		if (!required.has(name)) continue;
		const value = plainest(inner, hints, depth + 1);
		if (!value) return;
		[base[name]] = value;
	}
	for (const name of required) if (!Object.hasOwn(base, name)) base[name] = null;
	yield base;
	if (depth > MAX_DEPTH) return;
	for (const [name, inner] of properties) for (const value of examplesOf(inner, hints, depth + 1)) yield {
		...base,
		[name]: value
	};
	const others = schema["additionalProperties"];
	if (!others || isNothing(others)) return;
	for (const name of [OTHER, ...hints.names]) for (const value of examplesOf(others, hints, depth + 1)) yield {
		...base,
		[name]: value
	};
}
// src/contract/schemas/compare-schemas.ts
/**
* Compares two schemas by the values that they accept. A proof shows that a schema accepts all values of the other
* schema, and an example shows that it does not. Without either, the answer is unknown.
*/
/** @returns `undefined` if both schemas accept the same values */
function compareSchemas(older, newer) {
	if (isDeepStrictEqual(older, newer)) return void 0;
	const newAcceptsOld = acceptance(newer, older);
	const oldAcceptsNew = acceptance(older, newer);
	return newAcceptsOld.accepts === "all" && oldAcceptsNew.accepts === "all" ? void 0 : {
		newAcceptsOld,
		oldAcceptsNew
	};
}
/** Returns whether a schema is known: its library makes a JSON Schema of it. */
function isReadable(schema) {
	return typeof schema !== "object" || schema["unreadable"] === void 0;
}
/**
* Returns whether a schema contains checks or transforms that are code, or other parts that JSON Schema does not show.
*/
function hasCode(schema) {
	if (typeof schema !== "object" || schema === null) return false;
	return Object.entries(schema).some(([name, held]) => isCount(name, held) || hasCode(held));
}
/** Returns whether `wide` accepts each value that `narrow` describes. */
function acceptance(wide, narrow) {
	return linkedAcceptance({
		schema: wide,
		linked: linkSchema(readSchema(wide))
	}, {
		schema: narrow,
		linked: linkSchema(readSchema(narrow))
	});
}
function linkedAcceptance(wide, narrow) {
	if (new Covering().covers(wide.linked, narrow.linked)) return { accepts: "all" };
	const found = counterexample(wide, narrow);
	if (found) return found;
	return refusesPart(wide.linked, narrow.linked) ? { accepts: "some" } : { accepts: "unknown" };
}
/** Finds a value that one schema describes, and the other does not accept. */
function counterexample(wide, narrow) {
	const accepting = validatorOf(wide.schema);
	const describing = validatorOf(narrow.schema);
	if (!accepting || !describing) return void 0;
	for (const example of examplesOf(narrow.linked, hintsOf(narrow.linked, wide.linked))) {
		if (describing(example) !== void 0) continue;
		const problem = accepting(example);
		if (problem !== void 0) return {
			accepts: "some",
			example,
			problem
		};
	}
}
/** @returns a function that returns the problem of a value; `undefined` for a schema that cannot be checked */
function validatorOf(schema) {
	try {
		const validator = jsonValidator(withoutCounts(readSchema(schema)), "schema");
		return (value) => {
			const [issue] = validator.validate(value).issues ?? [];
			return issue && `${issue.path} ${issue.message}`.trim();
		};
	} catch {
		return;
	}
}
/** Returns a schema without the keyword that counts hidden parts, which JSON Schema does not have. */
function withoutCounts(schema) {
	if (Array.isArray(schema)) return schema.map(withoutCounts);
	if (typeof schema !== "object" || schema === null) return schema;
	const entries = Object.entries(schema).filter(([name, held]) => !isCount(name, held));
	return Object.fromEntries(entries.map(([name, held]) => [name, withoutCounts(held)]));
}
/** Returns whether a keyword counts hidden parts. A property of an object can have its name, too. */
function isCount(name, held) {
	return name === "refined" && typeof held === "number";
}
/**
* Returns whether a part certainly does not fit its place, though no example shows it. Such a part has values of a type
* that `wide` does not name and no example has, such as `Date`. Or it is a function that gets arguments which it does not
* accept, or whose result is not accepted.
*/
function refusesPart(wide, narrow, seen = /* @__PURE__ */ new Set()) {
	if (seen.has(wide)) return false;
	const within = /* @__PURE__ */ new Set([...seen, wide]);
	const inner = (one, other) => typeof one === "object" && typeof other === "object" && refusesPart(one, other, within);
	if (wide["type"] === "function" && narrow["type"] === "function") {
		const refuses = (one, other) => linkedAcceptance(sideOf(one), sideOf(other)).accepts === "some";
		const [accepted, sent] = [signatureOf(wide), signatureOf(narrow)];
		return sent.parameters.some((schema, index) => refuses(schema, accepted.parameters[index] ?? UNDEFINED)) || accepted.result["type"] !== "void" && refuses(accepted.result, sent.result);
	}
	if (refusesType(wide, narrow)) return true;
	const { properties: accepted = {}, items } = wide;
	const { properties: sent = {}, items: sentItems } = narrow;
	return Object.entries(accepted).some(([name, schema]) => inner(schema, sent[name])) || inner(items, sentItems);
}
/** Returns whether a schema describes values of a type that the other schema does not name. */
function refusesType(wide, narrow) {
	const accepting = alternativesOf(wide, true);
	const typeOf = ({ type }) => typeof type === "string" ? type : void 0;
	if (!accepting?.every((one) => typeOf(one) !== void 0)) return false;
	return (alternativesOf(narrow, false) ?? []).some((one) => typeOf(one) !== void 0 && !accepting.some((other) => coversType(typeOf(other), typeOf(one))));
}
/** Returns a part of a schema as a whole. A part that contains itself has no text, and is not checked by examples. */
function sideOf(linked) {
	try {
		return {
			schema: JSON.parse(JSON.stringify(linked)),
			linked
		};
	} catch {
		return {
			schema: { [UNREADABLE]: "itself" },
			linked
		};
	}
}
// src/contract/changes/rules.ts
/** The meetings in words, in the order of the table. */
const MEETINGS = {
	oldPage: "old page, new object",
	newPage: "new page, old object",
	stored: "stored events and capabilities"
};
const MISSING = "`METHOD_NOT_FOUND`";
const INVALID = "`INVALID_ARGUMENTS`";
const UNSUPPORTED = "`UNSUPPORTED`";
const FORBIDDEN = "`FORBIDDEN`";
const UNEXPECTED = "an unexpected value";
const FAILS = "an error, or no values";
const NOT_FOUND = "`NOT_FOUND`";
const OBJECT_FIRST = "Deploy the object first, then the page that needs the new contract.";
const PAGE_FIRST = "Deploy a page that does not need the old contract first, then the object, once the old pages are closed.";
const BOTH_FORMS = "Add a method with the new form, and deploy the object. Then deploy the page that calls the new method, and then remove the old method.";
const AS_OPTIONAL = "Add an optional argument, and deploy the object. Then deploy the page that passes it, and then require the argument.";
const works = {
	oldPage: void 0,
	newPage: void 0,
	stored: void 0
};
/** The rules by name. A list of allowed changes has these names. */
const RULES = {
	"method-added": {
		...works,
		change: "add a method",
		newPage: MISSING,
		instead: `${OBJECT_FIRST} Or let the page wait for the method, with the option \`awaitMethods\`.`
	},
	"method-removed": {
		...works,
		change: "remove a method",
		oldPage: MISSING,
		instead: PAGE_FIRST
	},
	"optional-argument-added": {
		...works,
		change: "add an optional argument",
		newPage: INVALID,
		instead: OBJECT_FIRST
	},
	"argument-added": {
		...works,
		change: "add a required argument",
		oldPage: INVALID,
		newPage: INVALID,
		instead: AS_OPTIONAL
	},
	"optional-argument-removed": {
		...works,
		change: "remove an optional argument",
		oldPage: INVALID,
		instead: PAGE_FIRST
	},
	"argument-removed": {
		...works,
		change: "remove a required argument",
		oldPage: INVALID,
		newPage: INVALID,
		instead: "Make the argument optional, and deploy the object. Then deploy the page that leaves it out, and then remove the argument."
	},
	"argument-optional": {
		...works,
		change: "make an argument optional",
		newPage: INVALID,
		instead: OBJECT_FIRST
	},
	"argument-required": {
		...works,
		change: "require an optional argument",
		oldPage: INVALID,
		instead: "Deploy the page that always passes the argument first, then the object, once the old pages are closed."
	},
	"argument-widened": {
		...works,
		change: "accept more values in an argument",
		newPage: INVALID,
		instead: OBJECT_FIRST
	},
	"argument-narrowed": {
		...works,
		change: "accept fewer values in an argument",
		oldPage: INVALID,
		instead: PAGE_FIRST
	},
	"argument-changed": {
		...works,
		change: "accept other values in an argument",
		oldPage: INVALID,
		newPage: INVALID,
		instead: "Accept the old and the new values, and deploy the object. Then deploy the page, and then accept only the new values."
	},
	"callback-changed": {
		...works,
		change: "change the arguments or the result of a callback",
		oldPage: UNEXPECTED,
		newPage: UNEXPECTED,
		instead: BOTH_FORMS
	},
	"stream-argument": {
		...works,
		change: "turn an argument into a stream, or a stream into a list",
		oldPage: UNSUPPORTED,
		newPage: UNSUPPORTED,
		instead: BOTH_FORMS
	},
	"result-widened": {
		...works,
		change: "allow more values in results or events",
		oldPage: UNEXPECTED,
		instead: "Deploy the page that understands the new values first, then the object, once the old pages are closed."
	},
	"result-narrowed": {
		...works,
		change: "allow fewer values in results, or add properties",
		newPage: UNEXPECTED,
		instead: "Deploy the object first, then the page that relies on the new results."
	},
	"result-changed": {
		...works,
		change: "allow other values in results",
		oldPage: UNEXPECTED,
		newPage: UNEXPECTED,
		instead: BOTH_FORMS
	},
	"event-narrowed": {
		...works,
		change: "allow fewer values in events, or add properties",
		newPage: UNEXPECTED,
		stored: UNEXPECTED,
		instead: "Keep the schema of events as wide as the stored events: make a new property optional, and let the page read both forms."
	},
	"event-changed": {
		...works,
		change: "allow other values in events",
		oldPage: UNEXPECTED,
		newPage: UNEXPECTED,
		stored: UNEXPECTED,
		instead: "Publish the new events in a feed of their own, with another method and another name."
	},
	"subscription-added": {
		...works,
		change: "turn a call into a live value",
		newPage: UNSUPPORTED,
		instead: OBJECT_FIRST
	},
	"subscription-removed": {
		...works,
		change: "turn a live value into a call",
		oldPage: UNSUPPORTED,
		instead: PAGE_FIRST
	},
	"kind-changed": {
		...works,
		change: "change the kind of a method in another way",
		oldPage: FAILS,
		newPage: FAILS,
		instead: BOTH_FORMS
	},
	"key-changed": {
		...works,
		change: "change the key of rows",
		oldPage: "missing or repeated rows",
		newPage: "missing or repeated rows",
		instead: BOTH_FORMS
	},
	"capability-not-returned": {
		...works,
		change: "return another class of capabilities, or none",
		oldPage: UNEXPECTED,
		instead: BOTH_FORMS
	},
	"capability-returned": {
		...works,
		change: "return one more class of capabilities",
		newPage: UNEXPECTED,
		instead: OBJECT_FIRST
	},
	"capability-removed": {
		...works,
		change: "remove or rename a class of capabilities",
		stored: FORBIDDEN,
		instead: "Keep the class under its old name, until nobody holds a capability of it. The name in the contract is the name of the class without Impl."
	},
	"address-narrowed": {
		...works,
		change: "allow fewer addresses of capabilities",
		stored: FORBIDDEN,
		instead: "Let the class accept the addresses of the capabilities that exist."
	},
	"class-removed": {
		...works,
		change: "remove a class, or its binding",
		oldPage: NOT_FOUND,
		instead: PAGE_FIRST
	},
	"class-added": {
		...works,
		change: "add a class, or a binding",
		instead: ""
	},
	"output-undeclared": {
		...works,
		change: "add or remove an output schema",
		instead: ""
	}
};
// src/contract/changes/compare-contracts.ts
/** Finds the changes between two contracts, and the effects of each change. */
/** Returns the name of a change in the list of allowed changes. */
function nameOf({ place, part, rule }) {
	return `${place}${part} ${rule}`;
}
/** @returns the changes, in the order of the places */
function compareContracts(older, newer) {
	return new Comparison().classes(older, newer);
}
function uncomparedPlaces(classes) {
	const unreadable = [];
	const code = [];
	const see = (place, schema) => {
		if (!isReadable(schema)) unreadable.push(place);
		else if (hasCode(schema)) code.push(place);
	};
	const visit = (owner, methods) => {
		for (const [name, { input, output }] of Object.entries(methods)) {
			for (const [index, { schema }] of input.entries()) see(`${owner}.${name}[${index}]`, schema);
			see(`${owner}.${name} output`, output);
		}
	};
	for (const [owner, { methods, capabilities = {} }] of Object.entries(classes)) {
		visit(owner, methods);
		for (const [name, { address, methods: own }] of Object.entries(capabilities)) {
			for (const [index, { schema }] of address.entries()) see(`${owner}/${name}[${index}]`, schema);
			visit(`${owner}/${name}`, own);
		}
	}
	return {
		unreadable,
		code
	};
}
var Comparison = class Comparison {
	#changes = [];
	classes(older, newer) {
		for (const [name, old] of Object.entries(older)) {
			const now = newer[name] ?? sameBinding(old, newer, older);
			if (now) this.#class(name, old, now);
			else this.#add("class-removed", name);
		}
		for (const [name, now] of Object.entries(newer)) if (!older[name] && !sameBinding(now, older, newer)) this.#add("class-added", name);
		return this.#changes;
	}
	#class(name, old, now) {
		const [before, after] = [old.bindings, now.bindings];
		if (before && after) {
			for (const binding of before.filter((one) => !after.includes(one))) this.#add("class-removed", name, ` ${binding}`);
			for (const binding of after.filter((one) => !before.includes(one))) this.#add("class-added", name, ` ${binding}`);
		}
		const renamed = this.#capabilities(name, old.capabilities ?? {}, now.capabilities ?? {});
		this.#methods(name, old.methods, now.methods, renamed);
	}
	/** @returns for each old class of capabilities, the new class that stands in its place */
	#capabilities(owner, old, now) {
		const gone = Object.keys(old).filter((name) => !now[name]);
		const come = Object.keys(now).filter((name) => !old[name]);
		const renamed = new Map(Object.keys(old).map((name) => [name, name]));
		for (const name of gone) {
			const like = come.find((other) => namesOf(now[other]) === namesOf(old[name]));
			if (like === void 0) renamed.delete(name);
			else renamed.set(name, like);
			this.#add("capability-removed", `${owner}/${name}`);
		}
		for (const [name, other] of renamed) {
			const [before, after] = [old[name], now[other]];
			if (!before || !after) continue;
			const place = `${owner}/${name}`;
			this.#methods(place, before.methods, after.methods, renamed);
			if (name === other) this.#address(place, before.address, after.address);
		}
		return renamed;
	}
	#address(place, old, now) {
		const within = new Comparison();
		within.#arguments(place, old, now, /* @__PURE__ */ new Map());
		for (const { part, breaks } of within.#changes) {
			const found = breaks.get("oldPage");
			if (found) this.#changes.push({
				place,
				part,
				rule: "address-narrowed",
				breaks: /* @__PURE__ */ new Map([["stored", {
					...found,
					effect: RULES["address-narrowed"].stored
				}]])
			});
		}
	}
	#methods(owner, old, now, renamed) {
		for (const [name, before] of Object.entries(old)) {
			const after = Object.hasOwn(now, name) ? now[name] : void 0;
			if (after) this.#method(`${owner}.${name}`, before, after, renamed);
			else this.#add("method-removed", `${owner}.${name}`);
		}
		for (const name of Object.keys(now)) if (!Object.hasOwn(old, name)) this.#add("method-added", `${owner}.${name}`);
	}
	#method(place, old, now, renamed) {
		const kind = kindRule(old.kind, now.kind);
		if (kind) this.#add(kind, place);
		this.#arguments(place, old.input, now.input, renamed);
		if (kind === "kind-changed") return;
		if (old.kind === "rows" && old.key !== now.key) this.#add("key-changed", place);
		this.#output(place, now.kind, old.output, now.output);
		const before = (old.returns ?? []).map((name) => renamed.get(name));
		const after = now.returns ?? [];
		if (before.some((name) => name === void 0 || !after.includes(name))) this.#add("capability-not-returned", place);
		if (after.some((name) => !before.includes(name))) this.#add("capability-returned", place);
	}
	#arguments(place, old, now, renamed) {
		for (let index = 0; index < Math.max(old.length, now.length); index++) {
			const [before, after] = [old[index], now[index]];
			const part = `[${index}]`;
			if (!before) this.#add(after?.optional ? "optional-argument-added" : "argument-added", place, part);
			else if (!after) this.#add(before.optional ? "optional-argument-removed" : "argument-removed", place, part);
			else this.#argument(place, part, before, after, renamed);
		}
	}
	#argument(place, part, old, now, renamed) {
		if (old.optional && !now.optional) this.#add("argument-required", place, part);
		if (!old.optional && now.optional) this.#add("argument-optional", place, part);
		if (old.capability !== void 0 || now.capability !== void 0) {
			if (!(renamed.get(old.capability ?? "") === now.capability)) this.#add("argument-changed", place, part);
			return;
		}
		const isTurned = Boolean(old.stream) !== Boolean(now.stream);
		const [before, after] = isTurned ? [asList(old), asList(now)] : [old.schema, now.schema];
		this.#compare(place, part, before ?? true, after ?? true, ({ accepted, sent }) => {
			const oldPage = old.stream && !now.stream ? REFUSED : accepted;
			const newPage = now.stream && !old.stream ? REFUSED : sent;
			const rule = isTurned ? "stream-argument" : void 0;
			const ofFunction = hasFunction(before) || hasFunction(after) ? "callback-changed" : void 0;
			return {
				rule: rule ?? ofFunction ?? ruleOf("argument", oldPage, newPage),
				oldPage,
				newPage
			};
		});
	}
	#output(place, kind, old, now) {
		if (old === void 0 !== (now === void 0)) this.#add("output-undeclared", place);
		if (old === void 0 || now === void 0) return;
		this.#compare(place, "", old, now, ({ accepted, sent }) => {
			const isEvent = kind === "events";
			return {
				rule: ruleOf(isEvent && !isWhole(accepted) ? "event" : "result", accepted, sent),
				oldPage: sent,
				newPage: accepted,
				...isEvent && { stored: accepted }
			};
		});
	}
	#compare(place, part, old, now, judge) {
		if (!isReadable(old) && !isReadable(now)) return;
		const change = compareSchemas(old, now);
		const { rule, ...meetings } = judge({
			accepted: change?.newAcceptsOld ?? WHOLE,
			sent: change?.oldAcceptsNew ?? WHOLE
		});
		const breaks = /* @__PURE__ */ new Map();
		for (const [meeting, acceptance] of Object.entries(meetings)) {
			if (isWhole(acceptance)) continue;
			const { [meeting]: effect = "" } = RULES[rule];
			const isUncertain = acceptance.accepts === "unknown";
			breaks.set(meeting, {
				effect,
				acceptance,
				...isUncertain && { isUncertain }
			});
		}
		if (breaks.size > 0) this.#changes.push({
			place,
			part,
			rule,
			breaks
		});
	}
	#add(rule, place, part = "") {
		const effects = RULES[rule];
		const breaks = /* @__PURE__ */ new Map();
		for (const meeting of [
			"oldPage",
			"newPage",
			"stored"
		]) {
			const { [meeting]: effect } = effects;
			if (effect !== void 0) breaks.set(meeting, { effect });
		}
		this.#changes.push({
			place,
			part,
			rule,
			breaks
		});
	}
};
const WHOLE = { accepts: "all" };
const REFUSED = { accepts: "some" };
/** Returns the values that can be sent in the place of an argument as a list. */
function asList({ stream, schema = true }) {
	return stream ? {
		type: "array",
		items: schema
	} : schema;
}
function hasFunction(schema) {
	return JSON.stringify(schema)?.includes("\"type\":\"function\"") ?? false;
}
function isWhole({ accepts }) {
	return accepts === "all";
}
function ruleOf(what, accepted, sent) {
	const change = isWhole(accepted) ? "widened" : isWhole(sent) ? "narrowed" : "changed";
	return what === "event" && change === "widened" ? "result-widened" : `${what}-${change}`;
}
const CALLS = /* @__PURE__ */ new Set([
	"call",
	"read",
	"volatile"
]);
/** @returns `undefined` if callers of a method of the old kind can use a method of the new kind */
function kindRule(old, now) {
	if (old === now || CALLS.has(old) && CALLS.has(now)) return void 0;
	if (old === "stream" && now === "rows") return void 0;
	if (CALLS.has(old) && now === "live") return "subscription-added";
	if (old === "live" && CALLS.has(now)) return "subscription-removed";
	return "kind-changed";
}
function namesOf(capability) {
	return Object.keys(capability?.methods ?? {}).join(" ");
}
/** Returns the class that clients reach by the same binding, in the place of a class that is gone. */
function sameBinding({ bindings = [] }, others, own) {
	return Object.entries(others).find(([name, other]) => !own[name] && other.bindings?.some((one) => bindings.includes(one)))?.[1];
}
// src/contract/program/contract-file.ts
/** Reads and writes the file of the contracts. */
/** The form of the file. A later version of the package may write another form. */
const VERSION = 1;
const ABOUT = "Written by `npx lumenize-rpc contract`: what the deployed classes promise. Commit it.";
const RESTORE = "Restore the file that was committed with the last deployment.";
const argument = { type: "object" };
const listOf = (items) => ({
	type: "array",
	items
});
const recordOf = (values) => ({
	type: "object",
	additionalProperties: values
});
const objectOf = (properties, ...required) => ({
	type: "object",
	properties,
	required
});
const methods = recordOf(objectOf({
	kind: { type: "string" },
	input: listOf(argument)
}, "kind", "input"));
/** The form of the file, as far as a comparison relies on it. */
const VALIDATOR = jsonValidator(objectOf({
	version: { const: VERSION },
	allowed: listOf({ type: "string" }),
	classes: recordOf(objectOf({
		bindings: listOf({ type: "string" }),
		methods,
		capabilities: recordOf(objectOf({
			address: listOf(argument),
			methods
		}, "address", "methods"))
	}, "methods"))
}, "version", "classes"), "contract.json");
/** @throws Error that says what to do, for a file that is missing or cannot be read */
function readContractFile(path) {
	if (!existsSync(path)) throw new Error(`There is no ${path} yet. Write it from what is deployed, with \`npx lumenize-rpc contract\`, and commit it.`);
	const text = readFileSync(path, "utf8");
	if (/^(<{7}|={7}|>{7})( |$)/m.test(text)) throw new Error(`${path} has the marks of a merge conflict. Take the file of the branch that is deployed, then check again.`);
	const file = parsed$1(path, text);
	if (Object.hasOwn(file, "version") && file.version !== VERSION) throw new Error(`${path} has the form ${String(file.version)}, and this version of lumenize-rpc reads ${VERSION}. Write it again with \`npx lumenize-rpc contract\`.`);
	const [issue] = VALIDATOR.validate(file).issues ?? [];
	if (issue) throw new Error(`${path} is damaged: ${issue.path} ${issue.message}. ${RESTORE}`);
	return file;
}
function parsed$1(path, text) {
	let file;
	try {
		file = JSON.parse(text);
	} catch (cause) {
		throw new Error(`${path} is not JSON: ${cause.message}. ${RESTORE}`, { cause });
	}
	const { classes } = Object(file);
	if (typeof classes !== "object" || classes === null) throw new Error(`${path} has no \`classes\`: it is not a file of \`npx lumenize-rpc contract\`.`);
	return file;
}
function writeContractFile(path, { classes, allowed = [] }) {
	const file = {
		about: ABOUT,
		version: VERSION,
		...allowed.length > 0 && { allowed },
		classes
	};
	writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
}
// src/contract/program/options.ts
/** The command line of `lumenize-rpc contract`. */
const USAGE = `Usage: npx lumenize-rpc contract [options]

Writes the contract of each class that the Worker exports into contract.json: the arguments and the
results of its methods. Commit the file, and write it again with each deployment.

  --check            compares the Worker with the file, and does not change the file. It prints the
                     effects of each change, and how to avoid them. It exits with 1 if a change breaks
                     something
  --allow <change>   with --check, adds a change to the list of allowed changes in the file, such as
                     "Room.post[0] argument-narrowed". Writing the file empties the list. Repeatable
  --ignore <what>    with --check, ignores changes that break only this. Repeatable:
                       old-page  old pages that call a new object
                       new-page  new pages that call an old object
                       stored    stored events and capabilities
  --file <path>      the file. Default contract.json, beside the configuration
  --config <path>    the configuration of the Worker. Default wrangler.jsonc, wrangler.json or
                     wrangler.toml in this folder
  --env <name>       the environment of the configuration, as for wrangler deploy
  --help             prints this text`;
const MEETING_NAMES = {
	"old-page": "oldPage",
	"new-page": "newPage",
	stored: "stored"
};
const text$1 = { type: "string" };
const texts = {
	type: "string",
	multiple: true
};
const flag = {
	type: "boolean",
	default: false
};
/**
* @param args - the arguments, without the paths of Node and the program
* @throws Error if an argument is wrong; its message describes the problem
*/
function readOptions(args) {
	const { values, positionals } = parsed(args);
	const { help, check, allow = [], ignore = [], file, config, env } = values;
	const [command, ...more] = positionals;
	if (!help && command !== "contract") throw new Error(command === void 0 ? "the command is missing: use npx lumenize-rpc contract" : `${command} is not a command: use npx lumenize-rpc contract`);
	if (more.length > 0) throw new Error(`${more.join(" ")} is not an option`);
	if (!check && allow.length > 0) throw new Error("--allow needs --check");
	if (!check && ignore.length > 0) throw new Error("--ignore needs --check");
	const meetings = ignore.map((name) => {
		if (!Object.hasOwn(MEETING_NAMES, name)) throw new Error(`--ignore ${name}: use ${Object.keys(MEETING_NAMES).join(", ")}`);
		return MEETING_NAMES[name];
	});
	return {
		help,
		check,
		allow,
		ignore: new Set(meetings),
		file,
		config,
		env
	};
}
function parsed(args) {
	try {
		return parseArgs({
			args: [...args],
			allowPositionals: true,
			options: {
				check: flag,
				help: flag,
				allow: texts,
				ignore: texts,
				file: text$1,
				config: text$1,
				env: text$1
			}
		});
	} catch (cause) {
		const [problem = ""] = cause.message.split(/\.\s/);
		throw new Error(problem, { cause });
	}
}
// src/contract/program/report.ts
/** Describes the effects of the changes of a contract, in Markdown for a pull request. */
/**
* @param allowed - the names of allowed changes
* @param ignored - the meetings that may break
*/
function judge(changes, allowed, ignored) {
	const harmless = changes.filter(({ breaks }) => breaks.size === 0);
	const isAllowed = (change) => allowed.includes(nameOf(change)) || [...change.breaks.keys()].every((meeting) => ignored.has(meeting));
	const breaking = changes.filter(({ breaks }) => breaks.size > 0);
	return {
		failing: breaking.filter((change) => !isAllowed(change)),
		allowed: breaking.filter(isAllowed),
		harmless
	};
}
function formatReport({ failing, allowed, harmless }, { unreadable, code }) {
	const others = allowed.length + harmless.length;
	return [
		...failing.map(formatChange),
		section("Allowed", allowed),
		section("Breaks nothing", harmless),
		places("Not compared, because the library of the schema makes no JSON Schema", unreadable),
		places("Compared without the checks and transforms that are code", code),
		summary(failing.length, others, unreadable.length + code.length > 0),
		orderOf(failing)
	].filter(Boolean).join("\n\n");
}
function places(title, names) {
	if (names.length === 0) return void 0;
	return `${title}: ${names.map((name) => `\`${name}\``).join(", ")}`;
}
function section(title, changes) {
	if (changes.length === 0) return void 0;
	return `${title}:\n${changes.map((change) => `- ${titleOf(change)}`).join("\n")}`;
}
function titleOf({ place, part, rule }) {
	return `\`${place}${part}\`: ${RULES[rule].change}`;
}
function formatChange(change) {
	const lines = [...change.breaks].map(([meeting, found]) => `- ${formatBreak(meeting, found)}`);
	return [
		`### ${titleOf(change)}`,
		"",
		...lines,
		`- **Instead:** ${RULES[change.rule].instead}`,
		`- ${whenAllowed(change)}: \`npx lumenize-rpc contract --check --allow "${nameOf(change)}"\``
	].join("\n");
}
function whenAllowed({ breaks }) {
	if (breaks.size > 1 || breaks.has("stored")) return "To allow it all the same";
	return breaks.has("oldPage") ? "Once no old page is open, allow it" : "If no page needs it yet, or if the page waits, allow it";
}
function formatBreak(meeting, { effect, isUncertain, acceptance }) {
	const name = `**${MEETINGS[meeting]}**`;
	if (isUncertain) return `${name} may break, because the two schemas cannot be compared: ${effect}`;
	return `${name} breaks: ${effect}${acceptance ? formatExample(acceptance) : ""}`;
}
function formatExample(acceptance) {
	if (acceptance.accepts !== "some" || acceptance.problem === void 0) return "";
	const { example, problem } = acceptance;
	return `, for example for \`${inText(example)}\`: ${problem}`;
}
/** The maximum length of the text of an example. */
const MAX_TEXT = 80;
function inText(value) {
	const text = JSON.stringify(value, (_, inner) => typeof inner === "bigint" ? `${inner}n` : typeof inner === "function" ? "function" : inner) ?? String(value);
	return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
/** @param isPart - whether something was not compared */
function summary(failing, others, isPart) {
	if (failing > 0) return `${count(failing, "change")} of the contract ${failing === 1 ? "breaks" : "break"} something.`;
	if (others === 0) return isPart ? "The parts that could be compared have not changed." : "The contract has not changed.";
	return `${count(others, "change")} of the contract, and nothing breaks. Write the file again when you deploy: npx lumenize-rpc contract`;
}
/** Says how to check if every deployment updates the object before the page, so that no page meets an older object. */
function orderOf(failing) {
	const later = failing.filter(({ breaks }) => breaks.has("newPage") && breaks.size === 1).length;
	if (later === 0) return void 0;
	return `${later === failing.length ? later === 1 ? "It" : "They" : `${later} of them`} ${later === 1 ? "breaks" : "break"} only new pages that meet an old object. If you always deploy the object before the page, check with \`--ignore new-page\`.`;
}
function count(number, noun) {
	return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
// src/contract/program/worker-contracts.ts
/**
* Finds the contracts of a project's classes: builds its Worker as a deployment would, with an entry of this package
* around it, and runs the bundle once in workerd.
*/
/**
* The path of the entry. In the built package it is also a file of its own, beside the module that contains this file.
*/
const DESCRIBE = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../describe.ts" : "./contract-describe.js", import.meta.url).href);
/** The text that the Worker prints before the contracts. */
const MARK = "lumenize-rpc contracts: ";
/**
* @param config - the path of wrangler's configuration
* @param env - the environment of the configuration
* @returns the contracts of all classes, by the names of the classes
* @throws Error that says what to do: for a Worker that cannot be built, or that throws when it starts
*/
async function contractsOfWorker(config, env) {
	const project = dirname(config);
	const wrangler = installedWrangler(project);
	const settings = wrangler.readConfig(config, env);
	if (!settings.main) throw new Error(`${config} names no \`main\`: it has no Worker whose contracts could be read.`);
	const temporary = await mkdtemp(join(tmpdir(), "lumenize-rpc-contract-"));
	const entry = join(project, `.wrangler/tmp/contract-${process.pid}.mjs`);
	try {
		await mkdir(dirname(entry), { recursive: true });
		await writeFile(entry, entryAround(entry, settings.main));
		await build(wrangler, config, env, entry, temporary);
		const classes = await run(wrangler, settings, temporary);
		for (const [name, contract] of Object.entries(classes)) classes[name] = {
			bindings: settings.durable_objects.bindings.filter(({ class_name, script_name }) => class_name === name && !script_name).map((binding) => binding.name),
			...contract
		};
		return classes;
	} finally {
		await rm(entry, { force: true });
		await rm(temporary, {
			recursive: true,
			force: true
		});
	}
}
function entryAround(entry, main) {
	const from = (file) => {
		const path = relative(dirname(entry), file).split(sep).join("/");
		return JSON.stringify(path.startsWith(".") ? path : `./${path}`);
	};
	return `import * as exported from ${from(main)};
import { describeClasses } from ${from(DESCRIBE)};
export * from ${from(main)};
export default {
  test() {
    console.log(${JSON.stringify(MARK)} + JSON.stringify(describeClasses(exported)));
  },
};
`;
}
async function build(wrangler, config, env, entry, folder) {
	const args = [
		"deploy",
		entry,
		"--config",
		config,
		"--dry-run",
		"--outdir",
		folder
	];
	if (env !== void 0) args.push("--env", env);
	const { code, output } = await end(wrangler.start(args, dirname(config)));
	if (code !== 0) throw new Error(`The Worker could not be built:\n${output.trim()}`);
}
/** Runs the bundle, which prints the contracts. */
async function run({ workerd }, settings, folder) {
	await writeFile(join(folder, "workerd.capnp"), configOf(settings, folder));
	const { code, stdout, output } = await end(spawn(workerd.path, ["test", "workerd.capnp"], {
		cwd: folder,
		stdio: [
			"ignore",
			"pipe",
			"pipe"
		]
	}));
	const line = stdout.split("\n").find((one) => one.includes(MARK));
	if (code === 0 && line) return JSON.parse(line.slice(line.indexOf(MARK) + 24));
	throw new Error(`The Worker throws when it starts:\n${output.trim()}`);
}
function configOf(settings, folder) {
	const files = readdirSync(folder, {
		recursive: true,
		encoding: "utf8"
	}).map((file) => file.split(sep).join("/")).filter(isModule);
	const main = files.find((file) => /^contract-\d+\.m?js$/.test(file)) ?? "";
	const { compatibility_date = "", compatibility_flags, durable_objects, vars } = settings;
	return workerdConfig({
		main,
		modules: files.filter((file) => file !== main),
		compatibilityDate: compatibility_date,
		compatibilityFlags: compatibility_flags,
		bindings: durable_objects.bindings,
		vars
	});
}
/**
* Waits for a process to end.
*
* @returns `stdout`: its output; `output`: its output and its error output
*/
async function end(child) {
	const [stdout, stderr, closed] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, "close")
	]);
	const [code] = closed;
	return {
		code: code ?? 1,
		stdout,
		output: stdout + stderr
	};
}
/** @returns the absolute path of the configuration */
function findConfig(named) {
	const path = named === void 0 ? configIn(process.cwd()) : resolve(named);
	if (path !== void 0 && existsSync(path)) return path;
	throw new Error(named ? `There is no file ${named}: name the Wrangler configuration with --config.` : `There is no wrangler.jsonc in ${process.cwd()}: run this in the folder of the Worker, or name its configuration with --config.`);
}
// src/contract/program/main.ts
/** The program `lumenize-rpc`: `npx lumenize-rpc contract`. */
/** @returns the exit code: 1 for a change that breaks something, 2 if the contracts cannot be checked */
async function main() {
	let options;
	try {
		options = readOptions(process.argv.slice(2));
	} catch (error) {
		console.error(`lumenize-rpc: ${error.message}\n\n${USAGE}`);
		return 2;
	}
	if (options.help) {
		console.log(USAGE);
		return 0;
	}
	try {
		return await (options.check ? check(options) : write(options));
	} catch (error) {
		console.error(`lumenize-rpc: ${error.message}`);
		return 2;
	}
}
function fileOf({ file }, config) {
	const path = file ? resolve(file) : join(dirname(config), "contract.json");
	return relative(process.cwd(), path);
}
async function write(options) {
	const config = findConfig(options.config);
	const classes = await contractsOfWorker(config, options.env);
	const path = fileOf(options, config);
	const names = Object.keys(classes);
	if (names.length === 0) throw new Error("The Worker exports no class of lumenizeRpcDO, so there is no contract to write.");
	writeContractFile(path, { classes });
	console.log(`${path} has the contracts of ${names.join(", ")}.`);
	return 0;
}
async function check(options) {
	const config = findConfig(options.config);
	const path = fileOf(options, config);
	const file = readContractFile(path);
	const classes = await contractsOfWorker(config, options.env);
	const changes = compareContracts(file.classes, classes);
	const names = new Set(changes.filter(({ breaks }) => breaks.size > 0).map(nameOf));
	const wrong = options.allow.find((name) => !names.has(name));
	if (wrong !== void 0) throw new Error(`--allow ${wrong}: no change of this name breaks something.`);
	const allowed = [.../* @__PURE__ */ new Set([...file.allowed ?? [], ...options.allow])];
	if (options.allow.length > 0) writeContractFile(path, {
		...file,
		allowed
	});
	const judged = judge(changes, allowed, options.ignore);
	console.log(formatReport(judged, uncomparedPlaces(classes)));
	return judged.failing.length > 0 ? 1 : 0;
}
process.exitCode = await main();
