/**
 * The child process behind server.ts: builds the worker once, runs workerd on it, kills
 * and restarts it when told to, and ends with its parent, however that one ended.
 * Imports bundled-worker and template/perf/workerd-config.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SOCKET } from '../template/perf/workerd-config.ts';
import { bundleWorker, WORKERD_CONFIG } from './bundled-worker.ts';
import type { ServerOptions } from './server.ts';

export type ServerOrder = 'start' | 'start empty' | 'kill' | 'report';

export interface ServerReport {
  url: string;
  port: number;
  pid: number;
  /** What workerd wrote before it ended without being told to. */
  crash?: string | undefined;
}

const TEMPLATE = join(import.meta.dirname, '../template');
const STORAGE = 'objects';
/** Below the ports that the system gives to outgoing connections, so that none takes ours. */
const PORTS = { from: 15_000, count: 15_000 };
const ERRORS_KEPT = 2_000;

const requireAsTemplate = createRequire(join(TEMPLATE, 'package.json'));
const workerdBinary = createRequire(requireAsTemplate.resolve('wrangler/package.json'))('workerd')
  .default as string;
const options = JSON.parse(process.argv[2] ?? '{}') as ServerOptions;

const directory = mkdtempSync(join(tmpdir(), 'lumenize-rpc-torture-'));
let workerd: ChildProcess | undefined;
let errors = '';
let crash: string | undefined;
/** What is being done. The end waits for it, so that nothing is made after the clean-up. */
let busy: Promise<unknown> = Promise.resolve();

process.once('disconnect', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
if (!process.connected) await end();

const port = await freePort();
process.on('message', (order: ServerOrder) => perform(() => obey(order)));
perform(async () => {
  await prepare();
  await start();
});

/** Does something and reports. */
function perform(work: () => Promise<void>): void {
  busy = work().then(report, (error) => {
    console.error(error);
    process.exitCode = 1;
    // Not awaited: the end waits for this.
    void end();
  });
}

async function obey(order: ServerOrder): Promise<void> {
  if (order === 'kill') await kill();
  else if (order !== 'report') await start(order);
}

function report(): void {
  const url = `http://127.0.0.1:${port}`;
  const pid = workerd?.pid ?? 0;
  if (process.connected) process.send?.({ url, port, pid, crash } satisfies ServerReport);
}

function prepare(): Promise<void> {
  return bundleWorker({
    main: join(import.meta.dirname, 'worker.ts'),
    config: join(import.meta.dirname, 'wrangler.jsonc'),
    directory,
    storage: STORAGE,
    inject: options.jumpingClock ? [join(import.meta.dirname, 'jumping-clock.ts')] : [],
  });
}

async function start(order: ServerOrder = 'start'): Promise<void> {
  const storage = join(directory, STORAGE);
  if (order === 'start empty') await rm(storage, { recursive: true, force: true });
  await mkdir(storage, { recursive: true });
  const address = `--socket-addr=${SOCKET}=127.0.0.1:${port}`;
  const child = spawn(workerdBinary, ['serve', '--control-fd=3', address, WORKERD_CONFIG], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  workerd = child;
  child.stderr?.on('data', (text) => (errors = `${errors}${text}`.slice(-ERRORS_KEPT)));
  child.on('exit', (code, signal) => {
    // Ours to kill, so any other end is a crash.
    if (workerd === child) crash = `workerd ended by itself: ${signal ?? code}\n${errors}`;
  });
  await listening(child);
}

/** workerd writes a line to its control descriptor once its socket is open. */
async function listening(child: ChildProcess): Promise<void> {
  const control = child.stdio[3] as Readable;
  for await (const chunk of control.iterator({ destroyOnReturn: false })) {
    if (!String(chunk).includes('"listen"')) continue;
    control.resume();
    return;
  }
  throw new Error(`workerd did not start\n${errors}`);
}

async function kill(): Promise<void> {
  const child = workerd;
  workerd = undefined;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function end(): Promise<void> {
  await busy;
  await kill();
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  process.exit();
}

async function freePort(): Promise<number> {
  for (;;) {
    const candidate = PORTS.from + Math.floor(Math.random() * PORTS.count);
    const probe = createServer().listen(candidate, '127.0.0.1');
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('listening', () => resolve(true));
      probe.once('error', () => resolve(false));
    });
    if (isFree) await new Promise((resolve) => probe.close(resolve));
    if (isFree) return candidate;
  }
}
