/** The worker under test in a bare workerd, and clients that hold capabilities of it. */
import { join } from 'node:path';
import type { RpcClient } from '../../../src/client.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { ServedPlace, serveForTests } from '../../served/place.ts';
import type { Bank } from './bank.ts';

export type Client = RpcClient<Bank>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = {
  BANK: 'Bank',
  RESIDENT: 'Resident',
  UNJOURNALED: 'Unjournaled',
  SCRUBBING: 'Scrubbing',
} as const;
export type Binding = keyof typeof BINDINGS;

export class Place extends ServedPlace<Bank, Binding> {
  /** For the tests of a file; it ends with the last of them. */
  static async forTests(): Promise<Place> {
    return new Place(await serveForTests(import.meta.dirname, BINDINGS), 'BANK', { capabilities });
  }

  /** Gives the objects other code. */
  async deployNext(): Promise<void> {
    const main = join(import.meta.dirname, 'next-worker.ts');
    await this.runtime.deploy({ config: { main, bindings: { BANK: 'Bank' } } });
  }

  /** What another Worker gets by native Workers RPC. */
  async native(instance: string): Promise<unknown> {
    const query = new URLSearchParams({ instance });
    return (await fetch(`${this.runtime.url}/native?${query}`)).json();
  }
}
