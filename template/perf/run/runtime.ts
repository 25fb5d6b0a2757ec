/**
 * The runtime that the contenders run in, as seen by the test: started with one call, stopped with
 * another. A child process builds the worker, runs it and cleans up, because it outlives this one:
 * whatever ends this, a signal or a crash, closes the channel between the two, and that is the
 * child's sign to end workerd and delete its files. (workerd does not notice it by itself.)
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What runs, for the report. */
export interface RuntimeDetails {
  /** Without a slash at its end. */
  url: string;
  /** Of the workerd binary. */
  workerd: string;
  compatibilityDate: string;
  compatibilityFlags: string[];
}

/** The workerd binary on its own, or `wrangler dev` with its proxy. */
export type Target = 'workerd' | 'dev';

export interface Runtime extends RuntimeDetails {
  /** Resolves when the process is gone and its files are deleted. */
  stop(): Promise<void>;
}

const RUNTIME_PROCESS = fileURLToPath(new URL('./runtime-process.ts', import.meta.url).href);
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Builds the performance test's worker and serves it on a free port of this machine.
 *
 * A signal stops the runtime and then ends this process.
 *
 * @throws Error when the build fails or the runtime does not start; why is on stderr by then
 */
export async function startRuntime(target: Target): Promise<Runtime> {
  const child = fork(RUNTIME_PROCESS, [target], {
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
  // Once it is ready its exit is what stop() waits for, and no failure.
  neverReady.catch(() => {});
  return { ...details, stop };
}
