/** Reads the first items of a subscription or a stream. */

/** @returns the first `count` items, or all if there are fewer; then the loop is ended */
export async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}
