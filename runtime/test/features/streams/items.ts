/** Collects the items of streams. */

/** Returns all items of an iteration. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const got: Item[] = [];
  for await (const item of items) got.push(item);
  return got;
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
