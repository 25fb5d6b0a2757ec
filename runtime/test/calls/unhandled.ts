/**
 * The rejections that nobody handles while something runs, however the runtime tells of them: by a process event where
 * there is a process (the test runner has one in the Workers runtime too), by an event of the global object in a page.
 */

type Listener = (...args: unknown[]) => void;

/** As much of Node's as is needed here; a page has none. */
interface Process {
  listeners(event: string): Listener[];
  removeAllListeners(event: string): void;
  on(event: string, listener: Listener): void;
}

/**
 * @param expected - how many to wait for, since a busy runtime takes its time to tell
 * @returns the reasons, in order; nobody else is told of them
 */
export async function unhandledDuring(run: () => Promise<void>, expected = 0): Promise<unknown[]> {
  const reasons: unknown[] = [];
  const { process } = globalThis as { process?: Process };
  const stop = process ? watchProcess(process, reasons) : watchEvents(reasons);
  try {
    await run();
    // The event follows the turn in which the rejection happened; a surplus one may come later.
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

/** Takes the place of the test runner's own listeners, which would count each as an error. */
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
