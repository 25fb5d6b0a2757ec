/** Client processes, as seen by a scenario: started, driven, asked for evidence, killed. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientOrder, ClientReport, ClientSettings } from './client-process.ts';

const CLIENT_PROCESS = join(import.meta.dirname, 'client-process.ts');
/** Makes the `Date` of a program that loads it first jump by hours, back and forth. */
const JUMPING_CLOCK = join(import.meta.dirname, 'jumping-clock.ts');

export class ClientProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  /** @param jumpingClock - whether its `Date` jumps by hours, back and forth */
  constructor(settings: ClientSettings, { jumpingClock = false } = {}) {
    this.#child = fork(CLIENT_PROCESS, [JSON.stringify(settings)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: jumpingClock ? ['--import', pathToFileURL(JUMPING_CLOCK).href] : [],
    });
    this.#exited = once(this.#child, 'exit');
  }

  /** Begins to call, without end. */
  work(): void {
    this.#child.send('work' satisfies ClientOrder);
  }

  /** Ends what `work` began. Resolves when every call has been answered or rejected. */
  rest(): Promise<ClientReport> {
    return this.#order('rest');
  }

  /** One call of each client. Resolves when all have been answered or rejected. */
  once(): Promise<ClientReport> {
    return this.#order('once');
  }

  /** Closes the clients; the process remains. */
  close(): Promise<ClientReport> {
    return this.#order('close');
  }

  /** Ends the process at once, as a crash does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  async #order(order: ClientOrder): Promise<ClientReport> {
    this.#child.send(order);
    const gone = this.#exited.then(() => {
      throw new Error('A client process ended by itself');
    });
    gone.catch(() => {});
    const [report] = (await Promise.race([once(this.#child, 'message'), gone])) as [ClientReport];
    return report;
  }
}
