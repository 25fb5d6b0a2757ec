/**
 * A program of this repository in a process of its own, which gets its settings when it starts and then carries out
 * orders. Orders and reports are values that a structured clone can hold.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export class ChildProgram<Order extends string | number, Report> implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  /** A promise that rejects when the process ends. */
  readonly #gone: Promise<never>;

  /**
   * Starts the program.
   *
   * @param file - the path of the program
   * @param settings - the program reads them as JSON from its first argument
   * @param execArgv - options of Node
   */
  constructor(file: string, settings: object, execArgv: readonly string[] = []) {
    this.#child = fork(file, [JSON.stringify(settings)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [...execArgv],
    });
    this.#ended = once(this.#child, 'exit');
    this.#gone = this.#ended.then(() => {
      throw new Error(`${file} ended by itself: ${JSON.stringify(settings)}`);
    });
    // At the end the process is killed on purpose.
    this.#gone.catch(() => {});
  }

  tell(order: Order): void {
    this.#child.send(order);
  }

  /** Resolves with the next report of the program. Rejects if the program ends before. */
  async next(): Promise<Report> {
    const [report] = (await Promise.race([once(this.#child, 'message'), this.#gone])) as [Report];
    return report;
  }

  /** Sends an order. Resolves with the report of the program when it has carried out the order. */
  ask(order: Order): Promise<Report> {
    this.tell(order);
    return this.next();
  }

  /** Ends the process at once, as a crash does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

/** Returns the settings, when called in the program. The process ends with its parent. */
export function readSettings<Settings>(): Settings {
  process.once('disconnect', () => process.exit());
  return JSON.parse(process.argv[2] ?? '') as Settings;
}
