/** Starts, controls and kills client processes for a scenario, and collects their evidence. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Child } from './child.ts';
import type { ClientOrder, ClientReport, ClientSettings } from './client-process.ts';

const CLIENT_PROCESS = join(import.meta.dirname, 'client-process.ts');
/** A module that makes the `Date` of a program jump by hours, back and forth, if it is loaded first. */
const JUMPING_CLOCK = join(import.meta.dirname, 'jumping-clock.ts');

export class ClientProcess {
  readonly #child: Child<ClientOrder, ClientReport>;

  /** @param jumpingClock - whether its `Date` jumps by hours, back and forth */
  constructor(settings: ClientSettings, { jumpingClock = false } = {}) {
    const clock = jumpingClock ? ['--import', pathToFileURL(JUMPING_CLOCK).href] : [];
    this.#child = new Child(CLIENT_PROCESS, settings, clock);
  }

  /** Makes the clients call until `rest`. */
  work(): void {
    this.#child.tell('work');
  }

  /** Ends the work that `work` began. Resolves when every call has been answered or rejected. */
  rest(): Promise<ClientReport> {
    return this.#child.ask('rest');
  }

  /** Makes one call of each client. Resolves when all have been answered or rejected. */
  once(): Promise<ClientReport> {
    return this.#child.ask('once');
  }

  /** Closes the clients; the process remains. */
  close(): Promise<ClientReport> {
    return this.#child.ask('close');
  }

  /** Ends the process at once, as a crash does. */
  kill(): Promise<void> {
    return this.#child.kill();
  }
}
