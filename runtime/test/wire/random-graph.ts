/** Random values for fast-check, with sharing and cycles. */
import * as fc from 'fast-check';

/** The name of a property. No object with a property of the excluded name can be sent. */
export const key = fc
  .string({ unit: 'binary', maxLength: 4 })
  .filter((name) => name !== '__proto__');

const primitive = fc.oneof(
  fc.constantFrom(undefined, null, true, false, -0, 0, Number.NaN, Infinity, -Infinity, ''),
  fc.double(),
  fc.integer(),
  fc.bigInt(),
  fc.string({ unit: 'binary' }),
);

/** Values without references to other objects. */
const leaf = fc.oneof(
  fc.date({ noInvalidDate: false }),
  fc.uint8Array().map((bytes) => bytes.subarray(bytes.length >> 1)),
  fc.float64Array(),
  fc.bigInt64Array(),
  fc.constantFrom('a', '[/]', '(?:)').map((source) => new RegExp(source, 'gu')),
  fc.webUrl().map((url) => new URL(url)),
  fc.webQueryParameters().map((query) => new URLSearchParams(query)),
  primitive.filter((value) => value !== undefined && value !== null).map(Object),
);

/** The containers are empty until every node of the graph exists. */
const container = fc.oneof(
  fc.constant(() => ({})),
  fc.constant(() => Object.create(null) as object),
  fc.constant(() => [] as unknown[]),
  fc.constant(() => new Map<unknown, unknown>()),
  fc.constant(() => new Set<unknown>()),
  fc.string().map((message) => () => new RangeError(message)),
  fc.string().map((message) => () => new AggregateError([], message)),
);

/** A member of a container: its key, and either a primitive or the number of a node. */
const entry = fc.record({
  key,
  index: fc.nat(40),
  node: fc.nat(),
  leafOrNode: fc.option(primitive),
});

type Entry = typeof entry extends fc.Arbitrary<infer Value> ? Value : never;

export const graph = fc
  .record({
    containers: fc.array(fc.tuple(container, fc.array(entry, { maxLength: 5 })), {
      minLength: 1,
      maxLength: 12,
    }),
    leaves: fc.array(leaf, { maxLength: 5 }),
  })
  .map(({ containers, leaves }) => {
    const made = containers.map(([make]): object => make());
    const nodes: unknown[] = [...made, ...leaves];
    for (const [index, [, entries]] of containers.entries()) {
      for (const each of entries) {
        // Half of the members are nodes, so that most graphs have cycles.
        const value = each.leafOrNode ?? nodes[each.node % nodes.length];
        put(made[index] as object, each, value, nodes[each.index % nodes.length]);
      }
    }
    return made[0];
  });

function put(holder: object, { key: name, index }: Entry, value: unknown, node: unknown): void {
  if (Array.isArray(holder)) holder[index] = value;
  else if (holder instanceof Map) holder.set(index % 2 ? node : name, value);
  else if (holder instanceof Set) holder.add(value);
  else if (holder instanceof AggregateError) holder.errors.push(value);
  else if (holder instanceof Error && index % 4 === 0) holder.cause = value;
  // The fields of an Error are not ordinary properties.
  else if (!(holder instanceof Error && name in holder)) Object.assign(holder, { [name]: value });
}

/** Returns a tree of all values of fast-check. */
export function tree(more: fc.ObjectConstraints = {}): fc.Arbitrary<unknown> {
  return fc.anything({
    maxDepth: 5,
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    ...more,
  });
}
