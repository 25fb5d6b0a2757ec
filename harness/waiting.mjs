/** Waiting: for a time, and for something that nobody tells. Imports nothing. */

/** Far more than anything takes, on any machine, in milliseconds: what takes longer is stuck. */
export const PATIENCE = 120_000;

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal] - ends the wait before its time
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
 * Looks again until something holds.
 *
 * @param {() => boolean | Promise<boolean>} condition
 * @returns {Promise<void>} rejects when it does not hold after PATIENCE
 */
export async function until(condition) {
  const end = performance.now() + PATIENCE;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited ${PATIENCE} ms in vain for ${condition}`);
    await sleep(10);
  }
}
