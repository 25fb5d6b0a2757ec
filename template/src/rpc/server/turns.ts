/** Runs a task once at the end of a turn, however often it was requested in the turn. Imports nothing. */

/** The task of each object for the end of the turn. */
const due = new Map<object, () => void>();

/** Number of microtasks to wait for the end of a turn outside a frame. */
const PATIENCE = 50;

/** The object whose frame runs now. */
let inFrame: object | undefined;

/**
 * Runs a task at the end of this turn. If the turn runs the calls of a frame, that is after the last call. In
 * other turns nothing marks the end, so the task runs after some microtasks. In that time, methods that have
 * ended are answered.
 *
 * @param instance - the object; it has one task, however often this is called
 * @param run - must not throw
 */
export function atEndOfTurn(instance: object, run: () => void): void {
  if (due.has(instance)) return;
  due.set(instance, run);
  if (inFrame !== instance) void runLater(instance);
}

/** Runs the calls of a frame, and then the task that they requested. */
export function runInFrame<Result>(instance: object, run: () => Result): Result {
  inFrame = instance;
  try {
    return run();
  } finally {
    inFrame = undefined;
    runDue(instance);
  }
}

async function runLater(instance: object): Promise<void> {
  for (let turn = 0; turn < PATIENCE; turn++) await undefined;
  runDue(instance);
}

function runDue(instance: object): void {
  const run = due.get(instance);
  due.delete(instance);
  run?.();
}
