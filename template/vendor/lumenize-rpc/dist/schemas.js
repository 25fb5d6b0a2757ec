import { isObject as isObject$2, propertyPath } from "./wire.js";
// src/server/base/brands.ts
/**
* The marks of what features make: entries, schemas and feeds. Plain properties, and not classes, so that two copies of
* the package understand each other.
*/
function isStreamOf(value) {
	return isObject$2(value) && "~streamOf" in value;
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
	return isObject$2(value) && FEED in value;
}
/**
* Lets a feed that a method has returned check its events.
*
* @param check - `undefined` where nothing is checked
*/
function checkEventsOf(result, check) {
	if (check && isFeed(result)) result.checkEvents?.(check);
}
// src/server/schemas/found-value.ts
/**
* What a value is, in words, for errors. Of all values, only numbers are shown: a rejected secret must not get into a
* log.
*/
/** Describes the kind of a value and its size. */
function describeFound(value) {
	switch (typeof value) {
		case "number":
		case "undefined": return String(value);
		case "bigint": return BigInt.asIntN(64, value) === value ? `${value}n` : "a bigint";
		case "string": return `a string of ${count(sizeOf(value), "character")}`;
		case "object": return describeObject(value);
		default: return `a ${typeof value}`;
	}
}
/**
* The number of characters, items or properties. A long text is counted in code units, because counting code points
* would take long.
*/
function sizeOf(value) {
	if (typeof value === "string") return value.length > 1e3 ? value.length : lengthOf(value);
	return Array.isArray(value) ? value.length : Object.keys(Object(value)).length;
}
/** The length of a text in code points. */
function lengthOf(text) {
	return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
function describeObject(value) {
	if (value === null) return "null";
	if (Array.isArray(value)) return `an array of ${count(value.length, "item")}`;
	const kind = Object.prototype.toString.call(value).slice(8, -1);
	if (kind === "Object") return `an object of ${count(sizeOf(value), "property")}`;
	return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`;
}
/** `1 item`, `2 items`. */
function count(number, noun) {
	if (number === 1) return `1 ${noun}`;
	return `${number} ${noun.replace(/y$/, "ie")}s`;
}
// src/server/base/standard-schema.ts
/** Whether a value is a schema of another library than TypeBox. Schemas of ArkType are functions. */
function isStandard(schema) {
	return Object(schema) === schema && "~standard" in schema;
}
// src/server/schemas/formats.ts
/** The formats of texts that a schema can name. What else a text must be is a check of `Type.Refine`. */
const LABEL = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`;
const HOST = String.raw`${LABEL}(?:\.${LABEL})*`;
const ATOM = String.raw`[\w!#$%&'*+/=?^\x60{|}~-]+`;
const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const HOURS = String.raw`([01]\d|2[0-3]):[0-5]\d`;
const CHARACTERS = String.raw`(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*`;
const AFTER_SCHEME = String.raw`(?:\/\/(?:(?:[\w.~:!$&'()*+,;=-]|%[\da-f]{2})*@)?\[[\da-f:.]+\](?=[:/?#]|$))?${CHARACTERS}(?:#${CHARACTERS})?`;
/** Matches a whole text. */
function whole(pattern) {
	let regExp;
	return (text) => (regExp ??= new RegExp(`^(?:${pattern})$`, "i")).test(text);
}
const isHost = whole(HOST);
const isClock = whole(String.raw`${HOURS}:([0-5]\d|60)(\.\d+)?(z|[+-]${HOURS})`);
/** By name, whether a text is of the format. */
const FORMATS = {
	"date-time": (text) => {
		const [date = "", time = "", ...more] = text.split(/t/i);
		return more.length === 0 && isDate(date) && isTime(time);
	},
	date: isDate,
	time: isTime,
	duration: whole(String.raw`P(?=\d|T)((\d+Y(?!\d+D))?(\d+M)?(\d+D)?(T(?=\d)(\d+H(?!\d+S))?(\d+M)?(\d+S)?)?|\d+W)`),
	email: whole(String.raw`(${ATOM}(\.${ATOM})*|"([^"\\]|\\[\x20-\x7e])*")@(${HOST}|\[(ipv6:[\da-f:.]+|${BYTE}(\.${BYTE}){3})\])`),
	hostname: (text) => text.length < 254 && isHost(text),
	ipv4: whole(String.raw`${BYTE}(\.${BYTE}){3}`),
	ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
	uri: whole(String.raw`[a-z][a-z\d+.-]*:${AFTER_SCHEME}`),
	"uri-reference": whole(String.raw`([a-z][a-z\d+.-]*:|(?![^/?#]*:))${AFTER_SCHEME}`),
	url: (text) => URL.canParse(text),
	uuid: whole(String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`),
	"json-pointer": whole("(/([^~/]|~[01])*)*"),
	regex: isPattern
};
/** Whether a text is a regular expression. */
function isPattern(text) {
	try {
		return Boolean(new RegExp(text, "u"));
	} catch {
		return false;
	}
}
function isDate(text) {
	const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
function isTime(text) {
	if (!isClock(text)) return false;
	if (text[6] !== "6") return true;
	const before = `1970-01-02T${text.replace(":60", ":59").toUpperCase()}`;
	return new Date(before).toISOString().includes("T23:59:59");
}
// src/server/schemas/failures.ts
/** What does not fit a schema, and how an error says it. */
function failed(expectation, operand, value, isFatal = false) {
	return {
		expectation,
		operand,
		value,
		key: void 0,
		inner: void 0,
		members: void 0,
		isFatal
	};
}
/** The failure of a part of a value. */
function failedAt(key, inner, expectation = PART) {
	const { isFatal } = inner;
	return {
		expectation,
		operand: key,
		value: key,
		key,
		inner,
		members: void 0,
		isFatal
	};
}
/** The failure of a value that fits no member of a union. */
function failedAll(members, value, operand) {
	const isFatal = members.some((member) => member.isFatal);
	const options = members.map(({ expectation, operand: of, inner }) => inner ? void 0 : expectation.options?.(of));
	return {
		expectation: options.includes(void 0) ? UNION : { options: () => options.flat() },
		operand,
		value,
		key: void 0,
		inner: void 0,
		members,
		isFatal
	};
}
const PART = {};
/** The name of a property does not fit. */
const NAME = {};
const UNION = { says: () => "must fit a schema of its union" };
const REQUIRED = {
	says: () => "is required",
	got: () => ""
};
const NOT_ALLOWED = {
	says: () => "is not allowed",
	got: () => ""
};
/** Says what does not fit. */
function issueOf(failure) {
	let path = "";
	let prefix = "";
	let found = failure;
	for (; found.inner; found = found.inner) {
		if (found.key !== void 0) path += propertyPath(String(found.key));
		if (found.expectation === NAME) prefix = "has a name that ";
	}
	return {
		path,
		message: prefix + messageOf(found)
	};
}
function messageOf({ expectation, operand, value }) {
	const { options, says, got = describeFound } = expectation;
	const expected = options ? `must be ${listed(options(operand))}` : says?.(operand, value);
	const instead = got(value);
	return instead ? `${expected}, got ${instead}` : `${expected}`;
}
/** Values of a schema that an error lists; further ones are counted. */
const MAX_SHOWN = 10;
function listed(values) {
	const shown = [...new Set(values)];
	const more = shown.splice(MAX_SHOWN).length;
	if (more > 0) shown.push(more === 1 ? "1 other value" : `${more} other values`);
	const last = shown.pop();
	return shown.length > 0 ? `${shown.join(", ")} or ${last}` : `${last}`;
}
// src/server/schemas/equality.ts
/** Compares values as JSON Schema does, for `const`, `enum` and `uniqueItems`. */
/**
* Whether no two of the values are equal, in time linear in their size. The order of properties does not matter. Objects
* other than arrays and plain objects are equal to themselves alone, and so are objects that contain themselves.
*/
function areUnique(values) {
	/** The number of each object, and of each list of parts: equal objects have the same number. */
	const numbers = /* @__PURE__ */ new Map();
	const numberOf = (object) => {
		const known = numbers.get(object);
		if (known !== void 0) return known;
		const own = numbers.size;
		numbers.set(object, own);
		const parts = partsOf(object, numberOf);
		if (parts === void 0) return own;
		const number = numbers.get(parts) ?? own;
		numbers.set(parts, number).set(object, number);
		return number;
	};
	const primitives = /* @__PURE__ */ new Set();
	const objects = /* @__PURE__ */ new Set();
	for (const value of values) if (isObject$1(value)) objects.add(numberOf(value));
	else primitives.add(value);
	return primitives.size + objects.size === values.length;
}
function areEqual(one, other) {
	return !areUnique([one, other]);
}
function isObject$1(value) {
	return typeof value === "object" && value !== null;
}
/** The parts of an object as text, in which each object is a number; `undefined` for an object of another class. */
function partsOf(object, numberOf) {
	const textOf = (value) => {
		if (isObject$1(value)) return `#${numberOf(value)}`;
		return typeof value === "string" ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
	};
	if (Array.isArray(object)) return `[${Array.from(object, textOf).join()}]`;
	if (object instanceof Date) return `Date ${+object}`;
	if (Object.prototype.toString.call(object) !== "[object Object]") return void 0;
	return `{${Object.entries(object).map(([key, value]) => textOf(key) + textOf(value)).toSorted().join()}}`;
}
// src/server/schemas/keywords.ts
/**
* The keywords of JSON Schema, in the order in which a value is checked: what a schema may write, what it then checks,
* and what an error says. A keyword that is not here is an error when a class is defined.
*/
const isA = (type) => (value) => typeof value === type;
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** By name, whether a value is of the type. */
const TYPES = {
	object: isObject,
	array: Array.isArray,
	string: isA("string"),
	integer: Number.isInteger,
	number: Number.isFinite,
	boolean: isA("boolean"),
	null: (value) => value === null,
	bigint: isA("bigint"),
	undefined: isA("undefined"),
	void: isA("undefined"),
	symbol: isA("symbol"),
	function: isA("function")
};
/** The values that keywords check, and the types that a schema can then name. */
const GROUPS = {
	number: {
		is: (value) => Number.isFinite(value) || typeof value === "bigint",
		types: [
			"number",
			"integer",
			"bigint"
		]
	},
	string: {
		is: isA("string"),
		types: ["string"]
	},
	array: {
		is: Array.isArray,
		types: ["array"]
	},
	object: {
		is: isObject,
		types: ["object"]
	},
	function: {
		is: isA("function"),
		types: ["function"]
	}
};
const isNames = (names) => Array.isArray(names) && names.every(isA("string"));
/** What keywords take. */
const OPERANDS = {
	"a type": (type) => [type].flat().every((one) => Object.hasOwn(TYPES, one)),
	"a format": (format) => Object.hasOwn(FORMATS, format),
	"a number": (limit) => Number.isFinite(limit) || typeof limit === "bigint",
	"a number above 0": (divisor) => typeof divisor === "bigint" ? divisor > 0n : Number.isFinite(divisor) && Number(divisor) > 0,
	"a boolean": isA("boolean"),
	"a text": isA("string"),
	"a regular expression": (pattern) => pattern instanceof RegExp || typeof pattern === "string" && isPattern(pattern),
	"a list": Array.isArray,
	"a list of names": isNames,
	"lists of names": (lists) => isObject(lists) && Object.values(lists).every(isNames),
	"a schema": () => true,
	"a list of schemas": Array.isArray,
	"a schema or a list": () => true,
	"schemas by name": isObject,
	"schemas by regular expression": (schemas) => isObject(schemas) && Object.keys(schemas).every(isPattern),
	"what it requires": isObject,
	anything: () => true
};
function keywordOf(name) {
	return Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : void 0;
}
/**
* Calls a function with each schema that a keyword holds.
*
* @param act - receives the schema, and the step from the keyword to it if there are several
* @returns the value of the keyword with each schema replaced by the result, and an object as a list of entries
*/
function mapInner(keyword, operand, act) {
	switch (keyword.takes) {
		case "a schema": return act(operand);
		case "a schema or a list": return Array.isArray(operand) ? mapEntries(operand, act).map(([, one]) => one) : act(operand);
		case "a list of schemas": return mapEntries(operand, act).map(([, one]) => one);
		case "schemas by name":
		case "schemas by regular expression": return mapEntries(operand, act);
		case "what it requires": return mapEntries(operand, (one, key) => Array.isArray(one) ? one : act(one, key));
		case "lists of names": return Object.entries(operand);
		default: return operand;
	}
}
function mapEntries(operand, act) {
	return Object.entries(operand).map(([key, one]) => [key, act(one, key)]);
}
function takes(keyword, operand) {
	return OPERANDS[keyword.takes](operand);
}
/** Of numbers: `>= 1`. */
const comparison = (sign, test) => ({
	takes: "a number",
	of: "number",
	says: (limit) => `must be ${sign} ${limit}`,
	test
});
/** Of texts, arrays and objects: `at least 1 item`. */
const size = (of, noun, most, fits) => ({
	takes: "a number",
	of,
	says: (limit) => `must have at ${most} ${count(limit, noun)}`,
	got: (value) => String(sizeOf(value)),
	test: (limit) => (value) => fits(value, limit)
});
/** A keyword that checks nothing by itself. */
const holding = (noun, of) => ({
	takes: noun,
	...of && { of }
});
/** All properties of an object that exist have to have others. */
const dependent = {
	takes: "what it requires",
	of: "object",
	make: (parts) => (value, seen) => {
		for (const [name, required] of parts) {
			if (!Object.hasOwn(value, name)) continue;
			if (typeof required === "function") {
				const failure = required(value, seen);
				if (failure) return failure;
			} else if (!required.every((other) => Object.hasOwn(value, other))) return failed(DEPENDENT, [name, required], value);
		}
	}
};
const DEPENDENT = { says: ([name, required]) => `must have properties ${required.join(", ")} when property ${name} is present` };
/** Whether an object has no properties but its own. */
function isPlain(value) {
	const prototype = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
}
/** The failure of an object without a property that it must have. */
function missing(names, value) {
	const name = names.find((one) => !Object.hasOwn(value, one));
	return name === void 0 ? void 0 : failedAt(name, failed(REQUIRED, void 0, void 0));
}
/** Checks items from an index on. */
const itemsFrom = (start, check) => (value, seen) => {
	const items = value;
	for (let index = start; index < items.length; index++) {
		const failure = check(items[index]);
		if (failure) return failedAt(index, failure);
		seen?.add(index);
	}
};
/** Checks the first items, each by a check of its own. */
const firstItems = (checks) => (value, seen) => {
	const items = value;
	for (let index = 0; index < checks.length && index < items.length; index++) {
		const failure = checks[index]?.(items[index]);
		if (failure) return failedAt(index, failure);
		seen?.add(index);
	}
};
/** Checks a value by each, until it does not fit. */
function allOf([first = accepts, second, ...more]) {
	if (!second) return first;
	const both = (value, seen) => first(value, seen) ?? second(value, seen);
	return more.length > 0 ? allOf([both, ...more]) : both;
}
/** Checks a value, and adds what was checked only if it fits. */
function attempt(check, value, seen) {
	if (!seen) return check(value);
	const own = /* @__PURE__ */ new Set();
	const failure = check(value, own);
	if (!failure) for (const key of own) seen.add(key);
	return failure;
}
const keyPatterns = ({ patternProperties = {}, additionalProperties = true }) => Object.keys(patternProperties).map((pattern) => new RegExp(pattern, additionalProperties === true ? "su" : "u"));
const CONTAINS = { says: (bound) => `must contain at ${bound} valid item${bound.endsWith(" 1") ? "" : "s"}` };
const accepts = () => void 0;
const refuses = (value) => failed(NOT_ALLOWED, void 0, value);
const KEYWORDS = {
	type: {
		takes: "a type",
		options: (type) => [type].flat()
	},
	required: {
		takes: "a list of names",
		of: "object",
		make(names, _, { properties = {} }) {
			const others = names.filter((name) => !Object.hasOwn(properties, name));
			return others.length > 0 ? (value) => missing(others, value) : void 0;
		}
	},
	additionalProperties: {
		takes: "a schema",
		of: "object",
		closes: true,
		make(check, _, schema) {
			const named = schema["properties"] ?? {};
			const patterns = keyPatterns(schema);
			return (value, seen) => {
				for (const key of Object.keys(value)) {
					if (Object.hasOwn(named, key) || patterns.some((pattern) => pattern.test(key))) continue;
					const failure = check(value[key]);
					if (failure) return failedAt(key, failure);
					seen?.add(key);
				}
			};
		}
	},
	dependencies: dependent,
	dependentRequired: {
		...dependent,
		takes: "lists of names"
	},
	dependentSchemas: {
		...dependent,
		takes: "schemas by name"
	},
	patternProperties: {
		takes: "schemas by regular expression",
		of: "object",
		closes: true,
		make(named, _, schema) {
			const patterns = keyPatterns(schema);
			return (value, seen) => {
				const keys = Object.keys(value);
				for (const [index, [, check]] of named.entries()) for (const key of keys) {
					if (!patterns[index]?.test(key)) continue;
					const failure = check(value[key]);
					if (failure) return failedAt(key, failure);
					seen?.add(key);
				}
			};
		}
	},
	properties: {
		takes: "schemas by name",
		of: "object",
		make(named, { required = [] }) {
			const names = named.map(([name]) => name);
			const checks = named.map(([, check]) => check);
			const isRequired = names.map((name) => required.includes(name));
			const failureAt = (value, index, part) => {
				if (part === void 0 && !isRequired[index]) return void 0;
				const failure = checks[index](part);
				return failure && (missing(required, value) ?? failedAt(names[index], failure));
			};
			return (value, seen) => {
				let index = 0;
				if (!seen && isPlain(value)) for (const name in value) {
					if (name !== names[index]) break;
					const failure = failureAt(value, index, value[name]);
					if (failure) return failure;
					index++;
				}
				for (; index < names.length; index++) {
					const name = names[index];
					if (Object.hasOwn(value, name)) {
						const failure = failureAt(value, index, value[name]);
						if (failure) return failure;
						seen?.add(name);
					} else if (isRequired[index]) return missing(required, value);
				}
			};
		}
	},
	propertyNames: {
		takes: "a schema",
		of: "object",
		closes: true,
		make: (check) => (value) => {
			for (const name of Object.keys(value)) {
				const failure = check(name);
				if (failure) return failedAt(name, failure, NAME);
			}
		}
	},
	minProperties: size("object", "property", "least", (value, least) => sizeOf(value) >= least),
	maxProperties: {
		...size("object", "property", "most", (value, most) => sizeOf(value) <= most),
		closes: true
	},
	additionalItems: {
		takes: "a schema",
		of: "array",
		make: (check, { items }) => Array.isArray(items) ? itemsFrom(items.length, check) : void 0
	},
	contains: {
		takes: "a schema",
		of: "array",
		make: (check, { minContains = 1, maxContains = Infinity }) => {
			const [least, most] = [minContains, maxContains];
			return (value, seen) => {
				let found = 0;
				for (const [index, item] of value.entries()) {
					const failure = check(item);
					if (failure?.isFatal) return failedAt(index, failure);
					if (failure) continue;
					found++;
					seen?.add(index);
				}
				if (found >= least && found <= most) return void 0;
				return failed(CONTAINS, found < least ? `least ${least}` : `most ${most}`, value);
			};
		}
	},
	items: {
		takes: "a schema or a list",
		of: "array",
		make: (part, { prefixItems = [] }) => Array.isArray(part) ? firstItems(part) : itemsFrom(prefixItems.length, part)
	},
	minContains: holding("a number", "array"),
	maxContains: holding("a number", "array"),
	minItems: size("array", "item", "least", (value, least) => value.length >= least),
	maxItems: size("array", "item", "most", (value, most) => value.length <= most),
	prefixItems: {
		takes: "a list of schemas",
		of: "array",
		make: firstItems
	},
	uniqueItems: {
		takes: "a boolean",
		of: "array",
		says: () => "must not have duplicate items",
		test: (isAsked) => (items) => !isAsked || areUnique(items)
	},
	minLength: size("string", "character", "least", (text, least) => text.length >= 2 * least || text.length >= least && lengthOf(text) >= least),
	maxLength: size("string", "character", "most", (text, most) => text.length <= most || text.length <= 2 * most && lengthOf(text) <= most),
	pattern: {
		takes: "a regular expression",
		of: "string",
		says: (pattern) => `must match pattern "${patternOf(pattern).source}"`,
		test(pattern) {
			const regExp = patternOf(pattern);
			return (text) => regExp.test(text);
		}
	},
	format: {
		takes: "a format",
		of: "string",
		says: (name) => `must match format "${name}"`,
		test: (name) => FORMATS[name]
	},
	minimum: comparison(">=", (limit) => (value) => value >= limit),
	maximum: comparison("<=", (limit) => (value) => value <= limit),
	exclusiveMinimum: comparison(">", (limit) => (value) => value > limit),
	exclusiveMaximum: comparison("<", (limit) => (value) => value < limit),
	multipleOf: {
		takes: "a number above 0",
		of: "number",
		says: (divisor) => `must be multiple of ${divisor}`,
		test: (divisor) => (value) => isMultiple(value, divisor)
	},
	$ref: { takes: "a text" },
	const: {
		takes: "anything",
		options: (value) => [shown(value)],
		test: (expected) => typeof expected === "object" ? (value) => areEqual(value, expected) : (value) => value === expected
	},
	enum: {
		takes: "a list",
		options: (values) => values.map(shown),
		test: (values) => {
			const objects = values.filter((value) => typeof value === "object" && value !== null);
			return (value) => values.includes(value) || objects.some((expected) => areEqual(value, expected));
		}
	},
	if: {
		takes: "a schema",
		make: (condition, { then = accepts, else: otherwise = accepts }) => (value, seen) => {
			const failure = attempt(condition, value, seen);
			if (failure?.isFatal) return failure;
			return (failure ? otherwise : then)(value, seen);
		}
	},
	then: holding("a schema"),
	else: holding("a schema"),
	not: {
		takes: "a schema",
		says: () => "must not be valid",
		make: (check) => (value) => {
			const failure = check(value);
			if (!failure) return failed(KEYWORDS["not"], void 0, value);
			return failure.isFatal ? failure : void 0;
		}
	},
	allOf: {
		takes: "a list of schemas",
		make: allOf
	},
	anyOf: {
		takes: "a list of schemas",
		make: (checks) => (value, seen) => {
			const failures = [];
			for (let index = 0; index < checks.length; index++) {
				const failure = attempt(checks[index], value, seen);
				if (failure) failures.push(failure);
				else if (!seen) return void 0;
			}
			return failures.length < checks.length ? void 0 : failedAll(failures, value, checks);
		}
	},
	oneOf: {
		takes: "a list of schemas",
		says: () => "must match exactly one schema in oneOf",
		make: (checks) => (value, seen) => {
			const failures = checks.flatMap((check) => attempt(check, value, seen) ?? []);
			const fatal = failures.find(({ isFatal }) => isFatal);
			if (fatal) return fatal;
			if (failures.length === checks.length) return failedAll(failures, value, checks);
			if (failures.length === checks.length - 1) return void 0;
			return failed(KEYWORDS["oneOf"], void 0, value);
		}
	},
	$defs: holding("schemas by name"),
	definitions: holding("schemas by name"),
	contentSchema: holding("a schema"),
	parameters: holding("a list of schemas", "function"),
	returnType: holding("a schema", "function"),
	instanceType: holding("a schema", "function"),
	unevaluatedItems: {
		takes: "a schema",
		of: "array",
		make: (check) => (value, seen) => {
			for (const [index, item] of value.entries()) {
				const failure = seen?.has(index) ? void 0 : check(item);
				if (failure) return failedAt(index, failure);
				seen?.add(index);
			}
		}
	},
	unevaluatedProperties: {
		takes: "a schema",
		of: "object",
		closes: true,
		make: (check) => (value, seen) => {
			for (const [name, part] of Object.entries(value)) {
				const failure = seen?.has(name) ? void 0 : check(part);
				if (failure) return failedAt(name, failure);
				seen?.add(name);
			}
		}
	}
};
function patternOf(pattern) {
	return typeof pattern === "string" ? new RegExp(pattern, "u") : new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ""));
}
function isMultiple(value, divisor) {
	if ((typeof divisor === "bigint" || Number.isInteger(divisor)) && (typeof value === "bigint" || typeof divisor === "bigint")) return typeof value === "bigint" || Number.isInteger(value) ? BigInt(value) % BigInt(divisor) === 0n : false;
	const [dividend, by] = [Number(value), Number(divisor)];
	if (Number.isInteger(dividend) && Number.isInteger(1 / by)) return true;
	const rest = Math.abs(dividend % by);
	return Math.min(rest, by - rest) < 1e-10;
}
function shown(value) {
	return typeof value === "bigint" ? `${value}n` : String(JSON.stringify(value));
}
// src/server/schemas/references.ts
/** Finds the schemas that others refer to, and checks the values of recursive schemas. */
/** The id of a schema without one, against which others are resolved. */
const BASE = "x:/";
function scopeOf(schema, outer) {
	return {
		schema,
		outer,
		id: (typeof schema["$id"] === "string" ? absolute(schema["$id"], outer) : "") || (outer ? "" : BASE),
		checks: /* @__PURE__ */ new Map(),
		inner: /* @__PURE__ */ new Map()
	};
}
function absolute(id, scope) {
	const base = resourceOf(scope)?.id ?? BASE;
	return URL.canParse(id, base) ? new URL(id, base).href.replace(/#$/, "") : id;
}
/** The innermost scope that has an id. */
function resourceOf(scope) {
	return scope?.id === "" ? resourceOf(scope.outer) : scope;
}
/** The scope of what is in a schema. */
function enter(scope, schema) {
	if (typeof schema !== "object" || schema === null || schema === scope.schema) return scope;
	if (!("$id" in schema || "$defs" in schema)) return scope;
	const inner = scope.inner.get(schema) ?? scopeOf(schema, scope);
	scope.inner.set(schema, inner);
	return inner;
}
/** @returns `undefined` for a reference to nothing */
function schemaOf(reference, scope) {
	for (let around = scope; around; around = around.outer) {
		const definitions = Object(around.schema["$defs"]);
		if (Object.hasOwn(definitions, reference)) return [definitions[reference], around];
	}
	const [id = "", fragment = ""] = reference.split("#");
	const resource = id ? resourceWith(id, scope) : resourceOf(scope);
	if (!resource || !fragment) return resource && [resource.schema, resource];
	if (fragment.startsWith("/")) return atPointer(fragment, resource);
	return search(resource, resource.schema, (schema, inner) => schema["$anchor"] === fragment && resourceOf(inner) === resource ? [schema, inner] : void 0);
}
function resourceWith(id, scope) {
	const sought = absolute(id, scope);
	let root = scope;
	while (root.outer) root = root.outer;
	return search(root, root.schema, (_, inner) => inner.id === sought ? inner : void 0);
}
/** Calls a function with a schema and those in it, until it returns something. */
function search(outer, schema, find) {
	if (typeof schema !== "object" || schema === null) return void 0;
	const scope = enter(outer, schema);
	const found = find(schema, scope);
	if (found) return found;
	let within;
	for (const [name, operand] of Object.entries(schema)) {
		const keyword = keywordOf(name);
		if (!keyword || operand === void 0) continue;
		mapInner(keyword, operand, (inner) => {
			within ??= search(scope, inner, find);
		});
	}
	return within;
}
function atPointer(pointer, resource) {
	let schema = resource.schema;
	let scope = resource;
	for (const step of pointer.slice(1).split("/")) {
		const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
		if (!Object.hasOwn(Object(schema), key)) return void 0;
		scope = enter(scope, schema);
		schema = schema[key];
	}
	return [schema, scope];
}
function decoded(step) {
	try {
		return decodeURIComponent(step);
	} catch {
		return step;
	}
}
let known;
/** Remembers during a task what references have checked. */
function remembering(task) {
	if (known) return task();
	known = /* @__PURE__ */ new Map();
	try {
		return task();
	} finally {
		known = void 0;
	}
}
const ITSELF = { says: () => "must not contain itself" };
/**
* Checks each object once: a union with two members that contain it would check it twice as often at each level. An
* object that contains itself does not fit.
*/
const once = (check) => (value, seen) => {
	if (typeof value !== "object" || value === null || !known) return check(value, seen);
	let results = known.get(check);
	if (!results) known.set(check, results = /* @__PURE__ */ new Map());
	const earlier = results.get(value);
	if (earlier !== void 0 && (!seen || earlier?.expectation === ITSELF)) return earlier ?? void 0;
	results.set(value, failed(ITSELF, void 0, value, true));
	const failure = check(value, seen);
	results.set(value, failure ?? null);
	return failure;
};
// src/server/schemas/json-schema.ts
/**
* Makes validators from JSON Schemas, such as those of TypeBox: each schema becomes a function, when the class is defined.
* No code is generated, so that it works wherever a Worker runs.
*/
/**
* @param where - names the schema in errors
* @param explainer - left out in production
* @throws TypeError for a value that is no schema, and a schema that would not be checked as it is written
*/
function jsonValidator(schema, where, explainer) {
	const root = scopeOf(Object(schema));
	const compiler = {
		explainer,
		references: []
	};
	const check = checkOf(schema, root, () => where, compiler);
	for (const follow of compiler.references) follow();
	const { title } = Object(schema);
	const isRecursive = compiler.references.length > 0;
	return {
		title: typeof title === "string" ? title : void 0,
		validate(value) {
			let failure;
			try {
				failure = isRecursive ? remembering(() => check(value)) : check(value);
			} catch (error) {
				if (!isOverflow(error)) throw error;
				failure = failed(TOO_DEEP, void 0, value);
			}
			if (!failure) return { value };
			return { issues: [issueOf(explainer?.likelyFailure(failure) ?? failure)] };
		}
	};
}
/** Whether a value was too deep for the stack. Another error is one of a refinement. */
function isOverflow(error) {
	return error instanceof RangeError && /call stack/.test(error.message);
}
const TOO_DEEP = { says: () => "must not be nested so deeply" };
/** Keywords that check nothing: annotations, and what only references use. */
const ANNOTATIONS = "title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType $id $schema $anchor $comment".split(" ");
function checkOf(schema, outer, place, compiler) {
	if (typeof schema === "boolean") return schema ? accepts : refuses;
	if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new TypeError(`${place()} is not a schema`);
	if (isStandard(schema) || isStreamOf(schema)) throw new TypeError(`${place()} is not a JSON Schema, but inside of one`);
	const made = outer.checks.get(schema);
	if (made) return made;
	const scope = enter(outer, schema);
	const fields = schema;
	const types = fields["type"] === void 0 ? [] : [fields["type"]].flat().map(String);
	const names = Object.keys(schema).filter((name) => fields[name] !== void 0);
	const parts = {};
	for (const name of names) {
		const operand = fields[name];
		const keyword = keywordOf(name);
		const problem = nameProblem(name, types) ?? operandProblem(name, operand);
		if (problem) {
			const advice = compiler.explainer?.adviseKeyword(name, operand, types) ?? "";
			throw new TypeError(`${place()} has ${problem}${advice}`);
		}
		if (!keyword) continue;
		parts[name] = mapInner(keyword, operand, (inner, ...steps) => checkOf(inner, scope, () => place() + [name, ...steps].map(propertyPath).join(""), compiler));
	}
	const check = joined(fields, parts, types, (reference) => referenceCheck(reference, scope, place, compiler));
	if (parts["properties"]) compiler.explainer?.describeCheck(check, parts["properties"]);
	outer.checks.set(schema, check);
	scope.checks.set(schema, check);
	return check;
}
/**
* The problem with the name of a keyword.
*
* @param types - the types that the schema names; empty for any type
* @returns `undefined` if the schema may have the keyword
*/
function nameProblem(name, types) {
	const keyword = keywordOf(name);
	if (!keyword) return /^(~|x-)/.test(name) || ANNOTATIONS.includes(name) ? void 0 : `an unknown keyword ${name}`;
	const own = keyword.of ? GROUPS[keyword.of].types : types;
	if (types.length === 0 || types.some((type) => own.includes(type))) return void 0;
	return `the keyword ${name}, which does not apply to the type ${types.join(" or ")}`;
}
/** The problem with the value of a keyword. */
function operandProblem(name, operand) {
	const keyword = keywordOf(name);
	if (!keyword || takes(keyword, operand)) return void 0;
	return name === "format" || name === "type" ? `an unknown ${name} ${String(operand)}` : `the keyword ${name}, whose value is not ${keyword.takes}`;
}
function referenceCheck(reference, scope, place, compiler) {
	let described = accepts;
	let target = accepts;
	compiler.references.push(() => {
		const found = schemaOf(reference, scope);
		if (!found) throw new TypeError(`${place()} has a $ref to nothing: ${reference}`);
		described = checkOf(...found, () => `${place()}.$ref`, compiler);
		target = once(described);
	});
	const check = (value, seen) => target(value, seen);
	compiler.explainer?.describeCheck(check, () => described);
	return check;
}
const ORDER = Object.keys(KEYWORDS);
/** A check of all keywords of a schema, in the order of `KEYWORDS`. */
function joined(fields, parts, types, referenceTo) {
	/** Those of the same values are together, under the name of the group. */
	const groups = /* @__PURE__ */ new Map();
	const add = (name, check) => {
		if (!check) return;
		const group = groups.get(name);
		if (group) group.push(check);
		else groups.set(name, [check]);
	};
	const names = Object.keys(parts).toSorted((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
	const isClosed = names.some((name) => KEYWORDS[name]?.closes && fields[name] !== true);
	for (const name of names) {
		const keyword = KEYWORDS[name];
		if (isClosed && !groups.has("object") && keyword.of === "object") add("object", isClosable(types));
		const check = name === "$ref" ? referenceTo(fields[name]) : keyword.make?.(parts[name], parts, fields) ?? tested(keyword, fields[name]);
		add(name.startsWith("unevaluated") ? name : keyword.of ?? name, check);
	}
	for (const refinement of fields["~refine"] ?? []) add("~refine", (value) => refinement.check(value) ? void 0 : failed(REFINED, refinement, value));
	const constants = [...groups.get("const") ?? [], ...groups.get("enum") ?? []];
	groups.delete("const");
	groups.delete("enum");
	const ofObjects = groups.get("object");
	if (ofObjects && ofObjects.length > 1 && fields["required"]) {
		const properties = allOf(ofObjects);
		const required = fields["required"];
		groups.set("object", [(value, seen) => {
			const failure = properties(value, seen);
			return failure && (missing(required, value) ?? failure);
		}]);
	}
	const others = Array.from(groups, ([name, checks]) => guarded(name, types, allOf(checks)));
	const all = allOf([...constants, typed(fields["type"], allOf(others))]);
	if (!groups.has("unevaluatedItems") && !groups.has("unevaluatedProperties")) return all;
	return (value, outer) => {
		const seen = /* @__PURE__ */ new Set();
		const failure = all(value, seen);
		if (!failure && outer) for (const key of seen) outer.add(key);
		return failure;
	};
}
function tested(keyword, operand) {
	const fits = keyword.test?.(operand);
	return fits && ((value) => fits(value) ? void 0 : failed(keyword, operand, value));
}
/** Checks the type of a value, and then the rest. The common types are written out, because this takes half the time. */
function typed(type, all) {
	const rest = all === accepts ? void 0 : all;
	const refused = (value) => failed(TYPE, type, value);
	switch (type) {
		case void 0: return all;
		case "string": return (value, seen) => typeof value === "string" ? rest?.(value, seen) : refused(value);
		case "integer": return (value, seen) => Number.isInteger(value) ? rest?.(value, seen) : refused(value);
		case "array": return (value, seen) => Array.isArray(value) ? rest?.(value, seen) : refused(value);
		case "object": return (value, seen) => typeof value === "object" && value !== null && !Array.isArray(value) ? rest?.(value, seen) : refused(value);
	}
	const tests = [type].flat().map((name) => TYPES[name]);
	return (value, seen) => tests.some((test) => test?.(value)) ? rest?.(value, seen) : refused(value);
}
const TYPE = KEYWORDS["type"];
/** Applies a check to the values of a group alone, unless the schema has no others. */
function guarded(name, types, check) {
	const of = KEYWORDS[name]?.of ?? name;
	if (!Object.hasOwn(GROUPS, of)) return check;
	const group = GROUPS[of];
	if (types.length === 1 && group.types.includes(types[0])) return check;
	return (value, seen) => group.is(value) ? check(value, seen) : void 0;
}
/**
* JSON Schema knows only objects whose contents are properties. A Map or a buffer would fit a schema that limits these.
*/
const isClosable = (types) => (value) => isPlain(value) || Object.prototype.toString.call(value) === "[object Object]" ? void 0 : failed(PLAIN, void 0, value, !types.includes("object"));
const PLAIN = { says: () => "must be object" };
const REFINED = { says({ error }, value) {
	const message = error(value);
	return message === "Refine Error" ? "must pass the check of its Type.Refine" : message;
} };
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
// src/server/diagnostics/keywords.ts
/**
* Says what is wrong with a schema of a contract: what a keyword should have been, and where functions and streams can
* be. The validator itself refuses a keyword that it does not know, and so does the lint rule `no-unknown-keyword`.
*/
/** Keywords that lead to functions, and the type of schema that they belong to. */
const LEADS_TO_FUNCTIONS = {
	properties: "object",
	items: "array"
};
/**
* Rejects, at any depth, a schema of another library, a stream, and a function in a place where the runtime would not
* find it: see callback-places. The validator rejects what else is wrong.
*
* @param path - the position in the contract, such as `[0]`
* @param mayHoldFunctions - whether the schema is an argument, or only properties and items lead to it
* @throws TypeError
*/
function checkSchema(schema, path, mayHoldFunctions = false) {
	if (isStandard(schema)) {
		const { vendor } = schema["~standard"];
		throw new TypeError(`${path} is a schema of ${vendor} inside of a schema of TypeBox: write the whole argument with one of them`);
	}
	if (isStreamOf(schema)) throw new TypeError(`${path} is streamOf(): a stream must be a whole argument, not a part of one`);
	if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
	const types = typesOf(schema);
	const problem = functionProblem(schema, types, mayHoldFunctions);
	if (problem) throw new TypeError(`${path} has ${problem}`);
	for (const [name, operand] of Object.entries(schema)) {
		const keyword = keywordOf(name);
		if (!keyword || !takes(keyword, operand)) continue;
		const leads = mayHoldFunctions && types.length === 1 && LEADS_TO_FUNCTIONS[name] === types[0];
		mapInner(keyword, operand, (inner, ...steps) => {
			checkSchema(inner, path + [name, ...steps].map(propertyPath).join(""), leads && !Array.isArray(operand));
		});
	}
}
function typesOf(schema) {
	const { type = [] } = schema;
	return [type].flat().map(String);
}
/**
* The problem with a keyword, and what to write.
*
* @param types - the types that the schema names; empty for any type
* @returns `undefined` if the schema may have the keyword, with some value
*/
function keywordProblem(name, types) {
	const problem = nameProblem(name, types);
	return problem && problem + adviseKeyword(name, void 0, types);
}
/** Says what to write instead of a keyword, or of its value: the end of a sentence. */
function adviseKeyword(name, operand, types) {
	if (name === "type") return meant(String(operand), Object.keys(TYPES)) ?? "";
	if (name === "format") return meant(String(operand), Object.keys(FORMATS)) ?? ": write Type.Refine(Type.String(), check)";
	const isMisplaced = keywordOf(name) !== void 0;
	const known = [...Object.keys(GROUPS), void 0].flatMap((group) => Object.keys(KEYWORDS).filter((other) => KEYWORDS[other]?.of === group && applies(other, types)));
	const near = isMisplaced ? void 0 : meant(name, [...known, ...ANNOTATIONS]);
	if (near) return near;
	const own = types.length > 0 ? known.filter((other) => KEYWORDS[other]?.of) : [];
	const checks = own.length > 0 ? `: there are ${own.join(", ")}` : "";
	return isMisplaced ? checks : `${checks} (begin the name of an annotation with x-)`;
}
function meant(word, known) {
	const near = nearest(word, known);
	return near && `: did you mean ${near}?`;
}
/** Whether a keyword checks values of some types. */
function applies(name, types) {
	const { of } = KEYWORDS[name] ?? {};
	if (!of || types.length === 0) return true;
	const own = GROUPS[of].types;
	return types.some((type) => own.includes(type));
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
export { FEED, KEYWORDS, METHOD_KIND, REQUIRED, adviseKeyword, checkEventsOf, checkSchema, describeFound, failedAt, isFeed, isStandard, isStreamOf, jsonValidator, keywordProblem, nearest, remembering };
