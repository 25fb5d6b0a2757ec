import { jsonSchemaOf } from "./http-schemas.js";
import { isStandard } from "./schemas.js";
// src/contract/written-schema.ts
/** The JSON Schema of a contract's schema, as it is written into the file. */
/** The keyword of a schema whose library makes no JSON Schema. Its value is the name of the library. */
const UNREADABLE = "unreadable";
/** The keyword that counts the checks of `Type.Refine`, which are code. */
const REFINED = "refined";
/** Keywords that do not change which values are accepted. */
const ANNOTATIONS = new Set("$schema $comment title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType".split(" "));
/** @param schema - a schema of TypeBox, or of a library that implements Standard Schema */
function writtenSchema(schema) {
	if (!isStandard(schema)) return write(schema);
	const made = jsonSchemaOf(schema, "exchange", void 0);
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
/** Keywords whose value is a number, and of a bigint a text such as `5n`. */
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
