/**
 * Contenders with a runtime and a client process of their own, so that no contender profits from code that another
 * contender has warmed up.
 */
import { join } from 'node:path';
import { ChildProgram } from '../../harness/child-program.ts';
import type { Runtime } from '../../harness/runtime.ts';
import type { ClientSettings, Told } from './client-process.ts';
import { serveContenders } from './serve.ts';

const CLIENT = join(import.meta.dirname, 'client-process.ts');

export class Contestant implements AsyncDisposable {
  readonly name: string;
  readonly #runtime: Runtime;
  readonly #client: ChildProgram<string, Told>;

  private constructor(name: string, runtime: Runtime) {
    this.name = name;
    this.#runtime = runtime;
    const settings: ClientSettings = { name, url: runtime.url };
    this.#client = new ChildProgram(CLIENT, settings);
  }

  /**
   * @param folder - the folder for the storage of the objects. By default, the storage is in memory
   * @throws Error if the client cannot connect
   */
  static async enter(name: string, folder?: string): Promise<Contestant> {
    const runtime = await serveContenders({
      webSocketCompression: false,
      ...(folder !== undefined && { folder }),
    });
    const contestant = new Contestant(name, runtime);
    await contestant.#client.next();
    return contestant;
  }

  /** Runs a workload once. Its answers are checked. */
  round(workload: string): Promise<Told> {
    return this.#client.ask(workload);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.kill();
    await this.#runtime.stop();
  }
}
