/** Writes to standard output and standard error, and detects a terminal. */
import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Writes synchronously, so that nothing is lost when the process exits. It does not use
 * `process.stdout`, because the setup of that stream takes longer than the copy of the whole template.
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

/**
 * @param {0 | 1 | 2} stream
 * @returns {boolean} whether the stream is a terminal
 */
export function isTerminal(stream) {
  try {
    // Most other streams can be ruled out without loading `node:tty`.
    if (!fstatSync(stream).isCharacterDevice()) return false;
  } catch {
    // On Windows, `fstatSync` fails for a console.
  }
  // `process.stdin.isTTY` would set up a stream first.
  return isatty(stream);
}
