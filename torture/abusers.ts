/** An abuser's process, or that of its counterpart, as seen by a scenario. Imports node: only. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AbuserReport, AbuserSettings } from './abuser-process.ts';

const ABUSER_PROCESS = join(import.meta.dirname, 'abuser-process.ts');

export class AbuserProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #gone: Promise<never>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, 'exit');
    this.#gone = this.#exited.then(() => {
      throw new Error('An abuser ended by itself');
    });
    this.#gone.catch(() => {});
  }

  /** Resolves when it has done something, and goes on with it. */
  static async begin(settings: AbuserSettings): Promise<AbuserProcess> {
    const child = fork(ABUSER_PROCESS, [JSON.stringify(settings)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const abuser = new AbuserProcess(child);
    await abuser.#next();
    return abuser;
  }

  /** Stops, and tells what it did since it began. */
  async stop(): Promise<AbuserReport> {
    this.#child.send('stop');
    return (await this.#next()) as AbuserReport;
  }

  async #next(): Promise<unknown> {
    const [message] = await Promise.race([once(this.#child, 'message'), this.#gone]);
    return message;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
