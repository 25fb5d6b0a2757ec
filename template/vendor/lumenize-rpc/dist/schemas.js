import { isObject as isObject$2, propertyPath } from "./wire.js";
// src/server/base/brands.ts
/**
* The marks of the entries, schemas and feeds that features make. They are plain properties and not classes, so that two
* copies of the package understand each other.
*/
function isStreamOf(value) {
	return isObject$2(value) && "~streamOf" in value;
}
/** @param schema - the schema of a function */
function isCallback(schema) {
	return "~callback" in schema;
}
/** The key of the kind in an entry that a function of a feature has made, such as `live`. */
const METHOD_KIND = "~entry";
/** The mark of a feed. */
const FEED = Symbol.for("lumenize-rpc.feed");
/** Returns whether a value is a feed of this or of another copy of the package. */
function isFeed(value) {
	return isObject$2(value) && FEED in value;
}
/**
* Lets a feed that a method has returned check its events.
*
* @param check - the check; `undefined` where nothing is checked
*/
function checkEventsOf(result, check) {
	if (check && isFeed(result)) result.checkEvents?.(check);
}
// src/server/schemas/found-value.ts
/**
* Describes values for errors. Only numbers are shown as they are, so that a rejected secret does not get into a log.
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
* Returns the number of characters, items or properties. A long text is counted in code units, because counting code
* points would take long.
*/
function sizeOf(value) {
	if (typeof value === "string") return value.length > 1e3 ? value.length : lengthOf(value);
	return Array.isArray(value) ? value.length : Object.keys(Object(value)).length;
}
/** Returns the length of a text in code points. */
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
/** Returns a number with its noun: `1 item`, `2 items`. */
function count(number, noun) {
	if (number === 1) return `1 ${noun}`;
	return `${number} ${noun.replace(/y$/, "ie")}s`;
}
// src/server/base/standard-schema.ts
/** Returns whether a value is a schema of another library than TypeBox. Schemas of ArkType are functions. */
function isStandard(schema) {
	return Object(schema) === schema && "~standard" in schema;
}
// src/server/schemas/formats.ts
/** The formats of texts that a schema can name. For other formats, use `Type.Refine`. */
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
/** For each name of a format, a function that returns whether a text has the format. */
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
/** Returns whether a text is a regular expression. */
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
/** Describes a value that does not fit its schema, and words the error. */
function failed(expectation, operand, value, isFatal = false, inner, key, members) {
	return {
		expectation,
		operand,
		value,
		isFatal,
		inner,
		key,
		members
	};
}
/** Returns the failure of a value whose part does not fit. */
function failedAt(key, inner, expectation = PART) {
	return failed(expectation, key, key, inner.isFatal, inner, key);
}
/** Returns the failure of a value that fits no member of a union. */
function failedAll(members, value, operand) {
	const isFatal = members.some((member) => member.isFatal);
	const options = members.map((member) => member.inner ? void 0 : member.expectation.options?.(member.operand));
	return failed(options.includes(void 0) ? UNION : { options: () => options.flat() }, operand, value, isFatal, void 0, void 0, members);
}
const PART = {};
/** The expectation for the name of a property. */
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
/** Words a failure as an issue. */
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
/** The maximum number of allowed values that an error lists. Further values are counted. */
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
* Returns whether no two of the values are equal, in time linear in their size. The order of properties does not matter.
* Objects other than arrays and plain objects are equal to themselves alone, and so are objects that contain themselves.
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
/** Returns the parts of an object as text with a number for each object; `undefined` for an object of another class. */
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
* The keywords of JSON Schema, in the order in which a value is checked. For each keyword, this file has the values that
* a schema may write, the check, and the words of its error. Any other keyword is an error when a class is defined.
*/
const isA = (type) => (value) => typeof value === type;
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** For each name of a type, a function that returns whether a value is of the type. */
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
const group = (is, ...types) => ({
	is,
	types
});
const isNumber = (value) => Number.isFinite(value) || typeof value === "bigint";
const NUMBERS = group(isNumber, "number", "integer", "bigint");
const STRINGS = group(isA("string"), "string");
const ARRAYS = group(Array.isArray, "array");
const OBJECTS = group(isObject, "object");
const FUNCTIONS = group(isA("function"), "function");
const mapEntries = (operand, act) => Object.entries(operand).map(([key, one]) => [key, act(one, key)]);
const mapList = (operand, act) => operand.map((one, index) => act(one, String(index)));
const isNames = (names) => Array.isArray(names) && names.every(isA("string"));
const TYPE$1 = {
	noun: "a type",
	is: (type) => [type].flat().every((one) => Object.hasOwn(TYPES, one))
};
const FORMAT = {
	noun: "a format",
	is: (format) => Object.hasOwn(FORMATS, format)
};
const NUMBER = {
	noun: "a number",
	is: isNumber
};
const DIVISOR = {
	noun: "a number above 0",
	is: (divisor) => isNumber(divisor) && divisor > 0
};
const FLAG = {
	noun: "a boolean",
	is: isA("boolean")
};
const TEXT = {
	noun: "a text",
	is: isA("string")
};
const PATTERN = {
	noun: "a regular expression",
	is: (pattern) => pattern instanceof RegExp || typeof pattern === "string" && isPattern(pattern)
};
const LIST = {
	noun: "a list",
	is: Array.isArray
};
const NAMES = {
	noun: "a list of names",
	is: isNames
};
const NAMED_LISTS = {
	noun: "lists of names",
	is: (lists) => isObject(lists) && Object.values(lists).every(isNames),
	map: (operand) => Object.entries(operand)
};
const ANYTHING = {
	noun: "anything",
	is: () => true
};
const SCHEMA = {
	...ANYTHING,
	map: (schema, act) => act(schema)
};
const SCHEMAS = {
	noun: "a list of schemas",
	is: Array.isArray,
	map: mapList
};
const SCHEMA_OR_LIST = {
	...ANYTHING,
	map: (operand, act) => Array.isArray(operand) ? mapList(operand, act) : act(operand)
};
const NAMED = {
	noun: "schemas by name",
	is: isObject,
	map: mapEntries
};
const PATTERNED = {
	...NAMED,
	noun: "schemas by regular expression",
	is: (schemas) => isObject(schemas) && Object.keys(schemas).every(isPattern)
};
const NAMED_OR_LISTS = {
	...NAMED,
	map: (operand, act) => mapEntries(operand, (one, ...keys) => Array.isArray(one) ? one : act(one, ...keys))
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
function mapInner({ takes }, operand, act) {
	return takes.map ? takes.map(operand, act) : operand;
}
/** Makes a keyword that compares numbers: `>= 1`. */
const comparison = (sign, test) => ({
	takes: NUMBER,
	of: NUMBERS,
	says: (limit) => `must be ${sign} ${limit}`,
	test
});
/** Makes a keyword that limits the size of texts, arrays or objects: `at least 1 item`. */
const size = (of, noun, most, fits) => ({
	takes: NUMBER,
	of,
	says: (limit) => `must have at ${most} ${count(limit, noun)}`,
	got: (value) => String(sizeOf(value)),
	test: (limit) => (value) => fits(value, limit)
});
/** Makes a keyword that checks nothing by itself. */
const holding = (noun, of) => ({
	takes: noun,
	...of && { of }
});
/** A keyword that requires further properties if an object has a property. */
const dependent = {
	takes: NAMED_OR_LISTS,
	of: OBJECTS,
	make: (parts) => (value, seen) => firstOf(parts, ([name, required]) => {
		const isMissing = (other) => !Object.hasOwn(value, other);
		if (isMissing(name)) return void 0;
		if (typeof required === "function") return required(value, seen);
		return required.some(isMissing) ? failed(DEPENDENT, [name, required], value) : void 0;
	})
};
const DEPENDENT = { says: ([name, required]) => `must have properties ${required.join(", ")} when property ${name} is present` };
/** Returns whether an object has no properties but its own. */
function isPlain(value) {
	const prototype = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
}
/** Returns the failure of an object without a property that it must have. */
function missing(names, value) {
	const name = names.find((one) => !Object.hasOwn(value, one));
	return name === void 0 ? void 0 : failedAt(name, failed(REQUIRED, void 0, void 0));
}
/** Returns the first failure of several items. */
function firstOf(items, failureOf) {
	for (const item of items) {
		const failure = failureOf(item);
		if (failure) return failure;
	}
}
/** Checks a part of a value. */
function checkPart(check, part, key, seen) {
	const failure = check(part);
	if (failure) return failedAt(key, failure);
	seen?.add(key);
}
/** Checks the items from an index up to another index. */
const itemsFrom = (start, checkOf, end = Infinity) => (value, seen) => {
	const items = value;
	for (let index = start; index < items.length && index < end; index++) {
		const failure = checkPart(checkOf(index), items[index], index, seen);
		if (failure) return failure;
	}
};
/** Checks the first items. Each item has its own check. */
const firstItems = (checks) => itemsFrom(0, (index) => checks[index], checks.length);
/** Makes a check that applies all checks to a value, until the value does not fit. */
function allOf([first = accepts, second, ...more]) {
	if (!second) return first;
	const both = (value, seen) => first(value, seen) ?? second(value, seen);
	return more.length > 0 ? allOf([both, ...more]) : both;
}
/** Checks a value. Adds the checked parts to `seen` only if the value fits. */
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
		takes: TYPE$1,
		options: (type) => [type].flat()
	},
	required: {
		takes: NAMES,
		of: OBJECTS,
		make(names, _, { properties = {} }) {
			const others = names.filter((name) => !Object.hasOwn(properties, name));
			return others.length > 0 ? (value) => missing(others, value) : void 0;
		}
	},
	additionalProperties: {
		takes: SCHEMA,
		of: OBJECTS,
		closes: true,
		make(check, _, schema) {
			const named = schema["properties"] ?? {};
			const patterns = keyPatterns(schema);
			return (value, seen) => firstOf(Object.keys(value), (key) => Object.hasOwn(named, key) || patterns.some((pattern) => pattern.test(key)) ? void 0 : checkPart(check, value[key], key, seen));
		}
	},
	dependencies: dependent,
	dependentRequired: {
		...dependent,
		takes: NAMED_LISTS
	},
	dependentSchemas: {
		...dependent,
		takes: NAMED
	},
	patternProperties: {
		takes: PATTERNED,
		of: OBJECTS,
		closes: true,
		make(named, _, schema) {
			const patterns = keyPatterns(schema);
			return (value, seen) => firstOf(named.entries(), ([index, [, check]]) => firstOf(Object.keys(value), (key) => patterns[index]?.test(key) ? checkPart(check, value[key], key, seen) : void 0));
		}
	},
	properties: {
		takes: NAMED,
		of: OBJECTS,
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
		takes: SCHEMA,
		of: OBJECTS,
		closes: true,
		make: (check) => (value) => firstOf(Object.keys(value), (name) => {
			const failure = check(name);
			return failure && failedAt(name, failure, NAME);
		})
	},
	minProperties: size(OBJECTS, "property", "least", (value, least) => sizeOf(value) >= least),
	maxProperties: {
		...size(OBJECTS, "property", "most", (value, most) => sizeOf(value) <= most),
		closes: true
	},
	additionalItems: {
		takes: SCHEMA,
		of: ARRAYS,
		make: (check, { items }) => Array.isArray(items) ? itemsFrom(items.length, () => check) : void 0
	},
	contains: {
		takes: SCHEMA,
		of: ARRAYS,
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
		takes: SCHEMA_OR_LIST,
		of: ARRAYS,
		make: (part, { prefixItems = [] }) => Array.isArray(part) ? firstItems(part) : itemsFrom(prefixItems.length, () => part)
	},
	minContains: holding(NUMBER, ARRAYS),
	maxContains: holding(NUMBER, ARRAYS),
	minItems: size(ARRAYS, "item", "least", (value, least) => value.length >= least),
	maxItems: size(ARRAYS, "item", "most", (value, most) => value.length <= most),
	prefixItems: {
		takes: SCHEMAS,
		of: ARRAYS,
		make: firstItems
	},
	uniqueItems: {
		takes: FLAG,
		of: ARRAYS,
		says: () => "must not have duplicate items",
		test: (isAsked) => (items) => !isAsked || areUnique(items)
	},
	minLength: size(STRINGS, "character", "least", (text, least) => text.length >= 2 * least || text.length >= least && lengthOf(text) >= least),
	maxLength: size(STRINGS, "character", "most", (text, most) => text.length <= most || text.length <= 2 * most && lengthOf(text) <= most),
	pattern: {
		takes: PATTERN,
		of: STRINGS,
		says: (pattern) => `must match pattern "${patternOf(pattern).source}"`,
		test(pattern) {
			const regExp = patternOf(pattern);
			return (text) => regExp.test(text);
		}
	},
	format: {
		takes: FORMAT,
		of: STRINGS,
		says: (name) => `must match format "${name}"`,
		test: (name) => FORMATS[name]
	},
	minimum: comparison(">=", (limit) => (value) => value >= limit),
	maximum: comparison("<=", (limit) => (value) => value <= limit),
	exclusiveMinimum: comparison(">", (limit) => (value) => value > limit),
	exclusiveMaximum: comparison("<", (limit) => (value) => value < limit),
	multipleOf: {
		takes: DIVISOR,
		of: NUMBERS,
		says: (divisor) => `must be multiple of ${divisor}`,
		test: (divisor) => (value) => isMultiple(value, divisor)
	},
	$ref: { takes: TEXT },
	const: {
		takes: ANYTHING,
		options: (value) => [shown(value)],
		test: (expected) => typeof expected === "object" ? (value) => areEqual(value, expected) : (value) => value === expected
	},
	enum: {
		takes: LIST,
		options: (values) => values.map(shown),
		test: (values) => {
			const objects = values.filter((value) => typeof value === "object" && value !== null);
			return (value) => values.includes(value) || objects.some((expected) => areEqual(value, expected));
		}
	},
	if: {
		takes: SCHEMA,
		make: (condition, { then = accepts, else: otherwise = accepts }) => (value, seen) => {
			const failure = attempt(condition, value, seen);
			if (failure?.isFatal) return failure;
			return (failure ? otherwise : then)(value, seen);
		}
	},
	then: holding(SCHEMA),
	else: holding(SCHEMA),
	not: {
		takes: SCHEMA,
		says: () => "must not be valid",
		make: (check) => (value) => {
			const failure = check(value);
			if (!failure) return failed(KEYWORDS["not"], void 0, value);
			return failure.isFatal ? failure : void 0;
		}
	},
	allOf: {
		takes: SCHEMAS,
		make: allOf
	},
	anyOf: {
		takes: SCHEMAS,
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
		takes: SCHEMAS,
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
	$defs: holding(NAMED),
	definitions: holding(NAMED),
	contentSchema: holding(SCHEMA),
	parameters: holding(SCHEMAS, FUNCTIONS),
	returnType: holding(SCHEMA, FUNCTIONS),
	instanceType: holding(SCHEMA, FUNCTIONS),
	unevaluatedItems: {
		takes: SCHEMA,
		of: ARRAYS,
		make: (check) => (value, seen) => unseen(check, value.entries(), seen)
	},
	unevaluatedProperties: {
		takes: SCHEMA,
		of: OBJECTS,
		closes: true,
		make: (check) => (value, seen) => unseen(check, Object.entries(value), seen)
	}
};
/** Checks the parts that no other keyword has checked. */
function unseen(check, parts, seen) {
	return firstOf(parts, ([key, part]) => seen?.has(key) ? void 0 : checkPart(check, part, key, seen));
}
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
/** Finds the schemas that other schemas refer to, and checks the values of recursive schemas. */
/** The id of a schema without an id. Relative ids are resolved against it. */
const BASE = "x:/";
function scopeOf(schema, outer) {
	return {
		schema,
		outer,
		id: (typeof schema["$id"] === "string" ? absolute(schema["$id"], outer) : "") || (outer ? "" : BASE),
		checks: /* @__PURE__ */ new Map(),
		inner: /* @__PURE__ */ new Map(),
		verified: /* @__PURE__ */ new Set()
	};
}
function absolute(id, scope) {
	const base = resourceOf(scope)?.id ?? BASE;
	return URL.canParse(id, base) ? new URL(id, base).href.replace(/#$/, "") : id;
}
/** Returns the innermost scope that has an id. */
function resourceOf(scope) {
	return scope?.id === "" ? resourceOf(scope.outer) : scope;
}
/** Returns the scope of the schemas within a schema. */
function enter(scope, schema) {
	if (typeof schema !== "object" || schema === null || schema === scope.schema) return scope;
	if (!("$id" in schema || "$defs" in schema)) return scope;
	const inner = scope.inner.get(schema) ?? scopeOf(schema, scope);
	scope.inner.set(schema, inner);
	return inner;
}
/** @returns the schema that a reference names; `undefined` if there is no such schema */
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
/** Calls a function with a schema and the schemas in it, until the function returns something. */
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
/** Runs a task, during which the results of the checks of references are remembered. */
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
* Makes a check that checks each object once. Otherwise, a recursive union with two members would double the number of
* checks at each level. An object that contains itself does not fit.
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
* Makes validators from JSON Schemas, such as the schemas of TypeBox. A schema is verified when the class is defined,
* and becomes a function when it first checks a value. No code is generated, so that the validators work wherever a
* Worker runs.
*/
/**
* @param where - names the schema in errors
* @param explainer - left out in production
* @throws TypeError for a value that is no schema, and for a schema that would not be checked as it is written
*/
function jsonValidator(schema, where, explainer) {
	const root = scopeOf(Object(schema));
	const isRecursive = verify(schema, root, () => where, explainer);
	const { title } = Object(schema);
	let check;
	const failureOf = (value) => (check ??= checkOf(schema, root, explainer))(value);
	return {
		title: typeof title === "string" ? title : void 0,
		validate(value) {
			let failure;
			try {
				failure = isRecursive ? remembering(() => failureOf(value)) : failureOf(value);
			} catch (error) {
				if (!isOverflow(error)) throw error;
				failure = failed(TOO_DEEP, void 0, value);
			}
			if (!failure) return { value };
			return { issues: [issueOf(explainer?.likelyFailure(failure) ?? failure)] };
		}
	};
}
/** Returns whether a value was too deep for the stack. Any other error comes from the check of a `Type.Refine`. */
function isOverflow(error) {
	return error instanceof RangeError && /call stack/.test(error.message);
}
const TOO_DEEP = { says: () => "must not be nested so deeply" };
/** Keywords that check nothing: annotations, and keywords that only references use. */
const ANNOTATIONS = "title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType $id $schema $anchor $comment".split(" ");
/**
* Verifies that all parts of a schema can be checked.
*
* @returns whether it has references
* @throws TypeError
*/
function verify(schema, outer, place, explainer) {
	if (typeof schema === "boolean") return false;
	if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new TypeError(`${place()} is not a schema`);
	if (isStandard(schema) || isStreamOf(schema)) throw new TypeError(`${place()} is not a JSON Schema, as all schemas inside a JSON Schema must be`);
	const scope = enter(outer, schema);
	if (scope.verified.has(schema)) return false;
	scope.verified.add(schema);
	const { type = [] } = schema;
	const types = [type].flat().map(String);
	let hasReferences = false;
	for (const [name, operand] of Object.entries(schema)) {
		if (operand === void 0) continue;
		const problem = nameProblem(name, types) ?? operandProblem(name, operand);
		if (problem) {
			const advice = explainer?.adviseKeyword(name, operand, types) ?? "";
			throw new TypeError(`${place()} has ${problem}${advice}`);
		}
		const inner = (one, within, ...steps) => {
			const at = () => place() + [name, ...steps].map(propertyPath).join("");
			hasReferences = verify(one, within, at, explainer) || hasReferences;
		};
		keywordOf(name)?.takes.map?.(operand, (one, ...steps) => inner(one, scope, ...steps));
		if (name !== "$ref") continue;
		const found = schemaOf(operand, scope);
		if (!found) throw new TypeError(`${place()} has the $ref ${String(operand)}, which leads to no schema`);
		inner(...found);
		hasReferences = true;
	}
	return hasReferences;
}
/** Makes the check of a verified schema. */
function checkOf(schema, outer, explainer) {
	if (typeof schema === "boolean") return schema ? accepts : refuses;
	const fields = schema;
	const made = outer.checks.get(fields);
	if (made) return made;
	const scope = enter(outer, fields);
	const parts = {};
	for (const [name, operand] of Object.entries(fields)) {
		const keyword = keywordOf(name);
		if (!keyword || operand === void 0) continue;
		parts[name] = mapInner(keyword, operand, (inner) => checkOf(inner, scope, explainer));
	}
	const check = joined(fields, parts, (reference) => referenceCheck(reference, scope, explainer));
	if (parts["properties"]) explainer?.describeCheck(check, parts["properties"]);
	outer.checks.set(fields, check);
	scope.checks.set(fields, check);
	return check;
}
/**
* Returns the problem with the name of a keyword.
*
* @param types - the types that the schema names; empty for any type
* @returns `undefined` if the schema may have the keyword
*/
function nameProblem(name, types) {
	const keyword = keywordOf(name);
	if (!keyword) return /^(~|x-)/.test(name) || ANNOTATIONS.includes(name) ? void 0 : `an unknown keyword ${name}`;
	const own = keyword.of?.types ?? types;
	if (types.length === 0 || types.some((type) => own.includes(type))) return void 0;
	return `the keyword ${name}, which does not apply to the type ${types.join(" or ")}`;
}
/** Returns the problem with the value of a keyword. */
function operandProblem(name, operand) {
	const keyword = keywordOf(name);
	if (!keyword || keyword.takes.is(operand)) return void 0;
	return name === "format" || name === "type" ? `an unknown ${name} ${String(operand)}` : `the keyword ${name}, whose value is not ${keyword.takes.noun}`;
}
function referenceCheck(reference, scope, explainer) {
	let target;
	const described = () => {
		const [schema, inner] = schemaOf(reference, scope) ?? [false, scope];
		return checkOf(schema, inner, explainer);
	};
	const check = (value, seen) => (target ??= once(described()))(value, seen);
	explainer?.describeCheck(check, described);
	return check;
}
const ORDER = Object.keys(KEYWORDS);
/** Makes one check of all keywords of a schema, in the order of `KEYWORDS`. */
function joined(fields, parts, referenceTo) {
	const types = [fields["type"] ?? []].flat();
	/** Checks of the values of a group are in one list. */
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
		if (isClosed && keyword.of === OBJECTS && !groups.has(OBJECTS)) add(OBJECTS, isClosable(types));
		const check = name === "$ref" ? referenceTo(fields[name]) : keyword.make?.(parts[name], parts, fields) ?? tested(keyword, fields[name]);
		add(name.startsWith("unevaluated") ? name : keyword.of ?? name, check);
	}
	for (const refinement of fields["~refine"] ?? []) add("~refine", (value) => refinement.check(value) ? void 0 : failed(REFINED, refinement, value));
	const constants = [...groups.get("const") ?? [], ...groups.get("enum") ?? []];
	groups.delete("const");
	groups.delete("enum");
	const ofObjects = groups.get(OBJECTS);
	if (ofObjects && ofObjects.length > 1 && fields["required"]) {
		const properties = allOf(ofObjects);
		const required = fields["required"];
		groups.set(OBJECTS, [(value, seen) => {
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
/** Checks the type of a value, and then the rest. The common types are written out, because this is twice as fast. */
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
/** Applies a check only to the values of a group, unless the schema allows no other values. */
function guarded(key, types, check) {
	const group = typeof key === "string" ? KEYWORDS[key]?.of : key;
	if (!group || types.length === 1 && group.types.includes(types[0])) return check;
	return (value, seen) => group.is(value) ? check(value, seen) : void 0;
}
/**
* JSON Schema knows only objects whose contents are properties. A Map or a buffer would fit a schema that limits
* properties.
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
* Returns the known word that was probably meant. It contains the given word, or differs from it in one place by at most
* half of the word's letters. Upper and lower case count as equal. The time is linear, because a client can send any
* word.
*
* @returns `undefined` if no known word is similar
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
/** Returns the length of the part in which two words differ, without their common beginning and end. */
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
* Explains mistakes in the schemas of a contract: which keyword was probably meant, and where functions and streams can
* be. The validator itself refuses a keyword that it does not know, and so does the lint rule `no-unknown-keyword`.
*/
/** Keywords that lead to functions, and the type of schema that they belong to. */
const LEADS_TO_FUNCTIONS = {
	properties: "object",
	items: "array"
};
/**
* Rejects, at any depth, a schema of another library, a stream, and a function in a place where the runtime would not
* find it: see callback-schemas.ts. The validator rejects all other mistakes.
*
* @param path - the position in the contract, such as `[0]`
* @param mayHoldFunctions - whether functions are allowed here: the schema is an argument, or is inside of `properties`
*   and `items` of an argument
* @throws TypeError
*/
function checkSchema(schema, path, mayHoldFunctions = false) {
	if (isStandard(schema)) {
		const { vendor } = schema["~standard"];
		throw new TypeError(`${path} is a schema of ${vendor} inside a schema of TypeBox: write the whole argument with one of the two libraries`);
	}
	if (isStreamOf(schema)) throw new TypeError(`${path} is streamOf(): a stream must be a whole argument, not a part of one`);
	if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
	const types = typesOf(schema);
	const problem = functionProblem(schema, types, mayHoldFunctions);
	if (problem) throw new TypeError(`${path} has ${problem}`);
	for (const [name, operand] of Object.entries(schema)) {
		const keyword = keywordOf(name);
		if (!keyword?.takes.is(operand)) continue;
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
* Returns the problem with a keyword, and what to write instead.
*
* @param types - the types that the schema names; empty for any type
* @returns `undefined` if the schema may have the keyword, with some value
*/
function keywordProblem(name, types) {
	const problem = nameProblem(name, types);
	return problem && problem + adviseKeyword(name, void 0, types);
}
/** Returns the end of a sentence that says what to write instead of a keyword, or instead of its value. */
function adviseKeyword(name, operand, types) {
	if (name === "type") return meant(String(operand), Object.keys(TYPES)) ?? "";
	if (name === "format") return meant(String(operand), Object.keys(FORMATS)) ?? ": write Type.Refine(Type.String(), check)";
	const isMisplaced = keywordOf(name) !== void 0;
	const known = Object.keys(KEYWORDS).filter((other) => applies(other, types)).toSorted((one, other) => rankOf(one) - rankOf(other));
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
/** The types whose keywords come first. */
const RANKS = [
	"number",
	"string",
	"array",
	"object",
	"function"
];
function rankOf(name) {
	const [type = ""] = KEYWORDS[name]?.of?.types ?? [];
	return type ? RANKS.indexOf(type) : RANKS.length;
}
/** Returns whether a keyword checks values of some types. */
function applies(name, types) {
	const { of } = KEYWORDS[name] ?? {};
	return !of || types.length === 0 || types.some((type) => of.types.includes(type));
}
/**
* Returns the problem with a function that is in a place where the runtime would not find it, or that `callback` has not
* made.
*/
function functionProblem(schema, types, mayBeFunction) {
	if (!types.includes("function")) return void 0;
	if (!isCallback(schema)) return "a bare Type.Function: write callback([Type.String()], Type.Boolean())";
	if (mayBeFunction && types.length === 1) return void 0;
	return `a callback() in an unsupported place: make it an argument, a property of a Type.Object, or the items of a Type.Array`;
}
export { FEED, FORMATS, KEYWORDS, METHOD_KIND, REQUIRED, TYPES, adviseKeyword, checkEventsOf, checkSchema, describeFound, failedAt, isFeed, isStandard, isStreamOf, jsonValidator, keywordProblem, nearest, remembering };
