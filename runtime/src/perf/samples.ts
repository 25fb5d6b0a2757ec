/** The values that workloads send. */
import { randomNumbers } from './measure/statistics.ts';

const random = randomNumbers(1);
const word = (): string => random().toString(36).slice(2, 10);

const table = {
  rows: Array.from({ length: 112 }, (_, id) => ({
    id,
    name: word(),
    email: `${word()}@example.com`,
    total: Math.round(random() * 1e6) / 100,
    isActive: random() < 0.5,
  })),
};

const bytes = Uint8Array.from({ length: 2 ** 20 }, () => random() * 256);

const list = Array.from({ length: 20 }, (_, index) => ({
  id: `order-${index}`,
  placed: new Date(Date.UTC(2026, 0, 1 + index)),
  items: [1, 2, 3].map((count) => ({ sku: `sku-${index}-${count}`, count })),
}));

const orders = { customer: 'Ada', orders: new Map<string, object>() };
for (const { id, ...order } of list) orders.orders.set(id, { ...order, of: orders });

const ordersAsJson = {
  customer: 'Ada',
  orders: list.map(({ id, placed, items }) => [id, { placed: placed.toISOString(), items }]),
};

/** The values in `samples`. */
export interface Samples {
  /** Rows of a table: 10 KiB of JSON. */
  readonly table: object;
  /** A Map of objects with a Date, and a cycle: each object refers to the whole value. */
  readonly orders: object;
  /** The data as plain JSON. */
  readonly ordersAsJson: object;
  /** 1 MiB of noise, which does not compress. */
  readonly bytes: Uint8Array;
}

/**
 * Values to send in workloads.
 *
 * @example
 * echo('10 KiB object, there and back', 10, samples.table);
 */
export const samples: Samples = { table, orders, ordersAsJson, bytes };
