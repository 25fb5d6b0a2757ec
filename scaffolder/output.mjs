/** Writes to the terminal, or to whatever stands for it. */
import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Writes at once, so that nothing is lost when the process exits; and without `process.stdout`,
 * whose streams take longer to set up than the whole template takes to copy.
 *
 * @param {1 | 2} output - standard output or standard error
 * @param {string} text
 */
export function print(output, text) {
  let left = Buffer.from(text);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(output, left));
    } catch (error) {
      // The terminal is busy: someone has made it non-blocking.
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') continue;
      // A reader that leaves early (`| head`) is no reason to stop half way.
      return;
    }
  }
}

/**
 * @param {0 | 1 | 2} stream
 * @returns {boolean} whether someone sits at its other end
 */
export function isTerminal(stream) {
  try {
    // Most that are none can be told without loading anything.
    if (!fstatSync(stream).isCharacterDevice()) return false;
  } catch {
    // Windows cannot tell of a console.
  }
  // `process.stdin` sets up a stream first.
  return isatty(stream);
}
