/** What the value workloads send there and back. Imports nothing. */

const KIBIBYTE = 1024;

/** Rows as a table has them: 10 KiB of JSON. */
export const plainObject = { rows: Array.from({ length: 93 }, (_, id) => row(id)) };

function row(id: number): object {
  const name = `Customer ${id}`;
  return { id, name, email: `customer-${id}@example.com`, total: id * 19.75, isActive: id % 3 > 0 };
}

/** Noise, which does not compress: 1 MiB. */
export const bytes = Uint8Array.from({ length: KIBIBYTE * KIBIBYTE }, (_, index) =>
  Math.trunc(Math.imul(index, 2654435761) / 65536),
);

interface Order {
  placed: unknown;
  items: { sku: string; count: number }[];
}

interface Rich {
  customer: string;
  orders: Map<string, Order & { of: Rich }>;
}

const orders = Array.from({ length: 20 }, (_, index) => ({
  id: `order-${index}`,
  placed: new Date(Date.UTC(2026, 0, 1 + index)),
  items: [0, 1, 2].map((item) => ({ sku: `sku-${index}-${item}`, count: item + 1 })),
}));

/** A Map, Dates, and a cycle: each order knows whose it is. */
export const richValue: Rich = { customer: 'Ada', orders: new Map() };
for (const { id, placed, items } of orders) {
  richValue.orders.set(id, { placed, items, of: richValue });
}

/** The same data, as one would write it in JSON. */
export const richValueAsJson = {
  customer: 'Ada',
  orders: orders.map(({ id, placed, items }) => [id, { placed: placed.toISOString(), items }]),
};
