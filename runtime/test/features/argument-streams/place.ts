/** The worker under test in a bare workerd, and clients that pass it streams. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RpcClient } from '../../../src/client.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { ServedPlace, serveForTests } from '../../served/place.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = {
  DEFAULT: 'Default',
  RESIDENT: 'Resident',
  UNJOURNALED: 'Unjournaled',
  STRICT: 'Strict',
} as const;
export type Binding = keyof typeof BINDINGS;

export class Place extends ServedPlace<Default, Binding> {
  /**
   * For the tests of a file; it ends with the last of them.
   *
   * @param inject - files that run before the worker
   */
  static async forTests(inject: string[] = []): Promise<Place> {
    const served = await serveForTests(import.meta.dirname, BINDINGS, { inject });
    return new Place(served, 'DEFAULT', { capabilities });
  }
}

/** Gives numbers from 1 on, and says how many were asked for and whether it has been ended. */
export class Producer {
  given = 0;
  isEnded = false;
  readonly #count: number;
  readonly #delay: number;

  /** @param delay - before each, in milliseconds */
  constructor(count: number, delay = 0) {
    this.#count = count;
    this.#delay = delay;
  }

  async *numbers(): AsyncGenerator<number, void> {
    try {
      while (this.given < this.#count) {
        if (this.#delay) await sleep(this.#delay);
        yield ++this.given;
      }
    } finally {
      this.isEnded = true;
    }
  }

  async *texts(size = 0): AsyncGenerator<string, void> {
    for await (const number of this.numbers()) yield `${number}`.padEnd(size, '.');
  }
}

/** The numbers from 1 to the last. */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
