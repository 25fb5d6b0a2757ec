/** Waits for a time, or for a condition that causes no event. */

/**
 * A time in milliseconds, far longer than any condition takes on any machine. A condition that takes longer is stuck.
 */
export const PATIENCE = 120_000;

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal] - ends the wait early; the promise then resolves too
 * @returns {Promise<void>}
 */
export function sleep(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * Checks a condition every 10 ms until it is true.
 *
 * @param {() => boolean | Promise<boolean>} condition
 * @returns {Promise<void>} rejects if the condition is not true within PATIENCE
 */
export async function until(condition) {
  const end = performance.now() + PATIENCE;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited ${PATIENCE} ms in vain for ${condition}`);
    await sleep(10);
  }
}
