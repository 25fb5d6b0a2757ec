/**
 * The worker under test in a bare workerd with storage on disk and one address for its whole life,
 * killed and started again at will; and the hooks of its router, told what to refuse.
 * Imports torture/bundled-worker, template/perf/workerd-config, scripts/free-port and
 * scripts/guarded-process.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { start } from '../../scripts/guarded-process.mjs';
import { SOCKET } from '../../template/perf/workerd-config.ts';
import { bundleWorker, WORKERD_CONFIG } from '../../torture/bundled-worker.ts';

const TEMPLATE = join(import.meta.dirname, '../../template');
const STORAGE = 'objects';

const requireAsTemplate = createRequire(join(TEMPLATE, 'package.json'));
/** The binary. */
export const WORKERD = createRequire(requireAsTemplate.resolve('wrangler/package.json'))('workerd')
  .default as string;

export class Server {
  readonly port: number;
  readonly #directory: string;
  #workerd: ReturnType<typeof start> | undefined;

  private constructor(port: number, directory: string) {
    this.port = port;
    this.#directory = directory;
  }

  /** Builds the worker and serves it; resolves when it listens. */
  static async make(): Promise<Server> {
    const directory = await mkdtemp(join(tmpdir(), 'lumenize-rpc-connection-'));
    await mkdir(join(directory, STORAGE));
    await bundleWorker({
      main: join(import.meta.dirname, 'worker.ts'),
      config: join(import.meta.dirname, 'wrangler.jsonc'),
      directory,
      storage: STORAGE,
    });
    const server = new Server(await freePort(), directory);
    await server.start();
    return server;
  }

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Unless it is running. Resolves when it listens. */
  async start(): Promise<void> {
    if (this.#workerd) return;
    const address = `--socket-addr=${SOCKET}=127.0.0.1:${this.port}`;
    this.#workerd = start(WORKERD, ['serve', address, WORKERD_CONFIG], { cwd: this.#directory });
    await until(() => isListening(this.port));
  }

  /** SIGKILL, at once. Resolves when the process is gone. */
  async kill(): Promise<void> {
    const pid = this.#workerd?.pid;
    if (pid === undefined) return;
    this.#workerd = undefined;
    // It has a process group of its own.
    process.kill(-pid, 'SIGKILL');
    await until(async () => !(await isListening(this.port)));
  }

  /** As a deploy or a crash: every socket is lost, the storage is not. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 3 });
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

/** Looks again until something holds, for what nobody tells. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
