/** What the value workloads send there and back. Imports statistics. */
import { randomNumbers } from '../measure/statistics.ts';

const random = randomNumbers(1);

/** Rows as a table has them: 10 KiB of JSON. */
export const plainObject = {
  rows: Array.from({ length: 112 }, (_, id) => ({
    id,
    name: random().toString(36).slice(2, 10),
    email: `${random().toString(36).slice(2, 10)}@example.com`,
    total: Math.round(random() * 1e6) / 100,
    isActive: random() < 0.5,
  })),
};

/** Noise, which does not compress: 1 MiB. */
export const bytes = Uint8Array.from({ length: 2 ** 20 }, () => random() * 256);

const orders = Array.from({ length: 20 }, (_, index) => ({
  id: `order-${index}`,
  placed: new Date(Date.UTC(2026, 0, 1 + index)),
  items: [1, 2, 3].map((count) => ({ sku: `sku-${index}-${count}`, count })),
}));

/** A Map of objects with a Date, and a cycle: each knows where it belongs. */
export const richValue = { customer: 'Ada', orders: new Map<string, object>() };
for (const { id, placed, items } of orders) {
  richValue.orders.set(id, { placed, items, of: richValue });
}

/** The same data, as one would write it in JSON. */
export const richValueAsJson = {
  customer: 'Ada',
  orders: orders.map(({ id, placed, items }) => [id, { placed: placed.toISOString(), items }]),
};
