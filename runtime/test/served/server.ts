/** The worker under test, and the hooks of its router, told what to refuse. */
import type { Runtime } from '../../../harness/runtime.ts';
import { serveForTests } from './place.ts';
import { BINDINGS } from './watched.ts';

export class Server {
  readonly #runtime: Runtime;

  private constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Serves the worker for the tests of a file; it ends with the last of them. */
  static async forTests(): Promise<Server> {
    return new Server(await serveForTests(import.meta.dirname, BINDINGS));
  }

  get port(): number {
    return this.#runtime.port;
  }

  /** Without a slash at its end. */
  get url(): string {
    return this.#runtime.url;
  }

  /** Unless it is running. Resolves when it listens. */
  start(): Promise<void> {
    return this.#runtime.start();
  }

  /** SIGKILL, at once. Resolves when the process is gone. */
  kill(): Promise<void> {
    return this.#runtime.kill();
  }

  /** As a deploy or a crash: every socket is lost, the storage is not. */
  restart(): Promise<void> {
    return this.#runtime.restart();
  }

  /** Makes the router's hooks refuse an instance with a status; 0 for no longer. */
  async refuse(instance: string, status: number): Promise<void> {
    await fetch(this.#hooksOf(instance), { method: 'PUT', body: String(status) });
  }

  /** Makes the router's hooks refuse with 401 whoever does not show this token; '' for no longer. */
  async letIn(instance: string, token: string): Promise<void> {
    await fetch(this.#hooksOf(instance), { method: 'POST', body: token });
  }

  /** What the hooks were asked for an instance: which hook, and the subprotocols. */
  async asked(instance: string): Promise<string[]> {
    const response = await fetch(this.#hooksOf(instance));
    return (await response.json()) as string[];
  }

  #hooksOf(instance: string): string {
    return `${this.url}/hooks/${encodeURIComponent(instance)}`;
  }
}
