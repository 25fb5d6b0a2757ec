/**
 * Proves that a schema accepts every value that another schema describes. It knows the keywords that builders of
 * schemas write. A keyword that it does not know has to be equal in both.
 */
import { isDeepStrictEqual } from 'node:util';
import { jsonValidator } from '../../server/schemas/json-schema.ts';
import { REFINED, UNREADABLE } from '../written.ts';
import {
  alternativesOf,
  coversType,
  LEAST,
  MOST,
  splitByProperty,
  splitByValue,
} from './alternatives.ts';
import { isAnything, isNothing, type LinkedSchema, namedIn, UNRESOLVED } from './linked-schema.ts';

/** Keywords that `#coversOne` reads together. */
const TOGETHER = new Set(
  `type enum properties required additionalProperties items prefixItems parameters returnType ${REFINED}`.split(
    ' ',
  ),
);

export class Covering {
  /**
   * For each wider schema, the narrower schemas that it covers. A pair whose proof is under way counts, too, because a
   * schema can contain itself.
   */
  readonly #assumed = new Map<LinkedSchema, Set<LinkedSchema>>();
  /** The pairs of `#assumed` in their order. If a proof fails, the proofs that relied on it are taken back. */
  readonly #trail: (readonly [wide: LinkedSchema, narrow: LinkedSchema])[] = [];

  /**
   * Proves that `wide` accepts each value that is sent by `narrow`. An object is sent with the properties that its
   * schema names, and with other properties only if the schema says so.
   *
   * @returns false if there is no proof
   */
  covers(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    if (wide === narrow || isAnything(wide) || isNothing(narrow)) return true;
    const assumed = this.#assumed.get(wide) ?? new Set();
    this.#assumed.set(wide, assumed);
    if (assumed.has(narrow)) return true;
    const before = this.#trail.length;
    assumed.add(narrow);
    this.#trail.push([wide, narrow]);
    if (this.#coversAll(wide, narrow)) return true;
    for (const [one, other] of this.#trail.splice(before)) this.#assumed.get(one)?.delete(other);
    return false;
  }

  #coversAll(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    const alternatives = alternativesOf(narrow, false);
    const accepting = alternativesOf(wide, true);
    if (!alternatives || !accepting) return false;
    return alternatives.flatMap(splitByValue).every((one) => this.#isCovered(one, accepting));
  }

  #isCovered(narrow: LinkedSchema, accepting: readonly LinkedSchema[]): boolean {
    if (accepting.some((wide) => this.#coversOne(wide, narrow))) return true;
    // An object whose property has several values may be covered value by value.
    const parts = splitByProperty(narrow);
    return parts !== undefined && parts.every((part) => this.#isCovered(part, accepting));
  }

  /** Compares two schemas without alternatives. */
  #coversOne(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    if (isAnything(wide)) return true;
    if (wide[REFINED] !== undefined && wide[REFINED] !== narrow[REFINED]) return false;
    const { enum: values } = narrow as { enum?: unknown[] };
    if (values?.every(isScalar)) return values.every((value) => acceptsScalar(wide, value));
    if (wide['enum'] !== undefined && !isDeepStrictEqual(wide['enum'], values)) return false;
    if (!coversType(wide['type'], narrow['type'])) return false;
    for (const [keyword, operand] of Object.entries(wide)) {
      if (TOGETHER.has(keyword)) continue;
      if (!coversKeyword(keyword, operand, narrow)) return false;
    }
    return (
      this.#coversProperties(wide, narrow) &&
      this.#coversItems(wide, narrow) &&
      this.#coversFunction(wide, narrow)
    );
  }

  #coversProperties(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    const own = namedIn(narrow, 'properties');
    const accepted = namedIn(wide, 'properties');
    const others = narrow['additionalProperties'] as LinkedSchema | undefined;
    const acceptedOthers = (wide['additionalProperties'] ?? {}) as LinkedSchema;
    const required = (narrow['required'] ?? []) as string[];
    if (!((wide['required'] ?? []) as string[]).every((name) => required.includes(name)))
      return false;
    for (const [name, sent] of Object.entries(own)) {
      const schema = Object.hasOwn(accepted, name) ? accepted[name] : acceptedOthers;
      if (!this.covers(schema as LinkedSchema, sent)) return false;
    }
    if (others === undefined || isNothing(others)) return true;
    const missing = Object.entries(accepted).filter(([name]) => !Object.hasOwn(own, name));
    return (
      this.covers(acceptedOthers, others) &&
      missing.every(([, schema]) => this.covers(schema, others))
    );
  }

  #coversItems(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    const own = (narrow['prefixItems'] ?? []) as LinkedSchema[];
    const accepted = (wide['prefixItems'] ?? []) as LinkedSchema[];
    const most = Number(narrow['maxItems'] ?? Infinity);
    const length = Math.max(own.length, accepted.length);
    for (let index = 0; index <= length && index < most; index++) {
      const sent = (index < own.length ? own[index] : narrow['items']) ?? {};
      const schema = (index < accepted.length ? accepted[index] : wide['items']) ?? {};
      if (!this.covers(schema as LinkedSchema, sent as LinkedSchema)) return false;
    }
    return true;
  }

  /**
   * Returns whether a function fits: it accepts the arguments with which it is called, and returns a value that is
   * expected.
   */
  #coversFunction(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    if (wide['type'] !== 'function') return true;
    const [accepted, sent] = [signatureOf(wide), signatureOf(narrow)];
    return (
      sent.parameters.every((schema, index) =>
        this.covers(schema, accepted.parameters[index] ?? UNDEFINED),
      ) &&
      (accepted.result['type'] === 'void' || this.covers(accepted.result, sent.result))
    );
  }
}

/** Returns the parameters and the result of a function's schema. */
export function signatureOf({ parameters, returnType }: LinkedSchema): {
  readonly parameters: readonly LinkedSchema[];
  readonly result: LinkedSchema;
} {
  return {
    parameters: (parameters ?? []) as LinkedSchema[],
    result: (returnType ?? {}) as LinkedSchema,
  };
}

/** The schema of arguments that a caller leaves out. */
export const UNDEFINED: LinkedSchema = { type: 'undefined' };

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Returns whether a schema without alternatives accepts a value that is no object. */
function acceptsScalar(wide: LinkedSchema, value: unknown): boolean {
  if (wide[UNREADABLE] !== undefined || wide[UNRESOLVED] !== undefined) return false;
  const scalar = Object.fromEntries(Object.entries(wide).filter(([name]) => !TOGETHER.has(name)));
  const { type, enum: values } = wide;
  const schema = {
    ...scalar,
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
  };
  try {
    return !jsonValidator(schema, 'schema').validate(value).issues;
  } catch {
    return false;
  }
}

function coversKeyword(keyword: string, operand: unknown, narrow: LinkedSchema): boolean {
  const own = narrow[keyword];
  if (LEAST.has(keyword) || MOST.has(keyword)) return coversLimit(keyword, operand, narrow);
  if (keyword === 'multipleOf') {
    if (operand === 1 && narrow['type'] === 'integer') return true;
    return own !== undefined && Number(own) % Number(operand) === 0;
  }
  if (keyword === 'uniqueItems' && operand === false) return true;
  return own !== undefined && isDeepStrictEqual(own, operand);
}

function coversLimit(keyword: string, limit: unknown, narrow: LinkedSchema): boolean {
  const sign = LEAST.has(keyword) ? 1 : -1;
  const name = keyword.replace(/^exclusiveM/, 'm');
  const exclusive = `exclusive${name[0]?.toUpperCase()}${name.slice(1)}`;
  const isExclusive = keyword === exclusive;
  const order = (one: unknown): number =>
    sign * ((one as number) < (limit as number) ? -1 : (one as number) > (limit as number) ? 1 : 0);
  if (narrow[exclusive] !== undefined && order(narrow[exclusive]) >= 0) return true;
  if (narrow[name] !== undefined && order(narrow[name]) >= (isExclusive ? 1 : 0)) return true;
  if (limit === 0 && /^min(Length|Items|Properties)$/.test(name)) return true;
  if (name === 'minProperties')
    return ((narrow['required'] ?? []) as string[]).length >= Number(limit);
  return false;
}
