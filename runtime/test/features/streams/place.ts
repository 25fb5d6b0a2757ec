/** The worker under test in a bare workerd, and clients of it. */
import type { RpcClient } from '../../../src/client.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { ServedPlace, serveForTests } from '../../served/place.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = { DEFAULT: 'Default', RESIDENT: 'Resident', STRICT: 'Strict' } as const;
export type Binding = keyof typeof BINDINGS;

export class Place extends ServedPlace<Default, Binding> {
  /** For the tests of a file; it ends with the last of them. */
  static async forTests(): Promise<Place> {
    return new Place(await serveForTests(import.meta.dirname, BINDINGS), 'DEFAULT', {
      capabilities,
    });
  }
}

/** All that an iteration gives. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const got: Item[] = [];
  for await (const item of items) got.push(item);
  return got;
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
