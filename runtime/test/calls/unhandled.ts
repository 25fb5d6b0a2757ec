/**
 * Collects the rejections that nobody handles while a function runs. Node and the test runner of
 * the Workers runtime report them by an event of the process, and a page by an event of the global
 * object.
 */

type Listener = (...args: unknown[]) => void;

/** The part of Node's `process` that this module needs. A page has no `process`. */
interface Process {
  listeners(event: string): Listener[];
  removeAllListeners(event: string): void;
  on(event: string, listener: Listener): void;
}

/**
 * @param expected - the number of rejections to wait for, because a busy runtime reports them late
 * @returns the reasons, in order; no other listener receives them
 */
export async function unhandledDuring(run: () => Promise<void>, expected = 0): Promise<unknown[]> {
  const reasons: unknown[] = [];
  const { process } = globalThis as { process?: Process };
  const stop = process ? watchProcess(process, reasons) : watchEvents(reasons);
  try {
    await run();
    // The event comes after the turn of the rejection. A surplus event may come later.
    for (let turn = 0; turn < 3 || reasons.length < expected; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  } finally {
    stop();
  }
  return reasons;
}

function watchEvents(reasons: unknown[]): () => void {
  const note = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    reasons.push(event.reason);
  };
  addEventListener('unhandledrejection', note);
  return () => removeEventListener('unhandledrejection', note);
}

/** Replaces the listeners of the test runner, which would count each rejection as an error. */
function watchProcess(process: Process, reasons: unknown[]): () => void {
  const event = 'unhandledRejection';
  const others = process.listeners(event);
  process.removeAllListeners(event);
  process.on(event, (reason) => reasons.push(reason));
  return () => {
    process.removeAllListeners(event);
    for (const listener of others) process.on(event, listener);
  };
}
