/**
 * Runs a Worker in a bare workerd. It keeps its storage in files and its address for its whole life, can be killed and
 * started again, and ends with this process.
 */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SOCKET } from '../runtime/src/wrangler/workerd-config.ts';
import { GARBAGE_ROUTE } from './runtime/garbage-route.ts';
import { kill, start } from './guarded-process.mjs';
import { memoryFolder } from './runtime/memory-folder.mjs';
import { freePort, isListening } from './ports.mjs';
import { sleep, until } from './waiting.mjs';
import {
  bundleWorker,
  type Compatibility,
  WORKERD_CONFIG,
  type WorkerOptions,
} from './runtime/worker-bundle.ts';

const STORAGE = 'objects';
const ERRORS_KEPT = 2_000;

/**
 * The number of garbage collections, because objects that one collection frees can hold further objects; and
 * milliseconds between them.
 */
const COLLECTIONS = 3;
const PAUSE = 200;

const requireAsTemplate = createRequire(join(import.meta.dirname, '../template/package.json'));
/** The copy of workerd that belongs to wrangler: its path, and its version. */
export const workerd = createRequire(requireAsTemplate.resolve('wrangler/package.json'))(
  'workerd',
) as { default: string; version: string };

export class Runtime implements AsyncDisposable {
  readonly port: number;
  readonly compatibility: Compatibility;
  /** The number of times that `kill` has killed workerd. */
  kills = 0;
  /** Port of the inspector, which reports the Worker's memory; 0 for none. */
  readonly inspectorPort: number;
  readonly #directory: string;
  #guard: ReturnType<typeof start> | undefined;
  /** Process id of workerd. */
  #pid = 0;
  #errors = '';
  #crash: string | undefined;

  private constructor(
    port: number,
    inspectorPort: number,
    directory: string,
    compatibility: Compatibility,
  ) {
    this.port = port;
    this.inspectorPort = inspectorPort;
    this.#directory = directory;
    this.compatibility = compatibility;
  }

  /**
   * Builds a Worker and serves it. Resolves when workerd listens.
   *
   * @param folder - the folder for its files; default: a folder in memory
   * @throws Error if the Worker cannot be built or workerd does not start
   */
  static async serve(worker: WorkerOptions, folder = memoryFolder()): Promise<Runtime> {
    const directory = mkdtempSync(join(folder, 'lumenize-rpc-runtime-'));
    try {
      const compatibility = await bundleWorker(worker, directory, STORAGE);
      const inspectorPort = worker.inspected ? await freePort() : 0;
      const runtime = new Runtime(await freePort(), inspectorPort, directory, compatibility);
      await runtime.start();
      return runtime;
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  /** The address, without a slash at its end. It is the same after every start. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts workerd, unless it is running. Resolves when it listens. */
  async start(storage: 'kept' | 'emptied' = 'kept'): Promise<void> {
    if (this.#guard) return;
    const folder = join(this.#directory, STORAGE);
    if (storage === 'emptied') await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const address = `--socket-addr=${SOCKET}=127.0.0.1:${this.port}`;
    const inspector = `--inspector-addr=127.0.0.1:${this.inspectorPort}`;
    const inspectors = this.inspectorPort ? [inspector] : [];
    const guard = start(workerd.default, ['serve', address, ...inspectors, WORKERD_CONFIG], {
      cwd: this.#directory,
      output: 'pipe',
      folder: this.#directory,
    });
    this.#guard = guard;
    guard.stdout?.resume();
    guard.stderr?.on('data', (text) => {
      this.#errors = `${this.#errors}${text}`.slice(-ERRORS_KEPT);
    });
    guard.on('close', (code, signal) => {
      // Only `kill` ends workerd on purpose, so any other end is a crash.
      if (this.#guard !== guard) return;
      this.#crash = `workerd ended by itself: ${signal ?? code}\n${this.#errors}`;
    });
    guard.once('message', (told) => (this.#pid = (told as { pid: number }).pid));
    await until(() => this.#crash !== undefined || isListening(this.port));
    await this.check();
  }

  /** Sends SIGKILL. Resolves when the process has ended. */
  async kill(): Promise<void> {
    const guard = this.#guard;
    if (!guard) return;
    this.#guard = undefined;
    this.kills++;
    await kill(guard);
    // The signal goes to the guard and to workerd. workerd can end a moment after the guard.
    await until(async () => !(await isListening(this.port)));
  }

  /** Restarts workerd, as a deployment or a crash does: all sockets are lost, and the storage is kept. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Restarts workerd with other code for the same objects. */
  async deploy(worker: WorkerOptions): Promise<void> {
    await this.kill();
    await bundleWorker(worker, this.#directory, STORAGE);
    await this.start();
  }

  /** @throws Error with the output of workerd if workerd ended by itself */
  async check(): Promise<void> {
    if (this.#crash) throw new Error(this.#crash);
  }

  /** @returns resident memory of workerd in bytes; 0 if the system does not report it */
  memory(): Promise<number> {
    return this.#status('VmRSS');
  }

  /** @returns the peak of workerd's resident memory during `act`, in bytes above the value before it */
  async mostMemory(act: () => Promise<unknown>): Promise<number> {
    // Resets the recorded peak to the current value.
    await writeFile(`/proc/${this.#pid}/clear_refs`, '5');
    const before = await this.memory();
    await act();
    return (await this.#status('VmHWM')) - before;
  }

  /**
   * Collects garbage and measures the memory that the code of the Worker still uses, as V8 counts it. The resident
   * memory shows less, because an allocator keeps memory that was freed. The Worker needs the option `inspected` and
   * the route of garbage-route.ts.
   *
   * @returns used bytes of the JavaScript heap, plus the bytes of the buffers outside the heap
   */
  async heap(): Promise<number> {
    for (let left = COLLECTIONS; left > 0; left--) {
      await this.collectGarbage();
      await sleep(PAUSE);
    }
    const inspector = new WebSocket(`ws://127.0.0.1:${this.inspectorPort}/worker`);
    await once(inspector, 'open');
    inspector.send(JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' }));
    const [{ data }] = (await once(inspector, 'message')) as [MessageEvent];
    inspector.close();
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = JSON.parse(String(data)).result;
    return usedSize + embedderHeapUsedSize + backingStorageSize;
  }

  /** Collects garbage once. The Worker needs the same option and the same route as for `heap`. */
  async collectGarbage(): Promise<void> {
    const answer = await fetch(`${this.url}${GARBAGE_ROUTE}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
  }

  async #status(name: string): Promise<number> {
    const status = await readFile(`/proc/${this.#pid}/status`, 'utf8').catch(() => '');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  }

  /** @returns CPU time of all threads of workerd in milliseconds; 0 if the system does not report it */
  async cpuTime(): Promise<number> {
    const folder = `/proc/${this.#pid}/task`;
    const tasks = await readdir(folder).catch(() => []);
    const texts = tasks.map((task) =>
      readFile(`${folder}/${task}/schedstat`, 'utf8').catch(() => '0'),
    );
    const times = (await Promise.all(texts)).map((text) => Number.parseInt(text, 10));
    return times.reduce((sum, time) => sum + time, 0) / 1e6;
  }

  /** Ends workerd and deletes its files. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 3 });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
