/** Failures of the program: the error class, the exit codes, and the output. */

import { print } from './output.mjs';

/** The exit codes, which `--help` documents. */
export const EXIT = { failed: 1, usage: 2, conflict: 3, interrupted: 130 };
const CODES = new Map([
  [EXIT.failed, 'FAILED'],
  [EXIT.usage, 'USAGE'],
  [EXIT.conflict, 'CONFLICT'],
]);

/** An error that the user can act on. Its message is printed without a stack. */
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
 * Prints a failure and ends the process. It does not wait for the event loop, because an interrupted
 * step may still have pending work.
 *
 * @param {unknown} error
 * @param {Pick<import('../context.mjs').Context, 'kept' | 'json' | 'written'>} context
 * @param {string[]} [left] - reasons why something could not be undone
 */
export function report(error, { kept, json, written = [] }, left = []) {
  const exitCode = error instanceof Failure ? error.exitCode : EXIT.failed;
  const takenBack = written.length > 0 && `These changes were undone: ${written.join(', ')}`;
  const lines =
    left.length === 0
      ? [describe(error), takenBack, kept?.() ?? unlessSaid(error)]
      : [
          // This part of the message is no longer true.
          describe(error).replaceAll(/ ?\bNothing was (?:changed|written)\. ?/g, ''),
          ...left.map((reason) => `This could not be undone: ${reason}`),
          written.length > 0 && `Written before the failure: ${written.join(', ')}`,
          kept?.(),
        ];
  const message = lines.filter(Boolean).join('\n');
  const result = { ok: false, code: CODES.get(exitCode) ?? 'INTERRUPTED', exitCode, message };
  if (json) print(1, `${JSON.stringify(result)}\n`);
  print(2, `${message}\n`);
  process.exit(exitCode);
}

/**
 * Returns "Nothing was changed.", unless the message says so already: the message of a `Failure` does. The sentence is
 * true for other errors, because every step undoes its changes.
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
  // A system error, such as a missing permission or a full disk, needs no stack.
  return 'syscall' in error ? `Failed: ${error.message}` : String(error.stack);
}
