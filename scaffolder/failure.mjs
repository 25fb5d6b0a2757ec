/** How the program fails: one error class, its exit codes, and how a failure is shown. */

import { print } from './output.mjs';

/** Documented in `--help`. */
export const EXIT = { failed: 1, usage: 2, conflict: 3, interrupted: 130 };
const CODES = new Map([
  [EXIT.failed, 'FAILED'],
  [EXIT.usage, 'USAGE'],
  [EXIT.conflict, 'CONFLICT'],
]);

/** An outcome that the user can act on: its message is shown without a stack. */
export class Failure extends Error {
  /**
   * @param {string} message - what happened, and what to do
   * @param {number} [exitCode]
   * @param {ErrorOptions} [options]
   */
  constructor(message, exitCode = EXIT.failed, options) {
    super(message, options);
    this.name = 'Failure';
    this.exitCode = exitCode;
  }
}

/**
 * @param {string} problem
 * @param {string} [advice]
 * @param {ErrorOptions} [options]
 */
export function conflict(problem, advice = 'Choose another directory.', options) {
  return new Failure(`${problem}\nNothing was changed. ${advice}`, EXIT.conflict, options);
}

/**
 * Prints a failure and ends the process. A step that was interrupted may still have work pending,
 * so the event loop is not waited for.
 *
 * @param {unknown} error
 * @param {Pick<import('./context.mjs').Context, 'kept' | 'json'>} context
 * @param {string[]} [left] - what could not be taken back
 */
export function report(error, { kept, json }, left = []) {
  const exitCode = error instanceof Failure ? error.exitCode : EXIT.failed;
  const lines =
    left.length === 0
      ? [describe(error), kept ?? unlessSaid(error)]
      : [
          // What it says of this is no longer true.
          describe(error).replaceAll(/ ?\bNothing was (?:changed|written)\. ?/g, ''),
          ...left.map((reason) => `This could not be undone: ${reason}`),
          kept,
        ];
  const message = lines.filter(Boolean).join('\n');
  const result = { ok: false, code: CODES.get(exitCode) ?? 'INTERRUPTED', exitCode, message };
  if (json) print(1, `${JSON.stringify(result)}\n`);
  print(2, `${message}\n`);
  process.exit(exitCode);
}

/**
 * Every step takes back what it did; its own messages say so.
 *
 * @param {unknown} error
 */
function unlessSaid(error) {
  const isOwn = error instanceof Failure && CODES.has(error.exitCode);
  return isOwn || String(error).includes('Nothing was') ? '' : 'Nothing was changed.';
}

/** @param {unknown} error */
function describe(error) {
  if (error instanceof Failure) return error.message;
  if (!(error instanceof Error)) return String(error);
  // A refusal of the operating system says all in its message: no permission, no space.
  return 'syscall' in error ? `Failed: ${error.message}` : String(error.stack);
}
