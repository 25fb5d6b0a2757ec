/**
 * The child process behind runtime.ts: builds the worker as `wrangler deploy` would, runs the bare
 * workerd binary on it, tells its parent where, and ends with its parent. Imports workerd-config.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Unstable_Config, unstable_readConfig } from 'wrangler';
import type { RuntimeDetails } from './runtime.ts';
import { SOCKET, workerdConfig } from './workerd-config.ts';

/** The name that wrangler gives to the bundle of a worker.ts. */
const MAIN = 'worker.js';
const STORAGE = 'objects';
/** The worker's wrangler.jsonc. */
const [, , WORKER_CONFIG = ''] = process.argv;
const TEMPLATE_CONFIG = join(import.meta.dirname, '../wrangler.jsonc');

// Only the copy of workerd that belongs to wrangler is certain to understand what wrangler builds.
const wranglerManifest = createRequire(import.meta.url).resolve('wrangler/package.json');
const requireAsWrangler = createRequire(wranglerManifest);

/** Aborted when it is time to end: the parent is gone, or a signal came, as Ctrl-C does to both. */
const stopping = new AbortController();
const stop = (): void => stopping.abort();
process.once('disconnect', stop);
if (!process.connected) stop();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

const ownDirectory = await mkdtemp(join(tmpdir(), 'lumenize-rpc-perf-'));
try {
  await run(ownDirectory);
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} finally {
  await rm(ownDirectory, { recursive: true, force: true });
  if (process.connected) process.disconnect();
}

async function run(directory: string): Promise<void> {
  const { compatibility_date, compatibility_flags } = readConfig(TEMPLATE_CONFIG);
  const compatibilityDate = compatibility_date ?? '';
  await build(directory, compatibilityDate, compatibility_flags);
  const workerd = await startWorkerd(directory, compatibilityDate, compatibility_flags);
  const ended = end(workerd, 'SIGKILL');
  process.send?.({
    url: `http://127.0.0.1:${await portOf(workerd)}`,
    workerd: requireAsWrangler('workerd').version,
    compatibilityDate,
    compatibilityFlags: compatibility_flags,
  } satisfies RuntimeDetails);
  throw new Error(`workerd ended: ${await ended}`);
}

/** Bundles the worker as a deployment would, under the template's compatibility settings. */
async function build(directory: string, date: string, flags: string[]): Promise<void> {
  const { bin } = requireAsWrangler(wranglerManifest) as { bin: { wrangler: string } };
  const wrangler = join(dirname(wranglerManifest), bin.wrangler);
  const options = ['--dry-run', '--config', WORKER_CONFIG, '--outdir', directory];
  options.push('--compatibility-date', date);
  if (flags.length > 0) options.push('--compatibility-flags', ...flags);
  const child = spawn(process.execPath, [wrangler, 'deploy', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_WRITE_LOGS: 'false' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  // Not SIGKILL: this process is wrangler's launcher, and hands only SIGTERM on.
  const result = await end(child, 'SIGTERM');
  if (result !== 'exit code 0') throw new Error(`wrangler deploy --dry-run: ${result}\n${output}`);
}

/** Writes workerd's configuration, with the bindings of the worker's wrangler.jsonc, and starts it. */
async function startWorkerd(
  directory: string,
  compatibilityDate: string,
  compatibilityFlags: string[],
): Promise<ChildProcess> {
  const { bindings } = readConfig(WORKER_CONFIG).durable_objects;
  const config = workerdConfig({
    main: MAIN,
    compatibilityDate,
    compatibilityFlags,
    durableObjects: bindings.map(({ name, class_name }) => ({
      binding: name,
      className: class_name ?? name,
    })),
    storage: STORAGE,
  });
  await mkdir(join(directory, STORAGE));
  await writeFile(join(directory, 'workerd.capnp'), config);
  stopping.signal.throwIfAborted();
  return spawn(requireAsWrangler('workerd').default, ['serve', '--control-fd=3', 'workerd.capnp'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
}

/** Waits for a process to end, and ends it when it is time to stop. Says how it ended. */
async function end(child: ChildProcess, signalToSend: NodeJS.Signals): Promise<string> {
  const kill = (): void => void child.kill(signalToSend);
  stopping.signal.addEventListener('abort', kill, { once: true });
  if (stopping.signal.aborted) kill();
  const [code, signal] = await once(child, 'close');
  stopping.signal.removeEventListener('abort', kill);
  return signal ? `signal ${signal}` : `exit code ${code}`;
}

/** workerd writes one JSON object a line to its control descriptor: `listen` once a socket is open. */
async function portOf(workerd: ChildProcess): Promise<number> {
  let text = '';
  for await (const chunk of workerd.stdio[3] as Readable) {
    text += chunk;
    for (const line of text.split('\n').slice(0, -1)) {
      const { event, socket, port } = line ? JSON.parse(line) : {};
      if (event === 'listen' && socket === SOCKET) return port;
    }
  }
  throw new Error('workerd did not start');
}

function readConfig(config: string): Unstable_Config {
  return unstable_readConfig({ config }, { hideWarnings: true });
}
