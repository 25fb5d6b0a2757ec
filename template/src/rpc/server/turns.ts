/**
 * Does, at the end of a turn, what was put off until then: once for all that happened in it.
 * Imports nothing.
 */

/** What an object has to do at the end of the turn. */
const due = new Map<object, () => void>();

/** For how many microtasks the end of a turn is waited for outside of a frame. */
const PATIENCE = 50;

let isInFrame = false;

/**
 * Has something done at the end of this turn. In a frame that is when its calls have been run. For
 * what runs elsewhere there is no such event: a number of microtasks go by, in which a method that has
 * ended is answered.
 *
 * @param instance - has one thing to do, however often this is called
 * @param run - must not throw
 */
export function atEndOfTurn(instance: object, run: () => void): void {
  if (due.has(instance)) return;
  due.set(instance, run);
  if (!isInFrame) void runLater(instance);
}

/** Runs the calls of a frame, and then what they have put off. */
export function runInFrame<Result>(instance: object, run: () => Result): Result {
  isInFrame = true;
  try {
    return run();
  } finally {
    isInFrame = false;
    if (due.size > 0) runDue(instance);
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
