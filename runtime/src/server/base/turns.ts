/**
 * Runs tasks once at the end of a turn, however often they were requested in the turn. If the object has an open
 * transaction then, the tasks run when the transaction has ended.
 */

/** The kind of messages that a task sends. Values are sent after the events of their turn. */
type Order = 'events' | 'values';

/** The tasks of an object for the end of the turn. */
interface Tasks extends Record<Order, Set<() => void>> {
  /** Resolves at the end of a turn outside a frame. */
  ended?: Promise<void>;
}

/** The tasks of each object. */
const due = new Map<object, Tasks>();

/** Number of microtasks to wait for the end of a turn outside a frame. */
const PATIENCE = 50;

/** Number of open transactions of each object that has any. */
const transactions = new WeakMap<object, number>();

/** Storages whose transactions are counted. */
const followed = new WeakSet<object>();

/** The object whose frame is being handled. */
let inFrame: object | undefined;

/**
 * Runs a task at the end of this turn. A turn that runs the calls of a frame ends after the last call. Nothing marks the
 * end of other turns, so the task runs after some microtasks. The answers of methods that end in that time are sent with
 * it.
 *
 * @param instance - the object
 * @param order - the kind of messages that the task sends
 * @param run - the task. The function runs once, however often it is passed in the turn.
 */
export function atEndOfTurn(instance: object, order: Order, run: () => void): void {
  let tasks = due.get(instance);
  if (!tasks) {
    tasks = { events: new Set(), values: new Set() };
    due.set(instance, tasks);
    if (inFrame !== instance) tasks.ended = runLater(instance);
  }
  tasks[order].add(run);
}

/**
 * Resolves when the tasks for the end of this turn have run, so that the answers of methods that have ended share a
 * frame with the messages of the tasks. If there are no tasks, or they wait for a transaction, it resolves at once.
 */
export function endOfTurn(instance: object): Promise<void> {
  return due.get(instance)?.ended ?? Promise.resolve();
}

/** Runs the calls of a frame, and then the tasks that they requested. */
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
  const tasks = due.get(instance);
  if (!tasks || transactions.has(instance)) return;
  due.delete(instance);
  for (const run of [...tasks.events, ...tasks.values]) {
    try {
      run();
    } catch (error) {
      // No caller can receive the error. A client that misses an event requests it.
      console.error(error);
    }
  }
}

type Transaction = (run: (...args: unknown[]) => unknown) => Promise<unknown>;

interface WithTransactions {
  readonly ctx?: { readonly storage?: { transaction?: Transaction } };
}

/**
 * Makes the tasks of an object wait for its asynchronous transactions, because the data that a task sends must not be
 * rolled back afterwards. The storage does not tell whether a transaction is open, so this replaces its method
 * `transaction`.
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
      // The tasks run later, so that a method that awaits the transaction is answered first.
      const tasks = due.get(instance);
      if (tasks) tasks.ended = runLater(instance);
    }
  };
}
