/** Writes to standard output and standard error. */
import { writeSync } from 'node:fs';

/**
 * Writes synchronously, unlike `process.stdout`, so that nothing is lost when the process exits.
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
      // Another program has made the terminal non-blocking, and its buffer is full.
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') continue;
      // A reader that closes the pipe early (`| head`) must not stop the program.
      return;
    }
  }
}
