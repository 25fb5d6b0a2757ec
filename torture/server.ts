/**
 * The bare workerd that serves the worker under torture, as seen by a scenario: storage on disk,
 * one address for its whole life, killed and started again at will. A child process of its own
 * (server-process.ts) holds it, because that one notices when this process is gone, and cleans up.
 * Imports node: only.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerOrder, ServerReport } from './server-process.ts';

export interface ServerOptions {
  /** Whether the worker's `Date` jumps by hours, back and forth. */
  jumpingClock?: boolean;
}

export interface Server {
  /** Without a slash at its end; the same after every start. */
  readonly url: string;
  readonly port: number;
  /** How often workerd was killed by `kill`. */
  readonly kills: number;
  /** SIGKILL, at once. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts workerd again. Resolves when it listens. */
  start(storage?: 'kept' | 'emptied'): Promise<void>;
  /** @throws Error with what workerd wrote when it ended without being told to */
  check(): Promise<void>;
  /** Resident memory of workerd in bytes. */
  memory(): Promise<number>;
  /** Ends workerd and deletes its files. */
  stop(): Promise<void>;
}

const SERVER_PROCESS = join(import.meta.dirname, 'server-process.ts');

/** @throws Error when the worker cannot be built or workerd does not start */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const child = fork(SERVER_PROCESS, [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  let latest = await nextReport();
  let kills = 0;

  async function nextReport(): Promise<ServerReport> {
    const gone = exited.then(() => {
      throw new Error('The process that holds workerd ended');
    });
    gone.catch(() => {});
    const [report] = (await Promise.race([once(child, 'message'), gone])) as [ServerReport];
    return report;
  }

  async function order(text: ServerOrder): Promise<void> {
    child.send(text);
    latest = await nextReport();
  }

  return {
    url: latest.url,
    port: latest.port,
    get kills() {
      return kills;
    },
    async kill() {
      kills++;
      await order('kill');
    },
    start: (storage = 'kept') => order(storage === 'kept' ? 'start' : 'start empty'),
    async check() {
      await order('report');
      if (latest.crash) throw new Error(latest.crash);
    },
    memory: () => residentMemory(latest.pid),
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** @returns bytes; 0 where the system does not tell */
async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
