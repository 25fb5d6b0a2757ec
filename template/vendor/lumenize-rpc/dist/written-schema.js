import { FORMATS, isStandard } from "./schemas.js";
import { LACKING, namedType, schemaOfLibrary, typeOfArk } from "./http-schemas.js";
// src/contract/written.ts
/** The keyword that counts checks and transforms that are code, and other parts that JSON Schema does not show. */
const REFINED = "refined";
/** The keyword of a schema whose library makes no JSON Schema. Its value is the name of the library. */
const UNREADABLE = "unreadable";
// src/contract/library-schemas.ts
/**
* The JSON Schema of a schema of another library, with types that JSON lacks. It counts the parts that JSON Schema does
* not show, such as a check that is code, so that nobody takes two such schemas for equal.
*/
/** @returns the schema of the values that a client sends; `undefined` for a library that makes no JSON Schema */
function exchangedSchema(schema) {
	switch (schema["~standard"].vendor) {
		case "zod": return schemaOfLibrary(schema, ZOD_OPTIONS);
		case "valibot": return ofValibot(schema);
		case "arktype": return ofArkType(schema);
		default: return schemaOfLibrary(schema, void 0);
	}
}
/** Returns the schema of a type that JSON lacks; `undefined` for any other type. */
function typeNamed(type) {
	if (LACKING.test(type)) return { type };
	const name = namedType(type);
	if (name === void 0) return void 0;
	const form = { type: name === "BigInt" ? "bigint" : name };
	return name === "Map" || name === "Set" ? refined(form) : form;
}
function refined(schema, count = 1) {
	return {
		...schema,
		[REFINED]: Number(schema["refined"] ?? 0) + count
	};
}
const ZOD_OPTIONS = {
	unrepresentable: "any",
	override({ zodSchema, jsonSchema }) {
		const { _zod: { def, bag } } = zodSchema;
		if (takesAnything(zodSchema)) for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
		else Object.assign(jsonSchema, typeNamed(bag?.Class?.name ?? def.type));
		if (jsonSchema["pattern"] && !Object.hasOwn(FORMATS, String(jsonSchema["format"]))) delete jsonSchema["format"];
		const hidden = hiddenInZod(zodSchema);
		if (hidden > 0) jsonSchema[REFINED] = hidden;
	}
};
const ZOD_KEYWORDS = /^(greater_than|less_than|multiple_of|number_format|min_length|max_length|length_equals)$/;
const ZOD_HIDDEN_TYPES = /^(pipe|transform|custom|map|set|file)$/;
/**
* Returns whether a schema converts or replaces a value first. Such a schema accepts more than its JSON Schema says.
*/
function takesAnything({ _zod: { def } }) {
	const { type, coerce, in: first } = def;
	return coerce || type === "catch" || type === "pipe" && first !== void 0 && isTransform(first);
}
function isTransform({ _zod: { def } }) {
	return def.type === "transform";
}
/**
* Counts the parts of a schema that its JSON Schema does not show, except parts that it shows in other places.
*/
function hiddenInZod({ _zod: { def, bag } }) {
	const { type, check, checks = [] } = def;
	const isClass = bag?.Class !== void 0 && typeNamed(bag.Class.name) !== void 0;
	const isNamed = isClass || typeNamed(type) !== void 0;
	const hidden = [...check === void 0 || isClass ? [] : [def], ...checks.map(({ _zod }) => _zod.def)].filter((one) => !isKeyword(one, isNamed)).length;
	const own = def.coerce || ZOD_HIDDEN_TYPES.test(type) && !isClass ? 1 : 0;
	const inner = type === "nullable" ? void 0 : def.innerType ?? def.in;
	return own + hidden + (inner ? hiddenInZod(inner) : 0);
}
/** @param isNamed - whether JSON lacks the schema's type, as for `Date`. No keyword shows the limits of such a type. */
function isKeyword({ check = "", format, pattern, hostname, protocol }, isNamed) {
	if (check !== "string_format") return ZOD_KEYWORDS.test(check) && !isNamed;
	if (pattern) return !/[ims]/.test(pattern.flags);
	return format === "url" && !hostname && !protocol;
}
/** Actions of Valibot that accept every value. */
const VALIBOT_TYPES_ALONE = /^(brand|flavor|readonly)$/;
/**
* Returns the JSON Schema of a schema of Valibot. The JSON Schema of an input ends before a transform, so the hidden
* parts after a transform are counted in a second schema, of the whole pipe.
*/
function ofValibot(schema) {
	const make = (typeMode, refine) => schemaOfLibrary(schema, {
		errorMode: "ignore",
		typeMode,
		overrideSchema({ valibotSchema, jsonSchema, errors }) {
			return typeNamed(valibotSchema.class?.name ?? valibotSchema.type) ?? (errors && refine(jsonSchema));
		},
		overrideAction({ valibotAction: { type }, jsonSchema, errors }) {
			return errors && !VALIBOT_TYPES_ALONE.test(type) ? refine(jsonSchema) : void 0;
		}
	});
	return withHidden((refine) => make("input", refine), (refine) => void make("ignore", refine));
}
/**
* Returns the JSON Schema of a schema of ArkType. The JSON Schema of an input lacks morphs, and the flags of patterns,
* so these are counted apart.
*/
function ofArkType(schema) {
	const optionsWith = (refine) => ({ fallback: { default(context) {
		const { base, before, after } = context;
		const form = typeNamed(typeOfArk(context));
		return form && !before && !after ? form : refine({
			...base,
			...form
		});
	} } });
	return withHidden((refine) => schemaOfLibrary(schema, optionsWith(refine)), (refine) => {
		schema.toJsonSchema(optionsWith(refine));
		for (const _ of JSON.stringify(schema.json).matchAll(/"flags":"[^"]*[ims]/g)) refine({});
	});
}
/**
* Counts the hidden parts of the whole schema, which the JSON Schema of its input does not count.
*
* @param make - makes the JSON Schema of the input
* @param visit - visits the whole schema
*/
function withHidden(make, visit) {
	let seen = 0;
	const made = make((schema) => (seen++, refined(schema)));
	let all = 0;
	visit((schema) => (all++, refined(schema)));
	return made && all > seen ? refined(made, all - seen) : made;
}
// src/contract/written-schema.ts
/** The JSON Schema of a contract's schema, as it is written into the file. */
/** Keywords that do not change which values are accepted. */
const ANNOTATIONS = new Set("$schema $comment title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType".split(" "));
/** @param schema - a schema of TypeBox, or of a library that implements Standard Schema */
function writtenSchema(schema) {
	if (!isStandard(schema)) return write(schema);
	const made = exchangedSchema(schema);
	return made ? write({ ...made }) : { [UNREADABLE]: schema["~standard"].vendor };
}
/** Copies a schema as plain data. A bigint becomes a text such as `5n`, which `readSchema` reads. */
function write(value) {
	if (typeof value === "bigint") return `${value}n`;
	if (value instanceof RegExp) return value.source;
	if (Array.isArray(value)) return value.map(write);
	if (typeof value !== "object" || value === null) return value;
	if (isStandard(value)) return writtenSchema(value);
	const written = {};
	for (const [keyword, held] of Object.entries(value)) {
		if (held === void 0 || keyword.startsWith("~") || ANNOTATIONS.has(keyword)) continue;
		written[keyword] = NAMED.has(keyword) ? writeNamed(held) : write(held);
	}
	const { "~refine": refinements, "~result": result } = value;
	if (refinements) written[REFINED] = refinements.length;
	if (result) written["returnType"] = writtenSchema(result());
	return written;
}
/** Keywords that hold schemas by names, which can be the names of annotations. */
const NAMED = new Set("properties patternProperties $defs definitions dependentSchemas".split(" "));
function writeNamed(schemas) {
	return Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, write(inner)]));
}
/** Keywords whose value is a number, or a text such as `5n` in the schema of a bigint. */
const NUMERIC = new Set("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" "));
/** Reads the bigints of a schema in the file. */
function readSchema(schema) {
	return read(schema);
}
function read(value) {
	if (Array.isArray(value)) return value.map(read);
	if (typeof value !== "object" || value === null) return value;
	const { type } = value;
	const entries = Object.entries(value).map(([keyword, held]) => {
		return [keyword, (NUMERIC.has(keyword) || keyword === "const" && type === "bigint") && typeof held === "string" ? toBigInt(held) : read(held)];
	});
	return Object.fromEntries(entries);
}
function toBigInt(text) {
	return /^-?\d+n$/.test(text) ? BigInt(text.slice(0, -1)) : text;
}
export { REFINED, UNREADABLE, readSchema, writtenSchema };
