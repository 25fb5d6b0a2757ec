/**
 * Starts and stops the runtime in which the contenders run. A child process builds the Worker, runs it
 * and cleans up, because it outlives this process. The channel between the two closes when this process
 * ends, even by a crash. The child then ends workerd, which would go on, and deletes its files.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Details of the runtime, for the report. */
export interface RuntimeDetails {
  /** The address of the runtime, without a slash at its end. */
  url: string;
  /** Version of the workerd binary. */
  workerd: string;
  compatibilityDate: string;
  compatibilityFlags: string[];
  /** The process of workerd, if nothing else runs in it. */
  pid?: number | undefined;
}

/** The workerd binary on its own, or `wrangler dev` with its proxy. */
export type Target = 'workerd' | 'dev';

export interface Runtime extends RuntimeDetails {
  /** Resolves when the process is gone and its files are deleted. */
  stop(): Promise<void>;
}

/**
 * The path of the child's program. In the built package it is also a file of its own, beside the module that contains
 * this file.
 */
const RUNTIME_PROCESS = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? './runtime-process.ts' : './perf-runtime-process.js',
    import.meta.url,
  ).href,
);
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Builds the performance test's Worker and serves it on a free port of this machine.
 *
 * A signal stops the runtime and then ends this process.
 *
 * @param project - the folder with wrangler's configuration, and the Worker's configuration in `perf/wrangler.jsonc`
 * @throws Error if the build fails or the runtime does not start; the reason is on stderr by then
 */
export async function startRuntime(target: Target, project: string): Promise<Runtime> {
  const child = fork(RUNTIME_PROCESS, [target, project], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await exited;
  };
  for (const [signal, exitCode] of Object.entries(EXIT_CODES)) {
    process.once(signal, () => {
      process.exitCode = exitCode;
      void stop().then(() => process.exit());
    });
  }
  const neverReady = exited.then(() => {
    throw new Error('The runtime did not start');
  });
  const [details] = (await Promise.race([once(child, 'message'), neverReady])) as [RuntimeDetails];
  // After the start, the exit of the child is not an error: stop() waits for it.
  neverReady.catch(() => {});
  return { ...details, stop };
}
