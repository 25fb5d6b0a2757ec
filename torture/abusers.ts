/** Starts and stops the process of an abuser, or of a valid client for comparison. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AbuserReport, AbuserSettings } from './abuser-process.ts';

const ABUSER_PROCESS = join(import.meta.dirname, 'abuser-process.ts');

export class AbuserProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #gone: Promise<never>;

  private constructor(child: ChildProcess, what: string) {
    this.#child = child;
    this.#exited = once(child, 'exit');
    this.#gone = this.#exited.then(() => {
      throw new Error(`The process that did ${what} ended by itself`);
    });
    this.#gone.catch(() => {});
  }

  /** Starts the process. Resolves after its first piece. */
  static async begin(settings: AbuserSettings): Promise<AbuserProcess> {
    const child = fork(ABUSER_PROCESS, [JSON.stringify(settings)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { name, rate } = settings;
    const abuser = new AbuserProcess(child, rate === undefined ? name : `${name}, of good will,`);
    await abuser.#next();
    return abuser;
  }

  /** Stops the process. Returns what it did since `begin`. */
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
