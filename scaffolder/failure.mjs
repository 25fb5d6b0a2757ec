/** How the program fails: one error class, its exit codes, and how a failure is shown. */

/** Documented in `--help`. */
export const EXIT = { failed: 1, usage: 2, conflict: 3, interrupted: 130 };

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
 * Prints a failure and ends the process, once it is written. A step that was interrupted may still
 * have work pending, so the event loop is not waited for.
 *
 * @param {unknown} error
 * @param {string} [kept] - what is left on disk, and how to continue
 */
export function report(error, kept) {
  const exitCode = error instanceof Failure ? error.exitCode : EXIT.failed;
  const text = kept ? `${describe(error)}\n${kept}` : describe(error);
  process.stderr.write(`${text}\n`, () => process.exit(exitCode));
}

/** @param {unknown} error */
function describe(error) {
  if (error instanceof Failure) return error.message;
  if (!(error instanceof Error)) return String(error);
  // A refusal of the operating system says all in its message: no permission, no space.
  return 'syscall' in error ? `Failed: ${error.message}` : String(error.stack);
}
