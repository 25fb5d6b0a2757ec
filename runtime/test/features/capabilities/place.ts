/** The worker under test in a bare workerd, and clients that hold capabilities of it. */
import { join } from 'node:path';
import type { RpcClient } from '../../../src/client.ts';
import { capabilities } from '../../../src/features/capabilities/client.ts';
import { ServedPlace, serveForTests } from '../../support/served-place.ts';
import type { Bank } from './bank.ts';

export type Client = RpcClient<Bank>;

/** The names of the Durable Object bindings. */
export type Binding = 'BANK' | 'RESIDENT' | 'UNJOURNALED' | 'SCRUBBING';

export class Place extends ServedPlace<Bank, Binding> {
  /** For the tests of a file; it ends with the last of them. */
  static async forTests(): Promise<Place> {
    return new Place(await serveForTests(import.meta.dirname), 'BANK', { capabilities });
  }

  /** Gives the objects other code. */
  async deployNext(): Promise<void> {
    await this.runtime.deploy({ config: join(this.folder, 'next.jsonc') });
  }

  /** What another Worker gets by native Workers RPC. */
  async native(instance: string): Promise<unknown> {
    const query = new URLSearchParams({ instance });
    return (await fetch(`${this.runtime.url}/native?${query}`)).json();
  }
}
