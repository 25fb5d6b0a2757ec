/** Contenders with a runtime and a client process of their own, so that none profits from code that another has warmed up. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Runtime } from '../harness/runtime.ts';
import { serveContenders } from './calls/serve.ts';
import type { Told } from './client-process.ts';

const CLIENT = join(import.meta.dirname, 'client-process.ts');

export class Contestant implements AsyncDisposable {
  readonly name: string;
  readonly #runtime: Runtime;
  readonly #client: ChildProcess;
  /** Rejects when the client ends. */
  readonly #ended: Promise<never>;

  private constructor(name: string, runtime: Runtime) {
    this.name = name;
    this.#runtime = runtime;
    this.#client = fork(CLIENT, [name, runtime.url]);
    this.#ended = once(this.#client, 'exit').then(() => {
      throw new Error(`The client of ${name} ended`);
    });
    // At the end of the measurement, the client is killed on purpose.
    this.#ended.catch(() => {});
  }

  /**
   * @param folder - for the objects. Default: in memory
   * @throws Error if the client cannot connect
   */
  static async enter(name: string, folder?: string): Promise<Contestant> {
    const runtime = await serveContenders({
      webSocketCompression: false,
      ...(folder !== undefined && { folder }),
    });
    const contestant = new Contestant(name, runtime);
    await contestant.#told();
    return contestant;
  }

  /** Runs a workload once. Its answers are checked. */
  async round(workload: string): Promise<Told> {
    this.#client.send(workload);
    return this.#told();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.kill();
    await this.#runtime.stop();
  }

  async #told(): Promise<Told> {
    const [told] = (await Promise.race([once(this.#client, 'message'), this.#ended])) as [Told];
    return told;
  }
}
