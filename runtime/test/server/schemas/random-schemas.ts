/**
 * Creates random schemas of TypeBox, and values that match them or almost do. A seed always gives
 * the same pairs.
 */
import { type TSchema, Type } from 'typebox';
import { Mutator } from '../../support/mutator.ts';

export interface Pair {
  readonly schema: TSchema;
  readonly value: unknown;
}

const NAMES = ['a', 'b', 'c', 'kind', 'odd key', '__proto', 'a/b~c'];
const TEXTS = ['', 'a', 'ab', 'abc', 'a1', '2026-02-28', 'a@b.c', '\u{1f44d}', 'x-1'];
const NUMBERS = [0, 1, -1, 2, 3, 5, 10, 0.5, 1.5, -0, 1e21, 0.1, 0.3];

/** Yields pairs without end. */
export class RandomPairs {
  readonly #random: Mutator;
  #cycles = 0;

  constructor(seed: number) {
    this.#random = new Mutator(seed);
  }

  next(): Pair {
    const schema = this.#schema(3);
    return { schema, value: this.#value(schema, 6) };
  }

  #below(limit: number): number {
    return this.#random.below(limit);
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }

  /** Returns some of the options. */
  #some(options: Record<string, () => unknown>): Record<string, never> {
    const names = Object.keys(options).filter(() => this.#below(4) === 0);
    return Object.fromEntries(names.map((name) => [name, options[name]?.() as never]));
  }

  #schemas(depth: number, most = 3): TSchema[] {
    return Array.from({ length: 1 + this.#below(most) }, () => this.#schema(depth - 1));
  }

  #object(depth: number): TSchema {
    const properties = Object.fromEntries(
      Array.from({ length: this.#below(4) }, () => {
        const schema = this.#schema(depth - 1);
        return [this.#one(NAMES), this.#below(3) === 0 ? Type.Optional(schema) : schema];
      }),
    );
    const inner = (): TSchema => this.#schema(depth - 1);
    return Type.Object(
      properties,
      this.#some({
        additionalProperties: () => this.#one([true, false, inner()]),
        minProperties: () => this.#below(3),
        maxProperties: () => 1 + this.#below(4),
        patternProperties: () => ({ [this.#one(['^a', 'b', '.'])]: inner() }),
        propertyNames: () => this.#one([{ maxLength: 4 }, { pattern: '^[a-k]' }]),
        dependentRequired: () => ({ [this.#one(NAMES)]: [this.#one(NAMES)] }),
        dependentSchemas: () => ({ [this.#one(NAMES)]: inner() }),
        unevaluatedProperties: () => this.#one([false, inner()]),
      }),
    );
  }

  #array(depth: number): TSchema {
    const inner = (): TSchema => this.#schema(depth - 1);
    const bounds = this.#some({
      minItems: () => this.#below(3),
      maxItems: () => 1 + this.#below(4),
      uniqueItems: () => this.#one([true, false]),
      contains: inner,
    });
    if ('contains' in bounds) {
      Object.assign(
        bounds,
        this.#some({
          minContains: () => 1 + this.#below(2),
          maxContains: () => 1 + this.#below(2),
        }),
      );
    }
    if (this.#below(3) > 0) return Type.Array(inner(), bounds);
    const rest = this.#some({ unevaluatedItems: () => false, minItems: () => this.#below(3) });
    if (this.#below(2) > 0) return Type.Tuple(this.#schemas(depth), bounds);
    return Type.Unsafe({ type: 'array', prefixItems: this.#schemas(depth), ...bounds, ...rest });
  }

  #cyclic(): TSchema {
    // TypeBox confuses definitions with equal names.
    const name = `Node${this.#cycles++}`;
    const node = Type.Object({
      value: this.#schema(1),
      next: Type.Optional(Type.Ref(name)),
      more: Type.Optional(Type.Array(Type.Ref(name), { maxItems: 2 })),
    });
    return Type.Cyclic({ [name]: this.#one([node, Type.Union([node, Type.Null()])]) }, name);
  }

  #schema(depth: number): TSchema {
    if (depth <= 0) return this.#leaf();
    switch (this.#below(14)) {
      case 0:
      case 1:
      case 2:
        return this.#object(depth);
      case 3:
      case 4:
        return this.#array(depth);
      case 5:
      case 6:
        return Type.Union(this.#schemas(depth));
      case 7:
        return Type.Intersect([this.#object(depth - 1), this.#schema(depth - 1)]);
      case 8:
        return Type.Unsafe({ oneOf: this.#schemas(depth) });
      case 9:
        return Type.Unsafe({ not: this.#schema(depth - 1) });
      case 10: {
        const [condition, then, otherwise] = [1, 2, 3].map(() => this.#schema(depth - 1));
        return Type.Unsafe({
          if: condition,
          // oxlint-disable-next-line no-thenable -- it is a keyword
          ...this.#some({ then: () => then, else: () => otherwise }),
        });
      }
      case 11:
        return Type.Record(
          this.#one([Type.String(), Type.Integer(), Type.TemplateLiteral('a${string}')]),
          this.#schema(depth - 1),
        );
      case 12:
        return this.#cyclic();
      default:
        return this.#leaf();
    }
  }

  #leaf(): TSchema {
    const bounds = (): Record<string, never> =>
      this.#some({
        minimum: () => this.#one(NUMBERS),
        maximum: () => this.#one(NUMBERS),
        exclusiveMinimum: () => this.#one(NUMBERS),
        exclusiveMaximum: () => this.#one(NUMBERS),
        multipleOf: () => this.#one([1, 2, 0.5, 0.1]),
      });
    const sizes = (): Record<string, never> =>
      this.#some({
        minLength: () => this.#below(3),
        maxLength: () => this.#below(4),
        pattern: () => this.#one(['^a', 'b$', '\\d', '^.$']),
        format: () => this.#one(['date', 'email', 'uuid']),
      });
    switch (this.#below(16)) {
      case 0:
      case 1:
        return Type.Integer(bounds());
      case 2:
        return Type.Number(bounds());
      case 3:
      case 4:
        return Type.String(sizes());
      case 5:
        return Type.Boolean();
      case 6:
        return Type.Null();
      case 7:
        return Type.BigInt(this.#some({ minimum: () => 2n, maximum: () => 5 }));
      case 8:
        return Type.Undefined();
      case 9:
      case 10:
        return Type.Literal(this.#one<string | number | boolean>(['a', 'ab', 0, 1, true]));
      case 11:
        return Type.Enum(['a', 'abc', 5]);
      case 12:
        return Type.Unsafe({ const: this.#one([{ a: 1 }, [1, 'a'], null]) });
      case 13:
        return Type.Unsafe({
          type: this.#one([
            ['string', 'integer'],
            ['number', 'string', 'null'],
          ]),
          ...bounds(),
          ...sizes(),
        });
      case 14:
        return Type.Refine(Type.Unknown(), (value) => value !== 'ab');
      default:
        return this.#one([Type.Unknown(), Type.Never(), Type.Unsafe({ ...bounds(), ...sizes() })]);
    }
  }

  #anything(depth: number): unknown {
    switch (this.#below(depth > 0 ? 13 : 10)) {
      case 0:
      case 1:
      case 2:
        return this.#one(NUMBERS);
      case 3:
      case 4:
        return this.#one(TEXTS);
      case 5:
        return this.#below(2) === 0;
      case 6:
        return null;
      case 7:
        return undefined;
      case 8:
        return BigInt(this.#below(7));
      case 9:
        return this.#one([{}, [], { a: 1 }, [1, 'a']]);
      case 10:
        return Array.from({ length: this.#below(4) }, () => this.#anything(depth - 1));
      default:
        return Object.fromEntries(
          Array.from({ length: this.#below(4) }, () => [
            this.#one(NAMES),
            this.#anything(depth - 1),
          ]),
        );
    }
  }

  /** Returns a value that probably matches most of a schema. */
  #value(schema: unknown, depth: number, definitions: Record<string, unknown> = {}): unknown {
    if (this.#below(12) === 0 || depth <= 0 || typeof schema !== 'object') return this.#anything(2);
    const fields = schema as Record<string, never> & { type?: string; properties?: object };
    const defs = { ...definitions, ...(fields['$defs'] as object | undefined) };
    const inner = (one: unknown): unknown => this.#value(one, depth - 1, defs);
    if ('$ref' in fields) return inner(defs[fields['$ref']]);
    if ('const' in fields) return fields['const'];
    for (const keyword of ['enum', 'anyOf', 'oneOf', 'allOf']) {
      if (!(keyword in fields)) continue;
      const one = this.#one(fields[keyword] as unknown as unknown[]);
      return keyword === 'enum' ? one : inner(one);
    }
    if ('if' in fields) return inner(fields[this.#one(['if', 'then', 'else'])]);
    switch (fields.type) {
      case 'integer':
        return this.#one(NUMBERS.filter(Number.isInteger));
      case 'number':
        return this.#one(NUMBERS);
      case 'string':
        return this.#one(TEXTS);
      case 'boolean':
        return this.#below(2) === 0;
      case 'null':
        return null;
      case 'bigint':
        return BigInt(this.#below(7));
      case 'undefined':
        return undefined;
      case 'array': {
        const { items, prefixItems = [] } = fields as { items?: unknown; prefixItems?: unknown[] };
        const first = Array.isArray(items) ? items : prefixItems;
        const list = first.filter(() => this.#below(9) > 0).map(inner);
        if (Array.isArray(items)) return list;
        return [...list, ...Array.from({ length: this.#below(4) }, () => inner(items))];
      }
      case 'object': {
        const { properties = {}, patternProperties = {} } = fields as Record<string, object>;
        const entries = Object.entries(properties).filter(() => this.#below(8) > 0);
        const more = Object.values(patternProperties).map((one) => [
          this.#one([...NAMES, '1']),
          one,
        ]);
        const others = this.#below(4) === 0 ? [[this.#one(NAMES), true]] : [];
        return Object.fromEntries(
          [...others, ...more, ...entries].map(([name, one]) => [name as string, inner(one)]),
        );
      }
      default:
        return this.#anything(2);
    }
  }
}
