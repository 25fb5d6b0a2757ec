/**
 * Runs a task once at the end of a turn, however often it was requested in the turn. If the object has an open
 * transaction then, the task runs when that has ended. Imports nothing.
 */

/** The task of each object for the end of the turn. */
const due = new Map<object, () => void>();

/** Number of microtasks to wait for the end of a turn outside a frame. */
const PATIENCE = 50;

/** Number of open transactions of each object that has any. */
const transactions = new WeakMap<object, number>();

/** Storages whose transactions are counted. */
const followed = new WeakSet<object>();

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
  if (!run || transactions.has(instance)) return;
  due.delete(instance);
  run();
}

type Transaction = (run: (...args: unknown[]) => unknown) => Promise<unknown>;

interface WithTransactions {
  readonly ctx?: { readonly storage?: { transaction?: Transaction } };
}

/**
 * Makes the tasks of an object wait for its asynchronous transactions: what a task sends must not be rolled back
 * afterwards. The storage does not tell whether a transaction is open, so this replaces its method `transaction`.
 *
 * @param instance - a Durable Object, or an object without storage
 */
export function followTransactions(instance: object): void {
  const { storage } = (instance as WithTransactions).ctx ?? {};
  const transaction = storage?.transaction;
  if (!storage || !transaction || followed.has(storage)) return;
  followed.add(storage);
  storage.transaction = async (run) => {
    transactions.set(instance, (transactions.get(instance) ?? 0) + 1);
    try {
      return await transaction.call(storage, run);
    } finally {
      const left = (transactions.get(instance) ?? 1) - 1;
      if (left > 0) transactions.set(instance, left);
      else transactions.delete(instance);
      // Not at once, so that a method that awaits the transaction is answered first.
      if (due.has(instance)) void runLater(instance);
    }
  };
}
