/** The worker under test in a bare workerd, and clients that pass it functions. */
import { until } from '../../../../harness/waiting.mjs';
import type { RpcClient } from '../../../src/client.ts';
import { ServedPlace, serveForTests } from '../../support/served-place.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The names of the Durable Object bindings. */
export type Binding = 'DEFAULT' | 'RESIDENT' | 'STRICT' | 'CHANGED';

export class Place extends ServedPlace<Default, Binding> {
  /** For the tests of a file; it ends with the last of them. */
  static async forTests(): Promise<Place> {
    return new Place(await serveForTests(import.meta.dirname), 'DEFAULT');
  }
}

/** Waits until a method of the object waits to be released. */
export async function holding(client: Client, name: string): Promise<void> {
  await until(() => client.isHolding(name));
}
