/** Starts a child process, and sends it orders for a scenario. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export class Child<Order extends string | number, Report> {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  /**
   * @param settings - the program reads them as JSON from its first argument
   * @param execArgv - options of Node
   */
  constructor(program: string, settings: object, execArgv: readonly string[] = []) {
    this.#child = fork(program, [JSON.stringify(settings)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [...execArgv],
    });
    this.#exited = once(this.#child, 'exit');
  }

  tell(order: Order): void {
    this.#child.send(order);
  }

  /** Sends an order. Resolves with the report of the process when it has carried out the order. */
  async ask(order: Order): Promise<Report> {
    this.tell(order);
    const gone = this.#exited.then(() => {
      throw new Error('A client process ended by itself');
    });
    gone.catch(() => {});
    const [report] = (await Promise.race([once(this.#child, 'message'), gone])) as [Report];
    return report;
  }

  /** Ends the process at once, as a crash does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
