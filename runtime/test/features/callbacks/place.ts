/** The worker under test in a bare workerd, and clients that pass it functions. */
import type { RpcClient } from '../../../src/client.ts';
import { ServedPlace, serveForTests } from '../../served/place.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = {
  DEFAULT: 'Default',
  RESIDENT: 'Resident',
  STRICT: 'Strict',
  CHANGED: 'Changed',
} as const;
export type Binding = keyof typeof BINDINGS;

export class Place extends ServedPlace<Default, Binding> {
  /** For the tests of a file; it ends with the last of them. */
  static async forTests(): Promise<Place> {
    return new Place(await serveForTests(import.meta.dirname, BINDINGS), 'DEFAULT');
  }
}
